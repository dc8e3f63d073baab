// Colours, fonts and line styles of the window: one table for light, one for dark, shared by scene, plots and panels.
#pragma once

#include <QColor>
#include <QFont>
#include <QVector>

#include <array>

namespace driftless::ui {

struct Theme {
    bool dark = false;
    QColor window, surface, text, secondary, line, error, accent;
    std::array<QColor, 8> runs; ///< far apart for red- and green-blind eyes too

    static const Theme& light();
    static const Theme& darkTheme();

    QColor run(int index) const { return runs[static_cast<std::size_t>(index) % runs.size()]; }
};

/// The ground of a dummy's symbol, wherever one is written.
QColor dummyGround(const Theme& theme);

/// Dash pattern of run index, in pen widths; empty is solid.
QVector<qreal> runDashes(int index);

/// Inter with tabular figures, in pixels; scale 1.4 in presentation mode.
QFont uiFont(int pixels, int weight = QFont::Normal);
constexpr int kTextPixels = 13;
constexpr int kTickPixels = 12;
constexpr int kHeadingPixels = 15;

} // namespace driftless::ui
