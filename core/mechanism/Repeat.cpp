#include "core/mechanism/Repeat.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/TableReader.h"

namespace driftless::model {

namespace {

constexpr const char* kIndex = "i";

using Names = std::map<std::string, int, std::less<>>;

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Sums of whole numbers, names and products of two of these: "N", "i-1", "2*i+1".
class IndexParser {
public:
    IndexParser(std::string_view text, const Names& names) : text_(text), names_(names) {}

    std::optional<int> parse()
    {
        long sum = 0;
        bool minus = eat('-');
        do {
            long term = factor();
            for (failed_ = failed_ || term > kMost; !failed_ && eat('*'); failed_ = failed_ || term > kMost)
                term *= factor();
            sum += minus ? -term : term;
            minus = false;
        } while (!failed_ && (eat('+') || (minus = eat('-'))));
        skip();
        if (failed_ || at_ != text_.size() || std::abs(sum) > kMost)
            return std::nullopt;
        return static_cast<int>(sum);
    }

private:
    static constexpr long kMost = 1'000'000;

    void skip()
    {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    bool eat(char c)
    {
        skip();
        if (at_ == text_.size() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    long factor()
    {
        skip();
        const std::size_t from = at_;
        if (at_ < text_.size() && digit(text_[at_])) {
            long value = 0;
            for (; at_ < text_.size() && digit(text_[at_]) && value <= kMost; ++at_)
                value = 10 * value + (text_[at_] - '0');
            failed_ = failed_ || value > kMost;
            return value;
        }
        while (at_ < text_.size() && (letter(text_[at_]) || (at_ > from && digit(text_[at_]))))
            ++at_;
        const auto found = names_.find(text_.substr(from, at_ - from));
        failed_ = failed_ || found == names_.end();
        return failed_ ? 0 : found->second;
    }

    std::string_view text_;
    const Names& names_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

/// Keys whose texts are names or words, not expressions: only their indices in brackets are filled in.
bool holdsNames(std::string_view key)
{
    constexpr std::array<std::string_view, 21> kNames{
        "name",   "kind",    "from",        "to", "body",  "bodies", "joint", "coordinate", "unit",   "description", "title",
        "source", "carrier", "orientation", "of", "count", "point",  "frame", "file",       "column", "between"};
    return std::find(kNames.begin(), kNames.end(), key) != kNames.end();
}

/// Fills indices and, in expressions, identifiers.
class Filler {
public:
    Filler(const Names& names, std::string where) : names_(names), where_(std::move(where)) {}

    // Recursion is bounded by the nesting that the parser lets through.
    void fill(TomlValue& value, std::string_view key) const
    {
        if (value.kind == TomlKind::String)
            value.text = filled(value, !holdsNames(key));
        for (TomlValue& item : value.items) // from = [x, y] of a shape holds numbers
            fill(item, key == "from" || key == "to" ? std::string_view() : key);
        for (TomlEntry& entry : value.entries)
            fill(entry.value, entry.key);
    }

private:
    std::string filled(const TomlValue& value, bool expression) const
    {
        const std::string& text = value.text;
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const char c = text[at];
            if (c == '[') {
                const std::size_t end = std::min(text.find(']', at), text.size());
                const auto index = IndexParser(std::string_view(text).substr(at + 1, end - at - 1), names_).parse();
                if (!index || *index < 0 || end == text.size())
                    refuse(value.position, "The index " + text::shortened(text.substr(at, end - at + 1)) + " cannot be used",
                           where_,
                           index && *index < 0 ? "it is " + std::to_string(*index) + " here"
                                               : "known are whole numbers and " + known(),
                           "write sums of these such as [i-1]; first = { ... } says what differs in the first copy");
                out += std::to_string(*index);
                at = end + 1;
            } else if (letter(c) || digit(c)) {
                const std::string_view token = tokenAt(text, at);
                const bool member = !out.empty() && (out.back() == '.' || letter(out.back()) || digit(out.back()));
                const auto found =
                    expression && letter(c) && !member && text[std::min(at + token.size(), text.size() - 1)] != '['
                        ? names_.find(token)
                        : names_.end();
                if (found != names_.end())
                    out += std::to_string(found->second);
                else
                    out += token;
                at += token.size();
            } else {
                out += c;
                ++at;
            }
        }
        return out;
    }

    /// A number, or a name with what follows its dots.
    static std::string_view tokenAt(std::string_view text, std::size_t from)
    {
        std::size_t at = from;
        if (digit(text[at])) {
            while (at < text.size() && (digit(text[at]) || text[at] == '.'))
                ++at;
            const bool exponent = at < text.size() && (text[at] == 'e' || text[at] == 'E');
            const std::size_t sign = exponent && at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
            if (exponent && at + 1 + sign < text.size() && digit(text[at + 1 + sign]))
                for (at += 1 + sign; at < text.size() && digit(text[at]);)
                    ++at;
            return text.substr(from, at - from);
        }
        while (at < text.size() && (letter(text[at]) || digit(text[at]) || text[at] == '.'))
            ++at;
        return text.substr(from, at - from);
    }

    std::string known() const
    {
        std::vector<std::string> out;
        for (const auto& [name, value] : names_)
            out.push_back(name);
        return text::firstOf(out);
    }

    const Names& names_;
    std::string where_;
};

std::size_t valuesIn(const TomlValue& value)
{
    std::size_t count = 1;
    for (const TomlValue& item : value.items)
        count += valuesIn(item);
    for (const TomlEntry& entry : value.entries)
        count += valuesIn(entry.value);
    return count;
}

int wholeNumber(const TomlValue& value, const std::string& where, const std::string& what)
{
    if (value.kind != TomlKind::Integer || std::abs(value.number) > budget::kCopies)
        refuse(value.position, what + " must be a whole number up to " + std::to_string(budget::kCopies), where,
               value.kind == TomlKind::Integer ? "" : "found " + kindInWords(value.kind), "write value = 8");
    return static_cast<int>(value.number);
}

StructureNumber readNumber(const TomlEntry& entry)
{
    const std::string where = "structure " + text::shortened(entry.key);
    checkName(entry.key, entry.position, "number of [structure]");
    if (entry.key == kIndex)
        refuse(entry.position, "\"i\" cannot name a number of [structure]", where, "it counts the copies of a table",
               "choose another name");
    StructureNumber out;
    out.name = entry.key;
    out.position = entry.position;
    out.maximum = budget::kCopies;
    const TomlValue* value = &entry.value;
    if (value->kind == TomlKind::Table) {
        const TableReader table(entry.value, entry.position, where, {"value", "min", "max", "description"});
        value = &table.need("value", "write value = 8");
        if (const TomlValue* least = table.find("min"))
            out.minimum = wholeNumber(*least, where, "min");
        if (const TomlValue* most = table.find("max"))
            out.maximum = wholeNumber(*most, where, "max");
        out.description = table.text("description", "", 500);
    }
    out.value = wholeNumber(*value, where, "The value");
    out.valuePosition = value->position;
    if (out.minimum < 0 || out.value < out.minimum || out.value > out.maximum)
        refuse(value->position, "The value is out of its range", where,
               "it must lie between " + std::to_string(std::max(out.minimum, 0)) + " and " + std::to_string(out.maximum),
               "change the value or the range");
    return out;
}

class Expander {
public:
    Expander(TomlValue& root, const ReadLimits& limits) : root_(root), limits_(limits) {}

    std::vector<StructureNumber> expand()
    {
        std::vector<StructureNumber> out = readStructure();
        bool repeats = !out.empty();
        for (const TomlEntry& entry : root_.entries)
            for (const TomlValue& table : entry.value.items)
                repeats = repeats || table.find("count");
        if (!repeats)
            return out;
        for (TomlEntry& entry : root_.entries) {
            const bool list = entry.value.kind == TomlKind::Array && !entry.value.items.empty()
                              && entry.value.items.front().kind == TomlKind::Table;
            if (list)
                expandList(entry);
            else if (entry.key == "parameters" || entry.key == "lagrangian" || entry.key == "chart")
                Filler(names_, entry.key).fill(entry.value, entry.key);
        }
        return out;
    }

private:
    std::vector<StructureNumber> readStructure()
    {
        std::vector<StructureNumber> out;
        const auto found =
            std::find_if(root_.entries.begin(), root_.entries.end(), [](const TomlEntry& e) { return e.key == "structure"; });
        if (found == root_.entries.end())
            return out;
        if (found->value.kind != TomlKind::Table)
            refuse(found->position, "\"structure\" must be a table", "", "found " + kindInWords(found->value.kind),
                   "write [structure]");
        constexpr std::size_t kMost = 32;
        if (found->value.entries.size() > kMost)
            refuse(found->position, "The table [structure] has too many numbers", "",
                   "at most " + std::to_string(kMost) + " are read", "");
        const TomlEntry* parameters = root_.find("parameters");
        for (const TomlEntry& entry : found->value.entries) {
            out.push_back(readNumber(entry));
            if (parameters && parameters->value.find(entry.key))
                refuse(entry.position, "The name \"" + entry.key + "\" is used twice", "structure", "a parameter has it, too",
                       "choose another name");
            names_.emplace(entry.key, out.back().value);
        }
        root_.entries.erase(found);
        return out;
    }

    void expandList(TomlEntry& entry)
    {
        const int most = entry.key == "body" ? limits_.maxBodies : limits_.maxJoints;
        std::vector<TomlValue> all;
        int number = 0;
        for (TomlValue& table : entry.value.items) {
            const TomlEntry* name = table.find("name");
            const std::string where = entry.key + " "
                                      + (name && name->value.kind == TomlKind::String ? text::shortened(name->value.text)
                                                                                      : std::to_string(number + 1));
            ++number;
            const int copies = takeCount(table, where);
            if (copies < 0) {
                Filler(names_, where).fill(table, entry.key);
                all.push_back(std::move(table));
                continue;
            }
            if (all.size() + static_cast<std::size_t>(copies) > static_cast<std::size_t>(most))
                refuse(table.position, "The model has too many tables [[" + entry.key + "]]", where,
                       "at most " + std::to_string(most) + " are read", "a smaller count");
            values_ += valuesIn(table) * static_cast<std::size_t>(copies);
            if (values_ > budget::kCopiedValues)
                refuse(table.position, "The repeated tables are too large", where,
                       "together they hold more than " + std::to_string(budget::kCopiedValues) + " values", "a smaller count");
            repeat(table, copies, where, all);
        }
        entry.value.items = std::move(all);
    }

    /// The count of a table, taken out of it; -1: it is not repeated.
    int takeCount(TomlValue& table, const std::string& where)
    {
        const TomlEntry* count = table.find("count");
        if (!count) {
            for (const char* key : {"first", "last"})
                if (const TomlEntry* entry = table.find(key))
                    refuse(entry->position, "\"" + std::string(key) + "\" needs a count", where,
                           "it replaces keys in one of several copies",
                           "write count = \"N\" with N of [structure], or put the keys into the table itself");
            return -1;
        }
        std::optional<int> copies;
        if (count->value.kind == TomlKind::Integer && std::abs(count->value.number) <= budget::kCopies)
            copies = static_cast<int>(count->value.number);
        else if (count->value.kind == TomlKind::String)
            copies = IndexParser(count->value.text, names_).parse();
        if (!copies || *copies < 0 || *copies > budget::kCopies) {
            std::vector<std::string> known;
            for (const auto& [name, value] : names_)
                known.push_back(name);
            refuse(count->value.position, "\"count\" must be a whole number from 0 to " + std::to_string(budget::kCopies),
                   where,
                   known.empty() ? "the file has no table [structure] with names for it"
                                 : "names of [structure] are " + text::firstOf(known),
                   "write count = 8, or count = \"N\" with N = 8 in [structure]");
        }
        remove(table, "count");
        return *copies;
    }

    static void remove(TomlValue& table, std::string_view key)
    {
        std::erase_if(table.entries, [key](const TomlEntry& e) { return e.key == key; });
    }

    static TomlValue take(TomlValue& table, const char* key, const std::string& where)
    {
        TomlValue out;
        if (const TomlEntry* entry = table.find(key)) {
            if (entry->value.kind != TomlKind::Table)
                refuse(entry->position, "\"" + std::string(key) + "\" must be a table", where,
                       "found " + kindInWords(entry->value.kind), "write " + std::string(key) + " = { from = \"ground\" }");
            out = entry->value;
            remove(table, key);
        }
        return out;
    }

    static void put(const TomlValue& over, TomlValue& table)
    {
        for (const TomlEntry& entry : over.entries) {
            remove(table, entry.key);
            table.entries.push_back(entry);
        }
    }

    void repeat(TomlValue& table, int copies, const std::string& where, std::vector<TomlValue>& out)
    {
        const TomlValue first = take(table, "first", where), last = take(table, "last", where);
        Names names = names_;
        for (int i = 1; i <= copies; ++i) {
            TomlValue copy = table;
            if (i == 1)
                put(first, copy);
            if (i == copies)
                put(last, copy);
            names[kIndex] = i;
            Filler(names, where).fill(copy, {});
            out.push_back(std::move(copy));
        }
    }

    TomlValue& root_;
    const ReadLimits& limits_;
    Names names_;
    std::size_t values_ = 0;
};

/// The text with the number that stands at a place replaced.
std::optional<std::string> replaced(const std::string& text, const SourcePosition& place, int value)
{
    std::size_t at = 0;
    for (int line = 1; line < place.line; ++line) {
        at = text.find('\n', at);
        if (at == std::string::npos)
            return std::nullopt;
        ++at;
    }
    for (int column = 1; column < place.column && at < text.size(); ++column)
        do
            ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    std::size_t end = at;
    while (end < text.size() && (digit(text[end]) || letter(text[end]) || text[end] == '+' || text[end] == '-'))
        ++end;
    if (end == at)
        return std::nullopt;
    return text.substr(0, at) + std::to_string(value) + text.substr(end);
}

} // namespace

std::vector<StructureNumber> expandRepeats(TomlValue& root, const ReadLimits& limits)
{
    return Expander(root, limits).expand();
}

Result<std::shared_ptr<const Model>> withStructure(const std::shared_ptr<const Model>& model,
                                                   const std::map<std::string, double>& numbers)
{
    std::shared_ptr<const Model> out = model;
    for (const auto& [name, value] : numbers) {
        const auto found = std::find_if(out->structure.begin(), out->structure.end(),
                                        [&name = name](const StructureNumber& s) { return s.name == name; });
        if (found == out->structure.end())
            return Diagnostic{.what = "The model has no number \"" + text::shortened(name) + "\" in [structure]",
                              .where = model->name};
        if (value != std::floor(value) || !(value >= found->minimum && value <= found->maximum))
            return Diagnostic{.what = "The value of " + name + " is out of its range",
                              .where = model->name,
                              .why = "it must be a whole number between " + std::to_string(found->minimum) + " and "
                                     + std::to_string(found->maximum),
                              .remedy = "a value in that range"};
        if (static_cast<int>(value) == found->value)
            continue;
        const auto text = replaced(out->text, found->valuePosition, static_cast<int>(value));
        if (!text)
            return Diagnostic{.what = "The value of " + name + " cannot be found in the text",
                              .where = model->name,
                              .remedy = "change it in the text"};
        auto read = readModel(*text, found->valuePosition.file);
        if (!read)
            return read.error();
        auto placed = std::make_shared<Model>(**read);
        placed->path = out->path;
        out = std::move(placed);
    }
    return out;
}

} // namespace driftless::model
