#include "core/run/SessionCodec.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/integrate/RungeKutta.h"
#include "core/run/TableauFile.h"
#include "core/text/Names.h"

namespace driftless::run::codec {

namespace {

[[noreturn]] void wrong(const char* key, const char* wanted)
{
    throw std::invalid_argument(text::quoted(key) + " is not " + wanted);
}

} // namespace

Json parse(const std::string& text)
{
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& e) {
        const std::size_t end = std::min(text.size(), e.byte > 0 ? e.byte - 1 : 0);
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
        const std::size_t before = text.rfind('\n', end > 0 ? end - 1 : 0);
        const std::size_t column = end - (line == 1 || before == std::string::npos ? 0 : before + 1) + 1;
        throw std::invalid_argument("it is no JSON from line " + std::to_string(line) + ", column " + std::to_string(column)
                                    + " on");
    } catch (const Json::exception&) {
        throw std::invalid_argument("one of its numbers is too large to be read");
    }
}

const Json& member(const Json& object, const char* key)
{
    if (!object.is_object())
        throw std::invalid_argument("there is no table where " + text::quoted(key) + " is looked for");
    const auto found = object.find(key);
    if (found == object.end())
        throw std::invalid_argument(text::quoted(key) + " is missing");
    return *found;
}

std::string text(const Json& object, const char* key)
{
    const Json& j = member(object, key);
    if (!j.is_string())
        wrong(key, "a text");
    return j.get<std::string>();
}

double number(const Json& object, const char* key)
{
    const Json& j = member(object, key);
    if (!j.is_number() || !std::isfinite(j.get<double>()))
        wrong(key, "a finite number");
    return j.get<double>();
}

bool flag(const Json& object, const char* key)
{
    const Json& j = member(object, key);
    if (!j.is_boolean())
        wrong(key, "true or false");
    return j.get<bool>();
}

std::uint64_t count(const Json& object, const char* key, std::uint64_t most)
{
    const Json& j = member(object, key);
    // A whole number that is not negative is unsigned once it is parsed, but signed where a program put it.
    if (!j.is_number_integer() || (!j.is_number_unsigned() && j.get<std::int64_t>() < 0))
        wrong(key, "a whole number from 0 on");
    if (j.get<std::uint64_t>() > most)
        throw std::invalid_argument(text::quoted(key) + " is above " + std::to_string(most));
    return j.get<std::uint64_t>();
}

const Json& list(const Json& object, const char* key)
{
    const Json& j = member(object, key);
    if (!j.is_array())
        wrong(key, "a list");
    return j;
}

const Json& table(const Json& object, const char* key)
{
    const Json& j = member(object, key);
    if (!j.is_object())
        wrong(key, "a table");
    return j;
}

namespace {

Json optionsJson(const integrate::IntegratorOptions& o)
{
    Json out{{"step", o.step},
             {"rtol", o.relativeTolerance},
             {"atol", o.absoluteTolerance},
             {"atol_multipliers", o.multiplierTolerance},
             {"max_step", o.maxStep},
             {"min_step", o.minStep},
             {"min_newton_iterations", o.minNewtonIterations},
             {"method_parameter", o.parameter}};
    if (!o.tolerances.empty())
        out["atol_for"] = o.tolerances;
    return out;
}

integrate::IntegratorOptions options(const Json& j)
{
    integrate::IntegratorOptions o;
    o.step = number(j, "step");
    o.relativeTolerance = number(j, "rtol");
    o.absoluteTolerance = number(j, "atol");
    o.multiplierTolerance = number(j, "atol_multipliers");
    o.maxStep = number(j, "max_step");
    o.minStep = number(j, "min_step");
    o.minNewtonIterations = static_cast<int>(count(j, "min_newton_iterations", std::numeric_limits<int>::max()));
    if (j.contains("method_parameter")) // sessions before there were families have none
        o.parameter = number(j, "method_parameter");
    if (j.contains("atol_for"))
        for (const auto& [name, value] : table(j, "atol_for").items())
            o.tolerances[name] = number(table(j, "atol_for"), name.c_str());
    if (auto checked = o.check(); !checked)
        throw std::invalid_argument(checked.error().text());
    return o;
}

Json pivotJson(const PivotChoice& p) { return {{"automatic", p.automatic}, {"dummies", p.dummies}}; }

/// Words of a list.
std::vector<std::string> words(const Json& object, const char* key)
{
    std::vector<std::string> out;
    for (const Json& word : list(object, key)) {
        if (!word.is_string())
            throw std::invalid_argument(text::quoted(key) + " holds something that is no word");
        out.push_back(word.get<std::string>());
    }
    return out;
}

PivotChoice pivot(const Json& j) { return {flag(j, "automatic"), words(j, "dummies")}; }

Json mapJson(const std::map<std::string, double>& map)
{
    Json out = Json::object();
    for (const auto& [name, value] : map)
        out[name] = value;
    return out;
}

std::map<std::string, double> map(const Json& object, const char* key)
{
    std::map<std::string, double> out;
    for (const auto& [name, value] : table(object, key).items())
        out[name] = number(table(object, key), name.c_str());
    return out;
}

constexpr const char* kEveryStep = "every-step";
constexpr const char* kAsCurvesNeed = "as-curves-need";

const char* rowsName(Rows rows) { return rows == Rows::EveryStep ? kEveryStep : kAsCurvesNeed; }

Rows rowsOf(const std::string& name)
{
    if (name != kEveryStep && name != kAsCurvesNeed)
        throw std::invalid_argument("unknown rows \"" + name.substr(0, 40) + "\"");
    return name == kEveryStep ? Rows::EveryStep : Rows::AsCurvesNeed;
}

/// A method of one's own goes with its numbers: whoever opens the session has it, too.
Json withTableau(Json out, const std::string& integrator)
{
    if (const auto own = integrate::findOwnMethod(integrator))
        out["tableau"] = writeTableau(own->tableau);
    return out;
}

std::string integratorOf(const Json& j, const char* key)
{
    auto id = text(j, key);
    if (!j.contains("tableau"))
        return id;
    const auto known = addTableau(text(j, "tableau"), "tableau of " + id.substr(0, 60));
    if (!known)
        throw std::invalid_argument(known.error().text());
    if (*known != id)
        throw std::invalid_argument("the tableau of \"" + id.substr(0, 60) + "\" is that of another method, " + *known);
    return id;
}

struct PayloadJson {
    Json operator()(const SetParameter& c) const { return {{"do", "parameter"}, {"name", c.name}, {"value", c.value}}; }
    Json operator()(const SetFormulation& c) const { return {{"do", "formulation"}, {"id", c.id}}; }
    Json operator()(const SetIntegrator& c) const { return withTableau({{"do", "integrator"}, {"id", c.id}}, c.id); }
    Json operator()(const SetOptions& c) const { return {{"do", "options"}, {"options", optionsJson(c.options)}}; }
    Json operator()(const SetPivot& c) const { return {{"do", "pivot"}, {"pivot", pivotJson(c.pivot)}}; }
    Json operator()(const SetGain& c) const { return {{"do", "gain"}, {"name", c.name}, {"value", c.value}}; }
    Json operator()(const SetChoice& c) const { return {{"do", "choice"}, {"name", c.name}, {"value", c.value}}; }
    Json operator()(const SetRows& c) const { return {{"do", "rows"}, {"rows", rowsName(c.rows)}}; }
    Json operator()(const SetState& c) const
    {
        return {{"do", "state"}, {"values", mapJson(c.values)}, {"as_recorded", c.asRecorded}};
    }
    Json operator()(const SetStart& c) const
    {
        return {{"do", "start"},
                {"values", mapJson(c.values)},
                {"allow_inconsistent", c.allowInconsistent},
                {"mass_metric", c.massMetric},
                {"fixed", c.fixed ? Json(*c.fixed) : Json()}};
    }
    Json operator()(const Reset&) const { return {{"do", "reset"}}; }
    Json operator()(const Branch& c) const
    {
        Json out{{"do", "branch"}, {"to", c.to}};
        if (c.settings)
            out["settings"] = toJson(*c.settings);
        if (!c.parameters.empty())
            out["parameters"] = mapJson(c.parameters);
        return out;
    }
    Json operator()(const Restart&) const { return {{"do", "restart"}}; }
};

std::optional<std::vector<std::string>> fixedNames(const Json& j)
{
    if (!j.contains("fixed") || j.at("fixed").is_null())
        return std::nullopt;
    return words(j, "fixed");
}

bool massMetric(const Json& j) { return j.contains("mass_metric") && flag(j, "mass_metric"); }

/// Sessions before branches took settings back have the time alone.
Branch branch(const Json& j)
{
    Branch out{.to = number(j, "to")};
    if (j.contains("settings"))
        out.settings = runSettings(table(j, "settings"));
    if (j.contains("parameters"))
        out.parameters = map(j, "parameters");
    return out;
}

CommandPayload payload(const Json& j)
{
    const auto what = text(j, "do");
    if (what == "parameter")
        return SetParameter{text(j, "name"), number(j, "value")};
    if (what == "formulation")
        return SetFormulation{text(j, "id")};
    if (what == "integrator")
        return SetIntegrator{integratorOf(j, "id")};
    if (what == "options")
        return SetOptions{options(table(j, "options"))};
    if (what == "pivot")
        return SetPivot{pivot(table(j, "pivot"))};
    if (what == "gain")
        return SetGain{text(j, "name"), number(j, "value")};
    if (what == "choice")
        return SetChoice{text(j, "name"), text(j, "value")};
    if (what == "rows")
        return SetRows{rowsOf(text(j, "rows"))};
    if (what == "state")
        return SetState{map(j, "values"), flag(j, "as_recorded")};
    if (what == "start")
        return SetStart{map(j, "values"), flag(j, "allow_inconsistent"), massMetric(j), fixedNames(j)};
    if (what == "reset")
        return Reset{};
    if (what == "branch")
        return branch(j);
    if (what == "restart")
        return Restart{};
    throw std::invalid_argument("unknown command \"" + what.substr(0, 40) + "\"");
}

constexpr std::array kKinds{"add", "remove", "command", "branch"};

} // namespace

Json toJson(const RunSettings& s)
{
    return withTableau({{"formulation", s.formulation},
                        {"integrator", s.integrator},
                        {"options", optionsJson(s.options)},
                        {"pivot", pivotJson(s.pivot)},
                        {"gains", mapJson(s.gains)},
                        {"choices", s.choices},
                        {"rows", rowsName(s.rows)}},
                       s.integrator);
}

Json toJson(const StartSettings& s)
{
    return {{"parameters", mapJson(s.parameters)},
            {"values", mapJson(s.values)},
            {"allow_inconsistent", s.allowInconsistent},
            {"mass_metric", s.massMetric},
            {"fixed", s.fixed ? Json(*s.fixed) : Json()}};
}

Json toJson(const Command& c)
{
    Json out = std::visit(PayloadJson{}, c.payload);
    out["t"] = c.t;
    out["after_steps"] = c.afterSteps;
    return out;
}

Json toJson(const LogEntry& e)
{
    Json out{
        {"kind", kKinds[static_cast<std::size_t>(e.kind)]}, {"t", e.t}, {"runs", Json::array()}, {"commands", Json::array()}};
    for (const RunId id : e.runs)
        out["runs"].push_back(id.value);
    for (const Command& c : e.commands)
        out["commands"].push_back(toJson(c));
    if (e.settings)
        out["settings"] = toJson(*e.settings);
    return out;
}

RunSettings runSettings(const Json& j)
{
    RunSettings s;
    s.formulation = text(j, "formulation");
    s.integrator = integratorOf(j, "integrator");
    s.options = options(table(j, "options"));
    s.pivot = pivot(table(j, "pivot"));
    s.gains = map(j, "gains");
    if (j.contains("choices")) // sessions of format 1 may come without
        for (const auto& [name, value] : table(j, "choices").items())
            s.choices[name] = text(table(j, "choices"), name.c_str());
    if (j.contains("rows"))
        s.rows = rowsOf(text(j, "rows"));
    return s;
}

StartSettings startSettings(const Json& j)
{
    return {map(j, "parameters"), map(j, "values"), flag(j, "allow_inconsistent"), massMetric(j), fixedNames(j)};
}

Command command(const Json& j) { return {number(j, "t"), count(j, "after_steps"), payload(j)}; }

LogEntry logEntry(const Json& j)
{
    LogEntry e;
    const auto kind = text(j, "kind");
    std::size_t k = 0;
    while (k < kKinds.size() && kind != kKinds[k])
        ++k;
    if (k == kKinds.size())
        throw std::invalid_argument("unknown log entry \"" + kind.substr(0, 40) + "\"");
    e.kind = static_cast<LogEntry::Kind>(k);
    e.t = number(j, "t");
    for (const Json& id : list(j, "runs")) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= std::numeric_limits<int>::max())
            throw std::invalid_argument("\"runs\" holds something that is no number of a run");
        e.runs.push_back({id.get<int>()});
    }
    for (const Json& c : list(j, "commands"))
        e.commands.push_back(command(c));
    if (j.contains("settings"))
        e.settings = runSettings(table(j, "settings"));
    return e;
}

} // namespace driftless::run::codec
