#include "core/run/EquationEvents.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/run/Plain.h"

namespace driftless::run {

namespace {

constexpr std::size_t kMostSolved = 200; ///< values that are solved for at each place that a step is looked at

reduction::EventEvaluator::Cause causeOf(Occasion occasion)
{
    using Cause = reduction::EventEvaluator::Cause;
    if (occasion == Occasion::Change)
        return Cause::Change;
    return occasion == Occasion::Instant ? Cause::Instant : Cause::Condition;
}

constexpr double kNoLimit = 1e-5;   ///< of what counts as zero: cos(pi/2), 0.3 - 3*0.1
constexpr double kMovesFirst = 1e3; ///< what is not integrated moves first, as at an event

} // namespace

EquationEvents::EquationEvents(std::shared_ptr<const reduction::Reduced> reduced, Metrics& metrics)
    : evaluator_(std::move(reduced)), metrics_(metrics)
{
    for (auto* list : {&sides_, &tolerances_, &z_, &rates_})
        list->resize(guards());
    const std::vector<double> weights = evaluator_.followingWeights();
    const auto follows = [&weights](const expr::JacobianEntry& e) {
        const auto place = static_cast<std::size_t>(e.column);
        return place < weights.size() && weights[place] > 0;
    };
    if (weights.size() <= kMostSolved && std::ranges::any_of(evaluator_.events().partials, follows))
        weights_ = weights;
    // Values that a branch ties follow from it between the steps, too: dense output may err by more than they move.
    for (std::size_t i = 0; evaluator_.tiesValues() && i < weights_.size(); ++i)
        tied_.push_back(weights_[i] > 0 ? kMovesFirst : 1);
}

Result<std::unique_ptr<EquationEvents>> EquationEvents::of(const model::CompiledSystem& system, Metrics& metrics,
                                                           std::span<const double> parameters)
{
    const auto& reduced = system.model().reduced;
    if (!reduced || !reduced->events)
        return std::unique_ptr<EquationEvents>();
    auto out = std::unique_ptr<EquationEvents>(new EquationEvents(reduced, metrics));
    out->setParameters(parameters);
    if (auto wrong = out->evaluator_.wrongSampler(system.model().run.end))
        return *std::move(wrong);
    return out;
}

/// What is not integrated follows from what is: a method's dense output may be much less good for it.
bool EquationEvents::evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates)
{
    if (weights_.empty())
        return evaluator_.guards(at.t, at.lambda, values, rates);
    solved_ = at.lambda;
    const auto solve = [&](const std::vector<double>& weights) {
        return static_cast<bool>(
            reduction::solveRows(*metrics_.general(), at.t, solved_, weights, metrics_.scales().valueUnits));
    };
    if (!solve(weights_)) {
        solved_ = at.lambda;
        if (tied_.empty() || !solve(tied_))
            solved_ = at.lambda;
    }
    return evaluator_.guards(at.t, solved_, values, rates);
}

void EquationEvents::watch(const model::ModelState& from, integrate::EventLocator& locator)
{
    std::erase_if(bounces_, [&from](const Bounce& bounce) { return bounce.t > from.t; }); // of a time that was left
    held_ = from.lambda;
    evaluator_.sides(from.t, from.lambda, metrics_.scales().valueUnits, sides_, tolerances_);
    // A step that has ended a little before its event leaves the condition on the side that it came from: that is no event.
    const bool behind = from.t == firedAt_ || from.t == std::nextafter(firedAt_, std::numeric_limits<double>::infinity());
    if (behind && evaluator_.guards(from.t, from.lambda, z_, rates_))
        for (const int i : fired_) {
            const auto k = static_cast<std::size_t>(i);
            tolerances_[k] += std::max(0.0, -sides_[k] * z_[k]);
        }
    for (std::size_t i = 0; i < guards(); ++i)
        locator.watch(i, sides_[i], tolerances_[i]);
}

std::vector<std::string> EquationEvents::tooFine(const model::ModelState& at)
{
    std::vector<std::string> out;
    evaluator_.sides(at.t, at.lambda, metrics_.scales().valueUnits, sides_, tolerances_);
    std::vector<double> zero = at.lambda;
    std::fill(zero.begin(), zero.end() - static_cast<std::ptrdiff_t>(evaluator_.events().held.size()), 0.0);
    if (!evaluator_.guards(at.t, zero, z_, rates_))
        return out;
    for (std::size_t i = 0; i < guards(); ++i)
        if (!evaluator_.events().conditions[i].ofTime && std::abs(z_[i]) <= tolerances_[i]
            && std::abs(z_[i]) > kNoLimit * tolerances_[i])
            out.push_back(nameOf(static_cast<int>(i)));
    return out;
}

std::string EquationEvents::nameOf(int condition) const
{
    const auto& events = evaluator_.events();
    const int held = events.conditions[static_cast<std::size_t>(condition)].held;
    return events.held[static_cast<std::size_t>(held)].quantity.name;
}

/// Whether all that has fired now did so at the event before, and has gone no further between both than counts as zero: a
/// flight with the rate r that is back after the time T has been away by r T/4.
bool EquationEvents::flightIsLost(std::span<const int> guards, double t) const
{
    return !guards.empty() && std::ranges::all_of(guards, [&](int guard) {
        const auto before = std::ranges::find(bounces_, guard, &Bounce::guard);
        return before != bounces_.end() && t > before->t && before->rate > 0
               && before->rate * (t - before->t) / 4 <= tolerances_[static_cast<std::size_t>(guard)];
    });
}

void EquationEvents::keepBounce(const model::ModelState& after, std::span<const int> guards, bool jumped)
{
    if (guards.empty())
        return;
    bounces_.clear();
    if (!jumped || !evaluator_.guards(after.t, after.lambda, z_, rates_))
        return;
    for (const int guard : guards) {
        const auto k = static_cast<std::size_t>(guard);
        bounces_.push_back({.guard = guard, .t = after.t, .rate = sides_[k] * rates_[k]});
    }
}

/// Whether a condition that has fired stays as it has become, though its difference has the rate with which it would go back.
bool EquationEvents::leavesLate(const std::vector<double>& values, std::span<const int> guards, double t)
{
    if (!evaluator_.guards(t, values, z_, rates_))
        return false;
    const auto& conditions = evaluator_.events().conditions;
    const std::size_t own = values.size() - evaluator_.events().held.size();
    return std::ranges::any_of(guards, [&](int guard) {
        const auto k = static_cast<std::size_t>(guard);
        const double now = values[own + static_cast<std::size_t>(conditions[k].held)] > 0.5 ? 1 : -1;
        return now * sides_[k] < 0 && std::abs(z_[k]) <= tolerances_[k] && sides_[k] * rates_[k] > 0;
    });
}

/// Bounces that become too small to be told from rest: what would follow is counted wrong, or is a way through.
Diagnostic EquationEvents::endless(double t, std::span<const int> guards) const
{
    return {.what = "The events come without end (a Zeno sequence)",
            .where = "t = " + plain(t),
            .why = nameOf(guards.front())
                   + " comes true again and again, each time sooner, and what is reinitialised is no longer told from rest",
            .remedy = "a discrete variable that says when it has come to rest, as 'flying' in the model "
                      "bouncing-ball-equations",
            .position = {}};
}

Result<Happening> EquationEvents::happen(const model::ModelState& at, std::span<const int> guards, Occasion occasion)
{
    Happening out;
    out.state = at;
    const bool changed = occasion == Occasion::Change;
    const bool behind = at.t == firedAt_ || at.t == std::nextafter(firedAt_, std::numeric_limits<double>::infinity());
    if (!changed || !behind) {
        fired_.assign(guards.begin(), guards.end());
        firedAt_ = at.t;
    }
    if (std::exchange(grazing_, false)) {
        Crossing touched;
        for (const int guard : guards)
            touched.names.push_back(nameOf(guard));
        out.told.emplace_back(std::move(touched));
        return out;
    }
    if (flightIsLost(guards, at.t)) {
        out.stop = endless(at.t, guards);
        return out;
    }
    auto done = evaluator_.happen(*metrics_.general(), at.t, out.state.lambda, changed ? std::span<const int>(fired_) : guards,
                                  metrics_.scales().valueUnits, causeOf(occasion));
    if (!done)
        return done.error();
    const bool jumped = std::ranges::any_of(
        guards, [&](int guard) { return std::ranges::find(done->reinitialised, guard) != done->reinitialised.end(); });
    const bool again =
        std::ranges::any_of(guards, [this](int guard) { return std::ranges::count(bounces_, guard, &Bounce::guard) > 0; });
    if (jumped && again && leavesLate(out.state.lambda, guards, at.t)) {
        out.state = at;
        out.stop = endless(at.t, guards);
        return out;
    }
    keepBounce(out.state, guards, jumped);
    out.moved = done->changed();
    for (std::string& warning : done->warnings)
        out.told.emplace_back(AssertionBroken{std::move(warning)});
    if (out.moved)
        out.told.emplace_back(Switched{.switched = std::move(done->switched),
                                       .set = std::move(done->set),
                                       .reinit = std::move(done->reinit),
                                       .conditions = std::move(done->done)});
    out.stop = std::move(done->stop);
    out.ended = std::move(done->ended);
    return out;
}

} // namespace driftless::run
