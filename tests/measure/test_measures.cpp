// The language of measures: its table, its earlier spellings, and what finished and live runs answer to the same words.
#include <QtTest>

#include <atomic>
#include <fstream>
#include <set>
#include <sstream>

#include "core/measure/Check.h"
#include "core/measure/Live.h"
#include "core/run/Laboratory.h"
#include "core/run/RunRequest.h"
#include "core/study/Execute.h"
#include "core/study/Measure.h"
#include "core/system/Model.h"

using namespace driftless;
using measure::MeasureText;
using measure::Place;

namespace {

constexpr const char* kPage = DRIFTLESS_SOURCE_DIR "/docs/measures.md";
constexpr const char* kMark = "<!-- made by tests/measure/test_measures -->\n";

std::string contents(const char* path)
{
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

constexpr double kEnd = 2; ///< [s]
const char* const kStudy = R"toml(
title = "One pendulum in two forms"
record = 100000
[default]
model = "pendulum"
integrator = "rk4"
step = 0.0625
end = 2
[[run]]
name = "run-1"
formulation = "index-1"
[[run]]
name = "run-2"
formulation = "projection"
)toml";

} // namespace

class TestMeasures : public QObject {
    Q_OBJECT
private slots:
    void thePageHasTheTableOfTheRegistry()
    {
        const std::string page = contents(kPage);
        const auto mark = page.find(kMark);
        QVERIFY(mark != std::string::npos);
        const std::string wanted = page.substr(0, mark) + kMark + '\n' + measure::measuresInMarkdown();
        if (qEnvironmentVariableIsSet("DRIFTLESS_WRITE"))
            std::ofstream(kPage, std::ios::binary) << wanted;
        else
            QVERIFY2(page == wanted, "docs/measures.md is old: run this test once with DRIFTLESS_WRITE=1");
    }

    void everyNameIsOneAndSaysWhatItIs()
    {
        std::set<std::string> names;
        for (const measure::NamedMeasure& m : measure::namedMeasures()) {
            QVERIFY2(names.insert(std::string(m.name)).second, m.name.data());
            QVERIFY2(!m.meaning.empty() && (m.finished || m.live), m.name.data());
            QVERIFY2(!(m.word && !m.unit.empty()), m.name.data());
        }
        for (const measure::MeasureFunction& f : measure::measureFunctions())
            QVERIFY2(!f.meaning.empty() && f.least <= f.most, f.name.data());
    }

    void earlierSpellingsAreReadAndTold_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("now");
        QTest::addColumn<bool>("lesson");
        const auto row = [](const char* written, const char* now, bool lesson) {
            QTest::addRow("%s", written) << QString(written) << QString(now) << lesson;
        };
        row("max.residual.position", "max_residual.position", true);
        row("max.energy_error", "max(abs(energy_error))", true);
        row("max.rod.lambda", "max(abs(rod.lambda))", true);
        row("max.kappa", "max(kappa)", true);
        row("time", "clock", true);
        row("end", "t", true);
        row("rows", "equations", true);
        row("tolerance", "rtol", true);
        row("stats.steps", "steps", false);
        row("ratio(stats.steps, parameters.L)", "ratio(steps, parameter.L)", false);
        row("of(a, stats.pivots)", "of(a, pivots)", false);
        row("tolerance ", "tolerance ", false);             // a measure of its own there
        row("max(stats.steps)", "max(stats.steps)", false); // an expression, not a measure
        row("count(pivot)", "count(pivot)", true);
    }
    void earlierSpellingsAreReadAndTold()
    {
        QFETCH(QString, written);
        QFETCH(QString, now);
        QFETCH(bool, lesson);
        const MeasureText text = measure::asWritten(written.toStdString(), {"x", 3, 4}, lesson ? Place::Lesson : Place::Study);
        QCOMPARE(QString::fromStdString(text.text), now);
        const auto hint = measure::renameHint(text);
        QCOMPARE(hint.has_value(), written != now);
        if (hint) {
            QVERIFY(hint->remedy.find(now.toStdString()) != std::string::npos);
            QVERIFY(hint->where.find(written.toStdString()) != std::string::npos);
            QCOMPARE(hint->position.line, 3);
        }
        // Today's words are at rest.
        QCOMPARE(QString::fromStdString(measure::inTodaysWords(text.text, lesson ? Place::Lesson : Place::Study)), now);
    }

    void wordsAreKnownByTheText()
    {
        for (const char* word :
             {"formulation", "drift.energy", "option.basis", "drift(energy_error)", "of(run-2, integrator)", "pivot"})
            QVERIFY2(measure::isWord(word), word);
        for (const char* number : {"steps", "bob.x", "max(bob.x)", "of(run-2, steps)", "ratio(steps, 2)", "1e-3", "gain.xi"})
            QVERIFY2(!measure::isWord(number), number);
        QVERIFY(measure::natureOf("clock") == measure::Nature::Clock);
        QVERIFY(measure::natureOf("gain.omega") == measure::Nature::Setting);
        QVERIFY(measure::natureOf("of(run-2, step)") == measure::Nature::Setting);
        QVERIFY(measure::natureOf("bob.x") == measure::Nature::Result);
        for (const char* waits : {"ratio(clock, 1)", "log10(t)", "max(t)", "last(2 * t)", "of(run-2, clock)", "at(1, t)"})
            QVERIFY2(measure::natureOf(waits) == measure::Nature::Clock, waits);
        for (const char* moves : {"ratio(bob.x, clock)", "max(bob.x + t)", "log10(steps)", "count(pivot)"})
            QVERIFY2(measure::natureOf(moves) == measure::Nature::Result, moves);
    }

    /// An event that is refused ends a run of a study; what it did before is measured all the same.
    void aRunThatAnEventEndsIsMeasured()
    {
        const auto study = study::readStudy(R"toml(
title = "A switch that the method does not carry"
[default]
model = "pendulum"
end = 2
[[run]]
name = "a"
formulation = "index-1"
integrator = "rk4"
step = 0.0625
event = [{ t = 1, formulation = "index-3" }]
)toml",
                                            "refused.toml");
        QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
        const auto executor = study::Executor::create(*study, "test");
        QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
        const std::atomic<bool> cancel{false};
        const auto data = (*executor)->run(0, cancel);
        QVERIFY(data && data->report.began && data->report.status == "refused");
        const study::Finished finished{&*study, {&*data}};
        for (const char* text : {"t", "steps", "state.bob.x", "parameter.L", "bob.x", "max(bob.x)"}) {
            const auto value = study::measure(finished, 0, {text, {}});
            QVERIFY2(value.ok(), text);
        }
    }

    /// Kinetic and potential energy are columns; in every row their sum is the energy, to the bit in which it is added.
    void energiesAreColumnsThatAddUp()
    {
        const auto study = study::readStudy(kStudy, "two.toml");
        QVERIFY(study.ok());
        const auto executor = study::Executor::create(*study, "test");
        QVERIFY(executor.ok());
        const std::atomic<bool> cancel{false};
        const auto data = (*executor)->run(0, cancel);
        QVERIFY(data.ok());
        const study::Finished finished{&*study, {&*data}};
        const auto left = study::measureNumber(finished, 0, {"max(abs(kinetic_energy + potential_energy - energy))", {}}),
                   most = study::measureNumber(finished, 0, {"max(kinetic_energy)", {}});
        QVERIFY(left && most);
        QCOMPARE(*left, 0.0);
        QVERIFY(*most > 0.5); // it swings
    }

    /// A run of long steps beside fine ones: no interpolation over its steps, and the same whichever of both asks. Half time
    /// lies between the rows: of a straight line, and of a swing that is known there.
    void longStepsAreNoDifference()
    {
        const auto study = study::readStudy(R"toml(
title = "Coarse and fine"
record = 100000
[default]
model = "pendulum"
formulation = "index-1"
end = 7.3
[[run]]
name = "coarse"
integrator = "dop853"
rtol = 1e-6
atol = 1e-6
[[run]]
name = "fine"
integrator = "dop853"
rtol = 1e-11
atol = 1e-11
[[run]]
name = "finest"
integrator = "rk4"
step = 0.001
)toml",
                                            "unequal.toml");
        QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
        const auto executor = study::Executor::create(*study, "test");
        QVERIFY(executor.ok());
        std::vector<study::RunData> data;
        const std::atomic<bool> cancel{false};
        for (std::size_t i = 0; i < 3; ++i)
            data.push_back(std::move(*(*executor)->run(i, cancel)));
        const study::Finished finished{&*study, {&data[0], &data[1], &data[2]}};
        const auto number = [&](std::size_t run, const char* text) {
            const auto value = study::measureNumber(finished, run, {text, {}});
            return value ? *value : std::nan("");
        };
        QVERIFY(number(0, "steps") < 40 && number(2, "steps") == 7300);
        for (const char* column : {"bob.x", "bob.y", "bob.x'"}) {
            const auto between = [&](std::size_t run, const char* other) {
                return number(run, (std::string("difference(") + other + ", " + column + ")").c_str());
            };
            QCOMPARE(between(0, "fine"), between(1, "coarse"));
            QVERIFY(between(0, "fine") < 2e-5); // the error of the coarse one, some ten tolerances
            QVERIFY(between(2, "coarse") < 2e-5);
            QVERIFY(between(2, "fine") < 1e-9); // of steps of 0.001 s: h^4 and less
        }
        const double half = 3.65;
        for (std::size_t run = 0; run < 3; ++run) {
            QVERIFY(std::abs(number(run, "growth(t + 1)") - 8.3 / (half + 1)) < 1e-12);
            const double there = number(2, "at(3.65, bob.x)");
            QVERIFY2(std::abs(number(run, "growth(bob.x)") - number(2, "last(bob.x)") / there) < 1e-3,
                     std::to_string(number(run, "growth(bob.x)")).c_str());
        }
    }

    /// The same runs, once finished in a study and once live, stopped at the same time: each measure that both have is the same
    /// number, bit for bit.
    void finishedAndLiveRunsAgree()
    {
        const auto study = study::readStudy(kStudy, "two.toml");
        QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
        const auto executor = study::Executor::create(*study, "test");
        QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
        std::vector<study::RunData> data;
        const std::atomic<bool> cancel{false};
        for (std::size_t i = 0; i < 2; ++i)
            data.push_back(std::move(*(*executor)->run(i, cancel)));
        const study::Finished finished{&*study, {&data[0], &data[1]}};

        const auto prepared = run::prepareRun(study->runs[0].request);
        QVERIFY(prepared.ok());
        run::Laboratory laboratory(prepared->system, prepared->start, 1);
        run::RunSettings second = prepared->settings;
        second.formulation = "projection";
        const auto a = laboratory.addRun(prepared->settings), b = laboratory.addRun(second);
        QVERIFY(a && b);
        laboratory.waitUntil(kEnd);
        const measure::LiveBench bench{.laboratory = laboratory,
                                       .runs = {{*a, "Run 1"}, {*b, "Run 2"}},
                                       .parameters = prepared->system->defaultParameters(),
                                       .reference = 0};
        for (const char* text : {"steps",
                                 "energy",
                                 "kinetic_energy",
                                 "potential_energy",
                                 "max(kinetic_energy)",
                                 "energy_error",
                                 "residual.position",
                                 "residual.velocity",
                                 "residual.acceleration",
                                 "max_residual.position",
                                 "max_residual.velocity",
                                 "max_residual.acceleration",
                                 "bob.x",
                                 "bob.y'",
                                 "h",
                                 "order",
                                 "parameter.L",
                                 "state.bob.x",
                                 "first(bob.x)",
                                 "last(energy_error)",
                                 "max(abs(energy_error))",
                                 "min(bob.y)",
                                 "max(bob.x)",
                                 "rms(bob.x*L)",
                                 "at(1, bob.x)",
                                 "growth(residual.position)",
                                 "drift(energy_error)",
                                 "count(start)",
                                 "difference(run-1)",
                                 "error(run-2, bob.x)",
                                 "deviation(run-1)",
                                 "of(run-2, energy_error)",
                                 "ratio(steps, 2)",
                                 "log10(steps)",
                                 "formulation",
                                 "integrator",
                                 "model",
                                 "failed"}) {
            for (std::size_t run = 0; run < 2; ++run) {
                const MeasureText what{text, {}};
                const auto then = study::measure(finished, run, what);
                const auto now = measure::measureLive(bench, run, kEnd, what);
                QVERIFY2(then.ok(), (std::string(text) + ": " + (then ? "" : then.error().text())).c_str());
                QVERIFY2(now.ok(), (std::string(text) + ": " + (now ? "" : now.error().text())).c_str());
                QVERIFY2(*then == *now,
                         (std::string(text) + ": " + measure::shown(*then, 17) + ", live " + measure::shown(*now, 17)).c_str());
            }
        }
        // Between two steps, and in words of the bench alone.
        const auto at = [&](const char* text, std::size_t run, double t) {
            return measure::measureLive(bench, run, t, {text, {}});
        };
        QCOMPARE(std::get<double>(*at("step", 0, 1)), 0.0625);
        QCOMPARE(std::get<double>(*at("runs", 0, 1)), 2.0);
        QVERIFY(*at("bob.x", 0, 1.02) == *at("last(bob.x)", 0, 1.02));
        QVERIFY(*at("bob.x", 0, 1.02) != *at("bob.x", 0, 1.0));
        // Rows are 0.0625 s apart and change their sign each time; between the seventeenth and the next one no step alternates,
        // though the sign at 1.05 s is that of the next.
        QCOMPARE(std::get<double>(*at("alternations(sin(50.26548245743669*t + 1))", 0, 1.0)), 16.0);
        QCOMPARE(std::get<double>(*at("alternations(sin(50.26548245743669*t + 1))", 0, 1.05)), 16.0);
        QVERIFY(*at("deviation", 1, 1.5) == *at("deviation(run-1)", 1, 1.5));
        QVERIFY(at("deviation", 0, 1).error().what.find("cannot be compared") != std::string::npos);
        QVERIFY(at("bob.x", 0, 1e6).error().what.find("let it play") != std::string::npos);
        QVERIFY(at("bob.zz", 0, 1).error().what.find("records no bob.zz") != std::string::npos);
        QVERIFY(at("steps", 5, 1).error().what.find("no run 6") != std::string::npos);
        QVERIFY(!at("of(run-3, steps)", 0, 1).ok());
        QVERIFY(!at("status", 0, 1).ok() && !study::measure(finished, 0, {"clock", {}}).ok());
    }
};

QTEST_GUILESS_MAIN(TestMeasures)
#include "test_measures.moc"
