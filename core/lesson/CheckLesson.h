// What the reader of a lesson judges once all steps are known: sentences, times, steps of its runs.
#pragma once

#include "core/base/Result.h"
#include "core/lesson/Lesson.h"

namespace driftless::lesson {

/// Refuses claims, citations and exemptions whose sentence does not stand in their step, and runs that would never come to
/// their end.
Result<void> checkLesson(const Lesson& lesson);

} // namespace driftless::lesson
