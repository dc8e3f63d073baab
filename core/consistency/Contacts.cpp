#include "core/consistency/Contacts.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/solve/Complementarity.h"
#include "core/text/Numbers.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Mode;
using model::OneSidedKind;
using model::OneSidedState;

constexpr double kRoundoff = 1e-9;     ///< of accelerations against the largest: round-off of a few solutions
constexpr double kGainedShare = 1e-10; ///< of the kinetic energy: less is round-off

/// [M B^T; B 0] of which redundant rows have multipliers of smallest norm.
class Constrained {
public:
    void factor(const MatrixXd& M, const MatrixXd& B)
    {
        n_ = M.rows();
        const Index size = n_ + B.rows();
        MatrixXd K = MatrixXd::Zero(size, size);
        K.topLeftCorner(n_, n_) = M;
        K.bottomLeftCorner(B.rows(), n_) = B;
        K.topRightCorner(n_, B.rows()) = B.transpose();
        scale_ = VectorXd::Ones(size);
        for (Index i = 0; i < n_; ++i)
            if (M(i, i) > 0)
                scale_(i) = 1 / std::sqrt(M(i, i));
        for (Index i = 0; i < B.rows(); ++i) {
            const double length = (B.row(i).transpose().cwiseProduct(scale_.head(n_))).norm();
            scale_(n_ + i) = length > 0 ? 1 / length : 1;
        }
        factors_.compute(scale_.asDiagonal() * K * scale_.asDiagonal());
    }
    VectorXd solve(const VectorXd& right) const
    {
        const VectorXd scaled = scale_.asDiagonal() * right;
        return scale_.asDiagonal() * factors_.solve(scaled);
    }
    /// The change for a unit push along w.
    VectorXd response(const VectorXd& w) const
    {
        VectorXd right = VectorXd::Zero(scale_.size());
        right.head(n_) = w;
        return solve(right);
    }

private:
    Index n_ = 0;
    VectorXd scale_;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors_;
};

Diagnostic notComputable(double t, const std::string& why)
{
    return {.what = "What the contacts do cannot be computed",
            .where = "t = " + text::exact(t),
            .why = why,
            .remedy = "another start, or a model that stays away from this place",
            .position = {}};
}

} // namespace

struct Contacts::Work {
    Work(std::shared_ptr<const model::CompiledSystem> base, std::shared_ptr<const model::CompiledOneSided> oneSided)
        : system(std::move(base)), evaluator(system), rows(std::move(oneSided))
    {
        const model::ConstrainedSystem& s = system->system();
        const auto& rowsOf = s.oneSided;
        for (const model::OneSided& row : rowsOf) {
            const auto found = std::find_if(s.constraints.begin(), s.constraints.end(),
                                            [&](const model::Constraint& c) { return c.multiplier == row.row.multiplier; });
            constraintOf.push_back(row.kind == OneSidedKind::Link ? static_cast<int>(found - s.constraints.begin()) : -1);
        }
        drift.assign(rowsOf.size(), 0);
    }

    const model::OneSided& row(std::size_t i) const { return system->system().oneSided[i]; }
    std::size_t count() const { return constraintOf.size(); }
    VectorXd gradient(std::size_t i) const
    {
        const auto from = rows.gradient(i);
        return Eigen::Map<const VectorXd>(from.data(), static_cast<Index>(from.size()));
    }

    /// M, and B with its gammas: rows of joints and of whole links.
    Result<void> load(const model::ModelState& at, const std::vector<double>& v, const Mode& mode)
    {
        const auto n = static_cast<Index>(system->n());
        std::vector<double> mass(system->massPlaces().size()), jacobian(system->jacobianPlaces().size()),
            bias(static_cast<std::size_t>(system->m()));
        if (!evaluator.mass(at.t, at.q.data(), mass.data()) || !evaluator.jacobian(at.t, at.q.data(), jacobian.data())
            || !evaluator.gamma(at.t, at.q.data(), v.data(), bias.data()))
            return notComputable(at.t, evaluator.message());
        if (!rows.numbers(at.t, at.q.data(), v.data(), at.lambda.data()) || !rows.rows(at.t, at.q.data(), v.data()))
            return notComputable(at.t, rows.message());
        M = MatrixXd::Zero(n, n);
        for (std::size_t k = 0; k < mass.size(); ++k)
            M(system->massPlaces()[k].row, system->massPlaces()[k].column) += mass[k];
        std::vector<Index> place(static_cast<std::size_t>(system->m()), 0);
        for (std::size_t i = 0; i < mode.size(); ++i)
            if (constraintOf[i] >= 0 && mode[i] != OneSidedState::On)
                place[static_cast<std::size_t>(constraintOf[i])] = -1;
        Index kept = 0;
        for (Index& p : place)
            p = p < 0 ? p : kept++;
        B = MatrixXd::Zero(kept, n);
        gamma = VectorXd::Zero(kept);
        for (std::size_t k = 0; k < jacobian.size(); ++k)
            if (const Index p = place[static_cast<std::size_t>(system->jacobianPlaces()[k].row)]; p >= 0)
                B(p, system->jacobianPlaces()[k].column) += jacobian[k];
        for (std::size_t i = 0; i < place.size(); ++i)
            if (place[i] >= 0)
                gamma(place[i]) = bias[i];
        return {};
    }

    double gap(std::size_t i) const { return rows.of(i).value / rows.of(i).scale; }
    /// Of a closed contact what a form that does not hold velocities has let slip is no motion.
    double speed(std::size_t i) const { return (rows.of(i).rate - drift[i]) / rows.of(i).scale; }
    bool touches(std::size_t i, const Mode& mode, const Limits& limits) const
    {
        return row(i).kind == OneSidedKind::Contact && (mode[i] == OneSidedState::On || gap(i) <= limits.gap);
    }

    std::shared_ptr<const model::CompiledSystem> system;
    model::SystemEvaluator evaluator;
    model::OneSidedEvaluator rows;
    std::vector<int> constraintOf; ///< of links among the constraints of the base; -1
    std::vector<double> drift;     ///< g' of closed contacts before the impact
    MatrixXd M, B;
    VectorXd gamma;
};

Contacts::Contacts(std::shared_ptr<const model::CompiledSystem> base, std::shared_ptr<const model::CompiledOneSided> oneSided)
    : work_(std::make_unique<Work>(std::move(base), std::move(oneSided)))
{
}
Contacts::~Contacts() = default;

void Contacts::setParameters(std::span<const double> values)
{
    work_->evaluator.setParameters(values);
    work_->rows.setParameters(values);
}

model::OneSidedEvaluator& Contacts::numbers() { return work_->rows; }
const model::OneSidedEvaluator& Contacts::numbers() const { return work_->rows; }

namespace {

/// The contacts of one impact, apart from the state that they act on.
struct Hit {
    std::vector<int> rows;
    MatrixXd A;                        ///< w M^-1 w^T
    std::vector<VectorXd> response;    ///< of velocities and multipliers to a unit impulse
    VectorXd speed, restitution, rest; ///< g', e, and g' below which there is no rebound
    VectorXd impulse;                  ///< the sum so far
    double work = 0;                   ///< [J] at the contacts, relative to what they touch
};

/// e, or 0 where the rebound would be none.
double restitutionOf(const Hit& hit, Index i, double approach)
{
    return hit.restitution(i) * approach < hit.rest(i) ? 0 : hit.restitution(i);
}

void push(Hit& hit, const VectorXd& impulse)
{
    const VectorXd after = hit.speed + hit.A * impulse;
    hit.work += 0.5 * impulse.dot(hit.speed + after);
    hit.speed = after;
    hit.impulse += impulse;
}

/// All that approach, together. False where there is no solution.
bool pushTogether(Hit& hit, double still, double most)
{
    VectorXd bound(hit.speed.size());
    for (Index i = 0; i < bound.size(); ++i) {
        const double approach = std::max(0.0, -hit.speed(i));
        bound(i) = hit.speed(i) - std::min(most, restitutionOf(hit, i, approach)) * approach;
    }
    const auto solved = solve::solveComplementarity(hit.A, bound, still);
    if (solved.solved)
        push(hit, solved.z);
    return solved.solved;
}

/// One after the other. Returns how many impacts there were, negative: without an end.
int pushInTurn(Hit& hit, double still, const VectorXd& scale)
{
    for (int k = 0; k < kMostImpacts; ++k) {
        Index next = -1;
        double fastest = still;
        for (Index i = 0; i < hit.speed.size(); ++i)
            if (-hit.speed(i) / scale(i) > fastest * (1 + kRoundoff)) { // of equally fast ones the first
                next = i;
                fastest = -hit.speed(i) / scale(i);
            }
        if (next < 0)
            return k;
        VectorXd impulse = VectorXd::Zero(hit.speed.size());
        const double approach = -hit.speed(next);
        impulse(next) = (1 + restitutionOf(hit, next, approach)) * approach / hit.A(next, next);
        push(hit, impulse);
    }
    return -1;
}

} // namespace

Result<ImpactOutcome> Contacts::impact(const model::ModelState& at, const Mode& mode, const Limits& limits, bool simultaneous,
                                       std::vector<double>& v)
{
    Work& w = *work_;
    std::fill(w.drift.begin(), w.drift.end(), 0);
    if (auto loaded = w.load(at, v, mode); !loaded)
        return loaded.error();
    Hit hit;
    bool approaches = false;
    for (std::size_t i = 0; i < w.count(); ++i) {
        if (!w.touches(i, mode, limits))
            continue;
        if (mode[i] == OneSidedState::On)
            w.drift[i] = w.rows.of(i).rate;
        approaches = approaches || w.speed(i) < -limits.still;
        hit.rows.push_back(static_cast<int>(i));
    }
    ImpactOutcome out;
    if (!approaches)
        return out;
    const auto size = static_cast<Index>(hit.rows.size());
    Constrained K;
    K.factor(w.M, w.B);
    hit.A.resize(size, size);
    hit.speed.resize(size);
    hit.restitution.resize(size);
    hit.rest.resize(size);
    hit.impulse = VectorXd::Zero(size);
    VectorXd scale(size);
    const Eigen::Map<const VectorXd> before(v.data(), static_cast<Index>(v.size()));
    for (Index i = 0; i < size; ++i) {
        const auto row = static_cast<std::size_t>(hit.rows[static_cast<std::size_t>(i)]);
        const model::OneSidedNumbers& now = w.rows.of(row);
        hit.response.push_back(K.response(w.gradient(row)));
        hit.speed(i) = w.speed(row) * now.scale;
        hit.restitution(i) = now.restitution;
        hit.rest(i) = (now.rest > 0 ? now.rest : limits.rest) * now.scale;
        scale(i) = now.scale;
    }
    for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j)
            hit.A(i, j) = w.gradient(static_cast<std::size_t>(hit.rows[static_cast<std::size_t>(i)]))
                              .dot(hit.response[static_cast<std::size_t>(j)].head(w.M.rows()));
    hit.A = (0.5 * (hit.A + hit.A.transpose())).eval();
    for (Index i = 0; i < size; ++i)
        if (!(hit.A(i, i) > 0))
            return notComputable(at.t, "the contact "
                                           + w.row(static_cast<std::size_t>(hit.rows[static_cast<std::size_t>(i)])).row.name
                                           + " is hit where the joints let nothing give way");
    const VectorXd first = hit.speed;
    const double kinetic = 0.5 * before.dot(w.M * before);
    bool solved = true;
    if (simultaneous) {
        const Hit fresh = hit;
        solved = pushTogether(hit, limits.still * scale.minCoeff(), 1);
        out.impacts = 1;
        if (solved && hit.work > kGainedShare * kinetic) {
            hit = fresh;
            out.leastRestitution = true;
            solved = pushTogether(hit, limits.still * scale.minCoeff(), hit.restitution.minCoeff());
        }
    } else {
        out.impacts = pushInTurn(hit, limits.still, scale);
        out.cutShort = out.impacts < 0;
        if (out.cutShort) {
            out.impacts = kMostImpacts + 1;
            solved = pushTogether(hit, limits.still * scale.minCoeff(), 0);
        }
    }
    if (!solved)
        return notComputable(at.t, std::to_string(size) + " contacts are hit at one time, and their impulses have no solution");
    VectorXd change = VectorXd::Zero(w.M.rows()), joints = VectorXd::Zero(w.B.rows());
    for (Index i = 0; i < size; ++i) {
        change += hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].head(w.M.rows());
        joints += hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].tail(w.B.rows());
    }
    // Relative to what is touched; what moves by itself does work besides, as moving joints do.
    out.work = hit.work;
    for (Index i = 0; i < size; ++i) {
        const auto row = static_cast<std::size_t>(hit.rows[static_cast<std::size_t>(i)]);
        out.work -= hit.impulse(i) * (first(i) - w.gradient(row).dot(before));
        if (hit.impulse(i) > 0)
            out.contacts.push_back({.row = static_cast<int>(row),
                                    .impulse = hit.impulse(i) * scale(i),
                                    .before = first(i) / scale(i),
                                    .after = hit.speed(i) / scale(i)});
    }
    out.work -= joints.dot(w.B * before);
    for (Index i = 0; i < change.size(); ++i)
        v[static_cast<std::size_t>(i)] += change(i);
    return out;
}

namespace {

/// Accelerations and the forces of contacts for one choice of how friction acts.
struct Balance {
    bool solved = false;
    std::vector<char> closed;
    VectorXd speedRate;       ///< g'' of the contacts
    std::vector<double> held; ///< multipliers of friction that sticks
};

} // namespace

Result<ModeOutcome> Contacts::settle(const model::ModelState& at, const Mode& mode, const Limits& limits,
                                     std::span<const int> leaves)
{
    Work& w = *work_;
    ModeOutcome out{.mode = mode};
    const auto leaving = [&](std::size_t i) {
        return std::find(leaves.begin(), leaves.end(), static_cast<int>(i)) != leaves.end();
    };
    for (std::size_t i = 0; i < w.count(); ++i)
        if (w.row(i).kind == OneSidedKind::Link && leaving(i))
            out.mode[i] = OneSidedState::Off;
    if (auto loaded = w.load(at, at.v, out.mode); !loaded)
        return loaded.error();
    const auto n = w.M.rows();
    std::vector<double> base(static_cast<std::size_t>(n));
    if (!w.evaluator.force(at.t, at.q.data(), at.v.data(), at.lambda.data(), base.data()))
        return notComputable(at.t, w.evaluator.message());
    std::vector<std::size_t> contacts, friction;
    for (std::size_t i = 0; i < w.count(); ++i) {
        if (w.row(i).kind == OneSidedKind::Contact) {
            out.mode[i] = OneSidedState::Off;
            if (w.touches(i, mode, limits) && w.speed(i) <= limits.still && !leaving(i))
                contacts.push_back(i);
        } else if (w.row(i).kind == OneSidedKind::Friction) {
            friction.push_back(i);
            const double slip = w.rows.of(i).value;
            if (mode[i] != OneSidedState::On && std::abs(slip) > limits.still && !leaving(i))
                out.mode[i] = slip > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
            else
                out.mode[i] = OneSidedState::On;
        }
    }
    const auto balance = [&] {
        Balance result;
        std::vector<std::size_t> sticking;
        VectorXd force = Eigen::Map<const VectorXd>(base.data(), n);
        for (const std::size_t i : friction) {
            if (out.mode[i] == OneSidedState::On)
                sticking.push_back(i);
            else
                force -= (out.mode[i] == OneSidedState::Forwards ? 1 : -1) * w.rows.of(i).sliding * w.gradient(i);
        }
        const Index rows = w.B.rows(), stuck = static_cast<Index>(sticking.size());
        MatrixXd B(rows + stuck, n);
        B.topRows(rows) = w.B;
        VectorXd right(n + rows + stuck);
        right.head(n) = force;
        right.segment(n, rows) = -w.gamma;
        for (Index k = 0; k < stuck; ++k) {
            B.row(rows + k) = w.gradient(sticking[static_cast<std::size_t>(k)]).transpose();
            right(n + rows + k) = -w.rows.gamma(sticking[static_cast<std::size_t>(k)]);
        }
        Constrained K;
        K.factor(w.M, B);
        VectorXd solution = K.solve(right);
        const auto size = static_cast<Index>(contacts.size());
        MatrixXd A(size, size);
        VectorXd b(size);
        std::vector<VectorXd> response;
        for (const std::size_t i : contacts)
            response.push_back(K.response(w.gradient(i)));
        for (Index i = 0; i < size; ++i) {
            const VectorXd along = w.gradient(contacts[static_cast<std::size_t>(i)]);
            b(i) = along.dot(solution.head(n)) + w.rows.gamma(contacts[static_cast<std::size_t>(i)]);
            for (Index j = 0; j < size; ++j)
                A(i, j) = along.dot(response[static_cast<std::size_t>(j)].head(n));
        }
        const double large = size > 0 ? std::max(b.cwiseAbs().maxCoeff(), solution.head(n).cwiseAbs().maxCoeff()) : 0;
        const auto solved = solve::solveComplementarity(A, b, kRoundoff * large);
        result.solved = solved.solved;
        result.closed = solved.active;
        result.speedRate = solved.w;
        for (Index i = 0; solved.solved && i < size; ++i)
            solution += solved.z(i) * response[static_cast<std::size_t>(i)];
        result.held.assign(w.count(), 0);
        for (Index k = 0; k < stuck; ++k)
            result.held[sticking[static_cast<std::size_t>(k)]] = solution(n + rows + k);
        return result;
    };
    // What sticks beyond its limit slides, the one that exceeds it most first: each can be let go once.
    for (;;) {
        ++out.tried;
        const Balance now = balance();
        if (!now.solved)
            return notComputable(at.t, std::to_string(contacts.size())
                                           + " contacts act at one time, and their forces have no solution");
        std::size_t worst = w.count();
        double excess = 0;
        for (const std::size_t i : friction) {
            if (out.mode[i] != OneSidedState::On)
                continue;
            const double over = std::abs(now.held[i]) - w.rows.of(i).limit;
            const bool goes = over > 0 || (leaving(i) && now.held[i] != 0);
            if (goes && (worst == w.count() || over > excess)) {
                worst = i;
                excess = over;
            }
        }
        if (worst == w.count()) {
            for (std::size_t k = 0; k < contacts.size(); ++k)
                out.mode[contacts[k]] = now.closed[k] ? OneSidedState::On : OneSidedState::Off;
            return out;
        }
        out.mode[worst] = now.held[worst] > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
    }
}

} // namespace driftless::consistency
