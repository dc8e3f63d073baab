#include "core/text/TableReader.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/SettingRange.h"
#include "core/text/Names.h"

namespace driftless::model {

namespace {

constexpr std::size_t kLongestName = 64;

} // namespace

void refuse(const SourcePosition& position, std::string what, std::string where, std::string why, std::string remedy)
{
    throw ReadError{{.what = std::move(what),
                     .where = std::move(where),
                     .why = std::move(why),
                     .remedy = std::move(remedy),
                     .position = position}};
}

TableReader::TableReader(const TomlValue& table, const SourcePosition& position, std::string where, const KeyList& allowed)
    : table_(table), position_(position), where_(std::move(where))
{
    if (table.kind != TomlKind::Table)
        refuse(position, where_ + " must be a table", "", "found " + kindInWords(table.kind), "");
    for (const TomlEntry& entry : table.entries) {
        if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end())
            continue;
        const std::string near = text::nearestName(entry.key, allowed);
        refuse(entry.position, "Unknown key " + text::quoted(entry.key), where_, "known here: " + text::firstOf(allowed),
               near.empty() ? "remove it" : "did you mean \"" + near + "\"?");
    }
}

const TomlValue* TableReader::find(std::string_view key) const
{
    const TomlEntry* entry = table_.find(key);
    return entry ? &entry->value : nullptr;
}

const SourcePosition& TableReader::keyPosition(std::string_view key) const
{
    const TomlEntry* entry = table_.find(key);
    return entry ? entry->position : position_;
}

const TomlValue& TableReader::need(std::string_view key, const std::string& remedy) const
{
    const TomlValue* value = find(key);
    if (!value)
        refuse(position_, "The key \"" + std::string(key) + "\" is missing", where_, "", remedy);
    return *value;
}

void TableReader::wrongKind(const TomlValue& value, std::string_view key, const std::string& expected) const
{
    refuse(value.position, "\"" + std::string(key) + "\" must be " + expected, where_, "found " + kindInWords(value.kind), "");
}

std::string TableReader::text(std::string_view key, std::string fallback, std::size_t longest) const
{
    const TomlValue* value = find(key);
    if (!value)
        return fallback;
    if (value->kind != TomlKind::String)
        wrongKind(*value, key, "a text in quotes");
    if (value->text.size() > longest)
        refuse(value->position, "\"" + std::string(key) + "\" is too long", where_,
               "at most " + std::to_string(longest) + " bytes are read", "shorten the text");
    return value->text;
}

std::string TableReader::needText(std::string_view key, const std::string& remedy) const
{
    const TomlValue& value = need(key, remedy);
    if (value.kind != TomlKind::String)
        wrongKind(value, key, "a text in quotes");
    return text(key);
}

bool TableReader::flag(std::string_view key, bool fallback) const
{
    const TomlValue* value = find(key);
    if (!value)
        return fallback;
    if (value->kind != TomlKind::Boolean)
        wrongKind(*value, key, "true or false");
    return value->boolean;
}

std::optional<double> TableReader::number(std::string_view key) const
{
    const TomlValue* value = find(key);
    if (!value)
        return {};
    if (!value->isNumber())
        wrongKind(*value, key, "a number");
    return finiteNumber(*value, where_ + ", " + std::string(key));
}

std::optional<double> TableReader::positiveNumber(std::string_view key) const
{
    const auto value = number(key);
    if (value && !(*value > 0))
        refuse(find(key)->position, "\"" + std::string(key) + "\" must be above zero", where_,
               "it is a length, a step, a tolerance or a time", "write a number above zero");
    if (value && !isSetting(*value))
        refuse(find(key)->position, "\"" + std::string(key) + "\" is out of the range of settings", where_,
               "squares of such numbers are no numbers any more", "write a number between 1e-100 and 1e100");
    return value;
}

std::optional<std::vector<double>> TableReader::numbers(std::string_view key, std::size_t count) const
{
    const TomlValue* value = find(key);
    if (!value)
        return {};
    if (value->kind != TomlKind::Array || value->items.size() != count) {
        const bool list = value->kind == TomlKind::Array;
        std::string example = "[1.0";
        for (std::size_t k = 1; k < std::min<std::size_t>(count, 3); ++k)
            example += ", " + std::to_string(k + 1) + ".0";
        refuse(value->position, "\"" + std::string(key) + "\" must be an array of " + std::to_string(count) + " numbers",
               where_, list ? "it has " + std::to_string(value->items.size()) : "found " + kindInWords(value->kind),
               "write it as " + example + (count > 3 ? ", ...]" : "]"));
    }
    std::vector<double> out;
    for (const TomlValue& item : value->items) {
        if (!item.isNumber())
            wrongKind(item, key, "an array of numbers");
        out.push_back(finiteNumber(item, where_ + ", " + std::string(key)));
    }
    return out;
}

const std::vector<TomlValue>& TableReader::tables(const TomlValue* value, const std::string& key, const std::string& where)
{
    static const std::vector<TomlValue> kNone;
    if (!value)
        return kNone;
    if (value->kind != TomlKind::Array)
        refuse(value->position, "\"" + key + "\" must be a list of tables", where, "found " + kindInWords(value->kind),
               "write [[" + key + "]] above each");
    for (const TomlValue& item : value->items)
        if (item.kind != TomlKind::Table)
            refuse(item.position, "\"" + key + "\" must be a list of tables", where, "found " + kindInWords(item.kind),
                   "write [[" + key + "]] above each");
    return value->items;
}

void checkName(const std::string& name, const SourcePosition& position, const std::string& words, bool hyphen)
{
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
    const auto inner = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)) || (hyphen && c == '-'); };
    const bool good =
        !name.empty() && name.size() <= kLongestName && letter(name.front()) && std::all_of(name.begin(), name.end(), inner);
    const char* const article = words.starts_with("i") ? "an " : "a "; // an integrator, an input
    if (!good)
        refuse(position, text::quoted(name) + " is not a name for " + article + words, "",
               std::string("a name starts with a letter and goes on with letters, digits") + (hyphen ? ", _ or -" : " or _")
                   + ", at most " + std::to_string(kLongestName) + " in all",
               "choose another name");
}

double finiteNumber(const TomlValue& value, const std::string& where)
{
    if (!value.isNumber())
        refuse(value.position, "A number is expected", where, "text, truth values and lists are none",
               "write a number, without quotes");
    if (!std::isfinite(value.number))
        refuse(value.position, "The number must be finite", where, "NaN and infinity have no physical meaning here",
               "write a finite number");
    return value.number;
}

} // namespace driftless::model
