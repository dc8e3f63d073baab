// Repeated tables and the numbers of [structure]: what they stand for, what is refused, and how another number is put in place.
#include <QtTest>

#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"

using namespace driftless;
using namespace driftless::model;

namespace {

const std::string kChain = "format = 1\n"
                           "name = \"chain\"\n"
                           "[structure]\n"
                           "N = { value = 3, min = 1, max = 50, description = \"links\" }\n"
                           "[parameters]\n"
                           "L = { value = 2.0, unit = \"m\", positive = true }\n"
                           "[[body]]\n"
                           "count = \"N\"\n"
                           "name = \"bob[i]\"\n"
                           "kind = \"point\"\n"
                           "mass = \"1 + (i - 1)/N\"\n"
                           "x = { start = \"i*L\", velocity = 0 }\n"
                           "y = { start = 0, velocity = 0 }\n"
                           "last = { mass = 7 }\n"
                           "[[joint]]\n"
                           "count = \"N\"\n"
                           "name = \"rod[i]\"\n"
                           "kind = \"rod\"\n"
                           "from = \"bob[i-1]\"\n"
                           "to = \"bob[i]\"\n"
                           "length = \"L\"\n"
                           "first = { from = \"ground\" }\n"
                           "[[force]]\n"
                           "name = \"push\"\n"
                           "kind = \"force\"\n"
                           "body = \"bob[N]\"\n"
                           "x = \"bob[N].x' * 0\"\n"
                           "y = \"N\"\n";

std::shared_ptr<const Model> read(const std::string& text)
{
    auto model = readModel(text, "chain.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    return *model;
}

std::string with(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    if (at == std::string::npos)
        qFatal("the text has no %s", from.c_str());
    return text.replace(at, from.size(), to);
}

std::string inFull(int n)
{
    std::string out = "format = 1\nname = \"chain\"\n[parameters]\nL = { value = 2.0, unit = \"m\", positive = true }\n";
    for (int i = 1; i <= n; ++i) {
        const std::string k = std::to_string(i);
        out += "[[body]]\nname = \"bob" + k
               + "\"\nkind = \"point\"\nmass = " + (i == n ? "7" : "\"1 + (" + k + " - 1)/" + std::to_string(n) + "\"")
               + "\nx = { start = \"" + k + "*L\", velocity = 0 }\ny = { start = 0, velocity = 0 }\n";
    }
    for (int i = 1; i <= n; ++i)
        out += "[[joint]]\nname = \"rod" + std::to_string(i) + "\"\nkind = \"rod\"\nfrom = \""
               + (i == 1 ? "ground" : "bob" + std::to_string(i - 1)) + "\"\nto = \"bob" + std::to_string(i)
               + "\"\nlength = \"L\"\n";
    return out + "[[force]]\nname = \"push\"\nkind = \"force\"\nbody = \"bob" + std::to_string(n) + "\"\nx = \"0\"\ny = \""
           + std::to_string(n) + "\"\n";
}

void sameEquations(const Model& a, const Model& b)
{
    QCOMPARE(a.system.n(), b.system.n());
    QCOMPARE(a.system.m(), b.system.m());
    for (std::size_t i = 0; i < a.system.coordinates.size(); ++i) {
        QCOMPARE(a.system.coordinates[i].name, b.system.coordinates[i].name);
        QVERIFY(a.system.coordinates[i].positionStart.sameAs(b.system.coordinates[i].positionStart));
        QVERIFY(a.system.mass[i].value.sameAs(b.system.mass[i].value));
        QVERIFY(a.system.force[i].sameAs(b.system.force[i]));
    }
    for (std::size_t i = 0; i < a.system.constraints.size(); ++i) {
        QCOMPARE(a.system.constraints[i].name, b.system.constraints[i].name);
        QVERIFY(a.system.constraints[i].g.sameAs(b.system.constraints[i].g));
    }
}

} // namespace

class TestRepeat : public QObject {
    Q_OBJECT
private slots:
    void repeatedTablesStandForTheirCopies();
    void aFileWithoutRepetitionIsReadAsBefore();
    void anotherNumberIsPutIntoTheText_data();
    void anotherNumberIsPutIntoTheText();
    void numbersOutsideTheirRangeAreRefused();
    void mistakesAreNamedWithTheirLine_data();
    void mistakesAreNamedWithTheirLine();
    void hostileCountsAreRefusedBeforeTheyCost();
};

void TestRepeat::repeatedTablesStandForTheirCopies()
{
    const auto chain = read(kChain);
    QCOMPARE(chain->structure.size(), std::size_t{1});
    QCOMPARE(chain->structure[0].name, std::string("N"));
    QCOMPARE(chain->structure[0].value, 3);
    QCOMPARE(chain->structure[0].maximum, 50);
    sameEquations(*chain, *read(inFull(3)));
    // With one copy both first and last apply to it.
    sameEquations(*read(with(kChain, "value = 3", "value = 1")), *read(inFull(1)));
}

void TestRepeat::aFileWithoutRepetitionIsReadAsBefore()
{
    // i is an ordinary name where nothing is repeated.
    const auto model = read("format = 1\n[parameters]\ni = 2\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = \"i\"\n");
    QVERIFY(model->structure.empty());
    QCOMPARE(model->system.parameters.at(0).quantity.name, std::string("i"));
}

void TestRepeat::anotherNumberIsPutIntoTheText_data()
{
    QTest::addColumn<int>("n");
    QTest::newRow("the same") << 3;
    QTest::newRow("fewer") << 1;
    QTest::newRow("more digits") << 40;
}

void TestRepeat::anotherNumberIsPutIntoTheText()
{
    QFETCH(int, n);
    const auto changed = withStructure(read(kChain), {{"N", n}});
    QVERIFY(changed.ok());
    sameEquations(**changed, *read(inFull(n)));
    // The text says so, and nothing else of it has changed.
    QCOMPARE((*changed)->text, with(kChain, "value = 3", "value = " + std::to_string(n)));
    const auto back = withStructure(*changed, {{"N", 3}});
    QVERIFY(back.ok());
    QCOMPARE((*back)->text, kChain);
}

void TestRepeat::numbersOutsideTheirRangeAreRefused()
{
    const auto chain = read(kChain);
    for (const double value : {0.0, 51.0, 2.5, -1.0, std::nan("")}) {
        const auto changed = withStructure(chain, {{"N", value}});
        QVERIFY(!changed.ok());
        QVERIFY(changed.error().text().find("between 1 and 50") != std::string::npos);
    }
    QVERIFY(!withStructure(chain, {{"M", 2}}).ok());
}

void TestRepeat::mistakesAreNamedWithTheirLine_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("line");
    QTest::newRow("unknown count") << "count = \"N\"\nname = \"bob"
                                   << "count = \"K\"\nname = \"bob"
                                   << "\"count\" must be a whole number" << 8;
    QTest::newRow("negative count") << "count = \"N\"\nname = \"bob"
                                    << "count = \"1-N\"\nname = \"bob"
                                    << "\"count\" must be a whole number" << 8;
    QTest::newRow("fraction") << "count = \"N\"\nname = \"bob"
                              << "count = 2.5\nname = \"bob"
                              << "\"count\" must be a whole number" << 8;
    QTest::newRow("unknown index") << "from = \"bob[i-1]\""
                                   << "from = \"bob[j-1]\""
                                   << "The index [j-1]" << 19;
    QTest::newRow("open bracket") << "from = \"bob[i-1]\""
                                  << "from = \"bob[i-1\""
                                  << "cannot be used" << 19;
    QTest::newRow("negative index") << "from = \"bob[i-1]\""
                                    << "from = \"bob[i-3]\""
                                    << "it is -1 here" << 19;
    QTest::newRow("a name without its index") << "name = \"bob[i]\""
                                              << "name = \"bob\""
                                              << "used twice" << 9;
    QTest::newRow("no first") << "first = { from = \"ground\" }"
                              << ""
                              << "There is no body \"bob0\"" << 19;
    QTest::newRow("last without a count") << "y = \"N\""
                                          << "y = \"N\"\nlast = { y = 1 }"
                                          << "needs a count" << 29;
    QTest::newRow("a parameter's name") << "N = { value = 3"
                                        << "L = { value = 3"
                                        << "used twice" << 4;
    QTest::newRow("i as a number") << "N = { value = 3"
                                   << "i = { value = 3"
                                   << "cannot name a number" << 4;
    QTest::newRow("out of range") << "value = 3"
                                  << "value = 77"
                                  << "out of its range" << 4;
    QTest::newRow("text") << "value = 3"
                          << "value = \"3\""
                          << "must be a whole number" << 4;
}

void TestRepeat::mistakesAreNamedWithTheirLine()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    QFETCH(int, line);
    const auto model = readModel(with(kChain, from.toStdString(), to.toStdString()), "chain.toml");
    QVERIFY(!model.ok());
    QVERIFY2(model.error().text().find(says.toStdString()) != std::string::npos, model.error().text().c_str());
    QCOMPARE(model.error().position.line, line);
}

void TestRepeat::hostileCountsAreRefusedBeforeTheyCost()
{
    QElapsedTimer timer;
    timer.start();
    for (const std::string count : {"count = 2000000000", "count = 99999999999999999999999",
                                    "count = \"999999*999999*999999*999999\"", "count = 20001", "count = \"N*N*N*N*N\""}) {
        const auto model =
            readModel(with(with(kChain, "count = \"N\"\nname = \"bob", count + "\nname = \"bob"), "value = 3", "value = 50"),
                      "chain.toml");
        QVERIFY2(!model.ok(), count.c_str());
    }
    // Many tables that are large together.
    std::string many = "format = 1\n";
    for (int k = 0; k < 100; ++k)
        many += "[[body]]\ncount = 20000\nname = \"b" + std::to_string(k) + "x[i]\"\nkind = \"point\"\nmass = 1\n";
    QVERIFY(!readModel(many, "many.toml").ok());
    // A file of a few lines must not take the time of a large model: ten seconds are a hundred times what this needs.
    QVERIFY(timer.elapsed() < 10'000);
}

QTEST_APPLESS_MAIN(TestRepeat)
#include "test_repeat.moc"
