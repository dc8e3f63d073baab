// What is said of an event: what has changed at it, and why it cannot be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/reduction/Events.h"

namespace driftless::reduction {

inline constexpr double kWhole = 1e-9; ///< an Integer may miss a whole number by round-off

/// Of held variables whose values differ, the first few names.
std::string namesOfChanged(const std::vector<model::HeldVariable>& held, const std::vector<double>& before,
                           const std::vector<double>& after);

/// The first discrete variable that an event has led out of its limits. values: of the held ones; instant: "t = 0.3".
std::optional<Diagnostic> beyondLimits(const std::vector<model::HeldVariable>& held, const std::vector<double>& values,
                                       const std::string& instant);

/// Makes a number that an event sets one of the variable's kind: a whole one, or 1 and 0. An error where it is none.
std::optional<Diagnostic> takeKind(const model::HeldVariable& variable, double& number, const std::string& instant,
                                   const SourcePosition& position);

/// Whether a `when` sets this one of the held variables; others have an equation.
bool isSetByWhen(const CompiledEvents& events, std::size_t held);

/// What the conditions that have fired do, and what follows from it, contradict each other: with the values that the event gave
/// at first (`first`, of the held ones) none of them would have fired, and without them (`last`) they do.
Diagnostic undoesItself(const CompiledEvents& events, std::span<const int> fired, const std::vector<double>& first,
                        const std::vector<double>& last, const std::string& instant);

/// Values of the held ones in two passes that change each other for ever.
Diagnostic comesToNoEnd(const std::vector<model::HeldVariable>& held, const std::vector<double>& before,
                        const std::vector<double>& after, const std::string& instant);

/// Adds what is other behind an event. names: of the values, before and after begin with these; jumps: values that were
/// reinitialised.
void tellChanges(const std::vector<model::HeldVariable>& held, const std::vector<std::string>& names,
                 const std::vector<int>& jumps, const std::vector<double>& before, const std::vector<double>& after,
                 EventOutcome& out);

} // namespace driftless::reduction
