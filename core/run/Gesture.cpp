#include "core/run/Gesture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless::run {

namespace {

/// A value this far from what was asked, against the size of the positions, was changed and not rounded.
constexpr double kReportedMiss = 1e-9;

} // namespace

/// Whether values of the same names were set here just before, and nothing else has happened since.
bool Gesture::continues(const SetState& c, double t, const Published& published) const
{
    return first_ && !c.asRecorded && t_ == t && eventsAfter_ == published.timeLine().eventCount()
           && std::equal(c.values.begin(), c.values.end(), names_.begin(), names_.end(),
                         [](const auto& value, const std::string& name) { return value.first == name; });
}

const model::ModelState& Gesture::before(const SetState& sample, const model::ModelState& now, const Published& published) const
{
    return continues(sample, now.t, published) ? *first_ : now;
}

void Gesture::begin(const SetState& c, const model::ModelState& now, Before before, Published& published)
{
    if (continues(c, now.t, published)) {
        published.timeLine().keepEvents(firstEvent_);
        return;
    }
    first_ = now;
    names_.clear();
    for (const auto& [name, value] : c.values)
        names_.push_back(name);
    t_ = now.t;
    before_ = std::move(before);
    firstEvent_ = published.timeLine().eventCount();
    eventsAfter_ = 0;
}

ValuesCorrected correctionOf(const SetState& c, const model::ConstrainedSystem& system, const model::ModelState& before,
                             const model::ModelState& after)
{
    const auto& coordinates = system.coordinates;
    double size = 1;
    for (const double q : after.q)
        size = std::max(size, std::abs(q));
    ValuesCorrected out;
    const auto follow = [&](const std::vector<double>& now, const std::vector<double>& then, bool velocity) {
        ValuesCorrected::Move most;
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            const std::string& name = velocity ? coordinates[i].velocity.name : coordinates[i].name;
            const auto set = c.values.find(name);
            if (set != c.values.end() && std::abs(now[i] - set->second) > kReportedMiss * size)
                out.missed.push_back({.name = name, .became = now[i], .asked = set->second});
            if (std::abs(now[i] - then[i]) > most.size)
                most = {.name = name, .size = std::abs(now[i] - then[i])};
        }
        if (most.size > kReportedMiss * size)
            (velocity ? out.velocities : out.positions) = std::move(most);
    };
    follow(after.q, before.q, false);
    follow(after.v, before.v, true);
    return out;
}

} // namespace driftless::run
