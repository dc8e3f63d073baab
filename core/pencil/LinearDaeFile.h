// A linear DAE E x' = A x + f(t) as its TOML file states it: square E and A, f in t, optionally x0 and end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Expr.h"
#include "core/text/Budget.h"

namespace driftless::model {

/// One entry of E or A.
struct LinearEntry {
    double value = 0;
    std::string
        fraction; ///< "p/q" where the entry is rational: an integer, a float without a fractional part, or a text; else empty
};

struct LinearDaeFile {
    std::string name;
    int n = 0;
    std::vector<LinearEntry> E, A; ///< n x n, by rows
    std::vector<expr::Expr> f;     ///< n expressions in t
    std::vector<double> x0;        ///< empty when the file has none
    double end = 1;                ///< [s] up to where solutions are compared

    bool exact() const; ///< every entry has a fraction
};

struct LinearDaeLimits {
    std::size_t maxBytes = budget::kModelBytes;
    int maxUnknowns = budget::kPencilUnknowns;
    std::size_t maxDigits = budget::kExactDigits; ///< of one exact entry
};

/// Reads a regular file.
Result<LinearDaeFile> openLinearDae(const std::string& path, const LinearDaeLimits& limits = {});
Result<LinearDaeFile> readLinearDae(std::string_view text, const std::string& file, const LinearDaeLimits& limits = {});

} // namespace driftless::model
