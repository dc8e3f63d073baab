#include "core/run/SessionCodec.h"

#include <cmath>
#include <stdexcept>

#include "core/integrate/RungeKutta.h"
#include "core/run/TableauFile.h"

namespace driftless::run::codec {

namespace {

Json optionsJson(const integrate::IntegratorOptions& o)
{
    return {{"step", o.step},
            {"rtol", o.relativeTolerance},
            {"atol", o.absoluteTolerance},
            {"atol_multipliers", o.multiplierTolerance},
            {"max_step", o.maxStep},
            {"min_step", o.minStep},
            {"min_newton_iterations", o.minNewtonIterations},
            {"method_parameter", o.parameter}};
}

double finite(const Json& j)
{
    const double x = j.get<double>();
    if (!std::isfinite(x))
        throw std::invalid_argument("a number is not finite");
    return x;
}

integrate::IntegratorOptions options(const Json& j)
{
    integrate::IntegratorOptions o;
    o.step = finite(j.at("step"));
    o.relativeTolerance = finite(j.at("rtol"));
    o.absoluteTolerance = finite(j.at("atol"));
    o.multiplierTolerance = finite(j.at("atol_multipliers"));
    o.maxStep = finite(j.at("max_step"));
    o.minStep = finite(j.at("min_step"));
    o.minNewtonIterations = j.at("min_newton_iterations").get<int>();
    if (j.contains("method_parameter")) // sessions before there were families have none
        o.parameter = finite(j.at("method_parameter"));
    if (auto checked = o.check(); !checked)
        throw std::invalid_argument(checked.error().text());
    return o;
}

Json pivotJson(const PivotChoice& p) { return {{"automatic", p.automatic}, {"dummies", p.dummies}}; }

PivotChoice pivot(const Json& j)
{
    return {j.at("automatic").get<bool>(), j.at("dummies").get<std::vector<std::string>>()};
}

Json mapJson(const std::map<std::string, double>& map)
{
    Json out = Json::object();
    for (const auto& [name, value] : map)
        out[name] = value;
    return out;
}

std::map<std::string, double> map(const Json& j)
{
    std::map<std::string, double> out;
    for (const auto& [name, value] : j.items())
        out[name] = finite(value);
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
    auto id = j.at(key).get<std::string>();
    if (!j.contains("tableau"))
        return id;
    const auto known = addTableau(j.at("tableau").get<std::string>(), "tableau of " + id.substr(0, 60));
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
        return {{"do", "start"}, {"values", mapJson(c.values)}, {"allow_inconsistent", c.allowInconsistent}, {"mass_metric", c.massMetric},
                {"fixed", c.fixed ? Json(*c.fixed) : Json()}};
    }
    Json operator()(const Reset&) const { return {{"do", "reset"}}; }
    Json operator()(const Branch& c) const { return {{"do", "branch"}, {"to", c.to}}; }
    Json operator()(const Restart&) const { return {{"do", "restart"}}; }
};

std::optional<std::vector<std::string>> fixedNames(const Json& j)
{
    if (!j.contains("fixed") || j.at("fixed").is_null())
        return std::nullopt;
    return j.at("fixed").get<std::vector<std::string>>();
}

CommandPayload payload(const Json& j)
{
    const auto what = j.at("do").get<std::string>();
    if (what == "parameter")
        return SetParameter{j.at("name").get<std::string>(), finite(j.at("value"))};
    if (what == "formulation")
        return SetFormulation{j.at("id").get<std::string>()};
    if (what == "integrator")
        return SetIntegrator{integratorOf(j, "id")};
    if (what == "options")
        return SetOptions{options(j.at("options"))};
    if (what == "pivot")
        return SetPivot{pivot(j.at("pivot"))};
    if (what == "gain")
        return SetGain{j.at("name").get<std::string>(), finite(j.at("value"))};
    if (what == "choice")
        return SetChoice{j.at("name").get<std::string>(), j.at("value").get<std::string>()};
    if (what == "rows")
        return SetRows{rowsOf(j.at("rows").get<std::string>())};
    if (what == "state")
        return SetState{map(j.at("values")), j.at("as_recorded").get<bool>()};
    if (what == "start")
        return SetStart{map(j.at("values")), j.at("allow_inconsistent").get<bool>(), j.value("mass_metric", false), fixedNames(j)};
    if (what == "reset")
        return Reset{};
    if (what == "branch")
        return Branch{finite(j.at("to"))};
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
    return {{"parameters", mapJson(s.parameters)}, {"values", mapJson(s.values)}, {"allow_inconsistent", s.allowInconsistent},
            {"mass_metric", s.massMetric}, {"fixed", s.fixed ? Json(*s.fixed) : Json()}};
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
    Json out{{"kind", kKinds[static_cast<std::size_t>(e.kind)]}, {"t", e.t}, {"runs", Json::array()}, {"commands", Json::array()}};
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
    s.formulation = j.at("formulation").get<std::string>();
    s.integrator = integratorOf(j, "integrator");
    s.options = options(j.at("options"));
    s.pivot = pivot(j.at("pivot"));
    s.gains = map(j.at("gains"));
    if (j.contains("choices")) // sessions of format 1 may come without
        s.choices = j.at("choices").get<std::map<std::string, std::string>>();
    if (j.contains("rows"))
        s.rows = rowsOf(j.at("rows").get<std::string>());
    return s;
}

StartSettings startSettings(const Json& j)
{
    return {map(j.at("parameters")), map(j.at("values")), j.at("allow_inconsistent").get<bool>(), j.value("mass_metric", false), fixedNames(j)};
}

Command command(const Json& j)
{
    return {finite(j.at("t")), j.at("after_steps").get<std::uint64_t>(), payload(j)};
}

LogEntry logEntry(const Json& j)
{
    LogEntry e;
    const auto kind = j.at("kind").get<std::string>();
    std::size_t k = 0;
    while (k < kKinds.size() && kind != kKinds[k])
        ++k;
    if (k == kKinds.size())
        throw std::invalid_argument("unknown log entry \"" + kind.substr(0, 40) + "\"");
    e.kind = static_cast<LogEntry::Kind>(k);
    e.t = finite(j.at("t"));
    for (const Json& id : j.at("runs"))
        e.runs.push_back({id.get<int>()});
    for (const Json& c : j.at("commands"))
        e.commands.push_back(command(c));
    if (j.contains("settings"))
        e.settings = runSettings(j.at("settings"));
    return e;
}

} // namespace driftless::run::codec
