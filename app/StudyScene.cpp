#include "app/StudyScene.h"
namespace driftless::app {
Result<QImage> strobePicture(const model::CompiledSystem&, const study::RunData&, std::optional<double>, std::optional<double>, int)
{
    return QImage();
}
} // namespace driftless::app
