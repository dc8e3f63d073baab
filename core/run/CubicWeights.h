// The cubic through values and rates at both ends of an interval.
#pragma once

namespace driftless::run {

/// At the share s of an interval of h [s]: h00 * value + h10 * rate at its beginning, and h01 * value + h11 * rate at its end.
struct CubicWeights {
    CubicWeights(double s, double h)
        : h00((1 + 2 * s) * (1 - s) * (1 - s)), h10(s * (1 - s) * (1 - s) * h), h01(s * s * (3 - 2 * s)),
          h11(s * s * (s - 1) * h)
    {
    }
    double h00, h10, h01, h11;
};

} // namespace driftless::run
