// The schema of the documentation, as far as the tests need to judge by it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/text/TomlValue.h"

namespace driftless::model::testing {

inline std::string textOf(const std::filesystem::path& path)
{
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// The part of JSON Schema 2020-12 that the schema uses.
class Schema {
public:
    explicit Schema(nlohmann::json root) : root_(std::move(root)) {}

    bool accepts(const TomlValue& value) const { return accepts(value, root_); }

private:
    bool accepts(const TomlValue& v, const nlohmann::json& s) const
    {
        if (s.contains("$ref")) {
            const std::string ref = s.at("$ref");
            return accepts(v, root_.at("$defs").at(ref.substr(ref.rfind('/') + 1)));
        }
        if (s.contains("type") && !isType(v, s.at("type")))
            return false;
        if (s.contains("const") && !equals(v, s.at("const")))
            return false;
        if (s.contains("enum") && std::none_of(s.at("enum").begin(), s.at("enum").end(), [&](const nlohmann::json& one) {
                return equals(v, one);
            }))
            return false;
        for (const char* key : {"anyOf", "oneOf"})
            if (s.contains(key)
                && std::none_of(s.at(key).begin(), s.at(key).end(), [&](const nlohmann::json& one) { return accepts(v, one); }))
                return false;
        if (v.kind == TomlKind::Array)
            return acceptsArray(v, s);
        return v.kind != TomlKind::Table || acceptsTable(v, s);
    }
    bool acceptsArray(const TomlValue& v, const nlohmann::json& s) const
    {
        if (v.items.size() < s.value("minItems", std::size_t{0}) || v.items.size() > s.value("maxItems", v.items.size()))
            return false;
        return !s.contains("items") || std::all_of(v.items.begin(), v.items.end(), [&](const TomlValue& item) {
            return accepts(item, s.at("items"));
        });
    }
    bool acceptsTable(const TomlValue& v, const nlohmann::json& s) const
    {
        for (const nlohmann::json& key : s.value("required", nlohmann::json::array()))
            if (!v.find(key.get<std::string>()))
                return false;
        const nlohmann::json& known = s.value("properties", nlohmann::json::object());
        for (const TomlEntry& entry : v.entries) {
            if (known.contains(entry.key)) {
                if (!accepts(entry.value, known.at(entry.key)))
                    return false;
            } else if (s.contains("additionalProperties")) {
                const nlohmann::json& other = s.at("additionalProperties");
                if (other.is_boolean() ? !other.get<bool>() : !accepts(entry.value, other))
                    return false;
            }
        }
        return true;
    }
    static bool isType(const TomlValue& v, const std::string& type)
    {
        if (type == "object")
            return v.kind == TomlKind::Table;
        if (type == "array")
            return v.kind == TomlKind::Array;
        if (type == "string")
            return v.kind == TomlKind::String;
        if (type == "boolean")
            return v.kind == TomlKind::Boolean;
        if (type == "integer")
            return v.kind == TomlKind::Integer;
        return v.isNumber();
    }
    static bool equals(const TomlValue& v, const nlohmann::json& one)
    {
        return one.is_string() ? v.kind == TomlKind::String && v.text == one.get<std::string>()
                               : v.isNumber() && one.is_number() && v.number == one.get<double>();
    }

    nlohmann::json root_;
};

inline const Schema& schema()
{
    static const Schema s(
        nlohmann::json::parse(textOf(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "docs/model.schema.json")));
    return s;
}

} // namespace driftless::model::testing
