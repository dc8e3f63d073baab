// How the text of a measure is built: a name, a number, or NAME(part, part) with parts that are measures, names or expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Diagnostic.h"
#include "core/study/Study.h"

namespace driftless::study {

constexpr int kDeepestMeasure = 8; ///< of(RUN, of(RUN, ...))

/// NAME(a, b): the name and what stands between its commas, without blanks around it.
struct MeasureCall {
    std::string name;
    std::vector<std::string> arguments;
};
/// None where the text is no call.
std::optional<MeasureCall> asMeasureCall(const std::string& text);
std::string trimmedMeasure(std::string_view text);

Diagnostic badMeasure(const MeasureText& text, std::string why, std::string remedy = {});

} // namespace driftless::study
