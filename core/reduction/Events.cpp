#include "core/reduction/Events.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/reduction/Beside.h"
#include "core/reduction/EventTold.h"
#include "core/reduction/Jump.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::reduction {

namespace {

using model::EventAction;
using model::HeldVariable;

constexpr int kMostPasses = 100;                   ///< at one instant; a chain of `when` that call each other has a few
constexpr int kMostInner = 50;                     ///< of conditions and discrete variables with pre() as it is
constexpr double kAsBefore = 10;                   ///< the same error, seen by other equations
constexpr double kClearly = 1e3;                   ///< times what touches: no error of a value that was integrated
constexpr double kFreely = 1e3;                    ///< what is not integrated moves first, as at a start
constexpr double kEntered = 1e-4, kDrifted = 1e-2; ///< usual sizes: so far off is a coarse run where ties begin, and in them

/// Whether a rate is another one than before: what follows from the state is known to its accuracy alone.
bool turns(double rate, double before) { return std::abs(rate - before) > 0.1 * std::max(std::abs(rate), std::abs(before)); }

std::string instantText(double t) { return "t = " + text::rounded(t, 8); }

} // namespace

std::vector<double> EventEvaluator::followingWeights() const
{
    std::vector<double> out;
    for (const char followed : followedOf(*reduced_))
        out.push_back(followed ? 0 : 1);
    return out;
}

/// One event, pass by pass.
struct EventEvaluator::Pass {
    EventEvaluator& of;
    ReducedEvaluator& rows;
    double t;
    std::vector<double>& y;
    std::span<const int> fired;
    const std::vector<double>& sizes;
    Cause cause;
    std::vector<double> start; ///< the values before the event

    const Reduced& reduced = *of.reduced_;
    const CompiledEvents& events = of.events();
    const std::size_t own = at(reduced.valueCount());
    const std::vector<char> followed = followedOf(reduced);
    std::vector<double> touching = std::vector<double>(events.conditions.size());
    std::vector<double> ratesBefore = touching; ///< of the differences, where the event began
    std::vector<double> timesBefore{};          ///< of timed conditions, likewise
    std::vector<char> hit = std::vector<char>(events.conditions.size());
    std::vector<std::optional<bool>> known = std::vector<std::optional<bool>>(hit.size()); ///< by one beside that has fired
    std::vector<std::vector<char>> held{}; ///< of each branch: its conditions as they were in the pass before
    std::vector<const CompiledEvents::Branch*> done{};
    std::vector<int> jumps{};       ///< values that were reinitialised
    std::vector<char> jumped = hit; ///< conditions that the pass before has reinitialised something in
    bool sided = false;             ///< these are on the side that this pass has found for them
    EventOutcome out{};
    int pass = 0;
    bool behind = false; ///< pre() in the equations was another one than its variable

    double& value(int place) { return y[own + at(place)]; }
    double before(int place) const { return of.pre_[own + at(place)]; }

    Diagnostic failed(std::string what, const SourcePosition& position = {}) const
    {
        return {.what = std::move(what),
                .where = instantText(t),
                .why = "a value left its domain",
                .remedy = "another start, or a condition that keeps it inside",
                .position = position};
    }

    bool evaluate(const expr::Tape& tape, std::span<double> into) const
    {
        expr::TapeWorkspace work = tape.workspace();
        return tape.evaluate({&t, y.data(), of.parameters_.data(), of.pre_.data(), of.flags_.data()}, into.data(), work);
    }

    /// Where nothing jumps a value that was tied leaves its zero with a rate of zero, whose sign is round-off.
    bool untied() const { return reduced.lowerCount > 0 && jumps.empty(); }

    /// Conditions as they are now. One that has fired is on the other side, whatever round-off says; another one that touches
    /// behind the first pass is on the side to which it moves. So is one that something has been reinitialised in; once in a
    /// pass, as what holds on that side may move it back: that is the next event, at the same time. Its rate follows from the
    /// other conditions: it waits until those are as they are.
    bool conditions(int turn)
    {
        const bool first = pass == 0 && turn == 0;
        const std::size_t n = events.conditions.size();
        if (!evaluate(events.guards, of.guards_) || !of.readTimes(t, y, of.pre_))
            return false;
        if (first) {
            ratesBefore.assign(of.guards_.begin() + static_cast<std::ptrdiff_t>(n), of.guards_.end());
            timesBefore = of.times_;
        }
        std::vector<std::size_t> open;
        bool settled = true;
        for (std::size_t i = 0; i < n; ++i) {
            const CompiledEvents::Condition& c = events.conditions[i];
            double& now = value(c.held);
            const double z = of.guards_[i], was = now;
            if (c.timed && cause == Cause::Start) // what begins at once comes with the next event
                now = of.timedAt(i, t);
            else if (c.timed) // an instant comes by itself, unless a discrete value has put it elsewhere
                now =
                    cause != Cause::Condition || of.timeIsOther(i, timesBefore) ? of.timedTrue(i, t) : start[own + at(c.held)];
            else if (first && known[i])
                now = *known[i];
            else if (hit[i] && first)
                now = !(before(c.held) > 0.5);
            else if (std::abs(z) > touching[i] || (cause == Cause::Start && pass == 0))
                now = z > 0 || (z == 0 && !c.strict);
            else if (cause == Cause::Change && c.ofTime && z == 0 && !std::ranges::count(fired, static_cast<int>(i)))
                now = !c.strict; // where an input has jumped to its limit
            else
                open.push_back(i);
            settled = settled && now == was;
        }
        sided = turn > 0 && sided;
        for (const std::size_t i : open) {
            const CompiledEvents::Condition& c = events.conditions[i];
            const double z = of.guards_[i], rate = of.guards_[n + i];
            double& now = value(c.held);
            // At zero for a while, as what a clutch has locked; one that moves on as before is left to the next step.
            const bool untouched = pass > 0 && !hit[i] && !known[i] && !untied() && turns(rate, ratesBefore[i]);
            if (jumped[i] && (sided || !settled))
                continue;
            if ((untouched || jumped[i]) && c.rateKnown && std::abs(rate) > touching[i])
                now = rate > 0;
            else if ((pass > 0 && !hit[i] && !known[i]) || jumped[i])
                now = z == 0 ? !c.strict : now; // as after reinit(x, 0)
        }
        sided = sided || settled;
        return true;
    }

    std::optional<Diagnostic> set(const CompiledEvents::Action& action)
    {
        double number = 0;
        if (!evaluate(action.value, {&number, 1}))
            return failed("A value of this event cannot be computed", action.stated.position);
        if (auto wrong = takeKind(events.held[at(action.place)], number, instantText(t), action.stated.position))
            return wrong;
        value(action.place) = number;
        return std::nullopt;
    }

    /// Which conditions of a branch hold.
    bool holding(const CompiledEvents::Branch& branch, std::vector<char>& into) const
    {
        std::vector<double> now(branch.conditions.outputCount());
        if (!evaluate(branch.conditions, now))
            return false;
        into.clear();
        for (const double x : now)
            into.push_back(x > 0.5);
        return true;
    }

    /// The first branch one of whose conditions has become true. At a start nothing has but initial().
    Result<const CompiledEvents::Branch*> firing(std::size_t& branchNumber, const CompiledEvents::Statement& statement)
    {
        const CompiledEvents::Branch* out_ = nullptr;
        for (const CompiledEvents::Branch& branch : statement.branches) {
            std::vector<char>& was = held[branchNumber++];
            std::vector<char> now;
            const double flag = of.flags_[0];
            const bool begins = cause == Cause::Start && pass == 0;
            of.flags_[0] = begins ? 0 : flag;
            const bool knew = !begins || holding(branch, was);
            of.flags_[0] = flag;
            if (!knew || !holding(branch, now))
                return failed("The condition of this event cannot be computed", branch.actions.front().stated.position);
            for (std::size_t k = 0; k < now.size() && !out_; ++k)
                if (now[k] && !was[k])
                    out_ = &branch;
        }
        return out_;
    }

    /// Discrete variables and branches, in their order.
    std::optional<Diagnostic> statements()
    {
        done.clear();
        std::size_t branchNumber = 0;
        for (const CompiledEvents::Statement& statement : events.statements) {
            if (statement.always) {
                if (statement.always->stated.kind == EventAction::Kind::Set)
                    if (auto wrong = set(*statement.always))
                        return wrong;
                continue;
            }
            for (const CompiledEvents::Branch& branch : statement.branches)
                for (const CompiledEvents::Action& action : branch.actions)
                    if (action.stated.kind == EventAction::Kind::Set)
                        value(action.place) = before(action.place);
            const auto branch = firing(branchNumber, statement);
            if (!branch)
                return branch.error();
            if (!*branch)
                continue;
            done.push_back(*branch);
            for (const CompiledEvents::Action& action : (*branch)->actions)
                if (action.stated.kind == EventAction::Kind::Set)
                    if (auto wrong = set(action))
                        return wrong;
        }
        return std::nullopt;
    }

    /// How each branch's conditions are, from which their edges are told.
    bool remember()
    {
        held.clear();
        for (const CompiledEvents::Statement& statement : events.statements)
            for (const CompiledEvents::Branch& branch : statement.branches) {
                held.emplace_back();
                if (!holding(branch, held.back()))
                    return false;
            }
        return true;
    }

    std::vector<double> heldNow() const { return {y.begin() + static_cast<std::ptrdiff_t>(own), y.end()}; }

    std::string namesOf(const std::vector<double>& a, const std::vector<double>& b) const
    {
        return namesOfChanged(events.held, a, b);
    }
    /// What follows from the values that are integrated and from those that were reinitialised.
    std::optional<Diagnostic> follow(const std::vector<char>& reinitialised)
    {
        std::vector<double> weights(own);
        const std::vector<double> given = y;
        bool any = false;
        for (std::size_t i = 0; i < own; ++i) {
            weights[i] = followed[i] ? 0 : 1;
            any = any || reinitialised[i];
        }
        if (solveRows(rows, t, y, weights, sizes, false, Lower::Passed) || (any && givesWayToJump(given, reinitialised))
            || givesWayALittle(given, reinitialised) || (!any && giveWayAsBefore(given)))
            return std::nullopt;
        if (std::vector<double> values(at(reduced.rowCount())); !rows.rows(t, given.data(), values.data()))
            return Diagnostic{.what = "The equations cannot be computed after this event",
                              .where = instantText(t),
                              .why = rows.message(),
                              .remedy = "a branch that can be computed where it holds",
                              .position = {}};
        return Diagnostic{.what = "The equations cannot go on after this event",
                          .where = instantText(t),
                          .why = any ? "no values near these meet them with what is reinitialised"
                                     : "they contradict the values that are integrated: their index has changed, or a value "
                                       "would have to jump",
                          .remedy = any ? "other values for reinit" : "reinit(x, value) for what jumps, in a 'when'",
                          .position = {}};
    }

    bool givesWayToJump(const std::vector<double>& given, const std::vector<char>& kept)
    {
        y = given;
        return solveJump(rows, t, y, kept, sizes);
    }

    /// Solves with values that are integrated moving where need be. Those that have brought the event do so last: it would
    /// else happen again.
    bool letGiveWay(const std::vector<double>& from, std::vector<double>& to, const std::vector<char>& kept,
                    Lower lower = Lower::Passed)
    {
        std::vector<char> brought(own);
        for (const expr::JacobianEntry& partial : events.partials)
            if (std::ranges::find(fired, partial.row) != fired.end() && at(partial.column) < own)
                brought[at(partial.column)] = 1;
        std::vector<double> weights(own);
        for (const bool keeps : {true, false}) {
            for (std::size_t i = 0; i < own; ++i) {
                const double free = followed[i] ? 1 : kFreely;
                weights[i] = kept[i] || (keeps && brought[i]) ? 0 : free;
            }
            to = from;
            if (solveRows(rows, t, to, weights, sizes, false, lower))
                return true;
        }
        return false;
    }

    /// How far values that are integrated have moved, in their usual sizes.
    double furthest(const std::vector<double>& from, const std::vector<double>& to) const
    {
        double most = 0;
        for (std::size_t i = 0; i < own; ++i)
            if (followed[i])
                most = std::max(most, std::abs(to[i] - from[i]) / (sizes.empty() ? 1 : sizes[i]));
        return most;
    }

    /// Values that are integrated meet the equations to the tolerance of the run, and may then contradict them. They give way
    /// where that is no more than before the event; a change of the equations asks for more.
    bool giveWayAsBefore(const std::vector<double>& given)
    {
        const std::vector<char> none(own, 0);
        std::vector<double> early;
        return letGiveWay(start, early, none) && letGiveWay(given, y, none)
               && furthest(given, y) <= kAsBefore * furthest(start, early);
    }

    /// Where values may be tied their rows hold to the accuracy of the run.
    bool givesWayALittle(const std::vector<double>& given, const std::vector<char>& kept)
    {
        if (reduced.lowerCount > 0 && letGiveWay(given, y, kept) && furthest(given, y) <= kEntered)
            return true;
        y = given;
        return false;
    }

    /// A branch that is differentiated is entered where what it demands is met to the accuracy of the run; the rest is taken
    /// away. More would be a jump with an impulse, to a value that nothing says.
    std::optional<Diagnostic> enter()
    {
        if (reduced.lowerCount == 0)
            return std::nullopt;
        const std::vector<double> given = y;
        std::vector<char> kept(own, 0);
        for (const int place : jumps)
            kept[at(place)] = 1;
        if (letGiveWay(given, y, kept, Lower::Met) && furthest(given, y) <= kEntered)
            return std::nullopt;
        y = given;
        (void)letGiveWay(given, y, std::vector<char>(own, 0), Lower::Met); // where they would have to be
        return jumpDemanded(reduced, given, y, jumps, sizes, kEntered, instantText(t));
    }

    std::optional<Diagnostic> determined() const
    {
        std::vector<double> jacobian(reduced.entries.size());
        if (!rows.jacobian(t, y.data(), jacobian.data()))
            return failed("The equations cannot be computed after this event");
        const structure::Block* block = undetermined(reduced, jacobian);
        if (!block || !rows.jacobian(t, start.data(), jacobian.data()) || undetermined(reduced, jacobian))
            return std::nullopt;
        return Diagnostic{
            .what = "The equations are not determined after this event",
            .where = instantText(t) + ", " + reduction::namesOf(*block, reduced),
            .why = "their index changes with "
                   + namesOf(heldNow(), {start.begin() + static_cast<std::ptrdiff_t>(own), start.end()})
                   + ": the highest derivatives do not follow from them any more",
            .remedy = "a small resistance or conductance in place of the ideal element, or in that branch the derivative "
                      "of what is demanded: der(i) = 0 in place of i = 0",
            .position = {}};
    }

    /// Whether nothing is left of what the event did at first, though what brought it still holds: neither with it nor without
    /// it do the values fit. with: differences of the conditions behind what it did; where these are hardly other ones the
    /// values are only known so well.
    bool isUndone(const std::vector<double>& first, const std::vector<double>& with) const
    {
        const std::vector<double> now = heldNow();
        if (pass > 0 || cause != Cause::Condition
            || !std::equal(now.begin(), now.end(), start.begin() + static_cast<std::ptrdiff_t>(own)))
            return false;
        bool byWhen = false; // what equations and conditions decide together may be undone by the error of what is integrated
        for (std::size_t k = 0; k < now.size(); ++k)
            byWhen = byWhen || (first[k] != now[k] && isSetByWhen(events, k));
        return byWhen && std::ranges::any_of(fired, [&](int i) {
                   const double side = before(events.conditions[at(i)].held) > 0.5 ? -1 : 1;
                   return side * of.guards_[at(i)] >= -touching[at(i)] && side * with[at(i)] < -kClearly * touching[at(i)];
               });
    }

    /// The values of pre() in the equations become those before the pass. True where one has changed.
    bool lookBack()
    {
        const std::vector<double> was = heldNow();
        for (std::size_t k = 0; k < events.held.size(); ++k)
            if (events.held[k].of >= 0)
                y[own + k] = before(events.held[k].of);
        return was != heldNow();
    }

    /// Whether a value of pre() in the equations is another one than that of its variable: another pass makes them one.
    bool lags() const
    {
        return std::ranges::any_of(events.held, [this, k = own](const HeldVariable& x) mutable {
            const double now = y[k++];
            return x.of >= 0 && now != y[own + at(x.of)];
        });
    }

    std::optional<Diagnostic> inner()
    {
        const std::vector<char> none(own, 0);
        std::vector<double> first, with;
        for (int k = 0;; ++k) {
            const std::vector<double> was = heldNow();
            if (!conditions(k))
                return failed("The conditions cannot be computed at this event");
            if (auto wrong = statements())
                return wrong;
            if (k == 0)
                first = heldNow();
            else if (k == 1)
                with = of.guards_;
            if (was == heldNow())
                return k > 0 && isUndone(first, with)
                           ? std::optional(undoesItself(events, fired, first, heldNow(), instantText(t)))
                           : std::nullopt;
            if (k == kMostInner)
                return comesToNoEnd(events.held, was, heldNow(), instantText(t));
            if (cause == Cause::Start && pass == 0)
                return std::nullopt; // the start is solved afresh with these
            if (auto wrong = follow(none))
                return wrong;
        }
    }

    /// reinit() of the branches that were done. True where there was one.
    Result<bool> jump()
    {
        std::vector<char> reinitialised(own, 0);
        std::vector<std::pair<int, double>> values;
        for (const CompiledEvents::Branch* branch : done)
            for (const CompiledEvents::Action& action : branch->actions) {
                if (action.stated.kind != EventAction::Kind::Reinit)
                    continue;
                if (reinitialised[at(action.place)])
                    return Diagnostic{.what = "'" + action.stated.variable + "' is reinitialised by two 'when' at one instant",
                                      .where = instantText(t),
                                      .why = "only one of the values can hold",
                                      .remedy = "one 'when' with 'elsewhen'",
                                      .position = action.stated.position};
                double number = 0;
                if (!evaluate(action.value, {&number, 1}))
                    return failed("The value of reinit cannot be computed", action.stated.position);
                values.emplace_back(action.place, number);
                reinitialised[at(action.place)] = 1;
            }
        jumped.assign(jumped.size(), 0);
        if (values.empty())
            return false;
        if (!evaluate(events.guards, of.guards_))
            return failed("The conditions cannot be computed at this event");
        const std::vector<double> was = of.guards_;
        for (const auto& [place, number] : values)
            y[at(place)] = number;
        for (std::size_t i = 0; i < own; ++i)
            if (reinitialised[i] && std::ranges::find(jumps, static_cast<int>(i)) == jumps.end())
                jumps.push_back(static_cast<int>(i));
        if (auto wrong = follow(reinitialised))
            return *wrong;
        if (!evaluate(events.guards, of.guards_))
            return failed("The conditions cannot be computed at this event");
        for (std::size_t i = 0, n = jumped.size(); i < n; ++i) {
            jumped[i] =
                std::abs(of.guards_[i] - was[i]) > touching[i] || std::abs(of.guards_[n + i] - was[n + i]) > touching[i];
            if (jumped[i] && std::ranges::find(out.reinitialised, static_cast<int>(i)) == out.reinitialised.end())
                out.reinitialised.push_back(static_cast<int>(i));
        }
        return true;
    }

    void judge(const CompiledEvents::Action& action, bool always)
    {
        if (out.stop || out.ended)
            return;
        if (action.stated.kind == EventAction::Kind::Terminate)
            out.ended = action.stated.message;
        double holds = 1;
        if (action.stated.kind != EventAction::Kind::Assert || !evaluate(action.value, {&holds, 1}) || holds > 0.5)
            return;
        if (!action.stated.warns) {
            out.stop = Diagnostic{.what = action.stated.message.empty() ? "An assertion does not hold" : action.stated.message,
                                  .where = instantText(t),
                                  .why = "an assertion of the model does not hold from here on",
                                  .remedy = {},
                                  .position = action.stated.position};
            return;
        }
        double held_ = 1; // a warning is given where it ceases to hold
        std::swap(y, start);
        const bool told = always && cause != Cause::Start && evaluate(action.value, {&held_, 1});
        std::swap(y, start);
        if (!told || held_ > 0.5)
            out.warnings.push_back(action.stated.message);
    }

    void judgeDone()
    {
        for (const CompiledEvents::Branch* branch : done) {
            out.done.push_back(branch->written);
            for (const CompiledEvents::Action& action : branch->actions)
                judge(action, false);
        }
    }

    void judgeAll()
    {
        for (const CompiledEvents::Statement& statement : events.statements)
            if (statement.always)
                judge(*statement.always, true);
    }

    void begin()
    {
        of.flags_.assign(of.flags_.size(), 0);
        if (cause != Cause::Start) // what is tied has drifted, and a condition may ask on which side of zero it is
            if (const std::vector<double> given = y; reduced.lowerCount > 0)
                if (!letGiveWay(given, y, std::vector<char>(own, 0), Lower::Met) || furthest(given, y) > kDrifted)
                    y = given;
        of.pre_ = y;
        if (cause == Cause::Start) {
            of.pre_ = statedStarts(reduced, of.parameters_);
            std::copy_n(y.begin(), own, of.pre_.begin());
        }
        behind = lookBack();
        std::vector<double> sides(touching), z(touching), rates(touching);
        of.sides(t, y, sizes, sides, touching);
        if (cause != Cause::Change && !fired.empty() && of.guards(t, y, z, rates))
            for (const int i : fired) {
                hit[at(i)] = 1;
                touching[at(i)] = std::max(touching[at(i)], 2 * std::abs(z[at(i)]));
            }
        learn(z, rates);
    }

    /// What is known of conditions beside those that have fired.
    void learn(const std::vector<double>& z, const std::vector<double>& rates)
    {
        std::vector<double> gradients;
        if (std::ranges::count(hit, 1) == 0 || !of.gradients(t, y, gradients))
            return;
        std::vector<char> becomes, ofTime;
        for (const CompiledEvents::Condition& c : events.conditions) {
            becomes.push_back(!(before(c.held) > 0.5));
            ofTime.push_back(c.ofTime);
        }
        known = knownBeside(fired, becomes, rows, {t, y, sizes, z, rates, touching, gradients, ofTime});
    }

    /// Whether samplers and initial() are true in the pass that begins.
    void raiseFlags()
    {
        of.flags_[0] = cause == Cause::Start;
        if (cause == Cause::Instant)
            of.raiseSamplers(t, y);
    }

    /// One pass. True where something has changed.
    Result<bool> next()
    {
        const std::vector<double> was = y;
        if (auto wrong = inner())
            return *wrong;
        if (cause == Cause::Start && pass == 0 && was != y) {
            out.unsettled = true;
            return false;
        }
        if (!remember())
            return failed("The conditions cannot be computed at this event");
        const auto moved = jump();
        if (!moved)
            return moved.error();
        judgeDone();
        of.flags_.assign(of.flags_.size(), 0);
        if (*moved || was != y || lags()) {
            of.pre_ = y;
            if (lookBack())
                if (auto wrong = follow(std::vector<char>(own, 0)))
                    return *wrong;
            if (pass++ == kMostPasses)
                return comesToNoEnd(events.held, {was.begin() + static_cast<std::ptrdiff_t>(own), was.end()}, heldNow(),
                                    instantText(t));
            return true;
        }
        return false;
    }

    std::optional<Diagnostic> run()
    {
        begin();
        if (behind && cause != Cause::Start) // a person has set a variable
            if (auto wrong = follow(std::vector<char>(own, 0)))
                return wrong;
        if (!remember())
            return failed("The conditions cannot be computed at this event");
        raiseFlags();
        for (;;) {
            const auto changed = next();
            if (!changed)
                return changed.error();
            if (!*changed)
                break;
        }
        if (out.unsettled)
            return std::nullopt;
        if (auto wrong = enter())
            return wrong;
        judgeAll();
        if (auto wrong = beyondLimits(events.held, heldNow(), instantText(t)))
            return wrong;
        tellChanges(events.held, reduced.names, jumps, start, y, out);
        const bool other = !out.set.empty() || !out.switched.empty();
        return other && cause != Cause::Start ? determined() : std::nullopt;
    }
};

Result<EventOutcome> EventEvaluator::happen(ReducedEvaluator& rows, double t, std::vector<double>& values,
                                            std::span<const int> fired, const std::vector<double>& sizes, Cause cause)
{
    Pass event{.of = *this, .rows = rows, .t = t, .y = values, .fired = fired, .sizes = sizes, .cause = cause, .start = values};
    if (auto wrong = event.run())
        return *wrong;
    return std::move(event.out);
}

} // namespace driftless::reduction
