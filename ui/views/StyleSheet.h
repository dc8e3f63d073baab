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
/// more: rules after those of all windows. A sheet of a window's own would go through all its widgets once more.
QString styleSheet(const Theme& theme, double scale = 1, const QString& more = {});
/// A file NAME.qss of the resources: @name@ is a colour or a word of the theme, #n# a length of n pixels before scaling.
QString sheetText(const QString& name);
QPalette themePalette(const Theme& theme);
/// Palette, font and style sheet on the application.
void applyTheme(QApplication& application, const Theme& theme, double scale = 1, const QString& more = {});

/// Inter when it is installed, else DejaVu Sans, else what the platform has.
QString interfaceFamily();
/// Monospaced family for text that has to align.
QString fixedFamily();

} // namespace driftless::ui
