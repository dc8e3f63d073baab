// pre() in equations that hold at all times: the value before the event while it goes on, and the value itself afterwards.
// Fuses and saw teeth whose instants are known, and the same without pre(), which no values meet.
#include <QtTest>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

/// A few hundred steps at 1e-9.
constexpr double kTolerance = 1e-9, kAddedUp = 100 * kTolerance;

/// x = rate t, integrated or stated. Fuses blow where what they carry passes a limit, each by the current of the one before; a
/// tooth of the height d is counted.
struct Drawn {
    double rate, gain, limit, secondGain, secondLimit, height, end = 3;
    bool integrated, byEquation;
    std::string method;

    explicit Drawn(test::Draw& draw)
    {
        rate = draw.decimal(0.3, 2);
        gain = draw.decimal(0.5, 3);
        limit = draw.decimal(0.3, 3);
        secondGain = draw.decimal(0.3, 3);
        secondLimit = draw.decimal(0.2, 4);
        height = draw.decimal(0.4, 2);
        integrated = draw.chance(0.5);
        byEquation = draw.chance(0.5);
        method = draw.among(std::array<const char*, 7>{"rk4", "dop853", "dormand-prince", "radau", "radau-9", "ida", "bdf"});
    }

    std::string text(bool before) const
    {
        const auto pre = [before](const char* name) { return before ? "pre(" + std::string(name) + ")" : std::string(name); };
        std::string out = "model fuses\n  Real x" + std::string(integrated ? "(start = 0, fixed = true)" : "")
                          + ", z(start = 0, fixed = true), i, j, y;\n  Boolean blown, second;\n  Integer n;\nequation\n  ";
        out += integrated ? "der(x) = " + text::exact(rate) + ";\n" : "x = " + text::exact(rate) + "*time;\n";
        out += "  der(z) = i;\n";
        out += byEquation ? "  if " + pre("blown") + " then i = 0; else i = " + text::exact(gain) + "*x; end if;\n"
                          : "  i = if " + pre("blown") + " then 0 else " + text::exact(gain) + "*x;\n";
        out += "  j = (if " + pre("blown") + " and not " + pre("second") + " then " + text::exact(secondGain)
               + "*x else 0);\n  y = x - " + text::exact(height) + "*" + pre("n") + ";\n";
        out += "  when i > " + text::exact(limit) + " then blown = true; end when;\n  when j >= " + text::exact(secondLimit)
               + " then second = true; end when;\n  when y >= " + text::exact(height) + " then n = pre(n) + 1; end when;\n"
               + "end fuses;\n";
        return out;
    }

    double blows() const { return limit / gain / rate; }
    double secondBlows() const { return std::max(blows(), secondLimit / secondGain / rate); }
    double charge() const
    {
        const double t = std::min(end, blows());
        return gain * rate * t * t / 2;
    }
    bool isNearEnd(double t) const { return std::abs(t - end) < 1e-6; }
    int teeth() const { return static_cast<int>(std::floor(rate * end / height)); }
};

std::string saidOf(const Result<std::unique_ptr<run::Run>>& made) { return made.ok() ? std::string() : made.error().text(); }

std::map<std::string, double, std::less<>> valuesOf(const run::Run& run)
{
    std::map<std::string, double, std::less<>> out;
    for (const auto& [name, value] : run.namedState())
        out[name] = value;
    return out;
}

} // namespace

class TestValuesBefore : public QObject {
    Q_OBJECT

private:
    static Result<std::unique_ptr<run::Run>> runOf(const std::string& text, const std::string& method)
    {
        auto model = reduction::readModel(text, "fuses.mo");
        if (!model)
            return model.error();
        const auto system = model::CompiledSystem::compile(*model);
        if (!system)
            return system.error();
        run::RunSettings s;
        s.formulation = "dummy-derivatives";
        s.integrator = method;
        s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
        s.options.step = integrate::findIntegrator(method)->adaptive ? 1e-4 : 1e-2;
        return run::Run::create(*system, {}, s);
    }

private slots:
    void theValueBeforeTheEventHoldsWhileItGoesOn()
    {
        const std::uint64_t seed = test::seedOr(1);
        int blown = 0;
        for (int i = 0, count = test::countOr(60); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const Drawn drawn(draw);
            const std::string told =
                "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + drawn.method + "\n" + drawn.text(true);
            const double teeth = drawn.rate * drawn.end / drawn.height;
            if (std::abs(teeth - std::round(teeth)) < 1e-6 || drawn.isNearEnd(drawn.blows())
                || drawn.isNearEnd(drawn.secondBlows()))
                continue;
            auto made = runOf(drawn.text(true), drawn.method);
            QVERIFY2(made.ok(), (told + saidOf(made)).c_str());
            run::Run& run = **made;
            run.advanceTo(drawn.end);
            auto now = valuesOf(run);
            const std::string ended =
                told + "t = " + text::exact(run.t()) + (run.failed() ? ": " + run.status().diagnostic->text() : std::string());
            QVERIFY2(!run.failed() && run.t() == drawn.end, ended.c_str());
            QVERIFY2((now["blown"] > 0.5) == (drawn.blows() < drawn.end), ended.c_str());
            QVERIFY2((now["second"] > 0.5) == (drawn.secondBlows() < drawn.end), ended.c_str());
            QVERIFY2(now["n"] == drawn.teeth(), ended.c_str());
            QVERIFY2(std::abs(now["z"] - drawn.charge()) < kAddedUp * (1 + drawn.charge()),
                     (ended + ", z = " + text::exact(now["z"]) + ", should be " + text::exact(drawn.charge())).c_str());
            const double y = drawn.rate * drawn.end - drawn.height * drawn.teeth();
            QVERIFY2(std::abs(now["y"] - y) < kAddedUp * 10, ended.c_str());
            for (const char* name : {"blown", "second", "n"})
                if (const auto before = now.find("pre(" + std::string(name) + ")");
                    before == now.end() || before->second != now[name])
                    QFAIL(("pre(" + std::string(name) + "): " + ended).c_str());
            blown += drawn.blows() < drawn.end;
        }
        QVERIFY(test::countOr(60) < 20 || blown > 0);
    }

    /// Nothing meets the condition and what it does: that is said at its instant, and not as chattering.
    void withoutPreTheEventUndoesItself()
    {
        const std::uint64_t seed = test::seedOr(1);
        for (int i = 0, count = test::countOr(30); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const Drawn drawn(draw);
            const std::string told =
                "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + drawn.method + "\n" + drawn.text(false);
            const double first = std::min(drawn.blows(), drawn.height / drawn.rate);
            if (std::abs(first - drawn.end) < 1e-6)
                continue;
            auto made = runOf(drawn.text(false), drawn.method);
            QVERIFY2(made.ok(), (told + saidOf(made)).c_str());
            run::Run& run = **made;
            run.advanceTo(drawn.end);
            QCOMPARE(run.failed(), first < drawn.end);
            if (!run.failed())
                continue;
            const Diagnostic why = run.status().diagnostic.value_or(Diagnostic{});
            QVERIFY2(why.what == "The event undoes itself" && why.remedy.find("pre(") != std::string::npos,
                     (told + why.text()).c_str());
            QVERIFY2(std::abs(run.t() - first) < kAddedUp * 10, (told + why.text()).c_str());
        }
    }

    /// time > 0 does not hold at t = 0 and begins to at once; time >= 0 holds from the start, and nothing becomes true.
    void whatTimeBeginsAtOnce()
    {
        for (const auto& [condition, times] :
             {std::pair("time > 0", 1), std::pair("not time <= 0", 1), std::pair("0 < 3*time", 1), std::pair("time >= 0", 0),
              std::pair("not time < 0", 0), std::pair("time <= 0", 0), std::pair("x > 0", 1), std::pair("time > 0.5", 1)}) {
            auto made =
                runOf(std::string("model m\n  Real x(start = 0, fixed = true);\n  Integer n;\nequation\n  der(x) = 1;\n")
                          + "  when " + condition + " then n = pre(n) + 1; end when;\nend m;\n",
                      "radau");
            QVERIFY2(made.ok(), saidOf(made).c_str());
            QVERIFY((*made)->advanceTo(1));
            QVERIFY2(valuesOf(**made)["n"] == times, condition);
        }
    }

    /// pre() of pre() is pre(), whatever conditions the text has that nothing depends on.
    void whatIsBeforeTheValueBefore()
    {
        auto made = runOf("model m\n  Real x(start = 0, fixed = true), y;\n  Integer n(start = 2);\nequation\n  der(x) = 1;\n"
                          "  y = (if x > 0.3 then 1 else 1) + pre(pre(n)) + x;\n"
                          "  when x > 0.5 then n = pre(n) + 2; end when;\nend m;\n",
                          "radau");
        QVERIFY2(made.ok(), saidOf(made).c_str());
        QVERIFY((*made)->advanceTo(1));
        QVERIFY(std::abs(valuesOf(**made)["y"] - 6) < kAddedUp);
    }

    /// Behind a jump that a person makes, and behind initial(), pre() in an equation is the value itself.
    void atTheStartToo()
    {
        auto made = runOf("model m\n  Real y;\n  Integer n(start = 2);\nequation\n  y = 10*pre(n) + time;\n"
                          "  when initial() then n = 7; end when;\nend m;\n",
                          "radau");
        QVERIFY2(made.ok(), saidOf(made).c_str());
        QCOMPARE(valuesOf(**made)["y"], 70.0);
        (*made)->advanceTo(1);
        QVERIFY(std::abs(valuesOf(**made)["y"] - 71) < kAddedUp);
    }
};

QTEST_APPLESS_MAIN(TestValuesBefore)
#include "test_values_before.moc"
