#include "core/consistency/StruckContacts.h"

#include <algorithm>
#include <cmath>

#include "core/consistency/PlanarImpact.h"
#include "core/solve/Complementarity.h"

namespace driftless::consistency {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr double kAsFast = 1e-9;       ///< of speeds: what differs by less is equally fast
constexpr double kDrifting = 1e3;      ///< of the speed of rest: what penalties and projections leave of velocities
constexpr double kGainedShare = 1e-10; ///< of the kinetic energy: less is round-off

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

/// All that approach, together. False where there is no solution. Contacts that oppose each other exactly have one only up to
/// what a form leaves of its velocities: then slower approaches are none.
bool pushTogether(Hit& hit, double still, double most)
{
    VectorXd bound(hit.contacts);
    for (Index i = 0; i < bound.size(); ++i) {
        const double approach = std::max(0.0, -hit.speed(i));
        bound(i) = hit.speed(i) - std::min(most, restitutionOf(hit, i, approach)) * approach;
    }
    const Eigen::MatrixXd A = hit.A.topLeftCorner(hit.contacts, hit.contacts);
    auto solved = solve::solveComplementarity(A, bound, still);
    for (double slow = 10 * still; !solved.solved && slow <= kDrifting * still; slow *= 10)
        solved = solve::solveComplementarity(A, bound, slow);
    if (!solved.solved)
        return false;
    VectorXd impulse = VectorXd::Zero(hit.speed.size());
    impulse.head(hit.contacts) = solved.z;
    push(hit, impulse);
    return true;
}

} // namespace

bool pushOne(Hit& hit, Index i, model::ImpactLaw law)
{
    VectorXd impulse = VectorXd::Zero(hit.speed.size());
    const double approach = std::max(0.0, -hit.speed(i));
    if (const Index t = hit.tangent[static_cast<std::size_t>(i)]; t >= 0) {
        const PlanarImpulse found = impulseOf({.normal = hit.A(i, i),
                                               .mixed = hit.A(i, t),
                                               .tangential = hit.A(t, t),
                                               .approach = -approach,
                                               .slip = hit.speed(t),
                                               .friction = hit.friction(i),
                                               .restitution = restitutionOf(hit, i, approach),
                                               .still = kSlips * hit.still(t),
                                               .law = law});
        if (!found.ended)
            return false;
        impulse(i) = found.normal;
        impulse(t) = found.tangential;
    } else {
        impulse(i) = (1 + restitutionOf(hit, i, approach)) * approach / hit.A(i, i);
    }
    push(hit, impulse);
    return true;
}

namespace {

/// One after the other. Returns how many impacts there were, negative: without an end.
int pushInTurn(Hit& hit, model::ImpactLaw law)
{
    for (int k = 0; k < kMostImpacts; ++k) {
        Index next = -1;
        double fastest = 1; // in units of what is none: angles and lengths have no other measure in common
        for (Index i = 0; i < hit.contacts; ++i)
            if (-hit.speed(i) / hit.still(i) > fastest * (1 + kAsFast)) { // of equally fast ones the first
                next = i;
                fastest = -hit.speed(i) / hit.still(i);
            }
        if (next < 0)
            return k;
        if (!pushOne(hit, next, law))
            return -1;
    }
    return -1;
}

} // namespace

bool strike(Hit& hit, const ImpactRule& rule, double kinetic, ImpactOutcome& out)
{
    const double least = hit.still.head(hit.contacts).minCoeff();
    if (!rule.simultaneous) {
        out.impacts = pushInTurn(hit, rule.law);
        out.gained = hit.work > kGainedShare * kinetic ? hit.work : 0;
        out.cutShort = out.impacts < 0;
        if (!out.cutShort)
            return true;
        out.impacts = kMostImpacts + 1;
        return pushTogether(hit, least, 0);
    }
    const Hit fresh = hit;
    out.impacts = 1;
    if (pushTogether(hit, least, 1) && hit.work <= kGainedShare * kinetic)
        return true;
    // What rebounds from a stop against a ratchet that lets nothing back: no velocity has both restitutions.
    hit = fresh;
    out.leastRestitution = true;
    if (pushTogether(hit, least, hit.restitution.head(hit.contacts).minCoeff()))
        return true;
    hit = fresh; // between two elastic ends that both touch: no velocity is one of rebound
    return pushTogether(hit, least, 0);
}

ContactImpulse struckContact(const Hit& hit, Index i, const VectorXd& first)
{
    const auto k = static_cast<std::size_t>(i);
    ContactImpulse out{.row = hit.rows[k],
                       .impulse = hit.impulse(i) * hit.scale(i),
                       .before = first(i) / hit.scale(i),
                       .after = hit.speed(i) / hit.scale(i)};
    if (const Index t = hit.tangent[k]; t >= 0) {
        out.friction = hit.rows[static_cast<std::size_t>(t)];
        out.tangential = hit.impulse(t);
        out.slipBefore = first(t);
        out.slipAfter = hit.speed(t);
    }
    return out;
}

} // namespace driftless::consistency
