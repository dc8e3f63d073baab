// The bare integrator under Google Benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include "tests/bench/Drive.h"

namespace driftless::bench {

/// Steps as long as the benchmark asks for them.
inline void drive(benchmark::State& state, Driven& driven)
{
    for (auto _ : state)
        if (!driven.step()) {
            state.SkipWithError("stopped");
            break;
        }
    state.SetItemsProcessed(state.iterations());
}

} // namespace driftless::bench
