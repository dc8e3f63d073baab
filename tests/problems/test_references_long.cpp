// label: long
// Published references in every formulation that carries their model, with the three methods that people trust: radau, bdf and
// ida. The digits, and which published ones are wrong, stand in test_library.cpp.
#include "tests/app/Outcomes.h"
#include "tests/problems/LibraryDrive.h"

#include "core/mechanism/ReadModel.h"

using namespace driftless;
using namespace driftless::problems;
using outcomes::Key;

namespace {

struct Reference {
    const char* model;
    double end; ///< [s]
    std::vector<std::pair<std::string, double>> state;
};

const Reference kReferences[] = {
    {"andrews",
     0.03,
     {{"K1.angle", 15.8107711951537071},
      {"K3.angle", 0.0408222401196458049},
      {"K5.angle", 0.524409965879954069},
      {"K7.angle", 1.04808074104193787}}},
    {"car-axis",
     3,
     {{"left.x", 4.934557842752409213e-2},
      {"left.y", 4.969894602300081068e-1},
      {"right.x", 1.041742524885426115},
      {"right.y", 3.739110272653658194e-1}}},
    {"spring-slider-crank",
     10,
     {{"crank.angle", 1.27567584865023941}, {"rod.x", 1.02357855897983950}, {"rod.angle", -4.98813049182498749e-1}}}};

bool isRadau(const std::string& method) { return method.rfind("radau", 0) == 0; }

/// Times the tolerance, of |error| / (1 + |value|) at the end. Radau's error is far below what its estimate, of order three,
/// tells, but on index 3, where positions lose a power of h; methods of BDF commit up to their tolerance in each of some
/// thousand steps, and ida's test leaves the velocities of index 3 out. Observed at 1e-7: 1.4 and 16; 160 and 1500, 430 where
/// penalties are carried over. As ida tests nothing but the positions of index 3, tolerances below 1e-7 gain hardly a digit
/// there: 1.5e-4 at 1e-7, 3e-5 at 1e-10.
double allowed(const std::string& method, const std::string& form, double tolerance)
{
    if (isRadau(method))
        return form == "index-3" ? 100 : 10;
    if (form == "underlying-ode")
        return 5000; // nothing holds the constraints: the errors of the positions grow with the square of the time
    return form == "index-3" ? 5000 * std::max(1.0, 1e-7 / tolerance) : 1000;
}
/// Springs in place of constraints yield by lambda/k; this form is held to nothing.
bool isHeld(const std::string& form) { return form != "penalty"; }

} // namespace

class TestReferences : public QObject {
    Q_OBJECT
    outcomes::Table table_;

private slots:
    void initTestCase() { table_.read(); }

    void everyFormulationMeetsThem_data()
    {
        QTest::addColumn<int>("reference");
        QTest::addColumn<QString>("method");
        QTest::addColumn<double>("tolerance");
        for (int i = 0; i < static_cast<int>(std::size(kReferences)); ++i)
            for (const char* method : {"radau", "radau-9", "radau-13", "bdf", "ida"})
                QTest::addRow("%s, %s", kReferences[i].model, method) << i << method << 1e-7;
        // The crank starts with 1.4e4 rad/s^2: first steps of IDA are 3e-8 s and 3e-14 s long.
        for (const double tolerance : {1e-4, 1e-10})
            QTest::addRow("andrews, ida at %g", tolerance) << 0 << "ida" << tolerance;
    }
    void everyFormulationMeetsThem()
    {
        QFETCH(int, reference);
        QFETCH(QString, method);
        QFETCH(double, tolerance);
        const Reference& r = kReferences[reference];
        const auto system = compiledModel(model::openModel(r.model));
        int met = 0;
        for (const auto& form : formulation::formulations()) {
            const std::string id = form->info().id;
            const auto expected = table_.library.find(Key{id, r.model, isRadau(method.toStdString()) ? "radau-iia-5" : "ida"});
            QVERIFY(expected != table_.library.end());
            if (expected->second.outcome != "runs" || !isHeld(id))
                continue;
            const Motion motion =
                moved(system, {r.end}, {.formulation = id, .integrator = method.toStdString(), .tolerance = tolerance});
            QVERIFY2(motion.why.empty(), (id + ": " + motion.why).c_str());
            double error = 0;
            for (const auto& [name, value] : r.state)
                error = std::max(error, std::abs(motion.end()[name] - value) / (1 + std::abs(value)));
            QVERIFY2(error <= allowed(method.toStdString(), id, tolerance) * tolerance,
                     (id + ": " + std::to_string(error / tolerance) + " times the tolerance").c_str());
            ++met;
        }
        QVERIFY2(met >= 12, qPrintable(QString::number(met)));
    }
};

QTEST_GUILESS_MAIN(TestReferences)
#include "test_references_long.moc"
