#include "core/run/FailureReasons.h"

#include <algorithm>
#include <cmath>

#include "core/formulation/Formulation.h"
#include "core/run/Plain.h"
#include "core/run/Refusals.h"
#include "core/system/DependentRows.h"
#include "core/text/Names.h"

namespace driftless::run {

namespace {

constexpr double kLostPosition = 1e-2;  // of the rows' nominal sizes: with a residual this large it is a different mechanism
constexpr double kSwing = 0.1;          // a velocity residual of this part of the velocities is no round-off any more
constexpr double kWeakestKnown = 1e-2;  // chains of ten links have rows as dependent as this anywhere
constexpr double kSingularRatio = 0.12; // a step that fails with constraints this dependent is attributed to them
constexpr double kChainRatio = 0.6;     // the same times the number of constraints: a straight chain of m links has 0.8 anyway
constexpr double kOfUsual =
    0.5; // of what the ratio has been: Andrews' mechanism has 0.003 anywhere, by its lengths of millimetres
constexpr double kRankless = 1e-6;        // dependent whatever the ratio has been
constexpr std::uint64_t kLookedBack = 16; // rows of the recording that tell what it has been
constexpr double kStillDetermined = 30;   // all rows against those kept: so much further from dependent is another place
constexpr std::size_t kNamedJoints = 8;   // in a sentence
constexpr double kSingularRates = 1e-4;   // a step that fails with [G; L] this ill-conditioned is attributed to it

double largestOf(const std::vector<double>& x)
{
    double out = 0;
    for (const double value : x)
        out = std::max(out, std::abs(value));
    return out;
}

std::string reasonOf(const Standstill& found)
{
    if (!found.creep)
        return "its steps have shrunk to " + plain(found.step, 3) + " s and make no progress any more";
    return "its last " + std::to_string(found.creep->steps) + " steps took it " + plain(found.creep->advance, 3)
           + " s further while " + std::to_string(found.creep->rejected)
           + " attempts failed. A right-hand side that jumps back and forth where the motion wants to stay does this (a "
             "sliding "
             "mode)";
}

} // namespace

FailureReasons::FailureReasons(const Parts& parts) : parts_(parts), past_(static_cast<std::size_t>(parts.matrices.system().n()))
{
}

/// What to try after a failure of this run. step: that failed [s], 0: none did.
std::string FailureReasons::advice(Trouble trouble, double t, double step) const
{
    const formulation::Dae& form = core().form();
    const auto& options = core().settings.options;
    const auto* formulation = formulation::findFormulation(core().settings.formulation);
    Situation s{.form = formulation ? &formulation->info() : nullptr, .method = &core().integrator->info()};
    s.equations = system().model().reduced != nullptr;
    s.chart = system().system().chart.has_value();
    s.index = form.index;
    s.semiExplicit = form.semiExplicit;
    s.projects = form.projection.any();
    s.holdsPositions = form.enforces.position;
    s.holdsVelocities = form.enforces.velocity;
    s.pinned = core().pinned;
    s.t = t;
    s.step = step > 0 && !s.method->adaptive ? std::max(step, options.step) : step; // it may have been shortened on the way
    s.tolerance = options.relativeTolerance > 0 ? options.relativeTolerance : options.absoluteTolerance;
    return advise(trouble, s);
}

/// Whether what fails now is attributed to the pinned selection.
bool FailureReasons::suspectsPivot(const Selector& selector) const
{
    return core().pinned && selector.kappa() > kNearlySingularPivot;
}

/// Of [G; L] alone where G keeps its rank, else of G.
std::optional<Diagnostic> FailureReasons::lostRank(const model::ModelState& state)
{
    double weakness = 1;
    weakJoints(state, weakness);
    const auto rates = singularRates(state);
    if (rates && weakness > kWeakestKnown)
        return rates;
    const auto singular = singularConfiguration(state);
    return singular ? singular : rates;
}

std::optional<Diagnostic> FailureReasons::singularConfiguration(const model::ModelState& state)
{
    if (system().m() == 0 || core().form().yields || !parts_.matrices.load(state)) // springs need no rank
        return std::nullopt;
    double ratio = 1;
    const std::string joints = weakJoints(state, ratio);
    if (joints.empty() || ratio > std::min(kSingularRatio, kChainRatio / system().m()))
        return std::nullopt;
    const double usual = usualRatio(state.t);
    if (ratio > kRankless && !(ratio <= kOfUsual * std::max(0.0, usual)))
        return std::nullopt;
    if (usual >= 0 && usual <= kRankless && parts_.recorder.view().rowCount() > 1)
        return std::nullopt; // rows that repeat others did so all along
    if (auto badly = badlySetAside(state, joints))
        return badly;
    const bool aside =
        std::ranges::any_of(system().system().dependent, [](const model::Dependent& d) { return d.constraint.holonomic; });
    return Diagnostic{
        "The mechanism is in a singular configuration, or close to one",
        "t = " + plain(state.t),
        "the constraints of " + joints + " do not determine their forces here: G loses rank (condition " + plain(1 / ratio, 3)
            + ")",
        aside ? "redundant = \"keep\" in the file with augmented-lagrangian, which carries all rows, where those set "
                "aside are needed; or other start values"
              : advice(Trouble::SingularConfiguration, state.t),
        {}};
}

/// The rows kept lose rank where all rows together do not: what was set aside should be others here.
std::optional<Diagnostic> FailureReasons::badlySetAside(const model::ModelState& state, const std::string& joints)
{
    const model::ConstrainedSystem& s = system().system();
    if (std::ranges::none_of(s.dependent, [](const model::Dependent& d) { return d.constraint.holonomic; }))
        return std::nullopt;
    const auto rank = model::rankThere(s, state.t, state.q, metrics().evaluator().parameters());
    if (!rank || !(rank->all > kStillDetermined * rank->kept))
        return std::nullopt;
    return Diagnostic{
        .what = "The constraints that were kept do not determine their forces here",
        .where = "t = " + plain(state.t),
        .why = "those of " + joints + " become dependent (condition "
               + (rank->kept > 0 ? plain(1 / rank->kept, 3) : std::string("beyond all numbers"))
               + "), but not together with those set aside (" + namesOfSetAside(s) + ": condition " + plain(1 / rank->all, 3)
               + "), which are needed here",
        .remedy = "redundant = \"keep\" in the file with augmented-lagrangian, which carries all rows; or a start elsewhere on "
                  "the motion, from which other rows may be set aside",
        .position = {}};
}

/// The largest ratio of weakJoints on the way here; below zero where no way lies behind.
double FailureReasons::usualRatio(double t)
{
    const RecordingView past = parts_.recorder.view();
    const std::uint64_t rows = past.rowCount();
    double usual = -1;
    for (std::uint64_t k = 0; k < std::min(kLookedBack, rows); ++k) {
        const std::uint64_t then = k * rows / std::min(kLookedBack, rows);
        for (std::size_t i = 0; i < past_.size(); ++i)
            past_[i] = past.value(then, static_cast<int>(i));
        double ratio = 0;
        if (past.time(then) < t && parts_.matrices.load(past.time(then), past_.data())) {
            parts_.matrices.velocities().weakestRows(ratio);
            usual = std::max(usual, ratio);
        }
    }
    return usual;
}

/// The constraints that take part in the weakest combination of rows of W, by name; ratio: against the norm of W.
std::string FailureReasons::weakJoints(const model::ModelState& state, double& ratio)
{
    ratio = 1;
    if (!parts_.matrices.load(state))
        return {};
    const std::vector<int> rows = parts_.matrices.velocities().weakestRows(ratio);
    return text::firstOf(constraintNames(system().system(), rows), kNamedJoints);
}

/// A form that holds the positions alone leaves an error of the velocities to the method; one that does not damp it (the
/// trapezoidal rule) turns its sign in every step and lets it grow, until no state on the constraints lies near the next step
/// ([St02] section 6).
std::optional<Diagnostic> FailureReasons::swingingVelocities(const integrate::StepOutcome& o, const model::ModelState& state)
{
    const formulation::Enforces& holds = core().form().enforces;
    double speed = 0, share = 0;
    for (std::size_t i = 0; i < state.v.size(); ++i) {
        speed = std::max(speed, std::abs(state.v[i]));
        share = std::max(share, std::abs(state.v[i]) / metrics().scales().velocities[i]);
    }
    if (o.failure != integrate::StepFailure::NewtonDiverged || !holds.position || holds.velocity
        || !(metrics().relativeVelocity() > kSwing * share))
        return std::nullopt;
    return Diagnostic{"The velocities have left their constraints",
                      "t = " + plain(state.t, 8) + ", h = " + plain(o.h, 3),
                      core().settings.formulation + " holds the positions only; the residual of the velocities has grown to "
                          + plain(metrics().norms().velocity, 3) + " (largest velocity " + plain(speed, 3)
                          + "), and the equations of the next step could not be solved: " + o.reason,
                      advice(Trouble::VelocitiesLost, state.t, o.h),
                      {}};
}

Diagnostic FailureReasons::ofStep(const integrate::StepOutcome& o, Selector& selector, const model::ModelState& state)
{
    using integrate::StepFailure;
    const std::string where = "t = " + plain(state.t, 8) + (o.h > 0 ? ", h = " + plain(o.h, 3) : "");
    if (suspectsPivot(selector))
        return selector.pinnedSingular(core(), state, state.t);
    if (o.failure == StepFailure::NewtonDiverged && !core().form().enforces.position
        && metrics().relativePosition() > kLostPosition)
        return {"The constraint error exceeded its limit",
                where,
                "the position residual has grown to " + plain(metrics().norms().position, 3) + ", "
                    + core().settings.formulation
                    + " does not hold it down, and the equations of a step have no solution near the last state any more",
                advice(Trouble::ConstraintsLost, state.t, o.h),
                {}};
    if (const auto lost = lostRank(state))
        return *lost;
    if (const auto swinging = swingingVelocities(o, state))
        return *swinging;
    const auto because = [&](const char* what, Trouble trouble) {
        return Diagnostic{what, where, o.reason, advice(trouble, state.t, o.h), {}};
    };
    switch (o.failure) {
    case StepFailure::NewtonDiverged:
        return because("The equations of a step could not be solved", Trouble::NotSolved);
    case StepFailure::SingularMatrix:
        return because("The iteration matrix is singular", Trouble::SingularMatrix);
    case StepFailure::ErrorTest:
    case StepFailure::StepTooSmall:
        return because("The tolerances cannot be met with the smallest step", Trouble::Tolerances);
    case StepFailure::DomainError:
        return because("The run left the domain of an expression of the model", Trouble::OutsideDomain);
    case StepFailure::ProjectionFailed:
        return because("The projection onto the constraints did not converge", Trouble::NotProjected);
    default:
        return because("The integrator cannot go on", Trouble::Other);
    }
}

/// Whether a method that chooses its steps has made a motion of its own, before it stuck: most of what moves is error. V counts
/// by how far it has fallen or risen, for its zero is anywhere.
bool FailureReasons::energyGone()
{
    constexpr double kTolerances = 100; // of the usual energy
    const double error = std::abs(metrics().energyError());
    const model::SystemEvaluator::Energy& began = metrics().energyBefore();
    const double before = 2 * began.kinetic, moving = metrics().kineticEnergy() / 2;
    const double fallen = std::abs(metrics().potentialEnergy() - began.potential) / 2;
    const double explained = std::max(1.0, kTolerances * core().settings.options.relativeTolerance) * metrics().scales().energy;
    return core().integrator->info().adaptive && system().system().values.empty() && std::isfinite(error)
           && error > std::max({before, moving, fallen, explained});
}

Diagnostic FailureReasons::ofCause(const StopCause& cause, Selector& selector, const model::ModelState& before,
                                   const model::ModelState& state)
{
    const std::string where = "t = " + plain(state.t);
    if (const auto* found = std::get_if<Standstill>(&cause)) {
        if (suspectsPivot(selector))
            return selector.pinnedSingular(core(), state, state.t);
        if (const auto lost = lostRank(state))
            return *lost;
        if (energyGone())
            return {.what = "The run is stuck",
                    .where = where,
                    .why = "the energy error has grown to " + plain(metrics().energyError(), 3)
                           + " J: the tolerances are too loose for this motion, and the run has left it",
                    .remedy = advice(Trouble::EnergyLost, state.t, found->step),
                    .position = {}};
        return {.what = "The run is stuck",
                .where = where,
                .why = reasonOf(*found),
                .remedy = advice(Trouble::Stuck, state.t, found->step),
                .position = {}};
    }
    if (const auto* found = std::get_if<EnergyExploded>(&cause))
        return {.what = "The run has lost the energy balance",
                .where = where,
                .why = "the energy error has grown to " + plain(found->error, 3) + " J: the method is unstable here",
                .remedy = advice(Trouble::EnergyLost, state.t, found->step),
                .position = {}};
    if (const auto* found = std::get_if<ConstraintsExploded>(&cause))
        return {.what = "The run has lost its constraints",
                .where = where,
                .why = "their residual has grown to " + plain(metrics().norms().position, 3),
                .remedy = advice(Trouble::ConstraintsLost, state.t, found->step),
                .position = {}};
    if (const auto* jump = std::get_if<RatesJumped>(&cause))
        return jumped(*jump, before, state);
    if (const auto* left = std::get_if<LeftSetAside>(&cause))
        return leftSetAside(*left, state.t);
    if (const auto* unmet = std::get_if<Unmet>(&cause)) {
        Diagnostic d = model::unmet(system().model().requirements[unmet->requirement], 0);
        d.where += ", t = " + plain(unmet->t);
        d.remedy = "an earlier end, or numbers with which it stays so";
        return d;
    }
    return selector.pinnedSingular(core(), state, state.t);
}

Diagnostic FailureReasons::jumped(const RatesJumped& jump, const model::ModelState& before,
                                  const model::ModelState& state) const
{
    Diagnostic d = rateDiagnostic(before);
    d.where = "t = " + plain(before.t, 8) + " to " + plain(state.t, 8);
    d.why += ". The next step led to another solution: its "
             + std::string(jump.ofPositions ? "positions are " : "velocities are ") + plain(jump.away, 3)
             + " away from the motion, " + plain(jump.away / jump.explained, 3) + " times what the accelerations explain";
    return d;
}

Diagnostic FailureReasons::leftSetAside(const LeftSetAside& left, double t) const
{
    const auto& dependent = system().system().dependent; // those on velocities come last
    const auto firstVelocity =
        std::ranges::find_if(dependent, [](const model::Dependent& d) { return !d.constraint.holonomic; });
    const auto before = left.velocity ? static_cast<std::size_t>(firstVelocity - dependent.begin()) : 0;
    const model::Constraint& worst = dependent[before + left.row].constraint;
    return {
        .what = "The run has left constraints that were set aside: " + namesOfSetAside(system().system()),
        .where = "t = " + plain(t, 8),
        .why = "they followed from the others and no longer do: " + worst.name + " is off by " + plain(left.residual, 3)
               + ", which is " + plain(left.share, 3) + (left.velocity ? " of its usual size" : " of the mechanism's extent")
               + "; the residual of the others (" + plain(left.rest, 3) + ") allows " + plain(left.limit, 3)
               + ". All of the joints together cannot follow this motion, or those kept do not determine it here",
        .remedy = "a smaller step or tolerance, if the run has jumped to another branch; redundant = \"keep\" in the file with "
                  "augmented-lagrangian, which carries all rows; or a joint with fewer rows in place of "
                  + worst.joint,
        .position = {}};
}

Diagnostic FailureReasons::rateDiagnostic(const model::ModelState& at) const
{
    return {"The matrix (3.24) of [PP92] is singular",
            "t = " + plain(at.t, 8),
            "[G; L] has lost rank (largest velocity " + plain(largestOf(at.v), 3)
                + "): L = d(W v + g_t)/dq vanishes at rest, and loses "
                  "rank wherever the motion does not turn the constraints. There the multipliers mu and tau, and with them the "
                  "ssf-solution, are not determined",
            "start with a velocity, or choose projected-invariants or extended-3.17, which pass through rest",
            {}};
}

/// Where mu, tau and the ssf-solution are not determined: [G; L] has lost rank, or nearly so ([PP92] (3.24)).
std::optional<Diagnostic> FailureReasons::singularRates(const model::ModelState& state)
{
    if (!core().form().needsRateRank || !parts_.matrices.rates().asked()
        || !parts_.matrices.rates().load(metrics().evaluator(), metrics().scales(), state)
        || parts_.matrices.rates().ratio() > kSingularRates)
        return std::nullopt;
    return rateDiagnostic(state);
}

Diagnostic FailureReasons::notFinite(double t, const model::ModelState& state)
{
    return {.what = "The state is no longer a finite number",
            .where = "t = " + plain(t),
            .why = core().instance->domainMessage(),
            .remedy = advice(Trouble::NotFinite, state.t, core().integrator->lastStep()),
            .position = {}};
}

Diagnostic FailureReasons::notMeasured(double t, const std::string& why, const model::ModelState& state)
{
    if (const auto singular = singularConfiguration(state))
        return *singular;
    return {.what = "The run left the domain of an expression of the model",
            .where = "t = " + plain(t),
            .why = why,
            .remedy = advice(Trouble::OutsideDomain, state.t),
            .position = {}};
}

} // namespace driftless::run
