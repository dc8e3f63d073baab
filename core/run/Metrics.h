// What judges a run, computed from the model whatever the formulation: residuals of the constraints at three levels,
// energy and the work of the forces outside the potential.
//
//   g, g' = G v + g_t, g'' = G a + gamma      max norms; a from M a = f - G^T lambda with the run's own lambda, or, where
//                                             the form has none, with the lambda that makes g'' vanish (KKT)
//   energy error = E(t) - E(0) - W(t), E = T + V [J]
//   W = int P dt [J], P the power outside the potential: Gauss-Lobatto with four points (exact to degree 5) over each
//   accepted step, on the quintic Hermite interpolant of q, q', q'' at both ends. Interpolated velocities are O(h^5), so
//   W is of order 5 in the step. Multipliers and efforts in the power (moving constraints, drives) are solved for at the
//   inner states. Where q' = Z v, those are cubic Hermite interpolants of q and v.
//   A method whose dense output is of degree 5 or above (Interval::followsMethod) takes steps over which no such interpolant
//   holds. There the states are those of the dense output, and the four points are followed by Kronrod's seven and thirteen
//   (Gander and Gautschi, BIT 40, 2000), then by halves, until the error of the rule is small beside that of the method.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/consistency/Consistency.h"
#include "core/reduction/Reduced.h"
#include "core/run/Interval.h"
#include "core/run/RunStatus.h"
#include "core/system/CompiledSystem.h"
#include "core/system/DependentRows.h"
#include "core/system/DependentVelocities.h"
#include "core/system/State.h"

namespace driftless::run {

class Metrics {
public:
    explicit Metrics(std::shared_ptr<const model::CompiledSystem> system);

    /// Cheap where they are the present ones.
    void setParameters(std::span<const double> values);
    /// The equations of a general DAE, null for mechanisms. They have no energy: it is NaN. Their norms are those of the
    /// equations, once and twice differentiated, of the rows that Reduced::judged names.
    reduction::ReducedEvaluator* general() { return general_.get(); }
    bool conservative() const { return conservative_; } ///< no power of forces is integrated

    /// Completes a (and lambda unless given) and computes the norms and the energy of a state. False: a value left its
    /// domain, see message().
    bool measure(model::ModelState& state, bool lambdaGiven);
    /// Accelerations of a state of a mechanism, and its multipliers where they are not given. What was measured last stays.
    /// False where they cannot be solved.
    bool complete(model::ModelState& state, bool lambdaGiven);
    /// Adds the work between two measured states; both need a.
    bool accumulate(const Interval& interval);
    /// Takes the work added last away again: its interval does not count.
    void takeBack() { balance_.work = balance_.before; }
    /// The energy balance starts here: E(0) = present energy, W = 0, and the error counts on from offset.
    void restartBalance(double offset = 0);
    /// Takes up an earlier balance at the present state: E(0) = reference, and W such that the error is as given.
    void resumeBalance(double reference, double error);
    double reference() const { return balance_.reference; }
    /// [J] where the balance began, or where this mode was first in force.
    const model::SystemEvaluator::Energy& energyBefore() const { return balance_.energy; }

    const ResidualNorms& norms() const { return norms_; }
    /// The first two of them in units of what the rows usually amount to, so that one limit serves every system of units.
    double relativePosition() const { return relative_.position; }
    double relativeVelocity() const { return relative_.velocity; }
    /// g of the measured state: rows on positions come first among the multipliers, too.
    std::span<const double> constraints() const { return constraints_; }
    double energy() const { return energy_.all(); }
    double kineticEnergy() const { return energy_.kinetic; }
    double potentialEnergy() const { return energy_.potential; }
    double work() const { return balance_.work; }
    double energyError() const { return energy() - balance_.reference - balance_.work + balance_.offset; }
    /// Nonzeros of W at a state, on CompiledSystem::jacobianPlaces(), where it is the one that was measured last; else nothing.
    std::span<const double> jacobianAt(double t, std::span<const double> q) const
    {
        return t == measured_.t && std::ranges::equal(q, measured_.q) ? std::span<const double>(measured_.jacobian)
                                                                      : std::span<const double>();
    }
    /// g of the rows set aside at another state, with the present parameters; until a state is measured again.
    bool measureSetAside(double t, std::span<const double> q) { return aside_.evaluate(t, q, evaluator_.parameters()); }
    /// g of the rows set aside at the measured state.
    std::span<const double> setAside() const { return aside_.values(); }
    /// Of the rows on velocities that were set aside, against their terms at the usual velocities.
    std::span<const double> velocityShares() const { return asideVelocities_.shares(); }
    std::span<const double> velocitiesSetAside() const { return asideVelocities_.values(); }
    const std::string& message() const { return message_; }

    model::SystemEvaluator& evaluator() { return evaluator_; }
    consistency::ConsistencySolver& solver() { return solver_; }
    /// How large the quantities of the model usually are, with the present parameters.
    const model::NominalScales& scales() const { return solver_.scales(); }

private:
    bool measureGeneral(const model::ModelState& state);
    bool power(double t, const double* q, const double* v, const double* lambda, double& out);
    bool innerPower(const Interval& interval, double s, double& out);
    bool innerMotion(const Interval& interval, double s);
    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator evaluator_;
    consistency::ConsistencySolver solver_;
    model::SetAsideRows aside_;
    model::SetAsideVelocities asideVelocities_;
    std::vector<double> constraints_, rows_, q_, v_, a_, lambda_, inside_, fromRate_, toRate_;
    struct Measured {
        double t = std::numeric_limits<double>::quiet_NaN(); ///< [s]
        std::vector<double> q, jacobian;
    } measured_;
    ResidualNorms norms_, relative_;
    model::SystemEvaluator::Energy energy_;
    bool conservative_ = false;
    struct Balance {
        double reference = 0, work = 0, offset = 0; ///< [J]
        double before = 0;                          ///< work without what was added last
        model::SystemEvaluator::Energy energy{};    ///< where it began
        bool begun = false;
    } balance_;
    std::unique_ptr<reduction::ReducedEvaluator> general_;
    std::string message_;
};

} // namespace driftless::run
