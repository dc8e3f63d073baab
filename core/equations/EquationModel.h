// A general DAE as a text of equations states it.
//
// The text is a subset of Modelica: model NAME ... equation ... end NAME; with parameter Real, Real x(start =, fixed =, unit
// =), der(x), der(x, 2), time, functions, comments and description strings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/system/EquationSystem.h"
#include "core/text/Budget.h"

namespace driftless::model {

/// A variable drawn as a simple shape, from the text's annotation __Driftless(scene(...)): point(x, y), pin(x, y), rod(x1, y1,
/// x2, y2), spring(x1, y1, x2, y2), each with z beside x and y where the scene is in space.
struct EquationShape {
    std::string kind;
    std::vector<expr::Expr> coordinates; ///< two or three for each of its points
    bool space = false;
};

struct EquationModel {
    std::string name, description, text, path;
    double end = 10;                 ///< annotation(experiment(StopTime = ...))
    bool endStated = false;          ///< else a window shows its usual range
    std::optional<double> tolerance; ///< annotation(experiment(Tolerance = ...))
    EquationSystem system;
    std::vector<EquationShape> shapes;
};

struct EquationLimits {
    std::size_t maxBytes = budget::kModelBytes;
    std::size_t maxStatements = budget::kStatements;
    int maxOrder = budget::kDerivativeOrder; ///< of a derivative in the text
};

Result<std::shared_ptr<const EquationModel>> readEquationModel(std::string_view text, const std::string& file,
                                                               const EquationLimits& limits = {});
/// Reads a regular file, or a shipped model by name.
Result<std::shared_ptr<const EquationModel>> openEquationModel(const std::string& pathOrName);
/// Whether the path ends in .mo, or the name is that of a shipped equation model and of no mechanism.
bool namesEquationModel(const std::string& pathOrName);
/// Names of the shipped equation models, sorted.
std::vector<std::string> shippedEquationModels();

} // namespace driftless::model
