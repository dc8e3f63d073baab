// The schema of the documentation against the reader: what ships is valid by both, and a slip that one refuses the other
// refuses.
#include <QtTest>

#include <filesystem>

#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"
#include "tests/mechanism/Schema.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;
namespace fs = std::filesystem;

class TestSchema : public QObject {
    Q_OBJECT
private slots:
    void shippedModelsAreValid();
    void slipsAreRefusedByBoth_data();
    void slipsAreRefusedByBoth();
    void formatOneStillOpens();
};

void TestSchema::shippedModelsAreValid()
{
    int count = 0;
    for (const ShippedModel& shipped : shippedModels()) {
        if (!shipped.path.ends_with(".toml"))
            continue;
        const auto root = parseToml(textOf(shipped.path), shipped.path);
        QVERIFY2(root, shipped.path.c_str());
        QVERIFY2(schema().accepts(*root), shipped.path.c_str());
        ++count;
    }
    QVERIFY(count >= 20);
}

void TestSchema::slipsAreRefusedByBoth_data()
{
    QTest::addColumn<QString>("text");
    const QString body = "[[body]]\nname = \"a\"\nkind = \"rigid\"\nmass = 1\ninertia = 1\n";
    QTest::newRow("no format") << body;
    QTest::newRow("format 2") << "format = 2\n" + body;
    QTest::newRow("unknown key") << "format = 1\ncolour = 3\n" + body;
    QTest::newRow("four dimensions") << "format = 1\ndimensions = 4\n" + body;
    QTest::newRow("kind of body") << "format = 1\n[[body]]\nname = \"a\"\nkind = \"cloud\"\nmass = 1\n";
    QTest::newRow("body without mass") << "format = 1\n[[body]]\nname = \"a\"\nkind = \"point\"\n";
    QTest::newRow("key of another kind") << "format = 1\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\ninertia = 2\n";
    QTest::newRow("rod without length") << "format = 1\n" + body
                                               + "[[joint]]\nname = \"r\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"a\"\n";
    QTest::newRow("gear without ratio") << "format = 1\n" + body
                                               + "[[joint]]\nname = \"r\"\nkind = \"gear\"\nfrom = \"ground\"\nto = \"a\"\n";
    QTest::newRow("point of four numbers")
        << "format = 1\n" + body
               + "[[joint]]\nname = \"r\"\nkind = \"pin\"\nfrom = \"ground\"\nto = { body = \"a\", at = [1, 2, 3, 4] }\n";
    QTest::newRow("curve without expression")
        << "format = 1\n" + body + "[[joint]]\nname = \"r\"\nkind = \"curve\"\nfrom = \"ground\"\nto = \"a\"\n";
    QTest::newRow("motion with ends")
        << "format = 1\n" + body
               + "[[joint]]\nname = \"r\"\nkind = \"motion\"\nfrom = \"ground\"\nto = \"a\"\njoint = \"p\"\nvalue = 1\n";
    QTest::newRow("unknown force") << "format = 1\n" + body + "[[force]]\nkind = \"wind\"\n";
    QTest::newRow("frame") << "format = 1\n" + body + "[[force]]\nkind = \"force\"\nbody = \"a\"\nx = 1\nframe = \"wind\"\n";
    QTest::newRow("spring to nowhere") << "format = 1\n" + body + "[[force]]\nkind = \"spring-damper\"\nfrom = \"ground\"\n";
    QTest::newRow("drawn of one number")
        << "format = 1\n" + body + "[[joint]]\nname = \"r\"\nkind = \"slider\"\nfrom = \"ground\"\nto = \"a\"\ndrawn = [1]\n";
}

void TestSchema::slipsAreRefusedByBoth()
{
    QFETCH(QString, text);
    const auto root = parseToml(text.toStdString(), "slip.toml");
    QVERIFY(root);
    QVERIFY(!schema().accepts(*root));
    const auto model = readModel(text.toStdString(), "slip.toml");
    QVERIFY(!model);
    QVERIFY(!model.error().what.empty());
}

/// Files as version 1 of the format was first written; they are never changed.
void TestSchema::formatOneStillOpens()
{
    int count = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(DRIFTLESS_SOURCE_DIR) / "tests/mechanism/format-1")) {
        const auto model = readModel(textOf(entry.path()), entry.path().string());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE((*model)->format, 1);
        ++count;
    }
    QVERIFY(count >= 5);
}

QTEST_GUILESS_MAIN(TestSchema)
#include "test_schema.moc"
