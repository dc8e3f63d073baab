// Equation models: what the subset of Modelica means, and where a mistake is found.
#include <QtTest>

#include "core/equations/EquationModel.h"
#include "core/expr/Print.h"

using namespace driftless;
using model::readEquationModel;

class TestEquationReader : public QObject {
    Q_OBJECT

private slots:
    void readsDeclarationsAndEquations()
    {
        const auto m = readEquationModel("/"
                                         "/ a comment; with = signs\n"
                                         "model ball \"falls\" /"
                                         "* and\n"
                                         "more *"
                                         "/\n"
                                         "  parameter Real g(unit = \"m/s2\") = 9.81 \"gravity\", half = g/2;\n"
                                         "  constant Real c = 3;\n"
                                         "  Real x(start = c, fixed = true, unit = \"m\") \"height\";\n"
                                         "  Real v, e = 0.5*v^2 \"energy; per mass\";\n"
                                         "equation\n"
                                         "  der(x, 2) = -g + c*( der ( v ) - der(x,2)) \"Newton's law = here\";\n"
                                         "  v = der(x);\n"
                                         "  annotation(experiment(StopTime = 3, Tolerance = 1e-7), __Driftless(scene(point(0, "
                                         "x), rod(0, 0, 0, x, v, c))));\n"
                                         "end ball;\n",
                                         "ball.mo");
        QVERIFY2(m.ok(), m.ok() ? "" : m.error().text().c_str());
        const auto& s = (*m)->system;
        QCOMPARE((*m)->name, std::string("ball"));
        QCOMPARE((*m)->description, std::string("falls"));
        QCOMPARE((*m)->end, 3.0);
        QCOMPARE((*m)->tolerance.value(), 1e-7);
        QCOMPARE((*m)->shapes.size(), std::size_t{2});
        QVERIFY(!(*m)->shapes[0].space && (*m)->shapes[1].space);
        QVERIFY(((*m)->shapes[0].coordinates[1] - expr::variable("x")).isZero());
        QCOMPARE(s.parameters.size(), std::size_t{3});
        QCOMPARE(s.parameters[0].quantity.value, 9.81);
        QCOMPARE(s.parameters[0].quantity.unit, std::string("m/s2"));
        QCOMPARE(s.parameters[0].quantity.description, std::string("gravity"));
        QCOMPARE(s.unknowns.size(), std::size_t{3});
        QCOMPARE(s.unknowns[0].quantity.value, 3.0);
        QVERIFY(s.unknowns[0].status == model::InitialStatus::Fixed && s.unknowns[0].started && !s.unknowns[1].started);
        QCOMPARE(s.unknowns[2].quantity.description, std::string("energy; per mass"));
        QCOMPARE(s.equations.size(), std::size_t{3}); // the binding of e first
        QCOMPARE(s.equations[1].description, std::string("Newton's law = here"));
        QCOMPARE(s.equations[1].position.line, 9);
        const expr::Expr expected = expr::variable("x", 2) + expr::parameter("g")
                                    - expr::parameter("c") * (expr::variable("v", 1) - expr::variable("x", 2));
        QVERIFY2(expr::expand(s.equations[1].residual - expected).isZero(), expr::print(s.equations[1].residual).c_str());
    }

    void mistakesAreFoundWhereTheyAre_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        const QByteArray head = "model m\n  parameter Real a = 1;\n  Real x, y;\nequation\n";
        const auto row = [&](const char* name, const QByteArray& text, int line, int column) {
            QTest::newRow(name) << text << line << column;
        };
        row("empty", "", 1, 1);
        row("no model", "Real x;", 1, 1);
        row("unknown name", head + "  x = 1 + z;\nend m;", 5, 11);
        row("unknown shape", head + "  x = 1; y = 2;\n  annotation(__Driftless(scene(cube(x))));\nend m;", 6, 32);
        row("too few coordinates", head + "  x = 1; y = 2;\n  annotation(__Driftless(scene(point(x, y), rod(x, y))));\nend m;",
            6, 45);
        row("scene of an unknown", head + "  x = 1; y = 2;\n  annotation(__Driftless(scene(point(x, z))));\nend m;", 6, 41);
        row("scene left open", head + "  x = 1; y = 2;\n  annotation(__Driftless(scene));\nend m;", 6, 31);
        row("unknown name after der", head + "  der(x) + z = 0;\nend m;", 5, 12);
        row("derivative of a parameter", head + "  der(a) = x;\nend m;", 5, 3);
        row("derivative of nothing", head + "  der() = x;\nend m;", 5, 7);
        row("derivative of an expression", head + "  der(x*y) = x;\nend m;", 5, 8);
        row("order too high", head + "  der(x, 99) = x;\nend m;", 5, 10);
        row("prime", head + "  x' = 1;\nend m;", 5, 4);
        row("no equals sign", head + "  x + y;\nend m;", 5, 3);
        row("two equals signs", head + "  x = y = 1;\nend m;", 5, 9);
        row("no semicolon", head + "  x = y\nend m", 5, 3);
        row("wrong end", head + "  x = y;\nend n;", 6, 5);
        row("behind the end", head + "  x = y;\nend m;\nx", 7, 1);
        row("if-equation", head + "  if x > 1 then x = 1; end if;\nend m;", 5, 24);
        row("comment open",
            head
                + "  x = y; /"
                  "* oh",
            5, 10);
        row("string open", head + "  x = y \"oh;\nend m;\n", 5, 9);
        row("declared twice", "model m\n  Real x, x;\nequation\n  x = 1;\nend m;", 2, 11);
        row("no value", "model m\n  parameter Real a;\n  Real x;\nequation\n  x = a;\nend m;", 2, 18);
        row("circle", "model m\n  parameter Real a = b, b = a;\n  Real x;\nequation\n  x = a;\nend m;", 2, 18);
        row("other type", "model m\n  String i;\nequation\n  i = 1;\nend m;", 2, 3);
        row("array", "model m\n  Real x[3];\nequation\n  x = 1;\nend m;", 2, 9);
        row("unknown attribute", "model m\n  Real x(state = 1);\nequation\n  x = 1;\nend m;", 2, 10);
        row("start of a variable", "model m\n  Real x, y(start = x);\nequation\n  x = 1;\n y = 1;\nend m;", 2, 21);
        row("infinite parameter", "model m\n  parameter Real a = 1/0;\n  Real x;\nequation\n  x = a;\nend m;", 2, 24);
        row("reserved", "model m\n  Real time;\nequation\n  time = 1;\nend m;", 2, 8);
        row("no section", "model m\n  Real x;\nend m;", 3, 1);
        row("no variables", "model m\nequation\nend m;", 1, 1);
        row("control character", QByteArray("model m\n\x01"), 2, 1);
    }
    void mistakesAreFoundWhereTheyAre()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(int, column);
        const auto m = readEquationModel(text.toStdString(), "m.mo");
        QVERIFY(!m.ok());
        const Diagnostic& d = m.error();
        QVERIFY2(d.position.line == line && d.position.column == column, d.text().c_str());
        QVERIFY(!d.what.empty() && d.position.file == "m.mo");
    }

    void hostileTextsAreRefusedInTime()
    {
        const std::string head = "model m\n  Real x;\nequation\n  x = ";
        QVERIFY(!readEquationModel(head + std::string(100'000, '(') + ";\nend m;", "m.mo").ok());
        QVERIFY(!readEquationModel(head + std::string(200'000, '-') + "1;\nend m;", "m.mo").ok());
        QVERIFY(!readEquationModel(std::string(5u << 20, ' '), "m.mo").ok());
        QVERIFY(!readEquationModel("model m\n" + std::string(100'000, ';'), "m.mo").ok());
        std::string statements = head + "1;\n";
        for (int i = 0; i < 60'000; ++i)
            statements += "x=1;";
        QVERIFY(!readEquationModel(statements + "end m;", "m.mo").ok());
        for (const char* tail : {"der", "der(", "der(x", "der(x,", "der(x,2", "\"",
                                 "/"
                                 "*",
                                 "end", "end m"})
            QVERIFY(!readEquationModel(head + tail, "m.mo").ok());
    }

    void everyShippedModelIsSquare()
    {
        const auto names = model::shippedEquationModels();
        QVERIFY(names.size() >= 15);
        for (const auto& name : names) {
            QVERIFY(model::namesEquationModel(name));
            const auto m = model::openEquationModel(name);
            QVERIFY2(m.ok(), m.ok() ? "" : m.error().text().c_str());
            QCOMPARE((*m)->system.equations.size(), (*m)->system.unknowns.size());
            QVERIFY(!(*m)->description.empty());
        }
        QVERIFY(!model::namesEquationModel("pendulum")); // a mechanism
    }

    void whatIsNotReadIsRefusedByName_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("said");
        for (const char* line :
             {"elsewhen x > 1 then", "terminate(\"end\");", "reinit(x, 0);", "for i in 1:3 loop", "connect(a, b);"})
            QTest::newRow(line) << line << QString("'%1'").arg(QString(line).section(QRegularExpression("[ (]"), 0, 0));
        for (const char* name : {"pre", "edge", "change", "initial", "sample", "delay", "homotopy"})
            QTest::newRow(name) << QString("y = %1(x);").arg(name) << QString("'%1'").arg(name);
    }

    void whatIsNotReadIsRefusedByName()
    {
        QFETCH(QString, line);
        QFETCH(QString, said);
        const auto m =
            readEquationModel("model m\n  Real x, y;\nequation\n  der(x) = 1;\n  " + line.toStdString() + "\nend m;\n", "m.mo");
        QVERIFY(!m);
        QVERIFY2(QString::fromStdString(m.error().what).startsWith(said), m.error().text().c_str());
        QVERIFY2(!m.error().remedy.empty(), m.error().text().c_str());
        QCOMPARE(m.error().position.line, 5);
    }

    void aVariableMayHaveTheNameOfAFunctionOfEvents()
    {
        const auto m = readEquationModel(
            "model m\n  Real sample(start = 2), delay;\nequation\n  der(sample) = 1;\n  delay = (sample);\nend "
            "m;\n",
            "m.mo");
        QVERIFY2(m, m ? "" : m.error().text().c_str());
    }

    void hintsOnEventsStandForTheirArgument()
    {
        const auto m = readEquationModel(
            "model m\n  Real x, y, z;\nequation\n  der(x) = noEvent(if x > 0 then 1 else 2);\n  y = smooth(1, x "
            "+ 1)*2;\n  z = noEvent (x);\nend m;\n",
            "m.mo");
        QVERIFY2(m, m ? "" : m.error().text().c_str());
        const auto value = [&](std::size_t k) {
            return *expr::evaluate((*m)->system.equations[k].residual, [](const expr::Symbol& s) -> std::optional<double> {
                return s.name == "x" && s.order == 0 ? 3.0 : 0.0;
            });
        };
        QCOMPARE(value(0), -1.0);
        QCOMPARE(value(1), -8.0);
        QCOMPARE(value(2), -3.0);
        QVERIFY(!readEquationModel("model m\n  Real x;\nequation\n  x = smooth(1);\nend m;\n", "m.mo"));
    }

    void inputsAndOutputsAreDeclared()
    {
        const auto m = readEquationModel(
            "model m\n  input Real u(start = 2, min = 0, unit = \"V\") \"slider\", w = 2*time;\n  input Real k "
            "annotation(__Driftless(table = {{0, 1}, {2, -1}}, between = \"held\"));\n  output Real y(unit = "
            "\"V\");\n  Real x;\nequation\n  y = u + w + k;\n  x = der(w);\nend m;\n",
            "m.mo");
        QVERIFY2(m, m ? "" : m.error().text().c_str());
        const model::EquationSystem& s = (*m)->system;
        QCOMPARE(s.parameters.size(), std::size_t{1});
        QCOMPARE(s.parameters[0].quantity.value, 2.0);
        QCOMPARE(s.parameters[0].quantity.minimum, 0.0);
        QCOMPARE(s.outputs, std::vector<std::string>{"y"});
        QCOMPARE(s.corners, std::vector<double>{2});
        QCOMPARE(s.unknowns.size(), std::size_t{2});
        QVERIFY(!expr::dependsOn(s.equations[1].residual, *expr::time().symbol())); // x = 2
    }

    void badInputsAreRefusedWithTheirPlace_data()
    {
        QTest::addColumn<QString>("declared");
        QTest::addColumn<QString>("said");
        QTest::newRow("of a variable") << "input Real u = x;"
                                       << "Unknown name";
        QTest::newRow("twice") << "input Real u = 1 annotation(__Driftless(table = {{0, 1}, {1, 2}}));"
                               << "stated twice";
        QTest::newRow("nothing") << "input Real u annotation(__Driftless(between = \"held\"));"
                                 << "no table";
        QTest::newRow("both") << "input Real u annotation(__Driftless(table = {{0, 1}, {1, 2}}, file = \"a.csv\"));"
                              << "stated twice";
        QTest::newRow("between") << "input Real u annotation(__Driftless(table = {{0, 1}, {1, 2}}, between = \"no\"));"
                                 << "known are held";
        QTest::newRow("backwards") << "input Real u annotation(__Driftless(table = {{1, 1}, {0, 2}}));"
                                   << "do not increase";
        QTest::newRow("a word") << "input Real u annotation(__Driftless(table = {{0, a}, {1, 2}}));"
                                << "finite number";
        QTest::newRow("open") << "input Real u annotation(__Driftless(table = {{0, 1}, {1, 2}}); "
                              << "Expected";
        QTest::newRow("key") << "input Real u annotation(__Driftless(rows = 3));"
                             << "has no 'rows'";
        QTest::newRow("file") << "input Real u annotation(__Driftless(file = \"../a.csv\"));"
                              << "beside the model";
    }

    void badInputsAreRefusedWithTheirPlace()
    {
        QFETCH(QString, declared);
        QFETCH(QString, said);
        const auto m = readEquationModel(
            "model m\n  Real x;\n  " + declared.toStdString() + "\nequation\n  der(x) = u;\nend m;\n", "m.mo");
        QVERIFY(!m);
        QVERIFY2(QString::fromStdString(m.error().text()).contains(said), m.error().text().c_str());
        QVERIFY(m.error().position.line == 3 || declared.contains("x;"));
    }
};

QTEST_GUILESS_MAIN(TestEquationReader)
#include "test_equation_reader.moc"
