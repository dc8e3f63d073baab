// Units do not change a run, and every quantity may have a tolerance of its own: a slice of test_units_walk, the cases that
// showed the fault, and what is said of tolerances that make no sense.
#include <QtTest>

#include "core/consistency/Consistency.h"
#ifndef Q_MOC_RUN // which does not read the raw strings of the models
#include "tests/problems/UnitsDrive.h"
#endif

using namespace driftless;
using namespace driftless::problems;

namespace {

const Subject& subjectNamed(const std::string& name)
{
    static const auto all = subjects();
    for (const Subject& s : all)
        if (name == s.name)
            return s;
    qFatal("no subject %s", name.c_str());
}

std::shared_ptr<const model::CompiledSystem> compiled(const Subject& subject, const Units& units)
{
    const std::string path = fileOf(subject, units);
    auto system = run::openSystem(path);
    std::remove(path.c_str());
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

/// A bob that a stiff spring of its own time scale pulls, so that tolerances decide the steps.
run::RunRequest pendulumRequest()
{
    run::RunRequest request;
    request.model = "pendulum";
    request.formulation = "dummy-derivatives";
    request.integrator = "radau";
    request.relativeTolerance = 1e-9;
    return request;
}

std::uint64_t stepsOf(const run::RunRequest& request)
{
    const auto prepared = run::prepareRun(request);
    if (!prepared)
        qFatal("%s", prepared.error().text().c_str());
    auto made = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!made || !(*made)->advanceTo(1))
        qFatal("the pendulum does not run");
    return (*made)->status().statistics.steps;
}

} // namespace

class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void aSliceOfTheWalk_data()
    {
        QTest::addColumn<QString>("subject");
        QTest::addColumn<QString>("formulation");
        for (const char* subject : {"pendulum", "four-bar", "slider-crank"})
            for (const char* form : {"dummy-derivatives", "index-3", "projected-invariants", "ggl"})
                QTest::addRow("%s/%s", subject, form) << subject << form;
        QTest::newRow("lagrangian/index-1") << "lagrangian"
                                            << "index-1";
        QTest::newRow("equations") << "equations"
                                   << "dummy-derivatives";
    }
    void aSliceOfTheWalk()
    {
        QFETCH(QString, subject);
        QFETCH(QString, formulation);
        const std::vector<Tried> methods{{"rk4", Kind::Explicit}, {"radau", Kind::OneStep}, {"ida", Kind::Multistep}};
        const auto& binary = binaryUnits();
        const auto& decimal = decimalUnits();
        const Subject& s = subjectNamed(subject.toStdString());
        const Compared exact = unitsChange(s, formulation.toStdString(), methods, {binary[0], binary.back()}, true);
        const Compared close = unitsChange(s, formulation.toStdString(), methods, {decimal.back()}, false);
        QVERIFY2(exact.wrong.empty(), exact.wrong.c_str());
        QVERIFY2(close.wrong.empty(), close.wrong.c_str());
        QVERIFY2(exact.runs >= 2 && close.runs >= 1, exact.refused.c_str()); // rk4 does not take forms of index 2 and 3
    }

    /// Masses of 1e8 kg and lengths of a micrometre start consistently, with the multipliers of the same system of size one.
    void starts_largeMassesAndSmallLengths_areConsistent()
    {
        for (const char* name : {"pendulum", "four-bar", "slider-crank"}) {
            const Subject& subject = subjectNamed(name);
            for (const Units& u : {Units{"SI"}, Units{"heavy", 1, 1e8, 1}, Units{"small", 1e-6, 1, 1},
                                   Units{"both", 1e-6, 1e8, 1}, Units{"slow", 1, 1, 1e6}}) {
                const auto system = compiled(subject, u);
                consistency::ConsistencySolver solver(system);
                consistency::Request request;
                request.q.resize(static_cast<std::size_t>(system->n()));
                request.v = request.q;
                request.qFixed.assign(request.q.size(), false);
                request.vFixed = request.qFixed;
                std::vector<double> none(static_cast<std::size_t>(system->w()));
                model::SystemEvaluator evaluator(system);
                QVERIFY(evaluator.starts(request.q.data(), request.v.data(), none.data()));
                const auto found = solver.solve(request);
                QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
                // Residuals of g'' in rows of nominal size R / T^2: round-off of the elimination, some hundred operations.
                const auto& usual = solver.scales();
                const double row = *std::max_element(usual.rows.begin(), usual.rows.end()) / (usual.time * usual.time);
                QVERIFY2(
                    found->report.accelerationAfter <= 1e-11 * row,
                    qPrintable(QString("%1 %2: %3 of %4").arg(name, u.name).arg(found->report.accelerationAfter).arg(row)));
                const double multiplier = subject.row.L == 2 ? u.M / (u.T * u.T) : u.M * u.L / (u.T * u.T);
                const auto si = compiled(subject, {"SI"});
                consistency::ConsistencySolver reference(si);
                model::SystemEvaluator at(si);
                QVERIFY(at.starts(request.q.data(), request.v.data(), none.data()));
                const auto expected = reference.solve(request);
                QVERIFY(expected.ok());
                for (int k = 0; k < system->m(); ++k) {
                    const auto i = static_cast<std::size_t>(k);
                    const double lambda = found->state.lambda[i] / multiplier, there = expected->state.lambda[i];
                    QVERIFY2(std::abs(lambda - there) <= 1e-9 * (1 + std::abs(there)), // guesses are corrected to ten digits
                             qPrintable(QString("%1 %2: %3 in place of %4").arg(name, u.name).arg(lambda).arg(there)));
                }
            }
        }
    }

    /// Nominal values scale with the units, exactly where these differ by powers of two.
    void nominalScales_inOtherUnits_areTheSameSizes()
    {
        for (const char* name : {"pendulum", "four-bar", "slider-crank", "lagrangian"}) {
            const Subject& subject = subjectNamed(name);
            const auto si = compiled(subject, {"SI"});
            model::SystemEvaluator here(si);
            const auto a = model::nominalScales(here);
            for (const Units& u : binaryUnits()) {
                const auto system = compiled(subject, u);
                model::SystemEvaluator there(system);
                const auto b = model::nominalScales(there);
                QCOMPARE(b.time, a.time * u.T);
                QCOMPARE(b.energy, a.energy * (Dimension{2, 1, -2}.in(u)));
                for (std::size_t k = 0; k < a.rows.size(); ++k)
                    QCOMPARE(b.rows[k], a.rows[k] * subject.row.in(u));
                for (std::size_t i = 0; i < a.positions.size(); ++i) {
                    const bool angle = si->system().coordinates[i].unit == "rad";
                    QCOMPARE(b.positions[i], a.positions[i] * (angle ? 1 : u.L));
                }
            }
        }
    }

    void tolerancesOfQuantities_tighter_takeMoreSteps()
    {
        auto request = pendulumRequest();
        request.absoluteTolerance = 1e-4;
        request.relativeTolerance = 1e-12;
        const auto loose = stepsOf(request);
        request.tolerances = {"x=1e-9", "y=1e-9"};
        const auto tight = stepsOf(request);
        // radau's error is of order four: 1e5 in the tolerance are 1e5^(1/4) = 18 in the steps.
        QVERIFY2(tight > 5 * loose, qPrintable(QString("%1 and %2 steps").arg(loose).arg(tight)));
        request.tolerances = {"x=1e-9", "y=1e-9", "x'=1e-4", "y'=1e-4"};
        QVERIFY(stepsOf(request) <= tight); // the velocities' own ones are looser
    }

    void tolerancesOfQuantities_thatMakeNoSense_areRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown") << "bob.w=1e-3"
                                 << "bob.w";
        QTest::newRow("parameter") << "L=1e-3"
                                   << "L has no tolerance";
        QTest::newRow("zero") << "x=0"
                              << "above zero";
        QTest::newRow("negative") << "x=-1e-3"
                                  << "above zero";
        QTest::newRow("no value") << "x"
                                  << "NAME=VALUE";
        QTest::newRow("no number") << "x=small"
                                   << "small";
    }
    void tolerancesOfQuantities_thatMakeNoSense_areRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        auto request = pendulumRequest();
        request.tolerances = {text.toStdString()};
        const auto prepared = run::prepareRun(request);
        QVERIFY(!prepared.ok());
        QVERIFY2(prepared.error().text().find(says.toStdString()) != std::string::npos, prepared.error().text().c_str());
    }

    /// A file's atol is the same as that of the command line, and nominal multiplies the tolerance of equations.
    void tolerancesInFiles_areThoseOfTheRequest()
    {
        Subject stated = subjectNamed("pendulum");
        const auto text = [&stated](const std::string& key) {
            Subject out = stated;
            const auto at = out.text.find("y = { start = 0");
            out.text.insert(at + 15, ", " + key);
            return out;
        };
        const Outcome plain = driven(stated, {"SI"}, "index-1", "radau");
        const Outcome inFile = driven(text("atol = 1e-12"), {"SI"}, "index-1", "radau");
        const Outcome wide = driven(text("nominal = 1e3"), {"SI"}, "index-1", "radau");
        QVERIFY2(inFile.why.empty() && wide.why.empty(), (inFile.why + wide.why).c_str());
        QVERIFY2(inFile.steps > plain.steps, qPrintable(QString("%1 and %2").arg(plain.steps).arg(inFile.steps)));
        QVERIFY2(wide.steps < plain.steps, qPrintable(QString("%1 and %2").arg(plain.steps).arg(wide.steps)));
        const auto bad = [&](const std::string& key) { return driven(text(key), {"SI"}, "index-1", "radau").why; };
        QVERIFY(bad("atol = 0").find("above zero") != std::string::npos);
        QVERIFY(bad("nominal = -1").find("above zero") != std::string::npos);
    }

    void equations_nominal_scalesTheirTolerance()
    {
        const std::string text =
            "model decay\n  Real x(start = 1, fixed = true%1);\nequation\n  der(x) = -x + 0.001*sin(50*time);\n"
            "  annotation(experiment(StopTime = 1, Tolerance = 1e-9));\nend decay;\n";
        const auto with = [&text](const std::string& nominal) {
            Subject s{"decay", ".mo", text, 0.1, 1, {}, {{"x", {}}}};
            s.text.replace(s.text.find("%1"), 2, nominal);
            return driven(s, {"SI"}, "index-n", "radau");
        };
        const Outcome plain = with(""), one = with(", nominal = 1"), large = with(", nominal = 1e4");
        QVERIFY2(plain.why.empty() && large.why.empty(), (plain.why + large.why).c_str());
        QCOMPARE(one.steps, plain.steps);
        QVERIFY2(large.steps < plain.steps, qPrintable(QString("%1 and %2").arg(plain.steps).arg(large.steps)));
        QVERIFY(with(", nominal = 0").why.find("above zero") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestUnits)
#include "test_units.moc"
