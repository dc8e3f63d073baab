// A lesson as a page: the texts and questions of its steps, and the benches as they play before anybody changes them. A number
// that a question asks for is measured of runs made for it, and left to the program where the reader has to change the bench
// first.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"
#include "core/measure/Live.h"
#include "core/page/Page.h"
#include "core/run/Laboratory.h"
#include "core/study/Execute.h"
#include "core/system/ParameterValues.h"

namespace driftless::page {

namespace {

using nlohmann::ordered_json;
using Kind = lesson::Question::Kind;

constexpr double kUsualEnd = 10;    ///< [s] where no step says how long a bench plays
constexpr std::uint64_t kOrder = 1; ///< of the options of questions: that of the first hand-out

/// The step whose bench a step stands on.
std::size_t benchStep(const lesson::Lesson& lesson, std::size_t step)
{
    while (!lesson.steps[step].setup)
        --step; // the first step has one
    return step;
}

double timeOf(const lesson::Measure& measure, const lesson::Setup& setup)
{
    return measure.at.value_or(setup.until > 0 ? setup.until : kUsualEnd);
}

/// Until every time that a step on this bench asks about.
double endOf(const lesson::Lesson& lesson, std::size_t bench)
{
    const lesson::Setup& setup = *lesson.steps[bench].setup;
    double end = setup.until > 0 ? setup.until : kUsualEnd;
    for (std::size_t step = bench; step < lesson.steps.size() && benchStep(lesson, step) == bench; ++step)
        if (const auto& question = lesson.steps[step].question; question && question->kind == Kind::Number) {
            end = std::max(end, timeOf(question->measure, setup));
            if (question->over)
                end = std::max(end, timeOf(*question->over, setup));
        }
    return end;
}

/// A bench that has been played to its end, with nothing changed.
struct Played {
    std::unique_ptr<run::Laboratory> laboratory;
    std::vector<measure::LiveBench::Entry> runs;
    std::vector<double> parameters;
    double end = 0; ///< [s]

    measure::LiveBench live() const
    {
        return {.laboratory = *laboratory,
                .runs = runs,
                .parameters = parameters,
                .reference = runs.empty() ? std::optional<std::size_t>() : std::optional<std::size_t>(0)};
    }
};

/// What a question asks for; nothing where it cannot be told, or where a step has changed the bench by then.
std::optional<double> rightNumber(const lesson::Lesson& lesson, std::size_t step, const Played& played)
{
    for (std::size_t before = benchStep(lesson, step); before <= step; ++before)
        if (!lesson.steps[before].show.empty())
            return {};
    const auto valueOf = [&](const lesson::Measure& measure) -> std::optional<double> {
        if (measure.run < 1 || static_cast<std::size_t>(measure.run) > played.runs.size())
            return {};
        const double t = timeOf(measure, lesson.setupOf(step));
        const auto value = measure::measureLive(played.live(), static_cast<std::size_t>(measure.run - 1), t, measure.what);
        const double* number = value ? std::get_if<double>(&*value) : nullptr;
        return number && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
    };
    const lesson::Question& question = *lesson.steps[step].question;
    const auto value = valueOf(question.measure);
    if (!value || !question.over)
        return value;
    const auto over = valueOf(*question.over);
    return over && *over != 0 ? std::optional(*value / *over) : std::nullopt;
}

ordered_json questionJson(const lesson::Lesson& lesson, std::size_t step, const Played& played)
{
    const lesson::Question& question = *lesson.steps[step].question;
    ordered_json out{{"text", question.text}, {"hints", question.hints}, {"explanation", question.explanation}};
    switch (question.kind) {
    case Kind::Choice:
        out["kind"] = "choice";
        out["options"] = ordered_json::array();
        for (const std::size_t place : lesson::optionOrder(lesson, step, kOrder)) {
            const lesson::Option& option = question.options[place];
            out["options"].push_back({{"text", option.text}, {"right", option.right}, {"hint", option.hint}});
        }
        break;
    case Kind::Number:
        out["kind"] = "number";
        out["unit"] = question.unit;
        if (const auto value = rightNumber(lesson, step, played)) {
            out["value"] = *value;
            out["allowed"] = std::max(question.absolute, question.relative * std::abs(*value));
        }
        break;
    case Kind::Action:
        out["kind"] = "action";
        break;
    }
    return out;
}

/// The full name of a column; as it is written where no run has it.
std::string columnOf(const std::vector<PageRun>& runs, int bench, const std::string& name)
{
    for (const PageRun& run : runs)
        if (run.bench == bench)
            if (const int column = measure::findColumn(run.recording.columns(), name); column >= 0)
                return run.recording.columns()[static_cast<std::size_t>(column)].name;
    return name;
}

ordered_json plotsJson(const lesson::Setup& setup, const std::vector<PageRun>& runs, int bench)
{
    ordered_json out = ordered_json::array();
    for (const lesson::PlotChoice& plot : setup.plots) {
        out.push_back({{"kind", run::panelWord(plot.kind)}});
        if (!plot.of.empty())
            out.back()["of"] = columnOf(runs, bench, plot.of);
        if (!plot.against.empty())
            out.back()["against"] = columnOf(runs, bench, plot.against);
    }
    return out;
}

ordered_json stepJson(const lesson::Lesson& lesson, std::size_t step, const std::vector<PageRun>& runs, const Played& played)
{
    const lesson::Step& told = lesson.steps[step];
    const std::size_t bench = benchStep(lesson, step);
    ordered_json out{{"title", told.title},
                     {"text", told.text},
                     {"task", told.task},
                     {"bench", bench},
                     {"speed", lesson.steps[bench].setup->speed},
                     {"plots", plotsJson(*lesson.steps[bench].setup, runs, static_cast<int>(bench))},
                     {"exercise", told.exercise}};
    if (told.question)
        out["question"] = questionJson(lesson, step, played);
    return out;
}

/// Plays the bench of a step. A run that is refused is left out, as the text says why it is.
Result<Played> play(const lesson::Lesson& lesson, std::size_t step)
{
    Played out{.laboratory = {}, .runs = {}, .parameters = {}, .end = endOf(lesson, step)};
    const study::Study bench = lesson::benchOf(lesson, step, out.end);
    const auto executor = study::Executor::create(bench, "page");
    if (!executor)
        return executor.error();
    const run::PreparedRun& first = (*executor)->prepared(0);
    out.laboratory = std::make_unique<run::Laboratory>(first.system, first.start);
    for (std::size_t i = 0; i < bench.runs.size(); ++i)
        if (const auto id = out.laboratory->addRun((*executor)->prepared(i).settings))
            out.runs.push_back({.id = *id, .title = "run " + std::to_string(i + 1)});
    out.laboratory->waitUntil(out.end);
    out.parameters = model::parameterValues(first.system->system(), first.start.parameters);
    return out;
}

void addBench(const lesson::Lesson& lesson, std::size_t step, const Played& played, std::vector<PageRun>& runs)
{
    std::optional<run::RecordingView> reference;
    for (const auto& entry : played.runs) {
        const std::string method = nameOf(played.laboratory->status(entry.id).settings);
        const std::string name = played.runs.size() > 1 ? entry.title + ": " + method : method;
        PageRun run = pageRunOf(*played.laboratory, entry.id, name, played.end);
        run.bench = static_cast<int>(step);
        for (const lesson::PlotChoice& plot : lesson.steps[step].setup->plots)
            for (const std::string& asked : {plot.of, plot.against})
                if (!asked.empty())
                    run.wanted.push_back(columnOf({run}, static_cast<int>(step), asked));
        run.reference = reference;
        if (!reference)
            reference = run.recording;
        runs.push_back(std::move(run));
    }
}

} // namespace

Result<Page> pageOfLesson(const lesson::Lesson& lesson, const Told& told)
{
    std::vector<PageRun> runs;
    ordered_json steps = ordered_json::array();
    std::optional<Played> played;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        told(lesson.id, static_cast<double>(step) / static_cast<double>(lesson.steps.size()));
        if (lesson.steps[step].setup) {
            auto made = play(lesson, step);
            if (!made)
                return made.error();
            played.emplace(std::move(*made));
            addBench(lesson, step, *played, runs);
        }
        steps.push_back(stepJson(lesson, step, runs, *played));
    }
    Page page;
    page.data() = {{"kind", "lesson"},       {"id", lesson.id},         {"title", lesson.title},
                   {"text", lesson.summary}, {"source", lesson.source}, {"steps", std::move(steps)}};
    page.report()["lesson"] = lesson.id;
    page.report()["steps"] = lesson.steps.size();
    if (auto added = addRuns(runs, page); !added)
        return added.error();
    // A lesson may show runs that fail; what it claims of them has to hold.
    const auto wrong = lesson::falseClaims(lesson, [&](double share) { told(lesson.id + ", claims", share); });
    ordered_json& failed = page.report()["failed_claims"] = ordered_json::array();
    if (!wrong)
        failed.push_back(failedClaimJson(
            {.text = wrong.error().what, .run = {}, .measured = {}, .relation = {}, .why = wrong.error().text()}));
    for (const lesson::FalseClaim& claim : wrong ? *wrong : std::vector<lesson::FalseClaim>()) {
        failed.push_back(failedClaimJson(claim.result));
        failed.back()["step"] = claim.step + 1;
    }
    page.sound = failed.empty();
    return page;
}

} // namespace driftless::page
