#include "ui/document/ModelPace.h"

#include <cmath>

namespace driftless::ui {

namespace {

constexpr double kUsualRange = 10; ///< [s]
constexpr double kTooShort = 1;    ///< [s] below it nobody sees what happens
constexpr double kWatched = 10;    ///< [s] of wall time that a short motion takes

} // namespace

double firstRange(const model::Model& model)
{
    const double end = model.run.end;
    return model.run.endStated && end > 0 && end < kUsualRange ? end : kUsualRange;
}

double firstSpeed(const model::Model& model)
{
    const double range = firstRange(model);
    if (range >= kTooShort)
        return 1;
    const double most = range / kWatched, power = std::pow(10.0, std::floor(std::log10(most)));
    for (const double digit : {5.0, 2.0})
        if (digit * power <= most * (1 + 1e-12))
            return digit * power;
    return power;
}

} // namespace driftless::ui
