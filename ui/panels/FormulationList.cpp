#include "ui/panels/FormulationList.h"

#include <QComboBox>

#include <set>

namespace driftless::ui {

namespace {

/// Neighbours in the list are relatives: what is done with the constraints tells the families apart.
const std::vector<std::vector<std::string>>& families()
{
    static const std::vector<std::vector<std::string>> all{
        {"dummy-derivatives", "coordinate-partitioning", "tangent-plane", "strangeness-free",
         "state-space"},                                                                             // selected or minimal
        {"index-3", "index-2", "index-1", "underlying-ode"},                                         // one level of g alone
        {"baumgarte", "projection", "ggl"},                                                          // stabilised
        {"odae-ssf", "odae-explicit-ssf", "extended-3.16", "extended-3.17", "projected-invariants"}, // all levels at once
        {"penalty", "augmented-lagrangian"}};                                                        // springs
    return all;
}

QString text(const std::string& s) { return QString::fromStdString(s); }

void add(QComboBox& combo, const formulation::FormulationInfo& info)
{
    combo.addItem(text(info.id), text(info.id));
    combo.setItemData(combo.count() - 1, formulationTip(info), Qt::ToolTipRole);
}

} // namespace

void listFormulations(QComboBox& combo)
{
    std::set<std::string> listed;
    for (const auto& family : families()) {
        if (combo.count() > 0)
            combo.insertSeparator(combo.count());
        for (const std::string& id : family)
            if (const auto* form = formulation::findFormulation(id)) {
                add(combo, form->info());
                listed.insert(id);
            }
    }
    bool first = true;
    for (const auto& form : formulation::formulations()) {
        if (listed.contains(form->info().id))
            continue;
        if (first)
            combo.insertSeparator(combo.count());
        first = false;
        add(combo, form->info());
    }
    combo.setMaxVisibleItems(combo.count());
}

QString formulationTip(const formulation::FormulationInfo& info)
{
    return QObject::tr("<p><b>%1</b><br>index %2 · %3</p><p>%4</p><p>Needs: %5.</p>")
        .arg(text(info.title).toHtmlEscaped())
        .arg(info.index)
        .arg(text(info.source).toHtmlEscaped(), text(info.keeps).toHtmlEscaped(), text(info.requirements).toHtmlEscaped());
}

QString formulationDetails(const run::RunStatus& status)
{
    const auto* form = formulation::findFormulation(status.settings.formulation);
    if (!form)
        return {};
    const auto& info = form->info();
    QStringList parts;
    parts << QObject::tr("Index %1").arg(status.form.index)
          << QObject::tr("%1 equations in %2 unknowns").arg(status.form.equations).arg(status.form.unknowns);
    if (status.form.overdetermined > 0)
        parts.back() += QObject::tr(", joined as the ssf-solution");
    parts << QObject::tr("needs %1").arg(text(info.requirements)) << text(info.source);
    return parts.join(QStringLiteral("  ·  ")) + '\n' + text(info.keeps);
}

} // namespace driftless::ui
