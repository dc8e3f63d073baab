#include "core/run/EventWords.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/system/DependentRows.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::run {

namespace {

constexpr std::size_t kMostConstraints = 8; ///< named in a sentence
constexpr std::size_t kMostNamedRows = 6;   ///< rows set aside that are named in a sentence

#ifdef DRIFTLESS_WORDS_REPLACED
constexpr int kReplacedFromTheStart = 1; ///< a build in which nothing is said: what else changes depended on words
#else
constexpr int kReplacedFromTheStart = 0;
#endif
std::atomic<int> replaced{kReplacedFromTheStart}; ///< WordsReplaced that exist

std::string shownValue(double value, bool logical)
{
    if (!logical)
        return text::rounded(value);
    return value > 0.5 ? "true" : "false";
}

/// "12 % of" or "34 times".
std::string shareOf(double share)
{
    return share < 10 ? text::rounded(100 * share, 3) + " % of" : text::rounded(share, 3) + " times";
}

std::string namesOf(const std::vector<model::Dependent>& rows)
{
    const auto name = [](const model::Dependent& row) { return row.constraint.name; };
    return rows.size() > kMostNamedRows ? text::firstOf(rows, name, kMostNamedRows) : text::enumerated(rows, name, " and ");
}

std::string moved(const char* what, const ValuesCorrected::Move& move)
{
    return std::string(what) + " moved by up to " + text::rounded(move.size, 3) + " (" + move.name + ")";
}

/// What a contact with friction did within an impact.
std::string slipOf(const ImpactEvent::Rubbed& r)
{
    if (r.after == 0)
        return r.before == 0 ? r.contact + " does not slip" : r.contact + " stops slipping";
    if (r.before * r.after < 0)
        return r.contact + " slips back with " + text::rounded(std::abs(r.after), 3) + " m/s";
    return r.contact + " slips on with " + text::rounded(std::abs(r.after), 3) + " m/s";
}

std::string lawName(const std::string& law) { return law == "poisson" ? "Poisson" : "Newton"; }

struct Words {
    std::string operator()(const Started& e) const { return e.formulation + " with " + e.integrator; }
    std::string operator()(const StartCorrected& e) const
    {
        return "start values made consistent: moved by " + text::rounded(e.moved, 3);
    }
    std::string operator()(const CommandDone& e) const
    {
        const std::string done = describe(e.payload);
        return e.energyJump
                   ? done + "; the energy jumps by " + text::rounded(*e.energyJump, 3) + " J and its balance starts afresh"
                   : done;
    }
    std::string operator()(const Restarted& e) const
    {
        const std::string done = describe(Restart{});
        switch (e.cause) {
        case RestartCause::StepInterrupted:
            return done + ": a step under way was interrupted";
        case RestartCause::AfterFailure:
            return done + ": the run goes on after a failure";
        case RestartCause::Asked:
            break;
        }
        return done;
    }
    std::string operator()(const PivotChange& e) const
    {
        return "dummies " + text::joined(e.from) + " -> " + text::joined(e.to) + " (kappa " + text::rounded(e.kappaBefore, 3)
               + " -> " + text::rounded(e.kappa, 3) + ")";
    }
    std::string operator()(const BasisRenewed& e) const
    {
        return "basis renewed (kappa " + text::rounded(e.kappaBefore, 3) + " -> 1)";
    }
    std::string operator()(const Correction& e) const
    {
        return "made consistent: positions moved by " + text::rounded(e.positions, 3) + ", velocities by "
               + text::rounded(e.velocities, 3);
    }
    std::string operator()(const ValuesCorrected& e) const
    {
        std::string asked, moves;
        for (const ValuesCorrected::Miss& miss : e.missed)
            asked += (asked.empty() ? "" : ", ") + miss.name + " = " + text::rounded(miss.became) + " in place of "
                     + text::rounded(miss.asked);
        if (e.positions)
            moves = moved("positions", *e.positions);
        if (e.velocities)
            moves += (moves.empty() ? "" : ", ") + moved("velocities", *e.velocities);
        return asked + (asked.empty() || moves.empty() ? "" : "; ") + moves;
    }
    std::string operator()(const PinnedNearSingular& e) const
    {
        return "the pinned pivot " + text::joined(e.dummies) + " comes close to a singular point (kappa "
               + text::rounded(e.kappa, 3) + ")";
    }
    std::string operator()(const RatesNearSingular& e) const
    {
        return "the matrix (3.24) of [PP92] is close to singular"
               + (e.singularSince ? ", and was singular since t = " + text::rounded(*e.singularSince) : std::string())
               + ": the smallest singular value of [G; L] is " + text::rounded(e.ratio, 3)
               + " of the largest, so that mu and tau, or the ssf-solution, are hardly determined and a step may lead "
                 "to another solution";
    }
    std::string operator()(const RankLost& e) const
    {
        return "a singular configuration was passed at t = " + text::rounded(e.t) + ": "
               + text::firstOf(e.constraints, kMostConstraints)
               + " lost their independence there, so that their forces were not determined and the motion had more than "
                 "one continuation";
    }
    std::string operator()(const EnergyDrifted& e) const
    {
        const std::string error =
                              std::string("the energy error") + (e.withoutDrift ? ", without what the drift is worth," : ""),
                          what = e.withinSteps ? error + " has changed by " + text::rounded(e.error, 3) + " J within "
                                                     + std::to_string(*e.withinSteps) + " steps"
                                               : error + " is " + text::rounded(e.error, 3) + " J";
        const std::string share = e.exchanged > 0
                                      ? shareOf(std::abs(e.error) / e.exchanged) + " the " + text::rounded(e.exchanged, 3)
                                            + (e.besideSpin  ? " J by which V and the work have changed"
                                               : e.inTheMean ? " J that the motion exchanges in the mean"
                                                             : " J that the motion has exchanged")
                                      : "and the motion has exchanged none";
        if (e.besideSpin)
            return what + ", " + share + ": what falls and rises beside the rest of T is not what the model does";
        return what + ", " + share + ": "
               + (e.yields      ? "the springs and dampers in place of constraints have it, or the method has lost it"
                  : e.fixedStep ? "the step of " + text::rounded(*e.fixedStep, 3) + " s is too long"
                                : "more than the tolerances explain")
               + ", and the motion shown is not that of the model";
    }
    std::string operator()(const PositionsDrifted& e) const
    {
        const std::string share = "the constraint " + e.constraint + " is violated by " + text::rounded(e.residual, 3) + ", "
                                  + shareOf(e.share)
                                  + (e.yields ? " what its coordinates usually are" : " the way that the mechanism has moved");
        if (e.yields)
            return e.formulation + " has springs in place of constraints, and they give: " + share
                   + ". A larger k makes them stiffer";
        return e.held
                   ? share + ", although " + e.formulation + " holds the positions: the motion shown is not that of the model"
                   : e.formulation + " does not hold the positions, and they have drifted: " + share;
    }
    std::string operator()(const RedundantConstraints& e) const
    {
        std::string found;
        for (const consistency::RedundantRow& row : e.explained)
            found += (found.empty() ? "" : "; ") + consistency::sentence(row);
        return std::to_string(e.names.size()) + " of the " + std::to_string(e.among)
               + " constraints follow from the others here: " + (found.empty() ? text::joined(e.names) : found)
               + ". None is dropped; the motion is determined, but the multipliers of " + text::joined(e.undetermined)
               + " are not, one by one: those shown are one of many sets with the same effect";
    }
    std::string operator()(const ConstraintsSetAside& e) const
    {
        const std::size_t count = e.rows.size();
        const bool one = count == 1;
        std::string text = std::to_string(count)
                           + (one ? " constraint follows from the others and is set aside: "
                                  : " constraints follow from the others and are set aside: ");
        for (std::size_t i = 0; i < std::min(kMostNamedRows, count); ++i)
            text += (i ? "; " : "") + model::sentence(e.rows[i]);
        if (count > kMostNamedRows)
            text += "; and " + std::to_string(count - kMostNamedRows) + " more";
        if (!e.confirmed)
            text +=
                ". With these values that could not be confirmed along the motion: watch the residual of the rows set aside";
        else if (e.moves)
            text += ". The motion is the same without (confirmed at " + std::to_string(e.places) + " places along it)";
        text +=
            one ? ". The forces of this joint are not determined one by one: those shown belong to a multiplier of zero for "
                : ". The forces of these joints are not determined one by one: those shown belong to multipliers of zero "
                  "for ";
        return text + namesOf(e.rows);
    }
    std::string operator()(const NoFreedom& e) const
    {
        return "the constraints leave no degree of freedom here (" + std::to_string(e.coordinates) + " coordinates, rank "
               + std::to_string(e.rank) + "): nothing moves";
    }
    std::string operator()(const ImpactEvent& e) const
    {
        std::string out = "impact at " + text::joined(e.contacts)
                          + (e.withoutCollision ? std::string(" without collision")
                                                : " with " + text::rounded(e.speed, 3) + (e.angularSpeed ? " rad/s" : " m/s"))
                          + ", impulse " + text::rounded(e.impulse, 3) + (e.angularImpulse ? " N m s" : " N s");
        out += std::abs(e.energy) > 0 ? ", energy " + text::rounded(e.energy, 3) + " J" : std::string();
        if (e.impacts > 1)
            out += e.cutShort ? "; they did not end one after the other, and the rest was taken without rebound"
                              : "; " + std::to_string(e.impacts) + " impacts one after the other";
        for (const ImpactEvent::Rubbed& r : e.rubbed)
            out += "; " + slipOf(r);
        if (e.gained > 0)
            out += "; the law of " + lawName(e.law) + " has given " + text::rounded(e.gained, 3)
                   + " J, which no real impact does: impact_law = \"energetic\" gives none";
        if (e.leastRestitution)
            out += "; the restitutions differ, and together they would have given energy or cannot be met: the least one "
                   "counts for all";
        return out;
    }
    std::string operator()(const ModeChange& e) const { return "mode: " + e.from + " -> " + e.to; }
    std::string operator()(const Switched& e) const
    {
        std::vector<std::string> parts;
        for (const auto& change : e.switched)
            parts.push_back(change.name + (change.after > 0.5 ? " begins to hold" : " ceases to hold"));
        for (const auto& change : e.set)
            parts.push_back(change.name + " = " + shownValue(change.after, change.logical));
        for (const auto& change : e.reinit)
            parts.push_back(change.name + " = " + text::rounded(change.after) + " (was " + text::rounded(change.before) + ")");
        return text::firstOf(parts, kMostConstraints);
    }
    std::string operator()(const AssertionBroken& e) const { return e.message; }
    std::string operator()(const LimitsTooFine& e) const
    {
        return text::firstOf(e.conditions, kMostConstraints)
               + ": the limit cannot be told from zero. What is nearer to zero than a thousand-millionth of the usual size "
                 "of a value counts as zero, and that size is 1 where no nominal is stated. "
                 "Try: Real x(nominal = 1e-6), for the values that are small";
    }
    std::string operator()(const Crossing& e) const { return text::joined(e.names) + " came to zero and nothing followed"; }
    std::string operator()(const Failure& e) const { return e.diagnostic.text(); }
};

/// A name without the body that it belongs to: "bob.x" is x.
std::string lastPart(const std::string& name)
{
    const auto point = name.rfind('.');
    return point == std::string::npos || point + 1 == name.size() ? name : name.substr(point + 1);
}

/// Those that only one of both selections has: in short where it is one for one.
std::string exchanged(const std::vector<std::string>& from, const std::vector<std::string>& to)
{
    const auto without = [](std::vector<std::string> these, const std::vector<std::string>& those) {
        std::erase_if(these, [&](const std::string& name) { return std::ranges::find(those, name) != those.end(); });
        return these;
    };
    const auto leaves = without(from, to), enters = without(to, from);
    if (leaves.size() != 1 || enters.size() != 1)
        return text::joined(leaves) + " -> " + text::joined(enters);
    const std::string a = lastPart(leaves.front()), b = lastPart(enters.front());
    return a == b ? leaves.front() + " -> " + enters.front() : a + " -> " + b;
}

struct CommandLabel {
    static std::string assigned(const std::string& name, double value) { return name + " = " + text::rounded(value, 4); }
    std::string operator()(const SetParameter& c) const { return assigned(c.name, c.value); }
    std::string operator()(const SetFormulation& c) const { return c.id; }
    std::string operator()(const SetIntegrator& c) const { return c.id; }
    std::string operator()(const SetOptions&) const { return "options of the method"; }
    std::string operator()(const SetPivot& c) const { return c.pivot.automatic ? "pivot automatic" : "pivot pinned"; }
    std::string operator()(const SetGain& c) const { return assigned(c.name, c.value); }
    std::string operator()(const SetChoice& c) const { return c.name + " " + c.value; }
    std::string operator()(const SetRows&) const { return "recording"; }
    std::string operator()(const SetState&) const { return "moved"; }
    std::string operator()(const Reset&) const { return "start"; }
    std::string operator()(const SetStart&) const { return "new start"; }
    std::string operator()(const Branch&) const { return "branch"; }
    std::string operator()(const Restart&) const { return "restart"; }
};

struct Label {
    std::string operator()(const Started&) const { return {}; }
    std::string operator()(const CommandDone& e) const { return std::visit(CommandLabel{}, e.payload); }
    std::string operator()(const Restarted&) const { return "restart"; }
    std::string operator()(const PivotChange& e) const { return "pivot " + exchanged(e.from, e.to); }
    std::string operator()(const BasisRenewed&) const { return "basis"; }
    std::string operator()(const StartCorrected&) const { return "corrected"; }
    std::string operator()(const Correction&) const { return "corrected"; }
    std::string operator()(const ValuesCorrected&) const { return "corrected"; }
    std::string operator()(const PinnedNearSingular&) const { return "near singular"; }
    std::string operator()(const RatesNearSingular&) const { return "near singular"; }
    std::string operator()(const RankLost&) const { return "rank lost"; }
    std::string operator()(const EnergyDrifted&) const { return "energy drifts"; }
    std::string operator()(const PositionsDrifted&) const { return "positions drift"; }
    std::string operator()(const RedundantConstraints&) const { return "redundant"; }
    std::string operator()(const ConstraintsSetAside&) const { return "set aside"; }
    std::string operator()(const NoFreedom&) const { return "nothing moves"; }
    std::string operator()(const ImpactEvent&) const { return "impact"; }
    std::string operator()(const ModeChange& e) const { return e.to; }
    std::string operator()(const Switched& e) const
    {
        if (!e.set.empty())
            return e.set.front().name + " = " + shownValue(e.set.front().after, e.set.front().logical);
        if (!e.reinit.empty())
            return e.reinit.front().name + " jumps";
        return e.switched.empty() ? std::string() : (e.switched.front().after > 0.5 ? "" : "not ") + e.switched.front().name;
    }
    std::string operator()(const AssertionBroken&) const { return "assertion"; }
    std::string operator()(const LimitsTooFine&) const { return "limit too fine"; }
    std::string operator()(const Crossing&) const { return "touched"; }
    std::string operator()(const Failure&) const { return "stopped"; }
};

} // namespace

std::string label(const EventDetail& detail) { return replaced > 0 ? "X" : std::visit(Label{}, detail); }

std::string words(const EventDetail& detail) { return replaced > 0 ? "X" : std::visit(Words{}, detail); }

std::string words(const Event& event) { return words(event.detail); }

WordsReplaced::WordsReplaced() { ++replaced; }

WordsReplaced::~WordsReplaced() { --replaced; }

} // namespace driftless::run
