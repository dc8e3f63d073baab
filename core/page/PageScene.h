// The scene of a page: what is drawn of a model, and where its points are at equal times.
#pragma once

#include <nlohmann/json.hpp>

#include <vector>

#include "core/base/Result.h"
#include "core/page/PageRun.h"

namespace driftless::page {

struct PageScenes {
    nlohmann::ordered_json scenes; ///< one for each model; null where a model draws nothing
    std::vector<int> sceneOf;      ///< of each run, into scenes; -1: it is in none
    /// Of each run {"from", "to" [s], "count", "points"}: base64 of count x points x 3 little-endian uint16, from the lowest to
    /// the highest place that the scene can show ("low", "high" of the scene [m]).
    std::vector<nlohmann::ordered_json> framesOf;
};

/// Fails where a model has more points than a page can carry.
Result<PageScenes> scenesOf(const std::vector<PageRun>& runs);

} // namespace driftless::page
