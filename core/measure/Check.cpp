#include "core/measure/Check.h"

#include <algorithm>
#include <set>

#include "core/expr/Parse.h"
#include "core/measure/Meaning.h"
#include "core/run/RunRequest.h"
#include "core/text/Names.h"

namespace driftless::measure {

namespace {

constexpr const char* kExamples = "steps, energy_error, max_residual.position, max(EXPRESSION), ...";

bool among(const std::vector<std::string>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

class PlannedNames final : public NamesOfRows {
public:
    explicit PlannedNames(const RunNames& names) : names_(names) {}
    bool isColumn(const std::string& name) const override { return hasColumn(names_, name); }
    bool isParameter(const std::string& name) const override { return among(names_.parameters, name); }

private:
    const RunNames& names_;
};

Result<void> judgeExpression(const MeasureText& whole, const std::string& text, const RunNames* names)
{
    std::vector<std::string> known;
    if (names) {
        known = names->parameters;
        known.insert(known.end(), names->columns.begin(), names->columns.end());
    }
    std::optional<Diagnostic> clash;
    const auto lookup = [&](std::string_view name, int primes) -> std::optional<expr::Expr> {
        const std::string full = std::string(name) + std::string(static_cast<std::size_t>(primes), '\'');
        if (names) {
            const Meaning meant = meaningOf(full, PlannedNames(*names));
            if (meant.kind == Meaning::Kind::Both)
                clash = ambiguous(full);
            if (meant.kind == Meaning::Kind::Both || meant.kind == Meaning::Kind::Nothing)
                return std::nullopt;
        }
        return expr::symbol({expr::SymbolKind::Parameter, full, 0});
    };
    const auto parsed = expr::parse(text, lookup, {}, known);
    if (clash)
        return badMeasure(whole, clash->what, clash->remedy);
    if (!parsed) {
        const Diagnostic& why = parsed.error();
        return badMeasure(
            whole, why.what + (why.why.empty() ? "" : ": " + why.why),
            !why.remedy.empty() || !names
                ? why.remedy
                : "a column, a parameter or t; what else the model knows, such as an input, has a column as an output");
    }
    return {};
}

Result<void> judgeWord(const MeasureText& text, bool number)
{
    return number ? Result<void>{badMeasure(text, "it is a word, not a number", "is = \"...\"")} : Result<void>{};
}

Result<void> unknownName(const MeasureText& text, const std::string& name, const std::vector<std::string>& known)
{
    const std::string near = text::nearestName(name, known);
    return badMeasure(text, "a run has no \"" + name.substr(0, 60) + "\"",
                      near.empty() ? kExamples : "did you mean \"" + near + "\"?");
}

class Checker {
public:
    Checker(const PlannedRuns* runs, Place place) : runs_(runs), place_(place) {}

    Result<void> check(std::size_t run, const MeasureText& text, bool number, int depth = 0) const
    {
        if (depth > kDeepestMeasure)
            return badMeasure(text, "it is nested too deeply");
        const std::string trimmed = trimmedMeasure(text.text);
        if (asNumber(trimmed))
            return {};
        if (const auto call = asMeasureCall(trimmed))
            return function(run, *call, text, number, depth);
        return named(run, trimmed, text, number);
    }

private:
    const RunNames* names(std::size_t run) const { return runs_ ? &runs_->names(run) : nullptr; }

    /// A variable hides a name of the registry, which hides a column.
    Result<void> named(std::size_t run, const std::string& name, const MeasureText& text, bool number) const
    {
        if (name.find_first_of("()") != std::string::npos)
            return unknownName(text, name, {});
        if (runs_ && runs_->hasVariable(run, name))
            return {};
        if (const NamedMeasure* row = findNamed(name); row && isAvailable(*row, place_))
            return row->word ? judgeWord(text, number) : Result<void>{};
        const PrefixedMeasure* prefixed = findPrefixed(name);
        if (prefixed && !(place_ == Place::Study ? prefixed->finished : prefixed->live))
            prefixed = nullptr;
        if (!runs_)
            return prefixed && prefixed->word ? judgeWord(text, number) : unjudged(name, text, prefixed != nullptr);
        if (prefixed)
            return ofModel(run, *prefixed, name, text, number);
        if (!hasColumn(*names(run), name))
            return unknownName(text, name, known(names(run)->columns));
        if (among(names(run)->parameters, name))
            return badMeasure(text, ambiguous(name).what, ambiguous(name).remedy);
        return {};
    }

    /// Without a model a name may be that of a variable or a column. In a lesson one that is nearly a measure is a slip.
    Result<void> unjudged(const std::string& name, const MeasureText& text, bool isPrefixed) const
    {
        if (place_ == Place::Study || isPrefixed || text::nearestName(name, known({})).empty())
            return {};
        return unknownName(text, name, known({}));
    }

    Result<void> ofModel(std::size_t run, const PrefixedMeasure& prefixed, const std::string& name, const MeasureText& text,
                         bool number) const
    {
        const std::string rest = name.substr(prefixed.prefix.size());
        const RunNames& all = *names(run);
        const auto judged = [&](const std::vector<std::string>& list) -> Result<void> {
            return among(list, rest) ? Result<void>{} : unknownName(text, rest, list);
        };
        if (prefixed.prefix == "state.")
            return judged(all.columns);
        if (prefixed.prefix == "parameter.")
            return judged(all.parameters);
        if (prefixed.prefix == "gain.")
            return judged(all.gains);
        if (auto there = judged(all.options); !there)
            return there;
        return judgeWord(text, number);
    }

    std::vector<std::string> known(const std::vector<std::string>& columns) const
    {
        std::vector<std::string> out;
        for (const NamedMeasure& row : namedMeasures())
            if (isAvailable(row, place_))
                out.emplace_back(row.name);
        out.insert(out.end(), columns.begin(), columns.end());
        return out;
    }

    Result<std::size_t> other(const std::string& name, const MeasureText& text) const
    {
        if (!runs_)
            return std::size_t{0};
        if (const auto found = runs_->find(name))
            return *found;
        return badMeasure(text, "there is no run \"" + name.substr(0, 60) + "\"");
    }

    Result<void> function(std::size_t run, const MeasureCall& call, const MeasureText& text, bool number, int depth) const
    {
        const MeasureFunction* known = findFunction(call);
        if (!known)
            return badMeasure(text, "\"" + call.name.substr(0, 40) + "\" is no measure, or not with so many parts",
                              "first, last, max, min, mean, rms, at, alternations, drift, growth, ...");
        const auto part = [&](std::size_t of, std::size_t i, bool asNumber) {
            return check(of, {call.arguments[i], text.position}, asNumber, depth + 1);
        };
        switch (known->kind) {
        case Parts::RunAndMeasure: {
            const auto index = other(call.arguments[0], text);
            return index ? part(*index, 1, number) : Result<void>{index.error()};
        }
        case Parts::TwoMeasures:
            if (auto first = part(run, 0, true); !first)
                return first;
            return part(run, 1, true);
        case Parts::Measure:
            return part(run, 0, true);
        case Parts::Slope:
            return slope(run, call, text, depth);
        case Parts::EventKind:
            return eventKind(call.arguments[0], text);
        case Parts::Run:
        case Parts::RunAndExpression:
            return distance(run, call, text);
        case Parts::TimeAndExpression:
            if (const auto when = run::parseNumber(call.arguments[0]); !when)
                return badMeasure(text, when.error().text());
            break;
        case Parts::Expression:
            break;
        }
        if (auto sound = judgeExpression(text, call.arguments.back(), names(run)); !sound)
            return sound;
        return known->word ? judgeWord(text, number) : Result<void>{};
    }

    static Result<void> eventKind(const std::string& name, const MeasureText& text)
    {
        std::vector<std::string> kinds;
        for (int k = 0; k <= static_cast<int>(run::EventKind::Finished); ++k)
            kinds.push_back(run::eventKindName(static_cast<run::EventKind>(k)));
        return among(kinds, name) ? Result<void>{}
                                  : Result<void>{badMeasure(text, "there are no events \"" + name.substr(0, 40) + "\"",
                                                            "one of " + text::firstOf(kinds))};
    }

    Result<void> distance(std::size_t run, const MeasureCall& call, const MeasureText& text) const
    {
        const auto index = other(call.arguments[0], text);
        if (!index)
            return index.error();
        if (call.arguments.size() < 2)
            return {};
        for (const std::size_t of : {run, *index})
            if (auto sound = judgeExpression(text, call.arguments[1], names(of)); !sound)
                return sound;
        return {};
    }

    Result<void> slope(std::size_t run, const MeasureCall& call, const MeasureText& text, int depth) const
    {
        std::set<double> values;
        if (runs_)
            for (const double value : runs_->familyValues(run, call.arguments[0]))
                values.insert(value);
        if (runs_ && values.size() < 2) {
            const std::string name = call.arguments[0].substr(0, 40), last = name.substr(name.find_last_of('.') + 1);
            const bool varied = last != name && !runs_->familyValues(run, last).empty();
            return badMeasure(text, "a slope needs two runs of the family with different \"" + name + '"',
                              varied ? "\"" + last + "\": what is varied as \"" + name + "\" is called that" : "");
        }
        if (!values.empty() && !(*values.begin() > 0))
            return badMeasure(text, "a logarithm needs values above zero");
        return check(run, {call.arguments[1], text.position}, true, depth + 1);
    }

    const PlannedRuns* runs_;
    Place place_;
};

} // namespace

bool hasColumn(const RunNames& names, const std::string& wanted)
{
    if (among(names.columns, wanted))
        return true;
    return std::ranges::count_if(names.columns, [end = '.' + wanted](const std::string& full) { return full.ends_with(end); })
           == 1;
}

Result<void> checkMeasure(const MeasureText& text, Place place) { return Checker(nullptr, place).check(0, text, false); }

Result<void> checkMeasure(const PlannedRuns& runs, std::size_t run, const MeasureText& text, Place place, bool number)
{
    return Checker(&runs, place).check(run, text, number);
}

Result<void> checkExpression(const RunNames& names, const MeasureText& text)
{
    return judgeExpression(text, text.text, &names);
}

} // namespace driftless::measure
