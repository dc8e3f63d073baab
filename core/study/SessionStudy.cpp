#include "core/study/SessionStudy.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/integrate/RungeKutta.h"
#include "core/run/SessionCodec.h"
#include "core/run/TableauFile.h"
#include "core/study/MeasuredData.h"
#include "core/text/Budget.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

using run::codec::Json;

constexpr std::size_t kLongestName = 200; ///< bytes of a file's

/// A JSON string of ASCII alone is a TOML basic string, too.
std::string asciiString(const std::string& text) { return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace); }

/// A TOML value; members that are null are left out.
std::string toml(const Json& j)
{
    if (j.is_object()) {
        std::string out;
        for (const auto& [key, value] : j.items())
            if (!value.is_null())
                out += (out.empty() ? "" : ", ") + asciiString(key) + " = " + toml(value);
        return out.empty() ? "{}" : "{ " + out + " }";
    }
    if (j.is_array()) {
        std::string out;
        for (const Json& item : j)
            out += (out.empty() ? "" : ", ") + toml(item);
        return '[' + out + ']';
    }
    if (j.is_number_float())
        return text::tomlFloat(j.get<double>());
    return j.is_string() ? asciiString(j.get<std::string>()) : j.dump();
}

template <class Map>
std::string table(const Map& map)
{
    Json j = Json::object();
    for (const auto& [key, value] : map)
        j[key] = value;
    return toml(j);
}

struct RecordedRun {
    run::StartSettings start;
    run::RunSettings settings;
    std::string events;
};

std::string startOf(const run::StartSettings& s)
{
    std::map<std::string, double> set = s.parameters;
    set.insert(s.values.begin(), s.values.end());
    std::string out;
    if (!set.empty())
        out += "set = " + table(set) + '\n';
    if (s.allowInconsistent)
        out += "allow_inconsistent = true\n";
    if (s.massMetric)
        out += "metric = \"mass\"\n";
    if (s.fixed)
        out += "fixed = " + toml(Json(*s.fixed)) + '\n';
    return out;
}

std::string settingsOf(const run::RunSettings& s)
{
    const integrate::IntegratorOptions& o = s.options;
    std::string out = "formulation = " + asciiString(s.formulation) + "\nintegrator = " + asciiString(s.integrator) + '\n';
    const auto line = [&](const char* key, double value) {
        if (value > 0)
            out += std::string(key) + " = " + text::tomlFloat(value) + '\n';
    };
    line("step", o.step);
    line("rtol", o.relativeTolerance);
    out += "atol = " + text::tomlFloat(o.absoluteTolerance) + '\n'; // 0, too: else the model's file would be asked
    line("atol_multipliers", o.multiplierTolerance);
    if (!o.tolerances.empty())
        out += "atol_for = " + table(o.tolerances) + '\n';
    line("max_step", o.maxStep);
    line("min_step", o.minStep);
    line("newton", o.minNewtonIterations);
    line("method_parameter", o.parameter);
    if (!s.pivot.automatic)
        out += "pivot = " + toml(Json(s.pivot.dummies)) + '\n';
    if (!s.gains.empty())
        out += "gains = " + table(s.gains) + '\n';
    if (!s.choices.empty())
        out += "options = " + table(s.choices) + '\n';
    return out;
}

/// The tableaus of methods of one's own that runs begin with; later ones stand in the commands.
std::string tableausOf(const std::map<int, RecordedRun>& runs)
{
    std::set<std::string> texts;
    for (const auto& [id, run] : runs)
        if (const auto own = integrate::findOwnMethod(run.settings.integrator))
            texts.insert(run::writeTableau(own->tableau));
    return texts.empty() ? std::string() : "tableaus = " + toml(Json(texts)) + '\n';
}

/// Files beside the study in place of runs.
std::string dataRuns(const std::vector<DataFile>& data, const std::string& model)
{
    std::string out;
    for (std::size_t i = 0; i < data.size(); ++i)
        out += "\n[[run]]\nname = \"data-" + std::to_string(i + 1) + "\"\nlabel = " + asciiString(data[i].name)
               + "\nmodel = " + asciiString(model) + "\ndata = " + asciiString(data[i].name) + '\n';
    return out;
}

/// Panels of the first quantities that were measured: the runs' curves beside them.
std::string dataPanels(const std::vector<DataFile>& data)
{
    constexpr std::size_t kMost = 2;
    std::vector<std::string> names;
    for (const DataFile& file : data)
        for (const std::string& column : file.columns)
            if (names.size() < kMost && std::ranges::find(names, column) == names.end())
                names.push_back(column);
    std::string out;
    for (const std::string& name : names)
        out += ", { kind = \"curve\", y = " + asciiString(name) + " }";
    return out;
}

std::string write(const Json& session, const std::string& title, const std::vector<DataFile>& data)
{
    const std::string model = run::codec::text(run::codec::table(session, "model"), "name");
    std::map<int, RecordedRun> runs;
    run::StartSettings start = run::codec::startSettings(run::codec::table(session, "start"));
    if (run::codec::list(session, "log").size() > budget::kSessionEvents)
        throw std::invalid_argument("its log is too long");
    for (const Json& j : run::codec::list(session, "log")) {
        const run::LogEntry entry = run::codec::logEntry(j);
        if (entry.kind == run::LogEntry::Kind::AddRun) {
            if (entry.runs.size() == 1 && entry.settings)
                runs[entry.runs[0].value] = {start, *entry.settings, {}};
            continue;
        }
        if (entry.kind == run::LogEntry::Kind::RemoveRun)
            continue;
        for (std::size_t k = 0; k < entry.commands.size() && k < entry.runs.size(); ++k)
            if (const auto found = runs.find(entry.runs[k].value); found != runs.end())
                found->second.events += "  " + toml(run::codec::toJson(entry.commands[k])) + ",\n";
        for (const run::Command& command : entry.commands)
            if (const auto* changed = std::get_if<run::SetStart>(&command.payload))
                start = run::startAfter(start, *changed);
    }
    std::string out = "format = 1\ntitle = " + asciiString(title)
                      + "\nsummary = \"A session of the laboratory: every edit and switch stands with its time.\"\n"
                      + "record = 10000000\nmodel_text = "
                      + asciiString(run::codec::text(run::codec::table(session, "model"), "text")) + "\n" + tableausOf(runs);
    std::string names, last;
    int count = 0;
    for (const Json& left : run::codec::list(run::codec::table(session, "end"), "runs")) {
        const auto found = runs.find(static_cast<int>(run::codec::count(left, "id", std::numeric_limits<int>::max())));
        const auto steps = run::codec::count(left, "steps");
        if (found == runs.end() || steps == 0)
            continue;
        const std::string name = "run-" + std::to_string(++count);
        out += "\n[[run]]\nname = \"" + name + "\"\nlabel = \"Run " + std::to_string(count) + "\"\nmodel = "
               + asciiString(model) + '\n' + settingsOf(found->second.settings) + startOf(found->second.start) + "end = "
               + text::tomlFloat(std::max(run::codec::number(left, "t"), 1e-9)) + "\nsteps = " + std::to_string(steps) + '\n';
        if (!found->second.events.empty())
            out += "event = [\n" + found->second.events + "]\n";
    }
    if (count == 0)
        throw std::invalid_argument("it has no run that made a step");
    return out + dataRuns(data, model)
           + "\n[[table]]\nname = \"runs\"\ntitle = \"The runs\"\ncolumn = [\n  { title = \"formulation\", measure = "
             "\"formulation\" },\n"
             "  { title = \"integrator\", measure = \"integrator\" },\n  { title = \"outcome\", measure = \"status\" },\n"
             "  { title = \"t [s]\", measure = \"t\", digits = 6 },\n  { title = \"max |g|\", measure = "
             "\"max_residual.position\" },\n"
             "  { title = \"max |ġ|\", measure = \"max_residual.velocity\" },\n  { title = \"energy error [J]\", measure = "
             "\"energy_error\" },\n"
             "  { title = \"steps\", measure = \"steps\" },\n  { title = \"pivots\", measure = \"pivots\" },\n]\n"
             "\n[[figure]]\nname = \"session\"\ncaption = \"Constraint residuals and energy error of the session's runs.\"\n"
             "panel = [{ kind = \"residuals\" }, { kind = \"energy-error\" }"
           + dataPanels(data) + "]\n";
}

} // namespace

std::vector<DataFile> measuredInSession(const std::string& json)
{
    std::vector<DataFile> out;
    const Json session = Json::parse(json, nullptr, false);
    const Json none = Json::array();
    const auto member = [&none](const Json& of, const char* key) -> const Json& {
        const auto found = of.is_object() ? of.find(key) : of.end();
        return of.is_object() && found != of.end() ? *found : none;
    };
    for (const Json& saved : member(member(session, "presentation"), "measured")) {
        const Json &name = member(saved, "name"), &text = member(saved, "text");
        if (!name.is_string() || !text.is_string() || out.size() >= kMostMeasured
            || text.get_ref<const std::string&>().size() > budget::kMeasuredBytes)
            continue;
        out.push_back({name.get<std::string>().substr(0, kLongestName), text.get<std::string>()});
    }
    return out;
}

Result<std::string> studyFromSession(const std::string& json, const std::string& file, const std::string& title,
                                     const std::vector<DataFile>& data)
{
    const auto bad = [&](std::string why) {
        return Diagnostic{.what = "This session cannot become a study",
                          .where = file,
                          .why = std::move(why),
                          .remedy = "save it from a running laboratory"};
    };
    if (json.size() > budget::kSessionBytes)
        return bad("it is too large");
    try {
        return write(run::codec::parse(json), title, data);
    } catch (const std::exception& e) {
        return bad(e.what());
    }
}

} // namespace driftless::study
