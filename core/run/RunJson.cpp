#include "core/run/RunJson.h"

#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/run/Columns.h"
#include "core/run/OutputsAtTimes.h"
#include "core/text/Numbers.h"

namespace driftless::run {

namespace {

using Json = nlohmann::ordered_json;

Json levels(const ResidualNorms& r, bool setsAside)
{
    Json out{{"position", r.position}, {"velocity", r.velocity}, {"acceleration", r.acceleration}};
    if (setsAside)
        out["set_aside"] = r.setAside;
    return out;
}

Json reasonJson(const std::optional<RunReport::Reason>& d)
{
    return d ? Json{{"what", d->what}, {"where", d->where}, {"why", d->why}, {"try", d->remedy}} : Json();
}

std::string text(const Json& j) { return j.dump(2, ' ', false, Json::error_handler_t::replace); }

/// null for a method of fixed steps, which has none.
Json errorTestJson(const std::optional<RunReport::Tested>& test)
{
    if (!test)
        return {};
    Json out{{"differential", true}, {"dependent", test->dependent}, {"multipliers", test->multipliers}};
    out["atol_multipliers"] = test->multiplierTolerance > 0 ? Json(test->multiplierTolerance) : Json();
    out["text"] = test->text;
    return out;
}

Json statisticsJson(const RunReport& r)
{
    const integrate::Statistics& c = r.statistics;
    Json out{{"steps", c.steps},
             {"rejected", c.rejected},
             {"residual_evaluations", c.residualEvaluations},
             {"jacobian_evaluations", c.jacobianEvaluations},
             {"factorizations", c.factorizations},
             {"newton_iterations", c.newtonIterations},
             {"pivots", r.pivots}};
    if (r.wallSeconds)
        out["wall_seconds"] = *r.wallSeconds;
    return out;
}

/// samples: states between start and end, null where none are wanted.
Json eventJson(const std::string& kind, const RunReport::Happened::Data& data)
{
    if (kind == eventKindName(EventKind::Mode)) {
        Json out{{"from", data.from}, {"to", data.to}, {"index", data.index}};
        for (const auto& [name, value] : data.set)
            out["set"][name] = value;
        for (const auto& [name, value] : data.reinit)
            out["reinit"][name] = value;
        return out;
    }
    if (kind == eventKindName(EventKind::Impact)) {
        Json out{{"bodies", data.bodies}, {"contacts", data.contacts}, {"impulse", data.impulse}, {"energy", data.energy}};
        if (data.angular)
            out["angular"] = true;
        if (!data.law.empty())
            out["law"] = data.law;
        if (data.gain > 0)
            out["gain"] = data.gain;
        return out;
    }
    return {{"expression", data.contacts}};
}

/// A number; null is one that is none.
double numberOf(const Json& j) { return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>(); }

RunReport::Happened::Data readEventData(const Json& data)
{
    RunReport::Happened::Data out;
    const auto take = [&data](const char* key, auto& into) {
        if (const auto found = data.find(key); found != data.end())
            found->get_to(into);
    };
    take("bodies", out.bodies);
    take("contacts", out.contacts);
    take("expression", out.contacts);
    take("impulse", out.impulse);
    take("energy", out.energy);
    take("angular", out.angular);
    take("from", out.from);
    take("to", out.to);
    take("index", out.index);
    take("law", out.law);
    take("gain", out.gain);
    for (auto [key, into] : {std::pair("set", &out.set), std::pair("reinit", &out.reinit)})
        if (const auto found = data.find(key); found != data.end())
            for (const auto& [name, value] : found->items())
                into->emplace_back(name, numberOf(value));
    return out;
}

/// Names are unlike: a search for each of them, as operator[] makes, would cost the square of their number.
Json tableOf(const NamedNumbers& numbers)
{
    Json out = Json::object();
    for (const auto& [name, value] : numbers)
        out.get_ref<Json::object_t&>().push_back({name, value});
    return out;
}

Json jsonOf(const RunReport& r, const Json& samples)
{
    Json out{{"model", r.model}, {"formulation", r.formulation}, {"integrator", r.integrator}, {"status", r.status}};
    if (!r.began) {
        out["diagnostic"] = reasonJson(r.diagnostic);
        return out;
    }
    out["t"] = r.t;
    out["state"] = tableOf(r.state);
    for (const auto& [name, value] : r.outputs)
        out["outputs"][name] = value;
    out["set_aside"] = r.setAside;
    out["residual"] = levels(r.residual, !r.setAside.empty());
    out["max_residual"] = levels(r.maxResidual, !r.setAside.empty());
    out["energy"] = r.energy;
    out["energy_error"] = r.energyError;
    out["drift"] = {{"position", r.drift.position}, {"energy", r.drift.energy.empty() ? Json() : Json(r.drift.energy)}};
    if (!samples.is_null())
        out["samples"] = samples;
    out["stats"] = statisticsJson(r);
    out["error_test"] = errorTestJson(r.errorTest);
    out["events"] = Json::array();
    for (const RunReport::Happened& e : r.events) {
        out["events"].push_back({{"t", e.t}, {"kind", e.kind}, {"text", e.text}});
        if (e.data)
            out["events"].back()["data"] = eventJson(e.kind, *e.data);
    }
    out["diagnostic"] = reasonJson(r.diagnostic);
    if (r.tolerance)
        out["tolerance"] = *r.tolerance;
    for (const auto& [name, value] : r.parameters)
        out["parameters"][name] = value;
    if (r.recordEvery)
        out["record_every"] = *r.recordEvery;
    return out;
}

std::string wordIn(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

std::uint64_t countIn(const Json& object, const char* key)
{
    const Json& j = object.at(key);
    if (!j.is_number_unsigned() && !(j.is_number_integer() && j.get<std::int64_t>() >= 0))
        throw std::invalid_argument(std::string(key) + " is no count");
    return j.get<std::uint64_t>();
}

NamedNumbers namedNumbers(const Json& object)
{
    if (!object.is_object())
        throw std::invalid_argument("no table of numbers");
    NamedNumbers out;
    for (const auto& [name, value] : object.items())
        out.emplace_back(name, numberOf(value));
    return out;
}

ResidualNorms readLevels(const Json& j)
{
    ResidualNorms out{.position = numberOf(j.at("position")),
                      .velocity = numberOf(j.at("velocity")),
                      .acceleration = numberOf(j.at("acceleration"))};
    if (const auto aside = j.find("set_aside"); aside != j.end())
        out.setAside = numberOf(*aside);
    return out;
}

/// What a run that began has beyond its names.
void readOutcome(const Json& j, RunReport& out)
{
    out.t = numberOf(j.at("t"));
    out.state = namedNumbers(j.at("state"));
    if (const auto outputs = j.find("outputs"); outputs != j.end())
        out.outputs = namedNumbers(*outputs);
    out.setAside = j.at("set_aside").get<std::vector<std::string>>();
    out.residual = readLevels(j.at("residual"));
    out.maxResidual = readLevels(j.at("max_residual"));
    out.energy = numberOf(j.at("energy"));
    out.energyError = numberOf(j.at("energy_error"));
    const Json& drift = j.at("drift");
    out.drift.position = wordIn(drift, "position");
    out.drift.energy = drift.at("energy").is_null() ? std::string() : wordIn(drift, "energy");
    const Json& stats = j.at("stats");
    out.statistics = {.steps = countIn(stats, "steps"),
                      .rejected = countIn(stats, "rejected"),
                      .residualEvaluations = countIn(stats, "residual_evaluations"),
                      .jacobianEvaluations = countIn(stats, "jacobian_evaluations"),
                      .factorizations = countIn(stats, "factorizations"),
                      .newtonIterations = countIn(stats, "newton_iterations")};
    out.pivots = countIn(stats, "pivots");
    if (const auto wall = stats.find("wall_seconds"); wall != stats.end())
        out.wallSeconds = wall->get<double>();
    if (const Json& test = j.at("error_test"); !test.is_null())
        out.errorTest = RunReport::Tested{
            .dependent = test.at("dependent").get<bool>(),
            .multipliers = test.at("multipliers").get<bool>(),
            .multiplierTolerance = test.at("atol_multipliers").is_null() ? 0 : test.at("atol_multipliers").get<double>(),
            .text = wordIn(test, "text")};
    for (const Json& e : j.at("events")) {
        out.events.push_back({.t = e.at("t").get<double>(), .kind = wordIn(e, "kind"), .text = wordIn(e, "text")});
        if (const auto data = e.find("data"); data != e.end())
            out.events.back().data = readEventData(*data);
    }
    if (const auto tolerance = j.find("tolerance"); tolerance != j.end())
        out.tolerance = tolerance->get<double>();
    if (const auto parameters = j.find("parameters"); parameters != j.end())
        out.parameters = namedNumbers(*parameters);
    if (j.contains("record_every"))
        out.recordEvery = countIn(j, "record_every");
}

double sampleTime(double from, double to, int k, int samples)
{
    return k + 1 >= samples ? to : from + (to - from) * k / (samples - 1);
}
double sampleTime(const RecordingView& view, int k, int samples)
{
    return sampleTime(view.firstTime(), view.lastTime(), k, samples);
}

Json samplesJson(const Run& run, int samples)
{
    const RecordingView view = run.recording();
    OutputsAtTimes outputs(run);
    Json out = Json::array();
    const auto n = static_cast<std::size_t>(view.n()), m = static_cast<std::size_t>(view.m());
    std::vector<double> q(n), v(n), lambda(m);
    for (int k = 0; k < samples && !view.empty(); ++k) {
        const double t = sampleTime(view, k, samples);
        const model::ModelState* const known = run.sampled(t);
        if (known) {
            q = known->q;
            v = known->v;
            lambda.assign(known->lambda.begin(), known->lambda.begin() + static_cast<std::ptrdiff_t>(m));
        } else {
            view.stateAt(t, q.data(), v.data(), lambda.data());
        }
        NamedNumbers row{{"t", t}};
        for (std::size_t i = 0; i < n; ++i)
            row.emplace_back(view.columns()[i].name, q[i]);
        for (std::size_t i = 0; i < n; ++i)
            row.emplace_back(view.columns()[n + i].name, v[i]);
        for (std::size_t i = 0; i < m; ++i)
            row.emplace_back(view.columns()[2 * n + i].name, lambda[i]);
        for (const auto& [name, value] : known ? outputs.at(*known) : outputs.at(t, q, v, lambda))
            row.emplace_back(name, value);
        out.push_back(tableOf(row));
    }
    return out;
}

void writeNumber(std::ostream& out, double x)
{
    if (!std::isnan(x))
        out << text::rounded(x, 17);
}

} // namespace

Json toJson(const RunReport& r) { return jsonOf(r, {}); }

RunReport readReport(const Json& j)
{
    RunReport out;
    out.model = wordIn(j, "model");
    out.formulation = wordIn(j, "formulation");
    out.integrator = wordIn(j, "integrator");
    out.status = j.at("status").get<std::string>();
    if (const Json& reason = j.at("diagnostic"); !reason.is_null())
        out.diagnostic = RunReport::Reason{.what = reason.at("what").get<std::string>(),
                                           .where = reason.at("where").get<std::string>(),
                                           .why = reason.at("why").get<std::string>(),
                                           .remedy = reason.at("try").get<std::string>()};
    out.began = j.contains("t");
    if (out.began)
        readOutcome(j, out);
    return out;
}

std::vector<double> sampleTimes(double from, double to, int samples)
{
    std::vector<double> out;
    for (int k = 0; k < samples; ++k)
        out.push_back(sampleTime(from, to, k, samples));
    return out;
}

Json toJson(const Run& run, int samples) { return jsonOf(reportOf(run), samples > 0 ? samplesJson(run, samples) : Json()); }

std::string runJson(const Run& run, int samples) { return text(toJson(run, samples)); }

std::string refusalJson(const std::string& model, const RunSettings& settings, const Diagnostic& diagnostic)
{
    return text(toJson(refusalOf(model, settings, diagnostic)));
}

void writeCsv(std::ostream& out, const RecordingView& view, double t0, double t1)
{
    writeCsvHead(out, view);
    for (std::uint64_t r = 0; r < view.rowCount(); ++r)
        if (view.time(r) >= t0 && view.time(r) <= t1)
            writeCsvRows(out, view, r, r + 1);
}

void writeCsvHead(std::ostream& out, const RecordingView& view)
{
    out << "t";
    for (const std::string& name : headingsOf(view.columns()))
        out << ',' << name;
    out << '\n';
}

void writeCsvRows(std::ostream& out, const RecordingView& view, std::uint64_t from, std::uint64_t to)
{
    for (std::uint64_t r = from; r < to; ++r) {
        writeNumber(out, view.time(r));
        for (int c = 0; c < view.columnCount(); ++c) {
            out << ',';
            writeNumber(out, view.value(r, c));
        }
        out << '\n';
    }
}

void writeCsvSamples(std::ostream& out, const RecordingView& view, int samples)
{
    const auto n = static_cast<std::size_t>(view.n()), m = static_cast<std::size_t>(view.m());
    std::vector<double> q(n), v(n), lambda(m);
    out << "t";
    for (std::size_t i = 0; i < 2 * n + m; ++i)
        out << ',' << view.columns()[i].name;
    out << '\n';
    for (int k = 0; k < samples && !view.empty(); ++k) {
        const double t = sampleTime(view, k, samples);
        view.stateAt(t, q.data(), v.data(), lambda.data());
        writeNumber(out, t);
        for (const auto* values : {&q, &v, &lambda})
            for (const double x : *values) {
                out << ',';
                writeNumber(out, x);
            }
        out << '\n';
    }
}

} // namespace driftless::run
