// annotation(__Driftless(table = {{0, 0}, {1, 2}}, between = "held")) or (file = "drive.csv", column = "u") of an input.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Expr.h"

namespace driftless::model {

struct TableInput {
    expr::Expr value; ///< over t
    std::vector<double> corners, knots;
    std::string unit;       ///< of a file's header
    std::string file, text; ///< where it comes from one
};

/// text: from the word annotation to the end of the component; at: where one of its bytes stands. name: of the input, and of
/// the column unless another is named. model: path of the text, beside which files lie.
Result<TableInput> readInputAnnotation(std::string_view text, const std::function<SourcePosition(std::size_t)>& at,
                                       const std::string& name, const std::string& model);

} // namespace driftless::model
