// Impacts: which contacts are hit, which come to rest by it, how it is told, and how far what is thrown back flies.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/run/ModeFollower.h"
#include "core/run/Plain.h"

namespace driftless::run {

namespace {

constexpr double kNoSlip = 1e-6;      ///< of the speeds of an impact: a slower slip is told as none
constexpr double kOfError = 5;        ///< times what a step may err by in the mean: what flies no higher may be that
constexpr double kSmallFlight = 1e-6; ///< of the usual gap: what tolerances may make of nothing
constexpr double kSlowly = 10;        ///< times as long as with the usual acceleration: with a hundredth of it
constexpr double kSquaredSteps = 100; ///< times an error: a step of order one that errs so takes a twentieth of such a flight
constexpr double kLow = 1e-3;         ///< of the usual gap: what tolerances may change by more than a little

} // namespace

ImpactEvent ModeFollower::told(const consistency::ImpactOutcome& impact) const
{
    ImpactEvent out{.contacts = {}, .bodies = {}, .impulse = 0, .energy = impact.work, .impacts = impact.impacts};
    double strongest = 0, fastest = 0; // in usual sizes: forces and moments have no other measure in common
    for (const consistency::ContactImpulse& c : impact.contacts) {
        const auto place = static_cast<std::size_t>(c.row);
        const model::Constraint& row = system().oneSided[place].row;
        const bool angular = system().oneSided[place].angular;
        out.contacts.push_back(row.name);
        for (const std::string& body : row.bodies)
            if (std::find(out.bodies.begin(), out.bodies.end(), body) == out.bodies.end())
                out.bodies.push_back(body);
        if (const double usual = c.impulse / sizes_.rows[place].force; usual > strongest) {
            strongest = usual;
            out.impulse = c.impulse;
            out.angularImpulse = angular;
        }
        if (const double usual = -c.before / sizes_.rows[place].speed; usual > fastest) {
            fastest = usual;
            out.speed = -c.before;
            out.angularSpeed = angular;
        }
        out.multipliers.push_back(-c.impulse / contacts_.numbers().of(place).scale);
        if (c.friction < 0)
            continue;
        const double still = std::max(limit(static_cast<std::size_t>(c.friction)).still,
                                      kNoSlip * (std::abs(c.before) + std::abs(c.after) + std::abs(c.slipBefore)));
        const auto slip = [still](double v) { return std::abs(v) > still ? v : 0; };
        out.rubbed.push_back({.row = system().oneSided[static_cast<std::size_t>(c.friction)].row.name,
                              .contact = row.name,
                              .multiplier = -c.tangential,
                              .before = slip(c.slipBefore),
                              .after = slip(c.slipAfter)});
        static constexpr const char* kLaws[] = {"energetic", "newton", "poisson"};
        out.law = kLaws[static_cast<int>(base_->model().impactLaw)];
    }
    out.gained = impact.gained;
    out.cutShort = impact.cutShort;
    out.leastRestitution = impact.leastRestitution;
    return out;
}

/// [1/s] in usual gaps.
double ModeFollower::approachOf(const consistency::ContactImpulse& contact) const
{
    return -contact.before / sizes_.rows[static_cast<std::size_t>(contact.row)].gap;
}

void ModeFollower::book(const consistency::ImpactOutcome& impact, const model::ModelState& after, Happening& out) const
{
    out.moved = true;
    out.work += impact.work;
    out.state.v = after.v;
    out.told.emplace_back(told(impact));
    double fastest = out.approach.value_or(0);
    for (const consistency::ContactImpulse& hit : impact.contacts)
        fastest = std::max(fastest, approachOf(hit));
    out.approach = fastest;
}

void ModeFollower::takePlaceErrors(const model::ModelState& at)
{
    std::ranges::fill(placeErrors_, 0.0);
    const StepErrors& errors = stepErrors_;
    if (errors.absolute.empty() || !contacts_.numbers().rows(at.t, at.q.data(), at.v.data()))
        return; // what needs a gradient says so itself
    // A method of one step hardly errs in a flight, wherever its zero is.
    const auto sizeOf = [&](std::size_t row, std::size_t coordinate) {
        const double place = std::abs(at.q[coordinate]);
        return errors.multistep ? place : std::min(place, sizes_.rows[row].gap);
    };
    for (std::size_t i = 0; i < rows(); ++i) {
        const auto along = contacts_.numbers().gradient(i);
        double largest = 0;
        for (std::size_t j = 0; j < at.q.size(); ++j)
            largest = std::max(largest, std::abs(along[j]) * (errors.absolute[j] + errors.relative * sizeOf(i, j)));
        if (largest > 0)
            placeErrors_[i] = largest / contacts_.numbers().of(i).scale;
    }
}

/// The height, in usual gaps, of a flight that tolerances may have made of nothing.
double ModeFollower::smallFlight(std::size_t row) const
{
    return std::max(kSmallFlight, kOfError * placeErrors_[row] / sizes_.rows[row].gap);
}

/// Whether its last impact is no longer ago than such a flight may last.
bool ModeFollower::follows(std::size_t row, double t) const
{
    return t - impacts_[row].last <= kSlowly * std::sqrt(smallFlight(row)) * sizes_.rows[row].time;
}

/// Whether each of these contacts that was hit has come to where it rocks on for nothing.
bool ModeFollower::hasRocked(const consistency::ContactCompany& company, const consistency::ImpactOutcome& impact,
                             double t) const
{
    return std::ranges::all_of(impact.contacts, [&](const consistency::ContactImpulse& hit) {
        const auto row = static_cast<std::size_t>(hit.row);
        if (std::ranges::find(company.rows, hit.row) == company.rows.end())
            return true;
        const double below = impacts_[row].rocks.standsBelow();
        return follows(row, t) && below > 0 && approachOf(hit) <= below;
    });
}

void ModeFollower::followRocking(const consistency::ImpactOutcome& impact, double t)
{
    for (const consistency::ContactImpulse& hit : impact.contacts) // where nothing was weighed no flight was short
        if (impact.companies.empty())
            impacts_[static_cast<std::size_t>(hit.row)] = {.rocks = {}, .last = t};
    for (const consistency::ContactCompany& company : impact.companies) {
        double approach = 0;
        for (const consistency::ContactImpulse& hit : impact.contacts)
            if (std::ranges::find(company.rows, hit.row) != company.rows.end())
                approach = std::max(approach, approachOf(hit));
        for (const int row : company.rows) {
            RowImpacts& of = impacts_[static_cast<std::size_t>(row)];
            const double small = smallFlight(static_cast<std::size_t>(row));
            of.rocks.follow({.approach = approach,
                             .approaching = company.approaching,
                             .left = company.left,
                             .small = follows(static_cast<std::size_t>(row), t) && approach * (t - of.last) <= small,
                             .several = company.rows.size() > 1});
            of.last = t;
        }
    }
}

/// What is hit has fired, or touches: a guard that is found a little late is at zero for what follows.
Result<consistency::ImpactOutcome> ModeFollower::strike(model::ModelState& s, const consistency::Contacts::Limits& limits)
{
    consistency::ImpactRule rule{.simultaneous = base_->model().simultaneousImpacts, .law = base_->model().impactLaw};
    for (std::size_t i = 0; i < rows(); ++i)
        rule.weighs = rule.weighs || follows(i, s.t);
    const std::vector<double> before = s.v;
    auto impact = contacts_.impact(s, mode_, limits, rule, s.v);
    if (!impact || !impact->happened())
        return impact;
    for (const consistency::ContactCompany& company : impact->companies)
        if (hasRocked(company, *impact, s.t))
            rule.rests.push_back(company.rows.front());
    if (!rule.rests.empty()) {
        s.v = before;
        impact = contacts_.impact(s, mode_, limits, rule, s.v);
        if (!impact)
            return impact;
    }
    followRocking(*impact, s.t);
    return impact;
}

bool ModeFollower::rebounds() const
{
    return std::ranges::any_of(system().oneSided, [](const model::OneSided& row) { return !row.restitution.isZero(); });
}

ModeFollower::LowFlight ModeFollower::lowFlight(const model::ModelState& at)
{
    std::copy(at.lambda.begin(), at.lambda.end(), lambda_.begin());
    if (!ground_.metrics->solver().accelerations(at.t, at.q.data(), at.v.data(), a_.data(), lambda_.data()) || !forcesAt(at)
        || !contacts_.numbers().rows(at.t, at.q.data(), at.v.data()))
        return {};
    LowFlight out;
    for (std::size_t i = 0; i < rows(); ++i) {
        const model::OneSidedNumbers& now = contacts_.numbers().of(i);
        const double low = std::max(kLow * sizes_.rows[i].gap, kSquaredSteps * placeErrors_[i]) * now.scale;
        if (!strikes(static_cast<int>(i)) || now.value > low)
            continue;
        const auto along = contacts_.numbers().gradient(i);
        const double falls =
            -std::inner_product(along.begin(), along.end(), a_.begin(), contacts_.numbers().gamma(i)); // of the gap [m/s^2]
        const double squared = now.rate * now.rate + 2 * falls * std::max(now.value, 0.0); // of the speed at which it lands
        if (!(falls > 0) || squared > 2 * falls * low || squared <= limit(i).still * limit(i).still * now.scale * now.scale)
            continue;
        if (const double whole = 2 * std::sqrt(squared) / falls; whole < out.whole)
            out = {.whole = whole, .left = (now.rate + std::sqrt(squared)) / falls};
    }
    return out;
}

} // namespace driftless::run
