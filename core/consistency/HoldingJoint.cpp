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

/// D (q* - q), D = diag(1 / S_j^2): lengths in their nominal sizes beside angles, whatever the units.
struct Pull {
    VectorXd force;  ///< of what was not asked for the weight is small, and so is its part: zero
    double size = 0; ///< of the force, in nominal units
    std::vector<solve::MatrixPlace> diagonal;
    std::vector<double> metric; ///< D
};

Pull pullOf(const NearestRequest& request, const model::ModelState& reached, const std::vector<double>& nominal)
{
    Pull out;
    out.force = VectorXd::Zero(static_cast<Index>(nominal.size()));
    for (std::size_t k = 0; k < nominal.size(); ++k) {
        const int j = static_cast<int>(k);
        out.diagonal.push_back({j, j});
        out.metric.push_back(1 / (nominal[k] * nominal[k]));
        if (!request.qAsked[k])
            continue;
        out.force(j) = out.metric[k] * (request.q[k] - reached.q[k]);
        out.size = std::hypot(out.size, out.force(j) * nominal[k]);
    }
    return out;
}

const std::string& jointOf(const model::Constraint& c) { return c.joint.empty() ? c.name : c.joint; }

/// The largest force of each joint on one of its bodies: a turning part of the reaction would count levers, not forces.
std::map<std::string, double> forcesOfJoints(const model::CompiledSystem& system, const std::vector<double>& jacobian,
                                             const VectorXd& mu, const std::vector<double>& nominal, const std::string& except)
{
    std::map<std::string, std::map<int, double>> reactions; // joint, coordinate
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
        const auto& place = system.positionJacobianPlaces()[k];
        const std::string& joint = jointOf(system.system().constraints[static_cast<std::size_t>(place.row)]);
        if (joint != except)
            reactions[joint][place.column] += mu(place.row) * jacobian[k];
    }
    std::map<std::string, double> force;
    for (const auto& [name, reaction] : reactions) {
        std::map<std::string, double> bodies; // |force|^2
        for (const auto& [j, part] : reaction)
            if (const auto& q = system.system().coordinates[static_cast<std::size_t>(j)]; expr::isLength(q.unit))
                bodies[q.body] += std::pow(part * nominal[static_cast<std::size_t>(j)], 2);
        for (const auto& [body, square] : bodies)
            force[name] = std::max(force[name], std::sqrt(square));
    }
    return force;
}

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
    const Pull pull = pullOf(request, reached, nominal);
    // mu with G^T mu nearest to the pull: [D G^T; G 0] [p; mu] = [pull; 0].
    SaddlePoint saddle(system.n(), system.holonomic(), pull.diagonal, system.positionJacobianPlaces());
    VectorXd solution = VectorXd::Zero(n + h);
    solution.head(n) = pull.force;
    if (saddle.factor(values, &pull.metric))
        saddle.solve(solution.data());
    else if (!saddle.solveSingular(values, pull.metric, solution.data()))
        return {};
    const std::map<std::string, double> force = forcesOfJoints(system, values, solution.tail(h), nominal, except);
    std::map<std::string, bool> grounded;
    for (int i = 0; i < system.holonomic(); ++i) {
        const model::Constraint& c = system.system().constraints[static_cast<std::size_t>(i)];
        grounded[jointOf(c)] = std::find(c.bodies.begin(), c.bodies.end(), "ground") != c.bodies.end();
    }
    double most = kNoShare * pull.size;
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
