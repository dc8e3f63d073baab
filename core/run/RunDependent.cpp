// Constraints that the model set aside because they follow from others: said when a run begins, and watched when it is changed.
#include <algorithm>
#include <cmath>

#include "core/model/SetAside.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

// A row set aside is a combination of the others with weights of a few units, up to what is quadratic in their residuals.
constexpr double kShare = 1e2, kRoundoff = 1e-8;

std::string dependentNames(const model::ConstrainedSystem& s)
{
    std::string out;
    for (const model::Dependent& d : s.dependent)
        out += (out.empty() ? "" : ", ") + d.constraint.name;
    return out;
}

} // namespace

Result<void> Run::Impl::checkDependent(const model::ModelState& at, const std::vector<double>& parameters)
{
    const model::ConstrainedSystem& s = system->system();
    if (s.dependent.empty())
        return {};
    auto& e = metrics.evaluator();
    if (!e.constraints(at.t, at.q.data(), positionRows.data()))
        return {}; // whoever needs them says so
    double rest = 0;
    for (const double g : positionRows)
        rest = std::max(rest, std::abs(g));
    const double found = model::dependentResidual(s, at.t, at.q, parameters);
    if (found <= kRoundoff + kShare * rest)
        return {};
    return Diagnostic{"Constraints that followed from the others no longer do: " + dependentNames(s), "t = " + plain(at.t),
                      "with these values they are violated by " + plain(found, 3) + ", so that nothing can satisfy all of them",
                      "values that keep the mechanism as regular as it was, or one joint less", {}};
}

void Run::Impl::nameDependent()
{
    const model::ConstrainedSystem& s = system->system();
    if (s.dependent.empty())
        return;
    std::string text;
    for (const model::Dependent& d : s.dependent) {
        text += (text.empty() ? "" : "; ") + d.constraint.name + " from ";
        constexpr std::size_t kNamed = 6;
        for (std::size_t i = 0; i < std::min(kNamed, d.follows.size()); ++i)
            text += (i ? ", " : "") + d.follows[i];
        if (d.follows.size() > kNamed)
            text += " and " + std::to_string(d.follows.size() - kNamed) + " more";
    }
    addEvent(EventKind::Warning, std::to_string(s.dependent.size()) + (s.dependent.size() == 1 ? " constraint follows" : " constraints follow")
                                     + " from the others and " + (s.dependent.size() == 1 ? "is" : "are") + " set aside: " + text
                                     + ". The motion is the same without; the forces of these joints are not determined one by one, and those shown are those with zero in "
                                     + dependentNames(s));
}

} // namespace driftless::run
