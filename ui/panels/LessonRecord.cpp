#include "ui/panels/LessonRecord.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "core/text/Budget.h"
#include "core/text/PathText.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"
#include "ui/document/Preferences.h"

namespace driftless::ui {

namespace {

QString recordFolder() { return QFileInfo(keptSettings().fileName()).absolutePath() + QStringLiteral("/records"); }

/// An id from a file of one's own must not reach into other folders.
std::string keptPath(const lesson::Lesson& lesson)
{
    QString name = QString::fromStdString(lesson.id);
    return textToPath((recordFolder() + u'/' + name.replace('/', '_') + QStringLiteral(".json")).toStdU16String());
}

} // namespace

void LessonRecord::open(const lesson::Lesson& lesson)
{
    done_.clear();
    const auto kept = readRegularFile(keptPath(lesson), budget::kSessionBytes);
    if (!kept)
        return;
    for (const lesson::DoneStep& done : lesson::recordedSteps(*kept, lesson))
        done_[done.step] = done;
}

void LessonRecord::note(const lesson::Lesson& lesson, const lesson::DoneStep& done)
{
    if (!done_.emplace(done.step, done).second)
        return;
    if (const auto bytes = text(lesson); bytes && QDir().mkpath(recordFolder()))
        (void)writeWholeFile(keptPath(lesson), *bytes);
}

Result<void> LessonRecord::handOver(const lesson::Lesson& lesson, const QString& path) const
{
    const auto bytes = text(lesson);
    if (!bytes)
        return bytes.error();
    return writeWholeFile(textToPath(path.toStdU16String()), *bytes);
}

Result<std::string> LessonRecord::text(const lesson::Lesson& lesson) const
{
    std::vector<lesson::DoneStep> steps;
    for (const auto& [place, done] : done_)
        steps.push_back(done);
    return lesson::completionText(lesson, "driftless " + QCoreApplication::applicationVersion().toStdString(), steps);
}

} // namespace driftless::ui
