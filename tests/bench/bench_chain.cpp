// A chain of N pendula (links of 1 m, bobs of 1 kg), hung up at one end and released horizontally: time to open it, time of a
// step and memory against N, from 1 to 10,000.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "tests/bench/Drive.h"

namespace {

using namespace driftless;
using namespace driftless::bench;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

/// Memory of this process that is in use [MiB].
double residentMemory()
{
    long pages = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        std::fclose(file);
    }
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::shared_ptr<const model::CompiledSystem> chain(int n)
{
    return require(
        model::CompiledSystem::compile(require(model::withStructure(require(model::openModel("pendulum-chain")), {{"N", n}}))));
}

/// The bare integrator.
void chainStep(benchmark::State& state, const char* form, const char* method)
{
    const auto from = Clock::now();
    const auto system = chain(static_cast<int>(state.range(0)));
    integrate::IntegratorOptions options;
    options.step = 1e-3;
    if (!integrate::findIntegrator(method)) {
        state.SkipWithError("no such integrator");
        return;
    }
    Driven driven(system, form, method, options);
    state.counters["open_s"] = since(from);
    for (auto _ : state)
        if (!driven.step()) {
            state.SkipWithError("stopped");
            break;
        }
    state.counters["newton/step"] = static_cast<double>(driven.integrator->statistics().newtonIterations)
                                    / static_cast<double>(driven.integrator->statistics().steps);
    state.SetComplexityN(state.range(0));
}

/// The positions at 0.5 s, by steps of h.
std::vector<double> positions(int n, const char* form, const char* method, double h)
{
    integrate::IntegratorOptions options;
    options.step = h;
    Driven driven(chain(n), form, method, options);
    constexpr double kEnd = 0.5;
    while (driven.integrator->t() < kEnd)
        if (driven.integrator->step(kEnd).status != integrate::StepStatus::Accepted)
            return {};
    const auto y = driven.integrator->y();
    return {y.begin(), y.begin() + 2 * n};
}

/// How far steps of 1 ms have gone astray at 0.5 s: the largest error of a position against rk4 with steps of an eighth, whose
/// own error is 4,000 times smaller than that of rk4 here.
void chainError(benchmark::State& state, const char* form, const char* method)
{
    const int n = static_cast<int>(state.range(0));
    const auto exact = positions(n, "index-1", "rk4", 1.25e-4);
    std::vector<double> found;
    for (auto _ : state)
        found = positions(n, form, method, 1e-3);
    if (exact.empty() || found.empty()) {
        state.SkipWithError("stopped");
        return;
    }
    double error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        error = std::max(error, std::abs(found[i] - exact[i]));
    state.counters["error_m"] = error;
}

/// The same in the laboratory: with recording, metrics and monitors, of every step or as curves need them.
void chainRun(benchmark::State& state, const char* form, const char* method, run::Rows rows)
{
    const auto from = Clock::now();
    const double memory = residentMemory();
    const auto system = chain(static_cast<int>(state.range(0)));
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.step = 1e-3;
    settings.rows = rows;
    auto made = run::Run::create(system, {}, settings);
    if (!made) {
        state.SkipWithError(made.error().text().c_str());
        return;
    }
    state.counters["open_s"] = since(from);
    state.counters["open_MiB"] = residentMemory() - memory;
    for (auto _ : state)
        if (!(*made)->step(std::numeric_limits<double>::infinity())) {
            state.SkipWithError("stopped");
            break;
        }
    const run::RecordingView view = (*made)->recording();
    state.counters["bytes/step"] = static_cast<double>(8 * (view.columnCount() + 1)) * static_cast<double>(view.stepCount())
                                   / static_cast<double>((*made)->acceptedSteps());
    state.SetComplexityN(state.range(0));
}

/// One sample of a slider: a parameter of all links, up and down by a tenth.
void chainSample(benchmark::State& state, const char* form, const char* method, const char* parameter)
{
    const auto system = chain(static_cast<int>(state.range(0)));
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.step = 1e-3;
    auto made = run::Run::create(system, {}, settings);
    if (!made || !(*made)->advanceTo(0.02)) {
        state.SkipWithError("no run");
        return;
    }
    int k = 0;
    for (auto _ : state) {
        const double value = 1 + 0.002 * (50 - std::abs(++k % 100 - 50));
        if (!(*made)->apply((*made)->reached(), run::SetParameter{parameter, value})) {
            state.SkipWithError("refused");
            break;
        }
    }
}
BENCHMARK_CAPTURE(chainSample, index3_generalized_alpha_L, "index-3", "generalized-alpha", "L")
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(50);
BENCHMARK_CAPTURE(chainSample, index3_generalized_alpha_m, "index-3", "generalized-alpha", "m")
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(50);
BENCHMARK_CAPTURE(chainSample, dummies_radau_L, "dummy-derivatives", "radau-iia-5", "L")
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(20);

/// The same first steps for every N: later ones take other numbers of iterations.
constexpr int kSteps = 250;

void sizes(benchmark::internal::Benchmark* b)
{
    for (const int n : {1, 4, 16, 64, 100, 256, 400, 1000, 2500, 5000, 10'000})
        b->Arg(n);
    b->Unit(benchmark::kMicrosecond)->Iterations(kSteps)->Complexity();
}

BENCHMARK_CAPTURE(chainStep, index3_bdf2, "index-3", "bdf2")->Apply(sizes);
BENCHMARK_CAPTURE(chainStep, index3_generalized_alpha, "index-3", "generalized-alpha")->Apply(sizes);
BENCHMARK_CAPTURE(chainStep, index1_rk4, "index-1", "rk4")->Apply(sizes);
BENCHMARK_CAPTURE(chainStep, index3_shake, "index-3", "shake")->Apply(sizes);
BENCHMARK_CAPTURE(chainStep, index3_rattle, "index-3", "rattle")->Apply(sizes);
void errorSizes(benchmark::internal::Benchmark* b) { b->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond)->Iterations(1); }

BENCHMARK_CAPTURE(chainError, index3_bdf2, "index-3", "bdf2")->Apply(errorSizes);
BENCHMARK_CAPTURE(chainError, index3_generalized_alpha, "index-3", "generalized-alpha")->Apply(errorSizes);
BENCHMARK_CAPTURE(chainError, index1_rk4, "index-1", "rk4")->Apply(errorSizes);
BENCHMARK_CAPTURE(chainError, index3_shake, "index-3", "shake")->Apply(errorSizes);
BENCHMARK_CAPTURE(chainError, index3_rattle, "index-3", "rattle")->Apply(errorSizes);
BENCHMARK_CAPTURE(chainRun, index3_generalized_alpha_as_curves_need, "index-3", "generalized-alpha", run::Rows::AsCurvesNeed)
    ->Apply(sizes);
BENCHMARK_CAPTURE(chainRun, index3_generalized_alpha_every_step, "index-3", "generalized-alpha", run::Rows::EveryStep)
    ->Apply(sizes);

} // namespace
