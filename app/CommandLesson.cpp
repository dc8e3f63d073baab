// driftless lesson: a lesson on paper, without a display.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <QGuiApplication>
#include <QString>

#include <cstdlib>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "core/base/PathText.h"
#include "core/base/WholeFile.h"
#include "core/lesson/Lesson.h"
#include "ui/views/LessonHandout.h"

namespace driftless::app {

namespace {

struct LessonOptions {
    std::string lesson, pdf;
    bool answers = false;
};

int print(const LessonOptions& options)
{
    if (!QString::fromStdString(options.pdf).endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return complain({"a hand-out is a PDF", options.pdf, "", "a name that ends in .pdf", {}});
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
    const auto written = ui::writeHandout(*lesson, QString::fromStdU16String(pathToText(options.pdf)), options.answers);
    if (!written)
        return complain(written.error());
    const bool printed = printJson({{"lesson", lesson->id}, {"pdf", options.pdf}, {"pages", written->pages}, {"figures", written->figures},
                                    {"answers", options.answers}});
    return printed ? kExitDone : kExitBadInput;
}

} // namespace

void addLessonCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<LessonOptions>();
    auto* command = root.add_subcommand("lesson", "A lesson as a printable hand-out");
    command->add_option("LESSON", options->lesson, "The name of a shipped lesson, or a lesson file")->required();
    command->add_option("--pdf", options->pdf, "File to write")->required()->type_name("FILE");
    command->add_flag("--answers", options->answers, "With the right answers");
    command->callback([options, &exitCode] { exitCode = print(*options); });
}

} // namespace driftless::app
