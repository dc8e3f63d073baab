// What a run costs beside the bare integration: recording, metrics and monitors, in every accepted step or as curves need them.
#include <benchmark/benchmark.h>

#include <cmath>

#include "core/run/Run.h"
#include "tests/bench/Steps.h"

namespace {

using namespace driftless;
using namespace driftless::bench;

void bareSteps(benchmark::State& state, const char* model, const char* form, const char* method, double step)
{
    integrate::IntegratorOptions options;
    options.step = step;
    Driven driven(compiledModel(model), form, method, options);
    drive(state, driven);
}

void runSteps(benchmark::State& state, const char* model, const char* form, const char* method, double step, run::Rows rows)
{
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.step = step;
    settings.rows = rows;
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
    state.counters["rows/step"] =
        static_cast<double>((*made)->recording().stepCount()) / static_cast<double>((*made)->acceptedSteps());
}

/// One sample of a slider that is drawn while a run goes on: the parameter's value, consistent values, a restart and a row.
void sliderSample(benchmark::State& state, const char* model, const char* form, const char* method, const char* parameter,
                  double from, double to)
{
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.step = 1e-3;
    auto made = run::Run::create(compiledModel(model), {}, settings);
    if (!made || !(*made)->advanceTo(0.1)) {
        state.SkipWithError("no run");
        return;
    }
    int k = 0;
    for (auto _ : state) {
        const double share = 0.01 * std::abs(++k % 200 - 100); // up and down again
        if (!(*made)->apply((*made)->reached(), run::SetParameter{parameter, from + share * (to - from)})) {
            state.SkipWithError("refused");
            break;
        }
    }
}
BENCHMARK_CAPTURE(sliderSample, pendulum_dummies_ida, "pendulum", "dummy-derivatives", "ida", "L", 1.0, 1.5)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sliderSample, pendulum_index1_rk4, "pendulum", "index-1", "rk4", "L", 1.0, 1.5)
    ->Unit(benchmark::kMicrosecond);

#define LABORATORY(name, model, form, method)                                                                                  \
    BENCHMARK_CAPTURE(bareSteps, name, model, form, method, 1e-3);                                                             \
    BENCHMARK_CAPTURE(runSteps, name##_as_curves_need, model, form, method, 1e-3, run::Rows::AsCurvesNeed);                    \
    BENCHMARK_CAPTURE(runSteps, name##_every_step, model, form, method, 1e-3, run::Rows::EveryStep)

LABORATORY(pendulum_index1_rk4, "pendulum", "index-1", "rk4");
LABORATORY(pendulum_index3_generalized_alpha, "pendulum", "index-3", "generalized-alpha");
LABORATORY(pendulum_index3_radauiia5, "pendulum", "index-3", "radau-iia-5");
LABORATORY(slidercrank_index1_rk4, "slider-crank", "index-1", "rk4");
LABORATORY(andrews_ggl_bdf2, "andrews", "ggl", "bdf2");

} // namespace
