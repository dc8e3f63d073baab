#include "ui/panels/StructurePage.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/document/RunSelection.h"
#include "ui/views/StructureView.h"

namespace driftless::ui {

StructurePage::StructurePage(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName("structurePage");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    view_ = new StructureView;
    layout->addWidget(view_);
    connect(view_, &StructureView::candidateClicked, this, &StructurePage::pin);
    connect(view_, &StructureView::automaticClicked, this, &StructurePage::setAutomatic);
    connect(view_, &StructureView::equationSelected, this, &StructurePage::showOwners);
    connect(view_, &StructureView::unknownSelected, this, [this](int unknown) {
        std::vector<std::string> owners;
        if (unknown >= 0 && view_->model() && document_.hasModel())
            owners = ownersOfUnknown(document_.system(),
                                     view_->model()->analysis().names.unknowns[static_cast<std::size_t>(unknown)]);
        emit ownersSelected(owners);
    });
}

StructurePage::~StructurePage() = default;

void StructurePage::setTheme(const Theme& theme, double scale) { view_->setTheme(theme, scale); }

void StructurePage::rebuild()
{
    if (document_.hasModel() && analysed_ == document_.bench().compiledHandle())
        return; // the same model from its start
    analysed_.reset();
    ++generation_;
    view_->setModel(nullptr);
    refresh();
}

void StructurePage::analyse()
{
    const auto system = document_.bench().compiledHandle();
    if (analysed_ == system)
        return;
    analysed_ = system;
    const int generation = ++generation_;
    const auto make = [system] { return std::make_shared<const StructureModel>(equationsOfModel(system->model())); };
    const auto& s = system->system();
    if (s.coordinates.size() + s.constraints.size() + s.values.size() <= kMostAtOnce) {
        view_->setModel(make());
        return;
    }
    view_->setModel(nullptr, tr("The equations are being analysed…"));
    QThreadPool::globalInstance()->start([make, generation, page = QPointer<StructurePage>(this)] {
        QMetaObject::invokeMethod(qApp, [page, model = make(), generation] { // the page itself may be gone by then
            if (!page || page->generation_ != generation)
                return; // another model was opened meanwhile
            page->view_->setModel(model);
            page->refresh();
        });
    });
}

void StructurePage::refresh()
{
    if (!isVisible() || !document_.hasModel())
        return;
    analyse();
    if (!view_->model())
        return;
    const RunEntry* run = document_.find(document_.bench().selected());
    if (!run)
        return view_->setSelection({});
    const QString whose = document_.lookBack().differs(run->key) ? tr("%1 then").arg(run->name) : run->name;
    view_->setSelection(presentSelection(*view_->model(), document_.compiled().model(), whose, document_.shown(run->key)));
}

void StructurePage::pin(const structure::DerivativeRef& candidate)
{
    const RunEntry* run = document_.find(document_.bench().selected());
    if (!run || !view_->model())
        return;
    const auto choice = pinWith(*view_->model(), document_.compiled().model(), document_.shown(run->key), candidate);
    if (choice)
        document_.control().setPivot(run->key, *choice);
    refresh();
}

void StructurePage::setAutomatic()
{
    if (document_.find(document_.bench().selected()))
        document_.control().setPivot(document_.bench().selected(), run::PivotChoice{});
    refresh();
}

void StructurePage::showOwners()
{
    std::vector<std::string> owners;
    const int equation = view_->selectedEquation();
    if (equation >= 0 && view_->model() && document_.hasModel()) {
        const auto& system = document_.system();
        const auto& analysis = view_->model()->analysis();
        owners = ownersOfEquation(system, analysis.names.equations[static_cast<std::size_t>(equation)]);
        if (document_.compiled().model().equations) // whatever is drawn with the equation's unknowns
            for (const auto& entry : analysis.signature.rows[static_cast<std::size_t>(equation)])
                for (const auto& owner :
                     ownersOfUnknown(system, analysis.names.unknowns[static_cast<std::size_t>(entry.column)]))
                    if (std::find(owners.begin(), owners.end(), owner) == owners.end())
                        owners.push_back(owner);
    }
    emit ownersSelected(owners);
}

void StructurePage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    emit ownersSelected({});
}

void StructurePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
    showOwners();
}

} // namespace driftless::ui
