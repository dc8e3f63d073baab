// driftless lesson: a lesson on paper, without a display.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <QGuiApplication>
#include <QString>

#include <cstdlib>
#include <memory>

#include "app/Commands.h"
#include "app/HandOver.h"
#include "app/Output.h"
#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"
#include "ui/figures/QtSetting.h"
#include "ui/views/LessonHandout.h"

namespace driftless::app {

namespace {

struct LessonOptions {
    std::string lesson, pdf;
    bool answers = false, check = false;
    std::uint64_t seed = 1;
};

/// What its author is to mend, without playing it.
int check(const LessonOptions& options)
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

int print(const LessonOptions& options)
{
    if (!QString::fromStdString(options.pdf).endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return complain({.what = "A hand-out is a PDF", .where = options.pdf, .remedy = "a name that ends in .pdf"});
    if (const auto allowed = checkWritable(options.pdf); !allowed)
        return complain(allowed.error());
    const auto lesson = lesson::openLesson(options.lesson);
    if (!lesson)
        return complain(lesson.error());
    // Fonts need an application object, no display.
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    int argc = 1;
    char name[] = "driftless";
    char* argv[] = {name, nullptr};
    QGuiApplication application(argc, argv);
    if (const auto settled = figures::settleQt(); !settled)
        return complain(settled.error());
    const auto written =
        ui::writeHandout(*lesson, QString::fromStdU16String(pathToText(options.pdf)), options.answers, options.seed);
    if (!written)
        return complain(written.error());
    const bool printed = printJson({{"lesson", lesson->id},
                                    {"pdf", options.pdf},
                                    {"pages", written->pages},
                                    {"figures", written->figures},
                                    {"answers", options.answers},
                                    {"seed", options.seed}});
    return printed ? kExitDone : kExitBadInput;
}

} // namespace

void addLessonCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<LessonOptions>();
    auto* command = root.add_subcommand(kLesson.name, kLesson.does);
    command->add_option("LESSON", options->lesson, "The name of a shipped lesson, or a lesson file")->required();
    auto* pdf = command->add_option("--pdf", options->pdf, "File to write")->type_name("FILE");
    command->add_flag("--answers", options->answers, "With the right answers");
    command->add_option("--seed", options->seed, "Order of the options of its questions")->capture_default_str();
    auto* review = command->add_flag("--check", options->check, "Only say what its author has to mend");
    command->callback([options, pdf, review, &exitCode] {
        if (pdf->count() == 0 && review->count() == 0)
            throw CLI::RequiredError("--pdf or --check");
        exitCode = options->check ? check(*options) : print(*options);
    });
}

} // namespace driftless::app
