#include "app/LessonCheck.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <utility>
#include <vector>

#include "app/Commands.h"
#include "app/HandOver.h"
#include "app/Output.h"
#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"

namespace driftless::app {

namespace {

/// What its author is to mend, without playing it.
int checkLesson(const LessonOptions& options)
{
    const auto lesson = lesson::openLesson(options.lesson);
    if (!lesson)
        return complain(lesson.error());
    std::vector<Diagnostic> findings = lesson::reviewLesson(*lesson);
    for (Diagnostic& finding : lesson::reviewClaims(*lesson))
        findings.push_back(std::move(finding));
    for (Diagnostic& finding : lesson::reviewBenches(*lesson))
        findings.push_back(std::move(finding));
    const bool printed = printJson({{"lesson", lesson->id},
                                    {"findings", findingsJson(findings)},
                                    {"renamed", findingsJson(lesson::renamedMeasures(*lesson))}});
    return printed ? kExitDone : kExitBadInput;
}

} // namespace

void addLessonCommand(CLI::App& root, int& exitCode, const std::function<int(const LessonOptions&)>& print)
{
    auto options = std::make_shared<LessonOptions>();
    auto* command = root.add_subcommand(kLesson.name, kLesson.does);
    command->add_option("LESSON", options->lesson, "The name of a shipped lesson, or a lesson file")->required();
    auto* pdf = command->add_option("--pdf", options->pdf, "File to write")->type_name("FILE");
    command->add_flag("--answers", options->answers, "With the right answers");
    command->add_option("--seed", options->seed, "Order of the options of its questions")->capture_default_str();
    auto* review = command->add_flag("--check", options->check, "Only say what its author has to mend");
    command->callback([options, pdf, review, print, &exitCode] {
        if (pdf->count() == 0 && review->count() == 0)
            throw CLI::RequiredError("--pdf or --check");
        exitCode = options->check ? checkLesson(*options) : print(*options);
    });
}

} // namespace driftless::app
