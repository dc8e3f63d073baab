#include <nlohmann/json.hpp>

#include <cmath>

#include "core/base/DiagnosticJson.h"
#include "core/run/EquationRun.h"

namespace driftless::run {

using nlohmann::ordered_json;

std::string equationRunJson(const EquationRunResult& r)
{
    const auto number = [](double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); };
    const auto state = [&](const std::vector<double>& y) {
        ordered_json out = ordered_json::object();
        for (std::size_t i = 0; i < y.size(); ++i)
            out[r.names[i]] = number(y[i]);
        return out;
    };
    const auto levels = [&](const double* v) { return ordered_json{{"position", number(v[0])}, {"velocity", number(v[1])}, {"acceleration", number(v[2])}}; };
    ordered_json out{{"model", r.model}, {"formulation", "dummy-derivatives"}, {"integrator", r.settings.integrator}, {"status", r.failed ? "failed" : "completed"}, {"t", r.t},
                     {"state", state(r.y)}, {"residual", levels(r.residual)}, {"max_residual", levels(r.maxResidual)}, {"energy", ordered_json()}, {"energy_error", ordered_json()},
                     {"drift", {{"position", ordered_json()}, {"energy", ordered_json()}}}};
    if (r.settings.samples > 0) {
        out["samples"] = ordered_json::array();
        for (const EquationSample& s : r.samples) {
            ordered_json row{{"t", s.t}};
            row.update(state(s.y));
            out["samples"].push_back(std::move(row));
        }
    }
    const auto& c = r.statistics;
    out["stats"] = {{"steps", c.steps}, {"rejected", c.rejected}, {"residual_evaluations", c.residualEvaluations}, {"jacobian_evaluations", c.jacobianEvaluations},
                    {"factorizations", c.factorizations}, {"newton_iterations", c.newtonIterations}, {"pivots", r.pivots.size()}, {"wall_seconds", r.wallSeconds}};
    out["events"] = ordered_json::array();
    for (const auto& [t, text] : r.pivots)
        out["events"].push_back({{"t", t}, {"kind", "pivot"}, {"text", text}});
    if (r.diagnostic)
        out["diagnostic"] = ordered_json::parse(diagnosticJson(*r.diagnostic));
    return out.dump();
}

} // namespace driftless::run
