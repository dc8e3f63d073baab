#include "core/mechanism/ModelText.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

std::vector<std::string> split(std::string_view path)
{
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        out.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

/// A plain value stands for this part of its table: x = 1 is x.start = 1, from = "bob" is from.body = "bob".
std::string_view shortPart(std::string_view key) { return key == "from" || key == "to" || key == "point" ? "body" : "start"; }

/// Where tables of a kind belong, in the order people write them.
int rankOf(const std::string& kind)
{
    static const char* const order[] = {"parameters", "body", "coordinate", "joint", "constraint", "force"};
    for (int i = 0; i < static_cast<int>(std::size(order)); ++i)
        if (kind == order[i])
            return i;
    return static_cast<int>(std::size(order));
}

std::size_t lineBegin(std::string_view text, std::size_t at)
{
    const std::size_t before = at > 0 ? text.rfind('\n', at - 1) : std::string_view::npos;
    return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t lineEnd(std::string_view text, std::size_t at)
{
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end + 1;
}

} // namespace

std::string tomlNumber(double value)
{
    if (!std::isfinite(value))
        return value > 0 ? "1e300" : "-1e300";
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e9))
        return text::rounded(value, 7);
    std::string out = text::fixed(value, 6);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.')
        out.pop_back();
    return out == "-0" ? "0" : out;
}

std::string tomlPlace(double value) { return tomlNumber(std::round(value * 1e6) / 1e6); }

std::string tomlSolvedPlace(double value)
{
    constexpr double kSlack = 2e-6; ///< a start is made consistent when it is used
    for (double unit = 1; unit < 1e6; unit *= 10)
        if (const double rounded = std::round(value * unit) / unit; std::abs(rounded - value) <= kSlack)
            return tomlNumber(rounded);
    return tomlPlace(value);
}

std::string tomlPair(double u, double v) { return "[" + tomlPlace(u) + ", " + tomlPlace(v) + "]"; }

Result<ModelText> ModelText::read(std::string text, std::string file)
{
    ModelText out;
    out.file_ = std::move(file);
    if (auto done = out.adopt(std::move(text)); !done)
        return done.error();
    return out;
}

Result<void> ModelText::adopt(std::string text)
{
    auto root = parseToml(text, file_);
    if (!root)
        return root.error();
    text_ = std::move(text);
    root_ = std::move(*root);
    tables_ = scanTables(text_);
    places_.clear();
    placeTables_.clear();
    for (std::size_t i = 1; i < tables_.size(); ++i)
        if (tables_[i].array && tables_[i].path.size() == 1) {
            places_.push_back(placeOf(i));
            placeTables_.push_back(i);
        }
    return {};
}

Result<void> ModelText::apply(std::vector<Change> changes)
{
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.span.begin > b.span.begin; });
    std::string text = text_;
    std::size_t before = text.size() + 1;
    for (const Change& change : changes) {
        if (change.span.end > before)
            continue; // lies in what is gone already
        text.replace(change.span.begin, change.span.end - change.span.begin, change.text);
        before = change.span.begin;
    }
    return adopt(std::move(text));
}

// --- what is there ---

ModelText::Place ModelText::placeOf(std::size_t table) const
{
    const TextTable& head = tables_[table];
    Place place{head.path.empty() ? std::string() : head.path.front(), head.number, {}};
    for (const TextStatement& s : head.statements)
        if (s.key.size() == 1 && s.key.front() == "name")
            for (const TextSpan& inner : scanStrings(text_, s.value))
                place.name = text_.substr(inner.begin, inner.end - inner.begin);
    return place;
}

int ModelText::count(std::string_view kind) const
{
    return static_cast<int>(std::count_if(places_.begin(), places_.end(), [&](const Place& p) { return p.kind == kind; }));
}

const TomlValue* ModelText::table(std::string_view kind, int number) const
{
    const TomlEntry* entry = root_.find(kind);
    if (!entry || entry->value.kind != TomlKind::Array || number < 0
        || static_cast<std::size_t>(number) >= entry->value.items.size())
        return nullptr;
    return &entry->value.items[static_cast<std::size_t>(number)];
}

const ModelText::Place* ModelText::find(std::string_view name) const
{
    for (const Place& place : places_)
        if (!name.empty() && place.name == name)
            return &place;
    return nullptr;
}

bool ModelText::taken(std::string_view name) const
{
    if (name == "ground" || name == "t" || name == "time" || name == "pi" || find(name))
        return true;
    const TomlEntry* parameters = root_.find("parameters");
    return parameters && parameters->value.find(name);
}

std::string ModelText::freshName(std::string_view stem) const
{
    std::string base(stem);
    while (base.size() > 1 && std::isdigit(static_cast<unsigned char>(base.back())))
        base.pop_back();
    for (int k = 1;; ++k)
        if (std::string name = base + std::to_string(k); !taken(name))
            return name;
}

const TextTable* ModelText::head(std::string_view kind, int number) const
{
    for (const TextTable& table : tables_)
        if (table.array && table.path.size() == 1 && table.path.front() == kind && table.number == number)
            return &table;
    return nullptr;
}

std::vector<const TextTable*> ModelText::parts(std::string_view kind, int number) const
{
    std::vector<const TextTable*> out;
    const TextTable* first = head(kind, number);
    if (!first)
        return out;
    for (const TextTable* t = first; t != tables_.data() + tables_.size(); ++t) {
        if (t != first && (t->path.size() < 2 || t->path.front() != kind))
            break;
        out.push_back(t);
    }
    return out;
}

TextSpan ModelText::span(std::string_view kind, int number) const
{
    const auto all = parts(kind, number);
    return all.empty() ? TextSpan{} : TextSpan{all.front()->header.begin, all.back()->end};
}

const ModelText::Place* ModelText::placeAt(std::size_t byte) const
{
    for (const Place& place : places_) {
        const TextSpan s = span(place.kind, place.number);
        if (byte >= s.begin && byte <= s.end)
            return &place;
    }
    return nullptr;
}

namespace {

/// The value of path within statements, descending into inline tables.
TextSpan findIn(std::string_view text, const std::vector<TextStatement>& statements, const std::vector<std::string>& path,
                std::size_t done)
{
    for (const TextStatement& s : statements) {
        const std::size_t left = path.size() - done;
        if (s.key.size() > left || !std::equal(s.key.begin(), s.key.end(), path.begin() + static_cast<std::ptrdiff_t>(done)))
            continue;
        if (s.key.size() == left)
            return s.value;
        const std::size_t next = done + s.key.size();
        if (text[s.value.begin] == '{')
            return findIn(text, scanInline(text, s.value), path, next);
        if (next + 1 == path.size() && path.back() == shortPart(s.key.back()))
            return s.value;
        return {};
    }
    return {};
}

} // namespace

TextSpan ModelText::field(std::string_view kind, int number, std::string_view path) const
{
    const auto wanted = split(path);
    for (const TextTable* part : parts(kind, number)) {
        const std::size_t deep = part->path.size() - 1;
        if (deep >= wanted.size() || !std::equal(part->path.begin() + 1, part->path.end(), wanted.begin()))
            continue;
        if (const TextSpan found = findIn(text_, part->statements, wanted, deep); !found.empty())
            return found;
    }
    return {};
}

std::string ModelText::fieldText(std::string_view kind, int number, std::string_view path) const
{
    const TextSpan found = field(kind, number, path);
    return text_.substr(found.begin, found.end - found.begin);
}

TextSpan ModelText::parameter(std::string_view name) const
{
    std::vector<std::string> wanted{"parameters", std::string(name)};
    for (const char* last : {"", "value"}) {
        if (*last)
            wanted.emplace_back(last);
        for (const TextTable& table : tables_) {
            const std::size_t deep = table.path.size();
            if (table.array || deep >= wanted.size() || !std::equal(table.path.begin(), table.path.end(), wanted.begin()))
                continue;
            const TextSpan found = findIn(text_, table.statements, wanted, deep);
            if (!found.empty() && text_[found.begin] != '{')
                return found;
        }
    }
    return {};
}

// --- changes ---

std::size_t ModelText::insertionPoint(std::string_view kind) const
{
    const int rank = rankOf(std::string(kind));
    std::size_t last = 0;
    bool own = false;
    for (std::size_t i = 1; i < tables_.size(); ++i) {
        const bool same = tables_[i].path.front() == kind;
        if (same || (!own && rankOf(tables_[i].path.front()) < rank))
            last = i;
        own = own || same;
    }
    return tables_[last].end;
}

Result<void> ModelText::addText(std::string_view kind, std::string_view table)
{
    if (kind.find('.') != std::string_view::npos) // a table inside of another one
        return Diagnostic{.what = "\"" + std::string(kind) + "\" is no kind of table",
                          .remedy = "a kind such as body, joint or force",
                          .position = {.file = file_}};
    for (const TextTable& t : tables_)
        if (!t.array && t.path.empty())
            for (const TextStatement& s : t.statements)
                if (s.key.front() == kind)
                    return Diagnostic{.what = "The tables of kind " + std::string(kind) + " stand in one list",
                                      .why = "the editor adds tables with a header [[" + std::string(kind) + "]]",
                                      .remedy = "write each of them as a table of its own",
                                      .position = {.file = file_}};
    const std::size_t at = insertionPoint(kind);
    std::string block(table);
    while (!block.empty() && std::isspace(static_cast<unsigned char>(block.back())))
        block.pop_back();
    const std::size_t above = at == 0 || text_[at - 1] == '\n' ? 1 : 2; // ends of lines before the table, but for the first one
    const std::string before = at == 0 ? "" : std::string(above, '\n');
    return apply({{{at, at}, before + block + (at < text_.size() && text_[at] == '\n' ? "" : "\n")}});
}

Result<void> ModelText::addTable(std::string_view kind, const Fields& fields)
{
    std::string block = "[[" + std::string(kind) + "]]\n";
    for (const auto& [key, value] : fields)
        block += key + " = " + value + "\n";
    return addText(kind, block);
}

/// What states the field, where it is written or where it belongs; nothing where there is no such table.
std::optional<ModelText::Change> ModelText::changeOf(const FieldChange& wanted) const
{
    const auto path = split(wanted.path);
    const TextTable* table = head(wanted.kind, wanted.number);
    if (!table)
        return std::nullopt;
    if (const TextSpan found = field(wanted.kind, wanted.number, wanted.path); !found.empty())
        return Change{found, wanted.value};
    for (const TextStatement& s : table->statements) {
        if (s.key.size() != 1 || s.key.front() != path.front() || path.size() != 2)
            continue;
        if (text_[s.value.begin] == '{') {
            std::size_t last = s.value.end - 1;
            while (last > s.value.begin + 1 && std::isspace(static_cast<unsigned char>(text_[last - 1])))
                --last;
            const bool empty = last == s.value.begin + 1;
            return Change{{last, s.value.end - 1}, (empty ? " " : ", ") + path[1] + " = " + wanted.value + " "};
        }
        const std::string plain = text_.substr(s.value.begin, s.value.end - s.value.begin);
        return Change{s.value,
                      "{ " + std::string(shortPart(path[0])) + " = " + plain + ", " + path[1] + " = " + wanted.value + " }"};
    }
    if (path.size() != 2)
        return Change{{table->end, table->end}, "\n" + wanted.path + " = " + wanted.value};
    for (const TextTable* part : parts(wanted.kind, wanted.number)) // [body.x] takes it, and x.start = 1 has it beside
        if (!part->array && part->path.size() == 2 && part->path[1] == path[0])
            return Change{{part->end, part->end}, "\n" + path[1] + " = " + wanted.value};
    const bool dotted = std::any_of(table->statements.begin(), table->statements.end(),
                                    [&](const TextStatement& s) { return s.key.size() > 1 && s.key.front() == path[0]; });
    const std::string line =
        dotted ? path[0] + "." + path[1] + " = " + wanted.value : path[0] + " = { " + path[1] + " = " + wanted.value + " }";
    return Change{{table->end, table->end}, "\n" + line};
}

/// Of a field that is to be added.
std::optional<Diagnostic> ModelText::whyNoField(std::string_view kind, int number, std::string_view path) const
{
    constexpr std::string_view kOfKeys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (!path.empty() && path.find_first_not_of(kOfKeys) == std::string_view::npos)
        return std::nullopt;
    if (!field(kind, number, path).empty())
        return std::nullopt;
    return Diagnostic{.what = "\"" + std::string(path) + "\" is no name of a field",
                      .where = std::string(kind) + " " + std::to_string(number + 1),
                      .why = "letters, digits, _ and - make one",
                      .remedy = "the name of a field",
                      .position = {.file = file_}};
}

Result<void> ModelText::setField(std::string_view kind, int number, std::string_view path, std::string_view value)
{
    if (auto wrong = whyNoField(kind, number, path))
        return *std::move(wrong);
    if (const auto change = changeOf({std::string(kind), number, std::string(path), std::string(value)}))
        return apply({*change});
    return Diagnostic{.what = "There is no such table in the text",
                      .where = std::string(kind) + " " + std::to_string(number + 1),
                      .why = "tables in one list are not changed by the editor",
                      .remedy = "write it as a table [[" + std::string(kind) + "]] of its own",
                      .position = {.file = file_}};
}

Result<void> ModelText::setFields(const std::vector<FieldChange>& changes)
{
    std::vector<Change> there;
    std::vector<const FieldChange*> open;
    for (const FieldChange& c : changes) {
        if (auto wrong = whyNoField(c.kind, c.number, c.path))
            return *std::move(wrong);
        if (const TextSpan found = field(c.kind, c.number, c.path); !found.empty())
            there.push_back({found, c.value});
        else
            open.push_back(&c);
    }
    ModelText before = *this;
    Result<void> done = apply(std::move(there));
    while (done && !open.empty()) { // those that are not there yet: one of each table at a time
        std::vector<Change> added;
        std::vector<const FieldChange*> later;
        std::set<std::pair<std::string, int>> tables;
        for (const FieldChange* c : open) {
            const auto change = tables.emplace(c->kind, c->number).second ? changeOf(*c) : std::nullopt;
            if (change)
                added.push_back(*change);
            else
                later.push_back(c);
        }
        done = added.empty() ? setField(open.front()->kind, open.front()->number, open.front()->path, open.front()->value)
                             : apply(std::move(added));
        open = std::move(later);
    }
    if (!done)
        *this = std::move(before);
    return done;
}

Result<void> ModelText::setParameter(std::string_view name, std::string_view value)
{
    const TextSpan found = parameter(name);
    if (found.empty())
        return Diagnostic{.what = "There is no parameter \"" + std::string(name) + "\" in the text",
                          .where = "parameters",
                          .remedy = "state it in [parameters]",
                          .position = {.file = file_}};
    return apply({{found, std::string(value)}});
}

Result<void> ModelText::removeField(std::string_view kind, int number, std::string_view path)
{
    const TextSpan value = field(kind, number, path);
    if (value.empty())
        return {};
    for (const TextTable* part : parts(kind, number))
        for (const TextStatement& s : part->statements) {
            if (s.value.begin == value.begin)
                return apply({{{lineBegin(text_, s.keySpan.begin), lineEnd(text_, s.value.end)}, ""}});
            if (value.begin < s.value.begin || value.end > s.value.end)
                continue;
            for (const TextStatement& inner : scanInline(text_, s.value)) {
                if (inner.value.begin != value.begin)
                    continue;
                TextSpan gone{inner.keySpan.begin, inner.value.end};
                std::size_t after = gone.end;
                while (std::isspace(static_cast<unsigned char>(text_[after])))
                    ++after;
                if (text_[after] == ',') {
                    gone.end = after + 1;
                    while (text_[gone.end] == ' ')
                        ++gone.end;
                } else {
                    while (gone.begin > s.value.begin + 1
                           && (std::isspace(static_cast<unsigned char>(text_[gone.begin - 1])) || text_[gone.begin - 1] == ','))
                        --gone.begin;
                    return apply({{gone, ""}});
                }
                return apply({{gone, ""}});
            }
        }
    return {};
}

/// With the comment right above it and the empty line that parts it from what stands before.
TextSpan ModelText::wholeLines(const TextTable& table) const
{
    TextSpan out{lineBegin(text_, table.header.begin), lineEnd(text_, table.end)};
    while (out.begin > 0) {
        const std::size_t above = lineBegin(text_, out.begin - 1);
        if (text_[above] != '#')
            break;
        out.begin = above;
    }
    while (out.begin > 0 && text_[out.begin - 1] == '\n' && (out.begin == 1 || text_[out.begin - 2] == '\n'))
        --out.begin;
    return out;
}

Result<void> ModelText::removeTable(std::string_view kind, int number)
{
    std::vector<Change> changes;
    for (const TextTable* part : parts(kind, number))
        changes.push_back({wholeLines(*part), ""});
    return apply(std::move(changes));
}

Result<void> ModelText::removeSection(std::string_view section)
{
    std::vector<Change> changes;
    for (std::size_t i = 1; i < tables_.size(); ++i)
        if (tables_[i].path.front() == section)
            changes.push_back({wholeLines(tables_[i]), ""});
    for (const TextStatement& s : tables_.front().statements)
        if (s.key.front() == section)
            changes.push_back({{lineBegin(text_, s.keySpan.begin), lineEnd(text_, s.value.end)}, ""});
    return apply(std::move(changes));
}

} // namespace driftless::model
