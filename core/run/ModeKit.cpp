#include "core/run/ModeKit.h"

#include "core/run/CoordinateSelector.h"
#include "core/run/ValueSelector.h"

namespace driftless::run {

namespace {

std::unique_ptr<Selector> selectorOf(ModeKit& kit, const ModeKit::Shared& run)
{
    if (kit.system->model().reduced)
        return std::make_unique<ValueSelector>(kit.system, kit.metrics);
    const auto whyNone = [&kit, &stepper = run.stepper, &now = run.now] {
        return stepper.inForce() ? kit.reasons.singularConfiguration(now) : std::nullopt;
    };
    return std::make_unique<CoordinateSelector>(kit.system, kit.matrices, whyNone);
}

} // namespace

ModeKit::ModeKit(std::shared_ptr<const model::CompiledSystem> compiled, const Shared& run, std::vector<int> inBase)
    : system(std::move(compiled)), places(std::move(inBase)), metrics(system), matrices(system, metrics),
      reasons({.matrices = matrices, .stepper = run.stepper, .recorder = run.recorder}), selector(selectorOf(*this, run)),
      states(States::of(system, metrics)), refusals(matrices), maker(system, {.metrics = metrics,
                                                                              .refusals = refusals,
                                                                              .selector = *selector,
                                                                              .states = *states,
                                                                              .cancel = run.stepper.cancelFlag()}),
      planner({.system = *system,
               .metrics = metrics,
               .states = *states,
               .maker = maker,
               .selector = *selector,
               .stepper = run.stepper,
               .recorder = run.recorder,
               .published = run.published,
               .gesture = run.gesture,
               .places = &places}),
      probe(matrices, run.previous, run.now), driven(*system, metrics)
{
}

std::vector<double> ModeKit::fromBase(std::span<const double> lambda) const
{
    std::vector<double> out(lambda.begin(), lambda.end());
    for (std::size_t i = 0; i < places.size(); ++i)
        out[static_cast<std::size_t>(places[i])] = lambda[i];
    return out;
}

model::ModelState ModeKit::fromBase(model::ModelState at) const
{
    at.lambda = fromBase(std::span<const double>(at.lambda));
    std::fill_n(at.lambda.rbegin(), system->system().idle.size(), 0.0); // they are the last ones
    return at;
}

std::vector<double> ModeKit::toBase(std::span<const double> lambda) const
{
    std::vector<double> out(lambda.begin(), lambda.end());
    for (std::size_t i = 0; i < places.size(); ++i)
        out[i] = lambda[static_cast<std::size_t>(places[i])];
    return out;
}

} // namespace driftless::run
