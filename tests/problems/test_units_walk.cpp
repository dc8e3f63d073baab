// label: long
// Units do not change a run: every system of Rewritten.h, in every formulation that takes it, by explicit, implicit and
// multistep methods, in sixteen sets of units.
#include <QtTest>

#ifndef Q_MOC_RUN // which does not read the raw strings of the models
#include "tests/problems/UnitsDrive.h"
#endif

using namespace driftless;
using namespace driftless::problems;

namespace {

/// (3.24) needs 2 n_lambda <= n_p, and state-space a chart; all else must run.
bool mayRefuse(const std::string& subject, const std::string& formulation)
{
    const bool tied = subject == "four-bar" || subject == "slider-crank";
    return (tied && (formulation == "odae-ssf" || formulation == "extended-3.16"))
           || (subject != "pendulum" && formulation == "state-space");
}

} // namespace

class TestUnitsWalk : public QObject {
    Q_OBJECT

private slots:
    void unitsDoNotChangeARun_data()
    {
        QTest::addColumn<int>("subject");
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<bool>("binary");
        const auto all = subjects();
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const auto& form : formulation::formulations()) {
                if (std::string(all[i].file) == ".mo" && form->info().id != "dummy-derivatives")
                    continue; // equations have one form
                for (const bool binary : {true, false})
                    QTest::addRow("%s/%s/%s", all[i].name, form->info().id.c_str(), binary ? "binary" : "decimal")
                        << static_cast<int>(i) << QString::fromStdString(form->info().id) << binary;
            }
    }
    /// By powers of two explicit methods are the same bit for bit, and the others take the same steps; by other factors
    /// one-step methods take the same count to 1 %, multistep methods to 10 %, and states agree to ten tolerances.
    void unitsDoNotChangeARun()
    {
        QFETCH(int, subject);
        QFETCH(QString, formulation);
        QFETCH(bool, binary);
        const Compared found = unitsChange(subjects()[static_cast<std::size_t>(subject)], formulation.toStdString(),
                                           triedMethods(), binary ? binaryUnits() : decimalUnits(), binary);
        QVERIFY2(found.wrong.empty(), found.wrong.c_str());
        if (found.runs == 0)
            QVERIFY2(mayRefuse(subjects()[static_cast<std::size_t>(subject)].name, formulation.toStdString()),
                     found.refused.c_str());
    }
};

QTEST_GUILESS_MAIN(TestUnitsWalk)
#include "test_units_walk.moc"
