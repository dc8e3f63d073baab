#include "ui/panels/FormulationList.h"

#include <QComboBox>
#include <QStandardItemModel>

#include <set>
#include <utility>

namespace driftless::ui {

namespace {

/// What people call a form, and what it holds, in a few words.
struct FormName {
    const char *id, *words;
};

/// Neighbours in the list are relatives: what is done with the constraints tells the families apart.
struct FormFamily {
    const char* heading;
    std::vector<FormName> members;
};

const std::vector<FormFamily>& families()
{
    static const std::vector<FormFamily> all{
        {QT_TR_NOOP("Selected or minimal coordinates"),
         {{"dummy-derivatives", QT_TR_NOOP("Dummy derivatives: all levels")},
          {"coordinate-partitioning", QT_TR_NOOP("Coordinate partitioning: all levels")},
          {"tangent-plane", QT_TR_NOOP("Tangent plane: all levels, turning basis")},
          {"strangeness-free", QT_TR_NOOP("Strangeness-free: all levels, selected rows")},
          {"state-space", QT_TR_NOOP("State space: minimal coordinates")}}},
        {QT_TR_NOOP("One level of the constraints"),
         {{"index-3", QT_TR_NOOP("Index 3: positions")},
          {"index-2", QT_TR_NOOP("Index 2: velocities")},
          {"index-1", QT_TR_NOOP("Index 1: accelerations")},
          {"underlying-ode", QT_TR_NOOP("Underlying ODE: no level")}}},
        {QT_TR_NOOP("Stabilised"),
         {{"baumgarte", QT_TR_NOOP("Baumgarte: drift is pulled back")},
          {"projection", QT_TR_NOOP("Projection: positions and velocities")},
          {"ggl", QT_TR_NOOP("GGL: positions and velocities")}}},
        {QT_TR_NOOP("Overdetermined, all levels at once"),
         {{"odae-ssf", QT_TR_NOOP("ODAE: ssf-solution")},
          {"odae-explicit-ssf", QT_TR_NOOP("ODAE: explicit multipliers, ssf-solution")},
          {"extended-3.16", QT_TR_NOOP("Extended (3.16): with μ and τ")},
          {"extended-3.17", QT_TR_NOOP("Extended (3.17): explicit multipliers")},
          {"projected-invariants", QT_TR_NOOP("Projected invariants: positions, velocities")}}},
        {QT_TR_NOOP("Springs"),
         {{"penalty", QT_TR_NOOP("Penalty: stiff springs")},
          {"augmented-lagrangian", QT_TR_NOOP("Augmented Lagrangian: iterated multipliers")}}}};
    return all;
}

QString text(const std::string& s) { return QString::fromStdString(s); }

QString needs(const formulation::FormulationInfo& info, bool equations)
{
    return equations && info.general ? QObject::tr("equations of full rank") : text(info.requirements);
}

void add(QComboBox& combo, const formulation::FormulationInfo& info, const QString& words)
{
    combo.addItem(words, text(info.id));
    combo.setItemData(combo.count() - 1, formulationTip(info), Qt::ToolTipRole);
}

} // namespace

void addHeading(QComboBox& combo, const QString& words)
{
    combo.addItem(words);
    const int row = combo.count() - 1;
    QFont font = combo.font();
    font.setBold(true);
    combo.setItemData(row, font, Qt::FontRole);
    if (auto* model = qobject_cast<QStandardItemModel*>(combo.model()))
        model->item(row)->setFlags(Qt::NoItemFlags);
}

void listFormulations(QComboBox& combo)
{
    std::set<std::string> listed;
    for (const FormFamily& family : families()) {
        addHeading(combo, QObject::tr(family.heading));
        for (const FormName& name : family.members)
            if (const auto* form = formulation::findFormulation(name.id)) {
                add(combo, form->info(), QObject::tr(name.words));
                listed.insert(name.id);
            }
    }
    bool first = true;
    for (const auto& form : formulation::formulations()) {
        if (listed.contains(form->info().id))
            continue;
        if (std::exchange(first, false))
            addHeading(combo, QObject::tr("Others"));
        add(combo, form->info(), text(form->info().title));
    }
    combo.setMaxVisibleItems(combo.count());
    combo.setCurrentIndex(1); // the first is a heading
}

QString formulationWords(const formulation::FormulationInfo& info)
{
    for (const FormFamily& family : families())
        for (const FormName& name : family.members)
            if (name.id == info.id)
                return QObject::tr(name.words);
    return text(info.title);
}

QString formulationKeeps(const formulation::FormulationInfo& info, bool equations)
{
    return equations && info.general
               ? QObject::tr("Keeps the equations and the derivatives taken of them to the solver's tolerance.")
               : text(info.keeps);
}

QString formulationTip(const formulation::FormulationInfo& info, bool equations)
{
    return QObject::tr("<p><b>%1</b> (%6)<br>index %2 · %3</p><p>%4</p><p>Needs: %5.</p>")
        .arg(text(info.title).toHtmlEscaped())
        .arg(info.index)
        .arg(text(info.source).toHtmlEscaped(), formulationKeeps(info, equations).toHtmlEscaped(),
             needs(info, equations).toHtmlEscaped(), text(info.id).toHtmlEscaped());
}

void tellTips(QComboBox& combo, bool equations)
{
    for (int row = 0; row < combo.count(); ++row)
        if (const auto* form = formulation::findFormulation(combo.itemData(row).toString().toStdString()))
            combo.setItemData(row, formulationTip(form->info(), equations), Qt::ToolTipRole);
}

QString formulationDetails(const run::RunStatus& status, bool equations)
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
    parts << QObject::tr("needs %1").arg(needs(info, equations)) << text(info.source);
    return parts.join(QStringLiteral("  ·  ")) + '\n' + formulationKeeps(info, equations);
}

} // namespace driftless::ui
