#include "core/run/MechanismStates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/run/Plain.h"
#include "core/run/StartRequest.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ConstraintRows.h"
#include "core/system/DependentRows.h"
#include "core/system/Misfit.h"

namespace driftless::run {

namespace {

constexpr double kPerhapsDependent =
    0.05; ///< what is left of a row, other scales than ConstraintRows.h: a straight chain of m links has 1/m

Result<consistency::NearestRequest> wantedOf(const model::CompiledSystem& system, const SetState& c,
                                             const model::ModelState& now)
{
    const auto n = static_cast<std::size_t>(system.n());
    consistency::NearestRequest wanted;
    wanted.from = now;
    wanted.q = now.q;
    wanted.v = now.v;
    wanted.qAsked.assign(n, false);
    wanted.vAsked.assign(n, false);
    for (const auto& [name, value] : c.values) {
        const auto target = model::resolveName(system.system(), name);
        if (!target)
            return target.error();
        const auto i = static_cast<std::size_t>(target->index);
        if (target->kind == model::TargetKind::Dynamic) {
            wanted.from.lambda[static_cast<std::size_t>(system.m()) + i] = value;
            continue;
        }
        const bool position = target->kind == model::TargetKind::Position;
        (position ? wanted.q : wanted.v)[i] = value;
        (position ? wanted.qAsked : wanted.vAsked)[i] = true;
    }
    return wanted;
}

} // namespace

MechanismStates::MechanismStates(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics)
    : States(system, metrics), jacobian_(system->positionJacobianPlaces().size())
{
}

Result<model::ModelState> MechanismStates::consistent(const StartSettings& from, const std::vector<double>& parameters,
                                                      double& change)
{
    const auto request = startRequest(from, metrics().evaluator());
    if (!request)
        return request.error();
    if (!from.allowInconsistent) // else the values are taken as they stand, and penalties hold rows that contradict one another
        if (auto sound = refuseMisfit(*request, parameters); !sound)
            return sound.error();
    auto solution = metrics().solver().solve(*request);
    if (!solution)
        return solution.error();
    change = std::max(solution->report.positionChange, solution->report.velocityChange);
    solution->state.t = 0;
    return std::move(solution->state);
}

/// Rows that follow from others but for dimensions that miss by a little: no place meets all of them, or one far away at which
/// nothing moves.
Result<void> MechanismStates::refuseMisfit(const consistency::Request& request, const std::vector<double>& parameters)
{
    if (system().holonomic() < 2 || system().n() > model::kMostSetAside)
        return {};
    // The exact decision costs as much as reading the model; most mechanisms are far from it.
    if (!metrics().evaluator().positionJacobian(request.t, request.q.data(), jacobian_.data()))
        return {};
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(system().holonomic(), system().n());
    const auto places = system().positionJacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        G(places[k].row, places[k].column) +=
            jacobian_[k] * metrics().scales().positions[static_cast<std::size_t>(places[k].column)];
    G = (G.rowwise().norm().cwiseMax(std::numeric_limits<double>::min()).cwiseInverse().asDiagonal() * G).eval();
    if (G.rows() <= G.cols() && model::RowRank(G).rank(kPerhapsDependent) == G.rows())
        return {};
    const auto misfit = model::findMisfit(system().system(), request.t, request.q, parameters);
    return misfit ? Result<void>{model::inWords(*misfit)} : Result<void>{};
}

Result<model::ModelState> MechanismStates::set(const SetState& c, const model::ModelState& now,
                                               const formulation::Enforces& enforces)
{
    auto wanted = wantedOf(system(), c, now);
    if (!wanted)
        return wanted.error();
    if (c.asRecorded)
        return recorded(*wanted, enforces);
    auto solution = consistency::nearestConsistent(metrics().solver(), metrics().evaluator(), *wanted);
    return solution ? Result<model::ModelState>(std::move(solution->state)) : solution.error();
}

/// Only the levels that the form enforces are restored.
Result<model::ModelState> MechanismStates::recorded(consistency::NearestRequest& wanted, const formulation::Enforces& enforces)
{
    auto& solver = metrics().solver();
    const auto n = static_cast<std::size_t>(system().n());
    const auto metric = consistency::Metric::Mass;
    double change = 0;
    if (!enforces.position && enforces.velocity
        && !solver.projectVelocity(wanted.from.t, wanted.q.data(), wanted.v.data(), metric, change))
        return Diagnostic{
            "The earlier state cannot be brought back", "t = " + plain(wanted.from.t), solver.message(), "another time", {}};
    consistency::Request request{
        wanted.from.t, wanted.q, wanted.v, std::vector<bool>(n, false), std::vector<bool>(n, false), wanted.from.lambda};
    request.allowInconsistent = !enforces.position;
    request.metric = metric;
    auto solution = solver.solve(request);
    return solution ? Result<model::ModelState>(std::move(solution->state)) : solution.error();
}

Moved MechanismStates::between(const model::ModelState& before, const model::ModelState& after) const
{
    Moved out;
    for (std::size_t i = 0; i < after.q.size(); ++i) {
        out.positions = std::max(out.positions, std::abs(after.q[i] - before.q[i]));
        out.velocities = std::max(out.velocities, std::abs(after.v[i] - before.v[i]));
    }
    return out;
}

} // namespace driftless::run
