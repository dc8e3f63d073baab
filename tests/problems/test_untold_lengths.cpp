// Models that tell no length, or one that is round-off: they are measured by the motion at their start.
#include <QtTest>

#include <cmath>
#include <string>

#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

struct Way {
    const char *form, *method;
};
constexpr Way kWays[] = {{"index-3", "ida"}, {"index-1", "bdf"},           {"ggl", "radau"},       {"projection", "dop853"},
                         {"index-2", "bdf"}, {"dummy-derivatives", "ida"}, {"baumgarte", "radau"}, {"index-1", "radau"}};

/// The run to `end` at a relative tolerance, with nothing said about absolute ones.
std::unique_ptr<run::Run> ran(const std::string& text, const Way& way, double tolerance, double end)
{
    auto run = test::startedMechanism(text, test::relativeSettings(way.form, way.method, tolerance));
    run->advanceTo(end);
    return run;
}

QString named(std::uint64_t seed, const Way& way, const std::string& text)
{
    return QString("seed %1, %2 with %3\n%4\n").arg(seed).arg(way.form, way.method).arg(QString::fromStdString(text));
}

} // namespace

class TestUntoldLengths : public QObject {
    Q_OBJECT

private slots:
    /// A block slides from the origin and stops after u^2 / (2 mu g), in units of lengths from nanometres to a thousand km.
    void aBlockStopsWhereItDoesInAllUnits()
    {
        const std::uint64_t seed = test::seedOr(20);
        for (int k = 0, count = test::countOr(60); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            test::Draw draw(own);
            const double unit = std::pow(10, draw.upTo(-9, 6)), u = draw.decimal(0.5, 4) * unit, g = 9.81 * unit,
                         mu = draw.decimal(0.1, 0.9);
            const Way& way = draw.among(kWays);
            const std::string text =
                "format = 1\nbody = [{name = \"b\", kind = \"point\", mass = 1, x = {velocity = " + text::exact(u)
                + "}}]\njoint = [{name = \"floor\", kind = \"wall\", from = \"ground\", to = " + "\"b\", friction = "
                + text::exact(mu) + "}]\nforce = [{kind = \"gravity\", acceleration = " + text::exact(g) + "}]\n";
            const double far = u * u / (2 * mu * g), x = test::valueOf(*ran(text, way, 1e-8, 2 * u / (mu * g)), "b.x");
            // Forms that let positions drift lose some ten tolerances.
            QVERIFY2(std::abs(x / far - 1) <= 1e-6, qPrintable(named(own, way, text) + QString::number(x / far - 1)));
        }
    }

    /// A start that is what sin(pi) leaves is one at zero: as many steps, and the same end.
    void aStartThatIsRoundoffTellsNoLength()
    {
        const std::uint64_t seed = test::seedOr(30);
        for (int k = 0, count = test::countOr(30); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            test::Draw draw(own);
            const double a = draw.decimal(0.02, 0.2), w = draw.decimal(5, 12);
            const bool thrown = draw.chance(0.5);
            const Way& way = draw.among(kWays);
            const auto text = [&](double start) {
                return "format = 1\nbody = [{name = \"b\", kind = \"point\", mass = 1, y = {start = " + text::exact(start)
                       + (thrown ? ", velocity = 1" : "") + "}}]\njoint = [{name = \"floor\", kind = \"wall\", from = {body = "
                       + "\"ground\", at = [0, \"" + text::exact(a) + "*sin(" + text::exact(w) + "*t)\"]}, to = \"b\"}]\n"
                       + "force = [{kind = \"gravity\", acceleration = 9.81}]\n";
            };
            const std::string tiny = text(draw.between(1, 9) * std::pow(10, draw.upTo(-20, -16)));
            const auto zero = ran(text(0), way, 1e-7, 1), found = ran(tiny, way, 1e-7, 1);
            const auto steps = [](const run::Run& run) { return static_cast<double>(run.status().statistics.steps); };
            const QString name = named(own, way, tiny);
            QVERIFY2(!found->failed() && steps(*found) <= 1.3 * steps(*zero) + 20,
                     qPrintable(name + QString("%1 and %2 steps").arg(steps(*found)).arg(steps(*zero))));
            QVERIFY2(std::abs(test::valueOf(*found, "b.y") - test::valueOf(*zero, "b.y")) <= 1e-3 * a,
                     qPrintable(name + QString::number(test::valueOf(*found, "b.y") - test::valueOf(*zero, "b.y"))));
        }
    }
};

QTEST_GUILESS_MAIN(TestUntoldLengths)
#include "test_untold_lengths.moc"
