#include "ui/panels/StageKeys.h"

#include <algorithm>

#include "core/formulation/Formulation.h"
#include "core/integrate/LongSteps.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/StageWindow.h"

namespace driftless::ui {

StageKeys::StageKeys(Document& document, QWidget* over) : QLabel(over), document_(document)
{
    setObjectName("stageKeys");
    setProperty("role", "card");
    setTextFormat(Qt::RichText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_StyledBackground);
    hide();
    leave_.setSingleShot(true);
    connect(&leave_, &QTimer::timeout, this, &QLabel::hide);
    connect(&document_, &Document::settingsChanged, this, &StageKeys::refresh);
}

void StageKeys::setTheme(const Theme& theme, double scale)
{
    theme_ = theme;
    scale_ = scale;
    refresh();
}

void StageKeys::tell(int milliseconds)
{
    write();
    leave_.start(std::max(0, milliseconds));
}

void StageKeys::refresh()
{
    if (isVisible())
        write();
}

void StageKeys::write()
{
    const RunEntry* run = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr;
    const std::string present = run ? document_.shown(run->key).settings.formulation : std::string();
    QString rows;
    int number = 0;
    bool lacks = false;
    for (const QString& id : stageFormulations()) {
        ++number;
        const auto* form = formulation::findFormulation(id.toStdString());
        if (!form)
            continue;
        const QString words = formulationWords(form->info()).toHtmlEscaped();
        const bool offered = present == id.toStdString() || !run || isOffered(*run, form->info());
        if (present == id.toStdString())
            rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td><b>%2</b></td></tr>").arg(number).arg(words);
        else if (offered)
            rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>").arg(number).arg(words);
        else
            rows += QStringLiteral("<tr style='color: %1'><td>–&nbsp;&nbsp;</td><td>%2</td></tr>")
                        .arg(theme_.secondary.name(), words);
        lacks = lacks || !offered;
    }
    if (lacks) // said once: each line would be as wide as the scene
        rows += QStringLiteral("<tr style='color: %1'><td></td><td>%2</td></tr>")
                    .arg(theme_.secondary.name(), tr("– not with this model and method"));
    setText(QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows));
    setMargin(qRound(8 * scale_));
    ensurePolished();
    const QSize size = sizeHint();
    const int margin = qRound(8 * scale_);
    setGeometry(parentWidget()->width() - size.width() - margin, margin, size.width(), size.height());
    show();
    raise();
}

QString StageKeys::trialOf(const RunEntry& run, const QString& form) const
{
    return QStringLiteral("%1/%2/%3")
        .arg(QString::fromStdString(document_.compiled().model().name),
             QString::fromStdString(document_.shown(run.key).settings.integrator), form);
}

/// Whether the run's method carries the form on this model, as far as can be told without building it.
bool StageKeys::isOffered(const RunEntry& run, const formulation::FormulationInfo& form) const
{
    const model::CompiledSystem& system = document_.compiled();
    if (system.model().equations ? !form.general : form.needsChart && !system.system().chart)
        return false;
    if (refused_.contains(trialOf(run, QString::fromStdString(form.id))))
        return false;
    const auto* method = integrate::findIntegrator(document_.shown(run.key).settings.integrator);
    if (!method || (form.pivots && integrate::passesOverSelections(*method)))
        return false;
    return integrate::canCarry(*method, form.index, form.id == "projection").ok();
}

} // namespace driftless::ui
