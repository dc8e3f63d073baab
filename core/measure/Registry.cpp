#include "core/measure/Registry.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/expr/Parse.h"
#include "core/measure/Live.h"
#include "core/text/Numbers.h"

namespace driftless::measure {

namespace {

using Maybe = std::optional<Value>;

/// What is no number has no value.
Maybe number(double x) { return std::isfinite(x) ? Maybe(Value{x}) : std::nullopt; }
Maybe count(std::uint64_t n) { return Value{static_cast<double>(n)}; }
Maybe word(const std::string& text) { return text.empty() ? std::nullopt : Maybe(Value{text}); }

Maybe reason(const Record& r, std::string run::RunReport::Reason::*part)
{
    return r.report.diagnostic ? Maybe(Value{(*r.report.diagnostic).*part}) : std::nullopt;
}

/// Of the last row.
Maybe lastOf(const Record& r, std::string_view column)
{
    const int place = r.find(column);
    return place > 0 && r.rowCount() > 0 ? number(r.row(r.rowCount() - 1)[static_cast<std::size_t>(place)]) : std::nullopt;
}

/// Rows that were set aside are watched where there are some.
Maybe aside(const Record& r, double norm) { return r.report.setAside.empty() ? std::nullopt : number(norm); }

Maybe pivots(const LiveRun& r)
{
    const auto events = r.laboratory.events(r.id);
    return count(static_cast<std::uint64_t>(
        std::ranges::count_if(events, [&r](const run::Event& e) { return e.kind() == run::EventKind::Pivot && e.t <= r.t; })));
}

Maybe pinned(const LiveRun& r)
{
    const run::PivotChoice& pivot = r.status.settings.pivot;
    std::string names;
    for (const std::string& name : pivot.dummies)
        names += (names.empty() ? "" : ", ") + name;
    return Value{pivot.automatic ? "auto" : names};
}

constexpr std::array kNamed{
    NamedMeasure{.name = "steps",
                 .meaning = "accepted steps",
                 .finished = [](const Record& r) { return count(r.report.statistics.steps); },
                 .live = [](const LiveRun& r) { return count(r.recording.stepsAt(r.t)); },
                 .timed = true},
    NamedMeasure{.name = "rejected",
                 .meaning = "steps that the error test rejected",
                 .finished = [](const Record& r) { return count(r.report.statistics.rejected); },
                 .live = [](const LiveRun& r) { return count(r.status.statistics.rejected); }},
    NamedMeasure{.name = "residual_evaluations",
                 .meaning = "evaluations of the residual or the right-hand side",
                 .finished = [](const Record& r) { return count(r.report.statistics.residualEvaluations); },
                 .live = [](const LiveRun& r) { return count(r.status.statistics.residualEvaluations); }},
    NamedMeasure{.name = "jacobian_evaluations",
                 .meaning = "evaluations of the Jacobian",
                 .finished = [](const Record& r) { return count(r.report.statistics.jacobianEvaluations); },
                 .live = [](const LiveRun& r) { return count(r.status.statistics.jacobianEvaluations); }},
    NamedMeasure{.name = "factorizations",
                 .meaning = "factorisations of a matrix",
                 .finished = [](const Record& r) { return count(r.report.statistics.factorizations); },
                 .live = [](const LiveRun& r) { return count(r.status.statistics.factorizations); }},
    NamedMeasure{.name = "newton_iterations",
                 .meaning = "iterations of Newton's method",
                 .finished = [](const Record& r) { return count(r.report.statistics.newtonIterations); },
                 .live = [](const LiveRun& r) { return count(r.status.statistics.newtonIterations); }},
    NamedMeasure{.name = "pivots",
                 .meaning = "changes of the selection of dummies",
                 .finished = [](const Record& r) { return count(r.report.pivots); },
                 .live = [](const LiveRun& r) { return pivots(r); }},
    NamedMeasure{.name = "wall_seconds",
                 .unit = "s",
                 .meaning = "time that the computation took",
                 .finished = [](const Record& r) { return number(r.wallSeconds); },
                 .ofRefused = true},
    NamedMeasure{.name = "model",
                 .meaning = "name of the model",
                 .word = true,
                 .nature = Nature::Setting,
                 .finished = [](const Record& r) { return word(r.report.model); },
                 .live = [](const LiveRun& r) { return word(r.laboratory.system().model().name); },
                 .ofRefused = true},
    NamedMeasure{.name = "formulation",
                 .meaning = "id of the formulation",
                 .word = true,
                 .nature = Nature::Setting,
                 .finished = [](const Record& r) { return word(r.report.formulation); },
                 .live = [](const LiveRun& r) { return word(r.status.settings.formulation); },
                 .ofRefused = true},
    NamedMeasure{.name = "integrator",
                 .meaning = "id of the integrator",
                 .word = true,
                 .nature = Nature::Setting,
                 .finished = [](const Record& r) { return word(r.report.integrator); },
                 .live = [](const LiveRun& r) { return word(r.status.settings.integrator); },
                 .ofRefused = true},
    NamedMeasure{.name = "pivot",
                 .meaning = "`auto`, or the names of the dummies that are pinned",
                 .word = true,
                 .nature = Nature::Setting,
                 .live = [](const LiveRun& r) { return pinned(r); }},
    NamedMeasure{.name = "step",
                 .unit = "s",
                 .meaning = "the step that is set",
                 .nature = Nature::Setting,
                 .live = [](const LiveRun& r) { return number(r.status.settings.options.step); }},
    NamedMeasure{.name = "rtol",
                 .meaning = "the relative tolerance that is set",
                 .nature = Nature::Setting,
                 .live = [](const LiveRun& r) { return number(r.status.settings.options.relativeTolerance); }},
    NamedMeasure{.name = "tolerance",
                 .meaning = "the larger tolerance that the run was asked for, 0 for fixed steps",
                 .nature = Nature::Setting,
                 .finished = [](const Record& r) { return r.report.tolerance ? number(*r.report.tolerance) : std::nullopt; }},
    NamedMeasure{
        .name = "record_every",
        .meaning = "each so manyth accepted step is kept as a row",
        .nature = Nature::Setting,
        .finished = [](const Record& r) { return r.report.recordEvery ? count(*r.report.recordEvery) : std::nullopt; }},
    NamedMeasure{.name = "equations",
                 .meaning = "how many equations are integrated",
                 .nature = Nature::Setting,
                 .live = [](const LiveRun& r) { return count(r.laboratory.equations(r.id, expr::Format::Text).size()); }},
    NamedMeasure{.name = "runs",
                 .meaning = "how many runs there are",
                 .nature = Nature::Setting,
                 .live = [](const LiveRun& r) { return count(r.laboratory.runs().size()); }},
    NamedMeasure{.name = "clock",
                 .unit = "s",
                 .meaning = "the clock that all runs share",
                 .nature = Nature::Clock,
                 .live = [](const LiveRun& r) { return number(r.laboratory.clock().t); }},
    NamedMeasure{.name = "t",
                 .unit = "s",
                 .meaning = "where the run stands: its end, or where it stopped",
                 .nature = Nature::Clock,
                 .finished = [](const Record& r) { return number(r.report.t); },
                 .live = [](const LiveRun& r) { return number(r.status.t); }},
    NamedMeasure{.name = "status",
                 .meaning = "`completed`, `failed` or `refused`",
                 .word = true,
                 .finished = [](const Record& r) { return word(r.report.status); },
                 .ofRefused = true},
    NamedMeasure{.name = "failed",
                 .meaning = "1 for a run that stopped with a failure, else 0",
                 .finished = [](const Record& r) { return number(r.report.status == "failed" ? 1 : 0); },
                 .live = [](const LiveRun& r) { return number(r.status.state == run::RunState::Failed ? 1 : 0); }},
    NamedMeasure{.name = "energy",
                 .unit = "J",
                 .meaning = "T + V",
                 .finished = [](const Record& r) { return number(r.report.energy); },
                 .live = [](const LiveRun& r) { return r.column("energy"); },
                 .timed = true},
    NamedMeasure{.name = "energy_error",
                 .unit = "J",
                 .meaning = "energy less that of the start and the work done since",
                 .finished = [](const Record& r) { return number(r.report.energyError); },
                 .live = [](const LiveRun& r) { return r.column("energy_error"); },
                 .timed = true},
    NamedMeasure{.name = "residual.position",
                 .meaning = "max norm of g",
                 .finished = [](const Record& r) { return number(r.report.residual.position); },
                 .live = [](const LiveRun& r) { return r.column("residual.position"); },
                 .timed = true},
    NamedMeasure{.name = "residual.velocity",
                 .meaning = "max norm of dg/dt",
                 .finished = [](const Record& r) { return number(r.report.residual.velocity); },
                 .live = [](const LiveRun& r) { return r.column("residual.velocity"); },
                 .timed = true},
    NamedMeasure{.name = "residual.acceleration",
                 .meaning = "max norm of d²g/dt²",
                 .finished = [](const Record& r) { return number(r.report.residual.acceleration); },
                 .live = [](const LiveRun& r) { return r.column("residual.acceleration"); },
                 .timed = true},
    NamedMeasure{.name = "residual.set_aside",
                 .meaning = "max norm of g of the constraints that follow from others",
                 .finished = [](const Record& r) { return aside(r, r.report.residual.setAside); },
                 .live = [](const LiveRun& r) { return r.column("residual.set_aside"); },
                 .timed = true},
    NamedMeasure{.name = "max_residual.position",
                 .meaning = "the largest `residual.position` so far",
                 .finished = [](const Record& r) { return number(r.report.maxResidual.position); },
                 .live = [](const LiveRun& r) { return r.largest("residual.position"); },
                 .timed = true},
    NamedMeasure{.name = "max_residual.velocity",
                 .meaning = "the largest `residual.velocity` so far",
                 .finished = [](const Record& r) { return number(r.report.maxResidual.velocity); },
                 .live = [](const LiveRun& r) { return r.largest("residual.velocity"); },
                 .timed = true},
    NamedMeasure{.name = "max_residual.acceleration",
                 .meaning = "the largest `residual.acceleration` so far",
                 .finished = [](const Record& r) { return number(r.report.maxResidual.acceleration); },
                 .live = [](const LiveRun& r) { return r.largest("residual.acceleration"); },
                 .timed = true},
    NamedMeasure{.name = "max_residual.set_aside",
                 .meaning = "the largest `residual.set_aside` so far",
                 .finished = [](const Record& r) { return aside(r, r.report.maxResidual.setAside); },
                 .live = [](const LiveRun& r) { return r.largest("residual.set_aside"); },
                 .timed = true},
    NamedMeasure{.name = "deviation",
                 .meaning = "largest difference of a position from that of the reference run",
                 .live = [](const LiveRun& r) { return r.deviation ? number(*r.deviation) : std::nullopt; },
                 .timed = true},
    NamedMeasure{.name = "h",
                 .unit = "s",
                 .meaning = "length of the last step",
                 .finished = [](const Record& r) { return lastOf(r, "h"); },
                 .live = [](const LiveRun& r) { return r.column("h"); },
                 .timed = true},
    NamedMeasure{.name = "order",
                 .meaning = "order of the last step",
                 .finished = [](const Record& r) { return lastOf(r, "order"); },
                 .live = [](const LiveRun& r) { return r.column("order"); },
                 .timed = true},
    NamedMeasure{.name = "kappa",
                 .meaning = "condition of the selection of dummies",
                 .finished = [](const Record& r) { return lastOf(r, "kappa"); },
                 .live = [](const LiveRun& r) { return r.column("kappa"); },
                 .timed = true},
    NamedMeasure{.name = "drift.position",
                 .meaning = "`none`, `linear` or `quadratic`: how the position residual grows",
                 .word = true,
                 .finished = [](const Record& r) { return word(r.report.drift.position); },
                 .live = [](const LiveRun& r) { return word(r.laboratory.drift(r.id).position); }},
    NamedMeasure{.name = "drift.energy",
                 .meaning = "the same of the energy error",
                 .word = true,
                 .finished = [](const Record& r) { return word(r.report.drift.energy); },
                 .live = [](const LiveRun& r) { return word(r.laboratory.drift(r.id).energy); }},
    NamedMeasure{
        .name = "error_test.text",
        .meaning = "what the error test looks at, in words",
        .word = true,
        .finished = [](const Record& r) { return r.report.errorTest ? word(r.report.errorTest->text) : std::nullopt; }},
    NamedMeasure{.name = "error_test.atol_multipliers",
                 .meaning = "the absolute tolerance that multipliers have of their own",
                 .finished =
                     [](const Record& r) {
                         const auto& test = r.report.errorTest;
                         return test && test->multiplierTolerance > 0 ? number(test->multiplierTolerance) : std::nullopt;
                     }},
    NamedMeasure{.name = "diagnostic.what",
                 .meaning = "what went wrong",
                 .word = true,
                 .finished = [](const Record& r) { return reason(r, &run::RunReport::Reason::what); },
                 .ofRefused = true},
    NamedMeasure{.name = "diagnostic.where",
                 .meaning = "where it went wrong",
                 .word = true,
                 .finished = [](const Record& r) { return reason(r, &run::RunReport::Reason::where); },
                 .ofRefused = true},
    NamedMeasure{.name = "diagnostic.why",
                 .meaning = "why it went wrong",
                 .word = true,
                 .finished = [](const Record& r) { return reason(r, &run::RunReport::Reason::why); },
                 .ofRefused = true},
    NamedMeasure{.name = "diagnostic.try",
                 .meaning = "what to try",
                 .word = true,
                 .finished = [](const Record& r) { return reason(r, &run::RunReport::Reason::remedy); },
                 .ofRefused = true},
};

constexpr std::array kPrefixed{
    PrefixedMeasure{.prefix = "state.", .stands = "NAME", .meaning = "a state at the end", .finished = true, .live = true},
    PrefixedMeasure{.prefix = "parameter.",
                    .stands = "NAME",
                    .meaning = "a parameter of the model, as it is at the end",
                    .nature = Nature::Setting,
                    .finished = true,
                    .live = true},
    PrefixedMeasure{
        .prefix = "gain.", .stands = "NAME", .meaning = "a gain of the formulation", .nature = Nature::Setting, .live = true},
    PrefixedMeasure{.prefix = "option.",
                    .stands = "NAME",
                    .meaning = "an option of the formulation",
                    .word = true,
                    .nature = Nature::Setting,
                    .live = true},
};

constexpr std::array kFunctions{
    MeasureFunction{.name = "first", .parts = "E", .meaning = "E in the first row"},
    MeasureFunction{.name = "last", .parts = "E", .meaning = "E in the last row"},
    MeasureFunction{.name = "max", .parts = "E", .meaning = "largest E of all rows"},
    MeasureFunction{.name = "min", .parts = "E", .meaning = "smallest E of all rows"},
    MeasureFunction{.name = "mean", .parts = "E", .meaning = "mean of E over the rows"},
    MeasureFunction{.name = "rms", .parts = "E", .meaning = "root mean square of E over the rows"},
    MeasureFunction{.name = "at",
                    .parts = "T, E",
                    .meaning = "E in the row nearest to the time T",
                    .kind = Parts::TimeAndExpression,
                    .least = 2,
                    .most = 2},
    MeasureFunction{.name = "alternations", .parts = "E", .meaning = "how often E changes its sign from one row to the next"},
    MeasureFunction{.name = "growth", .parts = "E", .meaning = "E at the end over E at half time: 2 linear, 4 quadratic"},
    MeasureFunction{.name = "drift",
                    .parts = "E",
                    .meaning = "`none`, `linear` or `quadratic`: the degree in t that E needs",
                    .word = true},
    MeasureFunction{
        .name = "count", .parts = "KIND", .meaning = "how many events of a kind there were", .kind = Parts::EventKind},
    MeasureFunction{
        .name = "time", .parts = "KIND", .meaning = "time of the first event of a kind [s]", .kind = Parts::EventKind},
    MeasureFunction{
        .name = "difference",
        .parts = "RUN, E",
        .meaning =
            "largest distance of E from that of RUN over the rows of the one that has fewer, of measured data at their times; "
            "without E the largest of all positions and velocities",
        .kind = Parts::RunAndExpression,
        .least = 1,
        .most = 2},
    MeasureFunction{.name = "error",
                    .parts = "RUN, E",
                    .meaning = "the same at the end only",
                    .kind = Parts::RunAndExpression,
                    .least = 1,
                    .most = 2},
    MeasureFunction{.name = "deviation",
                    .parts = "RUN",
                    .meaning = "largest difference of a position from that of RUN at the end",
                    .kind = Parts::Run},
    MeasureFunction{.name = "of",
                    .parts = "RUN, M",
                    .meaning = "the measure M of another run",
                    .kind = Parts::RunAndMeasure,
                    .least = 2,
                    .most = 2},
    MeasureFunction{.name = "ratio",
                    .parts = "M, M",
                    .meaning = "the first over the second",
                    .kind = Parts::TwoMeasures,
                    .least = 2,
                    .most = 2},
    MeasureFunction{.name = "log10", .parts = "M", .meaning = "logarithm to the base 10", .kind = Parts::Measure},
    MeasureFunction{.name = "slope",
                    .parts = "NAME, M",
                    .meaning = "over the runs of one family: slope of log M against log NAME, the observed order; where the "
                               "family varies something else as well, all of its values are in one fit",
                    .kind = Parts::Slope,
                    .least = 2,
                    .most = 2},
};

std::string where(bool finished, bool live)
{
    if (finished && live)
        return "finished and live";
    return finished ? "finished" : "live";
}

} // namespace

std::string shown(const Value& value, int digits)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    const double x = std::get<double>(value);
    if (!std::isfinite(x))
        return std::isnan(x) ? "–" : x < 0 ? "-∞" : "∞";
    const bool whole = x == std::floor(x) && std::abs(x) < 1e15;
    return whole ? text::fixed(x, 0) : text::rounded(x, digits);
}

std::span<const NamedMeasure> namedMeasures() { return kNamed; }
std::span<const PrefixedMeasure> prefixedMeasures() { return kPrefixed; }
std::span<const MeasureFunction> measureFunctions() { return kFunctions; }

const NamedMeasure* findNamed(std::string_view name)
{
    const auto found = std::ranges::find(kNamed, name, &NamedMeasure::name);
    return found == kNamed.end() ? nullptr : &*found;
}

const PrefixedMeasure* findPrefixed(std::string_view name)
{
    const auto found = std::ranges::find_if(kPrefixed, [name](const PrefixedMeasure& p) { return name.starts_with(p.prefix); });
    return found == kPrefixed.end() ? nullptr : &*found;
}

const MeasureFunction* findFunction(const MeasureCall& call)
{
    const auto found = std::ranges::find(kFunctions, std::string_view(call.name), &MeasureFunction::name);
    const std::size_t parts = call.arguments.size();
    return found == kFunctions.end() || parts < found->least || parts > found->most ? nullptr : &*found;
}

bool isAvailable(const NamedMeasure& measure, Place place)
{
    return place == Place::Study ? measure.finished != nullptr : measure.live != nullptr;
}

bool isWord(const std::string& text)
{
    const std::string trimmed = trimmedMeasure(text);
    if (const auto call = asMeasureCall(trimmed)) {
        const MeasureFunction* function = findFunction(*call);
        if (function && function->kind == Parts::RunAndMeasure)
            return isWord(call->arguments[1]);
        return function && function->word;
    }
    if (const NamedMeasure* named = findNamed(trimmed))
        return named->word;
    const PrefixedMeasure* prefixed = findPrefixed(trimmed);
    return prefixed && prefixed->word;
}

namespace {

/// An expression of time alone passes by waiting.
Nature natureOfExpression(const std::string& text)
{
    const auto onlyTime = [](std::string_view name, int primes) -> std::optional<expr::Expr> {
        return primes == 0 && name == "t" ? std::optional(expr::time()) : std::nullopt;
    };
    return expr::parse(text, onlyTime) ? Nature::Clock : Nature::Result;
}

/// What depends on two measures passes by waiting only if neither is a result.
Nature together(Nature a, Nature b)
{
    if (a == Nature::Result || b == Nature::Result)
        return Nature::Result;
    return a == b ? a : Nature::Clock;
}

Nature natureOf(const MeasureFunction& function, const MeasureCall& call)
{
    switch (function.kind) {
    case Parts::RunAndMeasure:
    case Parts::Slope:
        return measure::natureOf(call.arguments[1]);
    case Parts::Measure:
        return measure::natureOf(call.arguments[0]);
    case Parts::TwoMeasures:
        return together(measure::natureOf(call.arguments[0]), measure::natureOf(call.arguments[1]));
    case Parts::Expression:
    case Parts::TimeAndExpression:
        return natureOfExpression(call.arguments.back());
    case Parts::Run:
    case Parts::RunAndExpression:
    case Parts::EventKind:
        break;
    }
    return Nature::Result;
}

} // namespace

Nature natureOf(const std::string& text)
{
    const std::string trimmed = trimmedMeasure(text);
    if (const auto call = asMeasureCall(trimmed)) {
        const MeasureFunction* function = findFunction(*call);
        return function ? natureOf(*function, *call) : Nature::Result;
    }
    if (const NamedMeasure* named = findNamed(trimmed))
        return named->nature;
    if (asNumber(trimmed))
        return Nature::Setting; // a constant: no motion makes it
    const PrefixedMeasure* prefixed = findPrefixed(trimmed);
    return prefixed ? prefixed->nature : Nature::Result;
}

std::string measuresInMarkdown()
{
    std::string out = "| name | unit | is | of runs |\n|---|---|---|---|\n";
    const auto row = [&out](const std::string& name, std::string_view unit, std::string_view meaning, bool isWord,
                            const std::string& runs) {
        out += "| `" + name + "` | " + std::string(isWord ? "a word" : unit) + " | " + std::string(meaning) + " | " + runs
               + " |\n";
    };
    for (const NamedMeasure& m : kNamed)
        row(std::string(m.name), m.unit, m.meaning, m.word, where(m.finished, m.live));
    for (const PrefixedMeasure& m : kPrefixed)
        row(std::string(m.prefix) + std::string(m.stands), "", m.meaning, m.word, where(m.finished, m.live));
    out += "\n| function | is |\n|---|---|\n";
    for (const MeasureFunction& f : kFunctions) {
        const std::string name(f.name), parts(f.parts);
        const std::string shorter = f.least < f.most ? '`' + name + '(' + parts.substr(0, parts.find(',')) + ")`, " : "";
        out += "| " + shorter + '`' + name + '(' + parts + ")` | " + std::string(f.meaning) + " |\n";
    }
    return out;
}

} // namespace driftless::measure
