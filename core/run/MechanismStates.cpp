#include "core/run/MechanismStates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

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

/// dT/dv at positions and velocities of a state, with what moves the coordinates as at t.
Eigen::VectorXd MechanismStates::momenta(const model::ModelState& state, double t)
{
    const model::ConstrainedSystem& s = system().system();
    std::unordered_map<expr::Symbol, double, expr::SymbolHash> values{{*expr::time().symbol(), t}};
    std::vector<expr::Symbol> velocities;
    for (std::size_t i = 0; i < s.coordinates.size(); ++i) {
        values.emplace(s.coordinates[i].q, state.q[i]);
        values.emplace(s.coordinates[i].v, state.v[i]);
        velocities.push_back(s.coordinates[i].v);
    }
    for (std::size_t i = 0; i < s.parameters.size(); ++i)
        values.emplace(s.parameters[i].symbol, metrics().evaluator().parameters()[i]);
    const auto valueOf = [&values](const expr::Symbol& symbol) -> std::optional<double> {
        const auto found = values.find(symbol);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    if (momenta_.empty()) {
        expr::Substitution rates; // q' = Z v
        for (const model::Coordinate& c : s.coordinates)
            rates.emplace(*expr::variable(c.name, 1).symbol(), c.rate);
        momenta_ = expr::gradient(expr::substitute(s.lagrangian->kinetic, rates), velocities);
    }
    Eigen::VectorXd out(static_cast<Eigen::Index>(momenta_.size()));
    for (std::size_t i = 0; i < momenta_.size(); ++i)
        out(static_cast<Eigen::Index>(i)) =
            expr::evaluate(momenta_[i], valueOf).value_or(std::numeric_limits<double>::quiet_NaN());
    return out;
}

/// Momenta do not jump there, but for impulses of the constraints: p + G^T mu is the same on both sides, p = dT/dv. Its part
/// that does not vanish at rest has the rate of an input, which jumps, as the equations have its second derivative ([DN]
/// (3.22)).
Result<model::ModelState> MechanismStates::behindCorner(const model::ModelState& state)
{
    const model::ConstrainedSystem& s = system().system();
    if (!s.lagrangian)
        return state;
    const double before = std::nextafter(state.t, -std::numeric_limits<double>::infinity());
    const Eigen::VectorXd jump = momenta(state, state.t) - momenta(state, before);
    if (jump.isZero(0))
        return state;
    Diagnostic unknown{.what = "The velocities behind the corner of an input cannot be computed",
                       .where = "t = " + plain(state.t),
                       .why = "the momenta have no value there",
                       .remedy = "an input without the corner, such as a table with between = \"spline\""};
    if (!jump.allFinite())
        return unknown;
    model::ModelState out = state;
    model::SystemEvaluator& evaluator = metrics().evaluator();
    std::vector<double> rates(static_cast<std::size_t>(s.m()));
    model::SystemEvaluator::Measures now;
    if (!evaluator.constraintRates(before, state.q.data(), state.v.data(), rates.data())
        || !evaluator.measures(state.t, state.q.data(), state.v.data(), state.lambda.data(), now)) {
        unknown.why = evaluator.message();
        return unknown;
    }
    const Eigen::Index n = s.n(), m = s.m();
    Eigen::MatrixXd saddle = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd side(n + m);
    side.head(n) = -jump;
    for (std::size_t k = 0; k < now.mass.size(); ++k)
        saddle(system().massPlaces()[k].row, system().massPlaces()[k].column) = now.mass[k];
    for (std::size_t k = 0; k < now.jacobian.size(); ++k) {
        const solve::MatrixPlace& place = system().jacobianPlaces()[k];
        saddle(n + place.row, place.column) = saddle(place.column, n + place.row) = now.jacobian[k];
    }
    for (Eigen::Index i = 0; i < m; ++i)
        side(n + i) = rates[static_cast<std::size_t>(i)] - now.rates[static_cast<std::size_t>(i)];
    const Eigen::VectorXd change = solve::leastSquares(saddle, side);
    constexpr double kSolved = 1e-8; // of the sides: constraints that follow from others leave round-off
    if (!((saddle * change - side).norm() <= kSolved * side.norm())) {
        unknown.why = "no velocities keep the momenta and meet the constraints";
        return unknown;
    }
    for (Eigen::Index i = 0; i < n; ++i)
        out.v[static_cast<std::size_t>(i)] += change(i);
    return out;
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
