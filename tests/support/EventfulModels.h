// The shipped mechanisms with events, and the stretches of a run in each of their modes.
#pragma once

#include <algorithm>
#include <vector>

#include "core/run/Run.h"
#include "core/system/Modes.h"

namespace driftless::test {

inline constexpr const char* kEventfulMechanisms[] = {
    "bouncing-ball",     "slack-pendulum",         "slider-stops",  "block-on-belt",
    "stick-slip",        "newtons-cradle-impacts", "billiard",      "ball-in-box",
    "breaking-pendulum", "block-on-incline",       "spinning-ball", "rocking-block",
    "painleve-rod",      "clutch-flywheels",       "ratchet-winch", "dome"};

/// The longest stretch of a run in one mode.
struct ModeStretch {
    double from = 0, to = 0; ///< [s]
    model::Mode mode;
    double middle() const { return 0.5 * (from + to); }
};

/// One for each mode in which the run spent some time.
inline std::vector<ModeStretch> stretchesOf(const run::Run& run)
{
    std::vector<ModeStretch> out;
    const auto take = [&out](ModeStretch one) {
        const auto same = std::ranges::find(out, one.mode, &ModeStretch::mode);
        if (same == out.end())
            out.push_back(std::move(one));
        else if (one.to - one.from > same->to - same->from)
            *same = std::move(one);
    };
    ModeStretch now{.mode = model::baseMode(run.system().system())};
    for (const run::Event& e : run.events())
        if (const auto* change = e.as<run::ModeChange>()) {
            now.to = e.t;
            if (now.to > now.from)
                take(now);
            now = {.from = e.t, .mode = change->toMode};
        }
    now.to = run.t();
    if (now.to > now.from)
        take(now);
    return out;
}

} // namespace driftless::test
