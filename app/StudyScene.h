// The scene of a study's run: its recorded positions at equal times in one picture.
#pragma once

#include <QImage>

#include <optional>

#include "core/base/Result.h"
#include "core/study/RunData.h"
#include "core/system/CompiledSystem.h"

namespace driftless::app {

/// count states between from and to [s] (the whole record where they are not given) at equal distances.
Result<QImage> strobePicture(const model::CompiledSystem& system, const study::RunData& data, std::optional<double> from,
                             std::optional<double> to, int count);

} // namespace driftless::app
