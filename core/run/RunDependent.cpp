// Constraints that the model set aside because they follow from others: said when a run begins, watched at every row of its
// recording and when it is changed.
#include <algorithm>
#include <cmath>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

// |g^| of a row set aside, without dimensions (ConstraintRows.h). It is a combination of the other rows with weights of some
// units, up to what is quadratic in their residuals: a hundred times theirs covers both. Round-off of a consistent start leaves
// 1e-12.
constexpr double kShare = 1e2, kResidualRoundoff = 1e-8;
constexpr std::size_t kNamed = 6; // rows in a sentence

std::string dependentNames(const model::ConstrainedSystem& s)
{
    std::string out;
    for (std::size_t i = 0; i < std::min(kNamed, s.dependent.size()); ++i)
        out += (i == 0 ? "" : i + 1 == s.dependent.size() ? " and " : ", ") + s.dependent[i].constraint.name;
    return s.dependent.size() > kNamed ? out + " and " + std::to_string(s.dependent.size() - kNamed) + " more" : out;
}

/// The largest |rows| against their scale; at: which one.
double largest(std::span<const double> rows, const double* scale, std::size_t& at)
{
    double out = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const double share = std::abs(rows[i]) / (scale ? scale[i] : 1.0); !(share <= out)) {
            out = share;
            at = i;
        }
    return out;
}

} // namespace

/// Whether rows set aside (their g) are further off than those kept allow; at the state that was just measured.
std::optional<Diagnostic> Run::Impl::leftSetAside(std::span<const double> rows)
{
    const std::size_t kept = positionRows.size();
    const double* const scale = setAside.scale.size() == kept + rows.size() ? setAside.scale.data() : nullptr;
    std::size_t worst = 0, at = 0;
    const double found = largest(rows, scale ? scale + kept : nullptr, worst);
    if (found <= kResidualRoundoff)
        return std::nullopt;
    if (!metrics.evaluator().constraints(state.t, state.q.data(), positionRows.data()))
        return std::nullopt; // whoever needs them says so
    const double rest = largest(positionRows, scale, at), limit = kResidualRoundoff + kShare * rest;
    if (found <= limit)
        return std::nullopt;
    const model::Constraint& left = system->system().dependent[worst].constraint;
    return Diagnostic{
        "The run has left constraints that were set aside: " + dependentNames(system->system()),
        "t = " + plain(state.t, 8),
        "they followed from the others and no longer do: " + left.name + " is off by " + plain(rows[worst], 3) + ", which is "
            + plain(found, 3) + " of the mechanism's extent; the residual of the others (" + plain(rest, 3) + ") allows "
            + plain(limit, 3) + ". All of the joints together cannot follow this motion",
        "a smaller step or tolerance, if the run has jumped to another branch; redundant = \"keep\" in the file with "
        "augmented-lagrangian, which carries all rows; or a joint with fewer rows in place of "
            + left.joint,
        {}};
}

/// With the parameters that the metrics have.
Result<void> Run::Impl::checkDependent(const model::ModelState& at)
{
    const model::ConstrainedSystem& s = system->system();
    if (s.dependent.empty())
        return {};
    std::vector<double> kept(positionRows.size());
    if (!metrics.evaluator().constraints(at.t, at.q.data(), kept.data()) || !metrics.measureSetAside(at.t, at.q))
        return {}; // whoever needs them says so
    const std::span<const double> aside = metrics.setAside();
    const double* const scale = setAside.scale.size() == kept.size() + aside.size() ? setAside.scale.data() : nullptr;
    std::size_t worst = 0, of = 0;
    const double found = largest(aside, scale ? scale + kept.size() : nullptr, worst);
    if (found <= kResidualRoundoff + kShare * largest(kept, scale, of))
        return {};
    return Diagnostic{"Constraints that followed from the others no longer do: " + dependentNames(s),
                      "t = " + plain(at.t),
                      "with these values " + s.dependent[worst].constraint.name + " is off by " + plain(aside[worst], 3)
                          + " where the others are met, so that nothing can satisfy all of them",
                      "values that keep the mechanism as regular as it was, or one joint less",
                      {}};
}

void Run::Impl::nameDependent()
{
    const model::ConstrainedSystem& s = system->system();
    if (s.dependent.empty())
        return;
    addEvent(ConstraintsSetAside{
        .rows = s.dependent, .confirmed = setAside.holds, .moves = setAside.moves, .places = setAside.places});
}

} // namespace driftless::run
