// The lengths of a figure on its page, all following from the size of its text. Private to the room.
//
// Unit: one hundredth of a millimetre everywhere, so that integer font sizes are fine enough.
#pragma once

#include "ui/figures/CurveStyle.h"
#include "ui/figures/MathText.h"

namespace driftless::figures {

constexpr double kUnitsPerMillimetre = 100;
constexpr double kUnitsPerInch = 25.4 * kUnitsPerMillimetre;

struct Sheet {
    explicit Sheet(const Style& style)
        : font(style.font), theme(style.theme), inks(inksOf(style.theme)), em(style.points / 72 * kUnitsPerInch)
    {
    }

    Font font;
    Theme theme;
    const Inks& inks;
    double em; ///< the text's size

    double tickSize() const { return 0.9 * em; }
    double noteSize() const { return 0.85 * em; }
    double titleSize() const { return 1.25 * em; }
    double line() const { return 1.32 * em; }   ///< from base line to base line
    double curve() const { return 0.105 * em; } ///< 0.3 mm at 8 pt
    double frame() const { return 0.055 * em; }
    double grid() const { return 0.03 * em; }
    double mark() const { return 0.26 * em; } ///< radius
    double tick() const { return 0.4 * em; }
    double margin() const { return 0.45 * em; } ///< around the figure
    double sample() const { return 3.2 * em; }  ///< a line in a legend

    MathText text(const QString& markup, double size, bool bold = false) const { return {markup, font, size, bold}; }
    QColor colour(int style) const { return curveColour(style, theme); }
};

/// "t [s]"
inline QString axisText(const Axis& axis)
{
    if (axis.unit.isEmpty())
        return axis.title;
    const QString unit = '[' + axis.unit + ']';
    return axis.title.isEmpty() ? unit : axis.title + ' ' + unit;
}

} // namespace driftless::figures
