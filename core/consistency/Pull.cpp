#include "core/consistency/Pull.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/solve/DenseDecompositions.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSameShare = 0.99;  ///< reactions this near to the largest count as equal
constexpr double kNoShare = 1e-6;    ///< of the pull: below, a joint does not resist

} // namespace

std::string holdingJoint(model::SystemEvaluator& evaluator, const NearestRequest& request, const model::ModelState& reached, const std::string& except)
{
    const model::CompiledSystem& system = evaluator.compiled();
    const Index n = system.n(), h = system.holonomic();
    std::vector<double> values(system.positionJacobianPlaces().size());
    if (h == 0 || !evaluator.positionJacobian(reached.t, reached.q.data(), values.data()))
        return {};
    MatrixXd G = MatrixXd::Zero(h, n);
    for (std::size_t k = 0; k < values.size(); ++k)
        G(system.positionJacobianPlaces()[k].row, system.positionJacobianPlaces()[k].column) = values[k];
    VectorXd pull = VectorXd::Zero(n); // of what was not asked for the weight is small, and so is its part
    for (Index j = 0; j < n; ++j)
        if (const auto k = static_cast<std::size_t>(j); request.qAsked[k])
            pull(j) = request.q[k] - reached.q[k];
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(G.transpose());
    const VectorXd mu = solver.solve(pull);
    std::map<std::string, VectorXd> reactions;
    std::map<std::string, bool> grounded;
    const auto& constraints = system.system().constraints;
    for (Index i = 0; i < h; ++i) {
        const model::Constraint& c = constraints[static_cast<std::size_t>(i)];
        const std::string& name = c.joint.empty() ? c.name : c.joint;
        if (name == except)
            continue;
        auto [at, fresh] = reactions.try_emplace(name, VectorXd::Zero(n));
        at->second += mu(i) * G.row(i).transpose();
        grounded[name] = std::find(c.bodies.begin(), c.bodies.end(), "ground") != c.bodies.end();
    }
    double most = kNoShare * pull.norm();
    std::string found;
    for (const auto& [name, reaction] : reactions)
        if (reaction.norm() > most) {
            most = reaction.norm();
            found = name;
        }
    for (const auto& [name, reaction] : reactions)
        if (!found.empty() && grounded[name] && reaction.norm() >= kSameShare * most)
            return name;
    return found;
}

} // namespace driftless::consistency
