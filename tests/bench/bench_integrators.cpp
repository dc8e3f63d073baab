// Fixed steps a second of the bare integrator, without recording; and what one evaluation of the tapes costs.
#include <benchmark/benchmark.h>

#include "tests/bench/Steps.h"

namespace {

using namespace driftless;
using namespace driftless::bench;

void fixedSteps(benchmark::State& state, const char* model, const char* form, const char* method, double step)
{
    integrate::IntegratorOptions options;
    options.step = step;
    Driven driven(compiledModel(model), form, method, options);
    drive(state, driven);
    state.counters["residuals/step"] = static_cast<double>(driven.integrator->statistics().residualEvaluations)
                                       / static_cast<double>(driven.integrator->statistics().steps);
}
BENCHMARK_CAPTURE(fixedSteps, pendulum_index1_rk4, "pendulum", "index-1", "rk4", 1e-3);
BENCHMARK_CAPTURE(fixedSteps, pendulum_statespace_rk4, "pendulum", "state-space", "rk4", 1e-3);
BENCHMARK_CAPTURE(fixedSteps, pendulum_index3_radauiia5, "pendulum", "index-3", "radau-iia-5", 1e-3);
BENCHMARK_CAPTURE(fixedSteps, pendulum_index3_bdf2, "pendulum", "index-3", "bdf2", 1e-3);
BENCHMARK_CAPTURE(fixedSteps, pendulum_index3_generalized_alpha, "pendulum", "index-3", "generalized-alpha", 1e-3);
BENCHMARK_CAPTURE(fixedSteps, slidercrank_index1_rk4, "slider-crank", "index-1", "rk4", 1e-3);

void residualOf(benchmark::State& state, const char* model, const char* form)
{
    Driven driven(compiledModel(model), form, "radau-iia-5", {});
    std::vector<double> F(driven.y.size());
    for (auto _ : state) {
        driven.instance->residual(0, driven.y.data(), driven.yp.data(), F.data());
        benchmark::DoNotOptimize(F.data());
    }
    state.counters["operations"] = static_cast<double>(driven.instance->residualOperations());
}
BENCHMARK_CAPTURE(residualOf, pendulum_index3, "pendulum", "index-3");
BENCHMARK_CAPTURE(residualOf, slidercrank_index3, "slider-crank", "index-3");
BENCHMARK_CAPTURE(residualOf, andrews_index3, "lagrangian-andrews", "index-3");

} // namespace
