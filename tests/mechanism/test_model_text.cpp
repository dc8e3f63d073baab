// The text of a mechanism changed in place: comments and layout stay, references follow, what cannot be changed is left alone.
#include <QtTest>

#include <filesystem>

#include "core/mechanism/ModelText.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

using namespace driftless;
using namespace driftless::model;

namespace {

const char* const kText = "# a crank on a pivot\n"
                          "format = 1\n"
                          "title = \"Crank\" # for people\n"
                          "\n"
                          "[parameters]\n"
                          "L = { value = 1.0, unit = \"m\" }  # length\n"
                          "\n"
                          "# the crank\n"
                          "[[body]]\n"
                          "name = \"crank\"\n"
                          "kind = \"rigid\"\n"
                          "mass = 2.0   # steel\n"
                          "inertia = \"2*L^2/12\"\n"
                          "x = { start = 0.5, velocity = 0 }\n"
                          "angle = 0.25\n"
                          "\n"
                          "[[body]]\n"
                          "name = \"bob\"\n"
                          "kind = \"point\"\n"
                          "mass = 1\n"
                          "[body.x]\n"
                          "start = \"L\"\n"
                          "fixed = true\n"
                          "\n"
                          "# the pivot\n"
                          "[[joint]]\n"
                          "name = \"pivot\"\n"
                          "kind = \"pin\"\n"
                          "from = \"ground\"\n"
                          "to = { body = \"crank\", at = [\"-L/2\", 0] }\n"
                          "\n"
                          "[[joint]]\n"
                          "name = \"string\"\n"
                          "kind = \"rod\"\n"
                          "from = { body = \"crank\", at = [\"L/2\", 0] }\n"
                          "to = \"bob\"\n"
                          "length = 0.5\n"
                          "\n"
                          "[[force]]\n"
                          "kind = \"gravity\"\n"
                          "acceleration = 9.81\n"
                          "bodies = [\"crank\", \"bob\"]\n"
                          "\n"
                          "[[force]]\n"
                          "name = \"friction\"\n"
                          "kind = \"joint-friction\"\n"
                          "joint = \"pivot\"\n"
                          "coefficient = 0.1\n"
                          "\n"
                          "[[force]]\n"
                          "name = \"push\"\n"
                          "kind = \"force\"\n"
                          "body = \"crank\"\n"
                          "x = \"-3*bob.x' + crank.x\" # bob.x' stays in this comment\n"
                          "\n"
                          "[view]\n"
                          "extent = 2\n";

ModelText read(const std::string& text = kText)
{
    auto out = ModelText::read(text, "crank.toml");
    if (!out)
        qFatal("%s", out.error().text().c_str());
    return std::move(out).value();
}

bool isModel(const ModelText& text)
{
    const auto model = readModel(text.text(), "crank.toml");
    if (!model)
        qWarning("%s\n%s", model.error().text().c_str(), text.text().c_str());
    return model.ok();
}

/// Lines of a that b lacks.
QStringList lost(const std::string& a, const std::string& b)
{
    QStringList out;
    const QStringList there = QString::fromStdString(b).split('\n');
    for (const QString& line : QString::fromStdString(a).split('\n'))
        if (!there.contains(line))
            out << line;
    return out;
}

} // namespace

class TestModelText : public QObject {
    Q_OBJECT

private slots:
    void reading_knowsPlacesFieldsAndSpans()
    {
        const ModelText text = read();
        QVERIFY(isModel(text));
        QCOMPARE(text.count("body"), 2);
        QCOMPARE(text.count("force"), 3);
        QCOMPARE(text.fieldText("body", 0, "mass"), std::string("2.0"));
        QCOMPARE(text.fieldText("body", 0, "x.start"), std::string("0.5"));
        QCOMPARE(text.fieldText("body", 0, "angle.start"), std::string("0.25"));
        QCOMPARE(text.fieldText("body", 1, "x.start"), std::string("\"L\""));
        QCOMPARE(text.fieldText("joint", 0, "from.body"), std::string("\"ground\""));
        QCOMPARE(text.fieldText("joint", 0, "to.at"), std::string("[\"-L/2\", 0]"));
        QVERIFY(text.field("joint", 0, "length").empty());
        QCOMPARE(text.placeAt(text.text().find("coefficient"))->name, std::string("friction"));
        QCOMPARE(text.placeAt(text.text().find("fixed = true"))->name, std::string("bob"));
        QVERIFY(!text.placeAt(3));
        QVERIFY(text.taken("L") && text.taken("ground") && text.taken("pivot") && !text.taken("bar1"));
        QCOMPARE(text.freshName("bar"), std::string("bar1"));
    }

    void settingAField_changesItsBytesAlone()
    {
        ModelText text = read();
        QVERIFY(text.setField("body", 0, "mass", "3.5").ok());
        QCOMPARE(lost(kText, text.text()), QStringList{"mass = 2.0   # steel"});
        QVERIFY(text.text().find("mass = 3.5   # steel") != std::string::npos);
        QVERIFY(text.setField("body", 0, "x.start", "0.75").ok());
        QVERIFY(text.text().find("x = { start = 0.75, velocity = 0 }") != std::string::npos);
        QVERIFY(text.setField("body", 0, "angle.velocity", "2").ok());
        QVERIFY(text.text().find("angle = { start = 0.25, velocity = 2 }") != std::string::npos);
        QVERIFY(text.setField("body", 0, "y.start", "1").ok()); // was not there
        QVERIFY(text.setField("body", 1, "x.start", "2").ok()); // in a table of its own
        QVERIFY(text.text().find("start = 2\nfixed = true") != std::string::npos);
        QVERIFY(text.setField("joint", 0, "from.at", "[0, 1]").ok());
        QVERIFY(text.text().find("from = { body = \"ground\", at = [0, 1] }") != std::string::npos);
        QVERIFY(text.setField("joint", 1, "to.body", "\"crank\"").ok());
        QVERIFY(text.setField("joint", 1, "to.body", "\"bob\"").ok());
        QVERIFY(isModel(text));
    }

    void settingAField_goesWhereItsTableIsStated()
    {
        ModelText text = read();
        QVERIFY(text.setField("body", 1, "x.velocity", "2").ok());
        QVERIFY(text.text().find("[body.x]\nstart = \"L\"\nfixed = true\nvelocity = 2\n") != std::string::npos);
        QCOMPARE(text.fieldText("body", 1, "x.velocity"), std::string("2"));
        ModelText dotted = read("format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx.start = 1\n");
        QVERIFY(dotted.setField("body", 0, "x.velocity", "3").ok());
        QCOMPARE(dotted.text(),
                 std::string("format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx.start = 1\nx.velocity = 3\n"));
        QVERIFY(isModel(text) && isModel(dotted));
    }

    void settingNonsense_changesNothing()
    {
        ModelText text = read();
        const auto done = text.setField("body", 0, "mass", "[1,");
        QVERIFY(!done.ok());
        QCOMPARE(text.text(), std::string(kText));
        QVERIFY(!text.setField("body", 7, "mass", "1").ok());
        for (const char* noName : {"x.#start", "two words", "", "x = 1\nmass"}) {
            QVERIFY2(!text.setField("body", 0, noName, "1").ok(), noName);
            QVERIFY2(!text.setFields({{"body", 0, "mass", "2"}, {"body", 0, noName, "1"}}).ok(), noName);
            QCOMPARE(text.text(), std::string(kText));
        }
        QCOMPARE(text.text(), std::string(kText));
    }

    void removingAField_takesItsLineOrItsPart()
    {
        ModelText text = read();
        QVERIFY(text.removeField("body", 0, "x.velocity").ok());
        QVERIFY(text.text().find("x = { start = 0.5 }") != std::string::npos);
        QVERIFY(text.removeField("body", 0, "angle").ok());
        QVERIFY(text.text().find("angle") == std::string::npos);
        QVERIFY(text.removeField("joint", 0, "to.body").ok());
        QVERIFY(text.text().find("to = { at = [\"-L/2\", 0] }") != std::string::npos);
    }

    void adding_putsTablesWhereTheyBelong()
    {
        ModelText text = read();
        QVERIFY(text.addTable("body", {{"name", "\"bar1\""}, {"kind", "\"point\""}, {"mass", "1"}}).ok());
        QVERIFY(isModel(text));
        QCOMPARE(lost(kText, text.text()), QStringList());
        QVERIFY(text.text().find("fixed = true\n\n[[body]]\nname = \"bar1\"\nkind = \"point\"\nmass = 1\n\n# the pivot")
                != std::string::npos);
        ModelText empty = read("format = 1\n");
        QVERIFY(empty.addTable("force", {{"kind", "\"gravity\""}, {"acceleration", "9.81"}}).ok());
        QVERIFY(empty.addTable("body", {{"name", "\"a\""}, {"kind", "\"point\""}, {"mass", "1"}}).ok());
        QCOMPARE(empty.text(), std::string("format = 1\n\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = "
                                           "1\n\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"));
        QVERIFY(!read("format = 1\nbody = [{ name = \"a\", kind = \"point\", mass = 1 }]\n")
                     .addTable("body", {{"name", "\"b\""}})
                     .ok());
    }

    void removing_takesWhatRefersToIt_andSaysSo()
    {
        ModelText text = read();
        const auto gone = text.remove("bob");
        QVERIFY(gone.ok());
        QStringList words;
        for (const auto& place : *gone)
            words << QString::fromStdString(place.words());
        QCOMPARE(words, (QStringList{"body bob", "joint string", "force push"}));
        QVERIFY(isModel(text));
        QVERIFY(text.text().find("bodies = [\"crank\"]") != std::string::npos);
        QVERIFY(text.text().find("bob") == std::string::npos);
        QVERIFY(text.text().find("# the pivot\n[[joint]]") != std::string::npos);
        QVERIFY(text.remove("pivot").ok()); // and its friction
        QVERIFY(text.text().find("friction") == std::string::npos && text.text().find("# the pivot") == std::string::npos);
        QVERIFY(isModel(text));
        QVERIFY(!text.remove("pivot").ok());
    }

    void renaming_followsEveryReference()
    {
        ModelText text = read();
        QVERIFY(text.rename("bob", "weight").ok());
        QVERIFY(text.rename("crank", "arm").ok());
        QVERIFY(text.rename("pivot", "hinge").ok());
        QVERIFY(isModel(text));
        QVERIFY(text.text().find("x = \"-3*weight.x' + arm.x\" # bob.x' stays in this comment") != std::string::npos);
        QVERIFY(text.text().find("joint = \"hinge\"") != std::string::npos);
        QVERIFY(text.text().find("bodies = [\"arm\", \"weight\"]") != std::string::npos);
        QVERIFY(!text.rename("arm", "L").ok());
        QVERIFY(!text.rename("arm", "ground").ok());
        QVERIFY(!text.rename("arm", "2nd").ok());
        QVERIFY(!text.rename("arm", "a b").ok());
        QVERIFY(text.find("arm"));
    }

    void renamingATableThatStandsForMany_changesItsBase_withEveryIndex()
    {
        const std::string chain =
            "format = 1\n[structure]\nN = 3\n"
            "[[body]]\nname = \"bob0\"\nkind = \"point\"\nmass = 1\n"
            "[[body]]\ncount = \"N\"\nname = \"bob[i]\"\nkind = \"point\"\nmass = 1\nx = { start = \"i\" }\n"
            "[[body]]\nname = \"bobbin\"\nkind = \"point\"\nmass = 1\n"
            "[[joint]]\ncount = \"N\"\nname = \"rod[i]\"\nkind = \"rod\"\nfrom = \"bob[i-1]\"\nto = { body = \"bob[i]\" "
            "}\nlength = 1\n"
            "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\nbodies = [\"bob[1]\", \"bob2\", \"bobbin\"]\n"
            "[[force]]\nkind = \"force\"\nbody = \"bob[N]\"\nx = \"-bob3.x' - bob[N-1].x + bobbin.x\"\n";
        ModelText text = read(chain);
        QVERIFY(isModel(text));
        QVERIFY(text.rename("bob[i]", "weight").ok());
        QVERIFY(isModel(text));
        for (const char* part :
             {"name = \"weight0\"", "name = \"weight[i]\"", "from = \"weight[i-1]\"", "{ body = \"weight[i]\" }",
              "[\"weight[1]\", \"weight2\", \"bobbin\"]", "body = \"weight[N]\"", "\"-weight3.x' - weight[N-1].x + bobbin.x\""})
            QVERIFY2(text.text().find(part) != std::string::npos, (part + ("\n" + text.text())).c_str());
        QVERIFY(!text.rename("weight[i]", "bobbin").ok());
        QVERIFY(!text.rename("weight[i]", "rod").ok()); // another chain has the base
        QVERIFY(!text.rename("weight[i]", "bob[2*i]").ok());
        QVERIFY(!text.rename("weight[i]", "2nd[i]").ok());
        QVERIFY(text.rename("weight[i]", "bob[i]").ok());
        QCOMPARE(text.text(), chain);
        // What speaks of a copy goes with the chain; a table of its own stays.
        const auto gone = text.remove("bob[i]");
        QVERIFY(gone.ok());
        QVERIFY(text.find("bob0") && text.find("bobbin") && !text.find("rod[i]"));
        QVERIFY(text.text().find("bodies = [\"bobbin\"]") != std::string::npos);
        QCOMPARE(text.count("force"), 1);
    }

    void parameters_areFoundHoweverTheyAreStated()
    {
        const std::pair<const char*, const char*> stated[] = {
            {"[parameters]\nm = 2 # kg\n", "[parameters]\nm = 3 # kg\n"},
            {"[parameters]\nm = { unit = \"kg\", value = 2.0 }\n", "[parameters]\nm = { unit = \"kg\", value = 3 }\n"},
            {"[parameters.m]\nvalue = 2\n", "[parameters.m]\nvalue = 3\n"},
            {"[parameters]\nm.value = 2\n", "[parameters]\nm.value = 3\n"},
            {"parameters.m = 2\n", "parameters.m = 3\n"},
            {"parameters = { m = { value = 2 } }\n", "parameters = { m = { value = 3 } }\n"}};
        for (const auto& [before, after] : stated) {
            ModelText text = read(std::string("format = 1\n") + before);
            QVERIFY2(text.setParameter("m", "3").ok(), before);
            QCOMPARE(text.text(), std::string("format = 1\n") + after);
            QVERIFY(!text.setParameter("value", "3").ok());
        }
    }

    void shippedModels_everyBodyRenamedAndBack_isTheSameText()
    {
        int bodies = 0;
        for (const ShippedModel& shipped : shippedModels()) {
            const auto model = openModel(shipped.path);
            QVERIFY(model.ok());
            ModelText text = read((*model)->text);
            for (const auto& place : std::vector(text.places())) {
                if (place.name.empty() || (place.kind != "body" && place.kind != "joint"))
                    continue;
                const std::string before = text.text(),
                                  index = place.name.substr(std::min(place.name.find('['), place.name.size()));
                QVERIFY(text.rename(place.name, "q_renamed").ok());
                const auto renamed = readModel(text.text(), shipped.path);
                QVERIFY2(renamed.ok(),
                         qPrintable(QString::fromStdString(shipped.id + ": " + place.words() + "\n"
                                                           + (renamed ? std::string() : renamed.error().text()))));
                QVERIFY(text.rename("q_renamed" + index, place.name).ok());
                QCOMPARE(text.text(), before);
                ++bodies;
            }
        }
        QVERIFY(bodies >= 20);
    }

    void numbers_areWrittenShort_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("half") << 0.5 << "0.5";
        QTest::newRow("one") << 1.0 << "1";
        QTest::newRow("minus zero") << -0.0 << "0";
        QTest::newRow("noise") << 0.1 + 0.2 << "0.3";
        QTest::newRow("noise below zero") << -1e-17 << "-1e-17";
        QTest::newRow("large") << 2.1e11 << "2.1e+11";
        QTest::newRow("six decimals") << 1.1180339887 << "1.118034";
    }
    void numbers_areWrittenShort()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(tomlNumber(value)), text);
    }
};

QTEST_APPLESS_MAIN(TestModelText)
#include "test_model_text.moc"
