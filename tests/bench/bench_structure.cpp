// Structural analysis of a chain x2 = x1', ..., xn = x(n-1)', 0 = x1 - f(t): n equations, n (n - 1) / 2 differentiations.
#include <benchmark/benchmark.h>

#include "core/structure/Report.h"

namespace {

using namespace driftless::structure;

void chain(benchmark::State& state)
{
    const int n = static_cast<int>(state.range(0));
    Signature s;
    s.columns = n;
    s.rows.resize(static_cast<std::size_t>(n));
    for (int k = 0; k + 1 < n; ++k)
        s.rows[static_cast<std::size_t>(k)] = {{k, 1}, {k + 1, 0}};
    s.rows.back() = {{0, 0}};
    for (auto _ : state)
        benchmark::DoNotOptimize(analyse(s).structuralIndex);
    state.SetComplexityN(n);
}
BENCHMARK(chain)->RangeMultiplier(10)->Range(100, 10'000)->Unit(benchmark::kMillisecond)->Complexity();

} // namespace
