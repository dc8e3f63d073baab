#include "core/lesson/CheckLesson.h"

#include "core/run/RunRequest.h"
#include "core/run/Times.h"
#include "core/study/ClaimReader.h"
#include "core/text/Budget.h"

namespace driftless::lesson {

namespace {

constexpr double kDefaultEnd = 10; ///< [s] of a bench whose clock nothing stops

std::vector<std::string> textsOf(const Lesson& lesson, const Step& step)
{
    std::vector<std::string> out{lesson.summary, step.title, step.text, step.task};
    if (step.question) {
        const Question& question = *step.question;
        for (const Option& option : question.options)
            out.insert(out.end(), {option.text, option.hint});
        out.insert(out.end(), question.hints.begin(), question.hints.end());
        out.insert(out.end(), {question.text, question.explanation});
    }
    return out;
}

Result<void> checkSentence(const std::vector<std::string>& texts, const std::string& sentence, const SourcePosition& position,
                           const std::string& where)
{
    if (study::hasSentence(texts, sentence))
        return {};
    return Diagnostic{.what = "No text of this step has the sentence \"" + sentence.substr(0, 80) + '"',
                      .where = where,
                      .why = "it has to be a part of the summary, the text, the task or the question, as it is written there",
                      .remedy = "copy it from the text",
                      .position = position};
}

Result<void> checkSentences(const Lesson& lesson, const Step& step, const std::string& where)
{
    const std::vector<std::string> texts = textsOf(lesson, step);
    for (const StepClaim& claim : step.claims)
        if (auto found = checkSentence(texts, claim.claim.sentence, claim.claim.position, where + ", claim"); !found)
            return found;
    for (const study::Citation& citation : step.citations)
        if (auto found = checkSentence(texts, citation.sentence, citation.position, where + ", citation"); !found)
            return found;
    for (const study::Exemption& exemption : step.exemptions)
        if (auto found = checkSentence(texts, exemption.sentence, exemption.position, where + ", exempt"); !found)
            return found;
    return {};
}

/// A run with these methods and numbers, to this end [s].
Result<void> checkRun(const std::string& integrator, integrate::IntegratorOptions options, double end,
                      const SourcePosition& position, const std::string& where)
{
    const integrate::IntegratorInfo* method = integrate::findIntegrator(integrator);
    if (!method)
        return {}; // whoever reads its name says so
    const auto placed = [&](const Result<void>& checked) -> Result<void> {
        if (checked)
            return checked;
        Diagnostic diagnostic = checked.error();
        diagnostic.where = where;
        diagnostic.position = position;
        return diagnostic;
    };
    if (auto sound = placed(options.check()); !sound)
        return sound;
    if (auto possible = placed(run::checkSteps(*method, options, end, where)); !possible)
        return possible;
    if (!method->adaptive && options.step * budget::kLessonRunSteps < end)
        return Diagnostic{.what = "The step is too short for a lesson",
                          .where = where,
                          .why = "a run would take more than ten million steps to its end",
                          .remedy = "a longer step, or an earlier end",
                          .position = position};
    return {};
}

double endOf(const Setup& setup) { return setup.until > 0 ? setup.until : kDefaultEnd; }

Result<void> checkClaim(const StepClaim& claim, const Setup& setup, const std::string& where)
{
    if (claim.run > static_cast<int>(setup.runs.size()))
        return Diagnostic{.what = "The bench has no run " + std::to_string(claim.run),
                          .where = where,
                          .why = "it has " + std::to_string(setup.runs.size()),
                          .remedy = "run = 1",
                          .position = claim.claim.position};
    const run::RunSettings& bench = setup.runs[static_cast<std::size_t>(claim.run) - 1];
    const double end = claim.at.value_or(endOf(setup));
    const auto check = [&](const run::RunRequest& change, const run::RunRequest* more,
                           const std::string& from) -> Result<void> {
        auto options = run::withNumbers(bench.options, change);
        std::string integrator = change.integrator.value_or(from);
        if (more) {
            options = run::withNumbers(options, *more);
            integrator = more->integrator.value_or(integrator);
        }
        return checkRun(integrator, options, more && more->end ? *more->end : change.end.value_or(end), claim.claim.position,
                        where);
    };
    if (auto sound = check(claim.change, nullptr, bench.integrator); !sound)
        return sound;
    for (const Variation& variation : claim.variations)
        if (auto sound = check(claim.change, &variation.change, bench.integrator); !sound)
            return sound;
    for (const study::StudyEvent& event : claim.events)
        if (auto sound = check(claim.change, &event.change, bench.integrator); !sound)
            return sound;
    return {};
}

Result<void> checkActions(const Step& step, const Setup& setup, const std::string& where)
{
    for (const Action& action : step.show) {
        const double end = action.until.value_or(endOf(setup));
        if (action.add)
            if (auto sound = checkRun(action.add->integrator, action.add->options, end, step.position, where); !sound)
                return sound;
        const auto place = static_cast<std::size_t>(action.run) - 1;
        if (place >= setup.runs.size() || !(action.step || action.tolerance))
            continue;
        integrate::IntegratorOptions options = setup.runs[place].options;
        options.step = action.step.value_or(options.step);
        options.relativeTolerance = action.tolerance.value_or(options.relativeTolerance);
        options.absoluteTolerance = action.tolerance.value_or(options.absoluteTolerance);
        if (auto sound = checkRun(action.integrator.value_or(setup.runs[place].integrator), options, end, step.position, where);
            !sound)
            return sound;
    }
    return {};
}

} // namespace

Result<void> checkLesson(const Lesson& lesson)
{
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const Step& step = lesson.steps[i];
        const Setup& setup = lesson.setupOf(i);
        const std::string where = "step " + std::to_string(i + 1);
        if (step.setup)
            for (const run::RunSettings& run : setup.runs)
                if (auto sound = checkRun(run.integrator, run.options, endOf(setup), setup.position, where + ", setup"); !sound)
                    return sound;
        if (auto sound = checkSentences(lesson, step, where); !sound)
            return sound;
        for (std::size_t k = 0; k < step.claims.size(); ++k)
            if (auto sound = checkClaim(step.claims[k], setup, where + ", claim " + std::to_string(k + 1)); !sound)
                return sound;
        if (auto sound = checkActions(step, setup, where + ", show"); !sound)
            return sound;
    }
    return {};
}

} // namespace driftless::lesson
