// What an instance says of the mechanism behind its unknowns: the state, and the equations of motion for methods that take them
// apart.
#include <algorithm>

#include "core/formulation/CompiledDae.h"

namespace driftless::formulation {

/// The state from values that come in the order of what is observed.
template <typename Next>
void DaeInstance::takeState(double t, Next&& next, model::ModelState& state) const
{
    const Dae& d = dae();
    state.t = t;
    const auto take = [&next](std::size_t count, double* into) {
        for (std::size_t k = 0; k < count; ++k)
            into[k] = next();
    };
    take(d.q.size(), state.q.data());
    take(d.v.size(), state.v.data());
    take(d.a.size(), state.a.data());
    take(d.lambda.size(), state.lambda.data());
    take(d.extra.size(), state.lambda.data() + compiled_->system().m());
    const auto held = static_cast<std::ptrdiff_t>(compiled_->system().system().held.size());
    if (held > 0)
        std::copy(parameters_.end() - held, parameters_.end(), state.lambda.end() - held);
}

bool DaeInstance::toState(double t, const double* y, const double* yp, model::ModelState& state)
{
    if (dae().links) {
        expand(y, yp);
        y = full_.data();
        yp = fullRate_.data();
    }
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    double nothing = 0; // stays so unless a number is infinite or none
    const auto seen = [&nothing](double value) {
        nothing += value * 0.0;
        return value;
    };
    if (const auto* read = compiled_->observed_.data()) { // most forms: numbers are read where they stand
        takeState(
            t,
            [&] {
                const auto& [bank, place] = *read++;
                return seen(banks[bank][place]);
            },
            state);
    } else {
        compiled_->observe_.run(banks, observeValues_.data(), observeWork_);
        takeState(
            t, [&, from = observeValues_.data()]() mutable { return seen(*from++); }, state);
    }
    if (nothing == 0)
        return true;
    const auto where = compiled_->observe_.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a value is not a finite number");
    return false;
}

bool DaeInstance::solvesRates()
{
    if (!motionRates_)
        motionRates_ = MotionRates::make(dae(), compiled_->system_);
    return motionRates_ != nullptr;
}

bool DaeInstance::solvedRates(double t, double* y, double* yp)
{
    const int n = compiled_->system().n();
    if (!motionRates_->rates(t, y, y + n, std::span<const double>(parameters_).first(modelParameterCount_), yp + n, y + 2 * n))
        return false;
    std::copy_n(y + n, n, yp);
    return true;
}

solve::MechanicalSystem* DaeInstance::mechanical()
{
    if (mechanical_) // asked for many times in a step
        return mechanical_.get();
    const solve::Mechanics level = mechanicsOf(dae(), compiled_->system().system());
    if (level != solve::Mechanics::None)
        mechanical_ = EquationsOfMotion::make(compiled_->system_, level,
                                              std::span<const double>(parameters_).first(modelParameterCount_), message_);
    return mechanical_.get();
}

} // namespace driftless::formulation
