// Tables of inputs: what is read and what is refused with its place, and the functions between the rows.
#include <QtTest>

#include <cmath>

#include "core/system/InputTable.h"
#include "core/text/Budget.h"

using namespace driftless;
using namespace driftless::model;

namespace {

double valueAt(const expr::Expr& e, double t)
{
    return expr::evaluate(e, [t](const expr::Symbol&) { return std::optional<double>(t); }).value();
}

constexpr double kRoundoff = 1e-14; // a cubic of size 1

} // namespace

class TestInputTable : public QObject {
    Q_OBJECT
private slots:
    void readsTheColumnThatIsNamed()
    {
        const auto table =
            readInputCsv("\xEF\xBB\xBF# measured\r\nt [s], \"force [N]\" ,  level [m]\r\n0, 1, 5\r\n\r\n 0.5 ,2e0,6\r\n",
                         "drive.csv", "level");
        QVERIFY2(table, table ? "" : table.error().text().c_str());
        QCOMPARE(table->t, (std::vector<double>{0, 0.5}));
        QCOMPARE(table->u, (std::vector<double>{5, 6}));
        QCOMPARE(table->unit, std::string("m"));
        QCOMPARE(readInputCsv("t,force [N]\n0,1\n1,2", "drive.csv", "force")->unit, std::string("N"));
    }

    void linesEndAsOnAnySystem_andAPlusIsNoFault()
    {
        for (const char* end : {"\n", "\r\n", "\r"}) {
            const std::string e = end;
            const auto table = readInputCsv("t,u" + e + e + "0,+1.5" + e + "+1e0,-2" + e, "drive.csv", "u");
            QVERIFY2(table, table ? "" : table.error().text().c_str());
            QCOMPARE(table->t, (std::vector<double>{0, 1}));
            QCOMPARE(table->u, (std::vector<double>{1.5, -2}));
            QCOMPARE(readInputCsv("t,u" + e + "0,1" + e + "1,x" + e, "drive.csv", "u").error().position.line, 3);
        }
    }

    void badFilesAreRefusedWithTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::newRow("empty") << QByteArray("") << "no header" << 1 << 1;
        QTest::newRow("no header") << QByteArray("0,1\n1,2\n") << "no header" << 1 << 1;
        QTest::newRow("one column") << QByteArray("t\n0\n") << "one column" << 1 << 1;
        QTest::newRow("another column") << QByteArray("t,fo\n0,1\n1,2\n") << "no column \"u\"" << 1 << 1;
        QTest::newRow("twice") << QByteArray("t,u,u\n0,1,1\n") << "Two columns" << 1 << 5;
        QTest::newRow("minutes") << QByteArray("t [min],u\n0,1\n") << "unit of the time" << 1 << 1;
        QTest::newRow("no rows") << QByteArray("t,u\n") << "no rows" << 1 << 1;
        QTest::newRow("one row") << QByteArray("t,u\n0,1\n") << "one row" << 2 << 1;
        QTest::newRow("a word") << QByteArray("t,u\n0,1\n1, two\n") << "not a number" << 3 << 4;
        QTest::newRow("a comma in a number") << QByteArray("t,u\n0,1\n1,2,5\n") << "3 cells" << 3 << 1;
        QTest::newRow("semicolons") << QByteArray("t [s];u\n0;1\n") << "by semicolons" << 1 << 1;
        QTest::newRow("commas in numbers between semicolons") << QByteArray("t,u\n0,5;1,2\n") << "by semicolons" << 2 << 1;
        QTest::newRow("two signs") << QByteArray("t,u\n0,+-1\n") << "not a number" << 2 << 3;
        QTest::newRow("an empty cell") << QByteArray("t,u\n0,\n") << "not a number" << 2 << 3;
        QTest::newRow("not finite") << QByteArray("t,u\n0,nan\n") << "not a number" << 2 << 3;
        QTest::newRow("backwards") << QByteArray("t,u\n0,1\n2,1\n1,1\n") << "do not increase" << 4 << 1;
        QTest::newRow("at one time") << QByteArray("t,u\n0,1\n0,2\n") << "do not increase" << 3 << 1;
        QTest::newRow("zero byte") << QByteArray("t,u\n0,1\0", 9) << "not text" << 1 << 1;
        QByteArray longTable("t,u\n");
        for (std::size_t k = 0; k <= budget::kInputRows; ++k)
            longTable += QByteArray::number(static_cast<int>(k)) + ",0\n";
        QTest::newRow("too long") << longTable << "too long" << static_cast<int>(budget::kInputRows) + 2 << 1;
    }

    void badFilesAreRefusedWithTheirPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        QFETCH(int, line);
        QFETCH(int, column);
        const auto table = readInputCsv(text.toStdString(), "drive.csv", "u");
        QVERIFY(!table);
        QVERIFY2(QString::fromStdString(table.error().text()).contains(said), table.error().text().c_str());
        QCOMPARE(table.error().position.file, std::string("drive.csv"));
        QCOMPARE(table.error().position.line, line);
        QCOMPARE(table.error().position.column, column);
    }

    void onlyFilesBesideTheModelAreOpened_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"", ".", "..", "../drive.csv", "/etc/passwd", "a/b.csv", "a\\b.csv"})
            QTest::newRow(name) << name;
    }

    void onlyFilesBesideTheModelAreOpened()
    {
        QFETCH(QString, name);
        const auto table = openInputCsv(name.toStdString(), "/tmp/mine.toml", "u", {"mine.toml", 3, 8});
        QVERIFY(!table);
        QVERIFY(table.error().text().find("is not the name of a file beside the model") != std::string::npos);
        QCOMPARE(table.error().position.line, 3);
    }

    void betweenTheRows()
    {
        const InputTable table{{1, 2, 4}, {3, 5, -1}, ""};
        const expr::Expr held = inputExpression(table, Between::Held), linear = inputExpression(table, Between::Linear);
        for (const auto& [t, h, l] : {std::array{0.0, 3.0, 3.0},
                                      {1.0, 3.0, 3.0},
                                      {1.5, 3.0, 4.0},
                                      {2.0, 3.0, 5.0},
                                      {std::nextafter(2.0, 3.0), 5.0, 5.0},
                                      {3.0, 5.0, 2.0},
                                      {4.0, 5.0, -1.0},
                                      {9.0, -1.0, -1.0}}) {
            QCOMPARE(valueAt(held, t), h);
            QVERIFY(std::abs(valueAt(linear, t) - l) < kRoundoff);
        }
        QCOMPARE(cornersOf(table, Between::Held), (std::vector<double>{2, 4}));
        QCOMPARE(cornersOf(table, Between::Linear), (std::vector<double>{1, 2, 4}));
        QCOMPARE(cornersOf(table, Between::Spline), (std::vector<double>{1, 4}));
        const InputTable straight{{0, 1, 2}, {0, 1, 2}, ""};
        QCOMPARE(cornersOf(straight, Between::Linear), (std::vector<double>{2})); // no kink at 1, none that a run meets at 0
    }

    /// Values at the rows, u, u', u'' continuous, u'' zero at the ends: that is the natural spline, and there is only one.
    void theSplineIsTheNaturalOne()
    {
        const InputTable table{{0.5, 1.1, 1.4, 2.5, 3.0}, {0.3, -0.7, 0.2, 1.0, 0.9}, ""};
        const expr::Expr u = inputExpression(table, Between::Spline);
        const expr::Expr d = expr::timeDerivative(u), dd = expr::timeDerivative(d);
        constexpr double kNear = 1e-9, kSlope = 1e-7; // a jump of u'' by 1e-7 would need one of u''' by 100
        for (std::size_t k = 0; k < table.t.size(); ++k) {
            const double t = table.t[k];
            QVERIFY(std::abs(valueAt(u, t) - table.u[k]) < kRoundoff);
            if (k == 0 || k + 1 == table.t.size()) {
                QVERIFY(std::abs(valueAt(dd, k == 0 ? t + kNear : t)) < kSlope);
                continue;
            }
            QVERIFY(std::abs(valueAt(d, t) - valueAt(d, t + kNear)) < kSlope);
            QVERIFY(std::abs(valueAt(dd, t) - valueAt(dd, t + kNear)) < kSlope);
        }
    }

    /// Two thousand rows are a tree of eleven decisions, and no stack overflows.
    void longTablesAreTrees()
    {
        InputTable table;
        for (std::size_t k = 0; k < budget::kInputRows; ++k) {
            table.t.push_back(static_cast<double>(k));
            table.u.push_back(std::sin(static_cast<double>(k)));
        }
        const expr::Expr u = inputExpression(table, Between::Spline);
        QVERIFY(std::abs(valueAt(u, 777) - std::sin(777.0)) < kRoundoff);
    }
};

QTEST_APPLESS_MAIN(TestInputTable)
#include "test_input_table.moc"
