#include "app/LessonCheck.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "app/Commands.h"
#include "app/HandOver.h"
#include "app/Output.h"
#include "app/Progress.h"
#include "core/lesson/Completion.h"
#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"
#include "core/text/Budget.h"
#include "core/text/RegularFile.h"

namespace driftless::app {

namespace {

/// What its author is to mend. Claims are proved where nothing stands against it, which takes as long as their runs do.
int checkLesson(const LessonOptions& options)
{
    const auto lesson = lesson::openLesson(options.lesson);
    if (!lesson)
        return complain(lesson.error());
    std::vector<Diagnostic> findings = lesson::reviewLesson(*lesson);
    const std::vector<Diagnostic> ofClaims = lesson::reviewClaims(*lesson);
    findings.insert(findings.end(), ofClaims.begin(), ofClaims.end());
    for (Diagnostic& finding : lesson::reviewBenches(*lesson))
        findings.push_back(std::move(finding));
    if (ofClaims.empty()) {
        Progress progress(lesson->id + ", claims");
        const auto wrong = lesson::falseClaims(*lesson, [&progress](double share) { progress.show(share, 1); });
        if (!wrong)
            findings.push_back(wrong.error());
        else
            std::ranges::transform(*wrong, std::back_inserter(findings), lesson::findingOf);
    }
    const bool printed = printJson({{"lesson", lesson->id},
                                    {"findings", findingsJson(findings)},
                                    {"renamed", findingsJson(lesson::renamedMeasures(*lesson))}});
    return printed ? kExitDone : kExitBadInput;
}

const char* kindOf(const lesson::Step& step)
{
    if (!step.question)
        return "read";
    switch (step.question->kind) {
    case lesson::Question::Kind::Choice:
        return "choice";
    case lesson::Question::Kind::Number:
        return "number";
    case lesson::Question::Kind::Action:
        break;
    }
    return "action";
}

/// What a person did, repeated and measured anew.
int verifyRecord(const LessonOptions& options)
{
    const auto text = readRegularFile(options.record, budget::kSessionBytes);
    if (!text)
        return complain(text.error());
    const auto found = lesson::verifyCompletion(*text, options.record, options.lesson);
    if (!found)
        return complain(found.error());
    const auto lesson = lesson::openLesson(options.lesson.empty() ? found->lesson : options.lesson);
    if (!lesson)
        return complain(lesson.error());
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const lesson::VerifiedStep& step : found->steps) {
        nlohmann::ordered_json out{{"step", step.done.step},
                                   {"kind", kindOf(lesson->steps[static_cast<std::size_t>(step.done.step - 1)])},
                                   {"right", step.right}};
        if (step.done.option)
            out["option"] = *step.done.option;
        if (step.done.answer)
            out["answer"] = *step.done.answer;
        if (step.measured)
            out["measured"] = *step.measured;
        out["wrong_before"] = step.done.wrong;
        out["shown"] = step.done.shown;
        if (!step.right)
            out["why"] = step.why;
        steps.push_back(std::move(out));
    }
    const bool printed = printJson({{"lesson", found->lesson},
                                    {"title", found->title},
                                    {"program", found->program},
                                    {"complete", found->complete()},
                                    {"steps", std::move(steps)}});
    if (!printed)
        return kExitBadInput;
    return found->complete() ? kExitDone : kExitNumericalFailure;
}

} // namespace

void addLessonCommand(CLI::App& root, int& exitCode, const std::function<int(const LessonOptions&)>& print)
{
    auto options = std::make_shared<LessonOptions>();
    auto* command = root.add_subcommand(kLesson.name, kLesson.does);
    command->add_option("LESSON", options->lesson, "The name of a shipped lesson, or a lesson file; not needed with --verify");
    auto* pdf = command->add_option("--pdf", options->pdf, "File to write")->type_name("FILE");
    command->add_flag("--answers", options->answers, "With the right answers");
    command->add_option("--seed", options->seed, "Order of the options of its questions")->capture_default_str();
    auto* review = command->add_flag("--check", options->check, "Only say what its author has to mend");
    auto* verify = command->add_option("--verify", options->record, "Repeat a record that the window saved, and measure anew")
                       ->type_name("FILE");
    verify->excludes(pdf)->excludes(review);
    command->callback([options, pdf, review, verify, print, &exitCode] {
        if (verify->count() > 0) {
            exitCode = verifyRecord(*options);
            return;
        }
        if (pdf->count() == 0 && review->count() == 0)
            throw CLI::RequiredError("--pdf, --check or --verify");
        if (options->lesson.empty())
            throw CLI::RequiredError("LESSON");
        exitCode = options->check ? checkLesson(*options) : print(*options);
    });
}

} // namespace driftless::app
