// A table of an input u(t): as stated in a model, or read from a CSV file beside it; and what it is between its rows.
//
//   held     u = u_k              for t_k < t <= t_k+1
//   linear   u_k + (u_k+1 - u_k) s / h,  s = t - t_k,  h = t_k+1 - t_k
//   spline   the natural cubic spline: u, u', u'' continuous, u'' = 0 at both ends     de Boor 1978, chapter IV
//
// Before the first row u is that of the first, behind the last that of the last. A piece holds up to the corner at its end and
// with it: a step that ends there sees one piece alone, and the next one begins a rounding error behind it. Every piece is a
// polynomial in t, so that an input can be differentiated as any expression.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Expr.h"

namespace driftless::model {

enum class Between { Held, Linear, Spline };
/// "held", "linear", "spline"
std::optional<Between> findBetween(std::string_view word);

struct InputTable {
    std::vector<double> t; ///< [s]
    std::vector<double> u;
    std::string unit; ///< of u, as the file's header states it
    std::string text; ///< of the file, where it comes from one
};

/// A file beside the model that an input is read from.
struct InputFile {
    std::string name, text;
    bool operator==(const InputFile&) const = default;
};

/// Two rows at least, finite numbers, times that increase. row says where a row stands, for messages.
Result<void> checkTable(const InputTable& table, const std::function<SourcePosition(std::size_t)>& row);
/// CSV: a header of names with units in brackets, "t [s], force [N]"; then numbers. The first column is the time. A person's
/// file: bounded, and refused with line and column.
Result<InputTable> readInputCsv(std::string_view text, const std::string& file, const std::string& column);
/// The same from a file that lies beside the model (whose path is `model`): its name alone, no folder. Where the model has no
/// path, in the working folder.
Result<InputTable> openInputCsv(const std::string& name, const std::string& model, const std::string& column,
                                const SourcePosition& stated);

expr::Expr inputExpression(const InputTable& table, Between between);
/// Times [s] above zero at which it jumps or has a kink. A run begins at zero.
std::vector<double> cornersOf(const InputTable& table, Between between);
/// Times [s] above zero at which its third derivative jumps: the rows of a spline.
std::vector<double> knotsOf(const InputTable& table, Between between);
/// Adds corners, sorted and each once.
void addCorners(const std::vector<double>& more, std::vector<double>& corners);

} // namespace driftless::model
