// What is integrated at the start: the form as it is written for the mode in which the run begins, on every shipped model with
// modes.
#include <QtTest>

#include "core/formulation/Formulation.h"
#include "core/run/RunRequest.h"
#include "core/system/Modes.h"
#include "core/system/ShippedModels.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

QStringList textsOf(const std::vector<formulation::DescribedRow>& rows)
{
    QStringList out;
    for (const auto& row : rows)
        out << QString::fromStdString(row.equation);
    return out;
}

} // namespace

class TestModeAtStart : public QObject {
    Q_OBJECT

private slots:
    void rowsAreThoseOfTheMode_data()
    {
        QTest::addColumn<QString>("name");
        for (const model::ShippedModel& shipped : model::shippedModels())
            if (!compiled(shipped.id)->system().oneSided.empty())
                QTest::newRow(shipped.id.c_str()) << QString::fromStdString(shipped.id);
    }
    void rowsAreThoseOfTheMode()
    {
        QFETCH(QString, name);
        const auto system = compiled(name.toStdString());
        int begun = 0;
        for (const char* form : {"index-1", "index-2", "dummy-derivatives", "ggl", "projection"}) {
            const auto run = Run::create(system, {}, settings(form, "radau-iia-5", 0.01));
            if (!run) // some forms carry no friction of contacts
                continue;
            ++begun;
            const RunStatus status = (*run)->status();
            const auto inMode = model::modelInMode(system->modelHandle(), status.rowsInForce);
            const auto dae = (*formulation::requireFormulation(form))->build(*inMode, {});
            QVERIFY2(dae.ok(), form);
            const EquationsInForce now = (*run)->equationsInForce();
            QCOMPARE(now.dummies.velocities, status.dummies);
            const QStringList shown = textsOf((*run)->equations(expr::Format::Text));
            QCOMPARE(shown, textsOf(formulation::describeRows(*dae, now.dummies, expr::Format::Text)));
            QCOMPARE(now.dae->dae().differentiationIndex, dae->differentiationIndex);
            QCOMPARE(QString::fromStdString(status.mode),
                     QString::fromStdString(model::modeName(system->system(), status.rowsInForce)));
        }
        QVERIFY(begun > 0);
    }
};

QTEST_APPLESS_MAIN(TestModeAtStart)
#include "test_mode_at_start.moc"
