// Constraints that follow from others: set aside by name, so that every formulation carries the mechanism; never where only one
// configuration makes them dependent.
#include <QtTest>

#include <cmath>

#include "core/model/SetAside.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {

double valueOf(const run::Run& run, const std::string& name)
{
    for (const auto& [key, value] : run.namedState())
        if (key == name)
            return value;
    qFatal("no quantity %s", name.c_str());
}

/// The inclination of a pendulum phi'' = -(m2 + m1) g L sin(phi) / J, J = m2 L^2 + 2 m1 L^2/3, at t: classical Runge-Kutta, 20,000 steps,
/// whose error is below round-off of the comparison (h = 1e-4, h^4 = 1e-16).
double pendulum(double t, double phi)
{
    const double L = 0.8, m1 = 0.5, m2 = 2.0, g = 9.81, k = (m2 + m1) * g * L / (m2 * L * L + 2 * m1 * L * L / 3);
    const int steps = 20'000;
    const double h = t / steps;
    double w = 0;
    for (int i = 0; i < steps; ++i) {
        const auto f = [k](double p) { return -k * std::sin(p); };
        const double a1 = f(phi), a2 = f(phi + h / 2 * w), a3 = f(phi + h / 2 * (w + h / 2 * a1)), a4 = f(phi + h * (w + h / 2 * a2));
        const double w1 = w, w2 = w + h / 2 * a1, w3 = w + h / 2 * a2, w4 = w + h * a3;
        phi += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return phi;
}

} // namespace

class TestSetAside : public QObject {
    Q_OBJECT

private slots:
    void aPlaneLoopInSpaceHasThreeRowsTooMany()
    {
        const auto system = compiled("four-bar-in-space");
        const model::ConstrainedSystem& s = system->system();
        QCOMPARE(s.n(), 21);
        QCOMPARE(s.m(), 20);
        QCOMPARE(s.dependent.size(), std::size_t{3});
        for (const model::Dependent& d : s.dependent) {
            QVERIFY(!d.follows.empty());
            QVERIFY(d.constraint.name.starts_with("D."));
        }
    }

    void itMovesInEveryForm_data()
    {
        QTest::addColumn<QString>("form");
        for (const char* form : {"index-3", "index-2", "index-1", "ggl", "dummy-derivatives", "projection", "baumgarte"})
            QTest::newRow(form) << form;
    }
    void itMovesInEveryForm()
    {
        QFETCH(QString, form);
        const auto run = started("four-bar-in-space", {}, settings(form.toStdString(), "radau-iia-5", 0.01));
        std::string said;
        for (const auto& e : run->events())
            said += e.text;
        QVERIFY2(said.find("3 constraints follow from the others and are set aside: D.") != std::string::npos, said.c_str());
        QVERIFY(run->advanceTo(2));
        const double phi = std::atan2(valueOf(*run, "coupler.x"), -valueOf(*run, "coupler.z"));
        // Order five at h = 0.01 over two periods: below 1e-7 in the angle; index 3 and its relatives lose nothing in positions.
        QVERIFY2(std::abs(phi - pendulum(2, 0.9)) < 1e-6, qPrintable(QString("%1 against %2").arg(phi, 0, 'g', 12).arg(pendulum(2, 0.9), 0, 'g', 12)));
        const auto system = compiled("four-bar-in-space");
        std::vector<double> q;
        for (const auto& c : system->system().coordinates)
            q.push_back(valueOf(*run, c.name));
        QVERIFY(model::dependentResidual(system->system(), 2, q, system->defaultParameters()) < 1e-5);
    }

    void singularConfigurationsAreNotRedundancies()
    {
        for (const char* id : {"flat-fourbar", "slider-crank", "pendulum", "rolling-disc", "triple-pendulum"})
            QVERIFY2(compiled(id)->system().dependent.empty(), id);
        // A crank and a rod in one line: at this start alone two rows are parallel.
        const char* const flat = R"(format = 1
[[body]]
name = "coupler"
kind = "rigid"
mass = 1
inertia = 1
x = { start = 1 }
[[joint]]
name = "left"
kind = "rod"
length = 1
from = { body = "ground", at = [-1, 0] }
to = { body = "coupler", at = [-1, 0] }
[[joint]]
name = "right"
kind = "rod"
length = 1
from = { body = "ground", at = [1, 0] }
to = { body = "coupler", at = [1, 0] }
)";
        const auto model = model::readModel(flat, "flat.toml");
        QVERIFY(model);
        QVERIFY((*model)->system.dependent.empty());
        QCOMPARE((*model)->system.m(), 2);
    }

    void theFileMayKeepThem()
    {
        QVERIFY(compiled("parallelogram")->system().dependent.empty());
        const auto shipped = model::openModel("parallelogram");
        std::string text = (*shipped)->text;
        const std::string line = "redundant = \"keep\"\n";
        text.erase(text.find(line), line.size());
        const auto model = model::readModel(text, "parallelogram.toml");
        QVERIFY(model);
        QCOMPARE((*model)->system.m(), 2);
        QCOMPARE((*model)->system.dependent.size(), std::size_t{1});
        const auto bad = model::readModel("format = 1\nredundant = \"drop\"\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\n", "bad.toml");
        QVERIFY(!bad);
        QCOMPARE(bad.error().position.line, 2);
    }

    void aChangeThatContradictsThemIsRefused()
    {
        const char* const text = R"(format = 1
[parameters]
a = 1.0
b = 1.0
[[body]]
name = "bob"
kind = "point"
mass = 1
x = { start = 0.6 }
y = { start = -0.8 }
[[joint]]
name = "first"
kind = "rod"
length = "a"
from = "ground"
to = "bob"
[[joint]]
name = "second"
kind = "rod"
length = "b"
from = "ground"
to = "bob"
)";
        const auto model = model::readModel(text, "twice.toml");
        QVERIFY(model);
        QCOMPARE((*model)->system.dependent.size(), std::size_t{1});
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system);
        auto run = run::Run::create(*system, {}, settings("index-1", "rk4", 0.01));
        QVERIFY(run);
        const auto refused = (*run)->apply(0, run::SetParameter{"b", 1.2});
        QVERIFY(!refused);
        QVERIFY2(refused.error().what.find("second") != std::string::npos, refused.error().text().c_str());
        QVERIFY((*run)->advanceTo(0.5)); // goes on as it was
        const auto bad = run::Run::create(*system, {{{"b", 1.3}}, {}, false}, settings("index-1", "rk4", 0.01));
        QVERIFY(!bad);
    }
};

QTEST_GUILESS_MAIN(TestSetAside)
#include "test_set_aside.moc"
