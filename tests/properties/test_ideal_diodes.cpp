// A source, an ideal diode, and a capacitor with a resistor beside it: the diode as its characteristic over a parameter s, so
// that the condition is over a value that is not integrated. The motion between the events is known in closed form.
//
//   off  u = u_0 exp(-(t - t_0)/(R C)), until source = u        on  u = source, until i = C source' + source/R comes to zero
#include <QtTest>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kEnd = 6;

struct Circuit {
    double C, R, amplitude, rate, phase, offset, start;

    explicit Circuit(Draw& draw)
        : C(draw.decimal(0.2, 2)), R(draw.decimal(0.3, 3)), amplitude(draw.decimal(0.5, 3)), rate(draw.decimal(1, 5)),
          phase(draw.decimal(-1, 1)), offset(draw.decimal(-0.5, 0.5)), start(source(0) + draw.decimal(0.2, 1.5))
    {
    }
    double source(double t) const { return amplitude * std::sin(rate * t + phase) + offset; }
    double current(double t) const { return C * amplitude * rate * std::cos(rate * t + phase) + source(t) / R; }

    std::string text() const
    {
        const auto n = [](double x) { return text::exact(x); };
        return "model di\n  parameter Real C = " + n(C) + ", R = " + n(R) + ";\n  Real u(start = " + n(start)
               + ", fixed = true), source, drop, i, s;\n  Boolean off(start = true);\nequation\n  source = " + n(amplitude)
               + "*sin(" + n(rate) + "*time + (" + n(phase) + ")) + (" + n(offset)
               + ");\n  drop = source - u;\n  drop = s*(if off then 1 else 0);\n  i = s*(if off then 0 else 1);\n"
                 "  off = s < 0;\n  C*der(u) = i - u/R;\nend di;\n";
    }
};

struct Known {
    std::vector<double> events;
    double u = 0;
    bool close = false; ///< the diode all but switches somewhere: a small error decides
};

Known known(const Circuit& c)
{
    constexpr double kPiece = 1e-3, kClose = 1e-3;
    Known out;
    double from = 0, u = c.start, before = 0;
    bool off = true;
    const std::function<double(double)> left = [&](double t) {
        return off ? u * std::exp(-(t - from) / (c.R * c.C)) - c.source(t) : c.current(t);
    };
    double last = left(0), lastButOne = last;
    for (double t = kPiece; t < kEnd + kPiece; t += kPiece) {
        const double now = left(std::min(t, kEnd));
        out.close = out.close || (last < kClose && last <= lastButOne && last <= now && last > 0 && before > from + kPiece);
        if (now <= 0) {
            double low = before, high = std::min(t, kEnd);
            for (int k = 0; k < 60; ++k) {
                const double middle = 0.5 * (low + high);
                (left(middle) > 0 ? low : high) = middle;
            }
            out.events.push_back(high);
            u = c.source(high);
            from = before = high;
            off = !off;
            t = high;
            last = lastButOne = 1;
            continue;
        }
        lastButOne = last;
        last = now;
        before = std::min(t, kEnd);
    }
    out.u = off ? u * std::exp(-(kEnd - from) / (c.R * c.C)) : c.source(kEnd);
    return out;
}

/// Empty where the run ends as the circuit does.
std::string fault(const Circuit& circuit, const Known& expected, const std::string& method, double tolerance)
{
    const auto model = reduction::readModel(circuit.text(), "diode.mo");
    const auto system = model ? model::CompiledSystem::compile(*model) : model.error();
    if (!system)
        return system.error().text();
    run::RunSettings settings;
    settings.formulation = "dummy-derivatives";
    settings.integrator = method;
    settings.options.step = 0;
    settings.options.relativeTolerance = tolerance;
    settings.options.absoluteTolerance = 0.1 * tolerance;
    const auto run = run::Run::create(*system, {}, settings);
    if (!run)
        return run.error().text();
    if (!(*run)->advanceTo(kEnd))
        return (*run)->status().diagnostic ? (*run)->status().diagnostic->text() : "it did not get on";
    std::vector<double> events;
    for (const run::Event& event : (*run)->events())
        if (event.as<run::Switched>())
            events.push_back(event.t);
    if (events.size() != expected.events.size())
        return std::to_string(events.size()) + " events in place of " + std::to_string(expected.events.size());
    const double allowed = 1000 * tolerance + 1e-7; // some hundred steps, each of which errs by as much
    for (std::size_t k = 0; k < events.size(); ++k)
        if (!(std::abs(events[k] - expected.events[k]) <= allowed))
            return "event at " + text::exact(events[k]) + " in place of " + text::exact(expected.events[k]);
    for (const auto& [name, value] : (*run)->namedState())
        if (name == "u" && !(std::abs(value - expected.u) <= allowed))
            return "u = " + text::exact(value) + " in place of " + text::exact(expected.u);
    return {};
}

} // namespace

class TestIdealDiodes : public QObject {
    Q_OBJECT
private slots:
    void theyOpenAndCloseWhereTheCircuitDoes()
    {
        const std::uint64_t seed = seedOr(4'700);
        int compared = 0;
        std::size_t events = 0;
        std::string missed;
        for (int k = 0; k < countOr(150); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const Circuit circuit(draw);
            const std::string method = draw.among(std::array<const char*, 6>{"ida", "ida", "ida", "bdf", "radau", "dop853"});
            const double tolerance = std::pow(10, -draw.between(5, 8));
            const Known expected = known(circuit);
            if (expected.close)
                continue;
            ++compared;
            events += expected.events.size();
            const std::string wrong = fault(circuit, expected, method, tolerance);
            if (!wrong.empty())
                missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + method + ", "
                          + text::exact(tolerance) + ": " + wrong + "\n";
        }
        QVERIFY2(missed.empty(), missed.c_str());
        QVERIFY(2 * compared > countOr(150) && (compared < 20 || events > static_cast<std::size_t>(compared)));
    }
};

QTEST_GUILESS_MAIN(TestIdealDiodes)
#include "test_ideal_diodes.moc"
