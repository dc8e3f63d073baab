// Constraints that follow from others, in a form that carries them: which they are, and which multipliers are not determined
// one by one.
//
//   G^T lambda is determined by the motion, lambda only up to the kernel of G^T: a vector of that kernel has entries at a
//   redundant row and at those that it follows from. What a form shows there is one of many (Garcia de Jalon and
//   Gutierrez-Lopez 2013).
#include "core/consistency/Doctor.h"
#include "core/formulation/Formulation.h"
#include "core/run/RunImpl.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ConstraintRows.h"
#include "core/system/Misfit.h"
#include "core/text/Names.h"

#include <algorithm>
#include <limits>

namespace driftless::run {

namespace {

constexpr int kExplained = 300; ///< coordinates up to which the dependent sets are computed: dense, n^3
constexpr double kPerhapsDependent =
    0.05; ///< what is left of a row, other scales than ConstraintRows.h: a straight chain of m links has 1/m
constexpr double kRound = 1e-13; ///< pivots of M below are round-off

} // namespace

void Run::Impl::nameRedundant()
{
    const auto formulation = formulation::requireFormulation(core->settings.formulation);
    if (!formulation || (*formulation)->info().fullRank || system->m() == 0) // those of full rank refuse redundant rows
        return;
    if (!loadTracks(state.t, state.q.data(), false))
        return;
    std::vector<int> rows = velocities.chooser.dependentRows();
    if (rows.empty())
        return;
    const model::ConstrainedSystem& s = system->system();
    RedundantConstraints said{.among = system->m(), .names = constraintNames(rows), .explained = {}, .undetermined = {}};
    std::vector<int> open = rows;
    if (system->n() <= kExplained) {
        consistency::Request request;
        request.t = state.t;
        request.q = state.q;
        request.v = state.v;
        request.qFixed.assign(state.q.size(), true);
        request.vFixed = request.qFixed;
        request.lambda = state.lambda;
        request.allowInconsistent = true;
        for (const auto& r : consistency::diagnose(system, core->parameters, request).redundant) {
            said.explained.push_back(consistency::rowOf(s, r));
            open.insert(open.end(), r.dependsOn.begin(), r.dependsOn.end());
            open.push_back(r.constraint);
        }
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    said.undetermined = constraintNames(open);
    addEvent(std::move(said));
}

/// Rows that follow from others but for dimensions that miss by a little: no place meets all of them, or one far away at which
/// nothing moves.
Result<void> Run::Impl::refuseMisfit(const consistency::Request& request, const std::vector<double>& parameters)
{
    if (system->holonomic() < 2 || system->n() > model::kMostSetAside)
        return {};
    // The exact decision costs as much as reading the model; most mechanisms are far from it.
    if (!metrics.evaluator().positionJacobian(request.t, request.q.data(), positionValues.data()))
        return {};
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(system->holonomic(), system->n());
    const auto places = system->positionJacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        G(places[k].row, places[k].column) +=
            positionValues[k] * metrics.scales().positions[static_cast<std::size_t>(places[k].column)];
    G = (G.rowwise().norm().cwiseMax(std::numeric_limits<double>::min()).cwiseInverse().asDiagonal() * G).eval();
    if (G.rows() <= G.cols() && model::RowRank(G).rank(kPerhapsDependent) == G.rows())
        return {};
    const auto misfit = model::findMisfit(system->system(), request.t, request.q, parameters);
    return misfit ? Result<void>{model::inWords(*misfit)} : Result<void>{};
}

/// A structure is a model, too, but nobody should wait for it to move.
void Run::Impl::nameRigid()
{
    const model::ConstrainedSystem& s = system->system();
    if (s.n() == 0 || metrics.general() || !loadTracks(state.t, state.q.data(), false))
        return;
    const auto driven = [](const model::Constraint& c) { return expr::dependsOn(c.g, *expr::time().symbol()); };
    // Of the positions alone: a nonholonomic row may prescribe a speed, and then all moves.
    const int rank = s.holonomic() - static_cast<int>(positions.chooser.dependentRows().size());
    if (rank < s.n() || std::any_of(s.constraints.begin(), s.constraints.end(), driven))
        return;
    addEvent(NoFreedom{.coordinates = s.n(), .rank = rank});
}

/// A quaternion has no inertia along itself: forms that solve with M alone, not with M and the constraints together, cannot
/// carry it.
Result<void> Run::Impl::refuseSingularMass(const std::string& id, const model::ModelState& from)
{
    const int n = system->n();
    const formulation::Formulation* form = formulation::findFormulation(id);
    if (n == 0 || n > kExplained || !form || !form->info().massAlone)
        return {};
    if (!metrics.evaluator().mass(from.t, from.q.data(), massValues.data()))
        return {}; // whoever needs it will say why
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    const auto places = system->massPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        M(places[k].row, places[k].column) = massValues[k];
    // In nominal sizes, so that kilograms beside moments of inertia count alike in all units.
    const Eigen::VectorXd own = Eigen::Map<const Eigen::VectorXd>(metrics.scales().moves.data(), n);
    M = own.asDiagonal() * M * own.asDiagonal();
    const Eigen::VectorXd ranks = Eigen::LDLT<Eigen::MatrixXd>(M).vectorD().cwiseAbs();
    if (ranks.minCoeff() > kRound * ranks.maxCoeff())
        return {};
    return Diagnostic{id + " needs a mass matrix that can be inverted",
                      "t = " + plain(from.t),
                      "M is positive definite only on the velocities that the constraints allow (a quaternion has no inertia "
                      "along itself), and this form solves "
                      "with it alone",
                      "a form that solves for accelerations and multipliers together, such as dummy-derivatives, index-1 or "
                      "ggl; or angles, orientation = \"zxz\"",
                      {}};
}

} // namespace driftless::run
