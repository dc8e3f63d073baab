// The parts of a run put together without a run: what makes a core for a model, and a stepper that takes it.
#pragma once

#include <cstdlib>

#include "core/run/CoordinateSelector.h"
#include "core/run/CoreMaker.h"
#include "core/run/RunRequest.h"
#include "core/run/ValueSelector.h"
#include "tests/run/RunFixture.h"

namespace driftless::test {

struct Parts {
    std::shared_ptr<const model::CompiledSystem> system;
    run::Metrics metrics{system};
    run::ConstraintMatrices matrices{system, metrics};
    std::unique_ptr<run::Selector> selector = makeSelector();
    std::unique_ptr<run::States> states = run::States::of(system, metrics);
    run::Refusals refusals{matrices};
    run::Stepper stepper{system->model().reduced != nullptr};
    run::CoreMaker maker{
        system,
        {.metrics = metrics, .refusals = refusals, .selector = *selector, .states = *states, .cancel = stepper.cancelFlag()}};
    model::ModelState state;

    /// Values of the start by name; the stepper stands there.
    Parts(const std::string& model, const run::RunSettings& settings, const std::map<std::string, double>& values = {})
        : system(opened(model))
    {
        state = at(values);
        auto core = make(settings);
        if (!core)
            qFatal("%s", core.error().text().c_str());
        put(std::move(*core));
    }
    static std::shared_ptr<const model::CompiledSystem> opened(const std::string& name)
    {
        auto system = run::openSystem(name);
        if (!system)
            qFatal("%s", system.error().text().c_str());
        return *system;
    }
    /// A consistent state with these values.
    model::ModelState at(const std::map<std::string, double>& values)
    {
        double moved = 0;
        auto out = states->start({{}, values, false}, system->defaultParameters(), moved);
        if (!out)
            qFatal("%s", out.error().text().c_str());
        return std::move(*out);
    }
    Result<std::unique_ptr<run::Core>> make(const run::RunSettings& settings)
    {
        return maker.make(settings, system->defaultParameters(), {}, state, stepper.inForce());
    }
    void put(std::unique_ptr<run::Core> core)
    {
        std::string why;
        if (!core->enter(state, why))
            qFatal("%s", why.c_str());
        stepper.replace(std::move(core));
        selector->begin(stepper.core(), state);
    }

private:
    std::unique_ptr<run::Selector> makeSelector()
    {
        if (system->model().reduced)
            return std::make_unique<run::ValueSelector>(system, metrics);
        return std::make_unique<run::CoordinateSelector>(system, matrices, nullptr);
    }
};

} // namespace driftless::test
