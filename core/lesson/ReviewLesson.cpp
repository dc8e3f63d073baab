// What a lesson's file shows about its teaching before anybody plays it: exercises that measure something, tolerances, hints.
#include <algorithm>

#include "core/lesson/Lesson.h"
#include "core/measure/Registry.h"

namespace driftless::lesson {

namespace {

/// What becomes true by waiting.
bool isClock(const Check& check) { return measure::natureOf(check.measure.what.text) == measure::Nature::Clock; }

/// What the run does, and neither the clock nor what a control says.
bool isResult(const Check& check) { return measure::natureOf(check.measure.what.text) == measure::Nature::Result; }

bool hasResult(const Question& question)
{
    return question.kind == Question::Kind::Number || std::ranges::any_of(question.checks, isResult);
}

std::string place(std::size_t step) { return "step " + std::to_string(step + 1); }

void reviewExercise(const Lesson& lesson, std::vector<Diagnostic>& findings)
{
    const Step& last = lesson.steps.back();
    const std::string where = place(lesson.steps.size() - 1);
    const bool task = lesson.steps.size() == 1 && last.question && hasResult(*last.question); // to try with a model
    if (!last.exercise && !task)
        findings.push_back({.what = "The last step is not an exercise",
                            .where = where,
                            .why = "a lesson ends with something that is done by hand",
                            .remedy = "write exercise = true",
                            .position = last.position});
    if (!last.question || !hasResult(*last.question))
        findings.push_back(
            {.what = "The result of the exercise is not checked",
             .where = where,
             .why = "a setting or the clock does not show what came out",
             .remedy = "ask for a number, or add [[step.question.check]] with a measure of the run, such as residual.position",
             .position = last.question ? last.question->position : last.position});
}

void reviewQuestion(const Question& question, const std::string& where, std::vector<Diagnostic>& findings)
{
    if (question.kind == Question::Kind::Action && std::ranges::all_of(question.checks, isClock))
        findings.push_back({.what = "The task is fulfilled by waiting",
                            .where = where,
                            .why = "every check asks for the time only",
                            .remedy = "add [[step.question.check]] with a measure of what is to be done",
                            .position = question.position});
    if (question.kind == Question::Kind::Number && question.relative > kWidestReading && question.reason.empty())
        findings.push_back({.what = "The tolerance is wider than a plot can be read",
                            .where = where,
                            .why = "a curve is read to a tenth of its value or better, and a guess would pass here",
                            .remedy = "write relative = 0.1 or less, or say in reason = \"...\" why it has to be wider",
                            .position = question.position});
    for (const Option& option : question.options) {
        constexpr std::size_t kShortest = 4; ///< "2" stands in many a hint that gives nothing away
        const bool telling = option.right && option.text.size() >= kShortest;
        const auto givesAway = [&](const std::string& hint) { return telling && hint.find(option.text) != std::string::npos; };
        if (std::ranges::any_of(question.hints, givesAway) || std::ranges::any_of(question.options, givesAway, &Option::hint))
            findings.push_back({.what = "A hint repeats the right option",
                                .where = where,
                                .why = "the answer comes after the last try, not before",
                                .remedy = "let the hint say where to look",
                                .position = question.position});
    }
}

/// splitmix64: the same numbers on every machine.
std::uint64_t mixed(std::uint64_t& state)
{
    std::uint64_t z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

} // namespace

std::vector<Diagnostic> reviewLesson(const Lesson& lesson)
{
    std::vector<Diagnostic> findings;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (lesson.steps[i].question)
            reviewQuestion(*lesson.steps[i].question, place(i), findings);
    reviewExercise(lesson, findings);
    return findings;
}

std::vector<Diagnostic> renamedMeasures(const Lesson& lesson)
{
    std::vector<Diagnostic> out;
    const auto look = [&out](const measure::MeasureText& text) {
        if (auto hint = measure::renameHint(text))
            out.push_back(*std::move(hint));
    };
    const auto both = [&look](const Measure& what, const std::optional<Measure>& over) {
        look(what.what);
        if (over)
            look(over->what);
    };
    for (const Step& step : lesson.steps) {
        if (step.question)
            both(step.question->measure, step.question->over);
        if (step.question)
            for (const Check& check : step.question->checks)
                both(check.measure, check.over);
        for (const StepClaim& claim : step.claims)
            look(claim.claim.measure);
    }
    return out;
}

std::vector<std::size_t> optionOrder(const Lesson& lesson, std::size_t step, std::uint64_t seed)
{
    const Step& asked = lesson.steps[step];
    std::vector<std::size_t> order(asked.question ? asked.question->options.size() : 0);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::uint64_t state = seed ^ (0x632be59bd9b4e019ULL * (step + 1));
    for (const char c : lesson.id) // neighbouring lessons and steps get unrelated orders
        state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    for (std::size_t i = order.size(); i > 1; --i) // at most six options: the remainder's bias is below 1e-18
        std::swap(order[i - 1], order[mixed(state) % i]);
    return order;
}

} // namespace driftless::lesson
