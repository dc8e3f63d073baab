// Names in the text of a mechanism: what speaks of a table, removing it with all that does, and renaming.
//
// A table that stands for many (core/mechanism/Repeat) has a name such as "bob[i]": base "bob", index "[i]". What speaks of it
// writes any index behind the base ("bob[i-1].x", "bob[N]"), or the number of a copy ("bob3").
#include <algorithm>
#include <cctype>
#include <deque>
#include <set>

#include "core/mechanism/ModelText.h"
#include "core/text/Escapes.h"

namespace driftless::model {

namespace {

bool isBareCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool refersToNames(std::string_view section, std::string_view key)
{
    if ((section == "output" || section == "start")
        && (key == "point" || key == "frame")) // of a force, frame says "ground" or "body"
        return true;
    return key == "from" || key == "to" || key == "body" || key == "bodies" || key == "joint" || key == "carrier";
}

bool isProse(std::string_view key)
{
    return key == "name" || key == "kind" || key == "title" || key == "description" || key == "source" || key == "unit"
           || key == "units" || key == "names" || key == "formulation" || key == "integrator";
}

std::string_view baseOf(std::string_view name) { return name.substr(0, std::min(name.find('['), name.size())); }
std::string_view indexOf(std::string_view name) { return name.substr(baseOf(name).size()); }

/// Behind "[i]", "[i-1]" or the number of a copy that begins at; at itself where there is none.
std::size_t behindIndex(std::string_view text, std::size_t at, std::size_t end)
{
    std::size_t out = at;
    while (out < end && text[out] == '[') {
        const std::size_t close = text.find(']', out);
        if (close >= end)
            return at;
        out = close + 1;
    }
    if (out == at)
        while (out < end && isDigit(text[out]))
            ++out;
    return out;
}

} // namespace

/// The bytes of the base where the text at this place speaks of the named thing; whole: and of nothing else, else of a part of
/// it
/// ("bob" in "2*bob.x'").
TextSpan ModelText::mentionAt(std::size_t at, TextSpan in, std::string_view name, bool whole) const
{
    const std::string_view base = baseOf(name);
    const bool begins =
        at == in.begin || (!whole && !isBareCharacter(text_[at - 1]) && text_[at - 1] != '.' && text_[at - 1] != ']');
    if (!begins || text_.compare(at, base.size(), base) != 0)
        return {};
    std::size_t end = at + base.size();
    if (end > in.end)
        return {};
    if (base.size() < name.size()) {
        const std::size_t behind = behindIndex(text_, end, in.end);
        const bool other =
            behind == end || (text_[end] != '[' && find(std::string_view(text_).substr(at, behind - at))); // a table of its own
        if (other)
            return {};
        end = behind;
    }
    const bool ends = whole ? end == in.end : end < in.end && text_[end] == '.';
    return ends ? TextSpan{at, at + base.size()} : TextSpan{};
}

std::vector<TextSpan> ModelText::mentions(TextSpan in, std::string_view name) const
{
    std::vector<TextSpan> out;
    const std::string_view base = baseOf(name);
    for (std::size_t at = text_.find(base, in.begin); at != std::string::npos && at + base.size() <= in.end;
         at = text_.find(base, at + 1))
        if (const TextSpan found = mentionAt(at, in, name, false); !found.empty())
            out.push_back(found);
    return out;
}

void ModelText::addReferences(std::size_t table, const TextStatement& statement, std::string_view name, int depth,
                              std::vector<Reference>& out) const
{
    const std::string section = tables_[table].path.empty() ? std::string() : tables_[table].path.front();
    if (section == "chart" || section == "velocity")
        for (const TextSpan& at : mentions(statement.keySpan, name))
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
        if (refersToNames(section, key)) {
            if (const TextSpan found = mentionAt(inner.begin, inner, name, true); !found.empty())
                out.push_back({table, found, key == "bodies", {inner.begin - 1, inner.end + 1}});
            continue;
        }
        for (const TextSpan& at : mentions(inner, name))
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
            out.push_back(
                placeOf(tables_[i].path.size() > 1 && tables_[top].path != std::vector{tables_[i].path.front()} ? i : top));
        }
    return out;
}

namespace {

/// An item of a list with the comma that goes with it.
TextSpan withItsComma(const std::string& text, TextSpan item)
{
    std::size_t after = item.end;
    while (after < text.size() && std::isspace(static_cast<unsigned char>(text[after])))
        ++after;
    if (text[after] == ',')
        for (item.end = after + 1; text[item.end] == ' ';)
            ++item.end;
    else
        while (text[item.begin - 1] == ' ' || text[item.begin - 1] == ',')
            --item.begin;
    return item;
}

Diagnostic neededBy(std::string_view name, const std::string& section, const std::string& statedWith, const std::string& file)
{
    return {.what = "\"" + std::string(name) + "\" cannot be removed",
            .where = "[" + section + "]",
            .why = "the table [" + section + "] is stated with " + statedWith,
            .remedy = "change that table first, in the text",
            .position = {.file = file}};
}

} // namespace

Result<std::vector<ModelText::Place>> ModelText::remove(std::string_view name)
{
    const Place* first = find(name);
    if (!first)
        return Diagnostic{.what = "There is no \"" + std::string(name) + "\"", .position = {.file = file_}};
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
                for (const Reference& r : found)
                    changes.push_back({withItsComma(text_, r.item), ""});
            } else if (tables_[top].array && tables_[top].path.front() == section) {
                take(placeOf(top));
            } else {
                return neededBy(name, section, names.front(), file_);
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
    const std::vector<Change> all = changes;
    std::erase_if(changes, [&all](const Change& c) {
        return std::any_of(all.begin(), all.end(), [&c](const Change& o) {
            return o.span.begin <= c.span.begin && c.span.end <= o.span.end
                   && (o.span.end - o.span.begin) > (c.span.end - c.span.begin);
        });
    });
    if (auto done = apply(std::move(changes)); !done)
        return done.error();
    return gone;
}

Result<void> ModelText::rename(std::string_view name, std::string_view to)
{
    const Place* place = find(name);
    const std::string_view base = baseOf(name), index = indexOf(name), wanted = index.empty() ? to : baseOf(to);
    const bool good = !wanted.empty() && wanted.size() <= 60 && std::all_of(wanted.begin(), wanted.end(), isBareCharacter)
                      && !isDigit(wanted.front());
    if (!place || !good)
        return Diagnostic{.what = "\"" + std::string(to.substr(0, 60)) + "\" cannot be a name",
                          .where = place ? place->words() : std::string(name),
                          .why = "a name has letters, digits and _",
                          .remedy = "begin with a letter",
                          .position = {.file = file_}};
    if (wanted.size() < to.size() && indexOf(to) != index)
        return Diagnostic{.what = "The index of " + std::string(name) + " stays as it is",
                          .where = place->words(),
                          .why = std::string(index) + " tells its copies apart",
                          .remedy = "write " + std::string(wanted) + ", or change the index in the text",
                          .position = {.file = file_}};
    if (base == wanted)
        return {};
    if (taken(wanted) || std::any_of(places_.begin(), places_.end(), [&](const Place& p) {
            return !index.empty() && baseOf(p.name) == wanted;
        }))
        return Diagnostic{.what = "The name \"" + std::string(wanted) + "\" is used already",
                          .where = place->words(),
                          .remedy = "choose another name",
                          .position = {.file = file_}};
    std::vector<Change> changes;
    for (const Place& other : places_) { // "bob0" and "bob[i]" stand in one chain: bob[i-1] speaks of both
        const bool same = !index.empty() && other.name.starts_with(base) && other.name.size() > base.size()
                          && behindIndex(other.name, base.size(), other.name.size()) == other.name.size();
        if (!same && &other != place)
            continue;
        changes.push_back(
            {field(other.kind, other.number, "name"), text::tomlString(std::string(wanted) + other.name.substr(base.size()))});
        for (std::size_t i = 1; i < tables_.size(); ++i)
            for (const Reference& reference : referencesIn(i, other.name))
                if (std::none_of(changes.begin(), changes.end(),
                                 [&](const Change& c) { return c.span.begin == reference.name.begin; }))
                    changes.push_back({{reference.name.begin, reference.name.begin + base.size()}, std::string(wanted)});
    }
    return apply(std::move(changes));
}

} // namespace driftless::model
