#include "ui/views/PlotData.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace driftless::ui {

namespace {

/// The last one is recorded by models of which rows were set aside because they follow from others.
constexpr std::array<const char*, 4> kResidualColumns{"residual.position", "residual.velocity", "residual.acceleration",
                                                      "residual.set_aside"};

QString withUnit(const QString& name, const QString& unit)
{
    return unit.isEmpty() ? name : name + QStringLiteral(" [") + unit + ']';
}

QString unitText(const std::string& unit)
{
    return QString::fromStdString(unit).replace(QLatin1String("^2"), QStringLiteral("²")).replace('*', QStringLiteral("·"));
}

const run::Column* columnOf(const std::vector<PlotRun>& runs, const QString& name)
{
    for (const PlotRun& run : runs) {
        const int index = run.recording.findColumn(name.toStdString());
        if (index >= 0)
            return &run.recording.columns()[static_cast<std::size_t>(index)];
    }
    return nullptr;
}

} // namespace

std::vector<int> plotColumns(const PlotSpec& spec, const run::RecordingView& recording)
{
    switch (spec.kind) {
    case PlotKind::Residuals: {
        std::vector<int> out;
        for (const char* name : kResidualColumns)
            out.push_back(recording.findColumn(name));
        return out;
    }
    case PlotKind::EnergyError:
        return {recording.findColumn("energy_error")};
    case PlotKind::StepSize:
        return {recording.findColumn("h")};
    case PlotKind::Order:
        return {recording.findColumn("order")};
    case PlotKind::Quantity:
        return {recording.findColumn(spec.quantity.toStdString())};
    case PlotKind::Multipliers: {
        std::vector<int> out;
        for (int i = 0; i < static_cast<int>(recording.columns().size()); ++i)
            if (recording.columns()[static_cast<std::size_t>(i)].kind == run::ColumnKind::Multiplier)
                out.push_back(i);
        return out;
    }
    default:
        return {};
    }
}

std::optional<PlotKind> plotKindOf(run::PanelKind kind)
{
    switch (kind) {
    case run::PanelKind::Residuals:
        return PlotKind::Residuals;
    case run::PanelKind::EnergyError:
        return PlotKind::EnergyError;
    case run::PanelKind::Difference:
        return PlotKind::ErrorAgainstReference;
    case run::PanelKind::Curve:
        return PlotKind::Quantity;
    case run::PanelKind::Phase:
        return PlotKind::Phase;
    case run::PanelKind::Step:
        return PlotKind::StepSize;
    case run::PanelKind::Order:
        return PlotKind::Order;
    case run::PanelKind::Multipliers:
        return PlotKind::Multipliers;
    case run::PanelKind::Pivots:
    case run::PanelKind::Scatter:
    case run::PanelKind::Strobe:
        break;
    }
    return {};
}

const std::vector<PlotKind>& plotKinds()
{
    static const std::vector<PlotKind> kinds{PlotKind::Residuals,   PlotKind::EnergyError, PlotKind::ErrorAgainstReference,
                                             PlotKind::Quantity,    PlotKind::Phase,       PlotKind::StepSize,
                                             PlotKind::Multipliers, PlotKind::Order};
    return kinds;
}

QString plotKindName(PlotKind kind)
{
    switch (kind) {
    case PlotKind::Residuals:
        return QStringLiteral("Constraint residuals");
    case PlotKind::EnergyError:
        return QStringLiteral("Energy error");
    case PlotKind::ErrorAgainstReference:
        return QStringLiteral("Error against reference");
    case PlotKind::Quantity:
        return QStringLiteral("Quantity");
    case PlotKind::Phase:
        return QStringLiteral("Phase portrait");
    case PlotKind::StepSize:
        return QStringLiteral("Step size");
    case PlotKind::Multipliers:
        return QStringLiteral("Multipliers");
    case PlotKind::Order:
        return QStringLiteral("Order of the method");
    }
    return {};
}

bool isLogarithmic(PlotKind kind)
{
    return kind == PlotKind::Residuals || kind == PlotKind::EnergyError || kind == PlotKind::ErrorAgainstReference
           || kind == PlotKind::StepSize;
}

bool recordsSetAside(const std::vector<PlotRun>& runs)
{
    return columnOf(runs, QString::fromLatin1(kResidualColumns.back())) != nullptr;
}

PlotLabels plotLabels(const PlotSpec& spec, const std::vector<PlotRun>& runs)
{
    PlotLabels labels{plotKindName(spec.kind), QStringLiteral("t [s]"), {}, {}};
    const auto named = [&runs](const QString& name) {
        const run::Column* column = columnOf(runs, name);
        return withUnit(name, column ? unitText(column->unit) : QString());
    };
    switch (spec.kind) {
    case PlotKind::Residuals:
        labels.yAxis = QStringLiteral("max norm [SI]");
        labels.levels = QStringList{QStringLiteral("g"), QStringLiteral("ġ"), QStringLiteral("g̈")};
        if (recordsSetAside(runs))
            labels.levels << QStringLiteral("g set aside");
        break;
    case PlotKind::EnergyError:
        labels.yAxis = QStringLiteral("|E − E₀ − W| [J]");
        break;
    case PlotKind::ErrorAgainstReference:
        labels.yAxis = QStringLiteral("max |q − q(reference)|");
        if (spec.reference >= 0 && spec.reference < static_cast<int>(runs.size()))
            labels.title = QStringLiteral("Error against ") + runs[static_cast<std::size_t>(spec.reference)].name;
        break;
    case PlotKind::Quantity:
        labels.yAxis = named(spec.quantity);
        labels.title = spec.quantity.isEmpty() ? labels.title : spec.quantity;
        break;
    case PlotKind::Phase:
        labels.xAxis = named(spec.phaseX);
        labels.yAxis = named(spec.phaseY);
        break;
    case PlotKind::StepSize:
        labels.yAxis = QStringLiteral("h [s]");
        break;
    case PlotKind::Order:
        labels.yAxis = QStringLiteral("order");
        break;
    case PlotKind::Multipliers:
        labels.yAxis = QStringLiteral("λ [SI]");
        for (const PlotRun& run : runs) {
            const std::vector<int> columns = plotColumns(spec, run.recording);
            if (static_cast<int>(columns.size()) <= labels.levels.size())
                continue;
            labels.levels.clear();
            for (const int c : columns)
                labels.levels << QString::fromStdString(run.recording.columns()[static_cast<std::size_t>(c)].name);
        }
        if (labels.levels.size() == 1) {
            labels.title = labels.levels.front();
            labels.levels.clear();
        }
        break;
    }
    return labels;
}

bool onlyZeros(const std::vector<PlotCurve>& curves)
{
    const auto drawn = [](const PlotCurve& curve) {
        return !curve.band.empty() || std::ranges::any_of(curve.points, [](const QPointF& p) { return !std::isnan(p.y()); });
    };
    return std::ranges::none_of(curves, drawn)
           && std::ranges::any_of(curves, [](const PlotCurve& curve) { // one is where a run begins, which says nothing yet
                  return !curve.zeros.isEmpty() && curve.zeros.back() > curve.zeros.front();
              });
}

QString plotEmptyText(const PlotSpec& spec, const std::vector<PlotRun>& runs)
{
    const auto records = [](const PlotRun& r, const QString& name) { return r.recording.findColumn(name.toStdString()) >= 0; };
    const bool measured = spec.kind == PlotKind::Quantity && std::any_of(runs.begin(), runs.end(), [&](const PlotRun& r) {
                              return r.measured && records(r, spec.quantity);
                          });
    if (measured)
        return {};
    const auto started =
        std::count_if(runs.begin(), runs.end(), [](const PlotRun& r) { return !r.measured && !r.recording.empty(); });
    if (std::all_of(runs.begin(), runs.end(), [](const PlotRun& r) { return r.measured; }))
        return QStringLiteral("Add a run to see it here.");
    if (started == 0)
        return QStringLiteral("Nothing recorded yet. Press space to play.");
    switch (spec.kind) {
    case PlotKind::ErrorAgainstReference:
        if (started < 2)
            return QStringLiteral("An error needs a second run to compare with.");
        break;
    case PlotKind::Quantity:
        if (!columnOf(runs, spec.quantity))
            return spec.quantity.isEmpty() ? QStringLiteral("Choose a quantity.")
                                           : QStringLiteral("No run records %1.").arg(spec.quantity);
        break;
    case PlotKind::Phase:
        if (!columnOf(runs, spec.phaseX) || !columnOf(runs, spec.phaseY))
            return QStringLiteral("Choose two quantities.");
        break;
    case PlotKind::Residuals:
    case PlotKind::Multipliers:
        if (std::all_of(runs.begin(), runs.end(), [](const PlotRun& r) { return r.recording.m() == 0; }))
            return QStringLiteral("This model has no constraints.");
        break;
    default:
        break;
    }
    return {};
}

} // namespace driftless::ui
