// A partitioned half-explicit Runge-Kutta method of order five for q' = v, M v' = f - G^T lambda, G v + g_t = 0, the index-2
// form (Murua, Computing 59 (1997) 43-61; half-explicit methods: Brasey and Hairer, SIAM J. Numer. Anal. 30 (1993) 538-552;
// Arnold 1998):
//
//   Q_i = q_n + h sum_{j<i} a_ij V_j,    V_i = v_n + h sum_{j<i} a_ij A_j
//   M(Q_i) A_i = f(Q_i, V_i) - G(Q_i)^T L_i                                     at t_n + c_i h, with L_i such that
//   G(q) v + g_t = 0  for  q = q_n + h sum_{j<=i} d_ij V_j,  v = v_n + h sum_{j<=i} d_ij A_j   at t_n + e_i h
//
// a, c are the six stages of Dormand and Prince, the last row of d is their b: q_{n+1}, v_{n+1} are that last q and v. Each
// stage is one linear system [M G^T; G 0], G of the first place above and of the second below; nothing is iterated. The stages
// V_i meet no constraint, and the positions are nowhere corrected: they keep g = 0 to the error of the method, which grows with
// t. A_1 is the acceleration at t_n, from the constraint at the acceleration level; so is lambda at the end, with order five as
// well.
#include <algorithm>
#include <array>

#include "core/integrate/Makers.h"
#include "core/integrate/MechanicalStep.h"

namespace driftless::integrate {
namespace {

constexpr std::size_t kHalfExplicitStages = 6;
using Row = std::array<double, kHalfExplicitStages>;

/// a_ij and c_i (Dormand and Prince 1980, table 2).
constexpr std::array<Row, kHalfExplicitStages> kExplicit{
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}};
constexpr Row kExplicitTimes{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
/// d_ij and e_i of stages 2 to 6 (Murua 1997); the first stage has none.
constexpr std::array<Row, kHalfExplicitStages> kConstrained{
    {{},
     {3.0 / 40, 9.0 / 40},
     {21.0 / 256, 45.0 / 256, 15.0 / 128},
     {19235.0 / 98784, -225.0 / 392, 6235.0 / 6174, 2755.0 / 32928},
     {-293.0 / 1152, 85.0 / 48, -2275.0 / 1908, 35.0 / 32, -2835.0 / 6784},
     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};
constexpr Row kConstrainedTimes{0, 3.0 / 10, 3.0 / 8, 5.0 / 7, 1, 1};

class HalfExplicit final : public MechanicalIntegrator {
public:
    explicit HalfExplicit(const IntegratorInfo& info) : MechanicalIntegrator(info) {}

private:
    void allocateStages() override
    {
        for (Point* point : {&stage_, &held_})
            sizePoint(*point);
        for (std::size_t i = 0; i < kHalfExplicitStages; ++i) {
            velocities_[i].assign(n(), 0.0);
            accelerations_[i].assign(n(), 0.0);
        }
        rate_.assign(m(), 0.0);
        fresh_ = true;
    }
    void forget() override { fresh_ = true; }
    void accepted(double) override { fresh_ = false; }

    /// q_n + h sum weights_j V_j and the same of v, over the first `count` stages.
    void combine(const double* weights, std::size_t count, double h, Point& out)
    {
        for (std::size_t k = 0; k < n(); ++k) {
            double q = 0, v = 0;
            for (std::size_t j = 0; j < count; ++j) {
                q += weights[j] * velocities_[j][k];
                v += weights[j] * accelerations_[j][k];
            }
            out.q[k] = qOld()[k] + h * q;
            out.v[k] = vOld()[k] + h * v;
        }
    }

    /// The accelerations at t_n, where they do not come from the last step.
    solve::NewtonResult firstStage()
    {
        std::copy(vOld(), vOld() + n(), velocities_[0].begin());
        std::copy(yp_.begin() + static_cast<std::ptrdiff_t>(n()), yp_.begin() + static_cast<std::ptrdiff_t>(2 * n()),
                  accelerations_[0].begin());
        if (!fresh_)
            return {};
        stage_.t = t();
        std::copy(qOld(), qOld() + n(), stage_.q.begin());
        std::copy(vOld(), vOld() + n(), stage_.v.begin());
        if (!matricesAt(stage_))
            return outsideDomain();
        if (auto singular = factorSaddle(stage_, stage_); singular.status != solve::NewtonStatus::Converged)
            return singular;
        if (auto ended = endAt(stage_, 1); ended.status != solve::NewtonStatus::Converged)
            return ended;
        std::copy(saddleSide_.begin(), saddleSide_.begin() + static_cast<std::ptrdiff_t>(n()), accelerations_[0].begin());
        return {};
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        if (cancelled())
            return cancelledResult();
        if (auto first = firstStage(); first.status != solve::NewtonStatus::Converged)
            return first;
        for (std::size_t i = 1; i < kHalfExplicitStages; ++i) {
            stage_.t = kExplicitTimes[i] == 1 ? tEnd : t() + kExplicitTimes[i] * h;
            held_.t = kConstrainedTimes[i] == 1 ? tEnd : t() + kConstrainedTimes[i] * h;
            combine(kExplicit[i].data(), i, h, stage_);
            std::copy(stage_.v.begin(), stage_.v.end(), velocities_[i].begin());
            std::fill(accelerations_[i].begin(), accelerations_[i].end(), 0.0);
            combine(kConstrained[i].data(), i + 1, h, held_);
            if (auto solved = solveStage(i, h); solved.status != solve::NewtonStatus::Converged)
                return solved;
        }
        combine(kConstrained[kHalfExplicitStages - 1].data(), kHalfExplicitStages, h, held_);
        if (auto singular = factorSaddle(held_, held_); singular.status != solve::NewtonStatus::Converged)
            return singular;
        return endAt(held_, h);
    }

    /// A_i, with held_ at its q and at v without A_i; its matrices are those of t_{n+1} after the last stage.
    solve::NewtonResult solveStage(std::size_t i, double h)
    {
        ++statistics_.residualEvaluations;
        if (!matricesAt(stage_) || !matricesAt(held_)
            || !model().force(stage_.t, stage_.q.data(), stage_.v.data(), saddleSide_.data())
            || !model().constraintRate(held_.t, held_.q.data(), held_.v.data(), rate_.data()))
            return outsideDomain();
        if (auto singular = factorSaddle(stage_, held_); singular.status != solve::NewtonStatus::Converged)
            return singular;
        for (std::size_t j = 0; j < m(); ++j)
            saddleSide_[n() + j] = -rate_[j] / (h * kConstrained[i][i]);
        solveSaddle(saddleSide_.data());
        ++statistics_.newtonIterations;
        std::copy(saddleSide_.begin(), saddleSide_.begin() + static_cast<std::ptrdiff_t>(n()), accelerations_[i].begin());
        return {};
    }

    static solve::NewtonResult cancelledResult()
    {
        solve::NewtonResult result;
        result.status = solve::NewtonStatus::Cancelled;
        return result;
    }

    Point stage_, held_;
    std::array<std::vector<double>, kHalfExplicitStages> velocities_, accelerations_; ///< V_j, A_j
    std::vector<double> rate_;
    bool fresh_ = true;
};

} // namespace

std::unique_ptr<Integrator> makeHalfExplicit5(const IntegratorInfo& info) { return std::make_unique<HalfExplicit>(info); }

} // namespace driftless::integrate
