#include "ui/panels/LessonProgress.h"

#include <QStringList>

#include "ui/document/Preferences.h"

namespace driftless::ui {

namespace {

/// An id from a file of one's own must not reach into other groups.
QString key(const QString& lesson, const char* what)
{
    QString name = lesson;
    return QStringLiteral("lessons/%1/%2").arg(name.replace('/', '_'), QLatin1String(what));
}

} // namespace

std::set<int> LessonProgress::done(const QString& lesson)
{
    std::set<int> steps;
    const QStringList saved = keptSettings().value(key(lesson, "done")).toStringList();
    for (const QString& step : saved)
        steps.insert(step.toInt());
    return steps;
}

void LessonProgress::markDone(const QString& lesson, int step)
{
    auto steps = done(lesson);
    if (!steps.insert(step).second)
        return;
    QStringList all;
    for (const int s : steps)
        all << QString::number(s);
    keptSettings().setValue(key(lesson, "done"), all);
}

int LessonProgress::last(const QString& lesson) { return keptSettings().value(key(lesson, "last"), 0).toInt(); }

void LessonProgress::setLast(const QString& lesson, int step) { keptSettings().setValue(key(lesson, "last"), step); }

void LessonProgress::forget(const QString& lesson)
{
    QSettings all = keptSettings();
    all.remove(key(lesson, "done"));
    all.remove(key(lesson, "last"));
}

} // namespace driftless::ui
