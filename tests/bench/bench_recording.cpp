// One frame of panning through ten million samples: three curves of a thousand pixels each.
#include <benchmark/benchmark.h>

#include <cmath>

#include "core/run/Recording.h"

namespace {

using namespace driftless::run;

const Recording& tenMillion()
{
    static const auto recording = [] {
        std::vector<Column> columns(6);
        auto r = std::make_unique<Recording>(2, 1, columns, 4ull << 30);
        std::vector<double> row(6);
        for (int i = 0; i < 10'000'000; ++i) {
            for (std::size_t c = 0; c < row.size(); ++c)
                row[c] = std::sin(1e-4 * i * static_cast<double>(c + 1));
            r->append(1e-3 * i, row);
        }
        return r;
    }();
    return *recording;
}

void panTenMillionSamples(benchmark::State& state)
{
    const Recording& r = tenMillion();
    std::vector<double> t;
    std::vector<MinMax> values;
    const double width = static_cast<double>(state.range(0));
    double from = 0;
    for (auto _ : state) {
        const RecordingView view = r.view();
        for (int c = 0; c < 3; ++c) {
            view.envelope(c, from, from + width, 1000, t, values);
            benchmark::DoNotOptimize(view.range(c, from, from + width));
        }
        benchmark::DoNotOptimize(values.data());
        from += 0.01 * width;
        if (from + width > 1e4)
            from = 0;
    }
}
BENCHMARK(panTenMillionSamples)->Arg(10)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

} // namespace
