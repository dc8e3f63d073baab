// In-place edits of a model's text. The input is a text, a line "%%", and edits, one a line:
//
//   set KIND NUMBER PATH VALUE    unset KIND NUMBER PATH    parameter NAME VALUE    add KIND KEY VALUE
//   rename NAME TO                remove NAME               drop KIND NUMBER        section NAME
//
// After each the text is TOML and says what was asked; every other table says what it said before, and the bytes around stay.
// An edit that is refused changes nothing. A model that is renamed is a model, and renamed back it is the same text.
#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

#include "core/mechanism/ModelText.h"
#include "core/mechanism/ReadModel.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;
using model::ModelText;
using model::TomlKind;
using model::TomlValue;

namespace {

constexpr int kMostEdits = 12;

/// A value without its places.
std::string plain(const TomlValue& v)
{
    std::string out = std::to_string(static_cast<int>(v.kind));
    switch (v.kind) {
    case TomlKind::Boolean:
        return out + (v.boolean ? "t" : "f");
    case TomlKind::Integer:
    case TomlKind::Float:
        return out + std::to_string(v.number);
    case TomlKind::String:
        return out + '"' + v.text + '"';
    case TomlKind::Array:
        for (const TomlValue& item : v.items)
            out += plain(item) + ',';
        return out + ']';
    case TomlKind::Table: {
        std::vector<std::string> entries;
        for (const model::TomlEntry& e : v.entries)
            entries.push_back(e.key + '=' + plain(e.value));
        std::sort(entries.begin(), entries.end());
        for (const std::string& e : entries)
            out += e + ';';
        return out + '}';
    }
    case TomlKind::Date:
        break;
    }
    return out;
}

/// The whole tree but for one table of a list (number -1: the whole list), in which all but one key.
std::string without(const TomlValue& root, std::string_view kind, int number, std::string_view key)
{
    std::string out;
    std::vector<std::string> entries;
    for (const model::TomlEntry& e : root.entries) {
        std::string text = e.key + '=';
        if (e.key != kind) {
            entries.push_back(text + plain(e.value));
            continue;
        }
        if (number < 0)
            continue;
        for (std::size_t i = 0; i < e.value.items.size(); ++i) {
            if (static_cast<int>(i) != number) {
                text += plain(e.value.items[i]) + ',';
                continue;
            }
            TomlValue rest = e.value.items[i];
            std::erase_if(rest.entries, [&](const model::TomlEntry& part) { return part.key == key; });
            text += (key.empty() ? std::string() : plain(rest)) + ',';
        }
        entries.push_back(text);
    }
    std::sort(entries.begin(), entries.end());
    for (const std::string& e : entries)
        out += e + '\n';
    return out;
}

struct Edit {
    std::string line, what, kind, path, value;
    int number = 0;
};

Edit editOf(const std::string& line)
{
    Edit e;
    e.line = line;
    std::istringstream in(line);
    in >> e.what >> e.kind;
    const bool numbered = e.what == "set" || e.what == "unset" || e.what == "drop";
    if (std::string number; numbered && in >> number)
        std::from_chars(number.data(), number.data() + number.size(), e.number);
    if (e.what == "set" || e.what == "unset" || e.what == "add")
        in >> e.path;
    std::getline(in >> std::ws, e.value);
    return e;
}

class Editor {
public:
    explicit Editor(ModelText text) : text_(std::move(text)) { isModel_ = readable(); }

    void apply(const Edit& e)
    {
        const ModelText before = text_;
        const Result<void> done = carryOut(e);
        told_ = e.line + "\n--- before\n" + before.text() + "\n--- after\n" + text_.text();
        if (!done) {
            check(text_.text() == before.text(), "an edit that is refused changes nothing", told_);
            return;
        }
        const auto root = model::parseToml(text_.text(), "input.toml");
        check(root.ok() && plain(*root) == plain(text_.root()), "what is held is what the text says", told_);
        if (e.what == "set")
            checkSet(before, e);
        else if (e.what == "unset")
            checkKept(before, e, e.number, e.path.substr(0, e.path.find('.')));
        else if (e.what == "drop")
            check(text_.count(e.kind) == std::max(0, before.count(e.kind) - (before.span(e.kind, e.number).empty() ? 0 : 1)),
                  "a table that is removed is gone, alone", told_);
        else if (e.what == "add")
            checkAdded(before, e);
        else if (e.what == "parameter")
            check(without(text_.root(), "parameters", -1, {}) == without(before.root(), "parameters", -1, {}),
                  "a parameter changes parameters alone", told_);
        else if (e.what == "rename")
            checkRenamed(before, e);
        else if (e.what == "remove")
            check(text_.places().size() < before.places().size(), "what is removed is gone", told_);
        isModel_ = readable();
    }

private:
    bool readable() const { return model::readModel(text_.text(), "input.toml", modelLimits()).ok(); }

    Result<void> carryOut(const Edit& e)
    {
        if (e.what == "set")
            return text_.setField(e.kind, e.number, e.path, e.value);
        if (e.what == "unset")
            return text_.removeField(e.kind, e.number, e.path);
        if (e.what == "parameter")
            return text_.setParameter(e.kind, e.value);
        if (e.what == "add")
            return text_.addTable(e.kind, {{e.path, e.value}});
        if (e.what == "rename")
            return text_.rename(e.kind, e.value);
        if (e.what == "drop")
            return text_.removeTable(e.kind, e.number);
        if (e.what == "section")
            return text_.removeSection(e.kind);
        if (e.what != "remove")
            return Diagnostic{"no edit", {}, {}, {}, {}};
        const auto gone = text_.remove(e.kind);
        return gone ? Result<void>() : Result<void>(gone.error());
    }

    /// A value that is one TOML value and nothing besides: other texts may bring lines of their own.
    static bool isOneValue(const std::string& value)
    {
        const auto root = model::parseToml("x = " + value + "\n", "value");
        return root.ok() && root->entries.size() == 1 && value.find('#') == std::string::npos
               && value.find('\n') == std::string::npos;
    }

    /// Blanks around a value are the document's.
    static std::string trimmed(const std::string& value)
    {
        const std::size_t first = value.find_first_not_of(" \t");
        return first == std::string::npos ? "" : value.substr(first, value.find_last_not_of(" \t") + 1 - first);
    }

    void checkKept(const ModelText& before, const Edit& e, int number, const std::string& key) const
    {
        check(without(text_.root(), e.kind, number, key) == without(before.root(), e.kind, number, key),
              "an edit leaves what it does not touch", told_);
        const model::TextSpan was = before.span(e.kind, number);
        if (was.empty())
            return;
        const std::string_view old = before.text(), now = text_.text();
        check(now.substr(0, was.begin) == old.substr(0, was.begin) && now.size() >= old.size() - was.end
                  && now.ends_with(old.substr(std::min(old.size(), was.end + 1))),
              "an edit leaves the bytes around its table", told_);
    }

    void checkSet(const ModelText& before, const Edit& e) const
    {
        if (!isOneValue(e.value))
            return;
        checkKept(before, e, e.number, e.path.substr(0, e.path.find('.')));
        check(text_.fieldText(e.kind, e.number, e.path) == trimmed(e.value), "a field that is set has its value",
              told_ + "\n--- found\n" + text_.fieldText(e.kind, e.number, e.path));
    }

    void checkAdded(const ModelText& before, const Edit& e) const
    {
        if (!isOneValue(e.value))
            return;
        check(text_.count(e.kind) == before.count(e.kind) + 1, "a table that is added is there", told_);
        check(without(text_.root(), e.kind, -1, {}) == without(before.root(), e.kind, -1, {}),
              "a table that is added changes no other kind", told_);
    }

    void checkRenamed(const ModelText& before, const Edit& e)
    {
        const std::string renamed = text_.text();
        if (!isModel_)
            return; // names that a model could not have
        if (before.text().find(e.value) == std::string::npos && e.kind.find('[') == std::string::npos) {
            const auto read = model::readModel(renamed, "input.toml", modelLimits());
            check(read.ok(), "a model that is renamed is a model", told_ + (read ? "" : "\n" + read.error().text()));
            const auto back = text_.rename(e.value, e.kind);
            check(back.ok() && text_.text() == before.text(), "renamed back it is the same text",
                  told_ + "\n--- back\n" + text_.text());
            check(text_.rename(e.kind, e.value).ok(), "renamed again it can be", told_);
        }
    }

    ModelText text_;
    std::string told_;
    bool isModel_ = false;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input = textOf(data, size);
    const std::size_t cut = input.find("\n%%\n");
    const std::string text(input.substr(0, cut == std::string_view::npos ? input.size() : cut + 1));
    auto read = ModelText::read(text, "input.toml");
    if (!read)
        return 0;
    check(read->text() == text, "a text that is read is kept", text);
    Editor editor(std::move(*read));
    std::istringstream lines(cut == std::string_view::npos ? std::string() : std::string(input.substr(cut + 4)));
    int count = 0;
    for (std::string line; count < kMostEdits && std::getline(lines, line); ++count)
        editor.apply(editOf(line));
    return 0;
}
