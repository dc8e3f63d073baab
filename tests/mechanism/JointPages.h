// What the documentation says of joints, made from the table of their kinds: the schema's part, the two tables of
// docs/models.md and the page docs/joints.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/mechanism/JointEntry.h"

namespace driftless::model::testing {

using OrderedJson = nlohmann::ordered_json;

inline OrderedJson referenceTo(const char* definition) { return {{"$ref", std::string("#/$defs/") + definition}}; }

inline OrderedJson arrayOf(OrderedJson items, int count)
{
    return {{"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

/// How a value may be written: one or more schemas.
inline std::vector<OrderedJson> schemasOf(const JointKey& key)
{
    const OrderedJson number{{"type", "number"}}, text{{"type", "string"}};
    switch (key.type) {
    case JointKeyType::End:
        return {referenceTo("end")};
    case JointKeyType::Expression:
        return {referenceTo("expression")};
    case JointKeyType::Surfaces:
        return {arrayOf(referenceTo("expression"), 2)};
    case JointKeyType::Flag:
        return {{{"type", "boolean"}}};
    case JointKeyType::Rail:
        return {arrayOf(number, 2)};
    case JointKeyType::Axis:
        return {arrayOf(number, 3)};
    case JointKeyType::Turns:
        return {referenceTo("turn"), {{"type", "array"}, {"items", referenceTo("turn")}}};
    case JointKeyType::Path: {
        OrderedJson properties = OrderedJson::object();
        for (const char* part : {"x", "y", "z"})
            properties[part] = referenceTo("expression");
        for (const char* part : {"from", "to"})
            properties[part] = number;
        return {{{"type", "object"},
                 {"properties", std::move(properties)},
                 {"required", {"x", "y", "from", "to"}},
                 {"additionalProperties", false}}};
    }
    case JointKeyType::Body:
    case JointKeyType::Joint:
        return {text};
    case JointKeyType::Choice:
        return {{{"enum", key.choices}}};
    }
    return {};
}

/// One kind of both numbers of dimensions: a file may state either.
inline OrderedJson schemaOf(const std::string& word)
{
    OrderedJson properties{{"kind", {{"enum", {word}}}}, {"name", {{"type", "string"}}}};
    std::map<std::string, std::vector<OrderedJson>> written;
    std::vector<std::string> order, required{"kind", "name"};
    std::string meaning;
    const JointEntry *plane = jointEntry(word, 2), *space = jointEntry(word, 3);
    for (const JointEntry* entry : {plane, space}) {
        if (!entry)
            continue;
        if (meaning.empty())
            meaning = entry->meaning;
        for (const JointKey& key : entry->keys) {
            auto& ways = written[key.name];
            if (ways.empty())
                order.push_back(key.name);
            for (OrderedJson& way : schemasOf(key))
                if (std::find(ways.begin(), ways.end(), way) == ways.end())
                    ways.push_back(std::move(way));
        }
    }
    for (const std::string& name : order) {
        const auto& ways = written[name];
        properties[name] = ways.size() == 1 ? ways.front() : OrderedJson{{"anyOf", ways}};
        const auto needs = [&name](const JointEntry* entry) {
            const JointKey* key = entry ? entry->key(name) : nullptr;
            return !entry || (key && key->needed());
        };
        if (needs(plane) && needs(space))
            required.push_back(name);
    }
    properties["count"] = referenceTo("count");
    for (const char* copy : {"first", "last"})
        properties[copy] = referenceTo("override");
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", required},
            {"additionalProperties", false},
            {"description", meaning}};
}

/// $defs/joint of docs/model.schema.json.
inline OrderedJson jointSchema()
{
    OrderedJson kinds = OrderedJson::array();
    for (const int dimensions : {2, 3})
        for (const JointEntry& entry : jointEntries(dimensions))
            if (dimensions == 2 || !jointEntry(entry.word, 2))
                kinds.push_back(schemaOf(entry.word));
    return {{"oneOf", std::move(kinds)}, {"description", "a joint"}};
}

inline std::string inTicks(const std::string& text) { return '`' + text + '`'; }

inline std::string keyCell(const JointEntry& entry)
{
    std::string out;
    const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : "; ") + part; };
    for (const JointKey& key : entry.keys) {
        const bool end = key.type == JointKeyType::End;
        if (end && key.meaning.empty())
            continue;
        std::string part = inTicks(key.name);
        if (!end && !key.unit.empty())
            part += " [" + key.unit + "]";
        part += ": " + key.meaning;
        add(key.needed() ? part : part + " (" + key.fallback + ")");
    }
    if (!entry.key("from"))
        add(entry.key("to") ? "no `from`" : "no `from`, `to`");
    return out;
}

/// A table of docs/models.md.
inline std::string jointTable(int dimensions)
{
    std::string out = dimensions == 2
                          ? "| kind | keys; in parentheses what holds where one is left out | rows g (0 = g), with r = "
                            "point of `to` - point of `from` |\n|---|---|---|\n"
                          : "| kind | keys | rows |\n|---|---|---|\n";
    for (const JointEntry& entry : jointEntries(dimensions)) {
        const std::string keys = keyCell(entry);
        out += "| " + inTicks(entry.word) + (keys.empty() ? " | | " : " | " + keys + " | ") + entry.rows + " |\n";
    }
    return out;
}

inline std::string wordsOf(const JointKey& key)
{
    static const std::map<JointKeyType, std::string> words{{JointKeyType::End, "a body's name, or `{ body, at }`"},
                                                           {JointKeyType::Expression, "a number or an expression"},
                                                           {JointKeyType::Surfaces, "two expressions"},
                                                           {JointKeyType::Flag, "`true` or `false`"},
                                                           {JointKeyType::Rail, "two numbers"},
                                                           {JointKeyType::Axis, "three numbers"},
                                                           {JointKeyType::Turns, "`{ axis, angle }`, or an array of such"},
                                                           {JointKeyType::Path, "a table"},
                                                           {JointKeyType::Body, "a body's name"},
                                                           {JointKeyType::Joint, "a joint's name"},
                                                           {JointKeyType::Choice, ""}};
    if (key.type != JointKeyType::Choice)
        return words.at(key.type);
    std::string out;
    for (const std::string& choice : key.choices)
        out += (out.empty() ? "" : " or ") + inTicks('"' + choice + '"');
    return out;
}

inline std::string jointSection(const JointEntry& entry)
{
    std::string out = "### " + inTicks(entry.word) + "\nLeaves or binds: " + entry.meaning + ".\n\n";
    out += "| key | is | unit | left out | meaning |\n|---|---|---|---|---|\n";
    for (const JointKey& key : entry.keys)
        out += "| " + inTicks(key.name) + " | " + wordsOf(key) + " | " + key.unit + " | "
               + (key.needed() ? "required" : key.fallback) + " | " + key.meaning + " |\n";
    return out + "\nRows: " + entry.rows + ".\n\n```toml\n" + entry.example + "```\n\n";
}

/// docs/joints.md.
inline std::string jointPage()
{
    std::string out =
        "# The kinds of joints\n\n"
        "This page is written by `DRIFTLESS_WRITE=1 mechanism_test_joint_kinds` from the table of kinds that reader, editor "
        "and schema use.\n[models.md](models.md) says what all joints have in common. Every joint has a `name` and a "
        "`kind`. In the examples `crank`, `arm` and `wheel` are\nrigid bodies, `bead` is a point mass. A direction of "
        "three numbers is made one long.\n\n";
    for (const int dimensions : {2, 3}) {
        out += dimensions == 2
                   ? "## In the plane\nr is the point of `to` less the point of `from`.\n\n"
                   : "## In space\nd is the point of `to` less the point of `from`; a is the axis in the frame of `from`, n1 "
                     "and n2 are across it, b is the axis in the frame of `to`, and\nm1, m2 are across that.\n\n";
        for (const JointEntry& entry : jointEntries(dimensions))
            out += jointSection(entry);
    }
    out.pop_back();
    return out;
}

} // namespace driftless::model::testing
