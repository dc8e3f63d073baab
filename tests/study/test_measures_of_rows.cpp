// What measures take from the rows of runs that change on their way: parameters in force, both sides of a jump, rows without a
// value, names that mean two things.
#include <QtTest>

#include <atomic>
#include <cmath>

#include <QTemporaryDir>

#include "core/measure/Registry.h"
#include "core/study/Execute.h"
#include "core/study/Measure.h"
#include "core/study/RunData.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::study;

namespace {

/// A study that has been run.
struct Ran {
    Study study;
    std::vector<RunData> data;

    Finished finished() const
    {
        Finished out{&study, {}};
        for (const RunData& run : data)
            out.runs.push_back(&run);
        return out;
    }
    double number(std::size_t run, const std::string& measure) const
    {
        const auto value = measureNumber(finished(), run, {measure, {}});
        return value ? *value : std::nan("");
    }
};

Ran ran(const std::string& text)
{
    auto study = readStudy("title = \"t\"\n" + text, "s.toml");
    if (!study)
        qFatal("%s", study.error().text().c_str());
    Ran out{std::move(*study), {}};
    const auto executor = Executor::create(out.study, "test");
    if (!executor)
        qFatal("%s", executor.error().text().c_str());
    for (std::size_t i = 0; i < out.study.runs.size(); ++i) {
        auto data = (*executor)->run(i, std::atomic<bool>(false), {});
        if (!data)
            qFatal("%s", data.error().text().c_str());
        out.data.push_back(std::move(*data));
    }
    return out;
}

const std::string kPendulum =
    "[default]\nmodel = \"pendulum\"\nformulation = \"index-1\"\nintegrator = \"rk4\"\nstep = 0.05\nend = 2\n";

} // namespace

class TestMeasuresOfRows : public QObject {
    Q_OBJECT
private slots:
    /// Masses and gravities that change at drawn times: the energies of every row are those of the parameters there.
    void parametersCountAsTheyAreInForce()
    {
        const std::uint64_t seed = test::seedOr(3);
        for (int i = 0, count = test::countOr(12); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            std::string events;
            double m = 1;
            for (int k = 0, changes = draw.upTo(1, 4); k < changes; ++k) {
                m = draw.decimal(0.5, 4);
                events += "{ t = " + std::to_string(0.05 * draw.upTo(4 + 9 * k, 11 + 9 * k))
                          + ", set = { m = " + std::to_string(m) + ", g = " + std::to_string(draw.decimal(1, 20)) + " } },";
            }
            const Ran all = ran(kPendulum + "event = [" + events + "]\n[[run]]\nname = \"a\"\n[[run]]\nname = \"b\"\n");
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i));
            QVERIFY2(all.number(0, "max(abs(kinetic_energy - m/2*(bob.x'^2 + bob.y'^2)))") < 1e-12, told.c_str());
            QVERIFY2(all.number(0, "max(abs(potential_energy - m*g*bob.y))") < 1e-12, told.c_str());
            QVERIFY2(all.number(0, "first(m)") == 1 && all.number(0, "last(m)") == m, told.c_str());
            QVERIFY2(all.number(0, "parameter.m") == m && all.number(0, "last(parameter.m)") == m, told.c_str());
            for (const char* same :
                 {"difference(a)", "difference(a, energy)", "difference(a, rod.lambda)", "difference(a, m*g*bob.x)"})
                QVERIFY2(all.number(1, same) == 0, told.c_str());
            const QTemporaryDir folder;
            const std::string path = folder.path().toStdString();
            QVERIFY(saveRun(all.data[0], path).ok());
            const auto again = loadRun(path, "a", all.data[0].fingerprint);
            QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
            const Finished kept{&all.study, {&*again, &*again}};
            QCOMPARE(*measureNumber(kept, 0, {"mean(m)", {}}), all.number(0, "mean(m)"));
        }
    }

    void aRunWithImpactsDiffersFromItselfByNothing()
    {
        const Ran all = ran("[default]\nmodel = \"bouncing-ball\"\nend = 2\n[[run]]\nname = \"a\"\n[[run]]\nname = \"b\"\n");
        QVERIFY(all.number(0, "count(impact)") > 1);
        QCOMPARE(all.number(1, "difference(a)"), 0.0);
        QCOMPARE(all.number(1, "difference(a, kinetic_energy)"), 0.0);
    }

    /// Data are the motion itself, taken from many short steps: what is left is what long steps cannot say between them.
    void longStepsAreComparedByTheirRates()
    {
        const Ran all = ran("[default]\nmodel = \"pendulum\"\nformulation = \"projection\"\nrtol = 1e-9\natol = 1e-9\nend = 5\n"
                            "[[run]]\nname = \"long\"\nintegrator = \"dop853\"\n"
                            "[[run]]\nname = \"short\"\nintegrator = \"dop853\"\nmax_step = 0.02\n");
        QVERIFY(all.number(0, "steps") < 60 && all.number(1, "steps") >= 250);
        QVERIFY(all.number(1, "difference(long, bob.x)") < 1e-4);
        QVERIFY(all.number(1, "difference(long, bob.x')") < 1e-3);
        QVERIFY(all.number(0, "difference(short, bob.x)") < 1e-7); // there the rows are close
        QVERIFY(all.number(0, "difference(short, bob.x')") < 1e-7);
    }

    /// Without an expression: what equations integrate and its rates, as positions and velocities of a mechanism.
    void runsOfEquationsAreComparedAsAWhole()
    {
        const Ran all = ran("[default]\nmodel = \"pendulum-equations\"\nend = 2\n[[run]]\nname = \"a\"\nrtol = 1e-10\n"
                            "[[run]]\nname = \"b\"\nrtol = 1e-4\nintegrator = \"bdf\"\n");
        double places = 0, rates = 0;
        for (const char* value : {"x", "y"}) {
            places = std::max(places, all.number(1, std::string("error(a, ") + value + ")"));
            rates = std::max(rates, all.number(1, std::string("error(a, ") + value + "')"));
        }
        QVERIFY(places > 0);
        QCOMPARE(all.number(1, "deviation(a)"), places);
        QCOMPARE(all.number(1, "error(a)"), std::max(places, rates));
        QVERIFY(all.number(1, "difference(a)") >= all.number(1, "error(a)"));
    }

    void aNameOfAColumnAndAParameterIsRefused()
    {
        const auto refused = [](const std::string& measure) {
            const auto study = readStudy(
                "title = \"t\"\n[[run]]\nname = \"a\"\nmodel = \"bouncing-ball\"\nend = 1\n[[claim]]\ntext = \"c\"\nmeasure "
                "= \""
                    + measure + "\"\nbelow = 2\n",
                "s.toml");
            const auto executor = study ? Executor::create(*study, "test") : study.error();
            return executor ? std::string() : executor.error().text();
        };
        for (const char* both : {"max(ball.y/h)", "last(h)", "difference(a, h)"})
            QVERIFY2(refused(both).find("parameter.h for the parameter, state.h for the column") != std::string::npos, both);
        for (const char* plain : {"max(ball.y/parameter.h)", "last(state.h)", "state.h", "parameter.h", "max(energy)"})
            QVERIFY2(refused(plain).empty(), refused(plain).c_str());
        const Ran all = ran("[[run]]\nname = \"a\"\nmodel = \"bouncing-ball\"\nend = 1\n");
        QCOMPARE(all.number(0, "max(ball.y/parameter.h)"), all.number(0, "max(ball.y)") / all.number(0, "parameter.h"));
        QVERIFY(all.number(0, "max(state.h)") > 0 && all.number(0, "max(state.h)") <= 1);
    }

    void endsWithoutAValueAreSaid()
    {
        const Ran all = ran(kPendulum + "[[run]]\nname = \"a\"\n");
        for (const char* none : {"last(sqrt(1 - t))", "first(sqrt(t - 1))", "growth(sqrt(1 - t))", "ratio(0, 0)"})
            QVERIFY2(!study::measure(all.finished(), 0, {none, {}}).ok(), none);
        QVERIFY(std::abs(all.number(0, "max(sqrt(1 - t))") - 1) < 1e-15);
        const auto infinite = study::measure(all.finished(), 0, {"ratio(1, 0)", {}});
        QVERIFY(infinite.ok());
        QCOMPARE(driftless::measure::shown(*infinite, 3), std::string("∞"));
    }
};

QTEST_GUILESS_MAIN(TestMeasuresOfRows)
#include "test_measures_of_rows.moc"
