// Dimensions of expressions: which terms can be added, which arguments a function can take.
//
// Quantities without a unit, and numbers that may carry one (9.81), are wildcards: a conflict is reported only between terms of
// which both dimensions are known.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/expr/Expr.h"

namespace driftless::expr {

/// Exponents of kg, m, s, A, K, mol, cd. Angles have no dimension.
using Dimension = std::array<double, 7>;

/// "m/s2", "kg.m2/s2", "N", "mm", "1/s", "rad"; nullopt for a unit that is not known. Prefixes scale and change no dimension.
std::optional<Dimension> parseUnit(std::string_view text);
/// Whether the unit, over s^rate, is one of length: "m", "mm"; with rate 1 "m/s", "km/h".
bool isLength(std::string_view unit, int rate = 0);
/// "kg.m/s2"; "1" without a dimension.
std::string unitText(const Dimension& dimension);

/// Dimension of a symbol; nullopt where none is given.
using DimensionOf = std::function<std::optional<Dimension>(const Symbol&)>;
/// The first place where dimensions do not fit, in words that name the terms; empty when there is none.
std::string dimensionConflict(const Expr& e, const DimensionOf& dimensionOf);

} // namespace driftless::expr
