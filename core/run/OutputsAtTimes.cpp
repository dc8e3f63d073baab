#include "core/run/OutputsAtTimes.h"

#include "core/run/Columns.h"

namespace driftless::run {

std::vector<ParametersSince> parametersOf(const Run& run) { return parametersOf(run.system(), run.start(), run.events()); }

std::vector<ParametersSince> parametersOf(const model::CompiledSystem& system, const StartSettings& start,
                                          std::span<const Event> events)
{
    const auto& parameters = system.system().parameters;
    std::vector<ParametersSince> out{{0, system.defaultParameters()}};
    const auto set = [&](const std::string& name, double value, std::vector<double>& values) {
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (parameters[i].quantity.name == name)
                values[i] = value;
    };
    for (const auto& [name, value] : start.parameters)
        set(name, value, out.front().values);
    for (const Event& event : events) {
        const auto* done = event.as<CommandDone>();
        if (!done)
            continue;
        if (const auto* change = std::get_if<SetParameter>(&done->payload)) {
            out.push_back({event.t, out.back().values});
            set(change->name, change->value, out.back().values);
        } else if (std::holds_alternative<Reset>(done->payload)) {
            out = {{0, out.back().values}}; // nothing is recorded of before
        } else if (std::holds_alternative<SetStart>(done->payload)) {
            out.resize(1); // the start is the present one
        }
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
