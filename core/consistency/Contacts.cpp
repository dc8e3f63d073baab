#include "core/consistency/Contacts.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <functional>
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

/// About which rows accelerations decide, and what they say.
struct Decision {
    std::vector<std::size_t> contacts, friction;
    std::vector<double> force; ///< f of the base
    std::vector<char> closed;  ///< of the contacts
    std::vector<double> held;  ///< multipliers of friction that sticks, by row
};

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

    using Struck = std::vector<std::size_t>;
    Struck struck(const Mode& mode, const Limits& limits);
    void begin(const Limits& limits, std::span<const int> leaves, Mode& mode, Decision& out) const;
    bool balance(const Mode& mode, Decision& out) const;

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
    VectorXd scale;                    ///< of g per metre
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

/// Impulses by the law that the model states. False where they have no solution.
bool strike(Hit& hit, bool simultaneous, double still, double kinetic, ImpactOutcome& out)
{
    const double least = still * hit.scale.minCoeff();
    if (!simultaneous) {
        out.impacts = pushInTurn(hit, still, hit.scale);
        out.cutShort = out.impacts < 0;
        if (!out.cutShort)
            return true;
        out.impacts = kMostImpacts + 1;
        return pushTogether(hit, least, 0);
    }
    const Hit fresh = hit;
    out.impacts = 1;
    if (!pushTogether(hit, least, 1))
        return false;
    if (hit.work <= kGainedShare * kinetic)
        return true;
    hit = fresh;
    out.leastRestitution = true;
    return pushTogether(hit, least, hit.restitution.minCoeff());
}

} // namespace

/// The contacts that touch, with what an impulse at each of them does. Empty where none approaches.
Contacts::Work::Struck Contacts::Work::struck(const Mode& mode, const Limits& limits)
{
    Struck out;
    bool approaches = false;
    for (std::size_t i = 0; i < count(); ++i) {
        if (!touches(i, mode, limits))
            continue;
        if (mode[i] == OneSidedState::On)
            drift[i] = rows.of(i).rate;
        approaches = approaches || speed(i) < -limits.still;
        out.push_back(i);
    }
    if (!approaches)
        out.clear();
    return out;
}

namespace {

/// K: the joints. gradient and numbers of each contact that touches.
Hit hitOf(const std::vector<std::size_t>& touching, const Constrained& K, Index n,
          const std::function<VectorXd(std::size_t)>& gradient,
          const std::function<model::OneSidedNumbers(std::size_t)>& numbers, double rest)
{
    const auto size = static_cast<Index>(touching.size());
    Hit hit;
    hit.A.resize(size, size);
    for (VectorXd* each : {&hit.speed, &hit.restitution, &hit.rest, &hit.scale})
        each->resize(size);
    hit.impulse = VectorXd::Zero(size);
    for (Index i = 0; i < size; ++i) {
        const std::size_t row = touching[static_cast<std::size_t>(i)];
        const model::OneSidedNumbers now = numbers(row);
        hit.rows.push_back(static_cast<int>(row));
        hit.response.push_back(K.response(gradient(row)));
        hit.speed(i) = now.rate;
        hit.restitution(i) = now.restitution;
        hit.rest(i) = (now.rest > 0 ? now.rest : rest) * now.scale;
        hit.scale(i) = now.scale;
    }
    for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j)
            hit.A(i, j) =
                gradient(touching[static_cast<std::size_t>(i)]).dot(hit.response[static_cast<std::size_t>(j)].head(n));
    hit.A = (0.5 * (hit.A + hit.A.transpose())).eval();
    return hit;
}

} // namespace

Result<ImpactOutcome> Contacts::impact(const model::ModelState& at, const Mode& mode, const Limits& limits, bool simultaneous,
                                       std::vector<double>& v)
{
    Work& w = *work_;
    std::fill(w.drift.begin(), w.drift.end(), 0);
    if (auto loaded = w.load(at, v, mode); !loaded)
        return loaded.error();
    ImpactOutcome out;
    const std::vector<std::size_t> touching = w.struck(mode, limits);
    if (touching.empty())
        return out;
    Constrained K;
    K.factor(w.M, w.B);
    const auto numbers = [&w](std::size_t row) {
        model::OneSidedNumbers now = w.rows.of(row);
        now.rate = w.speed(row) * now.scale;
        return now;
    };
    Hit hit = hitOf(
        touching, K, w.M.rows(), [&w](std::size_t row) { return w.gradient(row); }, numbers, limits.rest);
    for (Index i = 0; i < hit.A.rows(); ++i)
        if (!(hit.A(i, i) > 0))
            return notComputable(at.t, "the contact " + w.row(touching[static_cast<std::size_t>(i)]).row.name
                                           + " is hit where the joints let nothing give way");
    const Eigen::Map<const VectorXd> before(v.data(), static_cast<Index>(v.size()));
    const VectorXd first = hit.speed;
    if (!strike(hit, simultaneous, limits.still, 0.5 * before.dot(w.M * before), out))
        return notComputable(at.t, std::to_string(touching.size())
                                       + " contacts are hit at one time, and their impulses have no solution");
    VectorXd change = VectorXd::Zero(w.M.rows()), joints = VectorXd::Zero(w.B.rows());
    out.work = hit.work; // relative to what is touched; what moves by itself does work besides, as moving joints do
    for (Index i = 0; i < hit.speed.size(); ++i) {
        const auto row = static_cast<std::size_t>(hit.rows[static_cast<std::size_t>(i)]);
        change += hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].head(w.M.rows());
        joints += hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].tail(w.B.rows());
        out.work -= hit.impulse(i) * (first(i) - w.gradient(row).dot(before));
        if (hit.impulse(i) > 0)
            out.contacts.push_back({.row = static_cast<int>(row),
                                    .impulse = hit.impulse(i) * hit.scale(i),
                                    .before = first(i) / hit.scale(i),
                                    .after = hit.speed(i) / hit.scale(i)});
    }
    out.work -= joints.dot(w.B * before);
    for (Index i = 0; i < change.size(); ++i)
        v[static_cast<std::size_t>(i)] += change(i);
    return out;
}

/// The rows about which accelerations decide, and which of them are in force at first.
void Contacts::Work::begin(const Limits& limits, std::span<const int> leaves, Mode& mode, Decision& out) const
{
    const Mode before = mode;
    const auto leaving = [&](std::size_t i) {
        return std::find(leaves.begin(), leaves.end(), static_cast<int>(i)) != leaves.end();
    };
    for (std::size_t i = 0; i < count(); ++i) {
        if (row(i).kind == OneSidedKind::Contact) {
            mode[i] = OneSidedState::Off;
            if (touches(i, before, limits) && speed(i) <= limits.still && !leaving(i))
                out.contacts.push_back(i);
        } else if (row(i).kind == OneSidedKind::Friction) {
            out.friction.push_back(i);
            const double slip = rows.of(i).value;
            if (before[i] != OneSidedState::On && std::abs(slip) > limits.still && !leaving(i))
                mode[i] = slip > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
            else
                mode[i] = OneSidedState::On;
        }
    }
}

/// Accelerations and forces with friction as the mode says. False where the contacts have no solution.
bool Contacts::Work::balance(const Mode& mode, Decision& out) const
{
    const Index n = M.rows(), joints = B.rows();
    std::vector<std::size_t> sticking;
    VectorXd force = Eigen::Map<const VectorXd>(out.force.data(), n);
    for (const std::size_t i : out.friction) {
        if (mode[i] == OneSidedState::On)
            sticking.push_back(i);
        else
            force -= (mode[i] == OneSidedState::Forwards ? 1 : -1) * rows.of(i).sliding * gradient(i);
    }
    const auto stuck = static_cast<Index>(sticking.size()), size = static_cast<Index>(out.contacts.size());
    MatrixXd all(joints + stuck, n);
    all.topRows(joints) = B;
    VectorXd right(n + joints + stuck);
    right.head(n) = force;
    right.segment(n, joints) = -gamma;
    for (Index k = 0; k < stuck; ++k) {
        all.row(joints + k) = gradient(sticking[static_cast<std::size_t>(k)]).transpose();
        right(n + joints + k) = -rows.gamma(sticking[static_cast<std::size_t>(k)]);
    }
    Constrained K;
    K.factor(M, all);
    VectorXd solution = K.solve(right);
    MatrixXd A(size, size);
    VectorXd b(size);
    std::vector<VectorXd> response;
    for (const std::size_t i : out.contacts)
        response.push_back(K.response(gradient(i)));
    for (Index i = 0; i < size; ++i) {
        const VectorXd along = gradient(out.contacts[static_cast<std::size_t>(i)]);
        b(i) = along.dot(solution.head(n)) + rows.gamma(out.contacts[static_cast<std::size_t>(i)]);
        for (Index j = 0; j < size; ++j)
            A(i, j) = along.dot(response[static_cast<std::size_t>(j)].head(n));
    }
    const double large = size > 0 ? std::max(b.cwiseAbs().maxCoeff(), solution.head(n).cwiseAbs().maxCoeff()) : 0;
    const auto solved = solve::solveComplementarity(A, b, kRoundoff * large);
    if (!solved.solved)
        return false;
    out.closed = solved.active;
    for (Index i = 0; i < size; ++i)
        solution += solved.z(i) * response[static_cast<std::size_t>(i)];
    out.held.assign(count(), 0);
    for (Index k = 0; k < stuck; ++k)
        out.held[sticking[static_cast<std::size_t>(k)]] = solution(n + joints + k);
    return true;
}

Result<ModeOutcome> Contacts::settle(const model::ModelState& at, const Mode& mode, const Limits& limits,
                                     std::span<const int> leaves)
{
    Work& w = *work_;
    ModeOutcome out{.mode = mode};
    for (const int row : leaves)
        if (w.row(static_cast<std::size_t>(row)).kind == OneSidedKind::Link)
            out.mode[static_cast<std::size_t>(row)] = OneSidedState::Off;
    if (auto loaded = w.load(at, at.v, out.mode); !loaded)
        return loaded.error();
    Decision now;
    now.force.resize(at.q.size());
    if (!w.evaluator.force(at.t, at.q.data(), at.v.data(), at.lambda.data(), now.force.data()))
        return notComputable(at.t, w.evaluator.message());
    w.begin(limits, leaves, out.mode, now);
    // What sticks beyond its limit slides, the one that exceeds it most first: each can be let go once.
    for (;;) {
        ++out.tried;
        if (!w.balance(out.mode, now))
            return notComputable(at.t, std::to_string(now.contacts.size())
                                           + " contacts act at one time, and their forces have no solution");
        std::size_t worst = w.count();
        double excess = 0;
        for (const std::size_t i : now.friction) {
            const bool let = std::find(leaves.begin(), leaves.end(), static_cast<int>(i)) != leaves.end();
            const double over = std::abs(now.held[i]) - w.rows.of(i).limit;
            const bool goes = out.mode[i] == OneSidedState::On && (over > 0 || (let && now.held[i] != 0));
            if (goes && (worst == w.count() || over > excess)) {
                worst = i;
                excess = over;
            }
        }
        if (worst == w.count())
            break;
        out.mode[worst] = now.held[worst] > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
    }
    for (std::size_t k = 0; k < now.contacts.size(); ++k)
        out.mode[now.contacts[k]] = now.closed[k] ? OneSidedState::On : OneSidedState::Off;
    return out;
}

} // namespace driftless::consistency
