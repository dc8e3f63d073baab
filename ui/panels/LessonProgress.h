// Which steps of which lessons a person has answered; kept between sessions.
#pragma once

#include <QString>

#include <set>

namespace driftless::ui {

class LessonProgress {
public:
    /// Steps that were answered, counted from 0.
    static std::set<int> done(const QString& lesson);
    static void markDone(const QString& lesson, int step);
    /// The step that was open last.
    static int last(const QString& lesson);
    static void setLast(const QString& lesson, int step);
    static void forget(const QString& lesson);
};

} // namespace driftless::ui
