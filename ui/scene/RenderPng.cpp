#include "ui/scene/RenderPng.h"

#include "ui/scene/PngFile.h"
#include "ui/scene/Stage.h"

namespace driftless::scene {

Result<void> renderScenePng(const model::CompiledSystem& system, std::span<const double> parameters,
                            const model::ModelState& state, int width, int height, bool dark, const std::string& path)
{
    auto stage = Stage::create(system, width, height, dark);
    if (!stage)
        return stage.error();
    auto frame = stage.value()->frameAt(state, parameters);
    if (!frame)
        return frame.error();
    stage.value()->fit({&frame.value(), 1});
    return writePng(stage.value()->picture(frame.value()), path);
}

} // namespace driftless::scene
