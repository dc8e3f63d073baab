#include "core/run/OutputsAtTimes.h"

#include <algorithm>
#include <map>

#include "core/run/Columns.h"
#include "core/system/ParameterValues.h"

namespace driftless::run {

std::vector<double> parametersOf(const model::CompiledSystem& system, const StartSettings& start)
{
    return model::parameterValues(system.system(), start.parameters);
}

std::vector<ParametersSince> parametersOf(const Run& run)
{
    return parametersOf(run.system(), run.firstParameters(), run.events(), run.status().parameters);
}

std::vector<ParametersSince> parametersOf(const model::CompiledSystem& system, std::vector<double> first,
                                          std::span<const Event> events, const std::vector<double>& present)
{
    const auto& parameters = system.system().parameters;
    std::vector<ParametersSince> out{{0, std::move(first)}};
    const auto change = [&](double t, const std::map<std::string, double>& by, bool follow) {
        out.push_back({t, out.back().values});
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (const auto found = by.find(parameters[i].quantity.name); found == by.end())
                continue;
            else if (follow)
                model::setParameter(system.system(), out.back().values, i, found->second);
            else
                out.back().values[i] = found->second;
    };
    double branched = 0;
    for (const Event& event : events) {
        const auto* done = event.as<CommandDone>();
        if (!done)
            continue;
        if (const auto* set = std::get_if<SetParameter>(&done->payload))
            change(event.t, {{set->name, set->value}}, true);
        else if (const auto* branch = std::get_if<Branch>(&done->payload))
            change(branched = branch->to, branch->parameters, false);
    }
    // What was set on a way that a branch has left, or before a new start, stays, and no event tells of it.
    if (out.back().values != present) {
        if (out.size() > 1 && branched > 0)
            out.push_back({std::max(branched, out.back().t), present});
        else
            out.back().values = present;
    }
    return out;
}

OutputsAtTimes::OutputsAtTimes(const Run& run)
    : view_(run.recording()), system_(run.systemHandle()), evaluator_(system_), parameters_(parametersOf(run)),
      outputs_(outputColumns(system_->system())), values_(system_->system().outputs.size()),
      accelerations_(static_cast<std::size_t>(system_->n()), 0)
{
}

double OutputsAtTimes::linear(int column, double t) const
{
    const std::uint64_t row = view_.rowAt(t);
    const double before = view_.value(row, column), from = view_.time(row);
    if (row + 1 >= view_.rowCount() || t <= from)
        return before;
    return before + (view_.value(row + 1, column) - before) * (t - from) / (view_.time(row + 1) - from);
}

void OutputsAtTimes::evaluate(double t, const double* q, const double* v, const double* a, const double* lambda)
{
    if (outputs_.empty())
        return;
    for (const ParametersSince& since : parameters_)
        if (since.t <= t)
            evaluator_.setParameters(since.values);
    evaluator_.outputs(t, q, v, a, lambda, values_.data());
}

NamedNumbers OutputsAtTimes::at(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda)
{
    NamedNumbers out;
    evaluate(t, q.data(), v.data(), accelerations_.data(), lambda.data());
    const std::span<const char> ofAccelerations = system_->outputsOfAccelerations();
    for (const int i : outputs_) {
        const auto place = static_cast<std::size_t>(i);
        const std::string& name = system_->system().outputs[place].name;
        out.emplace_back(name, ofAccelerations[place] ? linear(view_.findColumn(name), t) : values_[place]);
    }
    return out;
}

NamedNumbers OutputsAtTimes::at(const model::ModelState& state)
{
    NamedNumbers out;
    evaluate(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
    for (const int i : outputs_)
        out.emplace_back(system_->system().outputs[static_cast<std::size_t>(i)].name, values_[static_cast<std::size_t>(i)]);
    return out;
}

} // namespace driftless::run
