// What more samples than columns of pixels are drawn as: a band from their minimum to their maximum, and a line in its middle.
// The window's plots and the figures for print both take the line from here.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace driftless::figures {

/// The samples within one column.
struct ColumnSpan {
    double x = 0; ///< its middle
    double low = 0, high = 0;
};

/// On a logarithmic ordinate a value below this one stretches no axis where there are larger ones: zero but for round-off.
constexpr double kLeastShown = 1e-18;

/// Columns on either side over which the middle is averaged.
constexpr int kCalmColumns = 4;

/// Opacity of one of so many bands in a panel: many that lie over each other leave the lines to be seen.
inline double bandOpacity(int bands)
{
    constexpr double kAlone = 0.22, kFew = 3;
    return kAlone * std::sqrt(kFew / std::max<double>(kFew, bands));
}

/// The ordinate of the line for each column: the mean of the middles around, which calms noise, but never outside of the
/// column's own band; so a curve of narrow columns keeps its shape. logarithmic: middles and means of the logarithms; all are
/// above zero.
std::vector<double> centreLine(const std::vector<ColumnSpan>& columns, bool logarithmic);

} // namespace driftless::figures
