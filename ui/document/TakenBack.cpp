#include "ui/document/TakenBack.h"

#include <QObject>

#include "ui/document/NumberText.h"

namespace driftless::ui {

namespace {

QString assigned(const std::string& name, double value)
{
    return QStringLiteral("%1 = %2").arg(QString::fromStdString(name), numberText(value));
}

void addOptions(const run::RunSettings& now, const run::RunSettings& then, QStringList& out)
{
    const integrate::IntegratorOptions &a = now.options, &b = then.options;
    const auto* method = integrate::findIntegrator(then.integrator);
    if (!method)
        return;
    if (!method->adaptive && a.step != b.step)
        out << QObject::tr("h = %1 s").arg(numberText(b.step));
    if (method->adaptive && a.relativeTolerance != b.relativeTolerance)
        out << QObject::tr("tolerance %1").arg(numberText(b.relativeTolerance));
    else if (method->adaptive && (a.absoluteTolerance != b.absoluteTolerance || a.tolerances != b.tolerances))
        out << QObject::tr("the tolerances");
    if (!method->parameter.name.empty() && a.parameter != b.parameter)
        out << assigned(method->parameter.name, b.parameter != 0 ? b.parameter : method->parameter.usual);
}

QString pivotText(const run::PivotChoice& pivot)
{
    if (pivot.automatic)
        return QObject::tr("automatic pivoting");
    QStringList names;
    for (const std::string& name : pivot.dummies)
        names << QString::fromStdString(name);
    return QObject::tr("%1 pinned").arg(names.join(QStringLiteral(", ")));
}

} // namespace

QStringList takenBack(const run::RunSettings& now, const run::RunSettings& then)
{
    QStringList out;
    if (now.formulation != then.formulation)
        out << QString::fromStdString(then.formulation);
    for (const auto& [name, value] : then.choices)
        if (const auto other = now.choices.find(name); other == now.choices.end() || other->second != value)
            out << QStringLiteral("%1 %2").arg(QString::fromStdString(name), QString::fromStdString(value));
    if (now.integrator != then.integrator)
        out << QString::fromStdString(then.integrator);
    addOptions(now, then, out);
    for (const auto& [name, value] : then.gains)
        if (const auto other = now.gains.find(name); other == now.gains.end() || other->second != value)
            out << assigned(name, value);
    if (now.formulation == then.formulation && out.isEmpty() && (now.gains != then.gains || now.choices != then.choices))
        out << QObject::tr("the usual gains and options");
    if (now.pivot.automatic != then.pivot.automatic || now.pivot.dummies != then.pivot.dummies)
        out << pivotText(then.pivot);
    return out;
}

QString listed(const QStringList& words)
{
    if (words.size() < 2)
        return words.join(QString());
    return QObject::tr("%1 and %2").arg(words.first(words.size() - 1).join(QStringLiteral(", ")), words.last());
}

} // namespace driftless::ui
