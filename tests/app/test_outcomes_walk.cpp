// label: long
// Every run of the committed table of outcomes, to its end.
#include "tests/app/Outcomes.h"

using namespace driftless;

class TestOutcomesWalk : public QObject {
    Q_OBJECT
    outcomes::Table table_;

private slots:
    void initTestCase() { table_.read(); }

    void outcome_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("integrator");
        for (const auto& [key, expected] : table_.cases)
            QTest::newRow(outcomes::textOf(key).c_str())
                << QString::fromStdString(std::get<0>(key)) << QString::fromStdString(std::get<1>(key))
                << QString::fromStdString(std::get<2>(key));
    }
    void outcome()
    {
        QFETCH(QString, form);
        QFETCH(QString, model);
        QFETCH(QString, integrator);
        table_.walk({form.toStdString(), model.toStdString(), integrator.toStdString()}, outcomes::kEnd);
    }
};

QTEST_GUILESS_MAIN(TestOutcomesWalk)
#include "test_outcomes_walk.moc"
