#include "ui/scene/Strobe.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/scene/Stage.h"

namespace driftless::scene {

namespace {

constexpr double kFirstFlash = 0.18; // opacity of the first flash; the last one is opaque
constexpr int kFlashSamples = 3;

std::uint32_t mixed(std::uint32_t below, std::uint32_t above, double share)
{
    std::uint32_t out = 0xff000000u;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double a = (below >> shift) & 0xffu, b = (above >> shift) & 0xffu;
        out |= static_cast<std::uint32_t>(std::lround(a + share * (b - a))) << shift;
    }
    return out;
}

/// Lays what a flash adds to the empty scene over the picture.
void lay(const Pixels& flash, const Pixels& empty, double opacity, Pixels& picture)
{
    for (std::size_t i = 0; i < picture.argb.size(); ++i)
        if (flash.argb[i] != empty.argb[i])
            picture.argb[i] = mixed(picture.argb[i], flash.argb[i], opacity);
}

} // namespace

std::vector<double> flashTimes(double from, double to, int count)
{
    std::vector<double> times;
    for (int i = 0; i < count; ++i)
        times.push_back(count == 1 ? to : from + (to - from) * i / (count - 1));
    return times;
}

Result<Pixels> strobePicture(const model::CompiledSystem& system, std::span<const double> parameters,
                             std::span<const model::ModelState> states, int width, int height, bool dark, int colour)
{
    if (states.empty() || states.size() > static_cast<std::size_t>(kMostFlashes))
        return Diagnostic{.what = "A strobe picture takes 1 to 200 positions",
                          .where = std::to_string(states.size()) + " were asked for"};
    auto stage = Stage::create(system, width, height, dark);
    if (!stage)
        return stage.error();
    std::vector<RunFrame> frames;
    for (const model::ModelState& state : states) {
        auto frame = stage.value()->frameAt(state, parameters, colour);
        if (!frame)
            return frame.error();
        frames.push_back(std::move(frame.value()));
    }
    stage.value()->fit(frames);
    // Laid over each other before edges are smoothed: a smoothed edge would carry the empty scene along as a light fringe.
    const Pixels empty = stage.value()->finePicture(nullptr, kFlashSamples);
    Pixels picture = empty;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const double share = frames.size() == 1 ? 1 : static_cast<double>(i) / static_cast<double>(frames.size() - 1);
        lay(stage.value()->finePicture(&frames[i], kFlashSamples), empty, kFirstFlash + (1 - kFirstFlash) * share * share,
            picture);
    }
    Pixels smooth;
    reduceByBox(picture, std::max(1, picture.width / width), smooth);
    return smooth;
}

} // namespace driftless::scene
