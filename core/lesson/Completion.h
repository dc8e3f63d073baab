// A record of a lesson that was done: what was answered, and the session in which it was. Who gets it repeats the sessions and
// measures anew, so that an answer counts because it comes out and not because it is written down.
//
// The file is JSON: format, program, lesson and the fingerprint of its text, the steps, and a seal, which is the fingerprint of
// all the rest. It tells a file that was changed by hand; it is no signature. What cannot be made up without doing the lesson
// is the session.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/lesson/Lesson.h"

namespace driftless::lesson {

/// What a person did in a step.
struct DoneStep {
    int step = 0;                 ///< from 1
    std::optional<int> option;    ///< of a choice, from 1 as in the file
    std::optional<double> answer; ///< of a number
    double t = 0;                 ///< [s] when it was judged
    int wrong = 0;                ///< wrong answers before the right one
    bool shown = false;           ///< "Show me" was asked
    std::string session;          ///< of numbers and actions: the bench as it stood, as a session's JSON
};

/// The file; program: who writes it, such as "driftless 1.0". An error where the lesson's file cannot be read.
Result<std::string> completionText(const Lesson& lesson, const std::string& program, const std::vector<DoneStep>& steps);

/// What a record of this text of the lesson holds; nothing where it is none, or was changed.
std::vector<DoneStep> recordedSteps(const std::string& text, const Lesson& lesson);

struct VerifiedStep {
    DoneStep done; ///< without its session
    bool right = false;
    std::optional<double> measured; ///< of a number: what the repeated session has
    std::string why;                ///< where it is not right
};

struct Verification {
    std::string lesson, title, program;
    std::vector<VerifiedStep> steps; ///< one for each of the lesson
    bool complete() const;           ///< all of them are right
};

/// Repeats the sessions, which takes as long as computing them did. An error where the text is no record, was changed after it
/// was written, or belongs to another text of the lesson. pathOrId: the lesson; empty: the shipped one that the record names.
Result<Verification> verifyCompletion(const std::string& text, const std::string& file, const std::string& pathOrId = {});

} // namespace driftless::lesson
