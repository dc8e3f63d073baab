#include "ui/document/Measured.h"

namespace driftless::ui {

Result<MeasuredCurves> MeasuredCurves::read(const QString& name, std::string text, const std::string& file,
                                            const model::ConstrainedSystem& system)
{
    auto data = study::readMeasuredData(text, file, system);
    if (!data)
        return data.error();
    return MeasuredCurves{name, std::move(text), study::recordingOf(*data)};
}

} // namespace driftless::ui
