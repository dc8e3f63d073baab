// Events in texts of equations: what is read, that it is written back, and what is refused where.
#include <QtTest>

#include "core/equations/EquationModel.h"
#include "core/equations/EquationWriter.h"
#include "core/expr/Print.h"

using namespace driftless;
using model::EventAction;
using model::HeldVariable;
using model::readEquationModel;

namespace {

const char* const kBall = "model m\n"
                          "  parameter Real g = 9.81, e = 0.8;\n"
                          "  parameter Boolean on = true;\n"
                          "  Real h(start = 1), v;\n"
                          "  Boolean flying(start = true), low = h < 0.5;\n"
                          "  Integer n(start = 2);\n"
                          "  discrete Real last(unit = \"s\");\n"
                          "equation\n"
                          "  der(h) = v;\n"
                          "  der(v) = if flying and on then -g else 0;\n"
                          "  assert(h > -1, \"below\", AssertionLevel.warning);\n"
                          "  when {h <= 0, initial()} then\n"
                          "    flying = n < 5;\n"
                          "    n = pre(n) + 1;\n"
                          "    last = time;\n"
                          "    reinit(v, -e*pre(v));\n"
                          "  elsewhen sample(0, 0.5) and not pre(low) then\n"
                          "    n = if edge(low) or change(last) then 0 else pre(n);\n"
                          "    terminate(\"done\");\n"
                          "  end when;\n"
                          "end m;\n";

} // namespace

class TestEventText : public QObject {
    Q_OBJECT

private slots:
    void readsWhatHappens()
    {
        const auto m = readEquationModel(kBall, "m.mo");
        QVERIFY2(m.ok(), m.ok() ? "" : m.error().text().c_str());
        const model::EquationSystem& s = (*m)->system;
        QCOMPARE(s.equations.size(), std::size_t{2});
        QCOMPARE(s.unknowns.size(), std::size_t{2});
        QCOMPARE(s.parameters[2].quantity.value, 1.0);
        // Four discrete variables, then the conditions h < 0.5, h > -1 and h <= 0; n < 5 holds between events by itself.
        QCOMPARE(s.held.size(), std::size_t{7});
        QCOMPARE(s.held[0].quantity.value, 1.0);
        QCOMPARE(s.held[2].quantity.value, 2.0);
        QVERIFY(s.held[3].kind == HeldVariable::Kind::Real);
        QCOMPARE(s.held[4].quantity.name, std::string("h < 0.5"));
        QVERIFY(s.held[4].strict && !s.held[6].strict);
        QVERIFY(s.held[6].difference.sameAs(-expr::variable("h")));
        QCOMPARE(s.held[5].quantity.value, 1.0); // at the start h = 1 is above -1
        QCOMPARE(s.held[6].quantity.value, 0.0);
        QCOMPARE(s.samples.size(), std::size_t{1});
        QCOMPARE(s.statements.size(), std::size_t{3});
        const auto when = std::ranges::find_if(s.statements, [](const auto& each) { return !each.branches.empty(); });
        QVERIFY(when != s.statements.end());
        QCOMPARE(when->branches.size(), std::size_t{2});
        QVERIFY(when->branches[0].atStart && !when->branches[1].atStart);
        const auto& actions = when->branches[0].actions;
        QCOMPARE(actions.size(), std::size_t{4});
        QCOMPARE(actions[0].target, 2); // n first: flying needs it
        QVERIFY(actions[3].kind == EventAction::Kind::Reinit && actions[3].variable == "v");
    }

    void whatIsWrittenReadsBack()
    {
        const auto first = readEquationModel(kBall, "m.mo");
        QVERIFY2(first.ok(), first.ok() ? "" : first.error().text().c_str());
        const std::string written = model::modelicaText((*first)->system, "m");
        const auto again = readEquationModel(written, "written.mo");
        QVERIFY2(again.ok(), (written + (again ? "" : again.error().text())).c_str());
        QCOMPARE(QString::fromStdString(model::modelicaText((*again)->system, "m")), QString::fromStdString(written));
        QCOMPARE((*again)->system.held.size(), (*first)->system.held.size());
        for (std::size_t k = 0; k < (*first)->system.held.size(); ++k) {
            QVERIFY((*again)->system.held[k].kind == (*first)->system.held[k].kind);
            QCOMPARE((*again)->system.held[k].quantity.value, (*first)->system.held[k].quantity.value);
        }
    }

    void comparisonsWithoutEventsAreWrittenSo()
    {
        const auto first = readEquationModel(
            "model m\n  Real x;\nequation\n  der(x) = noEvent(if x > 0 then 1 else 2) + (if x > 1 then 3 else 4);\nend m;\n",
            "m.mo");
        QVERIFY(first.ok());
        QCOMPARE((*first)->system.held.size(), std::size_t{1});
        const std::string written = model::modelicaText((*first)->system, "m");
        const auto again = readEquationModel(written, "w.mo");
        QVERIFY2(again.ok() && (*again)->system.held.size() == 1, written.c_str());
    }

    void anIfEquationIsAnEquationWithAnIf()
    {
        const auto m = readEquationModel("model m\n  Real x, y;\nequation\n  if x > 1 then\n    der(x) = 1;\n    y = 2;\n"
                                         "  elseif x > 0 then\n    der(x) = 3;\n    y = 4;\n  else\n    der(x) = 5;\n"
                                         "    if x > -1 then y = 6; else y = 7; end if;\n  end if;\nend m;\n",
                                         "m.mo");
        QVERIFY2(m.ok(), m.ok() ? "" : m.error().text().c_str());
        QCOMPARE((*m)->system.equations.size(), std::size_t{2});
        QCOMPARE((*m)->system.held.size(), std::size_t{3});
        for (const auto& [x, y] : {std::pair(2.0, 2.0), std::pair(0.5, 4.0), std::pair(-0.5, 6.0), std::pair(-2.0, 7.0)}) {
            const auto value = expr::evaluate((*m)->system.equations[1].residual, [&, at = x](const expr::Symbol& s) {
                if (s.name == "x > 1")
                    return std::optional<double>(at > 1);
                if (s.name == "x > 0")
                    return std::optional<double>(at > 0);
                return std::optional<double>(s.name == "x > -1" ? at > -1 : 0.0);
            });
            QCOMPARE(value.value(), -y);
        }
    }

    void mistakesAreFoundWhereTheyAre_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* lines, int line, const char* said) {
            QTest::newRow(name) << lines << line << said;
        };
        // Line 4 is the first one.
        row("not set", "", 3, "Nothing sets 'b'");
        row("set twice", "b = x > 0;\nb = x > 1;", 5, "set by two statements");
        row("a number", "b = x + 1;", 4, "cannot be a number");
        row("true as a whole number", "b = x > 0;\nwhen b then\nn = true;\nend when;", 6, "true or false");
        row("not true as a number", "b = x > 0;\ny = not true;", 5, "true or false");
        row("true in a sum", "b = 1 + true > x;", 4, "A number is needed");
        row("true that is compared", "b = x < true;", 4, "A number is needed");
        row("an edge as a number", "b = x > 0;\nwhen x > 1 then\nn = edge(b);\nend when;", 6, "true or false");
        row("a change as a number", "b = x > 0;\nwhen x > 1 then\nn = change(n);\nend when;", 6, "true or false");
        row("a difference as a number", "b = x > 0;\nwhen x > 1 then\nn = pre(n) <> 2;\nend when;", 6, "true or false");
        row("constants that are compared", "b = x > 0;\nwhen x > 1 then\nn = 1 < 2;\nend when;", 6, "true or false");
        row("a Boolean in a sum", "b = x > 0;\nwhen 1 + b > x then\nn = 1;\nend when;", 5, "A number is needed");
        row("a number after the if of equations", "b = x > 0;\nif x then\ny = 1;\nelse\ny = 2;\nend if;", 5,
            "'if' needs a condition");
        row("a number after if", "b = x > 0;\ny = if x then 1 else 2;", 5, "A condition is needed");
        row("minus true", "b = x > 0;\ny = -true;", 5, "A number is needed");
        row("true as an argument", "b = x > 0;\ny = sin(true);", 5, "A number is needed");
        row("true times x", "b = x*(true) > 0;", 4, "A number is needed");
        row("a power of true", "b = 2^true > x;", 4, "A number is needed");
        row("branches of two kinds", "b = x > 0;\ny = if b then true else 2;", 5, "One branch");
        row("equal by one sign", "b = x > 0;\nwhen x = 1 then\nn = 1;\nend when;", 5, "'=='");
        row("smooth of an order below 0", "b = x > 0;\ny = smooth(-1, x);", 5, "0 or more");
        row("smooth of an order that moves", "b = x > 0;\ny = smooth(x, x);", 5, "0 or more");
        row("number as condition", "b = x > 0;\nwhen x then\nn = 1;\nend when;", 5, "needs a condition");
        row("and of numbers", "b = x and x > 0;", 4, "A condition is needed");
        row("circle", "b = n > 1;\nwhen b then\nn = if b then 1 else 2;\nend when;", 4, "depends on itself");
        row("continuous in when", "b = x > 0;\nwhen b then\nx = 1;\nend when;", 6, "is none");
        row("reinit of what is no state", "b = x > 0;\nwhen b then\nreinit(y, 1);\nend when;", 6, "is no state");
        row("no then", "b = x > 0;\nwhen b\nn = 1;\nend when;", 5, "Expected 'then'");
        row("not closed", "b = x > 0;\nwhen b then\nn = 1;\nend m;", 7, "end when");
        row("nothing done", "b = x > 0;\nwhen b then\nend when;", 5, "Nothing is done");
        row("initial among others", "b = x > 0;\nwhen initial() and b then\nn = 1;\nend when;", 5, "stands alone");
        row("edge of a number", "b = edge(n);", 4, "'edge' needs a Boolean");
        row("edge of a condition", "b = x > 0;\nwhen edge(x > 1) then\nn = 1;\nend when;", 5, "'x > 1' is a condition");
        row("pre in an equation", "b = x > 0;\ny = pre(x);", 5, "'pre' of a continuous variable");
        row("sample in an equation", "b = x > 0;\ny = if sample(0, 1) then 1 else 0;", 5, "'sample'");
        row("sample of a variable", "b = sample(x, 1);", 4, "are constants");
        row("assert without message", "b = x > 0;\nassert(b);", 5, "takes a condition and a message");
        row("assert of a number", "b = x > 0;\nassert(x, \"m\");", 5, "needs a condition");
        row("unknown level", "b = x > 0;\nassert(b, \"m\", 3);", 5, "AssertionLevel");
        row("branches of different size", "b = x > 0;\nif b then\ny = 1;\nelse\nend if;", 5, "different numbers");
        row("no else", "b = x > 0;\nif b then\ny = 1;\nend if;", 7, "no 'else'");
        row("discrete in an if", "if x > 0 then\nb = true;\nelse\nb = false;\nend if;", 5, "has one equation");
        row("condition as a number", "der(y) = b;\nb = x > 0; y = 1;", 4, "'b' is true or false");
        row("comparison as a number", "y = 2*(x > 0);\nb = x > 0;", 4, "'x > 0' is true or false");
        row("condition in a jump", "b = x > 0;\nwhen b then\nreinit(x, b);\nend when;", 6, "is true or false");
        row("condition counted", "b = x > 0;\nwhen b then\nn = n;\nn = b;\nend when;", 7, "is true or false");
        row("equal to a state", "b = x == 1;", 4, "equal to a number at instants alone");
        row("discrete follows a state", "n = x;\nb = x > 0;", 4, "changes at events alone");
        row("set from itself", "b = x > 0;\nwhen b then\nn = n + 1;\nend when;", 7, "pre(d)");
        row("set twice at once", "b = x > 0;\nwhen b then\nn = 1;\nn = 2;\nend when;", 7, "is set twice");
        row("two jumps", "b = x > 0;\nwhen b then\nreinit(x, 1);\nreinit(x, 2);\nend when;", 7, "is set twice");
        row("pre in a condition", "b = x > 0;\nwhen pre(x) > 1 then\nn = 1;\nend when;", 5, "stands behind 'then'");
        row("no condition", "b = x > 0;\nwhen then\nn = 1;\nend when;", 5, "Expected a condition");
        row("no conditions", "b = x > 0;\nwhen {} then\nn = 1;\nend when;", 5, "between '{' and '}'");
        row("own change", "b = x > 0;\nwhen b or change(n) then\nn = pre(n) + 1;\nend when;", 5, "'n' depends on itself");
        row("floor", "b = x > 0;\ny = floor(x);", 5, "Try: write Integer n; when x >= pre(n) + 1 then");
        row("mod", "b = x > 0;\ny = mod(x, 2);", 5, "Try: write x - n*y");
        row("delay", "b = x > 0;\ny = delay(x, 1);", 5, "'delay' is not part");
    }

    void mistakesAreFoundWhereTheyAre()
    {
        QFETCH(QString, lines);
        QFETCH(int, line);
        QFETCH(QString, said);
        const QString text = "model m Real x, y;\n  Integer n(start = 1);\n  Boolean b; equation der(x) = 1; \n" + lines
                             + (lines.contains("y =") ? "" : " y = x;")
                             + (lines.contains("n =") ? "" : "\nwhen x > 3 then n = 2; end when;") + "\nend m;\n";
        const auto m = readEquationModel(text.toStdString(), "m.mo");
        QVERIFY2(!m, qPrintable(text));
        QVERIFY2(m.error().text().find(said.toStdString()) != std::string::npos, m.error().text().c_str());
        QVERIFY2(m.error().position.line == line, m.error().text().c_str());
    }

    /// What is true or false has its place in conditions, in numbers none. Numbers that an if chooses between and that are
    /// compared then are numbers.
    void kindsAreToldApart()
    {
        const auto reads = [](const std::string& declarations, const std::string& equations) {
            return readEquationModel("model m\n  Real x(start = 0);\n" + declarations + "\nequation\n  der(x) = 1;\n"
                                         + equations + "\nend m;\n",
                                     "m.mo")
                .ok();
        };
        QVERIFY(reads("parameter Boolean q = true; parameter Real k = 1; "
                      "parameter Boolean p = if q then true else k > (if q then 3 else 2);",
                      ""));
        QVERIFY(reads("parameter Integer p = 1; Real y;", "y = smooth(p, x);"));
        QVERIFY(reads("Boolean b, c;", "b = x > 0 and true; c = not (b == true);"));
        QVERIFY(reads("Real y; Boolean b;", "b = x > 0; y = if b then 1 else 0; assert(true, \"never\");"));
        QVERIFY(!reads("parameter Real p = true;", ""));
        QVERIFY(!reads("Integer n(start = true);", "when x > 1 then n = 2; end when;"));
        QVERIFY(!reads("Real y(start = true);", "y = x;"));
    }

    /// Where equality is met: of what changes at events, of constants, and where nothing is located.
    void equalityOfWhatIsHeldIsRead()
    {
        const auto m =
            readEquationModel("model m\n  parameter Integer k = 2;\n  Real x;\n  Integer n(start = 1);\n  Boolean b;\n"
                              "equation\n  der(x) = if n == k then 1 elseif noEvent(x == 0) then 2 else 3;\n"
                              "  b = n <> 3;\n  when x > 1 then n = pre(n) + 1; end when;\nend m;\n",
                              "m.mo");
        QVERIFY2(m.ok(), m.ok() ? "" : m.error().text().c_str());
    }

    /// What the message about floor() says is read, and the bound of an Integer.
    void whatIsToldToTryIsRead_andWholeNumbersHaveABound()
    {
        const auto text = [](const std::string& start) {
            return "model m\n  Real x(start = 0, fixed = true);\n  Integer n(start = " + start
                   + ");\nequation\n  der(x) = 1;\n  when x >= pre(n) + 1 then n = pre(n) + 1; elsewhen x < pre(n) then"
                     " n = pre(n) - 1; end when;\nend m;\n";
        };
        for (const char* start : {"0", "9007199254740991", "-9007199254740991"})
            QVERIFY2(readEquationModel(text(start), "m.mo").ok(), start);
        for (const char* start : {"9007199254740992", "-1e300"}) {
            const auto m = readEquationModel(text(start), "m.mo");
            QVERIFY2(!m && m.error().what == "'start' of 'n' is beyond 2^53" && m.error().position.line == 3, start);
        }
    }

    void aStrangersTextIsBounded()
    {
        std::string text = "model m\n  Real x, y;\nequation\n  der(x) = 1;\n  y = 0";
        for (std::size_t k = 0; k <= budget::kHeldVariables; ++k)
            text += " + (if x > " + std::to_string(k) + " then 1 else 0)";
        const auto many = readEquationModel(text + ";\nend m;\n", "m.mo");
        QVERIFY(!many);
        QVERIFY2(many.error().what.find(std::to_string(budget::kHeldVariables)) != std::string::npos,
                 many.error().text().c_str());
        std::string deep = "model m\n  Real x;\nequation\n";
        for (int k = 0; k < budget::kIfDepth + 1; ++k)
            deep += "  if x > 0 then\n";
        const auto nested = readEquationModel(deep + "end m;\n", "m.mo");
        QVERIFY(!nested);
        QVERIFY2(nested.error().what.find("deep") != std::string::npos, nested.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(TestEventText)
#include "test_event_text.moc"
