// The schema of the documentation against the reader: what ships is valid by both, and a slip that one refuses the other
// refuses.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/model/Model.h"
#include "core/model/TomlValue.h"

using namespace driftless;
using namespace driftless::model;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string textOf(const fs::path& path)
{
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// The part of JSON Schema 2020-12 that the schema uses.
class Schema {
public:
    explicit Schema(Json root) : root_(std::move(root)) {}

    bool accepts(const TomlValue& value) const { return accepts(value, root_); }

private:
    bool accepts(const TomlValue& v, const Json& s) const
    {
        if (s.contains("$ref")) {
            const std::string ref = s.at("$ref");
            return accepts(v, root_.at("$defs").at(ref.substr(ref.rfind('/') + 1)));
        }
        if (s.contains("type") && !isType(v, s.at("type")))
            return false;
        if (s.contains("const") && !equals(v, s.at("const")))
            return false;
        if (s.contains("enum")
            && std::none_of(s.at("enum").begin(), s.at("enum").end(), [&](const Json& one) { return equals(v, one); }))
            return false;
        for (const char* key : {"anyOf", "oneOf"})
            if (s.contains(key)
                && std::none_of(s.at(key).begin(), s.at(key).end(), [&](const Json& one) { return accepts(v, one); }))
                return false;
        if (v.kind == TomlKind::Array)
            return acceptsArray(v, s);
        return v.kind != TomlKind::Table || acceptsTable(v, s);
    }
    bool acceptsArray(const TomlValue& v, const Json& s) const
    {
        if (v.items.size() < s.value("minItems", std::size_t{0}) || v.items.size() > s.value("maxItems", v.items.size()))
            return false;
        return !s.contains("items") || std::all_of(v.items.begin(), v.items.end(), [&](const TomlValue& item) {
            return accepts(item, s.at("items"));
        });
    }
    bool acceptsTable(const TomlValue& v, const Json& s) const
    {
        for (const Json& key : s.value("required", Json::array()))
            if (!v.find(key.get<std::string>()))
                return false;
        const Json& known = s.value("properties", Json::object());
        for (const TomlEntry& entry : v.entries) {
            if (known.contains(entry.key)) {
                if (!accepts(entry.value, known.at(entry.key)))
                    return false;
            } else if (s.contains("additionalProperties")) {
                const Json& other = s.at("additionalProperties");
                if (other.is_boolean() ? !other.get<bool>() : !accepts(entry.value, other))
                    return false;
            }
        }
        return true;
    }
    static bool isType(const TomlValue& v, const std::string& type)
    {
        return type == "object"    ? v.kind == TomlKind::Table
               : type == "array"   ? v.kind == TomlKind::Array
               : type == "string"  ? v.kind == TomlKind::String
               : type == "boolean" ? v.kind == TomlKind::Boolean
               : type == "integer" ? v.kind == TomlKind::Integer
                                   : v.isNumber();
    }
    static bool equals(const TomlValue& v, const Json& one)
    {
        return one.is_string() ? v.kind == TomlKind::String && v.text == one.get<std::string>()
                               : v.isNumber() && one.is_number() && v.number == one.get<double>();
    }

    Json root_;
};

const Schema& schema()
{
    static const Schema s(Json::parse(textOf(fs::path(DRIFTLESS_SOURCE_DIR) / "docs/model.schema.json")));
    return s;
}

} // namespace

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
    for (const auto& entry : fs::directory_iterator(fs::path(DRIFTLESS_SOURCE_DIR) / "tests/model/format-1")) {
        const auto model = readModel(textOf(entry.path()), entry.path().string());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE((*model)->format, 1);
        ++count;
    }
    QVERIFY(count >= 5);
}

QTEST_GUILESS_MAIN(TestSchema)
#include "test_schema.moc"
