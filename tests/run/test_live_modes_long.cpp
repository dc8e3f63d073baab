// label: long
// A formulation switched in every mode of every shipped mechanism with events.
#include <QtTest>

#include "tests/run/LiveModes.h"
#include "tests/support/LongMain.h"

using namespace driftless;
using namespace driftless::test;

class TestLiveModesLong : public QObject {
    Q_OBJECT

private slots:
    void everyForm_inEachModeOfEveryModel_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : kEventModels)
            QTest::newRow(model) << QString(model);
    }
    void everyForm_inEachModeOfEveryModel()
    {
        QFETCH(QString, model);
        std::vector<std::string> forms;
        for (const auto& form : formulation::formulations())
            if (form->info().id != "index-1")
                forms.push_back(form->info().id);
        const LiveSwitches done = switchInEveryMode(model.toStdString(), forms);
        QVERIFY2(done.missed.empty(), done.missed.c_str());
        QVERIFY(done.switched >= 10);
    }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestLiveModesLong)
#include "test_live_modes_long.moc"
