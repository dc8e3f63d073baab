// An integrator on a formulation of a model, without a run around it: what the benchmarks time.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "core/consistency/Consistency.h"
#include "core/formulation/CompiledDae.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"

namespace driftless::bench {

template <class T>
T require(Result<T> result)
{
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::abort();
}

/// A shipped model, or one of the benchmarks' own.
inline std::shared_ptr<const model::CompiledSystem> compiledModel(const std::string& name)
{
    const std::string own = std::string(DRIFTLESS_BENCH_MODELS) + "/" + name + ".toml";
    return require(model::CompiledSystem::compile(require(model::openModel(std::filesystem::exists(own) ? own : name))));
}

struct Driven {
    std::shared_ptr<const model::CompiledSystem> system;
    model::ModelState start;
    std::unique_ptr<formulation::DaeInstance> instance;
    std::unique_ptr<integrate::Integrator> integrator;
    std::vector<double> y, yp;

    /// From the model's own start or, by coordinate ("bob.x", "bob.x'"), another one: consistent but for accelerations and
    /// multipliers.
    Driven(std::shared_ptr<const model::CompiledSystem> compiled, const std::string& form, const std::string& method,
           const integrate::IntegratorOptions& options, const std::vector<std::pair<std::string, double>>& changed = {},
           const formulation::Dummies& dummies = {})
        : system(std::move(compiled))
    {
        const auto parameters = system->defaultParameters();
        model::SystemEvaluator evaluator(system);
        evaluator.setParameters(parameters);
        consistency::ConsistencySolver solver(system);
        solver.setParameters(parameters);
        start.resize(system->n(), system->w());
        bool ready = evaluator.starts(start.q.data(), start.v.data(), start.lambda.data());
        for (int i = 0; i < system->n(); ++i)
            for (const auto& [name, value] : changed) {
                const auto& coordinate = system->system().coordinates[static_cast<std::size_t>(i)];
                if (name == coordinate.name)
                    start.q[static_cast<std::size_t>(i)] = value;
                else if (name == coordinate.name + "'")
                    start.v[static_cast<std::size_t>(i)] = value;
            }
        if (!ready || !solver.accelerations(0, start.q.data(), start.v.data(), start.a.data(), start.lambda.data())) {
            std::fprintf(stderr, "no start for %s\n", form.c_str());
            std::abort();
        }
        auto dae = require(formulation::findFormulation(form)->build(system->model(), {}));
        instance = std::make_unique<formulation::DaeInstance>(
            require(formulation::CompiledDae::compile(std::move(dae), system)), parameters);
        if (!dummies.velocities.empty())
            instance->setDummies(dummies);
        integrator = require(integrate::makeIntegrator(method));
        if (auto prepared = integrator->prepare(*instance, options); !prepared) {
            std::fprintf(stderr, "%s\n", prepared.error().text().c_str());
            std::abort();
        }
        y.resize(static_cast<std::size_t>(instance->size()));
        yp = y;
        instance->fromState(start, y.data(), yp.data());
        restart();
    }

    void restart() { (void)integrator->restart(0, y, yp); }
    bool step() { return integrator->step(std::numeric_limits<double>::infinity()).status == integrate::StepStatus::Accepted; }
};

} // namespace driftless::bench
