// What a run costs beside the bare integration: recording, metrics and monitors in every accepted step.
#include <benchmark/benchmark.h>

#include "core/run/Run.h"
#include "tests/bench/Drive.h"

namespace {

using namespace driftless;
using namespace driftless::bench;

void runSteps(benchmark::State& state, const char* model, const char* form, const char* method, double step)
{
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.step = step;
    auto made = run::Run::create(compiledModel(model), {}, settings);
    if (!made) {
        state.SkipWithError(made.error().text().c_str());
        return;
    }
    for (auto _ : state)
        if (!(*made)->step(std::numeric_limits<double>::infinity())) {
            state.SkipWithError("stopped");
            break;
        }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(runSteps, pendulum_index1_rk4, "pendulum", "index-1", "rk4", 1e-3);
BENCHMARK_CAPTURE(runSteps, pendulum_index3_radauiia5, "pendulum", "index-3", "radau-iia-5", 1e-3);
BENCHMARK_CAPTURE(runSteps, pendulum_index3_generalized_alpha, "pendulum", "index-3", "generalized-alpha", 1e-3);
BENCHMARK_CAPTURE(runSteps, slidercrank_index1_rk4, "slider-crank", "index-1", "rk4", 1e-3);

} // namespace
