// A step of rattle or shake on a large system whose constant masses stand alone on the diagonal of M. MechanicalLobatto.cpp has
// the methods and the step of all other systems. Here both stages move with one velocity V, and Newton's iteration is left with
// the impulses K [N s] of the constraints at t_n, half of a step's each:
//
//   V = v_n + M^-1 (h/2 f(q_n, V) - G(q_n)^T K),  q_{n+1} = q_n + h V,  g(q_{n+1}) = 0
//   v_{n+1} = V + M^-1 (h/2 f(q_{n+1}, V) - G(q_{n+1})^T K')
//
// rattle chooses K' such that G v + g_t = 0 at t_{n+1}; shake takes what follows from the positions alone. The matrix
// G(q) M^-1 G(q_n)^T is that of the first guess of q. What a step finds at its end the next one begins with.
#pragma once

#include <cstdint>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/solve/ConstraintSchur.h"
#include "core/solve/Newton.h"

namespace driftless::integrate {

class EliminatedPair {
public:
    /// The state at t_n, where what follows at t_{n+1} is written, and the impulses that shake applies at both.
    struct Step {
        double t = 0, end = 0, h = 0; ///< [s]
        const double *q, *v, *a, *lambda;
        double *qEnd, *vEnd, *aEnd, *lambdaEnd;
        double lastApplied = 0; ///< length of the step that applied them [s], 0 none
        const double* applied;
        double* applying; ///< null: rattle
    };

    /// Allocates. schur: analysed for the gradient of this model, to be used by one at a time.
    void prepare(solve::MechanicalSystem& model, solve::ConstraintSchur& schur);
    bool ready() const { return model_ != nullptr; }
    /// What stands at the end of the last step is void.
    void forget() { carried_ = false; }
    /// The next step begins where the last one ended.
    void carry();
    /// Singular where the pivots are not to be relied on: a pivoting solver is to be asked.
    solve::NewtonResult attempt(const Step& step, Statistics& statistics, const std::atomic<bool>* cancel);

    // Newton's problem in K, and in V where the force reads velocities.
    bool cancelled() const { return cancel_ && cancel_->load(std::memory_order_relaxed); }
    void reset();
    bool residual();
    bool assemble();
    solve::Factorization factor();
    double correct();

private:
    bool takeMasses();
    bool begin();
    bool place();
    bool forceAt(double t, const double* q, const double* v, double* force);
    bool motionAtEnd();
    bool accelerationsAtEnd();

    solve::MechanicalSystem* model_ = nullptr;
    solve::ConstraintSchur* schur_ = nullptr;
    const std::atomic<bool>* cancel_ = nullptr;
    Statistics* statistics_ = nullptr;
    Step step_{};
    std::size_t n_ = 0, m_ = 0;
    bool readsVelocities_ = true;
    std::vector<double> inverse_;    ///< M^-1
    std::uint64_t massRevision_ = 0; ///< for which it holds
    bool massKnown_ = false;
    std::vector<double> gradient_, gradientEnd_; ///< G at t_n, t_{n+1}
    std::vector<double> fall_, fallEnd_;         ///< M^-1 f there
    std::vector<double> velocity_, impulse_;     ///< V, K
    std::vector<double> rows_, change_, mass_;   ///< of the constraints; what the first row lacks; scratch of M
    double farthest_ = 0;                        ///< of the positions
    bool carried_ = false, placed_ = false;      ///< placed_: q_{n+1} and g belong to V
};

} // namespace driftless::integrate
