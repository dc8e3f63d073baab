// Whether an answer is right: measured of a bench, that of a window or one that was repeated from a session.
#pragma once

#include <string>

#include "core/lesson/Lesson.h"
#include "core/measure/Live.h"

namespace driftless::lesson {

/// t: where a measure does not say a time itself [s].
Result<measure::Value> measured(const measure::LiveBench& bench, const Measure& what, double t);
/// The number that a question asks for.
Result<double> rightAnswer(const measure::LiveBench& bench, const Question& question, double t);

struct Judgement {
    bool right = false;
    std::string problem; ///< why it cannot be judged; then nothing is wrong
    bool early = false;  ///< all that is missing is time: the problem says how far to play
};
Judgement judgeNumber(const measure::LiveBench& bench, const Question& question, double answer, double t);
Judgement judgeAction(const measure::LiveBench& bench, const Question& question, double t);

} // namespace driftless::lesson
