// Constraints that the model set aside because they follow from others: said when a run begins, watched at every row of its
// recording and when it is changed.
#include <algorithm>
#include <cmath>

#include "core/run/RunImpl.h"
#include "core/run/SetAsideMonitor.h"

namespace driftless::run {

namespace {

constexpr std::size_t kNamed = 6; // rows in a sentence

std::string dependentNames(const model::ConstrainedSystem& s)
{
    std::string out;
    for (std::size_t i = 0; i < std::min(kNamed, s.dependent.size()); ++i)
        out += (i == 0 ? "" : i + 1 == s.dependent.size() ? " and " : ", ") + s.dependent[i].constraint.name;
    return s.dependent.size() > kNamed ? out + " and " + std::to_string(s.dependent.size() - kNamed) + " more" : out;
}

} // namespace

Diagnostic Run::Impl::explain(const LeftSetAside& left)
{
    const model::Constraint& worst = system->system().dependent[left.row].constraint;
    return {.what = "The run has left constraints that were set aside: " + dependentNames(system->system()),
            .where = "t = " + plain(state.t, 8),
            .why = "they followed from the others and no longer do: " + worst.name + " is off by " + plain(left.residual, 3)
                   + ", which is " + plain(left.share, 3) + " of the mechanism's extent; the residual of the others ("
                   + plain(left.rest, 3) + ") allows " + plain(left.limit, 3)
                   + ". All of the joints together cannot follow this motion",
            .remedy =
                "a smaller step or tolerance, if the run has jumped to another branch; redundant = \"keep\" in the file with "
                "augmented-lagrangian, which carries all rows; or a joint with fewer rows in place of "
                + worst.joint,
            .position = {}};
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
    const auto left = SetAsideMonitor(kept.size(), metrics.setAside().size(), setAside.scale).leaves(kept, metrics.setAside());
    if (!left)
        return {};
    return Diagnostic{"Constraints that followed from the others no longer do: " + dependentNames(s),
                      "t = " + plain(at.t),
                      "with these values " + s.dependent[left->row].constraint.name + " is off by " + plain(left->residual, 3)
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
