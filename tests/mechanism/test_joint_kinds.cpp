// The table of joint kinds against everything that follows from it: reader, assembly, editor, schema and documentation.
//
// DRIFTLESS_WRITE=1 writes the schema's part and the pages anew; of a build without joined tests.
#include <QtTest>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/expr/Print.h"
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointEntry.h"
#include "core/mechanism/MechanismReader.h"
#include "core/mechanism/ModelFields.h"
#include "core/mechanism/ModelText.h"
#include "core/mechanism/ReadModel.h"
#include "core/text/Escapes.h"
#include "core/text/TableReader.h"
#include "tests/mechanism/JointPages.h"
#include "tests/mechanism/Schema.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;
namespace fs = std::filesystem;

namespace {

const fs::path kDocs = fs::path(DRIFTLESS_SOURCE_DIR) / "docs";
constexpr const char* kPlaneMark =
    "<!-- the joints of the plane: DRIFTLESS_WRITE=1 mechanism_test_joint_kinds writes this table -->\n";
constexpr const char* kSpaceMark =
    "<!-- the joints of space: DRIFTLESS_WRITE=1 mechanism_test_joint_kinds writes this table -->\n";

/// The bodies of the examples.
std::string bodies(int dimensions)
{
    const bool space = dimensions == 3;
    std::string out = "format = 1\ndimensions = " + std::to_string(dimensions) + "\n\n";
    double x = 0;
    for (const char* name : {"crank", "arm", "wheel"})
        out += "[[body]]\nname = \"" + std::string(name) + "\"\nkind = \"rigid\"\nmass = 1\ninertia = "
               + (space ? "[1, 2, 2.5]" : "1") + "\nx = " + std::to_string(x += 1) + "\n\n";
    return out + "[[body]]\nname = \"bead\"\nkind = \"point\"\nmass = 1\n\n";
}

std::string textWith(const JointEntry& entry, const std::string& tables) { return bodies(entry.dimensions) + tables; }

/// Both rows of an entry's name: "plane pin".
QByteArray labelOf(const JointEntry& entry)
{
    return QByteArray(entry.dimensions == 2 ? "plane " : "space ") + QByteArray::fromStdString(entry.word);
}

const JointEntry& entryOf(const QString& word, int dimensions) { return *jointEntry(word.toStdString(), dimensions); }

void addEntries()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("dimensions");
    for (const int dimensions : {2, 3})
        for (const JointEntry& entry : jointEntries(dimensions))
            QTest::newRow(labelOf(entry)) << QString::fromStdString(entry.word) << dimensions;
}

/// Constraints and their multipliers as they are assembled, a line for each.
std::string equationsOf(const Model& model)
{
    std::string out;
    for (const Constraint& c : model.system.constraints)
        out += c.name + (c.holonomic ? ": " : " (velocities): ") + expr::print(c.g) + '\n';
    for (const OneSided& o : model.system.oneSided)
        out += o.row.name + " by the mode: " + expr::print(o.row.g) + ", " + expr::print(o.restitution) + ", "
               + expr::print(o.rest) + ", " + expr::print(o.limit) + ", " + expr::print(o.sliding) + '\n';
    for (const Visual& v : model.system.visuals)
        for (const VisualPoint& p : v.points)
            out += v.owner + " at " + expr::print(p.x) + ", " + expr::print(p.y) + ", " + expr::print(p.z) + '\n';
    for (const ForceArrow& a : model.system.arrows)
        out +=
            a.owner + " pulls " + expr::print(a.force.x) + ", " + expr::print(a.force.y) + ", " + expr::print(a.force.z) + '\n';
    return out;
}

/// The number of the example's own table: a motion comes behind the joint that it drives.
int ownTable(const ModelText& text) { return text.count("joint") - 1; }

std::string keyText(const ModelText& text, const JointKey& key)
{
    const TextSpan span = text.field("joint", ownTable(text), key.name);
    const TextSpan body = text.field("joint", ownTable(text), key.name + ".body");
    const TomlEntry* entry = text.table("joint", ownTable(text))->find(key.name);
    if (!entry)
        return {};
    if (key.type != JointKeyType::End || entry->value.kind == TomlKind::String) {
        const TextSpan at = span.empty() ? body : span;
        return text.text().substr(at.begin, at.end - at.begin);
    }
    return "{ body = " + text.fieldText("joint", ownTable(text), key.name + ".body")
           + ", at = " + text.fieldText("joint", ownTable(text), key.name + ".at") + " }";
}

/// A value that the key may have.
std::string sampleOf(const JointKey& key, int dimensions)
{
    switch (key.type) {
    case JointKeyType::Expression:
        return "0.3";
    case JointKeyType::Flag:
        return "true";
    case JointKeyType::Rail:
        return "[-1, 1]";
    case JointKeyType::Axis:
        return "[0, 1, 0]";
    case JointKeyType::Turns:
        return "[{ axis = [0, 0, 1], angle = 0.1 }]";
    case JointKeyType::Path:
        return dimensions == 2 ? "{ x = \"s\", y = 0, from = -1, to = 1 }" : "{ x = \"s\", y = 0, z = 0, from = -1, to = 1 }";
    case JointKeyType::Body:
        return "\"arm\"";
    case JointKeyType::Choice:
        return '"' + key.choices.front() + '"';
    default:
        return {}; // always required
    }
}

/// The example with this value of a key; empty: without the key.
std::string exampleWith(const JointEntry& entry, const JointKey& key, const std::string& value)
{
    const auto text = ModelText::read(textWith(entry, entry.example), "example.toml");
    std::string out = textWith(entry, "");
    const std::size_t own = entry.example.rfind("[[joint]]");
    out += entry.example.substr(0, own) + "[[joint]]\nname = \"own\"\nkind = \"" + entry.word + "\"\n";
    for (const JointKey& other : entry.keys) {
        const bool excluded =
            (key.name == "turn" && other.name == "axis_to") || (key.name == "axis_to" && other.name == "turn");
        if (excluded)
            continue;
        const std::string written = other.name == key.name ? value : keyText(*text, other);
        if (!written.empty())
            out += other.name + " = " + written + '\n';
    }
    return out;
}

bool schemaAccepts(const std::string& text)
{
    const auto root = parseToml(text, "example.toml");
    return root && schema().accepts(*root);
}

/// Compares a file with what it should be, or writes it.
void compareOrWrite(const fs::path& path, const std::string& wanted)
{
    if (std::getenv("DRIFTLESS_WRITE"))
        std::ofstream(path) << wanted;
    QVERIFY2(textOf(path) == wanted,
             (path.string() + " and the table of joint kinds differ: DRIFTLESS_WRITE=1 mechanism_test_joint_kinds writes it")
                 .c_str());
}

/// The text with the table behind the mark replaced.
std::string withTable(const std::string& text, const std::string& mark, const std::string& table)
{
    const std::size_t at = text.find(mark);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + mark.size(), end = text.find("\n\n", begin);
    return text.substr(0, begin) + table + text.substr(end + 1);
}

} // namespace

class TestJointKinds : public QObject {
    Q_OBJECT
private slots:
    void kindsAreKnownByTheirWords();
    void exampleReadsAndPrintsBack_data() { addEntries(); }
    void exampleReadsAndPrintsBack();
    void rowsAreAddedAsTheyAreCounted_data() { addEntries(); }
    void rowsAreAddedAsTheyAreCounted();
    void everyKeyIsKnownToReaderEditorAndSchema_data() { addEntries(); }
    void everyKeyIsKnownToReaderEditorAndSchema();
    void everyKeyIsRead_data() { addEntries(); }
    void everyKeyIsRead();
    void keysOfOtherKindsAreRefused_data() { addEntries(); }
    void keysOfOtherKindsAreRefused();
    void freedomsAreDriven_data() { addEntries(); }
    void freedomsAreDriven();
    void schemaFollowsTheTable();
    void pagesFollowTheTable();
};

void TestJointKinds::kindsAreKnownByTheirWords()
{
    QCOMPARE(jointEntries(2).size(), std::size_t{23});
    QCOMPARE(jointEntries(3).size(), std::size_t{19});
    for (const int dimensions : {2, 3})
        for (const JointEntry& entry : jointEntries(dimensions)) {
            QCOMPARE(entry.dimensions, dimensions);
            QCOMPARE(jointEntry(entry.word, dimensions), &entry); // no word twice
            QVERIFY(!entry.meaning.empty() && !entry.rows.empty() && entry.read);
            for (const JointKey& key : entry.keys)
                QCOMPARE(entry.key(key.name), &key);
        }
    QVERIFY(!jointEntry("gear", 3));
    QVERIFY(!jointEntry("universal", 2));
}

/// Every example states every key that the table has, or the key excludes another one; written anew from the table's keys alone
/// it says the same.
void TestJointKinds::exampleReadsAndPrintsBack()
{
    QFETCH(QString, word);
    QFETCH(int, dimensions);
    const JointEntry& entry = entryOf(word, dimensions);
    const std::string text = textWith(entry, entry.example);
    const auto model = readModel(text, "example.toml");
    QVERIFY2(model, model ? "" : model.error().text().c_str());
    QVERIFY(!(*model)->system.constraints.empty() || !(*model)->system.oneSided.empty());

    const auto cut = ModelText::read(text, "example.toml");
    QVERIFY(cut);
    const auto name = cut->fieldText("joint", ownTable(*cut), "name");
    ModelText::Fields fields{{"name", name}, {"kind", driftless::text::tomlString(entry.word)}};
    std::size_t stated = 2;
    for (const JointKey& key : entry.keys)
        if (const std::string written = keyText(*cut, key); !written.empty()) {
            fields.emplace_back(key.name, written);
            ++stated;
        }
    QCOMPARE(cut->table("joint", ownTable(*cut))->entries.size(), stated); // the example has no other keys
    auto again = ModelText::read(text, "example.toml");
    QVERIFY(again->removeTable("joint", ownTable(*again)));
    const auto added = again->addTable("joint", fields);
    QVERIFY2(added, added ? "" : added.error().text().c_str());
    const auto back = readModel(again->text(), "back.toml");
    QVERIFY2(back, back ? "" : back.error().text().c_str());
    QCOMPARE(equationsOf(**back), equationsOf(**model));
}

void TestJointKinds::rowsAreAddedAsTheyAreCounted()
{
    QFETCH(QString, word);
    QFETCH(int, dimensions);
    const JointEntry& entry = entryOf(word, dimensions);
    std::string tables = entry.example;
    const std::string pointed = [&] { // the same with a point mass on the other side, where the kind takes one
        std::string out = entry.example;
        for (const char* at : {"{ body = \"arm\", at = [-0.5, 0] }", "{ body = \"arm\", at = [-0.5, 0, 0] }", "\"arm\""})
            if (const std::size_t found = out.find(std::string("to = ") + at); found != std::string::npos)
                out.replace(found, 5 + std::string(at).size(), "to = \"bead\"");
        return out;
    }();
    int looked = 0;
    for (const std::string& stated : {tables, pointed}) {
        const auto root = parseToml(textWith(entry, stated), "example.toml");
        QVERIFY(root);
        try {
            const Mechanism mechanism = readMechanism(*root, {});
            const ConstrainedSystem system = assemble(mechanism);
            for (const Joint& joint : mechanism.joints) {
                int holonomic = 0, nonholonomic = 0;
                const auto oneSided =
                    std::ranges::count_if(system.oneSided, [&](const OneSided& row) { return row.row.joint == joint.name; });
                for (const Constraint& c : system.constraints)
                    if (c.joint == joint.name)
                        ++(c.holonomic ? holonomic : nonholonomic);
                const JointRows counted = joint.form->rows(mechanism, joint);
                QCOMPARE(holonomic, counted.holonomic);
                QCOMPARE(nonholonomic, counted.nonholonomic);
                QCOMPARE(static_cast<int>(oneSided), counted.oneSided);
                QVERIFY(holonomic + nonholonomic + counted.oneSided > 0);
                ++looked;
            }
        } catch (const ReadError& error) {
            QVERIFY2(stated != tables, error.diagnostic.text().c_str());
        }
    }
    QVERIFY(looked > 0);
}

void TestJointKinds::everyKeyIsKnownToReaderEditorAndSchema()
{
    QFETCH(QString, word);
    QFETCH(int, dimensions);
    const JointEntry& entry = entryOf(word, dimensions);
    const std::vector<FieldInfo> fields = fieldsOf("joint", entry.word, dimensions);
    std::size_t offered = 1; // its name
    for (const JointKey& key : entry.keys) {
        const bool end = key.type == JointKeyType::End;
        for (const std::string& path :
             end ? std::vector<std::string>{key.name + ".body", key.name + ".at"} : std::vector{key.name}) {
            const auto field = std::find_if(fields.begin(), fields.end(), [&](const FieldInfo& f) { return f.path == path; });
            QVERIFY2(field != fields.end(), path.c_str());
            QVERIFY2(!field->label.empty(), path.c_str());
            ++offered;
        }
        const std::string with =
            exampleWith(entry, key,
                        key.needed() ? keyText(*ModelText::read(textWith(entry, entry.example), "example.toml"), key)
                                     : sampleOf(key, dimensions));
        const auto model = readModel(with, "with.toml");
        QVERIFY2(model, model ? "" : (key.name + ": " + model.error().text()).c_str());
        QVERIFY2(schemaAccepts(with), with.c_str());
        const std::string without = exampleWith(entry, key, "");
        const auto less = readModel(without, "without.toml");
        QVERIFY2(static_cast<bool>(less) != key.needed(), key.name.c_str());
        if (key.needed())
            QVERIFY2(less.error().text().find("\"" + key.name + "\" is missing") != std::string::npos,
                     less.error().text().c_str());
        // A key that one number of dimensions needs may be left out by the schema, which does not know which one is meant.
        const JointEntry* other = jointEntry(entry.word, 5 - dimensions);
        const bool needed = key.needed() && (!other || (other->key(key.name) && other->key(key.name)->needed()));
        QVERIFY2(schemaAccepts(without) != needed, without.c_str());
    }
    QCOMPARE(fields.size(), offered); // and nothing else
}

/// A value that no key takes is refused where it stands: a key that is allowed and not looked at would pass.
void TestJointKinds::everyKeyIsRead()
{
    QFETCH(QString, word);
    QFETCH(int, dimensions);
    const JointEntry& entry = entryOf(word, dimensions);
    for (const JointKey& key : entry.keys) {
        const std::string text = exampleWith(entry, key, "{ nonsense = 1 }");
        const auto model = readModel(text, "nonsense.toml");
        QVERIFY2(!model, (key.name + " is not read").c_str());
        const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("nonsense")), '\n') + 1;
        QCOMPARE(model.error().position.line, static_cast<int>(line));
        QVERIFY2(!schemaAccepts(text), text.c_str());
    }
}

void TestJointKinds::keysOfOtherKindsAreRefused()
{
    QFETCH(QString, word);
    QFETCH(int, dimensions);
    const JointEntry& entry = entryOf(word, dimensions);
    for (const std::string& key : jointKeys()) {
        if (key == "name" || key == "kind" || entry.key(key))
            continue;
        const std::string text = textWith(entry, entry.example + key + " = 1\n");
        const auto model = readModel(text, "other.toml");
        QVERIFY2(!model, key.c_str());
        QVERIFY2(model.error().what.find("Unknown key \"" + key + "\"") != std::string::npos, model.error().text().c_str());
    }
}

/// What an entry says of its freedom, friction, springs and motions find.
void TestJointKinds::freedomsAreDriven()
{
    QFETCH(QString, word);
    QFETCH(int, dimensions);
    const JointEntry& entry = entryOf(word, dimensions);
    const auto name = [&] {
        const std::size_t at = entry.example.rfind("name = \"") + 8;
        return entry.example.substr(at, entry.example.find('"', at) - at);
    }();
    const auto reads = [&](const std::string& table) {
        const auto model = readModel(textWith(entry, entry.example + "\n" + table), "driven.toml");
        if (!model)
            return false;
        const auto plain = readModel(textWith(entry, entry.example), "example.toml");
        const model::ConstrainedSystem &with = (*model)->system,
                                       &without = (*plain)->system; // what drives it is in a force or a row
        const bool same = std::ranges::equal(with.force, without.force,
                                             [](const auto& a, const auto& b) { return expr::print(a) == expr::print(b); });
        return !same || with.constraints.size() > without.constraints.size();
    };
    const std::string joint = "joint = \"" + name + "\"\n";
    const bool rate = entry.turns() || entry.slides() || entry.freedom == JointFreedom::Direction;
    QCOMPARE(reads("[[force]]\nkind = \"actuator\"\neffort = 1\n" + joint), rate);
    QCOMPARE(reads("[[force]]\nkind = \"joint-friction\"\ncoefficient = 1\n" + joint),
             rate || entry.freedom == JointFreedom::Ball);
    QCOMPARE(reads("[[force]]\nkind = \"torsional-spring\"\nstiffness = 1\n" + joint), entry.turns());
    QCOMPARE(reads("[[joint]]\nname = \"driver\"\nkind = \"motion\"\nvalue = \"t\"\nof = \"angle\"\n" + joint), entry.turns());
    QCOMPARE(reads("[[joint]]\nname = \"driver\"\nkind = \"motion\"\nvalue = \"t\"\nof = \"displacement\"\n" + joint),
             entry.slides());
}

void TestJointKinds::schemaFollowsTheTable()
{
    const fs::path path = kDocs / "model.schema.json";
    OrderedJson whole = OrderedJson::parse(textOf(path));
    whole["$defs"]["joint"] = jointSchema();
    compareOrWrite(path, whole.dump(1) + "\n");
}

void TestJointKinds::pagesFollowTheTable()
{
    compareOrWrite(kDocs / "joints.md", jointPage());
    const fs::path path = kDocs / "models.md";
    const std::string plane = withTable(textOf(path), kPlaneMark, jointTable(2));
    QVERIFY2(!plane.empty(), "docs/models.md has lost the mark of the table of plane joints");
    const std::string both = withTable(plane, kSpaceMark, jointTable(3));
    QVERIFY2(!both.empty(), "docs/models.md has lost the mark of the table of joints in space");
    compareOrWrite(path, both);
}

QTEST_GUILESS_MAIN(TestJointKinds)
#include "test_joint_kinds.moc"
