#include "core/page/PageRun.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <variant>

#include "core/integrate/Integrator.h"
#include "core/page/Base64.h"
#include "core/page/PageScene.h"
#include "core/run/Columns.h"
#include "core/run/EventWords.h"
#include "core/run/Past.h"
#include "core/run/SetTexts.h"
#include "core/text/Numbers.h"

namespace driftless::page {

namespace {

using nlohmann::ordered_json;

/// Of all rows of a page together: 100,000 numbers are 1.1 MB as text, a third of what a page may be large.
constexpr std::size_t kNumbers = 100'000;
constexpr std::uint64_t kMostRows = 4000;
/// More columns of one kind than a person chooses among.
constexpr int kMostOfAKind = 12;
constexpr std::size_t kMostEquations = 120;
constexpr std::size_t kMostEvents = 400;

/// The columns that are worth a curve: some of each kind, every metric, and those that a plot asks for.
std::vector<int> shownColumns(const PageRun& run)
{
    const run::RecordingView& view = run.recording;
    std::vector<int> out;
    std::map<run::ColumnKind, int> taken;
    for (int c = 0; c < view.columnCount(); ++c) {
        const run::Column& column = view.columns()[static_cast<std::size_t>(c)];
        const bool asked = c >= view.metrics() || std::ranges::find(run.wanted, column.name) != run.wanted.end();
        if (asked || ++taken[column.kind] <= kMostOfAKind)
            out.push_back(c);
    }
    return out;
}

/// Every stride-th row of those that the page shows, and the last.
std::vector<std::uint64_t> shownRows(const PageRun& run, std::uint64_t most)
{
    const run::RecordingView& view = run.recording;
    std::vector<std::uint64_t> out;
    if (view.empty() || view.firstTime() > run.until)
        return out;
    const std::uint64_t count = std::min(view.rowCount(), view.rowAt(run.until) + 1);
    const std::uint64_t stride = std::max<std::uint64_t>(1, (count + most - 1) / std::max<std::uint64_t>(1, most));
    for (std::uint64_t r = 0; r < count; r += stride)
        out.push_back(r);
    if (out.back() != count - 1)
        out.push_back(count - 1);
    return out;
}

/// How far the positions (of equations: the values) are from those of the reference at the same time, as the largest magnitude;
/// NaN where the reference is over.
double differenceAt(const PageRun& run, double t)
{
    const run::RecordingView& view = run.recording;
    const int n = view.n(), m = view.m();
    if (run.reference->n() != n || run.reference->m() != m || t > run.reference->lastTime())
        return std::numeric_limits<double>::quiet_NaN();
    const auto all = static_cast<std::size_t>(2 * n + m);
    std::vector<double> here(all), there(all);
    if (!view.stateAt(t, here.data(), here.data() + n, here.data() + 2 * n)
        || !run.reference->stateAt(t, there.data(), there.data() + n, there.data() + 2 * n))
        return std::numeric_limits<double>::quiet_NaN();
    double worst = 0;
    for (std::size_t i = 0; i < (n > 0 ? static_cast<std::size_t>(n) : all); ++i)
        if (n > 0 || view.columns()[i].name.find('\'') == std::string::npos)
            worst = std::max(worst, std::abs(here[i] - there[i]));
    return worst;
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

ordered_json columnsJson(const PageRun& run, std::uint64_t mostRows)
{
    static constexpr std::array kKinds{"position", "velocity", "multiplier", "auxiliary", "residual",
                                       "energy",   "step",     "pivot",      "other"};
    const run::RecordingView& view = run.recording;
    const auto rows = shownRows(run, mostRows);
    std::vector<double> values(rows.size());
    ordered_json columns = ordered_json::array();
    const auto add = [&](const std::string& name, const std::string& unit, const char* kind) {
        columns.push_back({{"name", name}, {"unit", unit}, {"kind", kind}, {"values", packed(values)}});
    };
    std::ranges::transform(rows, values.begin(), [&](std::uint64_t r) { return view.time(r); });
    add("t", "s", "time");
    const std::vector<std::string> headings = run::headingsOf(view.columns());
    for (const int c : shownColumns(run)) {
        std::ranges::transform(rows, values.begin(), [&](std::uint64_t r) { return view.value(r, c); });
        if (std::ranges::none_of(values, [](double v) { return std::isfinite(v); }))
            continue;
        const run::Column& column = view.columns()[static_cast<std::size_t>(c)];
        add(headings[static_cast<std::size_t>(c)], column.unit, kKinds[static_cast<std::size_t>(column.kind)]);
    }
    if (run.reference) {
        std::ranges::transform(rows, values.begin(), [&](std::uint64_t r) { return differenceAt(run, view.time(r)); });
        add("difference", {}, "difference");
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
    const integrate::IntegratorOptions& o = settings.options;
    const auto add = [&out](const std::string& name, double value, const char* unit = "") {
        if (value > 0)
            out += ", " + name + text::exact(value) + unit;
    };
    if (method && !method->parameter.name.empty() && o.parameter != 0)
        out += ", " + method->parameter.name + " = " + text::exact(o.parameter);
    if (!fixed) {
        add("atol ", o.absoluteTolerance);
        add("longest step ", o.maxStep, " s");
    }
    add("atol of multipliers ", o.multiplierTolerance);
    for (const auto& [name, value] : o.tolerances)
        add("atol of " + name + " ", value);
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
            .set = run::parameterTexts(system->system(), run::parametersOf(run).front().values),
            .system = std::move(system),
            .recording = run.recording(),
            .report = run::reportOf(run),
            .parameters = run::parametersOf(run),
            .equations = run.equations(expr::Format::Html)};
}

PageRun pageRunOf(const run::Laboratory& laboratory, run::RunId id, const std::string& name, double until)
{
    const run::RunStatus status = laboratory.status(id);
    run::RunReport report;
    report.model = laboratory.system().model().name;
    report.formulation = status.settings.formulation;
    report.integrator = status.settings.integrator;
    report.status = "completed";
    report.began = true;
    report.t = std::min(status.t, until);
    report.maxResidual = status.maxResidual;
    report.energyError = status.energyError;
    report.drift = laboratory.drift(id);
    report.statistics = status.statistics;
    report.pivots = status.pivots;
    const auto events = laboratory.events(id);
    for (const run::Event& event : events)
        if (event.t <= until)
            report.events.push_back({.t = event.t, .kind = run::eventKindName(event.kind()), .text = run::words(event)});
    const bool ended = !events.empty() && events.back().kind() == run::EventKind::Finished;
    if (status.state == run::RunState::Failed && !ended && status.t <= until) {
        report.status = "failed";
        if (status.diagnostic)
            report.diagnostic = run::reasonOf(*status.diagnostic);
    }
    std::vector<run::ParametersSince> parameters;
    for (const run::Regime& regime : run::regimesOf(laboratory, id))
        parameters.push_back({regime.from, regime.parameters});
    const model::ConstrainedSystem& system = laboratory.system().system();
    std::vector<std::string> set = run::parameterTexts(system, parameters.front().values);
    std::ranges::move(run::startTexts(system, laboratory.start()), std::back_inserter(set));
    return {.name = name,
            .detail = askedOf(status.settings),
            .set = std::move(set),
            .system = laboratory.systemHandle(),
            .recording = laboratory.recording(id),
            .report = std::move(report),
            .parameters = std::move(parameters),
            .equations = laboratory.equations(id, expr::Format::Html),
            .until = until};
}

PageRun pageRunOfData(const std::string& name, const run::RecordingView& rows,
                      std::shared_ptr<const model::CompiledSystem> system)
{
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    run::RunReport report;
    report.model = system->model().name;
    report.formulation = run::kMeasured;
    report.integrator = name;
    report.status = "completed";
    report.began = true;
    report.t = rows.empty() ? 0 : rows.lastTime();
    report.residual = report.maxResidual = {kNothing, kNothing, kNothing, kNothing};
    report.energy = report.energyError = kNothing;
    PageRun out{.name = name,
                .detail = {},
                .system = std::move(system),
                .recording = rows,
                .report = std::move(report),
                .parameters = {},
                .moves = false,
                .measured = true};
    out.parameters = {{0, out.system->defaultParameters()}};
    return out;
}

Result<ordered_json> runsJson(const std::vector<PageRun>& runs)
{
    std::size_t columns = 0;
    for (const PageRun& run : runs)
        columns += shownColumns(run).size() + 1;
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
                               {"set", run.set},
                               {"bench", run.bench},
                               {"measured", run.measured},
                               {"colour", run.colour},
                               {"scene", scenes->sceneOf[i]},
                               {"frames", scenes->framesOf[i]},
                               {"columns", columnsJson(run, most)},
                               {"outcome", outcomeJson(run.report)},
                               {"events", eventsJson(run.report)},
                               {"equations", equationsJson(run)},
                               {"equations_left_out", run.equations.size() - std::min(run.equations.size(), kMostEquations)}});
    }
    return out;
}

} // namespace driftless::page
