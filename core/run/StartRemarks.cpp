// Redundant constraints in a form that carries them: which they are, and which multipliers are not determined one by one.
//
//   G^T lambda is determined by the motion, lambda only up to the kernel of G^T: a vector of that kernel has entries at a
//   redundant row and at those that it follows from. What a form shows there is one of many (Garcia de Jalon and
//   Gutierrez-Lopez 2013).
#include "core/run/StartRemarks.h"

#include <algorithm>

#include "core/consistency/Doctor.h"
#include "core/formulation/Formulation.h"

namespace driftless::run {

namespace {

constexpr int kExplained = 300; ///< coordinates up to which the dependent sets are computed: dense, n^3

std::optional<RedundantConstraints> redundantOnes(const Core& core, ConstraintMatrices& matrices,
                                                  const model::ModelState& state)
{
    const auto& system = matrices.system();
    const auto formulation = formulation::requireFormulation(core.settings.formulation);
    if (!formulation || (*formulation)->info().fullRank || system.m() == 0) // those of full rank refuse redundant rows
        return std::nullopt;
    if (!matrices.load(state))
        return std::nullopt;
    std::vector<int> rows = matrices.velocities().dependentRows();
    if (rows.empty())
        return std::nullopt;
    const model::ConstrainedSystem& s = system.system();
    RedundantConstraints said{.among = system.m(), .names = constraintNames(s, rows), .explained = {}, .undetermined = {}};
    std::vector<int> open = rows;
    if (system.n() <= kExplained) {
        consistency::Request request;
        request.t = state.t;
        request.q = state.q;
        request.v = state.v;
        request.qFixed.assign(state.q.size(), true);
        request.vFixed = request.qFixed;
        request.lambda = state.lambda;
        request.allowInconsistent = true;
        for (const auto& r : consistency::diagnose(matrices.systemHandle(), core.parameters, request).redundant) {
            said.explained.push_back(consistency::rowOf(s, r));
            open.insert(open.end(), r.dependsOn.begin(), r.dependsOn.end());
            open.push_back(r.constraint);
        }
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    said.undetermined = constraintNames(s, open);
    return said;
}

/// A structure is a model, too, but nobody should wait for it to move.
std::optional<NoFreedom> noFreedom(ConstraintMatrices& matrices, const model::ModelState& state)
{
    const model::ConstrainedSystem& s = matrices.system().system();
    if (s.n() == 0 || matrices.metrics().general() || !matrices.load(state))
        return std::nullopt;
    const auto driven = [](const model::Constraint& c) { return expr::dependsOn(c.g, *expr::time().symbol()); };
    // Of the positions alone: a nonholonomic row may prescribe a speed, and then all moves.
    const int rank = s.holonomic() - static_cast<int>(matrices.positions().dependentRows().size());
    if (rank < s.n() || std::any_of(s.constraints.begin(), s.constraints.end(), driven))
        return std::nullopt;
    return NoFreedom{.coordinates = s.n(), .rank = rank};
}

} // namespace

std::vector<EventDetail> startRemarks(const Core& core, ConstraintMatrices& matrices, const model::SetAsideWalk& walk,
                                      const model::ModelState& state)
{
    std::vector<EventDetail> out;
    const auto& dependent = matrices.system().system().dependent;
    if (!dependent.empty())
        out.push_back(
            ConstraintsSetAside{.rows = dependent, .confirmed = walk.holds, .moves = walk.moves, .places = walk.places});
    if (auto redundant = redundantOnes(core, matrices, state))
        out.push_back(std::move(*redundant));
    if (const auto rigid = noFreedom(matrices, state))
        out.push_back(*rigid);
    return out;
}

} // namespace driftless::run
