// The few icons of the window, drawn as strokes so that they take the theme's colour and stay sharp at any size.
#pragma once

#include <QColor>
#include <QIcon>

namespace driftless::ui {

enum class Glyph { Play, Pause, Step, Reset, Undo, Redo, Open, Gallery, Save, Export, Theme, Present, Drawer, Lessons, Add, Duplicate,
                   Remove, Eye, EyeOff, Reference, Fit, More };

QIcon glyphIcon(Glyph glyph, const QColor& colour, const QColor& disabled);

} // namespace driftless::ui
