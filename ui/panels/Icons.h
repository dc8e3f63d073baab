// The few icons of the window, drawn as strokes so that they take the theme's colour and stay sharp at any size.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPainterPath>

namespace driftless::ui {

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
    Delete
};

/// Strokes of the editor's tools (ToolIcons.cpp), in a square of 20 units.
QPainterPath toolStrokes(Glyph glyph);

QIcon glyphIcon(Glyph glyph, const QColor& colour, const QColor& disabled);

} // namespace driftless::ui
