// A session that was driven live repeats headlessly to identical numbers.
#include <QtTest>

#include <cmath>

#include "core/mechanism/ReadModel.h"
#include "core/run/Laboratory.h"
#include "tests/app/Driver.h"

using namespace driftless;
using namespace driftless::testing;

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

class TestReplay : public QObject {
    Q_OBJECT
    QString path_;
    std::unique_ptr<run::Laboratory> laboratory_;
    std::vector<run::RunId> ids_;

private slots:
    void initTestCase()
    {
        const auto model = model::openModel("pendulum");
        QVERIFY(model);
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system);
        laboratory_ = std::make_unique<run::Laboratory>(*system, run::StartSettings{});
        const auto first = laboratory_->addRun(settings("dummy-derivatives", "ida", 0));
        const auto second = laboratory_->addRun(settings("index-1", "rk4", 0.05));
        QVERIFY(first && second);
        ids_ = {*first, *second};
        laboratory_->waitUntil(2);
        QVERIFY(laboratory_->command({ids_[1]}, run::SetFormulation{"projection"}));
        laboratory_->waitUntil(3);
        QVERIFY(laboratory_->command(ids_, run::SetParameter{"L", 1.1}));
        laboratory_->waitUntil(4);
        QVERIFY(laboratory_->command({ids_[0]}, run::SetPivot{{false, {laboratory_->system().system().coordinates[1].name}}}));
        laboratory_->waitUntil(5);
        QVERIFY(laboratory_->command({ids_[0]}, run::SetPivot{{true, {}}}));
        laboratory_->waitUntil(6);
        path_ = scratch("replay-session.json");
        QFile file(path_);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::string json = laboratory_->sessionJson();
        QCOMPARE(file.write(json.data(), static_cast<qint64>(json.size())), static_cast<qint64>(json.size()));
    }

    void sessionRepeatsToTheLastBit()
    {
        const Answer answer = ask({"run", "pendulum", "--replay", path_});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonArray runs = answer.json()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        const auto& coordinates = laboratory_->system().system().coordinates;
        for (int k = 0; k < runs.size(); ++k) {
            const QJsonObject report = runs[k].toObject();
            const double t = report["t"].toDouble();
            const run::RecordingView live = laboratory_->recording(ids_[static_cast<std::size_t>(k)]);
            const auto row = live.rowAt(t);
            QVERIFY2(t > 4 && live.time(row) == t, "the repetition ends where the live run made a step");
            for (const auto& coordinate : coordinates)
                for (const std::string& name : {coordinate.name, coordinate.name + "'"}) {
                    const double repeated = report["state"].toObject()[QString::fromStdString(name)].toDouble(std::nan(""));
                    QVERIFY2(live.value(row, live.findColumn(name)) == repeated, answer.described().constData());
                }
        }
    }

    void firstRunIsTheReport()
    {
        QJsonObject report = ask({"run", "--replay", path_}).json();
        const QJsonObject first = report["runs"].toArray().first().toObject();
        report.remove("runs");
        QCOMPARE(report["state"], first["state"]);
        QCOMPARE(report["formulation"].toString(), QString("dummy-derivatives"));
    }

    void theWrongModelIsRejected()
    {
        const Answer answer = ask({"run", "slider-crank", "--replay", path_});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 2 && answer.out.isEmpty(), answer.described().constData());
    }

    void cleanupTestCase() { laboratory_.reset(); }
};

QTEST_GUILESS_MAIN(TestReplay)
#include "test_replay.moc"
