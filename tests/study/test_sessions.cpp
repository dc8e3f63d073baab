// A session that was driven live, saved as a study, computes the same rows without the laboratory, bit for bit.
#include <QtTest>

#include <nlohmann/json.hpp>

#include <bit>

#include "core/mechanism/ReadModel.h"
#include "core/run/Laboratory.h"
#include "core/run/RunJson.h"
#include "core/run/TableauFile.h"
#include "core/study/Execute.h"
#include "core/study/SessionStudy.h"

using namespace driftless;

namespace {

run::RunSettings settings(const char* formulation, const char* integrator, double step)
{
    run::RunSettings out;
    out.formulation = formulation;
    out.integrator = integrator;
    out.options.step = step;
    out.options.relativeTolerance = out.options.absoluteTolerance = 1e-8;
    return out;
}

} // namespace

class TestSessions : public QObject {
    Q_OBJECT
private slots:
    void liveRowsAreTheStudysRows();
    void ownMethodsGoWithTheStudy();
    void brokenSessionsAreRefused();
};

void TestSessions::liveRowsAreTheStudysRows()
{
    const auto model = model::openModel("pendulum");
    QVERIFY(model);
    const auto system = model::CompiledSystem::compile(*model);
    QVERIFY(system);
    run::StartSettings start;
    start.values = {{"bob.x", 0.8}, {"bob.y'", -0.25}};
    run::Laboratory laboratory(*system, start);
    const auto a = laboratory.addRun(settings("dummy-derivatives", "ida", 0));
    const auto b = laboratory.addRun(settings("baumgarte", "rk4", 0.05));
    const auto gone = laboratory.addRun(settings("index-2", "radau-iia-5", 0.1));
    QVERIFY(a && b && gone);
    laboratory.waitUntil(1);
    QVERIFY(laboratory.command({*b}, run::SetGain{"omega", 7.5}));
    QVERIFY(laboratory.command({*a}, run::SetPivot{{false, {"bob.y"}}}));
    laboratory.waitUntil(1.5);
    laboratory.removeRun(*gone);
    QVERIFY(laboratory.command({*a, *b}, run::SetParameter{"L", 1.1}));
    laboratory.waitUntil(2.5);
    QVERIFY(laboratory.command({*a}, run::SetPivot{{true, {}}}));
    QVERIFY(laboratory.command({*b}, run::SetFormulation{"projection"}));
    QVERIFY(laboratory.command({*b}, run::SetChoice{"metric", "identity"}));
    QVERIFY(laboratory.command({*b}, run::SetState{{{"bob.x", 0.5}}, false}));
    laboratory.waitUntil(3);
    const std::string json = laboratory.sessionJson();

    const auto text = study::studyFromSession(json, "session", "A \"live\" session");
    QVERIFY2(text.ok(), text ? "" : text.error().text().c_str());
    const auto study = study::readStudy(*text, "session.toml");
    QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
    QCOMPARE(study->runs.size(), std::size_t(2));
    const auto executor = study::Executor::create(*study, "test");
    QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
    const run::RunId ids[] = {*a, *b};
    for (std::size_t k = 0; k < 2; ++k) {
        const std::atomic<bool> cancel{false};
        const auto data = (*executor)->run(k, cancel);
        QVERIFY2(data.ok(), data ? "" : data.error().text().c_str());
        QVERIFY2(data->status() == "completed", run::toJson(data->report).dump().c_str());
        const run::RecordingView live = laboratory.recording(ids[k]);
        QVERIFY(data->rowCount() > 30 && data->rowCount() <= live.rowCount()); // the live run may have gone on since
        for (std::size_t r = 0; r < data->rowCount(); ++r) {
            const auto row = data->row(r);
            QVERIFY2(row[0] == live.time(r), qPrintable(QString("row %1").arg(r)));
            for (std::size_t c = 1; c < row.size(); ++c) {
                const double there = live.value(r, static_cast<int>(c) - 1);
                QVERIFY2(std::bit_cast<std::uint64_t>(row[c]) == std::bit_cast<std::uint64_t>(there)
                             || (std::isnan(row[c]) && std::isnan(there)),
                         qPrintable(QString("row %1, %2").arg(r).arg(QString::fromStdString(data->columns[c - 1].name))));
            }
        }
    }
}

/// Begun with one method of one's own and switched to another: the study names both by their numbers, and computes the same
/// motion.
void TestSessions::ownMethodsGoWithTheStudy()
{
    const auto third = run::addTableau("name = \"two thirds\"\nA = [[0, 0], [\"2/3\", 0]]\nb = [\"1/4\", \"3/4\"]\n", "a.toml");
    const auto midpoint = run::addTableau("A = [[\"1/2\"]]\nb = [1]\n", "middle.toml");
    QVERIFY(third && midpoint);
    const auto model = model::openModel("pendulum");
    QVERIFY(model);
    const auto system = model::CompiledSystem::compile(*model);
    QVERIFY(system);
    run::Laboratory laboratory(*system, {});
    const auto a = laboratory.addRun(settings("index-1", third->c_str(), 0.02));
    QVERIFY(a);
    laboratory.waitUntil(0.5);
    QVERIFY(laboratory.command({*a}, run::SetRows{run::Rows::EveryStep}));
    QVERIFY(laboratory.command({*a}, run::SetIntegrator{*midpoint}));
    laboratory.waitUntil(1);
    const auto text = study::studyFromSession(laboratory.sessionJson(), "session", "own");
    QVERIFY2(text.ok(), text ? "" : text.error().text().c_str());
    QVERIFY(QString::fromStdString(*text).contains("tableaus = [") && QString::fromStdString(*text).contains("\"tableau\" = "));
    const auto study = study::readStudy(*text, "session.toml");
    QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
    const auto executor = study::Executor::create(*study, "test");
    QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
    const std::atomic<bool> cancel{false};
    const auto data = (*executor)->run(0, cancel);
    QVERIFY2(data.ok() && data->status() == "completed",
             data ? run::toJson(data->report).dump().c_str() : data.error().text().c_str());
    const run::RecordingView live = laboratory.recording(*a);
    const std::size_t last = data->rowCount() - 1;
    QVERIFY(data->rowCount() > 40 && data->rowCount() <= live.rowCount());
    QVERIFY(data->row(last)[0] == live.time(last) && data->row(last)[1] == live.value(last, 0));
    // A study by hand brings its tableau; one that is none is refused.
    const auto byHand = [](const char* weight) {
        return std::string("format = 1\ntitle = \"t\"\ntableaus = [\"A = [[0.5]]\\nb = [") + weight
               + "]\"]\n[[run]]\nname = \"a\"\nmodel = \"pendulum\"\nformulation = \"index-1\"\nstep = 0.01\nend = 0.1\n";
    };
    QVERIFY(study::readStudy(byHand("1"), "t.toml").ok());
    QVERIFY(!study::readStudy(byHand("2"), "t.toml").ok());
}

void TestSessions::brokenSessionsAreRefused()
{
    for (const char* text : {"", "{}", "[1]", "{\"model\":{\"name\":\"a\",\"text\":\"\"},\"start\":3,\"log\":[],\"end\":{}}"})
        QVERIFY(!study::studyFromSession(text, "session", "x").ok());
}

QTEST_GUILESS_MAIN(TestSessions)
#include "test_sessions.moc"
