// The numbers of a constrained system: M, f, g and its derivatives, energies, chart and scene points as tapes.
//
// Everything that judges a run (residuals at three levels, energy, projection, consistency, pivots) is computed from
// here, from the model and never from the formulation that is being integrated.
//   g            position constraints                        the holonomic ones, h <= m
//   G            dg/dq                                       h x n, sparse
//   W            d(g', psi)/dv = [G Z; psi_v]                m x n, sparse; G itself where q' = v and all are holonomic
//   g'           velocity constraints: G Z v + g_t, psi       m
//   g'' = W a + gamma(q, v, t)                               m
// lambda stands for ModelState::lambda: multipliers, dynamic variables, efforts (w numbers).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Tape.h"
#include "core/solve/MatrixPlace.h"
#include "core/system/Model.h"
#include "core/system/State.h"

namespace driftless::model {

class CompiledSystem {
public:
    static Result<std::shared_ptr<const CompiledSystem>> compile(std::shared_ptr<const Model> model);

    const Model& model() const { return *model_; }
    const std::shared_ptr<const Model>& modelHandle() const { return model_; }
    const ConstrainedSystem& system() const { return model_->system; }
    int n() const { return model_->system.n(); }
    int m() const { return model_->system.m(); }
    int holonomic() const { return holonomic_; }
    int w() const { return model_->system.w(); }
    int dynamics() const { return static_cast<int>(model_->system.dynamics.size()); }
    int efforts() const { return static_cast<int>(model_->system.efforts.size()); }
    bool plainRates() const { return plainRates_; }
    /// Whether the power outside the potential needs multipliers or efforts.
    bool powerNeedsForces() const { return powerNeedsForces_; }
    int parameterCount() const { return static_cast<int>(model_->system.parameters.size()); }
    /// Values as the file states them.
    std::vector<double> defaultParameters() const;

    std::span<const solve::MatrixPlace> massPlaces() const { return massPlaces_; }
    std::span<const solve::MatrixPlace> jacobianPlaces() const { return jacobianPlaces_; }                 ///< of W
    std::span<const solve::MatrixPlace> positionJacobianPlaces() const { return positionJacobianPlaces_; } ///< of G
    std::span<const solve::MatrixPlace> dragPlaces() const { return dragPlaces_; } ///< of D: constraint, coordinate
    std::span<const solve::MatrixPlace> rateSlopePlaces() const                    ///< of L = d(g', psi)/dq
    {
        demand(Part::RateSlope);
        return rateSlopePlaces_;
    }
    /// Of each output: whether it depends on accelerations.
    std::span<const char> outputsOfAccelerations() const { return outputsOfAccelerations_; }
    int scenePointCount() const;

private:
    friend class SystemEvaluator;
    /// The tapes, each over the banks {t}, q (or s), v (or s'), lambda, parameters.
    enum class Part {
        Mass,
        Force,
        Constraint,
        PositionJacobian,
        Jacobian,
        Drag,
        RateSlope,
        CoordinateRate,
        Rate,
        Gamma,
        Energy,
        Power,
        Measures,
        Effort,
        EffortJacobian,
        ChartMap,
        ChartInverse,
        Scene,
        Arrows,
        Velocities,
        Starts,
        Outputs, ///< the only one that holds accelerations: in a sixth bank
        Count
    };
    static constexpr std::size_t kParts = static_cast<std::size_t>(Part::Count);
    /// Those that Part::Measures consists of, in its order.
    static constexpr Part kMeasured[] = {Part::Mass,       Part::Jacobian, Part::Force, Part::Gamma,
                                         Part::Constraint, Part::Rate,     Part::Drag,  Part::Energy};
    /// What a run does not ask for. Of a large system it is compiled when somebody does: the window that draws it.
    static constexpr Part kOnDemand[] = {Part::RateSlope, Part::Energy, Part::Scene, Part::Arrows, Part::Velocities};
    struct Demand {
        std::once_flag once;
        std::atomic<bool> waits{false};
        std::optional<Diagnostic> problem; ///< why there is no tape
    };
    const expr::Tape& tape(Part part) const
    {
        demand(part);
        return tapes_[static_cast<std::size_t>(part)];
    }
    bool waits(Part part) const { return demands_[static_cast<std::size_t>(part)].waits.load(std::memory_order_acquire); }
    void demand(Part part) const
    {
        if (waits(part))
            compileOnDemand(part);
    }
    void compileOnDemand(Part part) const;
    std::vector<expr::Expr> outputsOnDemand(Part part) const;
    Result<void> compilePart(Part part, std::span<const expr::Expr> outputs) const;

    std::shared_ptr<const Model> model_;
    std::vector<solve::MatrixPlace> massPlaces_, jacobianPlaces_, positionJacobianPlaces_, dragPlaces_;
    mutable std::vector<solve::MatrixPlace> rateSlopePlaces_;
    int holonomic_ = 0;
    bool plainRates_ = true, powerNeedsForces_ = false;
    std::vector<char> outputsOfAccelerations_;
    mutable std::array<expr::Tape, kParts> tapes_;
    mutable std::array<Demand, kParts> demands_; ///< those of kOnDemand: then a tape is made once, whoever asks first
};

/// Evaluates a CompiledSystem for given parameters; one per thread. All pointers address n, m or the stated number of
/// values. A false return means a value left its domain; message() says which expression.
class SystemEvaluator {
public:
    explicit SystemEvaluator(std::shared_ptr<const CompiledSystem> compiled);

    const CompiledSystem& compiled() const { return *compiled_; }
    void setParameters(std::span<const double> values);
    std::span<const double> parameters() const { return parameters_; }

    bool mass(double t, const double* q, double* values); ///< massPlaces().size() numbers
    bool force(double t, const double* q, const double* v, const double* lambda, double* f);
    bool constraints(double t, const double* q, double* g);                     ///< holonomic() numbers
    bool positionJacobian(double t, const double* q, double* values);           ///< positionJacobianPlaces().size() numbers
    bool jacobian(double t, const double* q, double* values);                   ///< jacobianPlaces().size() numbers
    bool drag(double t, const double* q, double* values);                       ///< dragPlaces().size() numbers
    bool rateSlope(double t, const double* q, const double* v, double* values); ///< rateSlopePlaces().size() numbers
    bool coordinateRates(double t, const double* q, const double* v, double* rates); ///< q' = Z v
    bool constraintRates(double t, const double* q, const double* v, double* gRate);
    bool gamma(double t, const double* q, const double* v, double* gamma);

    struct Energy {
        double kinetic = 0;   ///< [J]
        double potential = 0; ///< [J]
        double power = 0;     ///< [W] of forces outside the potential
        double carried = 0;   ///< [J] ConstrainedSystem::carried
        double all() const { return kinetic + potential + carried; }
    };
    bool energy(double t, const double* q, const double* v, const double* lambda, Energy& out);
    bool power(double t, const double* q, const double* v, const double* lambda, double& out); ///< [W], that of Energy

    /// All that a state of a run is judged by. Sizes as above; the numbers stay until the next evaluation.
    struct Measures {
        std::span<const double> mass, jacobian, force, gamma, constraints, rates, drag;
        Energy energy;
    };
    /// In one evaluation, which computes once what its parts have in common.
    bool measures(double t, const double* q, const double* v, const double* lambda, Measures& out);
    /// Gamma (efforts() numbers) and Gamma_e (efforts() squared, row by row).
    bool effortEquations(double t, const double* q, const double* v, const double* lambda, double* values, double* jacobian);

    /// q, v from minimal coordinates s, s' (chart only).
    bool fromChart(double t, const double* s, const double* ds, double* q, double* v);
    /// s from q on the manifold, s' along v.
    bool toChart(double t, const double* q, const double* v, double* s, double* ds);

    /// The initial values stated by the file, as functions of the current parameters; extra: dynamic variables and efforts.
    bool starts(double* q, double* v, double* extra);

    /// x, y, z of every point of every Visual in order: scenePointCount() triples [m]. values: of a general DAE.
    bool scene(double t, const double* q, double* xyz, const double* values = nullptr);
    /// For every ForceArrow in order: x, y, z of its point [m], then the force [N]: six numbers each.
    bool arrows(double t, const double* q, const double* lambda, double* values);
    /// For every VelocityArrow in order: x, y, z of its point [m], then the velocity [m/s].
    bool velocityArrows(double t, const double* q, const double* v, double* values);
    /// Every Output in order; NaN for one that leaves its domain here, which is nobody's failure.
    void outputs(double t, const double* q, const double* v, const double* a, const double* lambda, double* values);

    const std::string& message() const { return message_; }

private:
    bool run(CompiledSystem::Part part, double t, const double* q, const double* v, const double* lambda, double* out);
    std::shared_ptr<const CompiledSystem> compiled_;
    std::vector<double> parameters_;
    std::array<expr::TapeWorkspace, CompiledSystem::kParts> workspaces_;
    std::array<bool, CompiledSystem::kParts> ready_{}; ///< workspaces
    std::vector<double> pair_;                         ///< room for outputs that come in two halves
    std::vector<double> measured_;                     ///< those of measures()
    std::string message_;
};

} // namespace driftless::model
