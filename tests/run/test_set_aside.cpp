// Constraints that follow from others: set aside by name, so that every formulation carries the mechanism; never where only one
// configuration makes them dependent.
#include <QtTest>

#include <cmath>

#include "core/model/SetAside.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

class TestSetAside : public QObject {
    Q_OBJECT

private slots:
    void aPlaneLoopInSpaceHasThreeRowsTooMany()
    {
        const auto system = compiled("space-four-bar");
        const model::ConstrainedSystem& s = system->system();
        QCOMPARE(s.n(), 21);
        QCOMPARE(s.m(), 20);
        QCOMPARE(s.dependent.size(), std::size_t{3});
        for (const model::Dependent& d : s.dependent) {
            QVERIFY(!d.follows.empty());
            QVERIFY(d.constraint.name.starts_with("hinge2."));
        }
    }

    void itMovesInEveryForm_data()
    {
        QTest::addColumn<QString>("form");
        for (const char* form : {"index-3", "index-2", "index-1", "ggl", "dummy-derivatives", "projection", "tangent-plane"})
            QTest::newRow(form) << form;
    }
    void itMovesInEveryForm()
    {
        QFETCH(QString, form);
        const auto run = started("space-four-bar", {}, settings(form.toStdString(), "radau-iia-5", 0.002));
        std::string said;
        for (const auto& e : run->events())
            said += e.text;
        QVERIFY2(said.find("3 constraints follow from the others and are set aside: hinge2.") != std::string::npos, said.c_str());
        // The same mechanism in the plane, its crank with the rate that this one has: w = -2 (e0 e2' - e2 e0') about y.
        const double rate = -2 * (valueOf(*run, "crank.e0") * valueOf(*run, "crank.e2'") - valueOf(*run, "crank.e2") * valueOf(*run, "crank.e0'"));
        const auto plane = started("crank-rocker", {{}, {{"crank.angle'", rate}}, false}, settings("index-1", "radau-iia-5", 0.002));
        QVERIFY(run->advanceTo(0.5));
        QVERIFY(plane->advanceTo(0.5));
        // Order five at h = 0.002 and rates of 5 rad/s: (h w)^5 = 1e-10 a step, 250 steps; the plane motion is as good.
        QVERIFY(std::abs(valueOf(*run, "coupler.x") - valueOf(*plane, "coupler.x")) < 1e-7);
        QVERIFY(std::abs(valueOf(*run, "coupler.z") - valueOf(*plane, "coupler.y")) < 1e-7);
        QVERIFY(std::abs(valueOf(*run, "coupler.y")) < 1e-9); // in its plane
        const auto system = compiled("space-four-bar");
        std::vector<double> q;
        for (const auto& c : system->system().coordinates)
            q.push_back(valueOf(*run, c.name));
        QVERIFY(model::dependentResidual(system->system(), 0.5, q, system->defaultParameters()) < 1e-5);
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
