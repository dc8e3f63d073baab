// A Runge-Kutta tableau as its TOML file states it: A, b, optionally c, b_embedded, name and source. Entries are numbers or
// constant expressions: "1/3", "(3 - sqrt(3))/6".
#pragma once

#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/integrate/Tableau.h"
#include "core/text/Budget.h"

namespace driftless::run {

struct TableauLimits {
    std::size_t maxBytes = budget::kTableauBytes;
    std::size_t maxEntry = budget::kTableauEntry; ///< characters of one expression
};

/// Sizes fit and all entries are finite; whether it is a method says integrate::methodFrom(). Without c, row sums.
Result<integrate::RungeKuttaTableau> readTableau(std::string_view text, const std::string& file,
                                                 const TableauLimits& limits = {});
/// Reads a regular file.
Result<integrate::RungeKuttaTableau> openTableau(const std::string& path, const TableauLimits& limits = {});
/// The same tableau as text, entries to the last bit, or exactly.
std::string writeTableau(const integrate::RungeKuttaTableau& tableau);
std::string writeTableau(const integrate::ExactTableau& tableau);

/// The text, or the file, as a method to integrate with from now on; its id (integrate::addOwnMethod()).
Result<std::string> addTableau(std::string_view text, const std::string& file);
Result<std::string> addTableauFile(const std::string& path);

} // namespace driftless::run
