#include "core/consistency/Contacts.h"

#include <algorithm>
#include <cmath>

#include "core/consistency/ContactRows.h"
#include "core/consistency/ContactsWork.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Numbers.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Mode;
using model::OneSidedKind;
using model::OneSidedState;

/// Of the time after which limits are looked at: 1e-4 to 0.1 of the usual one.
constexpr double kAhead = 1e2, kFurthest = 1e5;
constexpr double kDrifts = 1e3;    ///< of the speed of rest: what projections leave of velocities
constexpr double kMostlyDrift = 2; ///< times what has drifted: a faster contact moves
constexpr double kBound = 1e-5;    ///< of a row: places that a form lets drift turn it by no more
constexpr double kApart = 1e-12;   ///< of what impulses do where they act: contacts that are not coupled, but for round-off
constexpr double kElastic = 1e-3;  ///< of the energy of an approach: an impact that loses less is an elastic one
constexpr double kNoFaster = 10;   ///< times the speed of an impact: what stands with it is no faster
constexpr double kPasses = 1e4;    ///< of the speed of rest: with no more a dead centre is passed that lies on the surface

/// Places in hit of each contact that was hit and of those that an impulse at it moves, but for what moves fast: a wheel that
/// turns under its ratchet. behind: speeds.
std::vector<std::vector<std::size_t>> movedTogether(const Hit& hit, const VectorXd& behind, const ImpactOutcome& impact)
{
    const auto size = static_cast<std::size_t>(hit.contacts);
    const auto speedOf = [&hit](double speed, std::size_t i) { return std::abs(speed) / hit.still(static_cast<Index>(i)); };
    std::vector<char> isHit(size, false), taken(size, false);
    for (std::size_t i = 0; i < size; ++i)
        isHit[i] = std::ranges::find(impact.contacts, hit.rows[i], &ContactImpulse::row) != impact.contacts.end();
    std::vector<std::vector<std::size_t>> out;
    for (std::size_t first = 0; first < size; ++first) {
        if (!isHit[first] || taken[first])
            continue;
        std::vector<std::size_t> open{first}, together;
        taken[first] = true;
        double fastest = speedOf(hit.speed(static_cast<Index>(first)), first);
        while (!open.empty()) {
            const std::size_t i = open.back();
            open.pop_back();
            together.push_back(i);
            for (std::size_t j = 0; j < size; ++j) {
                const auto a = static_cast<Index>(i), b = static_cast<Index>(j);
                if (taken[j] || (!isHit[j] && speedOf(behind(b), j) > kNoFaster * fastest)
                    || std::abs(hit.A(a, b)) <= kApart * std::sqrt(std::abs(hit.A(a, a) * hit.A(b, b))))
                    continue;
                taken[j] = true;
                fastest = std::max(fastest, isHit[j] ? speedOf(hit.speed(b), j) : 0);
                open.push_back(j);
            }
        }
        out.push_back(std::move(together));
    }
    return out;
}

} // namespace

/// [J] of velocities.
static double kinetic(const Eigen::MatrixXd& M, const std::vector<double>& v)
{
    const Eigen::Map<const Eigen::VectorXd> x(v.data(), M.rows());
    return 0.5 * x.dot(M * x);
}

Diagnostic notComputable(double t, const std::string& why)
{
    return {.what = "What the contacts do cannot be computed",
            .where = "t = " + text::exact(t),
            .why = why,
            .remedy = "another start, or a model that stays away from this place",
            .position = {}};
}

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

void Contacts::setSlipZeros(std::span<const double> zeros) { work_->slipZeros.assign(zeros.begin(), zeros.end()); }

model::OneSidedEvaluator& Contacts::numbers() { return work_->rows; }
const model::OneSidedEvaluator& Contacts::numbers() const { return work_->rows; }

/// The contacts that touch, with what an impulse at each of them does. Empty where none approaches.
Contacts::Work::Struck Contacts::Work::struck(const Mode& mode, const Limits& limits)
{
    Struck out;
    bool approaches = false;
    for (std::size_t i = 0; i < count(); ++i) {
        const bool rubs = row(i).kind == OneSidedKind::Friction;
        const bool stands =
            mode[i] != OneSidedState::Off && mode[i] != OneSidedState::Forwards && mode[i] != OneSidedState::Backwards;
        if (rubs && stands)
            drift[i] = rows.of(i).rate;
        if (!touches(i, mode, limits))
            continue;
        if (mode[i] == OneSidedState::On)
            drift[i] = rows.of(i).rate;
        approaches = approaches || speed(i) < -limits.rows[i].still;
        out.push_back(i);
    }
    if (!approaches)
        out.clear();
    return out;
}

/// Joints and closed contacts that a form has let drift carry the contacts along that depend on them: what is left of a speed
/// where all of them stand is motion. Else two rows that oppose each other exactly would both approach.
Result<void> Contacts::Work::noteDrift(const model::ModelState& at, const std::vector<double>& v, const Mode& mode,
                                       const Limits& limits)
{
    std::vector<double> rates(rowOf.size());
    if (!evaluator.constraintRates(at.t, at.q.data(), v.data(), rates.data()))
        return notComputable(at.t, evaluator.message());
    std::vector<std::size_t> standing;
    for (std::size_t i = 0; i < count(); ++i)
        if (mode[i] == OneSidedState::On && row(i).kind != OneSidedKind::Link)
            standing.push_back(i);
    const Index n = M.rows(), joints = B.rows();
    MatrixXd all(joints + static_cast<Index>(standing.size()), n);
    VectorXd left(all.rows());
    for (std::size_t i = 0; i < rates.size(); ++i)
        if (rowOf[i] >= 0)
            left(rowOf[i]) = rates[i];
    all.topRows(joints) = B;
    for (std::size_t k = 0; k < standing.size(); ++k) {
        all.row(joints + static_cast<Index>(k)) = gradient(standing[k]).transpose();
        left(joints + static_cast<Index>(k)) = rows.of(standing[k]).rate;
    }
    const Eigen::Map<const VectorXd> none(limits.standing.data(), n);
    bool stands = true; // no coordinate need move faster than one that stands
    for (Index i = 0; i < all.rows(); ++i)
        stands = stands && std::abs(left(i)) <= all.row(i).transpose().cwiseProduct(none).norm();
    if (stands)
        return {};
    Constrained K; // a row without a gradient, as of a curve y^3 = 0 on it, asks for no change and disturbs none
    K.factor(M, all);
    VectorXd right = VectorXd::Zero(n + all.rows());
    right.tail(all.rows()) = left;
    const VectorXd change = K.solve(right).head(n);
    for (std::size_t i = 0; i < count(); ++i) {
        if (row(i).kind != OneSidedKind::Contact || mode[i] == OneSidedState::On)
            continue;
        const double drifted = gradient(i).dot(change), rate = rows.of(i).rate; // of a true speed it is an error as all others
        drift[i] = rate < 0 && rate >= kMostlyDrift * drifted ? std::max(rate, drifted) : 0;
    }
    return {};
}

MatrixXd givenBy(const std::vector<VectorXd>& along, const std::vector<VectorXd>& response)
{
    const auto size = static_cast<Index>(along.size());
    MatrixXd A(size, size);
    for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j) {
            const VectorXd& w = along[static_cast<std::size_t>(i)];
            A(i, j) = w.dot(response[static_cast<std::size_t>(j)].head(w.size()));
        }
    return 0.5 * (A + A.transpose());
}

Result<ImpactOutcome> Contacts::impact(const model::ModelState& at, const Mode& mode, const Limits& limits,
                                       const ImpactRule& rule, std::vector<double>& v)
{
    Work& w = *work_;
    w.drift = w.slipZeros;
    if (auto loaded = w.load(at, v, mode); !loaded)
        return loaded.error();
    if (auto noted = w.noteDrift(at, v, mode, limits); !noted)
        return noted.error();
    const std::vector<std::size_t> touching = w.struck(mode, limits);
    if (touching.empty())
        return ImpactOutcome{};
    const std::vector<double> before = v;
    auto out = w.strikeThose(touching, at, limits, rule, false, v);
    if (!out || !out->happened())
        return out;
    if (rule.weighs || !rule.rests.empty())
        w.weigh(touching, before, v, limits, *out);
    if (!rule.rests.empty())
        if (auto rested = w.rest(rule.rests, at, mode, *out, v); !rested)
            return rested.error();
    return out;
}

/// What joints and the contacts that have pushed hold stands, velocities nearest to these in the metric of M.
Result<void> Contacts::Work::hold(const model::ModelState& at, const std::vector<ContactImpulse>& pushed, const Mode& mode,
                                  std::vector<double>& v)
{
    if (auto loaded = load(at, v, mode); !loaded)
        return loaded.error();
    std::vector<double> rates(rowOf.size());
    if (!evaluator.constraintRates(at.t, at.q.data(), v.data(), rates.data()))
        return notComputable(at.t, evaluator.message());
    const Index n = M.rows(), joints = B.rows();
    MatrixXd all(joints + static_cast<Index>(pushed.size()), n);
    VectorXd right = VectorXd::Zero(n + all.rows());
    all.topRows(joints) = B;
    for (std::size_t i = 0; i < rates.size(); ++i)
        if (rowOf[i] >= 0)
            right(n + rowOf[i]) = -rates[i];
    for (std::size_t k = 0; k < pushed.size(); ++k) {
        const auto contact = static_cast<std::size_t>(pushed[k].row);
        all.row(joints + static_cast<Index>(k)) = gradient(contact).transpose();
        right(n + joints + static_cast<Index>(k)) = -speed(contact) * rows.of(contact).scale;
    }
    Constrained K;
    K.factor(M, all);
    Eigen::Map<VectorXd>(v.data(), n) += K.solve(right).head(n);
    return {};
}

/// What moves together about an impact, and its energy across what it touches, u^T (G M^-1 G^T)^-1 u / 2 with the rates u of
/// the gaps: that of a floor that moves is none.
void Contacts::Work::weigh(const Struck& touching, const std::vector<double>& before, const std::vector<double>& behind,
                           const Limits& limits, ImpactOutcome& impact) const
{
    Constrained K;
    K.factor(M, B);
    const Hit hit = hitOf(touching, K, limits);
    const VectorXd change =
        Eigen::Map<const VectorXd>(behind.data(), M.rows()) - Eigen::Map<const VectorXd>(before.data(), M.rows());
    VectorXd speeds(hit.contacts);
    for (Index i = 0; i < hit.contacts; ++i)
        speeds(i) = hit.speed(i) + gradient(touching[static_cast<std::size_t>(i)]).dot(change);
    for (const Struck& places : movedTogether(hit, speeds, impact)) {
        ContactCompany company;
        for (const std::size_t i : places)
            company.rows.push_back(hit.rows[i]);
        const Eigen::CompleteOrthogonalDecomposition<MatrixXd> gives(MatrixXd(hit.A(places, places)));
        const auto energy = [&](const VectorXd& u) {
            const VectorXd of = u(places);
            return 0.5 * of.dot(gives.solve(of));
        };
        company.approaching = energy(hit.speed);
        company.left = energy(speeds);
        impact.companies.push_back(std::move(company));
    }
}

/// Behind an impact that lost energy: no contact parts of those that come to rest and of what stands with them.
Result<void> Contacts::Work::rest(const std::vector<int>& rests, const model::ModelState& at, const Mode& mode,
                                  ImpactOutcome& impact, std::vector<double>& v)
{
    std::vector<ContactImpulse> all;
    for (ContactCompany& company : impact.companies) {
        const auto isIn = [&company](int row) { return std::ranges::find(company.rows, row) != company.rows.end(); };
        double approached = 0;
        for (const ContactImpulse& hit : impact.contacts)
            if (isIn(hit.row))
                approached += 0.5 * hit.impulse * std::abs(hit.before); // a share 1 - e of it is lost
        if (company.rows.size() < 2 || std::ranges::none_of(rests, isIn)
            || !(company.approaching - company.left > kElastic * approached))
            continue;
        for (const int contact : company.rows) {
            all.push_back({.row = contact});
            if (const int f = frictionOf(static_cast<std::size_t>(contact));
                f >= 0 && mode[static_cast<std::size_t>(f)] == OneSidedState::On)
                all.push_back({.row = f}); // it stuck before
        }
        company.left = 0;
        for (ContactImpulse& hit : impact.contacts)
            hit.after = isIn(hit.row) ? 0 : hit.after;
    }
    if (all.empty())
        return {};
    std::vector<double> stood = v;
    if (auto held = hold(at, all, mode, stood); !held)
        return held.error();
    impact.work += kinetic(M, stood) - kinetic(M, v);
    v = stood;
    return {};
}

/// ahead [s]: where rows that depend on each other here do not. Nothing happens where that is too near, or too far for v.
Result<ImpactOutcome> Contacts::Work::strikeAhead(const Struck& touching, const model::ModelState& at, double ahead,
                                                  const Mode& mode, const Limits& limits, std::vector<double>& v)
{
    ImpactOutcome out;
    out.impacts = 1;
    model::ModelState there = at;
    std::vector<double> rates(at.q.size());
    if (!evaluator.coordinateRates(at.t, at.q.data(), v.data(), rates.data()))
        return notComputable(at.t, evaluator.message());
    for (std::size_t i = 0; i < rates.size(); ++i)
        there.q[i] += ahead * rates[i];
    if (auto held = hold(there, {}, mode, v); !held)
        return held.error();
    if (auto loaded = load(there, v, mode); !loaded)
        return loaded.error();
    Constrained K;
    K.factor(M, B);
    Hit hit = hitOf(touching, K, limits);
    hit.restitution.setZero();
    const VectorXd first = hit.speed;
    if (!(hit.A.diagonal().array() > 0).all() || !strike(hit, {.simultaneous = true}, 0, out))
        return out;
    for (Index i = 0; i < hit.contacts; ++i) {
        const VectorXd change = hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].head(M.rows());
        Eigen::Map<VectorXd>(v.data(), M.rows()) += change;
        if (hit.impulse(i) > 0)
            out.contacts.push_back(struckContact(hit, i, first));
    }
    if (auto held = hold(at, out.contacts, mode, v); !held)
        return held.error();
    return out;
}

Result<ImpactOutcome> Contacts::jamImpact(const model::ModelState& at, const Mode& mode, const Limits& limits,
                                          std::vector<double>& v)
{
    Work& w = *work_;
    w.drift.assign(w.count(), 0);
    if (auto loaded = w.load(at, v, mode); !loaded)
        return loaded.error();
    Work::Struck touching;
    for (std::size_t i = 0; i < w.count(); ++i)
        if (w.touches(i, mode, limits) && w.speed(i) <= limits.rows[i].still)
            touching.push_back(i);
    const double before = kinetic(w.M, v);
    for (double ahead = kAhead; ahead <= kFurthest; ahead *= 10) {
        std::vector<double> after = v;
        auto out = w.strikeAhead(touching, at, ahead * limits.soon, mode, limits, after);
        if (!out)
            return out.error();
        out->work = kinetic(w.M, after) - before;
        if (!out->happened() || !(out->work < 0))
            continue;
        v = after;
        return out;
    }
    return ImpactOutcome{};
}

Result<std::vector<char>> Contacts::bound(const model::ModelState& at, const Mode& mode, const Limits& limits)
{
    Work& w = *work_;
    std::vector<char> out(w.count(), 0);
    const auto opens = [&](std::size_t i) { return mode[i] == OneSidedState::Off && w.row(i).kind == OneSidedKind::Contact; };
    const auto holds = [&](std::size_t i) { return mode[i] == OneSidedState::On && w.row(i).kind != OneSidedKind::Link; };
    bool any = false, held = false;
    for (std::size_t i = 0; i < w.count(); ++i) {
        any = any || opens(i);
        held = held || holds(i);
    }
    if (!any || !held)
        return out;
    if (auto loaded = w.load(at, at.v, mode); !loaded)
        return loaded.error();
    RowSpan span(massUnits(w.M), w.B, kBound);
    for (std::size_t i = 0; i < w.count(); ++i)
        if (holds(i))
            span.take(w.gradient(i));
    for (std::size_t i = 0; i < w.count(); ++i)
        out[i] = opens(i) && w.touches(i, mode, limits) && span.follows(w.gradient(i));
    return out;
}

Result<ImpactOutcome> Contacts::impactWithoutCollision(const model::ModelState& at, const Mode& mode, const Limits& limits,
                                                       int contact, std::vector<double>& v)
{
    Work& w = *work_;
    w.drift = w.slipZeros;
    if (auto loaded = w.load(at, v, mode); !loaded)
        return loaded.error();
    (void)w.struck(mode, limits);
    Work::Struck touching{static_cast<std::size_t>(contact)};
    for (std::size_t i = 0; i < w.count(); ++i)
        if (static_cast<int>(i) != contact && w.touches(i, mode, limits))
            touching.push_back(i);
    return w.strikeThose(touching, at, limits, {}, true, v);
}

/// The contacts of an impact at a state that was loaded, with what an impulse at each of them does. M, B: of Work.
Hit Contacts::Work::hitOf(const Struck& touching, const Constrained& K, const Limits& limits) const
{
    Hit hit;
    hit.contacts = static_cast<Index>(touching.size());
    std::vector<std::size_t> all(touching);
    hit.friction = VectorXd::Zero(hit.contacts);
    for (std::size_t k = 0; k < touching.size(); ++k) {
        const int friction = frictionOf(touching[k]);
        hit.tangent.push_back(friction < 0 ? -1 : static_cast<Index>(all.size()));
        if (friction < 0)
            continue;
        all.push_back(static_cast<std::size_t>(friction));
        hit.friction(static_cast<Index>(k)) = rows.of(all.back()).friction;
    }
    const auto size = static_cast<Index>(all.size());
    for (VectorXd* each : {&hit.speed, &hit.restitution, &hit.rest, &hit.still, &hit.scale})
        each->resize(size);
    hit.impulse = VectorXd::Zero(size);
    std::vector<VectorXd> along;
    for (Index i = 0; i < size; ++i) {
        const std::size_t row = all[static_cast<std::size_t>(i)];
        const model::OneSidedNumbers& now = rows.of(row);
        hit.rows.push_back(static_cast<int>(row));
        along.push_back(gradient(row));
        hit.response.push_back(K.response(along.back()));
        hit.speed(i) = speed(row) * now.scale;
        hit.restitution(i) = now.restitution;
        hit.rest(i) = (now.rest > 0 ? now.rest : limits.rows[row].rest) * now.scale;
        hit.still(i) = limits.rows[row].still * now.scale;
        hit.scale(i) = now.scale;
    }
    hit.A = givenBy(along, hit.response);
    return hit;
}

/// How much an impulse along a row would change its speed if nothing held the bodies, but for products of inertia.
double Contacts::Work::withoutJoints(const VectorXd& along) const
{
    double sum = 0;
    const double none = noMass(M);
    for (Index k = 0; k < along.size(); ++k)
        if (M(k, k) > none)
            sum += along(k) * along(k) / M(k, k);
    return sum;
}

/// forced: the first contact is hit whatever its speed.
Result<ImpactOutcome> Contacts::Work::strikeThose(const Struck& touching, const model::ModelState& at, const Limits& limits,
                                                  const ImpactRule& rule, bool forced, std::vector<double>& v)
{
    ImpactOutcome out;
    Constrained K;
    K.factor(M, B);
    Hit hit = hitOf(touching, K, limits);
    // What joints hold at a dead centre, and no more than drifts towards it, is not hit. Neither is what they hold but for an
    // angle below kBound: it goes on by half the square of that, which is less than what counts as touching.
    Struck giving;
    for (Index i = 0; i < hit.contacts; ++i) {
        const std::size_t contact = touching[static_cast<std::size_t>(i)];
        const bool held = hit.A(i, i) <= kBound * kBound * withoutJoints(gradient(contact));
        if (hit.A(i, i) > 0 && (forced || !held || -speed(contact) > kPasses * limits.rows[contact].still))
            giving.push_back(contact);
        else if (held && hit.A(i, i) > 0)
            continue;
        else if (forced || -speed(contact) > kDrifts * limits.rows[contact].still)
            return notComputable(at.t,
                                 "the contact " + row(contact).row.name + " is hit where the joints let nothing give way");
    }
    if (giving.empty())
        return out;
    if (giving.size() < touching.size())
        return strikeThose(giving, at, limits, rule, forced, v);
    const Eigen::Map<const VectorXd> before(v.data(), static_cast<Index>(v.size()));
    const VectorXd first = hit.speed;
    const bool began = !forced || pushOne(hit, 0, rule.law);
    if (!began || !strike(hit, rule, 0.5 * before.dot(M * before), out)) {
        std::string names;
        for (const std::size_t i : touching)
            names += (names.empty() ? "" : ", ") + row(i).row.name;
        Diagnostic none =
            notComputable(at.t, "the contacts that are hit at one time (" + names
                                    + ") have no impulses that let all of them part: what one asks for another forbids");
        none.remedy =
            "a motion in which they do not oppose each other, as an end that moves against a ratchet does, or a spring in "
            "place of one of them";
        return none;
    }
    VectorXd change = VectorXd::Zero(M.rows()), joints = VectorXd::Zero(B.rows());
    out.work = hit.work; // relative to what is touched; what moves by itself does work besides, as moving joints do
    for (Index i = 0; i < hit.speed.size(); ++i) {
        change += hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].head(M.rows());
        joints += hit.impulse(i) * hit.response[static_cast<std::size_t>(i)].tail(B.rows());
        out.work -=
            hit.impulse(i) * (first(i) - gradient(static_cast<std::size_t>(hit.rows[static_cast<std::size_t>(i)])).dot(before));
    }
    for (Index i = 0; i < hit.contacts; ++i)
        if (hit.impulse(i) > 0)
            out.contacts.push_back(struckContact(hit, i, first));
    out.work -= joints.dot(B * before);
    for (Index i = 0; i < change.size(); ++i)
        v[static_cast<std::size_t>(i)] += change(i);
    return out;
}

} // namespace driftless::consistency
