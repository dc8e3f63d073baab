#include "ui/document/BenchReadings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::ui {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

} // namespace

double deviation(const OpenBench& open, int key, double t)
{
    const RunEntry* run = open.find(key);
    const RunEntry* other = open.find(open.reference());
    if (!run || !other || run->key == other->key)
        return kNone;
    const auto a = open.laboratory().recording(run->id), b = open.laboratory().recording(other->id);
    const auto n = static_cast<std::size_t>(open.compiled().n()), m = static_cast<std::size_t>(open.compiled().w());
    // A run that ended early has no state at t; comparing its last one would be a number without meaning.
    if (a.empty() || b.empty() || a.lastTime() < t || b.lastTime() < t)
        return kNone;
    std::vector<double> qa(n), qb(n), v(n), la(m), lb(m);
    if (!a.stateAt(t, qa.data(), v.data(), la.data()) || !b.stateAt(t, qb.data(), v.data(), lb.data()))
        return kNone;
    double worst = 0;
    const auto& values = open.bench().system().values;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i].symbol.order == 0)
            worst = std::max(worst, std::abs(la[i] - lb[i]));
    for (std::size_t i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(qa[i] - qb[i]));
    return worst;
}

double metricAt(const OpenBench& open, int key, const char* column, double t)
{
    const RunEntry* run = open.find(key);
    if (!run)
        return kNone;
    const auto recording = open.laboratory().recording(run->id);
    const int place = recording.findColumn(column);
    return recording.empty() || place < 0 ? kNone : recording.value(recording.rowAt(t), place);
}

Result<consistency::Diagnosis> diagnoseStart(const OpenBench& open, const run::StartSettings& start)
{
    if (!open.hasModel())
        return Diagnostic{.what = "There is nothing to diagnose", .why = "no model is open", .remedy = "open a model first"};
    const auto system = open.compiledHandle();
    model::SystemEvaluator evaluator(system);
    evaluator.setParameters(open.parameters());
    const auto request = run::startRequest(start, evaluator);
    if (!request)
        return request.error();
    return consistency::diagnose(system, open.parameters(), *request);
}

} // namespace driftless::ui
