#include "ui/views/CurveMarkers.h"

namespace driftless::ui {

QColor translucent(QColor colour, float opacity)
{
    colour.setAlphaF(opacity);
    return colour;
}

} // namespace driftless::ui
