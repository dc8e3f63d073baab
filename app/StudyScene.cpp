#include "app/StudyScene.h"

#include <algorithm>
#include <cmath>

#include "ui/scene/Strobe.h"

namespace driftless::app {

namespace {

constexpr int kWidth = 1200, kHeight = 800; // [pixels] of a page of 170 mm: 180 dots per inch

/// The recorded positions at t, linear between two rows.
model::ModelState stateAt(const model::CompiledSystem& system, const study::RunData& data, double t)
{
    model::ModelState state;
    state.resize(system.n(), system.w());
    state.t = t;
    std::size_t after = 1;
    while (after + 1 < data.rowCount() && data.time(after) < t)
        ++after;
    const auto a = data.row(after - 1), b = data.row(after);
    const double share = b[0] > a[0] ? std::clamp((t - a[0]) / (b[0] - a[0]), 0.0, 1.0) : 1;
    for (std::size_t i = 0; i < state.q.size(); ++i)
        state.q[i] = a[i + 1] + share * (b[i + 1] - a[i + 1]);
    return state;
}

/// The parameters that the run ended with.
std::vector<double> parametersOf(const model::CompiledSystem& system, const study::RunData& data)
{
    std::vector<double> values = system.defaultParameters();
    const run::NamedNumbers& stored = data.report.parameters;
    for (std::size_t i = 0; i < system.system().parameters.size() && i < values.size(); ++i) {
        const auto found =
            std::ranges::find(stored, system.system().parameters[i].quantity.name, &std::pair<std::string, double>::first);
        if (found != stored.end() && std::isfinite(found->second))
            values[i] = found->second;
    }
    return values;
}

} // namespace

Result<QImage> strobePicture(const model::CompiledSystem& system, const study::RunData& data, std::optional<double> from,
                             std::optional<double> to, int count)
{
    if (data.rowCount() < 2 || data.positions != static_cast<std::size_t>(system.n()))
        return Diagnostic{
            .what = "There is nothing recorded to draw", .where = data.name, .remedy = "a run that completes a step"};
    const double first = std::max(from.value_or(data.time(0)), data.time(0));
    const double last = std::min(to.value_or(data.time(data.rowCount() - 1)), data.time(data.rowCount() - 1));
    std::vector<model::ModelState> states;
    for (const double t : scene::flashTimes(first, last, std::clamp(count, 1, scene::kMostFlashes)))
        states.push_back(stateAt(system, data, t));
    const auto picture = scene::strobePicture(system, parametersOf(system, data), states, kWidth, kHeight, false);
    if (!picture)
        return picture.error();
    const QImage borrowed(reinterpret_cast<const uchar*>(picture->argb.data()), picture->width, picture->height,
                          QImage::Format_RGB32);
    return borrowed.copy();
}

} // namespace driftless::app
