// How the text of a measure is built: a name, a number, or NAME(part, part) with parts that are measures, names or expressions.
// Names of format 1 that are spelled otherwise today are put into today's spelling here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Diagnostic.h"

namespace driftless::measure {

/// One number or word of one run.
struct MeasureText {
    std::string text; ///< in today's words
    SourcePosition position;
    std::string before{}; ///< as written, where that is an earlier spelling
};

constexpr int kDeepestMeasure = 8; ///< of(RUN, of(RUN, ...))

/// NAME(a, b): the name and what stands between its commas, without blanks around it.
struct MeasureCall {
    std::string name;
    std::vector<std::string> arguments;
};
/// None where the text is no call.
std::optional<MeasureCall> asMeasureCall(const std::string& text);
std::string trimmedMeasure(std::string_view text);
/// A number alone, such as 1e-3 or -2.
std::optional<double> asNumber(const std::string& trimmed);

Diagnostic badMeasure(const MeasureText& text, std::string why, std::string remedy = {});

/// Where a measure is written: what a study measures are finished runs; what a lesson asks for are the runs of its bench.
enum class Place { Study, Lesson };

/// The measure as it is spelled today; the text itself where nothing changed.
std::string inTodaysWords(const std::string& text, Place place);
/// A measure as somebody wrote it.
MeasureText asWritten(const std::string& text, const SourcePosition& position, Place place);
/// What to write now; none where the text was written in today's words.
std::optional<Diagnostic> renameHint(const MeasureText& text);

} // namespace driftless::measure
