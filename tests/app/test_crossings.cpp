// label: long
// A thousand seconds of every shipped model in the forms whose pivot, basis or selector follows the motion: none may end at a
// crossing. The circle's motion is unstable and is followed to t = 10; the flat four-bar and the parallelogram lose the rank of
// G itself, which is another matter (see the table of outcomes).
#include <QtTest>

#include "tests/support/LibraryModels.h"

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/system/CompiledSystem.h"
#include "core/system/ShippedModels.h"

using namespace driftless;

class TestCrossings : public QObject {
    Q_OBJECT
private slots:
    void followsTheMotion_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("basis");
        const struct {
            const char *form, *basis;
        } forms[] = {{"dummy-derivatives", ""},
                     {"coordinate-partitioning", ""},
                     {"strangeness-free", ""},
                     {"tangent-plane", "continuous"},
                     {"tangent-plane", "renewed when due"}};
        for (const auto& model : model::shippedModels())
            for (const auto& f : forms)
                if (model.id != "flat-fourbar" && model.id != "parallelogram" && !testing::libraryModels().count(model.id))
                    QTest::addRow("%s %s %s", model.id.c_str(), f.form, f.basis)
                        << QString::fromStdString(model.id) << f.form << f.basis;
    }
    void followsTheMotion()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, basis);
        const auto opened = model::openModel(model.toStdString());
        QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*opened);
        QVERIFY(system.ok());
        run::RunSettings settings;
        settings.formulation = form.toStdString();
        settings.integrator = "radau-iia-5";
        settings.options.step = 0.01;
        if (!basis.isEmpty())
            settings.choices["basis"] = basis.toStdString();
        auto made = run::Run::create(*system, {}, settings, 64u << 20);
        if (!made) {
            QVERIFY2((*system)->holonomic() < (*system)->m(),
                     made.error().text().c_str()); // strangeness-free is for holonomic systems
            return;
        }
        const double end = model == "circle" ? 10 : 1000;
        const bool went = (*made)->advanceTo(end);
        const run::RunStatus status = (*made)->status();
        QVERIFY2(went, status.diagnostic ? status.diagnostic->text().c_str() : "");
        // The positions stay on the constraints: round-off of Newton's iteration on coordinates of size up to a thousand.
        QVERIFY2(status.maxResidual.position <= 1e-8, qPrintable(QString::number(status.maxResidual.position)));
    }
};

int main(int argc, char** argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "7200000"); // a hundred thousand steps take minutes on a busy machine
    QCoreApplication application(argc, argv);
    TestCrossings test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_crossings.moc"
