// Gaps that alternate many times within one step: a ball that comes down slowly on a floor that shakes, a ball that an arm with
// a strut turns under. Drawn, against the first contact found by a scan in short pieces.
#include <QtTest>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/text/Numbers.h"
#include "tests/problems/EventTimes.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

/// The first zero of a gap that begins above it, from pieces of a hundredth of a period; HUGE_VAL: none before the end. clear:
/// no minimum on the way there was a near thing.
double firstZero(const std::function<double(double)>& gap, double rate, double end, bool& clear)
{
    const double step = 0.02 * std::numbers::pi / rate;
    clear = true;
    for (double t = 0; t < end; t += step) {
        if (gap(t + step) <= 0)
            return zeroOf(gap, t, t + step);
        const double before = gap(t - step), now = gap(t), after = gap(t + step);
        clear = clear && !(now <= before && now <= after && now < 1e-3); // a scan may step over a shallow contact
    }
    return HUGE_VAL;
}

} // namespace

class TestQuickGaps : public QObject {
    Q_OBJECT
private slots:
    void theFirstContactIsNotPassed()
    {
        constexpr std::array<std::array<const char*, 2>, 7> pairs{{{"dummy-derivatives", "radau-9"},
                                                                   {"projection", "dop853"},
                                                                   {"index-1", "dormand-prince"},
                                                                   {"ggl", "radau"},
                                                                   {"dummy-derivatives", "ida"},
                                                                   {"index-1", "adams"},
                                                                   {"index-1", "bdf"}}};
        constexpr double kEnd = 4, kTolerance = 1e-9;
        const std::uint64_t seed = seedOr(23);
        int hits = 0;
        for (int i = 0, count = countOr(80); i < count; ++i) {
            Draw draw(seed + static_cast<std::uint64_t>(i));
            const double rate = draw.decimal(5, 100), speed = draw.decimal(0.1, 0.6), start = draw.decimal(0.4, 1.2);
            const bool shakes = draw.chance(0.6);
            const double size = draw.decimal(0.03, 0.2);
            // The arm has the length 0.2, the strut keeps the ball 0.1 away from its end.
            const auto gap = [&](double t) {
                const double y = start - speed * t;
                return shakes ? y - size * std::sin(rate * t)
                              : std::hypot(0.2 * std::cos(rate * t), y - 0.2 * std::sin(rate * t)) - 0.1;
            };
            bool clear = true;
            const double known = firstZero(gap, rate, kEnd, clear);
            if (!clear || (known < HUGE_VAL && known > kEnd - 0.01))
                continue;
            const std::string ball = "{ name = \"b\", kind = \"point\", mass = 1, y = { start = " + text::exact(start)
                                     + ", velocity = -" + text::exact(speed) + " } }";
            const std::string table =
                shakes
                    ? "body = [" + ball + "]\njoint = [{ name = \"f\", kind = \"wall\", from = { body = \"ground\", at = [0, \""
                          + text::exact(size) + "*sin(" + text::exact(rate) + "*t)\"] }, to = \"b\", restitution = 0.5 }]\n"
                    : "body = [" + ball
                          + ", { name = \"a\", kind = \"rigid\", mass = 2, inertia = 1, angle = { start = 0, velocity = "
                          + text::exact(rate)
                          + " } }]\njoint = [{ name = \"h\", kind = \"revolute\", from = \"ground\", to = \"a\" }, { name = "
                            "\"f\", kind = "
                            "\"strut\", from = { body = \"a\", at = [0.2, 0] }, to = \"b\", length = 0.1 }]\n";
            const auto model = model::readModel("format = 1\n" + table, "q.toml");
            const auto& pair = draw.among(pairs);
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + pair[0] + " with "
                                     + pair[1] + (shakes ? ", floor at " : ", arm at ") + text::exact(rate) + " rad/s";
            QVERIFY2(model.ok(), model ? "" : (told + ": " + model.error().text()).c_str());
            auto run =
                run::Run::create(*model::CompiledSystem::compile(*model), {}, settings(pair[0], pair[1], 0.01, kTolerance));
            QVERIFY2(run.ok(), run ? "" : (told + ": " + run.error().text()).c_str());
            while ((*run)->t() < kEnd && timesOf(**run, run::EventKind::Impact).empty() && (*run)->step(kEnd)) {}
            const auto times = timesOf(**run, run::EventKind::Impact);
            const double found = times.empty() ? HUGE_VAL : times.front();
            QVERIFY2(found == known || std::abs(found - known) < 1e-5,
                     (told + ": " + text::exact(found) + " for " + text::exact(known)).c_str());
            hits += known < HUGE_VAL;
        }
        QVERIFY(hits > countOr(80) / 4);
    }
};

QTEST_APPLESS_MAIN(TestQuickGaps)
#include "test_quick_gaps.moc"
