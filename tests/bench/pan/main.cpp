// What a frame costs the GUI thread while a person pans through ten million recorded steps: three plots as large as in a
// window of 1920x1080, residuals and energy error as restless as a solver leaves them.
//
// A frame is what a drag of one hundredth of the visible range sets off, as PlotColumn does it: new ranges, the dragged
// plot (the dearest) and one of the others in turn, painting. Needs 2 GB. Prints JSON; a measurement, never a test.
#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "ui/views/PlotView.h"

using namespace driftless;

namespace {

constexpr int kSamples = 10'000'000;
constexpr double kStep = 1e-3; // [s]

/// Uniform in [0, 1), the same on every machine.
double noise()
{
    static std::uint64_t state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
}

std::unique_ptr<run::Recording> tenMillion()
{
    using run::Column;
    using run::ColumnKind;
    auto recording = std::make_unique<run::Recording>(1, 1,
                                                      std::vector<Column>{{"x", "m", ColumnKind::Position},
                                                                          {"x'", "m/s", ColumnKind::Velocity},
                                                                          {"rod.lambda", "", ColumnKind::Multiplier},
                                                                          {"residual.position", "", ColumnKind::Residual},
                                                                          {"residual.velocity", "", ColumnKind::Residual},
                                                                          {"residual.acceleration", "", ColumnKind::Residual},
                                                                          {"energy_error", "J", ColumnKind::Energy}},
                                                      4ull << 30);
    for (int i = 0; i < kSamples; ++i) {
        const double t = kStep * i;
        const double row[] = {std::cos(t),
                              -std::sin(t),
                              1,
                              std::pow(10, -12 + 3 * noise()),
                              std::pow(10, -10 + 3 * noise()),
                              std::pow(10, -8 + 3 * noise()),
                              1e-9 * t * (0.5 + noise())};
        recording->append(t, row);
    }
    return recording;
}

double quantile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

} // namespace

int main(int argc, char** argv)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    const auto recording = tenMillion();
    std::vector<std::unique_ptr<ui::PlotView>> plots;
    for (const auto kind : {ui::PlotKind::Residuals, ui::PlotKind::EnergyError, ui::PlotKind::Quantity}) {
        plots.push_back(std::make_unique<ui::PlotView>());
        plots.back()->resize(680, 250);
        plots.back()->setKind(kind);
        plots.back()->setQuantity(QStringLiteral("x"));
        plots.back()->setRuns({{0, QStringLiteral("Run 1"), recording->view()}});
        plots.back()->show();
    }
    for (const double width : {1.0, 10.0, 100.0, 1000.0, 9000.0}) { // [s]
        std::vector<double> costs;
        double from = 0;
        for (int frame = 0; frame < 120; ++frame) {
            QElapsedTimer timer;
            timer.start();
            for (const auto& plot : plots)
                plot->followRange(from, from + width);
            plots[0]->refresh();
            plots[static_cast<std::size_t>(1 + frame % 2)]->refresh();
            QApplication::processEvents(); // paints
            costs.push_back(1e-6 * static_cast<double>(timer.nsecsElapsed()));
            from = std::fmod(from + 0.01 * width, kStep * kSamples - width);
        }
        std::printf("{\"samples\":%d,\"plots\":%zu,\"visible_samples\":%.0f,\"frame_ms\":{\"median\":%.3f,\"p99\":%.3f,\"max\":"
                    "%.3f}}\n",
                    kSamples, plots.size(), width / kStep, quantile(costs, 0.5), quantile(costs, 0.99), quantile(costs, 1));
        std::fflush(stdout);
    }
    return 0;
}
