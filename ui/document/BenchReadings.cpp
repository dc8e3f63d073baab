#include "ui/document/BenchReadings.h"

#include <limits>

#include "core/measure/Live.h"
#include "core/run/ValueDoctor.h"

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
    return measure::deviationOf(open.laboratory(), run->id, other->id, t).value_or(kNone);
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
    if (system->model().reduced)
        return run::diagnoseValues(system, open.parameters(), start);
    model::SystemEvaluator evaluator(system);
    evaluator.setParameters(open.parameters());
    const auto request = run::startRequest(start, evaluator);
    if (!request)
        return request.error();
    return consistency::diagnose(system, open.parameters(), *request);
}

} // namespace driftless::ui
