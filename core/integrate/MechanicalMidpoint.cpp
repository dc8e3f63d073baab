// The variational midpoint rule on M(q) v' = f - G^T lambda, g(q) = 0 (Marsden and West, Acta Numerica 10 (2001) 357-514,
// sections 1.5 and 3.2; constraints: section 3.5): the discrete Lagrangian h L((q_n + q_{n+1})/2, (q_{n+1} - q_n)/h) in the
// form of positions and momenta,
//
//   M(q) V = p_n + (h/2) phi - G(q_n)^T K/2,    q = q_n + h V/2, phi = f + M' v at (q, V) and t_n + h/2
//   q_{n+1} = q_n + h V,  g(q_{n+1}) = 0
//   p_{n+1} = M(q) V + (h/2) phi - G(q_{n+1})^T K'  with K' such that G v + g_t = 0 at t_{n+1},  p = M v
//
// Symmetric and symplectic where phi = dL/dq; keeps the momenta of linear symmetries to round-off. Order 2. Forces outside L
// enter by phi, too: the discrete Lagrange-d'Alembert principle. Iterated as rattle is (MechanicalLobatto.cpp).
#include <algorithm>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/MechanicalStep.h"

namespace driftless::integrate {
namespace {

constexpr int kMidpointIterations = 100; ///< linear convergence: 16 digits at a contraction of 0.7
constexpr int kMidpointPatience = 12;    ///< another matrix of the same kind would hardly be better

class VariationalMidpoint final : public MechanicalIntegrator {
public:
    explicit VariationalMidpoint(const IntegratorInfo& info) : MechanicalIntegrator(info) {}

    // Newton's problem in V and K/2.
    bool cancelled() const { return Integrator::cancelled(); }
    void reset()
    {
        for (std::size_t k = 0; k < n(); ++k)
            middle_.v[k] = vOld()[k] + h_ / 2 * yp_[n() + k];
        for (std::size_t k = 0; k < m(); ++k)
            impulse_[k] = h_ / 2 * y_[2 * n() + k];
    }
    bool residual()
    {
        if (!place() || !momentumForceAt(middle_))
            return false;
        halfMomentum();
        std::copy(half_.begin(), half_.end(), side_.begin());
        addMass(middle_, -1, middle_.v.data(), side_.data());
        for (std::size_t k = 0; k < m(); ++k)
            side_[n() + k] = -end_.g[k] / h_;
        return true;
    }
    bool assemble()
    {
        ++statistics_.jacobianEvaluations;
        return place() && model().gradient(end_.t, end_.q.data(), end_.gradient.data());
    }
    solve::Factorization factor() { return factorSaddle(middle_, end_).matrix; }
    double correct()
    {
        ++statistics_.newtonIterations;
        solveSaddle(side_.data());
        // The round-off of g divided by h stands in the velocities, the same times M in the impulses.
        const double scale = std::min(1.0, h_);
        double largest = 0;
        for (std::size_t k = 0; k < n() + m(); ++k) {
            double& value = k < n() ? middle_.v[k] : impulse_[k - n()];
            value += side_[k];
            if (const double size = std::abs(scale * side_[k]) / (1 + std::abs(value)); !(size <= largest))
                largest = size;
        }
        return largest;
    }

private:
    void allocateStages() override
    {
        for (Point* point : {&middle_, &end_})
            sizePoint(*point);
        side_.assign(n() + m(), 0.0);
        impulse_.assign(m(), 0.0);
        for (auto* v : {&momentum_, &half_})
            v->assign(n(), 0.0);
    }

    bool place()
    {
        for (std::size_t k = 0; k < n(); ++k) {
            middle_.q[k] = qOld()[k] + h_ / 2 * middle_.v[k];
            end_.q[k] = qOld()[k] + h_ * middle_.v[k];
        }
        return model().mass(middle_.t, middle_.q.data(), middle_.mass.data())
               && model().constraint(end_.t, end_.q.data(), end_.g.data());
    }

    /// p_n + (h/2) phi - G(q_n)^T K/2; the gradient of middle_ is that at q_n.
    void halfMomentum()
    {
        for (std::size_t k = 0; k < n(); ++k)
            half_[k] = momentum_[k] + h_ / 2 * middle_.force[k];
        addConstraintForce(middle_, -1, impulse_.data(), half_.data());
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        h_ = h;
        middle_.t = t() + h / 2;
        end_.t = tEnd;
        std::copy(qOld(), qOld() + n(), end_.q.begin());
        end_.t = t();
        if (!matricesAt(end_) || !model().gradient(t(), end_.q.data(), middle_.gradient.data()))
            return outsideDomain();
        end_.t = tEnd;
        std::fill(momentum_.begin(), momentum_.end(), 0.0);
        addMass(end_, 1, vOld(), momentum_.data());
        reset();
        bool factored = false;
        solve::NewtonControl control;
        control.maxIterations = kMidpointIterations;
        control.patience = kMidpointPatience;
        auto result = solve::newton(*this, factored, control);
        if (result.status != solve::NewtonStatus::Converged)
            return result;
        if (!place() || !momentumForceAt(middle_) || !matricesAt(end_))
            return outsideDomain();
        halfMomentum();
        for (std::size_t k = 0; k < n(); ++k)
            half_[k] += h / 2 * middle_.force[k];
        if (result = factorSaddle(end_, end_); result.status != solve::NewtonStatus::Converged)
            return result;
        if (result = projectMomentum(end_, half_.data()); result.status != solve::NewtonStatus::Converged)
            return result;
        return endAt(end_, h);
    }

    Point middle_, end_;
    std::vector<double> side_, impulse_, momentum_, half_;
    double h_ = 0;
};

} // namespace

std::unique_ptr<Integrator> makeVariationalMidpoint(const IntegratorInfo& info)
{
    return std::make_unique<VariationalMidpoint>(info);
}

} // namespace driftless::integrate
