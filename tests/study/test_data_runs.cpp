// Measured data beside the runs of a study: read from a CSV file with units, measured and compared as a run is, and refused by
// name where it is none.
#include <QtTest>

#include <QTemporaryDir>

#include <atomic>
#include <cmath>

#include "core/study/Execute.h"
#include "core/study/Measure.h"
#include "core/study/Report.h"
#include "core/text/Budget.h"
#include "core/text/WholeFile.h"

using namespace driftless;
using namespace driftless::study;

namespace {

const std::string kHead = "title = \"t\"\n[default]\nmodel = \"pendulum\"\nend = 1\n[[run]]\nname = \"made\"\nformulation = "
                          "\"projection\"\nintegrator = \"rk4\"\nstep = 0.01\n";
const std::string kData = "[[run]]\nname = \"camera\"\ndata = \"swing.csv\"\n";

std::string longTable()
{
    std::string out = "t, bob.x\n";
    for (std::size_t k = 0; k <= budget::kMeasuredRows; ++k)
        out += std::to_string(k) + ",0\n";
    return out;
}

class Case {
public:
    explicit Case(const std::string& csv, const std::string& toml = kHead + kData)
    {
        const std::string folder = folder_.path().toStdString();
        if (!csv.empty())
            good_ = static_cast<bool>(writeWholeFile(folder + "/swing.csv", csv));
        auto read = readStudy(toml, folder + "/s.toml");
        if (!read) {
            why_ = read.error().text();
            return;
        }
        study_ = std::move(*read);
        auto made = Executor::create(study_, "test");
        if (made)
            executor_ = std::move(*made);
        else
            why_ = made.error().text();
    }

    const std::string& why() const { return why_; }
    bool good() const { return good_ && executor_; }
    const Executor& executor() const { return *executor_; }

    /// A measure of a run, all of them made.
    double number(std::size_t run, const std::string& measure) const
    {
        const std::atomic<bool> cancel{false};
        std::vector<RunData> data;
        for (std::size_t i = 0; i < study_.runs.size(); ++i)
            data.push_back(*executor_->run(i, cancel));
        Finished finished{&study_, {}};
        for (const RunData& one : data)
            finished.runs.push_back(&one);
        const auto value = measureNumber(finished, run, {measure, {}});
        return value ? *value : std::nan("");
    }

private:
    QTemporaryDir folder_;
    Study study_;
    std::unique_ptr<Executor> executor_;
    std::string why_;
    bool good_ = true;
};

} // namespace

class TestDataRuns : public QObject {
    Q_OBJECT
private slots:
    void columnsOfAFile_areMeasuredAsARunIs()
    {
        const Case one("# a camera\nt [s], bob.x [m], y\n0, 1.5, 0\n0.5, 1.25, -0.5\n1, 1, -1\n");
        QVERIFY2(one.good(), one.why().c_str());
        QCOMPARE(one.number(1, "max(bob.x)"), 1.5); // read as they stand: exact
        QCOMPARE(one.number(1, "min(bob.y)"), -1.0);
        QCOMPARE(one.number(1, "rms(bob.x)"), std::sqrt((1.5 * 1.5 + 1.25 * 1.25 + 1) / 3));
        QCOMPARE(one.number(1, "at(0.5, bob.x + bob.y)"), 0.75);
        QCOMPARE(one.number(1, "last(t)"), 1.0);
        QVERIFY(std::isnan(one.number(1, "max_residual.position"))); // nobody measured it
    }

    void aRun_isComparedWithTheData()
    {
        const Case one("t, bob.x\n0, 1.5\n0.5, 1.25\n1, 1\n");
        QVERIFY2(one.good(), one.why().c_str());
        // Both at the data's three times; the run has a row there, as its steps of 0.01 meet them up to round-off.
        const double x0 = one.number(0, "first(bob.x)"), x1 = one.number(0, "at(0.5, bob.x)"),
                     x2 = one.number(0, "last(bob.x)");
        const double largest = std::max({std::abs(1.5 - x0), std::abs(1.25 - x1), std::abs(1 - x2)});
        QVERIFY(std::abs(one.number(1, "difference(made, bob.x)") - largest)
                < 1e-12); // 100 sums of 0.01, Hermite between two rows
        QVERIFY(std::abs(one.number(0, "error(camera, bob.x)") - std::abs(1 - x2)) < 1e-12);
    }

    void dataBetweenTheRowsOfARun_areComparedAtTheirOwnTimes()
    {
        // Two places of a swing, on no row of the run: a straight line between them is no data, and nothing is compared with
        // it.
        const Case one("t, bob.x\n0.005, 1.4\n0.895, 0.2\n");
        QVERIFY2(one.good(), one.why().c_str());
        const double ofRun = one.number(0, "difference(camera, bob.x)"), ofData = one.number(1, "difference(made, bob.x)");
        QCOMPARE(ofRun, ofData);
        const double near =
            std::max(std::abs(1.4 - one.number(0, "at(0.005, bob.x)")), std::abs(0.2 - one.number(0, "at(0.895, bob.x)")));
        QVERIFY(std::abs(ofRun - near) < 0.05); // the nearest row is half a step away: at most 5 m/s times 0.005 s, twice
        QCOMPARE(one.number(0, "difference(camera)"), ofRun);
        QCOMPARE(one.number(0, "error(camera, bob.x)"), one.number(1, "error(made, bob.x)")); // at the data's last time
        const Case later("t, bob.x\n0.5, 1.25\n1.5, 7\n"); // the run ends before the last one
        QVERIFY2(later.good(), later.why().c_str());
        QVERIFY(std::abs(later.number(0, "difference(camera)") - std::abs(1.25 - later.number(0, "at(0.5, bob.x)"))) < 1e-12);
        QCOMPARE(later.number(0, "error(camera, bob.x)"), later.number(0, "difference(camera)"));
    }

    void withoutAnExpression_whatWasMeasuredIsCompared()
    {
        const Case one("t, bob.x, bob.y'\n0, 1.5, 0\n0.5, 1.25, 7\n1, 1, 0\n");
        QVERIFY2(one.good(), one.why().c_str());
        const double places = one.number(1, "difference(made, bob.x)"), rates = one.number(1, "difference(made, bob.y')");
        QVERIFY(rates > places);
        QCOMPARE(one.number(1, "difference(made)"), rates);
        QCOMPARE(one.number(0, "deviation(camera)"), one.number(0, "error(camera, bob.x)"));
        const Case none("t, rod.lambda\n0, 1\n1, 1\n");
        QVERIFY2(none.good(), none.why().c_str());
        QVERIFY(std::isnan(none.number(1, "difference(made)"))); // neither a place nor a rate
    }

    void aPanel_passesOverWhatWasNotMeasured()
    {
        const std::string csv = "t, bob.x\n0, 1\n1, 2\n";
        const auto with = [](const std::string& panel) {
            return kHead + kData + "[[figure]]\nname = \"f\"\ncaption = \"c\"\npanel = [" + panel + "]\n";
        };
        for (const char* panel : {"{ kind = \"curve\", y = \"bob.y\" }", "{ kind = \"phase\", x = \"bob.x\", y = \"bob.y\" }",
                                  "{ kind = \"scatter\", x = \"max(bob.x)\", y = \"max(bob.y)\" }"}) {
            const Case one(csv, with(panel));
            QVERIFY2(one.good(), one.why().c_str());
        }
        QVERIFY(Case(csv, with("{ kind = \"curve\", y = \"bob.z\" }")).why().find("bob.z")
                != std::string::npos); // no run has it
        QVERIFY(!Case(csv, with("{ kind = \"curve\", y = \"bob.y\", runs = [\"camera\"] }")).good());
    }

    void otherData_isAnotherRun()
    {
        const Case one("t, bob.x\n0, 1\n1, 2\n"), same("t, bob.x\n0, 1\n1, 2\n"), other("t, bob.x\n0, 1\n1, 3\n");
        QVERIFY(one.good() && same.good() && other.good());
        QCOMPARE(one.executor().fingerprint(1), same.executor().fingerprint(1));
        QVERIFY(one.executor().fingerprint(1) != other.executor().fingerprint(1));
        QCOMPARE(one.executor().fingerprint(0), other.executor().fingerprint(0)); // what is integrated is taken over
    }

    void whatIsNoData_isRefusedBeforeAnythingRuns_data()
    {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& csv, const std::string& toml, const char* says) {
            QTest::newRow(name) << QString::fromStdString(csv) << QString::fromStdString(toml) << QString(says);
        };
        const std::string good = "t, bob.x\n0, 1\n1, 2\n";
        row("no file", "", kHead + kData, "swing.csv");
        row("another folder", good, kHead + "[[run]]\nname = \"camera\"\ndata = \"../swing.csv\"\n", "beside the study");
        row("another unit", "t [s], bob.x [cm]\n0, 1\n1, 2\n", kHead + kData, "is \"cm\"");
        row("an unknown column", "t, bib.x\n0, 1\n1, 2\n", kHead + kData, "did you mean \"bob.x\"");
        row("a word", "t, bob.x\n0, one\n1, 2\n", kHead + kData, "swing.csv:2:4");
        row("times that go back", "t, bob.x\n0, 1\n0, 2\n", kHead + kData, "swing.csv:3");
        row("one row", "t, bob.x\n0, 1\n", kHead + kData, "one row");
        row("one column", "t\n0\n1\n", kHead + kData, "what was measured");
        row("too long", longTable(), kHead + kData, "at most 20000 rows");
        row("no header", "0, 1\n1, 2\n", kHead + kData, "no header");
        row("nothing", "#\n", kHead + kData, "no header");
        row("an event", good, kHead + kData + "event = [{ t = 0.5, reset = true }]\n", "no effect beside");
        row("a method", good, kHead + kData + "integrator = \"rk4\"\n", "no effect beside");
        row("a measure of what is not in it", good,
            kHead + kData + "[[claim]]\ntext = \"c\"\nruns = \"camera\"\nmeasure = \"max(bob.y)\"\nbelow = 1\n", "bob.y");
    }

    void whatIsNoData_isRefusedBeforeAnythingRuns()
    {
        QFETCH(QString, csv);
        QFETCH(QString, toml);
        QFETCH(QString, says);
        const Case one(csv.toStdString(), toml.toStdString());
        QVERIFY(!one.good());
        QVERIFY2(QString::fromStdString(one.why()).contains(says), one.why().c_str());
    }
};

QTEST_GUILESS_MAIN(TestDataRuns)
#include "test_data_runs.moc"
