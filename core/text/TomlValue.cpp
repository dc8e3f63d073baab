#include "core/text/TomlValue.h"

#include <algorithm>
#include <new>
#include <tuple>

#include <toml++/toml.h>

#include "core/text/TomlScan.h"

namespace driftless::model {

namespace {

struct Refusal {
    Diagnostic diagnostic;
};

class Converter {
public:
    Converter(std::string_view text, const std::string& file, const TomlLimits& limits)
        : text_(text), file_(file), limits_(limits)
    {
        lines_.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n')
                lines_.push_back(i + 1);
    }

    // Recursion is bounded by the nesting that scanText lets through.
    TomlValue convert(const toml::node& node) const
    {
        TomlValue out;
        out.position = place(node.source().begin);
        if (const auto* table = node.as_table())
            convertTable(*table, out);
        else if (const auto* array = node.as_array())
            convertArray(*array, out);
        else if (const auto* text = node.as_string()) {
            out.kind = TomlKind::String;
            out.text = text->get();
            out.textPosition = behindQuotes(out.position);
        } else if (const auto* integer = node.as_integer()) {
            out.kind = TomlKind::Integer;
            out.number = static_cast<double>(integer->get());
        } else if (const auto* number = node.as_floating_point()) {
            out.kind = TomlKind::Float;
            out.number = number->get();
        } else if (const auto* flag = node.as_boolean()) {
            out.kind = TomlKind::Boolean;
            out.boolean = flag->get();
        } else
            out.kind = TomlKind::Date;
        return out;
    }

private:
    SourcePosition place(const toml::source_position& p) const
    {
        return {file_, static_cast<int>(p.line), static_cast<int>(p.column)};
    }

    void convertTable(const toml::table& table, TomlValue& out) const
    {
        out.kind = TomlKind::Table;
        for (auto&& [key, value] : table)
            out.entries.push_back({std::string(key.str()), place(key.source().begin), convert(value)});
        std::stable_sort(out.entries.begin(), out.entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
            return std::tie(a.position.line, a.position.column) < std::tie(b.position.line, b.position.column);
        });
    }

    void convertArray(const toml::array& array, TomlValue& out) const
    {
        out.kind = TomlKind::Array;
        if (array.size() > limits_.maxItems)
            throw Refusal{
                {"An array is too long", "",
                 "it has " + std::to_string(array.size()) + " items, at most " + std::to_string(limits_.maxItems) + " are read",
                 "", out.position}};
        out.items.reserve(array.size());
        for (const toml::node& item : array)
            out.items.push_back(convert(item));
    }

    SourcePosition behindQuotes(SourcePosition p) const
    {
        const auto line = static_cast<std::size_t>(p.line);
        if (line == 0 || line > lines_.size())
            return p;
        std::size_t at = lines_[line - 1];
        for (int column = 1; column < p.column && at < text_.size(); ++column)
            do
                ++at;
            while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80);
        const std::string_view rest = text_.substr(std::min(at, text_.size()));
        if (!rest.starts_with("\"\"\"") && !rest.starts_with("'''")) {
            ++p.column;
            return p;
        }
        if (rest.substr(3).starts_with("\n") || rest.substr(3).starts_with("\r\n"))
            return {p.file, p.line + 1, 1};
        p.column += 3;
        return p;
    }

    std::string_view text_;
    const std::string& file_;
    const TomlLimits& limits_;
    std::vector<std::size_t> lines_;
};

/// What stands for a value around a place of a line, where that reads as an expression without its quotes; else empty.
std::string bareExpression(std::string_view line, std::size_t place)
{
    const std::size_t begin = line.find_last_of("=,[{", place > 0 ? place - 1 : 0);
    if (begin == std::string_view::npos || place >= line.size())
        return {};
    std::string_view value = line.substr(begin + 1);
    value = value.substr(0, value.find_first_of(",]}#"));
    while (!value.empty() && value.front() == ' ')
        value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\r'))
        value.remove_suffix(1);
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto mayStand = [&](char c) {
        return isLetter(c) || std::string_view("0123456789_.'+-*/^() ").find(c) != std::string_view::npos;
    };
    const std::size_t first = value.find_first_not_of("+-");
    const bool names =
        first != std::string_view::npos && (isLetter(value[first]) || value.find_first_of("*/^(") != std::string_view::npos);
    return names && std::ranges::all_of(value, mayStand) ? std::string(value) : std::string();
}

std::string_view lineOf(std::string_view text, std::size_t line)
{
    for (; line > 1 && !text.empty(); --line)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

Diagnostic syntaxError(std::string_view description, const toml::source_region& region, std::string_view text,
                       const std::string& file)
{
    std::string why(description);
    constexpr std::size_t kLongest = 300;
    if (why.size() > kLongest)
        why = why.substr(0, kLongest) + "...";
    const std::string bare = bareExpression(lineOf(text, region.begin.line), region.begin.column - 1);
    return {"The file is not valid TOML",
            "",
            std::move(why),
            bare.empty() ? "correct the line" : "text and expressions stand in quotes: \"" + bare + "\"",
            {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)}};
}

} // namespace

const TomlEntry* TomlValue::find(std::string_view key) const
{
    const auto found = std::find_if(entries.begin(), entries.end(), [key](const TomlEntry& e) { return e.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

std::string kindInWords(TomlKind kind)
{
    switch (kind) {
    case TomlKind::Boolean:
        return "true or false";
    case TomlKind::Integer:
    case TomlKind::Float:
        return "a number";
    case TomlKind::String:
        return "a text";
    case TomlKind::Array:
        return "an array";
    case TomlKind::Table:
        return "a table";
    case TomlKind::Date:
        return "a date or time";
    }
    return "something else";
}

Result<TomlValue> parseToml(std::string_view text, const std::string& file, const TomlLimits& limits)
{
    if (auto bad = scanText(text, file, limits))
        return *std::move(bad);
    try {
        const toml::table root = toml::parse(text, file);
        return Converter(text, file, limits).convert(root);
    } catch (const toml::parse_error& error) {
        return syntaxError(error.description(), error.source(), text, file);
    } catch (const Refusal& refusal) {
        return refusal.diagnostic;
    } catch (const std::bad_alloc&) {
        return Diagnostic{
            .what = "The file needs too much memory", .remedy = "make the file smaller", .position = {.file = file}};
    } catch (const std::exception& error) {
        return Diagnostic{.what = "The file cannot be read", .why = error.what(), .position = {.file = file}};
    }
}

} // namespace driftless::model
