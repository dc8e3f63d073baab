#include "core/run/EquationEvents.h"

#include <algorithm>
#include <cmath>

namespace driftless::run {

namespace {

constexpr std::size_t kMostSolved = 200; ///< values that are solved for at each place that a step is looked at

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
}

Result<std::unique_ptr<EquationEvents>> EquationEvents::of(const model::CompiledSystem& system, Metrics& metrics,
                                                           std::span<const double> parameters)
{
    const auto& reduced = system.model().reduced;
    if (!reduced || !reduced->events)
        return std::unique_ptr<EquationEvents>();
    auto out = std::unique_ptr<EquationEvents>(new EquationEvents(reduced, metrics));
    out->setParameters(parameters);
    if (auto wrong = out->evaluator_.wrongSampler())
        return *std::move(wrong);
    return out;
}

/// What is not integrated follows from what is: a method's dense output may be much less good for it.
bool EquationEvents::evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates)
{
    if (weights_.empty())
        return evaluator_.guards(at.t, at.lambda, values, rates);
    solved_ = at.lambda;
    if (!reduction::solveRows(*metrics_.general(), at.t, solved_, weights_, metrics_.scales().valueUnits))
        solved_ = at.lambda;
    return evaluator_.guards(at.t, solved_, values, rates);
}

void EquationEvents::watch(const model::ModelState& from, integrate::EventLocator& locator)
{
    held_ = from.lambda;
    evaluator_.sides(from.t, from.lambda, metrics_.scales().valueUnits, sides_, tolerances_);
    // A step that has ended a little before its event leaves the condition on the side that it came from: that is no event.
    if (from.t == firedAt_ && evaluator_.guards(from.t, from.lambda, z_, rates_))
        for (const int i : fired_) {
            const auto k = static_cast<std::size_t>(i);
            tolerances_[k] += std::max(0.0, -sides_[k] * z_[k]);
        }
    for (std::size_t i = 0; i < guards(); ++i)
        locator.watch(i, sides_[i], tolerances_[i]);
}

std::string EquationEvents::nameOf(int condition) const
{
    const auto& events = evaluator_.events();
    const int held = events.conditions[static_cast<std::size_t>(condition)].held;
    return events.held[static_cast<std::size_t>(held)].quantity.name;
}

Result<Happening> EquationEvents::happen(const model::ModelState& at, std::span<const int> guards)
{
    Happening out;
    out.state = at;
    fired_.assign(guards.begin(), guards.end());
    firedAt_ = at.t;
    if (std::exchange(grazing_, false)) {
        Crossing touched;
        for (const int guard : guards)
            touched.names.push_back(nameOf(guard));
        out.told.emplace_back(std::move(touched));
        return out;
    }
    auto done = evaluator_.happen(*metrics_.general(), at.t, out.state.lambda, guards, metrics_.scales().valueUnits,
                                  reduction::EventEvaluator::Cause::Event);
    if (!done)
        return done.error();
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
