// Numbers as the window shows them: those of core/text, as text of Qt, with one zero and one nan whatever their signs are.
#pragma once

#include <QString>

#include <cmath>
#include <limits>

#include "core/text/Numbers.h"

namespace driftless::ui {

/// Without the sign of -0 and of what is no number.
inline double shownValue(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0; }

/// So many significant digits.
inline QString numberText(double value, int digits = 6)
{
    return QString::fromStdString(text::rounded(shownValue(value), digits));
}
/// So many digits behind the point.
inline QString fixedText(double value, int decimals)
{
    return QString::fromStdString(text::fixed(shownValue(value), decimals));
}
/// With a true minus sign in place of a hyphen, for what is read and not typed again.
inline QString withMinus(QString number) { return number.replace('-', QChar(0x2212)); }

} // namespace driftless::ui
