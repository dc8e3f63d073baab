// label: release
// Runs of long chains with an elimination that was written out in advance (core/formulation/SolvedRates.cpp).
#include <QtTest>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"

using namespace driftless;

namespace {

/// A chain between two points that falls as its mirror image does: the row of the link in the middle is zero.
constexpr const char* kHungChain = R"toml(format = 1
[structure]
N = { value = 100, min = 2, max = 100 }
[[body]]
count = "N"
name = "bob[i]"
kind = "point"
mass = 0.01
x = { start = "1 - cos(pi*i/(N + 1))", velocity = 0 }
y = { start = "-sin(pi*i/(N + 1))", velocity = 0 }
[[joint]]
count = "N"
name = "rod[i]"
kind = "rod"
from = "bob[i-1]"
to = "bob[i]"
length = "2*sin(pi/(2*(N + 1)))"
first = { from = "ground" }
[[joint]]
name = "last"
kind = "rod"
from = "bob[N]"
to = { body = "ground", at = [2, 0] }
length = "2*sin(pi/(2*(N + 1)))"
[[force]]
kind = "gravity"
acceleration = 9.81
)toml";

} // namespace

class TestLongChains : public QObject {
    Q_OBJECT
private slots:
    void rowsThatAreZeroBySymmetryAreNoFault()
    {
        const auto model = model::readModel(kHungChain, "hung.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        run::RunSettings settings;
        settings.formulation = "index-1";
        settings.integrator = "dop853";
        const auto run = run::Run::create(*system, {}, settings);
        QVERIFY(run.ok() && (*run)->advanceTo(2));
        // Twelve stages a step, three for the polynomial, and some for rows inside of it: 27 in all. A refused step takes a
        // dozen more, and so it was while the row in the middle was judged by its own numbers.
        const integrate::Statistics counted = (*run)->status().statistics;
        QVERIFY2(counted.residualEvaluations < 31 * (counted.steps + counted.rejected),
                 qPrintable(QString("%1 in %2 steps").arg(counted.residualEvaluations).arg(counted.steps)));
    }
};

QTEST_GUILESS_MAIN(TestLongChains)
#include "test_long_chains.moc"
