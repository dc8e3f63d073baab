// What was done in the steps of a lesson, kept beside the settings until the lesson is finished and its record is saved.
#pragma once

#include <QString>

#include <map>

#include "core/lesson/Completion.h"

namespace driftless::ui {

class LessonRecord {
public:
    /// What is kept of this text of the lesson; another text begins anew.
    void open(const lesson::Lesson& lesson);
    /// The first right answer of a step stays: what was done later is practice. Quietly kept in memory alone where nothing can
    /// be written.
    void note(const lesson::Lesson& lesson, const lesson::DoneStep& done);
    /// Whether every step of the lesson is in it.
    bool complete(const lesson::Lesson& lesson) const { return done_.size() >= lesson.steps.size(); }
    /// As the file that `driftless lesson --verify` repeats.
    Result<void> handOver(const lesson::Lesson& lesson, const QString& path) const;

private:
    Result<std::string> text(const lesson::Lesson& lesson) const;

    std::map<int, lesson::DoneStep> done_; ///< by steps from 1
};

} // namespace driftless::ui
