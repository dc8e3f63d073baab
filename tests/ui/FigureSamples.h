// One figure of every kind that is printed, from closed formulas: what the tests of ui/figures draw and look at.
#pragma once

#include <QColor>

#include <cmath>
#include <numbers>

#include "ui/figures/Figure.h"

namespace driftless::testing {

using namespace driftless::figures;

inline Series series(int style, SeriesKind kind, double from, double to, int count, double (*f)(double, int), int level = -1)
{
    Series out;
    out.style = style;
    out.kind = kind;
    out.level = level;
    for (int i = 0; i <= count; ++i) {
        const double x = from + (to - from) * i / count;
        out.x.push_back(x);
        out.y.push_back(f(x, style));
    }
    return out;
}

inline Axis timeAxis() { return {"$t$", "s"}; }

inline std::vector<LegendEntry> threeRuns()
{
    return {{0, "Run 1", "dummy-derivatives, ida, rtol $10^{-8}$, 1234 steps"},
            {1, "Run 2", "index-1, rk4, $h$ = 0.2 s, 200 steps"},
            {2, "Run 3", "baumgarte, $\\omega$ = 10, rk4, $h$ = 0.05 s, 800 steps"}};
}

inline Panel residualPanel()
{
    const auto residual = [](double t, int run) {
        if (run == 0)
            return 3e-9 * (1.5 + std::sin(3 * t));
        if (run == 1)
            return 1e-6 * (1e-3 + t * t) * (1.2 + std::sin(2 * t));
        return 2e-5 * (1.1 + std::cos(1.5 * t));
    };
    Panel panel;
    panel.title = "Constraint residuals";
    panel.x = timeAxis();
    panel.y = {"max norm", "SI", true};
    panel.levels = QStringList{"$g$", "$\\dot g$", "$\\ddot g$"};
    panel.shades.push_back({Qt::Horizontal, 1e-30, 1e-15, "round-off"});
    for (int run = 0; run < 3; ++run)
        for (int level = 0; level < 3; ++level)
            panel.series.push_back(series(run, SeriesKind::Line, 0, 40, 4000, residual, level));
    constexpr double kOfLevel[] = {1, 4e-2, 3e-8};
    for (std::size_t i = 0; i < panel.series.size(); ++i)
        for (std::size_t k = 0; k < panel.series[i].y.size(); ++k)
            panel.series[i].y[k] *= kOfLevel[i % 3];
    return panel;
}

inline Panel energyPanel()
{
    Panel panel;
    panel.title = "Energy error";
    panel.x = timeAxis();
    panel.y = {"$|E - E_0 - W|$", "J", true};
    for (int run = 0; run < 3; ++run)
        panel.series.push_back(series(run, SeriesKind::Line, 0, 40, 3000, [](double t, int s) {
            return std::pow(10.0, -9 + 2 * s) * (0.01 + t) * std::abs(std::sin(2.2 * t)) + 1e-13;
        }));
    panel.events = {{12, "run 2 switched to projection", 1}, {25, "$L$ = 1.2 m", -1}};
    return panel;
}

inline Panel multiplierPanel()
{
    Panel panel;
    panel.title = "Multipliers";
    panel.x = timeAxis();
    panel.y = {"$\\lambda$", "N/m"};
    panel.levels = QStringList{"rod", "string", "slider"};
    for (int level = 0; level < 3; ++level) {
        Series s = series(
            0, SeriesKind::Line, 0, 40, 4000, [](double t, int) { return 1.5 * std::pow(std::cos(0.8 * t), 2) - 0.4; }, level);
        for (double& y : s.y)
            y = y * (1 + 0.7 * level) - level;
        panel.series.push_back(s);
    }
    return panel;
}

inline Panel stepPanel()
{
    Panel panel;
    panel.title = "Step size";
    panel.x = timeAxis();
    panel.y = {"$h$", "s", true};
    for (int run = 0; run < 2; ++run)
        panel.series.push_back(series(run, SeriesKind::Steps, 0, 40, 120, [](double t, int s) {
            return s == 1 ? 0.2 : std::pow(10.0, -1.5 + 0.4 * std::round(1.5 * std::sin(0.7 * t)));
        }));
    return panel;
}

inline Panel orderPanel()
{
    Panel panel;
    panel.title = "Order";
    panel.x = timeAxis();
    panel.y = {"order", "", false, 0.5, 5.5};
    panel.series.push_back(
        series(0, SeriesKind::Steps, 0, 40, 120, [](double t, int) { return 3 + std::round(1.9 * std::sin(0.31 * t)); }));
    return panel;
}

inline Panel pivotPanel()
{
    Panel panel;
    panel.title = "Variables chosen as dummies";
    panel.x = timeAxis();
    panel.categories = QStringList{"$x$", "$y$", "both"};
    for (int run = 0; run < 3; ++run) {
        Strip strip{QStringLiteral("Run %1").arg(run + 1), {}};
        double t = 0;
        for (int i = 0; t < 40; ++i) {
            const double end = std::min(40.0, t + 1.5 + run + 1.2 * (i % 3));
            strip.spans.push_back({t, end, (i + run) % 3});
            t = end;
        }
        panel.strips.push_back(strip);
    }
    return panel;
}

inline Panel phasePanel()
{
    Panel panel;
    panel.title = "Phase portrait";
    panel.x = {"$\\varphi$", "rad"};
    panel.y = {"$\\dot\\varphi$", "rad/s"};
    for (int run = 0; run < 2; ++run) {
        Series s;
        s.style = run;
        for (int i = 0; i <= 6000; ++i) {
            const double t = 60.0 * i / 6000, a = run == 0 ? 1.2 : 1.2 * std::exp(-0.03 * t);
            s.x.push_back(a * std::cos(t));
            s.y.push_back(-a * std::sin(t));
        }
        panel.series.push_back(s);
    }
    panel.equalScales = true;
    return panel;
}

/// Error against step or against work, for methods of order 2, 4 and 5.
inline Panel orderDiagram(bool work)
{
    Panel panel;
    panel.title = work ? "Work and precision" : "Convergence";
    panel.x = work ? Axis{"evaluations of the residual", "", true} : Axis{"$h$", "s", true};
    panel.y = {"$\\max_t\\|q - q^*\\|_\\infty$", "m", true};
    const double orders[] = {2, 4, 5};
    for (int run = 0; run < 3; ++run) {
        Series s;
        s.style = run;
        s.kind = SeriesKind::LineMarks;
        for (int k = 0; k < 8; ++k) {
            const double h = 0.4 * std::pow(0.5, k);
            s.x.push_back(work ? (run + 2) * 10 / h : h);
            s.y.push_back((run == 0 ? 0.2 : 0.05) * std::pow(h, orders[run]) + 2e-13);
        }
        panel.series.push_back(s);
        panel.guides.push_back({(work ? -1 : 1) * orders[run], QStringLiteral("order %1").arg(orders[run])});
    }
    panel.rules.push_back({Qt::Horizontal, 1e-6, "tolerance $10^{-6}$"});
    return panel;
}

inline Panel bandPanel()
{
    Panel panel;
    panel.title = "Angle and its range over 20 starts";
    panel.x = timeAxis();
    panel.y = {"$\\theta$", "rad"};
    Series band = series(0, SeriesKind::Band, 0, 10, 300, [](double t, int) { return std::cos(t) - 0.05 * t; });
    for (std::size_t i = 0; i < band.x.size(); ++i)
        band.upper.push_back(std::cos(band.x[i]) + 0.05 * band.x[i]);
    panel.series = {band, series(0, SeriesKind::Line, 0, 10, 300, [](double t, int) { return std::cos(t); }),
                    series(1, SeriesKind::Marks, 0.5, 9.5, 9, [](double t, int) { return std::cos(t) + 0.1; })};
    panel.rules.push_back({Qt::Vertical, 2 * std::numbers::pi, "one period"});
    return panel;
}

inline Panel picturePanel()
{
    Panel panel;
    panel.title = "Scene";
    panel.picture = QImage(640, 480, QImage::Format_RGB32);
    panel.picture.fill(QColor(10, 200, 30));
    panel.pictureCaption = "$t$ = 12.5 s";
    return panel;
}

inline Figure figureOf(std::vector<Panel> panels)
{
    Figure figure;
    figure.caption = "Drift of the position constraint $\\|g(q)\\|_\\infty$ & energy, 100 % of the runs; costs \\$0.";
    figure.label = "fig:drift";
    figure.notes = {"$g$ = 1 m/s², $m$ = 1 kg, $L$ = 1 m; $x(0)$ = 1, $y(0)$ = 0."};
    figure.panels = std::move(panels);
    figure.legend = threeRuns();
    return figure;
}

struct Sample {
    const char* name;
    Figure figure;
};

inline std::vector<Sample> samples()
{
    std::vector<Sample> all;
    all.push_back({"residuals", figureOf({residualPanel()})});
    all.push_back({"energy", figureOf({energyPanel()})});
    all.push_back({"multipliers", figureOf({multiplierPanel()})});
    all.push_back({"steps-and-order", figureOf({stepPanel(), orderPanel()})});
    all.push_back({"pivots", figureOf({pivotPanel()})});
    all.push_back({"phase", figureOf({phasePanel()})});
    all.push_back({"convergence", figureOf({orderDiagram(false)})});
    all.push_back({"work-precision", figureOf({orderDiagram(true)})});
    all.push_back({"band", figureOf({bandPanel()})});
    all.push_back({"comparison", figureOf({residualPanel(), energyPanel(), phasePanel(), pivotPanel()})});
    all.push_back({"picture", figureOf({picturePanel(), energyPanel()})});
    all.back().figure.title = "Pendulum, case 2";
    all.push_back({"multiples", figureOf({residualPanel(), energyPanel()})});
    all.back().figure.layout = Layout::SmallMultiples;
    return all;
}

} // namespace driftless::testing
