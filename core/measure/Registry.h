// The names and functions of the language of measures, each one row: what it is called, its unit, what it says, and how it is
// taken of a finished run and of a live one. docs/measures.md shows this table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/measure/Record.h"
#include "core/measure/Syntax.h"

namespace driftless::measure {

struct LiveRun;

using Value = std::variant<double, std::string>;
/// "1.2e-09", "linear"
std::string shown(const Value& value, int digits = 3);

/// What makes a measure change: the run itself, a control, or waiting.
enum class Nature { Result, Setting, Clock };

struct NamedMeasure {
    std::string_view name, unit{}; ///< unit: "" for counts, words and what has the unit of its constraint
    std::string_view meaning;
    bool word = false;
    Nature nature = Nature::Result;
    /// Of a finished run; nullptr: only live. None where this run has no value.
    std::optional<Value> (*finished)(const Record&) = nullptr;
    /// Of a live run at its time; nullptr: only of finished runs.
    std::optional<Value> (*live)(const LiveRun&) = nullptr;
    bool ofRefused = false; ///< a run that was refused has it too
    bool timed = false;     ///< live: the run must have reached the time
};
std::span<const NamedMeasure> namedMeasures();
/// nullptr where there is none.
const NamedMeasure* findNamed(std::string_view name);

/// Names that are completed by one of the model or the run: "parameter." and "L".
struct PrefixedMeasure {
    std::string_view prefix, stands; ///< "parameter.", "NAME"
    std::string_view meaning;
    bool word = false;
    Nature nature = Nature::Result;
    bool finished = false, live = false;
};
std::span<const PrefixedMeasure> prefixedMeasures();
const PrefixedMeasure* findPrefixed(std::string_view name);

/// What the parts of a function are.
enum class Parts {
    Expression,
    TimeAndExpression,
    Run,
    RunAndExpression,
    RunAndMeasure,
    TwoMeasures,
    Measure,
    EventKind,
    Slope
};
struct MeasureFunction {
    std::string_view name, parts; ///< "RUN, E"
    std::string_view meaning;
    Parts kind = Parts::Expression;
    std::size_t least = 1, most = 1; ///< how many parts
    bool word = false;
};
std::span<const MeasureFunction> measureFunctions();
/// The function with so many parts; nullptr where there is none.
const MeasureFunction* findFunction(const MeasureCall& call);

/// Whether what is written is a word and not a number, judged by its text alone.
bool isWord(const std::string& text);
/// What makes it change, judged by its text alone: columns are results, a function is what its parts are.
Nature natureOf(const std::string& text);
bool isAvailable(const NamedMeasure& measure, Place place);

/// The tables of docs/measures.md.
std::string measuresInMarkdown();

} // namespace driftless::measure
