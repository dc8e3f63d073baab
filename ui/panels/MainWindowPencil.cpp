// The linear DAE laboratory beside the window, and the selected run linearised into it.
#include <QAction>

#include "core/run/Linearise.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/PencilWindow.h"

namespace driftless::ui {

void MainWindow::makePencilActions()
{
    actions_.lineariseHere = action(tr("Linearise the selected run here"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, "lineariseHere", [this] { lineariseHere(); });
    actions_.pencil = action(tr("Linear DAE laboratory…"), Qt::CTRL | Qt::Key_L, "pencil", [this] { openPencil(); });
}

PencilWindow& MainWindow::openPencil()
{
    if (!pencil_) {
        pencil_ = new PencilWindow(dark_ ? Theme::darkTheme() : Theme::light(), this);
        pencil_->setAttribute(Qt::WA_DeleteOnClose);
    }
    pencil_->show();
    pencil_->raise();
    pencil_->activateWindow();
    return *pencil_;
}

void MainWindow::lineariseHere()
{
    const RunEntry* entry = document_.hasModel() ? document_.find(document_.selected()) : nullptr;
    if (!entry) {
        card_->say({"There is nothing to linearise.", "", "There is no run.", "Add a run first.", {}});
        return;
    }
    const auto& laboratory = document_.laboratory();
    const double t = laboratory.clock().t;
    const auto linear = run::linearise(document_.systemHandle(), document_.status(entry->key), laboratory.recording(entry->id), t);
    if (!linear) {
        card_->say(linear.error());
        return;
    }
    if (linear->n() > PencilWindow::kMostUnknowns) {
        card_->say({"The run has too many unknowns to linearise in the window.", "", std::to_string(linear->n()) + ", at most "
                    + std::to_string(PencilWindow::kMostUnknowns) + " are analysed while one types.", "driftless pencil MODEL --time T", {}});
        return;
    }
    const auto& model = document_.system().model();
    openPencil().setText(PencilWindow::textOf(*linear, QString::fromStdString(model.title.empty() ? model.name : model.title)));
}

} // namespace driftless::ui
