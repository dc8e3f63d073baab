#include "core/consistency/PlanarImpact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::consistency {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTogether = 1e-9; ///< of the slip before: what is left of it where compression ends counts as none
constexpr int kMostPieces = 8;     ///< five are possible

double signOf(double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0); }

/// Along p.
struct Course {
    double u = 0, s = 0, p = 0, tangential = 0;
    double work = 0;                  ///< of the normal impulse in this phase
    double side = 0;                  ///< of the slip: 1, -1; 0 sticks
    bool restores = false;            ///< compression is over
    double spent = 0, compressed = 0; ///< work and impulse of compression
};

/// Where there is no slip: 0 sticks, else the side to which it slips on.
double sideFromRest(const PlanarImpact& c) { return std::abs(c.mixed) <= c.friction * c.tangential ? 0.0 : signOf(c.mixed); }

/// Impulse that is left to the end of the phase, with du/dp = rate.
double untilEnd(const PlanarImpact& c, const Course& now, double rate)
{
    if (!now.restores)
        return now.u >= 0 && rate >= 0 ? 0 : (rate > 0 ? -now.u / rate : kNever);
    switch (c.law) {
    case model::ImpactLaw::Poisson:
        return std::max(0.0, (1 + c.restitution) * now.compressed - now.p);
    case model::ImpactLaw::Newton:
        return rate > 0 ? std::max(0.0, (-c.restitution * c.approach - now.u) / rate) : kNever;
    case model::ImpactLaw::Energetic:
        break;
    }
    const double left = std::max(0.0, -c.restitution * c.restitution * now.spent - now.work);
    return rate > 0 ? 2 * left / (now.u + std::sqrt(now.u * now.u + 2 * rate * left) + std::numeric_limits<double>::min())
                    : kNever;
}

} // namespace

PlanarImpulse impulseOf(const PlanarImpact& c)
{
    PlanarImpulse out;
    Course now;
    now.u = std::min(0.0, c.approach);
    now.s = std::abs(c.slip) > c.still ? c.slip : 0;
    const double first = signOf(now.s);
    now.side = first != 0 ? first : sideFromRest(c);
    for (int piece = 0; piece < kMostPieces; ++piece) {
        double f = -c.friction * now.side;
        if (now.side == 0)
            f = c.tangential > 0 ? -c.mixed / c.tangential : 0;
        const double normalRate = c.normal + c.mixed * f, slipRate = now.side == 0 ? 0 : c.mixed + c.tangential * f;
        const double end = untilEnd(c, now, normalRate);
        const double turn = now.side * slipRate < 0 && now.side * now.s > 0 ? -now.s / slipRate : kNever;
        const double step = std::min(end, turn);
        if (!std::isfinite(step))
            return out;
        now.work += step * (now.u + 0.5 * normalRate * step);
        now.u += normalRate * step;
        now.s += slipRate * step;
        now.p += step;
        now.tangential += f * step;
        const auto turnBack = [&] {
            now.s = 0;
            now.side = sideFromRest(c);
            out.stuck = now.side == 0;
            out.reversed = now.side != 0;
        };
        if (turn < end) {
            turnBack();
            continue;
        }
        if (now.restores || c.restitution <= 0) {
            out.ended = true;
            break;
        }
        // With one freedom alone normal and tangent stand still together, and round-off would say which of them is first.
        if (now.side * slipRate < 0 && now.side * now.s <= kTogether * std::abs(c.slip))
            turnBack();
        now.restores = true;
        now.u = 0;
        now.spent = now.work;
        now.compressed = now.p;
        now.work = 0;
    }
    out.stuck = out.stuck || (first == 0 && now.side == 0);
    out.normal = now.p;
    out.tangential = now.tangential;
    return out;
}

} // namespace driftless::consistency
