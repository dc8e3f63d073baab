// Relays: what a `when` sets on one side of a limit and its `elsewhen` on the other. One limit may be written in many ways, and
// two may lie a hair apart; the motion is made of straight pieces and known.
#include <QtTest>

#include <array>
#include <cmath>
#include <string>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

/// Local errors of a few hundred steps at 1e-9, and what counts as touching at each event.
constexpr double kTolerance = 1e-9, kAddedUp = 100 * kTolerance;

/// x above (or below) a limit, as somebody may write it. y is 2 x - 1.
std::string side(test::Draw& draw, bool above, double limit)
{
    const std::string c = text::exact(limit), more = above ? " > " : " < ", less = above ? " < " : " > ",
                      orMore = above ? " >= " : " <= ";
    const std::array<std::string, 9> written{"x" + more + c,
                                             c + less + "x",
                                             "x" + orMore + c,
                                             "3*x" + more + "3*(" + c + ")",
                                             "x - (" + c + ")" + orMore + "0",
                                             "-x" + less + "-(" + c + ")",
                                             "y" + more + "2*(" + c + ") - 1",
                                             std::string("not x") + (above ? " <= " : " >= ") + c,
                                             "x" + more + c + " and true"};
    return draw.among(written);
}

struct Relay {
    double start, lower, upper;  ///< of x; below the one it moves with `up`, above the other with `down`
    double first, up, down, end; ///< rates [1/s]; [s]
    std::string text, method;

    explicit Relay(test::Draw& draw)
    {
        lower = draw.decimal(-1, 1);
        const double apart = draw.chance(0.5) ? 0 : std::pow(10, -draw.upTo(1, 12));
        upper = lower + (apart > 0.05 ? 1.5 : 1) * apart;
        const bool fromAbove = draw.chance(0.5);
        start = fromAbove ? upper + draw.decimal(0.1, 1) : lower - draw.decimal(0.1, 1);
        first = (fromAbove ? -1 : 1) * draw.decimal(0.3, 2);
        up = (draw.chance(0.7) ? 1 : -1) * draw.decimal(0.3, 2);
        down = (draw.chance(0.7) ? -1 : 1) * draw.decimal(0.3, 2);
        end = 4;
        method = draw.among(std::array<const char*, 9>{"rk4", "dop853", "dormand-prince", "radau", "radau-9", "esdirk-43",
                                                       "adams", "ida", "bdf"});
        const std::string one = "when " + side(draw, false, lower) + " then u = " + text::exact(up) + ";",
                          other = "when " + side(draw, true, upper) + " then u = " + text::exact(down) + ";";
        const int order = draw.upTo(0, 1);
        text = "model relay\n  Real x(start = " + text::exact(start) + ", fixed = true), y;\n  discrete Real u(start = "
               + text::exact(first) + ");\nequation\n  y = 2*x - 1;\n  der(x) = u;\n  " + (order ? one : other) + "\n  else"
               + (order ? other : one) + "\n  end when;\nend relay;\n";
    }

    /// Whether it is sent back at once, again and again, so soon that no events get on.
    bool sticks() const { return up > 0 && down < 0 && upper - lower < 1e-8; }
    /// Where it sticks, or for ever, when not.
    double place(double t) const
    {
        double x = start, rate = first, now = 0;
        bool below = start<lower, above = start> upper;
        for (int i = 0; i < 10000; ++i) {
            // The next limit that is passed from its other side.
            double due = INFINITY;
            bool toUpper = false;
            if (rate > 0 && !above)
                due = now + (upper - x) / rate, toUpper = true;
            else if (rate < 0 && !below)
                due = now + (lower - x) / rate;
            if (!(due < t))
                break;
            x = toUpper ? upper : lower;
            now = due;
            rate = toUpper ? down : up;
            below = !toUpper && !(rate > 0);
            above = toUpper && !(rate < 0);
        }
        return x + rate * (t - now);
    }
    double reached() const { return (first > 0 ? upper - start : lower - start) / first; }
};

} // namespace

class TestRelays : public QObject {
    Q_OBJECT

private slots:
    void aRelayKeepsItsSides()
    {
        const std::uint64_t seed = test::seedOr(1);
        int sticking = 0, passing = 0;
        for (int i = 0, count = test::countOr(60); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const Relay relay(draw);
            const double apart = relay.upper - relay.lower;
            if (apart >= 1e-8 && apart < 5e-3)
                continue; // thousands of events that get on
            auto model = reduction::readModel(relay.text, "relay.mo");
            QVERIFY2(model.ok(), relay.text.c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), relay.text.c_str());
            run::RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = relay.method;
            s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
            s.options.step = integrate::findIntegrator(relay.method)->adaptive ? 1e-4 : 1e-2;
            auto made = run::Run::create(*system, {}, s);
            const std::string told =
                "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + relay.method + "\n" + relay.text;
            QVERIFY2(made.ok(), told.c_str());
            run::Run& run = **made;
            run.advanceTo(relay.end);
            double x = 0;
            for (const auto& [name, value] : run.namedState())
                if (name == "x")
                    x = value;
            const std::string ended = told + "t = " + text::exact(run.t()) + ", x = " + text::exact(x)
                                      + (run.failed() ? ": " + run.status().diagnostic->text() : std::string());
            // It sticks where it comes first to what sends it back.
            const bool backAtOnce = relay.sticks();
            if (backAtOnce) {
                ++sticking;
                QVERIFY2(run.failed() && run.status().diagnostic->what == "The run chatters", ended.c_str());
                QVERIFY2(std::abs(run.t() - relay.reached()) < 1e-3, ended.c_str());
            } else {
                ++passing;
                QVERIFY2(!run.failed() && run.t() == relay.end, ended.c_str());
                QVERIFY2(std::abs(x - relay.place(relay.end)) < kAddedUp * (1 + 10 * std::abs(x)),
                         (ended + ", should be " + text::exact(relay.place(relay.end))).c_str());
            }
        }
        qInfo("%d passed on, %d stuck", passing, sticking);
        QVERIFY(test::countOr(60) < 20 || (passing > 0 && sticking > 0));
    }

    /// What is reinitialised exactly onto the other limit of a hysteresis has reached it.
    void aJumpOntoTheOtherLimitReachesIt()
    {
        const std::uint64_t seed = test::seedOr(1);
        for (int i = 0, count = test::countOr(60); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const double lower = draw.decimal(-2, 0), upper = lower + draw.decimal(0.2, 1);
            const double start = lower + draw.decimal(0.1, 2), up = draw.decimal(0.3, 2), down = draw.decimal(0.3, 2), end = 5;
            const double target = draw.chance(0.6) ? upper : lower + draw.decimal(0.1, 0.19);
            const bool strict = draw.chance(0.5);
            const std::string text = "model m\n  Real x(start = " + text::exact(start)
                                     + ", fixed = true);\n  Boolean b;\n  Integer n;\nequation\n  der(x) = if b then "
                                     + text::exact(up) + " else -" + text::exact(down) + ";\n  b = x " + (strict ? "< " : "<= ")
                                     + text::exact(lower) + " or pre(b) and not x " + (strict ? "> " : ">= ")
                                     + text::exact(upper) + ";\n  when b then\n    reinit(x, " + text::exact(target)
                                     + ");\n    n = pre(n) + 1;\n  end when;\nend m;\n";
            double now = (start - lower) / down, x = lower;
            int times = 0;
            for (; now < end; ++times) {
                const double rises = (upper - target) / up, falls = (upper - lower) / down;
                if (end - now < rises) {
                    x = target + up * (end - now);
                } else {
                    x = upper - down * (end - now - rises);
                }
                now += rises + falls;
            }
            if (times == 0)
                x = start - down * end;
            if (std::abs(now - end) < 1e-6 || std::abs(now - (upper - lower) / down - end) < 1e-6)
                continue;
            auto model = reduction::readModel(text, "jumps.mo");
            QVERIFY2(model.ok(), text.c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), text.c_str());
            run::RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = draw.among(std::array<const char*, 5>{"rk4", "dop853", "radau", "ida", "bdf"});
            s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
            s.options.step = integrate::findIntegrator(s.integrator)->adaptive ? 1e-4 : 1e-2;
            auto made = run::Run::create(*system, {}, s);
            QVERIFY2(made.ok(), text.c_str());
            run::Run& run = **made;
            run.advanceTo(end);
            double reached = 0, counted = 0;
            for (const auto& [name, value] : run.namedState()) {
                reached = name == "x" ? value : reached;
                counted = name == "n" ? value : counted;
            }
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + s.integrator + "\n"
                                     + text + "x = " + text::exact(reached) + " and not " + text::exact(x)
                                     + (run.failed() ? run.status().diagnostic->text() : std::string());
            QVERIFY2(!run.failed() && counted == times && std::abs(reached - x) < 10 * kAddedUp, told.c_str());
        }
    }

    /// Limits that meet at one time and part again are two.
    void limitsThatMove_meetAndPart()
    {
        const char* text = "model m\n  Real x(start = -0.5, fixed = true);\n  Integer u, w, k;\nequation\n  der(x) = 1.5;\n"
                           "  when x > time then u = 1; elsewhen x < 2*time - 1 then u = 2; end when;\n"
                           "  when time - pre(w) > 0.3 then w = pre(w) + 1; end when;\n"
                           "  when pre(k) + 1 <= x then k = pre(k) + 1; end when;\nend m;\n";
        auto model = reduction::readModel(text, "m.mo");
        QVERIFY(model.ok());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        for (const char* method : {"rk4", "dop853", "radau", "ida"}) {
            run::RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = method;
            s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
            s.options.step = integrate::findIntegrator(method)->adaptive ? 1e-4 : 1e-2;
            auto made = run::Run::create(*system, {}, s);
            QVERIFY(made.ok());
            (*made)->advanceTo(2);
            for (const auto& [name, value] : (*made)->namedState()) {
                QVERIFY2(name != "u" || value == 1, method); // both fire at t = 1: the first branch counts
                QVERIFY2(name != "w" || value == 2, method); // at 0.3 and 1.3
                QVERIFY2(name != "k" || value == 2, method); // x = 1 and 2 of 2.5
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRelays)
#include "test_relays.moc"
