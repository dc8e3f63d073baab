// driftless lesson: a lesson on paper, without a display.
#include <nlohmann/json.hpp>

#include <QGuiApplication>
#include <QString>

#include <cstdlib>

#include "app/Commands.h"
#include "app/LessonCheck.h"
#include "app/Output.h"
#include "core/lesson/Lesson.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"
#include "ui/figures/QtSetting.h"
#include "ui/views/LessonHandout.h"

namespace driftless::app {

namespace {

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

void addLessonCommand(CLI::App& root, int& exitCode) { addLessonCommand(root, exitCode, print); }

} // namespace driftless::app
