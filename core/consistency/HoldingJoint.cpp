#include "core/consistency/HoldingJoint.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/consistency/SaddlePoint.h"
#include "core/expr/Units.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/NominalScales.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kSameShare = 0.99; ///< reactions this near to the largest count as equal
constexpr double kNoShare = 1e-6;   ///< of the pull: below, a joint does not resist

} // namespace

std::string holdingJoint(model::SystemEvaluator& evaluator, const NearestRequest& request, const model::ModelState& reached,
                         const std::string& except)
{
    const model::CompiledSystem& system = evaluator.compiled();
    const Index n = system.n(), h = system.holonomic();
    std::vector<double> values(system.positionJacobianPlaces().size());
    if (h == 0 || !evaluator.positionJacobian(reached.t, reached.q.data(), values.data()))
        return {};
    const std::vector<double> nominal = model::nominalScales(evaluator).positions;
    // D (q* - q), D = diag(1 / S_j^2): lengths in their nominal sizes beside angles, whatever the units.
    VectorXd pull = VectorXd::Zero(n); // of what was not asked for the weight is small, and so is its part
    double most = 0;
    std::vector<solve::MatrixPlace> diagonal;
    std::vector<double> metric;
    for (int j = 0; j < system.n(); ++j) {
        const auto k = static_cast<std::size_t>(j);
        diagonal.push_back({j, j});
        metric.push_back(1 / (nominal[k] * nominal[k]));
        if (!request.qAsked[k])
            continue;
        pull(j) = metric[k] * (request.q[k] - reached.q[k]);
        most = std::hypot(most, pull(j) * nominal[k]);
    }
    most *= kNoShare;
    // mu with G^T mu nearest to the pull: [D G^T; G 0] [p; mu] = [pull; 0].
    SaddlePoint saddle(system.n(), system.holonomic(), diagonal, system.positionJacobianPlaces());
    VectorXd solution = VectorXd::Zero(n + h);
    solution.head(n) = pull;
    if (saddle.factor(values, &metric))
        saddle.solve(solution.data());
    else if (!saddle.solveSingular(values, metric, solution.data()))
        return {};
    const VectorXd mu = solution.tail(h);
    // The force of a joint on each of its bodies: a turning part of the reaction would count levers, not forces.
    std::map<std::string, std::map<std::string, double>> squares; // joint, body: |force|^2
    std::map<std::string, std::map<int, double>> reactions;       // joint, coordinate
    std::map<std::string, bool> grounded;
    const auto& constraints = system.system().constraints;
    const auto& coordinates = system.system().coordinates;
    const auto jointOf = [&](int row) -> const std::string& {
        const model::Constraint& c = constraints[static_cast<std::size_t>(row)];
        return c.joint.empty() ? c.name : c.joint;
    };
    for (int i = 0; i < system.holonomic(); ++i) {
        const auto& bodies = constraints[static_cast<std::size_t>(i)].bodies;
        grounded[jointOf(i)] = std::find(bodies.begin(), bodies.end(), "ground") != bodies.end();
    }
    for (std::size_t k = 0; k < values.size(); ++k)
        if (const auto& place = system.positionJacobianPlaces()[k]; jointOf(place.row) != except)
            reactions[jointOf(place.row)][place.column] += mu(place.row) * values[k];
    std::map<std::string, double> force;
    for (const auto& [name, reaction] : reactions) {
        auto& bodies = squares[name];
        for (const auto& [j, part] : reaction)
            if (const auto& q = coordinates[static_cast<std::size_t>(j)]; expr::isLength(q.unit))
                bodies[q.body] += std::pow(part * nominal[static_cast<std::size_t>(j)], 2);
        for (const auto& [body, square] : bodies)
            force[name] = std::max(force[name], std::sqrt(square));
    }
    std::string found;
    for (const auto& [name, size] : force)
        if (size > most) {
            most = size;
            found = name;
        }
    for (const auto& [name, size] : force)
        if (!found.empty() && grounded[name] && size >= kSameShare * most)
            return name;
    return found;
}

} // namespace driftless::consistency
