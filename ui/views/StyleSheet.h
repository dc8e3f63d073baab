// The look of the window's controls, made from the theme's colours.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/views/Theme.h"

class QApplication;

namespace driftless::ui {

/// Style sheet for the whole window: flat, calm, inputs with 6 px corners, lines of 1 px. scale: 1, or 1.4 presenting.
///
/// Dynamic properties that widgets can set: "role" = "heading" | "secondary" | "error" | "card" | "bar" | "primary".
QString styleSheet(const Theme& theme, double scale = 1);
QPalette themePalette(const Theme& theme);
/// Palette, font and style sheet on the application.
void applyTheme(QApplication& application, const Theme& theme, double scale = 1);

/// Inter when it is installed, else DejaVu Sans, else what the platform has.
QString interfaceFamily();
/// Monospaced family for text that has to align.
QString fixedFamily();

} // namespace driftless::ui
