// What a run says where [G; L] has lost its rank, for the forms that need it: (3.16) and the ssf-solution of (3.1) of [PP92].
// The monitor on the way is RateMonitor.
#include <algorithm>
#include <cmath>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr double kSingularRates = 1e-4; // a step that fails with [G; L] this ill-conditioned is attributed to it

double largest(const std::vector<double>& x)
{
    double out = 0;
    for (const double value : x)
        out = std::max(out, std::abs(value));
    return out;
}

} // namespace

Diagnostic Run::Impl::rateDiagnostic(const model::ModelState& at) const
{
    return {"The matrix (3.24) of [PP92] is singular",
            "t = " + plain(at.t, 8),
            "[G; L] has lost rank (largest velocity " + plain(largest(at.v), 3)
                + "): L = d(W v + g_t)/dq vanishes at rest, and loses "
                  "rank wherever the motion does not turn the constraints. There the multipliers mu and tau, and with them the "
                  "ssf-solution, are not determined",
            "start with a velocity, or choose projected-invariants or extended-3.17, which pass through rest",
            {}};
}

/// Where mu, tau and the ssf-solution are not determined: [G; L] has lost rank, or nearly so ([PP92] (3.24)).
std::optional<Diagnostic> Run::Impl::singularRates()
{
    if (!core->form().needsRateRank || !rateRank || !rateRank->load(metrics.evaluator(), metrics.scales(), state)
        || rateRank->ratio() > kSingularRates)
        return std::nullopt;
    return rateDiagnostic(state);
}

} // namespace driftless::run
