#include "core/run/RunJson.h"

#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

#include "core/base/DiagnosticJson.h"
#include "core/run/EventWords.h"
#include "core/text/Numbers.h"

namespace driftless::run {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Diagnostic& d) { return Json::parse(diagnosticJson(d)); }

Json toJson(const ResidualNorms& r, bool setsAside)
{
    Json out{{"position", r.position}, {"velocity", r.velocity}, {"acceleration", r.acceleration}};
    if (setsAside)
        out["set_aside"] = r.setAside;
    return out;
}

std::string text(const Json& j) { return j.dump(2, ' ', false, Json::error_handler_t::replace); }

/// null for a method of fixed steps, which has none.
Json errorTestJson(const integrate::ErrorTest& test)
{
    if (!test.any)
        return {};
    Json out{{"differential", true}, {"dependent", test.dependent}, {"multipliers", test.multipliers}};
    out["atol_multipliers"] = test.multiplierTolerance > 0 ? Json(test.multiplierTolerance) : Json();
    out["text"] = integrate::inWords(test);
    return out;
}

double sampleTime(const RecordingView& view, int k, int samples)
{
    if (k + 1 >= samples)
        return view.lastTime();
    return view.firstTime() + (view.lastTime() - view.firstTime()) * k / (samples - 1);
}

Json samplesJson(const RecordingView& view, int samples)
{
    Json out = Json::array();
    const auto n = static_cast<std::size_t>(view.n()), m = static_cast<std::size_t>(view.m());
    std::vector<double> q(n), v(n), lambda(m);
    for (int k = 0; k < samples && !view.empty(); ++k) {
        const double t = sampleTime(view, k, samples);
        view.stateAt(t, q.data(), v.data(), lambda.data());
        Json row{{"t", t}};
        for (std::size_t i = 0; i < n; ++i)
            row[view.columns()[i].name] = q[i];
        for (std::size_t i = 0; i < n; ++i)
            row[view.columns()[n + i].name] = v[i];
        for (std::size_t i = 0; i < m; ++i)
            row[view.columns()[2 * n + i].name] = lambda[i];
        out.push_back(std::move(row));
    }
    return out;
}

void writeNumber(std::ostream& out, double x)
{
    if (!std::isnan(x))
        out << text::rounded(x, 17);
}

} // namespace

std::string runJson(const Run& run, int samples)
{
    const RunStatus s = run.status();
    const DriftClass drift = run.drift();
    Json out{{"model", run.system().model().name},
             {"formulation", s.settings.formulation},
             {"integrator", s.settings.integrator},
             {"status", s.state == RunState::Failed ? "failed" : "completed"},
             {"t", s.t},
             {"state", Json::object()}};
    for (const auto& [name, value] : run.namedState())
        out["state"][name] = value;
    out["set_aside"] = Json::array();
    for (const model::Dependent& d : run.system().system().dependent)
        out["set_aside"].push_back(d.constraint.name);
    const bool setsAside = !out["set_aside"].empty();
    out["residual"] = toJson(s.residual, setsAside);
    out["max_residual"] = toJson(s.maxResidual, setsAside);
    out["energy"] = s.energy;
    out["energy_error"] = s.energyError;
    out["drift"] = {{"position", drift.position}, {"energy", drift.energy.empty() ? Json() : Json(drift.energy)}};
    if (samples > 0)
        out["samples"] = samplesJson(run.recording(), samples);
    const integrate::Statistics& c = s.statistics;
    out["stats"] = {{"steps", c.steps},
                    {"rejected", c.rejected},
                    {"residual_evaluations", c.residualEvaluations},
                    {"jacobian_evaluations", c.jacobianEvaluations},
                    {"factorizations", c.factorizations},
                    {"newton_iterations", c.newtonIterations},
                    {"pivots", s.pivots},
                    {"wall_seconds", s.wallSeconds}};
    out["error_test"] = errorTestJson(s.errorTest);
    out["events"] = Json::array();
    for (const Event& e : run.events())
        out["events"].push_back({{"t", e.t}, {"kind", eventKindName(e.kind())}, {"text", words(e)}});
    out["diagnostic"] = s.diagnostic ? toJson(*s.diagnostic) : Json();
    return text(out);
}

std::string refusalJson(const std::string& model, const RunSettings& settings, const Diagnostic& diagnostic)
{
    return text({{"model", model},
                 {"formulation", settings.formulation},
                 {"integrator", settings.integrator},
                 {"status", "refused"},
                 {"diagnostic", toJson(diagnostic)}});
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
    for (const Column& c : view.columns())
        out << ',' << c.name;
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
