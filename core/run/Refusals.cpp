#include "core/run/Refusals.h"

#include <algorithm>

#include "core/formulation/Formulation.h"
#include "core/integrate/MassAlone.h"
#include "core/run/Plain.h"
#include "core/run/SetAsideMonitor.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/DependentVelocities.h"
#include "core/text/Names.h"

namespace driftless::run {

namespace {

constexpr int kDense = 300;           ///< coordinates up to which the mass matrix is factorised: dense, n^3
constexpr double kRound = 1e-13;      ///< pivots of M below are round-off
constexpr std::size_t kNamedRows = 6; // rows in a sentence

} // namespace

Refusals::Refusals(ConstraintMatrices& matrices) : matrices_(matrices), mass_(matrices.system().massPlaces().size()) {}

std::string namesOfSetAside(const model::ConstrainedSystem& s)
{
    const auto name = [](const model::Dependent& row) { return row.constraint.name; };
    return s.dependent.size() > kNamedRows ? text::firstOf(s.dependent, name, kNamedRows)
                                           : text::enumerated(s.dependent, name, " and ");
}

Result<void> Refusals::refuse(const RunSettings& settings, const model::ModelState& from)
{
    const auto formulation = formulation::requireFormulation(settings.formulation);
    if (!formulation)
        return formulation.error();
    if (auto checked = formulation::checkOptions((*formulation)->info(), settings.choices); !checked)
        return checked;
    if (auto checked = setAside(from); !checked)
        return checked;
    if ((*formulation)->info().fullRank)
        if (auto independent = redundant(settings.formulation, from); !independent)
            return independent;
    return singularMass(settings, from);
}

/// With the parameters that the metrics have.
Result<void> Refusals::setAside(const model::ModelState& at)
{
    const model::ConstrainedSystem& s = system().system();
    if (s.dependent.empty())
        return {};
    const std::span<const double> values = metrics().evaluator().parameters();
    const bool changed = !metrics().velocitiesSetAside().empty() && !std::ranges::equal(values, followed_);
    const auto places = changed ? model::placesNear(s, at.t, at.q, values, 1) : std::vector<model::VelocityPlace>();
    if (!places.empty() && !model::velocitiesFollow(s, places, values))
        return Diagnostic{"Constraints that followed from the others no longer do: " + namesOfSetAside(s),
                          "t = " + plain(at.t),
                          "with these values the rows on velocities that were set aside forbid more than those kept",
                          "values that keep the mechanism as regular as it was, or one joint less",
                          {}};
    followed_.assign(values.begin(), values.end());
    if (metrics().setAside().empty())
        return {};
    std::vector<double> kept(static_cast<std::size_t>(system().holonomic()));
    if (!metrics().evaluator().constraints(at.t, at.q.data(), kept.data()) || !metrics().measureSetAside(at.t, at.q))
        return {}; // whoever needs them says so
    const auto left = SetAsideMonitor(kept.size(), metrics().setAside().size(), walk_.scale).leaves(kept, metrics().setAside());
    if (!left)
        return {};
    return Diagnostic{"Constraints that followed from the others no longer do: " + namesOfSetAside(s),
                      "t = " + plain(at.t),
                      "with these values " + s.dependent[left->row].constraint.name + " is off by " + plain(left->residual, 3)
                          + " where the others are met, so that nothing can satisfy all of them",
                      "values that keep the mechanism as regular as it was, or one joint less",
                      {}};
}

/// Redundant constraints have no unique multipliers; a form that divides by them is refused, with the dependent joints named.
Result<void> Refusals::redundant(const std::string& id, const model::ModelState& from)
{
    if (system().m() == 0 || !matrices_.load(from))
        return {};
    const std::vector<int> rows = matrices_.velocities().dependentRows();
    if (rows.empty())
        return {};
    std::string joints;
    for (const int i : rows) {
        const model::Constraint& c = system().system().constraints[static_cast<std::size_t>(i)];
        joints += (joints.empty() ? "" : ", ") + c.name;
        if (!c.bodies.empty())
            joints += " (between " + text::joined(c.bodies, " and ") + ')';
    }
    // Which rows are set aside is decided at the values of the file; elsewhere others may be the better choice.
    const std::span<const double> values = metrics().evaluator().parameters();
    bool changed = false;
    for (std::size_t k = 0; k < values.size(); ++k)
        changed = changed || values[k] != system().system().parameters[k].quantity.value;
    const char* const choice = system().system().dependent.empty() || !changed
                                   ? ""
                                   : "; or state these values in the file, so that other rows are set aside";
    return Diagnostic{id + " needs constraints of full rank",
                      "t = " + plain(from.t),
                      std::to_string(rows.size()) + " of the " + std::to_string(system().m())
                          + " constraints follow from the others here: " + joints,
                      std::string("remove a redundant joint, or choose augmented-lagrangian or penalty, which carry them")
                          + choice,
                      {}};
}

/// A quaternion has no inertia along itself: forms and methods that solve with M alone, not with M and the constraints
/// together, cannot carry it.
Result<void> Refusals::singularMass(const RunSettings& settings, const model::ModelState& from)
{
    const int n = system().n();
    const formulation::Formulation* form = formulation::findFormulation(settings.formulation);
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    const bool byForm = form && form->info().massAlone, byMethod = method && integrate::solvesWithMassAlone(*method);
    if (n == 0 || n > kDense || !(byForm || byMethod))
        return {};
    if (!metrics().evaluator().mass(from.t, from.q.data(), mass_.data()))
        return {}; // whoever needs it will say why
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    const auto places = system().massPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        M(places[k].row, places[k].column) = mass_[k];
    // In nominal sizes, so that kilograms beside moments of inertia count alike in all units.
    const Eigen::VectorXd own = Eigen::Map<const Eigen::VectorXd>(metrics().scales().moves.data(), n);
    M = own.asDiagonal() * M * own.asDiagonal();
    const Eigen::VectorXd ranks = Eigen::LDLT<Eigen::MatrixXd>(M).vectorD().cwiseAbs();
    if (ranks.minCoeff() > kRound * ranks.maxCoeff())
        return {};
    return Diagnostic{(byForm ? settings.formulation : settings.integrator) + " needs a mass matrix that can be inverted",
                      "t = " + plain(from.t),
                      "M is positive definite only on the velocities that the constraints allow (a quaternion has no inertia "
                      "along itself), and this "
                          + std::string(byForm ? "form" : "method") + " solves with it alone",
                      (byForm ? "a form that solves for accelerations and multipliers together, such as dummy-derivatives, "
                                "index-1 or ggl; or angles, orientation = \"zxz\""
                              : "variational-midpoint or generalized-alpha; or angles, orientation = \"zxz\""),
                      {}};
}

} // namespace driftless::run
