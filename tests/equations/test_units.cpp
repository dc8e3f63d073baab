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

    /// A diode has no current or no voltage: the branches of an equation are equations of their own.
    void branchesAreEquationsOfTheirOwn()
    {
        for (const bool right : {true, false}) {
            const auto model = model::readEquationModel(
                std::string("model m\n  Real i(unit = \"A\"), u(unit = \"V\"), r(unit = \"V\"); Boolean off;\nequation\n")
                    + "  r = 2;\n  off = time > 1;\n  if off then i = 0; else u = " + (right ? "r" : "i")
                    + "; end if;\n  u + r = 0;\nend m;\n",
                "m.mo");
            QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
            const auto warnings = model::unitWarnings((*model)->system);
            QCOMPARE(warnings.size(), right ? std::size_t{0} : std::size_t{1});
            QVERIFY(right || warnings[0].position.line == 6);
        }
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

    void expressionsOfMechanismsAreChecked_data()
    {
        QTest::addColumn<QString>("changed");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("line");
        QTest::newRow("as it is") << ""
                                  << ""
                                  << "" << 0;
        QTest::newRow("a mass that is a length") << "mass = \"2*m\""
                                                 << "mass = \"2*L\""
                                                 << "the value of mass has kg" << 9;
        QTest::newRow("terms of a force") << "k*x"
                                          << "k*x + L"
                                          << "bob.x*k has the unit kg.m.s-2, L has m" << 14;
        QTest::newRow("a force that is an energy") << "k*x"
                                                   << "k*x*x"
                                                   << "the value of x" << 14;
        QTest::newRow("a derived parameter") << "L/2"
                                             << "m/2"
                                             << "the value of value" << 5;
        QTest::newRow("the argument of a sine") << "k*x"
                                                << "k*L*sin(x)"
                                                << "sin(bob.x)" << 14;
        QTest::newRow("an output in another unit") << "x^2"
                                                   << "x^3"
                                                   << "the value of value" << 17;
        QTest::newRow("a start is data") << "start = \"half\""
                                         << "start = \"half/3\""
                                         << "" << 0;
        QTest::newRow("a sensor of forces") << "value = \"x^2\"\nunit = \"m^2\""
                                            << "kind = \"velocity\"\npoint = \"bob\"\nunit = \"N\""
                                            << "measures has m/s" << 16;
        QTest::newRow("a sensor in millimetres") << "value = \"x^2\"\nunit = \"m^2\""
                                                 << "kind = \"position\"\npoint = \"bob\"\nunit = \"mm\""
                                                 << "" << 0;
        QTest::newRow("a unit that is none") << "value = \"x^2\"\nunit = \"m^2\""
                                             << "value = \"x^2\"\nunit = \"nonsense\""
                                             << "is not known" << 16;
        QTest::newRow("without a unit all fits") << "k*x"
                                                 << "free*x"
                                                 << "" << 0;
    }

    void expressionsOfMechanismsAreChecked()
    {
        QFETCH(QString, changed);
        QFETCH(QString, to);
        QFETCH(QString, said);
        QFETCH(int, line);
        QString text =
            "format = 1\n[parameters]\nm = { value = 1, unit = \"kg\" }\nL = { value = 1, unit = \"m\" }\n"
            "half = { value = \"L/2\", unit = \"m\" }\nfree = 3\n"
            "[[body]]\nkind = \"point\"\nmass = \"2*m\"\nx = { start = \"half\" }\nname = \"bob\"\n"
            "[[force]]\nkind = \"force\"\nx = \"k*x\"\nbody = \"bob\"\n"
            "[[output]]\nvalue = \"x^2\"\nunit = \"m^2\"\nname = \"square\"\n[[dynamic]]\nname = \"k\"\nunit = \"N/m\"\n"
            "rate = 0\n";
        if (!changed.isEmpty())
            text.replace(changed, to);
        const auto model = model::readModel(text.toStdString(), "units.toml");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const auto& warnings = (*model)->unitWarnings;
        if (said.isEmpty()) {
            QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings.front().text().c_str());
            return;
        }
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(warnings.front().why).contains(said), warnings.front().why.c_str());
        QCOMPARE(warnings.front().position.line, line);
    }

    void shippedModelsFit()
    {
        for (const auto& shipped : model::shippedModels())
            // The forces of the circle are made so that x = sin t, and the string of Atwood's machine begins 1 m long: ones
            // that carry units.
            if (const auto model = model::openModel(shipped.id);
                model && shipped.id != "circle" && shipped.id != "swinging-atwood")
                for (const auto& warning : (*model)->unitWarnings)
                    QFAIL((shipped.id + ": " + warning.text()).c_str());
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
