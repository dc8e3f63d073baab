#include "core/model/ModelText.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <deque>
#include <set>

namespace driftless::model {

namespace {

bool isBareCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

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
std::string_view shortPart(std::string_view key)
{
    return key == "from" || key == "to" ? "body" : "start";
}

bool holdsNames(std::string_view key)
{
    return key == "from" || key == "to" || key == "body" || key == "bodies" || key == "joint" || key == "carrier";
}

bool isProse(std::string_view key)
{
    return key == "name" || key == "kind" || key == "title" || key == "description" || key == "source" || key == "unit" || key == "units" ||
           key == "names" || key == "formulation" || key == "integrator";
}

/// Where text speaks of a part of the named thing: "bob" in "2*bob.x'".
std::vector<TextSpan> mentions(std::string_view text, TextSpan in, std::string_view name)
{
    std::vector<TextSpan> out;
    for (std::size_t at = text.find(name, in.begin); at != std::string_view::npos && at + name.size() < in.end; at = text.find(name, at + 1)) {
        const bool begins = at == in.begin || !(isBareCharacter(text[at - 1]) || text[at - 1] == '.');
        if (begins && text[at + name.size()] == '.')
            out.push_back({at, at + name.size()});
    }
    return out;
}

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
    char text[48];
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e9)) {
        std::snprintf(text, sizeof text, "%.7g", value);
        return text;
    }
    std::snprintf(text, sizeof text, "%.6f", value);
    std::string out = text;
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.')
        out.pop_back();
    return out == "-0" ? "0" : out;
}

std::string tomlString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + '"';
}

std::string tomlPlace(double value) { return tomlNumber(std::round(value * 1e6) / 1e6); }

std::string tomlPair(double u, double v)
{
    return "[" + tomlPlace(u) + ", " + tomlPlace(v) + "]";
}

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
    if (!entry || entry->value.kind != TomlKind::Array || number < 0 || static_cast<std::size_t>(number) >= entry->value.items.size())
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
TextSpan findIn(std::string_view text, const std::vector<TextStatement>& statements, const std::vector<std::string>& path, std::size_t done)
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

void ModelText::addReferences(std::size_t table, const TextStatement& statement, std::string_view name, int depth, std::vector<Reference>& out) const
{
    const std::string section = tables_[table].path.empty() ? std::string() : tables_[table].path.front();
    if (section == "chart" || section == "velocity")
        for (const TextSpan& at : mentions(text_, statement.keySpan, name))
            out.push_back({table, at, false, {}});
    if (text_[statement.value.begin] == '{' && depth < 8) {
        for (TextStatement inner : scanInline(text_, statement.value)) {
            if (inner.key.size() == 1 && (inner.key.front() == "start" || inner.key.front() == "at"))
                inner.key = {"value"};
            addReferences(table, inner, name, depth + 1, out);
        }
        return;
    }
    const std::string& key = statement.key.back();
    if (isProse(key))
        return;
    for (const TextSpan& inner : scanStrings(text_, statement.value)) {
        if (holdsNames(key)) {
            if (std::string_view(text_).substr(inner.begin, inner.end - inner.begin) == name)
                out.push_back({table, inner, key == "bodies", {inner.begin - 1, inner.end + 1}});
            continue;
        }
        for (const TextSpan& at : mentions(text_, inner, name))
            out.push_back({table, at, false, {}});
    }
}

std::vector<ModelText::Reference> ModelText::referencesIn(std::size_t table, std::string_view name) const
{
    std::vector<Reference> out;
    for (const TextStatement& statement : tables_[table].statements)
        if (!statement.value.empty())
            addReferences(table, statement, name, 0, out);
    return out;
}

std::vector<ModelText::Place> ModelText::references(std::string_view name) const
{
    std::vector<Place> out;
    for (std::size_t i = 1; i < tables_.size(); ++i)
        if (!referencesIn(i, name).empty()) {
            std::size_t top = i;
            while (top > 0 && tables_[top].path.size() > 1 && tables_[i].path.front() == tables_[top].path.front())
                --top;
            out.push_back(placeOf(tables_[i].path.size() > 1 && tables_[top].path != std::vector{tables_[i].path.front()} ? i : top));
        }
    return out;
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
    for (const TextTable& t : tables_)
        if (!t.array && t.path.empty())
            for (const TextStatement& s : t.statements)
                if (s.key.front() == kind)
                    return Diagnostic{"The tables of kind " + std::string(kind) + " stand in one list", "", "the editor adds tables with a header [[" + std::string(kind) + "]]",
                                      "write each of them as a table of its own", {file_, 0, 0}};
    const std::size_t at = insertionPoint(kind);
    std::string block(table);
    while (!block.empty() && std::isspace(static_cast<unsigned char>(block.back())))
        block.pop_back();
    const std::string before = at == 0 ? "" : text_[at - 1] == '\n' ? "\n" : "\n\n";
    return apply({{{at, at}, before + block + (at < text_.size() && text_[at] == '\n' ? "" : "\n")}});
}

Result<void> ModelText::addTable(std::string_view kind, const Fields& fields)
{
    std::string block = "[[" + std::string(kind) + "]]\n";
    for (const auto& [key, value] : fields)
        block += key + " = " + value + "\n";
    return addText(kind, block);
}

Result<void> ModelText::setField(std::string_view kind, int number, std::string_view path, std::string_view value)
{
    const auto wanted = split(path);
    const TextTable* table = head(kind, number);
    if (!table)
        return Diagnostic{"There is no such table in the text", std::string(kind) + " " + std::to_string(number + 1), "tables in one list are not changed by the editor",
                          "write it as a table [[" + std::string(kind) + "]] of its own", {file_, 0, 0}};
    if (const TextSpan found = field(kind, number, path); !found.empty())
        return apply({{found, std::string(value)}});
    const std::string text(value);
    for (const TextStatement& s : table->statements) {
        if (s.key.size() != 1 || s.key.front() != wanted.front() || wanted.size() != 2)
            continue;
        if (text_[s.value.begin] == '{') {
            std::size_t last = s.value.end - 1;
            while (last > s.value.begin + 1 && std::isspace(static_cast<unsigned char>(text_[last - 1])))
                --last;
            const bool empty = last == s.value.begin + 1;
            return apply({{{last, s.value.end - 1}, (empty ? " " : ", ") + wanted[1] + " = " + text + " "}});
        }
        const std::string plain = text_.substr(s.value.begin, s.value.end - s.value.begin);
        return apply({{s.value, "{ " + std::string(shortPart(wanted[0])) + " = " + plain + ", " + wanted[1] + " = " + text + " }"}});
    }
    const std::string line = wanted.size() == 1 ? wanted[0] + " = " + text : wanted[0] + " = { " + wanted[1] + " = " + text + " }";
    return apply({{{table->end, table->end}, "\n" + line}});
}

Result<void> ModelText::setFields(const std::vector<FieldChange>& changes)
{
    std::vector<Change> there;
    std::vector<const FieldChange*> others;
    for (const FieldChange& c : changes) {
        if (const TextSpan found = field(c.kind, c.number, c.path); !found.empty())
            there.push_back({found, c.value});
        else
            others.push_back(&c);
    }
    ModelText before = *this;
    Result<void> done = apply(std::move(there));
    for (const FieldChange* c : others)
        if (done)
            done = setField(c->kind, c->number, c->path, c->value);
    if (!done)
        *this = std::move(before);
    return done;
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
                    while (gone.begin > s.value.begin + 1 && (std::isspace(static_cast<unsigned char>(text_[gone.begin - 1])) || text_[gone.begin - 1] == ','))
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

Result<std::vector<ModelText::Place>> ModelText::remove(std::string_view name)
{
    const Place* first = find(name);
    if (!first)
        return Diagnostic{"There is no \"" + std::string(name) + "\"", "", "", "", {file_, 0, 0}};
    std::vector<Place> gone{*first};
    std::vector<Change> changes;
    std::set<std::pair<std::string, int>> removed{{first->kind, first->number}};
    bool chart = false;
    std::deque<std::string> names{std::string(name)};
    const auto take = [&](const Place& place) {
        if (!removed.insert({place.kind, place.number}).second)
            return;
        gone.push_back(place);
        if (!place.name.empty())
            names.push_back(place.name);
    };
    for (; !names.empty(); names.pop_front()) {
        std::size_t top = 0;
        for (std::size_t i = 1; i < tables_.size(); ++i) {
            if (tables_[i].path.size() == 1)
                top = i;
            const auto found = referencesIn(i, names.front());
            if (found.empty())
                continue;
            const std::string& section = tables_[i].path.front();
            const bool listed = std::all_of(found.begin(), found.end(), [](const Reference& r) { return r.listed; });
            if (section == "chart") {
                if (!chart)
                    gone.push_back({"chart", 0, {}});
                chart = true;
            } else if (listed) {
                for (const Reference& r : found) {
                    TextSpan item = r.item;
                    std::size_t after = item.end;
                    while (after < text_.size() && (std::isspace(static_cast<unsigned char>(text_[after]))))
                        ++after;
                    if (text_[after] == ',')
                        for (item.end = after + 1; text_[item.end] == ' ';)
                            ++item.end;
                    else
                        while (text_[item.begin - 1] == ' ' || text_[item.begin - 1] == ',')
                            --item.begin;
                    changes.push_back({item, ""});
                }
            } else if (tables_[top].array && tables_[top].path.front() == section) {
                take(placeOf(top));
            } else {
                return Diagnostic{"\"" + std::string(name) + "\" cannot be removed", "[" + section + "]",
                                  "the table [" + section + "] is stated with " + names.front(), "change that table first, in the text", {file_, 0, 0}};
            }
        }
    }
    for (const auto& [kind, number] : removed)
        for (const TextTable* part : parts(kind, number))
            changes.push_back({wholeLines(*part), ""});
    if (chart)
        for (std::size_t i = 1; i < tables_.size(); ++i)
            if (tables_[i].path.front() == "chart")
                changes.push_back({wholeLines(tables_[i]), ""});
    // A change inside of a table that goes would be applied twice.
    std::vector<Change> outer;
    for (const Change& c : changes)
        if (std::none_of(changes.begin(), changes.end(), [&](const Change& o) {
                return &o != &c && o.span.begin <= c.span.begin && c.span.end <= o.span.end && (o.span.end - o.span.begin) > (c.span.end - c.span.begin);
            }))
            outer.push_back(c);
    if (auto done = apply(std::move(outer)); !done)
        return done.error();
    return gone;
}

Result<void> ModelText::rename(std::string_view name, std::string_view to)
{
    const Place* place = find(name);
    const bool good = !to.empty() && to.size() <= 60 && std::all_of(to.begin(), to.end(), isBareCharacter) && !std::isdigit(static_cast<unsigned char>(to.front()));
    if (!place || !good)
        return Diagnostic{"\"" + std::string(to.substr(0, 60)) + "\" cannot be a name", place ? place->words() : std::string(name), "a name has letters, digits and _",
                          "begin with a letter", {file_, 0, 0}};
    if (name == to)
        return {};
    if (taken(to))
        return Diagnostic{"The name \"" + std::string(to) + "\" is used already", place->words(), "", "choose another name", {file_, 0, 0}};
    std::vector<Change> changes{{field(place->kind, place->number, "name"), tomlString(to)}};
    for (std::size_t i = 1; i < tables_.size(); ++i)
        for (const Reference& reference : referencesIn(i, name))
            changes.push_back({reference.name, std::string(to)});
    return apply(std::move(changes));
}

} // namespace driftless::model
