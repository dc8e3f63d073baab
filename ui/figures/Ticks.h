// Where an axis is labelled: round numbers, whole decades, and the small ticks between them.
#pragma once

#include <QString>

#include <vector>

namespace driftless::figures {

struct Tick {
    double value = 0;
    QString text; ///< mark-up of Figure.h, "$10^{-8}$"
};

struct Ticks {
    std::vector<Tick> major;
    std::vector<double> minor;
};

/// A range of values; low < high.
struct Range {
    double low = 0, high = 1;
};

/// Multiples of 1, 2 or 5 times a power of ten in the range, at most about `most` of them, with 4 or 5 minor steps between.
Ticks linearTicks(Range range, int most);
/// Whole decades, every one or as few as `most` allows; minor ticks at 2..9 when every decade is labelled, else at the other
/// decades. Less than two decades: 1, 2 and 5 times powers of ten are labelled.
Ticks decadeTicks(Range range, int most);

/// "0.2", "−3": as many digits as the distance of the ticks needs. "$1.5\cdot10^{6}$" where the axis has large or small
/// numbers, all with the power of ten of its largest.
QString tickLabel(double value, double distance, double largest);

/// The range around values that reads well. Linear: 4 % of room, ends on half ticks. Logarithmic: whole decades where there
/// are at least three, else a little room; values that are not positive are left out.
Range niceRange(const std::vector<double>& values, bool logarithmic);
/// Exactly from the lowest to the highest value (a time axis); never empty.
Range exactRange(const std::vector<double>& values, bool logarithmic);

} // namespace driftless::figures
