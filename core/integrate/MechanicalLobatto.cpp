// Partitioned Lobatto methods of s stages on M(q) v' = f - G^T lambda, g(q) = 0, with momenta p = M v: IIIA for q, IIIB for p
// (Jay, SIAM J. Numer. Anal. 33 (1996) 368-387; Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), VII.1.4 and
// VII.1.5):
//
//   Q_i = q_n + h sum_j a_ij V_j,  P_i = p_n + h sum_j d_ij (phi_j - G(Q_j)^T L_j),  P_i = M(Q_i) V_i,  phi = f + M' v at (Q_j,
//   V_j) g(Q_i) = 0, i = 2..s,  q_{n+1} = Q_s p_{n+1} = p_n + h sum_j b_j (phi_j - G(Q_j)^T L_j)  with L_s such that G v + g_t
//   = 0 at t_{n+1}
//
// Symmetric, and symplectic where phi comes from a Lagrangian without velocity-dependent forces; momenta of linear symmetries
// are kept to round-off. s = 2 is `rattle` (for constant M: Andersen, J. Comput. Phys. 52 (1983) 24-34), order 2; s = 3 has
// order 2 s - 2 = 4.
//
// `shake` (Ryckaert, Ciccotti, Berendsen, J. Comput. Phys. 23 (1977) 327-341) has the positions of rattle and no projection of
// the velocities: the force of the constraints at t_{n+1} that belongs to them is known after the next step only; that at t_n
// stands for it, and leaves G v = O(h^2). The next step takes it back: what both steps apply at t_{n+1} is fixed by their
// positions.
//
// Solved for V_1..V_s and the impulses K_j = h L_j, j < s, by Newton's iteration without the derivatives of phi, M and G:
// contraction O(h^2) for a constant M, O(h) else. Unknowns and rows are scaled so that the matrix does not depend on h.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/integrate/EliminatedPair.h"
#include "core/integrate/Makers.h"
#include "core/integrate/MechanicalStep.h"

namespace driftless::integrate {
namespace {

template <std::size_t S>
struct Pair {
    std::array<double, S> b, c;
    std::array<std::array<double, S>, S> a, d; ///< IIIA, IIIB
};
constexpr Pair<2> kTwo{{0.5, 0.5}, {0, 1}, {{{0, 0}, {0.5, 0.5}}}, {{{0.5, 0}, {0.5, 0}}}};
constexpr Pair<3> kThree{{1.0 / 6, 2.0 / 3, 1.0 / 6},
                         {0, 0.5, 1},
                         {{{0, 0, 0}, {5.0 / 24, 1.0 / 3, -1.0 / 24}, {1.0 / 6, 2.0 / 3, 1.0 / 6}}},
                         {{{1.0 / 6, -1.0 / 6, 0}, {1.0 / 6, 1.0 / 3, 0}, {1.0 / 6, 5.0 / 6, 0}}}};

constexpr int kIterations = 100; ///< linear convergence: 16 digits at a contraction of 0.7
constexpr int kPatience = 12;    ///< another matrix of the same kind would hardly be better

template <const auto& kPair, bool kProjected>
class LobattoPair final : public MechanicalIntegrator {
public:
    explicit LobattoPair(const IntegratorInfo& info) : MechanicalIntegrator(info) {}

    // Newton's problem.
    bool cancelled() const { return Integrator::cancelled(); }
    void reset();
    bool residual();
    bool assemble();
    solve::Factorization factor()
    {
        ++statistics_.factorizations;
        assembleMatrix();
        auto result = matrix_.factor();
        if (result.column >= 0) // in the words of the system: velocities, multipliers
            result.column = static_cast<int>(static_cast<std::size_t>(result.column) < kStages * n()
                                                 ? n() + static_cast<std::size_t>(result.column) % n()
                                                 : 2 * n() + (static_cast<std::size_t>(result.column) - kStages * n()) % m());
        return result;
    }
    double correct();

private:
    static constexpr std::size_t kStages = kPair.b.size();

    void allocateStages() override;
    void forget() override
    {
        lastApplied_ = 0;
        eliminated_.forget();
    }
    solve::NewtonResult attempt(double tEnd, double h) override;
    void accepted(double h) override
    {
        lastApplied_ = h;
        applied_.swap(applying_);
        if (byElimination_)
            eliminated_.carry();
        else
            eliminated_.forget();
    }
    solve::NewtonResult attemptEliminated(double tEnd, double h);
    solve::NewtonResult attemptGeneral(double tEnd, double h);
    void prepareMatrix();
    void assembleMatrix();
    bool placeStages();
    bool forceStages();
    void momentumAtEnd();
    solve::NewtonResult withoutProjection(Point& end);

    double* impulse(std::size_t j) { return impulses_.data() + j * m(); }

    std::array<Point, kStages> stages_;
    EntryMatrix matrix_, mass_;
    EliminatedPair eliminated_;  ///< of large systems with constant masses that stand alone
    bool byElimination_ = false; ///< the last attempt
    std::vector<double> side_, momentum_, impulses_, end_;
    std::vector<double> applied_,
        applying_; ///< shake: impulse of the constraints that the last step, this step applied at its end
    double h_ = 0, lastApplied_ = 0;
};

template <const auto& kPair, bool kProjected>
void LobattoPair<kPair, kProjected>::prepareMatrix()
{
    const int n = static_cast<int>(this->n()), m = static_cast<int>(this->m()), s = static_cast<int>(kStages);
    matrix_.start(s * n + (s - 1) * m);
    const auto mass = model().massPlaces(), gradient = model().gradientPlaces();
    for (int i = 0; i < s; ++i)
        for (const solve::MatrixPlace& p : mass)
            matrix_.add(i * n + p.row, i * n + p.column);
    for (int i = 0; i < s; ++i)
        for (int j = 0; j + 1 < s; ++j)
            for (const solve::MatrixPlace& p : gradient)
                matrix_.add(i * n + p.column, s * n + j * m + p.row);
    for (int i = 1; i < s; ++i)
        for (int j = 0; j < s; ++j)
            for (const solve::MatrixPlace& p : gradient)
                matrix_.add(s * n + (i - 1) * m + p.row, j * n + p.column);
    matrix_.finish();
}

template <const auto& kPair, bool kProjected>
void LobattoPair<kPair, kProjected>::allocateStages()
{
    for (Point& stage : stages_)
        sizePoint(stage);
    matrix_ = {};
    eliminated_ = {};
    byElimination_ = false;
    if (kStages == 2 && massAlone() && model().constantMass())
        eliminated_.prepare(model(), schur());
    else
        prepareMatrix();
    if (!kProjected) {
        mass_.start(static_cast<int>(n()));
        for (const solve::MatrixPlace& p : model().massPlaces())
            mass_.add(p.row, p.column);
        mass_.finish();
    }
    side_.assign(kStages * this->n() + (kStages - 1) * this->m(), 0.0);
    impulses_.assign((kStages - 1) * this->m(), 0.0);
    momentum_.assign(this->n(), 0.0);
    end_.assign(this->n(), 0.0);
    applied_.assign(this->m(), 0.0);
    applying_.assign(this->m(), 0.0);
}

/// Starting values from the accelerations and multipliers at t_n.
template <const auto& kPair, bool kProjected>
void LobattoPair<kPair, kProjected>::reset()
{
    const double* acceleration = yp_.data() + n();
    for (std::size_t i = 0; i < kStages; ++i)
        for (std::size_t k = 0; k < n(); ++k)
            stages_[i].v[k] = vOld()[k] + (kStages == 2 ? 0.5 : kPair.c[i]) * h_ * acceleration[k];
    for (std::size_t j = 0; j + 1 < kStages; ++j)
        for (std::size_t k = 0; k < m(); ++k)
            impulse(j)[k] = h_ * y_[2 * n() + k];
}

/// Positions of the stages with M, G and g there.
template <const auto& kPair, bool kProjected>
bool LobattoPair<kPair, kProjected>::placeStages()
{
    for (std::size_t i = 1; i < kStages; ++i) {
        Point& stage = stages_[i];
        for (std::size_t k = 0; k < n(); ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < kStages; ++j)
                sum += kPair.a[i][j] * stages_[j].v[k];
            stage.q[k] = qOld()[k] + h_ * sum;
        }
        if (!model().constraint(stage.t, stage.q.data(), stage.g.data()))
            return false;
        if (!model().constantMass() && !model().mass(stage.t, stage.q.data(), stage.mass.data()))
            return false;
        if (i + 1 < kStages && !model().gradient(stage.t, stage.q.data(), stage.gradient.data()))
            return false;
    }
    return true;
}

template <const auto& kPair, bool kProjected>
bool LobattoPair<kPair, kProjected>::forceStages()
{
    for (std::size_t j = 0; j + 1 < kStages; ++j)
        if (!momentumForceAt(stages_[j]))
            return false;
    return true;
}

template <const auto& kPair, bool kProjected>
bool LobattoPair<kPair, kProjected>::residual()
{
    if (!placeStages() || !forceStages())
        return false;
    for (std::size_t i = 0; i < kStages; ++i) {
        double* row = side_.data() + i * n();
        std::copy(momentum_.begin(), momentum_.end(), row);
        for (std::size_t j = 0; j + 1 < kStages; ++j) {
            for (std::size_t k = 0; k < n(); ++k)
                row[k] += h_ * kPair.d[i][j] * stages_[j].force[k];
            addConstraintForce(stages_[j], -kPair.d[i][j], impulse(j), row);
        }
        addMass(stages_[i], -1, stages_[i].v.data(), row);
    }
    for (std::size_t i = 1; i < kStages; ++i)
        for (std::size_t k = 0; k < m(); ++k)
            side_[kStages * n() + (i - 1) * m() + k] = -stages_[i].g[k] / h_;
    return true;
}

template <const auto& kPair, bool kProjected>
bool LobattoPair<kPair, kProjected>::assemble()
{
    ++statistics_.jacobianEvaluations;
    if (!placeStages())
        return false;
    Point& last = stages_[kStages - 1];
    if (!model().gradient(last.t, last.q.data(), last.gradient.data()))
        return false;
    return true;
}

template <const auto& kPair, bool kProjected>
void LobattoPair<kPair, kProjected>::assembleMatrix()
{
    if (!matrix_.ready())
        prepareMatrix();
    matrix_.begin();
    for (const Point& stage : stages_)
        for (const double value : stage.mass)
            matrix_.put(value);
    for (std::size_t i = 0; i < kStages; ++i)
        for (std::size_t j = 0; j + 1 < kStages; ++j)
            for (const double value : stages_[j].gradient)
                matrix_.put(kPair.d[i][j] * value);
    for (std::size_t i = 1; i < kStages; ++i)
        for (std::size_t j = 0; j < kStages; ++j)
            for (const double value : stages_[i].gradient)
                matrix_.put(kPair.a[i][j] * value);
}

template <const auto& kPair, bool kProjected>
double LobattoPair<kPair, kProjected>::correct()
{
    ++statistics_.newtonIterations;
    matrix_.solve(side_.data());
    // The round-off of g divided by h stands in the velocities, the same times M in the impulses.
    const double scale = std::min(1.0, h_);
    double largest = 0;
    const auto judge = [&](double change, double value) {
        if (const double size = std::abs(scale * change) / (1 + std::abs(value)); !(size <= largest))
            largest = size;
    };
    for (std::size_t i = 0; i < kStages; ++i)
        for (std::size_t k = 0; k < n(); ++k) {
            stages_[i].v[k] += side_[i * n() + k];
            judge(side_[i * n() + k], stages_[i].v[k]);
        }
    for (std::size_t k = 0; k < impulses_.size(); ++k) {
        impulses_[k] += side_[kStages * n() + k];
        judge(side_[kStages * n() + k], impulses_[k]);
    }
    return largest;
}

/// p_n + h sum b_j phi_j - sum b_j G^T K_j, without K_s: symmetries are kept by what is added here, not by what Newton's
/// iteration leaves.
template <const auto& kPair, bool kProjected>
void LobattoPair<kPair, kProjected>::momentumAtEnd()
{
    std::copy(momentum_.begin(), momentum_.end(), end_.begin());
    for (std::size_t j = 0; j < kStages; ++j) {
        for (std::size_t k = 0; k < n(); ++k)
            end_[k] += h_ * kPair.b[j] * stages_[j].force[k];
        if (j + 1 < kStages)
            addConstraintForce(stages_[j], -kPair.b[j], impulse(j), end_.data());
    }
}

/// shake: v = M^-1 p with the mean force of the constraints at t_n.
template <const auto& kPair, bool kProjected>
solve::NewtonResult LobattoPair<kPair, kProjected>::withoutProjection(Point& end)
{
    for (std::size_t k = 0; k < m(); ++k)
        applying_[k] = h_ / (h_ + lastApplied_) * ((lastApplied_ > 0 ? applied_[k] : 0) + 0.5 * impulse(0)[k]);
    addConstraintForce(end, -1, applying_.data(), end_.data());
    if (inverseMass()) { // that of factorSaddle() at the end
        for (std::size_t k = 0; k < n(); ++k)
            end.v[k] = inverseMass()[k] * end_[k];
        return {};
    }
    mass_.begin();
    for (const double value : end.mass)
        mass_.put(value);
    ++statistics_.factorizations;
    solve::NewtonResult result;
    result.matrix = mass_.factor();
    if (!result.matrix.ok) {
        result.status = solve::NewtonStatus::Singular;
        return result;
    }
    mass_.solve(end_.data());
    std::copy(end_.begin(), end_.end(), end.v.begin());
    return result;
}

template <const auto& kPair, bool kProjected>
solve::NewtonResult LobattoPair<kPair, kProjected>::attempt(double tEnd, double h)
{
    byElimination_ = false;
    if (!eliminated_.ready())
        return attemptGeneral(tEnd, h);
    const auto result = attemptEliminated(tEnd, h);
    if (result.status == solve::NewtonStatus::Singular) // by pivots on the diagonal
        return attemptGeneral(tEnd, h);
    byElimination_ = result.status == solve::NewtonStatus::Converged;
    return result;
}

template <const auto& kPair, bool kProjected>
solve::NewtonResult LobattoPair<kPair, kProjected>::attemptEliminated(double tEnd, double h)
{
    const EliminatedPair::Step step{.t = t(),
                                    .end = tEnd,
                                    .h = h,
                                    .q = qOld(),
                                    .v = vOld(),
                                    .a = yp_.data() + n(),
                                    .lambda = y_.data() + 2 * n(),
                                    .qEnd = yNew_.data(),
                                    .vEnd = yNew_.data() + n(),
                                    .aEnd = ypNew_.data() + n(),
                                    .lambdaEnd = yNew_.data() + 2 * n(),
                                    .lastApplied = lastApplied_,
                                    .applied = applied_.data(),
                                    .applying = kProjected ? nullptr : applying_.data()};
    const auto result = eliminated_.attempt(step, statistics_, cancelFlag());
    if (result.status == solve::NewtonStatus::Converged) {
        std::copy_n(step.vEnd, n(), ypNew_.begin());
        for (std::size_t i = 2 * n(); i < size(); ++i)
            ypNew_[i] = (yNew_[i] - y_[i]) / h;
    }
    return result;
}

template <const auto& kPair, bool kProjected>
solve::NewtonResult LobattoPair<kPair, kProjected>::attemptGeneral(double tEnd, double h)
{
    h_ = h;
    for (std::size_t i = 0; i < kStages; ++i)
        stages_[i].t = kPair.c[i] == 1 ? tEnd : t() + kPair.c[i] * h;
    Point& first = stages_[0];
    std::copy(qOld(), qOld() + n(), first.q.begin());
    if (!matricesAt(first))
        return outsideDomain();
    if (model().constantMass())
        for (std::size_t i = 1; i < kStages; ++i)
            std::copy(first.mass.begin(), first.mass.end(), stages_[i].mass.begin());
    std::fill(momentum_.begin(), momentum_.end(), 0.0);
    addMass(first, 1, vOld(), momentum_.data());
    reset();
    bool factored = false;
    solve::NewtonControl control;
    control.maxIterations = kIterations;
    control.patience = kPatience;
    const auto result = solve::newton(*this, factored, control);
    if (result.status != solve::NewtonStatus::Converged)
        return result;
    Point& end = stages_[kStages - 1];
    if (!placeStages() || !forceStages() || !momentumForceAt(end) || !matricesAt(end))
        return outsideDomain();
    momentumAtEnd();
    if (auto singular = factorSaddle(end, end); singular.status != solve::NewtonStatus::Converged)
        return singular;
    if (auto moved = kProjected ? projectMomentum(end, end_.data()) : withoutProjection(end);
        moved.status != solve::NewtonStatus::Converged)
        return moved;
    return endAt(end, h);
}

} // namespace

std::unique_ptr<Integrator> makeRattle(const IntegratorInfo& info) { return std::make_unique<LobattoPair<kTwo, true>>(info); }

std::unique_ptr<Integrator> makeShake(const IntegratorInfo& info) { return std::make_unique<LobattoPair<kTwo, false>>(info); }

std::unique_ptr<Integrator> makeLobattoPair4(const IntegratorInfo& info)
{
    return std::make_unique<LobattoPair<kThree, true>>(info);
}

} // namespace driftless::integrate
