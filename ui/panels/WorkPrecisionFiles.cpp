// The diagram of work and precision as a file: a figure with a caption that says what it shows, or a table of all points.

#include "core/study/RunData.h"
#include "core/system/Model.h"
#include "ui/document/NumberText.h"
#include "ui/figures/SaveFile.h"
#include "ui/figures/WriteFigure.h"
#include "ui/panels/Controls.h"
#include "ui/panels/FileDialog.h"
#include "ui/panels/FileDialogs.h"
#include "ui/panels/WorkPrecisionWindow.h"

namespace driftless::ui {

QString WorkPrecisionWindow::caption() const
{
    QStringList parameters;
    const auto& all = document_.system().parameters;
    const auto values = document_.bench().parameters();
    for (std::size_t i = 0; i < all.size() && i < values.size(); ++i)
        parameters << QString::fromStdString(all[i].quantity.name) + QStringLiteral(" = ") + figure(values[i])
                          + (all[i].quantity.unit.empty() ? QString() : ' ' + QString::fromStdString(all[i].quantity.unit));
    QString text = tr("Largest |x − r| / (1 + |r|) of the %1 at t = %2 s.").arg(groups_->currentText(), figure(span_->value()));
    if (reference_)
        text += tr(" Reference r: %1 with %2 at tolerance %3.")
                    .arg(QString::fromStdString(reference_->settings.formulation),
                         QString::fromStdString(reference_->settings.integrator), figure(reference_->tolerance));
    if (!parameters.isEmpty())
        text += ' ' + parameters.join(QStringLiteral(", ")) + '.';
    return text;
}

Result<void> WorkPrecisionWindow::exportTo(const QString& path) const
{
    if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
        std::vector<std::string> names;
        std::vector<study::WorkPrecisionPoint> all;
        for (const Wanted& w : shown_) {
            const auto found = points_.find(w.id);
            for (std::size_t i = 0; found != points_.end() && i < found->second.points.size(); ++i) {
                all.push_back(found->second.points[i]);
                names.push_back(w.name.toStdString());
            }
        }
        return figures::saveFile(path, QByteArray::fromStdString(study::csvOf(all, names)));
    }
    const auto& model = document_.compiled().model();
    const auto figure = workPrecisionFigure(
        view_->data(), tr("Work and precision: %1").arg(QString::fromStdString(model.title.empty() ? model.name : model.title)),
        caption(), theme_.dark ? figures::Theme::Dark : figures::Theme::Light);
    const auto written = figures::writeFigure(figure, path);
    return written ? Result<void>{} : Result<void>{written.error()};
}

void WorkPrecisionWindow::askExport()
{
    QFileDialog* dialog = newSaveDialog(this, QStringLiteral("workExportDialog"), tr("Export the diagram"),
                                        tr("Scalable (*.svg);;Pages (*.pdf);;Picture (*.png);;Table of all points (*.csv)"),
                                        QStringLiteral("svg"));
    dialog->selectFile(fileBase(QString::fromStdString(document_.compiled().model().name)) + "-work.svg");
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& chosen) { dialog->setDefaultSuffix(chosen.section("*.", 1).section(')', 0, 0)); });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto written = exportTo(path); !written)
            emit problem(written.error());
    });
    dialog->open();
}

} // namespace driftless::ui
