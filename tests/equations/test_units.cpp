// Units of equation models: what fits, what does not, and what cannot be known.
#include <QtTest>

#include "core/equations/EquationModel.h"
#include "core/expr/Units.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

using namespace driftless;

class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void unitsAreRead_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("base");
        const auto row = [](const char* unit, const char* base) { QTest::newRow(unit) << QString(unit) << QString(base); };
        row("m/s2", "m.s-2");
        row("N", "kg.m.s-2");
        row("N.m", "kg.m2.s-2");
        row("kg.m2/s2", "kg.m2.s-2");
        row("1/s", "s-1");
        row("rad", "1");
        row("mm", "m");
        row("kOhm", "kg.m2.s-3.A-2");
        row("W/(m2.K)", "kg.s-3.K-1");
        row("s-1", "s-1");
        row("m^3", "m3");
        row("kg m^2", "kg.m2");
        row("N m s/rad", "kg.m2.s-1");
        for (const char* bad : {"", "furlong", "m//s", "m/", "(m", "m-", "m ", " m", "m  s",
                                "(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("})
            row(bad, "");
    }
    void unitsAreRead()
    {
        QFETCH(QString, unit);
        QFETCH(QString, base);
        const auto d = expr::parseUnit(unit.toStdString());
        QCOMPARE(d ? QString::fromStdString(expr::unitText(*d)) : QString(), base);
    }

    void conflictsAreNamedWithTheirTerms()
    {
        const auto model =
            model::readEquationModel("model m\n"
                                     "  parameter Real k(unit = \"N/m\") = 1, mass(unit = \"kg\") = 2, f = 3;\n"
                                     "  Real x(unit = \"m\"), v(unit = \"m/s\"), w(unit = \"furlong\"), z(unit = \"m\");\n"
                                     "equation\n"
                                     "  der(x) = v;\n"
                                     "  mass*der(v) + k*x + f = 0;\n"
                                     "  mass*der(v) + k*v = 9.81*w;\n"
                                     "  sin(z) = 0.5;\n"
                                     "end m;\n",
                                     "m.mo");
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
        const auto warnings = model::unitWarnings((*model)->system);
        QCOMPARE(warnings.size(), std::size_t{3}); // furlong, eq3, eq4
        QVERIFY(warnings[0].what.find("furlong") != std::string::npos);
        QCOMPARE(warnings[1].position.line, 7);
        QVERIFY2(warnings[1].why.find("kg.m.s-2") != std::string::npos && warnings[1].why.find("kg.m.s-3") != std::string::npos,
                 warnings[1].why.c_str());
        QCOMPARE(warnings[2].position.line, 8);
        QVERIFY2(warnings[2].why.find("sin(z)") != std::string::npos, warnings[2].why.c_str());
    }

    /// Mechanisms state units, too; their analysis reads them.
    void unitsOfShippedMechanismsAreKnown()
    {
        int known = 0;
        for (const auto& shipped : model::shippedModels()) {
            const auto model = model::openModel(shipped.id);
            if (!model)
                continue; // an equation model
            for (const auto& parameter : (*model)->system.parameters)
                if (const std::string& unit = parameter.quantity.unit; !unit.empty()) {
                    QVERIFY2(expr::parseUnit(unit), (shipped.id + ": " + unit).c_str());
                    ++known;
                }
        }
        QVERIFY(known > 100);
    }

    void shippedModelsFit()
    {
        for (const std::string& id : model::shippedEquationModels()) {
            const auto model = model::openEquationModel(id);
            QVERIFY(model.ok());
            for (const auto& warning : model::unitWarnings((*model)->system))
                QFAIL((id + ": " + warning.text()).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestUnits)
#include "test_units.moc"
