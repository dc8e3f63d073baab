#include "core/run/Times.h"

#include <cmath>
#include <limits>

#include "core/base/SettingRange.h"
#include "core/integrate/Messages.h"
#include "core/text/Numbers.h"

namespace driftless::run {

Result<void> checkTime(double t, const std::string& where)
{
    if (t == 0 || (t >= kSmallestSetting && t <= kLatestTime))
        return {};
    if (t > 0 && t < kSmallestSetting)
        return Diagnostic{"The time " + text::rounded(t) + " s is too short to be told from the start",
                          where,
                          "squares of steps within it are no numbers any more",
                          "0, or a time of at least 1e-100 s",
                          {}};
    if (t < 0)
        return Diagnostic{"The time " + text::rounded(t) + " s lies before the start",
                          where,
                          "a run begins at 0 s",
                          "a time from 0 s on",
                          {}};
    return Diagnostic{
        "The time " + (std::isfinite(t) ? text::rounded(t) + " s" : std::string("asked for")) + " is no time of a run",
        where,
        "beyond " + text::rounded(kLatestTime) + " s two neighbouring numbers are a tenth of a second apart and more",
        "an earlier time",
        {}};
}

Result<void> checkSteps(const integrate::IntegratorInfo& method, const integrate::IntegratorOptions& options, double end,
                        const std::string& where)
{
    const double shortest = std::numeric_limits<double>::epsilon() * end;
    const auto refusal = [&](const char* what, double h) {
        return Diagnostic{std::string(what) + text::rounded(h) + " s is too short for a run to " + text::rounded(end) + " s",
                          where,
                          "near the end such a step is less than the round-off of time (" + text::rounded(shortest)
                              + " s): the run would never get there",
                          "a longer step, or an earlier end",
                          {}};
    };
    if (!method.adaptive && options.step < shortest)
        return refusal("The step of ", options.step);
    if (options.maxStep > 0 && options.maxStep < shortest)
        return refusal("The longest step of ", options.maxStep);
    return {};
}

} // namespace driftless::run
