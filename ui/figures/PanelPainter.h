// Draws one planned panel. Private to the room.
#pragma once

class QPainter;

namespace driftless::figures {

struct PanelPlan;
struct Sheet;

void paintPanel(QPainter& painter, const Sheet& sheet, const PanelPlan& plan);

} // namespace driftless::figures
