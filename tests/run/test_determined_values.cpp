// Values of equations that follow from what is integrated, and follow strongly: their own tolerance cannot be had, and no
// method may crawl after it. x'' = -w^2 x with x = sin(w t); y is K times what has to be zero, beside something that is not.
#include <QtTest>

#include <array>
#include <cmath>
#include <map>
#include <string>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

struct Ended {
    bool failed = false;
    std::string why;
    std::uint64_t steps = 0;
    std::map<std::string, double, std::less<>> values;
};

Ended ended(const std::string& text, const std::string& method, double tolerance, double end)
{
    Ended out;
    auto model = reduction::readModel(text, "determined.mo");
    if (!model)
        return {.failed = true, .why = model.error().text()};
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return {.failed = true, .why = system.error().text()};
    run::RunSettings s;
    s.formulation = "dummy-derivatives";
    s.integrator = method;
    s.options.relativeTolerance = s.options.absoluteTolerance = tolerance;
    s.options.step = 1e-4;
    auto made = run::Run::create(*system, {}, s);
    if (!made)
        return {.failed = true, .why = made.error().text()};
    run::Run& run = **made;
    constexpr int kTurns = 200; // of some steps each: one that crawls is left
    for (int k = 1; k <= kTurns && !run.failed() && run.acceptedSteps() < 20000; ++k)
        run.advanceTo(end * k / kTurns);
    out.failed = run.failed() || run.t() < end;
    out.why = run.failed() ? run.status().diagnostic->text() : "t = " + text::exact(run.t());
    out.steps = run.acceptedSteps();
    for (const auto& [name, value] : run.namedState())
        out.values[name] = value;
    return out;
}

} // namespace

class TestDeterminedValues : public QObject {
    Q_OBJECT

private slots:
    void theyCostNoStepsOfTheirOwn()
    {
        const std::uint64_t seed = test::seedOr(1);
        for (int i = 0, count = test::countOr(30); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const double w = draw.decimal(0.5, 6), gain = std::round(std::pow(10, draw.between(0, 6)));
            const std::string method =
                draw.among(std::array<const char*, 7>{"ida", "bdf", "ida", "bdf", "radau", "dop853", "odex"});
            const double tolerance = std::pow(10, -draw.upTo(5, 9)), end = 2;
            const std::string rate = text::exact(w), beside = draw.chance(0.5) ? "x" : "cos(" + rate + "*time)";
            const auto text = [&](double k) {
                return "model m\n  Real x(start = 0, fixed = true), v(start = " + rate
                       + ", fixed = true), y, z;\nequation\n  der(x) = v;\n  der(v) = -" + rate
                       + "^2*x;\n  y = " + text::exact(k) + "*(v - " + rate + "*cos(" + rate + "*time)) + " + beside
                       + ";\n  z = y + " + text::exact(k) + "*(x - sin(" + rate + "*time));\nend m;\n";
            };
            const Ended plain = ended(text(0), method, tolerance, end), now = ended(text(gain), method, tolerance, end);
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + method + ", "
                                     + text::exact(tolerance) + "\n" + text(gain) + now.why + ", " + std::to_string(now.steps)
                                     + " steps and " + std::to_string(plain.steps);
            QVERIFY2(!plain.failed && !now.failed, told.c_str());
            QVERIFY2(now.steps <= 4 * plain.steps + 40, told.c_str());
            // Two or three swings of some hundred steps; the value errs by what the error of the states makes of it.
            const double exact = std::sin(w * end), rateExact = w * std::cos(w * end);
            const double off = std::abs(now.values.at("x") - exact), rateOff = std::abs(now.values.at("v") - rateExact);
            QVERIFY2(off <= 300 * tolerance * (1 + w), (told + ", x off by " + text::exact(off)).c_str());
            const double known = beside == "x" ? exact : std::cos(w * end);
            QVERIFY2(std::abs(now.values.at("y") - known) <= gain * (1.01 * rateOff + tolerance * (1 + w)) + off, told.c_str());
        }
    }

    /// A value that goes to a pole is none that a tolerance may leave open: no run goes on behind it.
    void aPoleStopsTheRun()
    {
        for (const char* equation : {"x*y = 1", "x*y = 2 + x", "sin(x)*y = cos(x)"})
            for (const char* method : {"ida", "bdf", "radau"})
                for (const double tolerance : {1e-8, 1e-5}) {
                    const Ended now = ended(std::string("model m\n  Real x(start = 1, fixed = true), y(start = 1);\nequation\n"
                                                        "  der(x) = -1;\n  ")
                                                + equation + ";\nend m;\n",
                                            method, tolerance, 2);
                    QVERIFY2(now.failed, (std::string(equation) + ", " + method).c_str());
                }
    }
};

QTEST_APPLESS_MAIN(TestDeterminedValues)
#include "test_determined_values.moc"
