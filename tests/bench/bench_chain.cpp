// A chain of N pendula (links of 1 m, bobs of 1 kg), hung up at one end and released horizontally: time of a step against N.
#include <benchmark/benchmark.h>

#include <chrono>

#include "tests/bench/Drive.h"

namespace {

using namespace driftless;
using namespace driftless::bench;

std::string chain(int n)
{
    std::string text = "format = 1\nname = \"chain\"\n[parameters]\ng = { value = 9.81, unit = \"m/s^2\" }\n";
    for (int i = 1; i <= n; ++i) {
        const std::string name = "b" + std::to_string(i), before = i == 1 ? "ground" : "b" + std::to_string(i - 1);
        text += "[[body]]\nname = \"" + name + "\"\nkind = \"point\"\nmass = 1\nx = { start = " + std::to_string(i) + ", velocity = 0 }\n"
                + "y = { start = 0, velocity = 0 }\n[[joint]]\nname = \"r" + std::to_string(i) + "\"\nkind = \"rod\"\nfrom = \"" + before + "\"\nto = \""
                + name + "\"\nlength = 1\n";
    }
    return text + "[[force]]\nkind = \"gravity\"\nacceleration = \"g\"\n";
}

void chainStep(benchmark::State& state, const char* form, const char* method)
{
    using Clock = std::chrono::steady_clock;
    const auto from = Clock::now();
    const auto system = require(model::CompiledSystem::compile(require(model::readModel(chain(static_cast<int>(state.range(0))), "chain"))));
    integrate::IntegratorOptions options;
    options.step = 1e-3;
    if (!integrate::findIntegrator(method)) {
        state.SkipWithError("no such integrator");
        return;
    }
    Driven driven(system, form, method, options);
    state.counters["open_s"] = std::chrono::duration<double>(Clock::now() - from).count();
    for (auto _ : state)
        if (!driven.step()) {
            state.SkipWithError("stopped");
            break;
        }
    state.counters["newton/step"] =
        static_cast<double>(driven.integrator->statistics().newtonIterations) / static_cast<double>(driven.integrator->statistics().steps);
    state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(chainStep, index3_bdf2, "index-3", "bdf2")->RangeMultiplier(4)->Range(1, 1024)->Arg(400)->Unit(benchmark::kMicrosecond)->Complexity();
BENCHMARK_CAPTURE(chainStep, index3_generalized_alpha, "index-3", "generalized-alpha")->RangeMultiplier(4)->Range(1, 1024)->Arg(400)->Unit(benchmark::kMicrosecond)->Complexity();
BENCHMARK_CAPTURE(chainStep, index1_rk4, "index-1", "rk4")->RangeMultiplier(4)->Range(1, 1024)->Arg(400)->Unit(benchmark::kMicrosecond)->Complexity();

} // namespace
