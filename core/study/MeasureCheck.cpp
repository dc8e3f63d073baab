// Measures and expressions judged by their text and the names of a model, before anything runs.
#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <tuple>

#include "core/expr/Parse.h"
#include "core/run/Event.h"
#include "core/study/Measure.h"
#include "core/study/MeasureSyntax.h"
#include "core/text/Names.h"

namespace driftless::study {

namespace {

using NamesOf = std::function<const RecordNames&(std::size_t run)>;

/// What the JSON of a run has besides states, parameters and counters (RunJson.h); a word where the second is true.
constexpr std::array<std::pair<std::string_view, bool>, 26> kReported{{{"model", true},
                                                                       {"formulation", true},
                                                                       {"integrator", true},
                                                                       {"status", true},
                                                                       {"t", false},
                                                                       {"energy", false},
                                                                       {"energy_error", false},
                                                                       {"tolerance", false},
                                                                       {"record_every", false},
                                                                       {"wall_seconds", false},
                                                                       {"residual.position", false},
                                                                       {"residual.velocity", false},
                                                                       {"residual.acceleration", false},
                                                                       {"residual.set_aside", false},
                                                                       {"max_residual.position", false},
                                                                       {"max_residual.velocity", false},
                                                                       {"max_residual.acceleration", false},
                                                                       {"max_residual.set_aside", false},
                                                                       {"drift.position", true},
                                                                       {"drift.energy", true},
                                                                       {"error_test.text", true},
                                                                       {"error_test.atol_multipliers", false},
                                                                       {"diagnostic.what", true},
                                                                       {"diagnostic.where", true},
                                                                       {"diagnostic.why", true},
                                                                       {"diagnostic.try", true}}};
constexpr std::array<std::string_view, 7> kCounters{
    "steps", "rejected", "residual_evaluations", "jacobian_evaluations", "factorizations", "newton_iterations", "pivots"};
constexpr std::array<std::string_view, 10> kOverRows{"first", "last",         "max",   "min",    "mean",
                                                     "rms",   "alternations", "drift", "growth", "at"};

bool among(const auto& names, std::string_view name) { return std::ranges::find(names, name) != std::ranges::end(names); }

/// A column by its name, or by the last part of it where that is unambiguous (RunData::find).
bool hasColumn(const std::vector<std::string>& columns, const std::string& wanted)
{
    if (among(columns, wanted))
        return true;
    return std::ranges::count_if(columns, [end = '.' + wanted](const std::string& full) { return full.ends_with(end); }) == 1;
}

Result<void> checkExpression(const MeasureText& whole, const std::string& text, const RecordNames* names)
{
    std::vector<std::string> known;
    if (names) {
        known = names->parameters;
        known.insert(known.end(), names->columns.begin(), names->columns.end());
    }
    const auto lookup = [&](std::string_view name, int primes) -> std::optional<expr::Expr> {
        const std::string full = std::string(name) + std::string(static_cast<std::size_t>(primes), '\'');
        if (names && full != "t" && !among(names->parameters, full) && !hasColumn(names->columns, full))
            return std::nullopt;
        return expr::symbol({expr::SymbolKind::Parameter, full, 0});
    };
    if (const auto parsed = expr::parse(text, lookup, {}, known); !parsed)
        return badMeasure(whole, parsed.error().text());
    return {};
}

class Checker {
public:
    Checker(const Study* study, const NamesOf& namesOf) : study_(study), namesOf_(namesOf) {}

    /// number: what is made of it asks for one.
    Result<void> check(std::size_t run, const MeasureText& text, bool number, int depth = 0) const
    {
        if (depth > kDeepestMeasure)
            return badMeasure(text, "it is nested too deeply");
        const std::string trimmed = trimmedMeasure(text.text);
        double value = 0;
        if (std::sscanf(trimmed.c_str(), "%lf", &value) == 1 && run::parseNumber(trimmed))
            return {};
        if (const auto call = asMeasureCall(trimmed))
            return function(run, *call, text, number, depth);
        return counter(run, trimmed, text, number);
    }

private:
    const RecordNames* names(std::size_t run) const { return study_ ? &namesOf_(run) : nullptr; }

    static Result<void> word(const MeasureText& text, bool number)
    {
        return number ? Result<void>{badMeasure(text, "it is a word, not a number", "is = \"...\" in a claim")}
                      : Result<void>{};
    }

    Result<void> counter(std::size_t run, const std::string& name, const MeasureText& text, bool number) const
    {
        if (among(kCounters, name) || (name.starts_with("stats.") && among(kCounters, std::string_view(name).substr(6))))
            return {};
        const auto reported = std::ranges::find(kReported, std::string_view(name), &std::pair<std::string_view, bool>::first);
        if (reported != kReported.end() && !name.empty())
            return reported->second ? word(text, number) : Result<void>{};
        if (!study_) // the name of a variable
            return known(name.find('(') == std::string::npos && name.find(')') == std::string::npos, text, name, {});
        if (study_->runs[run].variables.contains(name))
            return {};
        const RecordNames& of = *names(run);
        if (name.starts_with("state."))
            return known(among(of.columns, name.substr(6)), text, name.substr(6), of.columns);
        for (const char* prefix : {"parameter.", "parameters."})
            if (name.starts_with(prefix)) {
                const std::string parameter = name.substr(std::string_view(prefix).size());
                return known(among(of.parameters, parameter), text, parameter, of.parameters);
            }
        std::vector<std::string> all(kCounters.begin(), kCounters.end());
        for (const auto& [what, isWord] : kReported)
            all.emplace_back(what);
        return known(false, text, name, all);
    }

    static Result<void> known(bool is, const MeasureText& text, const std::string& name, const std::vector<std::string>& all)
    {
        if (is)
            return {};
        const std::string near = text::nearestName(name, all);
        return badMeasure(text, "a run has no \"" + name.substr(0, 60) + "\"",
                          near.empty() ? "steps, energy_error, max_residual.position, max(EXPRESSION), ..."
                                       : "did you mean \"" + near + "\"?");
    }

    Result<std::size_t> other(const std::string& name, const MeasureText& text) const
    {
        if (!study_)
            return std::size_t{0};
        for (std::size_t i = 0; i < study_->runs.size(); ++i)
            if (study_->runs[i].name == name)
                return i;
        return badMeasure(text, "there is no run \"" + name.substr(0, 60) + "\"");
    }

    Result<void> function(std::size_t run, const MeasureCall& call, const MeasureText& text, bool number, int depth) const
    {
        const auto& a = call.arguments;
        const auto part = [&](std::size_t of, std::size_t i, bool asNumber) {
            return check(of, {a[i], text.position}, asNumber, depth + 1);
        };
        if (call.name == "of" && a.size() == 2) {
            const auto index = other(a[0], text);
            return index ? part(*index, 1, number) : Result<void>{index.error()};
        }
        if (call.name == "ratio" && a.size() == 2) {
            if (auto first = part(run, 0, true); !first)
                return first;
            return part(run, 1, true);
        }
        if (call.name == "log10" && a.size() == 1)
            return part(run, 0, true);
        if (call.name == "slope" && a.size() == 2)
            return slope(run, call, text, depth);
        if ((call.name == "count" || call.name == "time") && a.size() == 1)
            return kind(a[0], text);
        if ((call.name == "difference" || call.name == "error") && (a.size() == 1 || a.size() == 2))
            return distance(run, call, text);
        if (!among(kOverRows, call.name) || a.size() != (call.name == "at" ? 2u : 1u))
            return badMeasure(text, "\"" + call.name.substr(0, 40) + "\" is no measure, or not with so many parts",
                              "first, last, max, min, mean, rms, at, alternations, drift, growth, ...");
        if (call.name == "at")
            if (const auto when = run::parseNumber(a[0]); !when)
                return badMeasure(text, when.error().text());
        if (auto sound = checkExpression(text, a.back(), names(run)); !sound)
            return sound;
        return call.name == "drift" ? word(text, number) : Result<void>{};
    }

    static Result<void> kind(const std::string& name, const MeasureText& text)
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
            if (auto sound = checkExpression(text, call.arguments[1], names(of)); !sound)
                return sound;
        return {};
    }

    Result<void> slope(std::size_t run, const MeasureCall& call, const MeasureText& text, int depth) const
    {
        std::set<double> values;
        for (std::size_t i = 0; study_ && i < study_->runs.size(); ++i) {
            const PlannedRun& one = study_->runs[i];
            if (one.family != study_->runs[run].family)
                continue;
            if (const auto at = one.variables.find(call.arguments[0]); at != one.variables.end())
                values.insert(at->second);
        }
        if (study_ && values.size() < 2)
            return badMeasure(text, "a slope needs two runs of the family with different \"" + call.arguments[0].substr(0, 40)
                                        + "\"");
        if (!values.empty() && !(*values.begin() > 0))
            return badMeasure(text, "a logarithm needs values above zero");
        return check(run, {call.arguments[1], text.position}, true, depth + 1);
    }

    const Study* study_;
    const NamesOf& namesOf_;
};

Result<void> checkPanelNames(const Study& study, const Checker& checker, const StudyFigure& figure, const StudyPanel& panel,
                             const NamesOf& namesOf)
{
    const auto runs = selectRuns(study, panel.runs.empty() ? figure.runs : panel.runs);
    if (!runs)
        return runs.error();
    const bool scatter = panel.kind == "scatter";
    if (!scatter && panel.kind != "curve" && panel.kind != "phase")
        return {};
    for (const std::string* text : {&panel.x, &panel.y}) {
        if (text->empty() || (text == &panel.x && panel.kind == "curve"))
            continue;
        for (const std::size_t run : *runs) {
            const MeasureText measured{*text, panel.position};
            if (auto sound = scatter ? checker.check(run, measured, true) : checkExpression(measured, *text, &namesOf(run));
                !sound)
                return sound;
        }
    }
    return {};
}

} // namespace

Result<void> checkMeasure(const MeasureText& text) { return Checker(nullptr, {}).check(0, text, false); }

Result<void> checkMeasures(const Study& study, const std::function<const RecordNames&(std::size_t run)>& namesOf)
{
    const Checker checker(&study, namesOf);
    // Runs that differ in values only are judged once.
    const auto unlike = [&](const std::vector<std::string>& names) -> Result<std::vector<std::size_t>> {
        auto runs = selectRuns(study, names);
        if (!runs)
            return runs;
        std::set<std::tuple<const RecordNames*, std::string, std::string>> seen;
        std::erase_if(*runs, [&](std::size_t run) {
            std::string variables;
            for (const auto& [name, value] : study.runs[run].variables)
                variables += name + '\n';
            return !seen.emplace(&namesOf(run), study.runs[run].family, variables).second;
        });
        return runs;
    };
    for (const Claim& claim : study.claims) {
        const auto runs = unlike(claim.runs);
        if (!runs)
            return runs.error();
        for (const std::size_t run : *runs)
            if (auto sound = checker.check(run, claim.measure, !claim.is && !claim.isNot); !sound)
                return sound;
    }
    for (const StudyTable& table : study.tables) {
        const auto runs = unlike(table.runs);
        if (!runs)
            return runs.error();
        for (const TableColumn& column : table.columns) {
            Result<void> last;
            const auto taken = [&](std::size_t run) {
                return static_cast<bool>(last = checker.check(run, column.measure, false));
            };
            if (!column.measure.text.empty() && std::ranges::none_of(*runs, taken) && !last)
                return last; // a run that has no such value leaves its cell empty, a column has one somewhere
        }
    }
    for (const StudyFigure& figure : study.figures)
        for (const StudyPanel& panel : figure.panels)
            if (auto sound = checkPanelNames(study, checker, figure, panel, namesOf); !sound)
                return sound;
    return {};
}

} // namespace driftless::study
