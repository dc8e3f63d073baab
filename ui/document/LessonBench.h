// The live state as a lesson sees it: what is measured, whether an answer is right, and what "Show me" does.
#pragma once

#include <QString>

#include <optional>

#include "core/lesson/Lesson.h"
#include "ui/document/Document.h"

namespace driftless::ui {

/// A number or a text, or the reason why there is neither.
struct Measured {
    std::optional<double> number;
    QString text, problem;
};
/// t: where the measure does not say a time itself [s].
Measured measure(const Document& document, const lesson::Measure& what, double t);
/// The number that a question asks for, measured now.
Measured rightAnswer(const Document& document, const lesson::Question& question, double t);

struct Verdict {
    bool right = false;
    QString problem; ///< why it cannot be judged yet; then nothing is wrong
    bool early = false;
};
Verdict judgeNumber(const Document& document, const lesson::Question& question, double answer, double t);
Verdict judgeAction(const Document& document, const lesson::Question& question, double t);

/// Everything of an action but its playing: true when done; a refusal is reported by the document as any other.
bool perform(Document& document, const lesson::Action& action);

} // namespace driftless::ui
