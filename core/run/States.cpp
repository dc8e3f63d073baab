#include "core/run/States.h"

#include "core/run/EquationStates.h"
#include "core/run/MechanismStates.h"
#include "core/run/Plain.h"
#include "core/system/ParameterValues.h"

namespace driftless::run {

std::unique_ptr<States> States::of(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics)
{
    if (system->model().reduced)
        return std::make_unique<EquationStates>(std::move(system), metrics);
    return std::make_unique<MechanismStates>(std::move(system), metrics);
}

Result<std::vector<double>> States::parameters(const StartSettings& from) const
{
    std::map<std::string, double> set;
    for (const auto& [name, value] : from.parameters) {
        const auto target = model::resolveName(system_->system(), name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Parameter)
            return Diagnostic{name + " is not a parameter", {}, "it is a start value of the model", {}, {}};
        set[target->fullName] = value;
    }
    std::vector<double> values = model::parameterValues(system_->system(), set);
    if (auto bad = model::checkParameters(system_->model(), values))
        return *std::move(bad);
    return values;
}

Result<model::ModelState> States::start(const StartSettings& from, const std::vector<double>& parameters, double& change)
{
    metrics_.setParameters(parameters);
    return consistent(from, parameters, change);
}

Result<void> States::restore(const Levels& levels, bool determined, model::ModelState& s, Moved& moved)
{
    auto& solver = metrics_.solver();
    const auto failed = [&](const char* what) {
        return Diagnostic{what, "t = " + plain(s.t), solver.message(), "another value, or the same change at another time", {}};
    };
    const auto metric = consistency::Metric::Mass;
    if (levels.position && !solver.projectPosition(s.t, s.q.data(), metric, moved.positions))
        return failed("No position near this one satisfies the constraints");
    if (levels.velocity && !solver.projectVelocity(s.t, s.q.data(), s.v.data(), metric, moved.velocities))
        return failed("No velocity near this one satisfies the constraints");
    if (solvesAccelerations() && determined && !solver.accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data()))
        return failed("Accelerations and multipliers are not determined here");
    return {};
}

Result<Levels> States::disturbed(const model::ModelState& s, const std::vector<double>& before,
                                 const std::vector<double>& after, const std::vector<double>& inForce)
{
    const auto m = static_cast<std::size_t>(system_->m());
    std::vector<double> g[2]{std::vector<double>(m), std::vector<double>(m)}, rate[2]{g[0], g[0]};
    auto& e = metrics_.evaluator();
    for (int k = 0; k < 2; ++k) {
        e.setParameters(k == 0 ? before : after);
        if (!e.constraints(s.t, s.q.data(), g[k].data()) || !e.constraintRates(s.t, s.q.data(), s.v.data(), rate[k].data())) {
            const std::string why = e.message();
            e.setParameters(inForce);
            return Diagnostic{
                "The constraints cannot be computed with the new parameters", "t = " + plain(s.t), why, "another value", {}};
        }
    }
    return Levels{.position = g[0] != g[1], .velocity = g[0] != g[1] || rate[0] != rate[1]};
}

} // namespace driftless::run
