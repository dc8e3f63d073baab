#include "app/PageRun.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <variant>

#include "app/Base64.h"
#include "app/PageScene.h"
#include "core/integrate/Integrator.h"
#include "core/text/Numbers.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

/// Of all rows of a page together: 100,000 numbers are 1.1 MB as text, a third of what a page may be large.
constexpr std::size_t kNumbers = 100'000;
constexpr std::uint64_t kMostRows = 4000;
/// More columns of one kind than a person chooses among.
constexpr int kMostOfAKind = 12;
constexpr std::size_t kMostEquations = 120;
constexpr std::size_t kMostEvents = 400;

/// The columns that are worth a curve: some of each kind, and every metric.
std::vector<int> shownColumns(const run::RecordingView& view)
{
    std::vector<int> out;
    std::map<run::ColumnKind, int> taken;
    for (int c = 0; c < view.columnCount(); ++c) {
        const run::ColumnKind kind = view.columns()[static_cast<std::size_t>(c)].kind;
        const bool metric = c >= view.metrics();
        if (metric || ++taken[kind] <= kMostOfAKind)
            out.push_back(c);
    }
    return out;
}

/// Every stride-th row and the last.
std::vector<std::uint64_t> shownRows(const run::RecordingView& view, std::uint64_t most)
{
    std::vector<std::uint64_t> out;
    const std::uint64_t count = view.rowCount();
    const std::uint64_t stride = std::max<std::uint64_t>(1, (count + most - 1) / std::max<std::uint64_t>(1, most));
    for (std::uint64_t r = 0; r < count; r += stride)
        out.push_back(r);
    if (count > 0 && out.back() != count - 1)
        out.push_back(count - 1);
    return out;
}

std::string packed(const std::vector<double>& values)
{
    std::vector<std::uint8_t> bytes;
    bytes.reserve(8 * values.size());
    for (const double value : values) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int k = 0; k < 8; ++k)
            bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
    }
    return base64(bytes);
}

ordered_json columnsJson(const run::RecordingView& view, std::uint64_t mostRows)
{
    static constexpr std::array kKinds{"position", "velocity", "multiplier", "auxiliary", "residual",
                                       "energy",   "step",     "pivot",      "other"};
    const auto rows = shownRows(view, mostRows);
    std::vector<double> values(rows.size());
    std::transform(rows.begin(), rows.end(), values.begin(), [&](std::uint64_t r) { return view.time(r); });
    ordered_json columns = ordered_json::array();
    columns.push_back({{"name", "t"}, {"unit", "s"}, {"kind", "time"}, {"values", packed(values)}});
    for (const int c : shownColumns(view)) {
        std::transform(rows.begin(), rows.end(), values.begin(), [&](std::uint64_t r) { return view.value(r, c); });
        if (std::none_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
            continue;
        const run::Column& column = view.columns()[static_cast<std::size_t>(c)];
        columns.push_back({{"name", column.name},
                           {"unit", column.unit},
                           {"kind", kKinds[static_cast<std::size_t>(column.kind)]},
                           {"values", packed(values)}});
    }
    return columns;
}

ordered_json eventsJson(const run::RunReport& report)
{
    ordered_json out = ordered_json::array();
    for (std::size_t i = 0; i < std::min(report.events.size(), kMostEvents); ++i)
        out.push_back({{"t", report.events[i].t}, {"kind", report.events[i].kind}, {"text", report.events[i].text}});
    return out;
}

ordered_json equationsJson(const PageRun& run)
{
    ordered_json out = ordered_json::array();
    for (std::size_t i = 0; i < std::min(run.equations.size(), kMostEquations); ++i)
        out.push_back({{"html", run.equations[i].equation}, {"note", run.equations[i].note}});
    return out;
}

ordered_json numberOrNone(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

/// What a run came to, for the table of runs.
ordered_json outcomeJson(const run::RunReport& report)
{
    ordered_json out{{"status", report.status},
                     {"t", report.t},
                     {"steps", report.statistics.steps},
                     {"rejected", report.statistics.rejected},
                     {"pivots", report.pivots},
                     {"residual", numberOrNone(report.maxResidual.position)},
                     {"energy_error", numberOrNone(report.energyError)},
                     {"drift", report.drift.position}};
    if (report.diagnostic)
        out["why"] = report.diagnostic->what + (report.diagnostic->why.empty() ? "" : ": " + report.diagnostic->why);
    return out;
}

} // namespace

std::string askedOf(const run::RunSettings& settings)
{
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    const bool fixed = method && !method->adaptive;
    std::string out =
        fixed ? "h = " + text::exact(settings.options.step) + " s" : "rtol " + text::exact(settings.options.relativeTolerance);
    for (const auto& [name, value] : settings.gains)
        out += ", " + name + " = " + text::exact(value);
    for (std::size_t i = 0; !settings.pivot.automatic && i < settings.pivot.dummies.size(); ++i)
        out += (i == 0 ? ", pivot " : ", ") + settings.pivot.dummies[i];
    return out;
}

PageRun pageRunOf(const run::Run& run, std::shared_ptr<const model::CompiledSystem> system, const std::string& name)
{
    return {.name = name,
            .detail = askedOf(run.status().settings),
            .system = std::move(system),
            .recording = run.recording(),
            .report = run::reportOf(run),
            .parameters = run::parametersOf(run),
            .equations = run.equations(expr::Format::Html)};
}

Result<ordered_json> runsJson(const std::vector<PageRun>& runs)
{
    std::size_t columns = 0;
    for (const PageRun& run : runs)
        columns += shownColumns(run.recording).size() + 1;
    const std::uint64_t most = std::clamp<std::uint64_t>(kNumbers / std::max<std::size_t>(1, columns), 100, kMostRows);
    auto scenes = scenesOf(runs);
    if (!scenes)
        return scenes.error();
    ordered_json out{{"scenes", std::move(scenes->scenes)}, {"runs", ordered_json::array()}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const PageRun& run = runs[i];
        out["runs"].push_back({{"name", run.name},
                               {"formulation", run.report.formulation},
                               {"integrator", run.report.integrator},
                               {"detail", run.detail},
                               {"scene", scenes->sceneOf[i]},
                               {"frames", scenes->framesOf[i]},
                               {"columns", columnsJson(run.recording, most)},
                               {"outcome", outcomeJson(run.report)},
                               {"events", eventsJson(run.report)},
                               {"equations", equationsJson(run)},
                               {"equations_left_out", run.equations.size() - std::min(run.equations.size(), kMostEquations)}});
    }
    return out;
}

} // namespace driftless::app
