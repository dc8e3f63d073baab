// The few icons of the window: files of ui/panels/icons, in a square of 20 units, which take the theme's colour.
#pragma once

#include <QColor>
#include <QIcon>

namespace driftless::ui {

/// In the order of kGlyphFiles (Icons.cpp).
enum class Glyph {
    Play,
    Pause,
    Step,
    Reset,
    Undo,
    Redo,
    Open,
    Gallery,
    Save,
    Export,
    Theme,
    Present,
    Drawer,
    Lessons,
    Equations,
    Methods,
    Linear,
    Study,
    Add,
    Duplicate,
    Remove,
    Eye,
    EyeOff,
    Reference,
    Fit,
    More,
    Edit,
    Pointer,
    Mass,
    Bar,
    Disc,
    Block,
    Pin,
    Rod,
    Rail,
    Weld,
    Spring,
    Damper,
    Motor,
    String,
    Wall,
    Stop,
    Clutch,
    Ratchet,
    Delete
};

QIcon glyphIcon(Glyph glyph, const QColor& colour, const QColor& disabled);

} // namespace driftless::ui
