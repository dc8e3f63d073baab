// Events of the model's own: a run is cut where one is, what happens there changes its state or its equations, and it goes on.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/formulation/Formulation.h"
#include "core/run/RunImpl.h"
#include "core/run/Tolerances.h"

namespace driftless::run {

namespace {

constexpr std::size_t kMostKits = 16; ///< modes that are kept compiled; a teacher's mechanism has fewer
constexpr int kMostCrowded = 200;     ///< events in a row without progress: a bouncing ball that comes to rest has fifty
constexpr double kNoProgress = 1e-12; ///< of the nominal time, or of t
constexpr int kMostHasty = 2000;      ///< events in a row that hardly get on
constexpr double kHardly = 1e-7;      ///< of the nominal time: a hundred times as far as conditions that touch are told apart
constexpr int kFewHasty = 20;         ///< so many in a row are the reason where a run makes no progress
constexpr double kNoFlight = 1e-14;   ///< of the usual gap of the contact: a shorter flight is round-off of the places
constexpr double kFlightSteps = 50;   ///< at order one a parabola is off by a twelfth of its height

Levels levelsOf(const RunSettings& settings)
{
    const formulation::Enforces holds =
        formulation::enforcedBy(formulation::findFormulation(settings.formulation)->info(), settings.choices);
    return {.position = holds.position, .velocity = holds.position || holds.velocity};
}

bool isModeChange(const EventDetail& detail) { return std::holds_alternative<ModeChange>(detail); }

Diagnostic inMode(Diagnostic why, const std::string& mode)
{
    why.where = "mode " + mode + (why.where.empty() ? "" : ", ") + why.where;
    return why;
}

} // namespace

/// The dummies of a form that chooses, by their names.
std::vector<std::string> Run::Impl::dummiesInForce() const
{
    const Core& core = stepper.core();
    const bool chooses = core.form().pivot || core.form().links;
    return chooses ? kit->selector->names(kit->selector->selection(core)) : std::vector<std::string>();
}

/// A change or a corner at which a form begins anew may choose other dummies than those before it.
void Run::Impl::tellChosen(const std::vector<std::string>& before, double kappaBefore)
{
    std::vector<std::string> now = dummiesInForce();
    if (before.empty() || now.empty() || now == before)
        return;
    published.timeLine().add(
        state.t,
        PivotChange{.from = before, .to = std::move(now), .kappaBefore = kappaBefore, .kappa = kit->selector->kappa()});
    ++pivots;
}

/// kappa before a command: where it leads back to another time, that of the row there.
double Run::Impl::kappaBehind(const CommandPayload& payload) const
{
    const auto* branch = std::get_if<Branch>(&payload);
    const RecordingView rows = recorder.written();
    const int column = rows.metrics() + static_cast<int>(Metric::Kappa); // a model may have a quantity of that name
    return branch && !rows.empty() ? rows.value(rows.rowAt(branch->to), column) : kit->selector->kappa();
}

/// What a person lifts off a contact, or takes out of one, has left it.
void Run::Impl::tellMode(const Gesture::Before& before)
{
    if (!modes || modes->mode() == before.mode)
        return;
    published.timeLine().add(state.t, ModeChange{.from = model::modeName(system->system(), before.mode),
                                                 .to = model::modeName(system->system(), modes->mode()),
                                                 .index = stepper.core().form().differentiationIndex,
                                                 .fromMode = before.mode,
                                                 .toMode = modes->mode(),
                                                 .dummiesBefore = before.dummies,
                                                 .dummies = dummiesInForce()});
}

/// At the start: the modes of the model, and what the contacts that touch make of the start.
Result<void> Run::Impl::beginModes()
{
    if (system->model().reduced)
        return beginSwitches();
    if (system->system().oneSided.empty())
        return {};
    if (auto carried = checkModes(stepper.core().settings); !carried)
        return carried;
    auto follower = ModeFollower::of(system);
    if (!follower)
        return follower.error();
    modes = std::move(*follower);
    events = std::make_unique<StepEvents>(*modes);
    modes->setParameters(stepper.core().parameters);
    modes->enter(state.t, model::baseMode(system->system()), {.metrics = &base->metrics, .places = &base->places});
    if (auto sound = modes->check(state); !sound)
        return sound;
    if (!happen(modes->overloaded(state)))
        return published.status().diagnostic.value_or(Diagnostic{.what = "The modes of the model cannot begin"});
    return {};
}

/// The start is as its own event has left it (EquationStates); what is due at once comes next.
Result<void> Run::Impl::beginSwitches()
{
    auto made = EquationEvents::of(*system, base->metrics, stepper.core().parameters);
    if (!made)
        return made.error();
    switches = std::move(*made);
    if (!switches)
        return {};
    events = std::make_unique<StepEvents>(*switches);
    if (auto fine = switches->tooFine(state); !fine.empty())
        published.timeLine().add(state.t, LimitsTooFine{std::move(fine)});
    if (!happen({}))
        return published.status().diagnostic.value_or(Diagnostic{.what = "The events of the model cannot begin"});
    return {};
}

/// Each row by itself: the form is written, and nothing is compiled.
Result<void> Run::Impl::checkModes(const RunSettings& settings)
{
    // A contact, friction of a known force, a link, friction of a contact that sticks and that slides, a ratchet.
    bool seen[6] = {};
    const auto& rows = system->system().oneSided;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        using model::OneSidedState;
        const bool rubs = rows[i].contact >= 0;
        const bool ratchet = rows[i].kind == model::OneSidedKind::Contact && !rows[i].row.holonomic;
        const std::size_t kind = ratchet ? 5 : static_cast<std::size_t>(rows[i].kind);
        // Of rows of one kind one stands for all.
        if (!std::exchange(seen[rubs ? 3 : kind], true))
            if (auto carried =
                    checkMode(settings, i, rows[i].kind == model::OneSidedKind::Link ? OneSidedState::Off : OneSidedState::On);
                !carried)
                return carried;
        if (rubs && !std::exchange(seen[4], true))
            if (auto carried = checkMode(settings, i, OneSidedState::Forwards); !carried)
                return carried;
    }
    return {};
}

/// One row in this state, the others as in the base; friction with its contact.
Result<void> Run::Impl::checkMode(const RunSettings& settings, std::size_t row, model::OneSidedState standing)
{
    const formulation::Formulation& form = *formulation::findFormulation(settings.formulation);
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    model::Mode mode = model::baseMode(system->system());
    mode[row] = standing;
    if (const int contact = system->system().oneSided[row].contact; contact >= 0)
        mode[static_cast<std::size_t>(contact)] = model::OneSidedState::On;
    const auto there = model::modelInMode(system->modelHandle(), mode);
    const std::string name = model::modeName(system->system(), mode);
    auto dae = form.build(*there, settings.choices);
    if (!dae)
        return inMode(dae.error(), name);
    if (!method)
        return {};
    if (auto carried = integrate::canCarry(*method, dae->index, dae->projection.any(), dae->semiExplicit,
                                           formulation::mechanicsOf(*dae, there->system));
        !carried)
        return inMode(carried.error(), name);
    return {};
}

Result<ModeKit*> Run::Impl::kitOf(const model::Mode& mode)
{
    if (mode == model::baseMode(system->system()))
        return base.get();
    if (const auto known = kits.find(mode); known != kits.end())
        return known->second.get();
    auto compiled = model::CompiledSystem::compile(model::modelInMode(system->modelHandle(), mode));
    if (!compiled)
        return inMode(compiled.error(), model::modeName(system->system(), mode));
    auto made = std::make_unique<ModeKit>(*compiled, shared(), model::placesInMode(system->system(), (*compiled)->system()));
    made->refusals.take(base->refusals.walk());
    made->monitors = Monitors(**compiled, base->refusals.walk());
    if (kits.size() >= kMostKits) { // the one that was left longest ago, and is not in force
        const auto old = std::find_if(recent.begin(), recent.end(),
                                      [&](const model::Mode& m) { return kits.contains(m) && kits.at(m).get() != kit; });
        if (old != recent.end()) {
            kits.erase(*old);
            recent.erase(old);
        }
    }
    return kits.emplace(mode, std::move(made)).first->second.get();
}

Result<ModeKit*> Run::Impl::kitFor(const CommandPayload& payload)
{
    if (!modes)
        return kit;
    if (std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload))
        return base.get();
    if (const auto* branch = std::get_if<Branch>(&payload))
        return kitOf(modes->modeAt(branch->to));
    return kit;
}

bool Run::Impl::cutAtEvent(bool due)
{
    const integrate::Located found = events->search(stepper, state, due);
    if (found.failed) {
        failLost();
        return false;
    }
    if (!found.found)
        return true;
    cut = true;
    slides = found.touching;
    std::string why;
    if (events->cut(stepper, found, state, why)) {
        if (events->fallsShort())
            cut = slides = false, shortened = true; // a step like others, and what fired is found again
        else
            events->source().found(found);
        return true;
    }
    fallBack();
    fail({.what = "The step cannot end at the event",
          .where = "t = " + plain(found.t),
          .why = why,
          .remedy = "smaller tolerances or steps",
          .position = {}});
    return false;
}

Diagnostic Run::Impl::chattering() const
{
    const int count = std::max(crowded, hasty);
    return {.what = "The run chatters",
            .where = "t = " + plain(state.t),
            .why = std::to_string(count) + " events in a row without progress"
                   + (modes ? ", in the mode " + model::modeName(system->system(), modes->mode()) : std::string())
                   + (switches && lastGuard >= 0 ? ", the last one by the condition " + switches->nameOf(lastGuard)
                                                 : std::string()),
            .remedy = modes
                          ? std::string(modes->rebounds()
                                            ? "a larger limit `rest` of the contacts, below which a rebound is none, or "
                                            : "")
                                + "smaller tolerances, or another method"
                          : "a discrete variable that says when it has come to rest or slides along a condition, two limits in "
                            "place of one, or noEvent(...)",
            .position = {}};
}

std::optional<Diagnostic> Run::Impl::chattersBefore(const StopCause& cause) const
{
    return events && hasty >= kFewHasty && std::holds_alternative<Standstill>(cause) ? std::optional(chattering())
                                                                                     : std::nullopt;
}

/// Events that do not get on. guards: conditions that came to zero; instants of the time, without any, may follow each other as
/// fast as they like.
bool Run::Impl::chatters(std::span<const int> guards)
{
    const bool ofState = !guards.empty();
    // A contact has the time of what it takes part in: what is large or slow elsewhere makes its flights no shorter.
    const double usual = modes && ofState ? modes->usualTime(guards) : kit->metrics.scales().time;
    const double reach = kNoProgress * std::max(usual, std::abs(state.t));
    // A motion that slides along a condition crosses it again and again, each time as soon as that can be told.
    crowded = state.t - lastEvent > reach && !(switches && slides) && !tinyFlight ? 0 : crowded + 1;
    // One that crosses it by what counts as touching gets on by that each time, with a method that does not see it touch.
    hasty = !ofState || state.t - lastEvent > std::max(kHardly * usual, reach) ? 0 : hasty + 1;
    lastEvent = state.t;
    if (crowded <= kMostCrowded && hasty <= kMostHasty)
        return false;
    fail(chattering(), true);
    return true;
}

bool Run::Impl::happen(std::span<const int> guards, Occasion occasion)
{
    const double since = state.t - lastEvent;
    if (!guards.empty())
        lastGuard = guards.front();
    if (chatters(guards))
        return false;
    if (modes) {
        const integrate::IntegratorOptions& options = stepper.core().settings.options;
        const integrate::IntegratorInfo& method = stepper.core().integrator->info();
        ModeFollower::StepErrors errors{.relative = options.relativeTolerance, .multistep = method.multistep};
        if (method.adaptive)
            errors.absolute = placeTolerances(system->system(), kit->metrics.scales(), options);
        modes->setStepErrors(std::move(errors));
    }
    auto done = events->source().happen(state, guards, occasion);
    if (!done) {
        fail(done.error());
        return false;
    }
    tinyFlight = done->approach && *done->approach * since <= kNoFlight;
    if (auto gone = goOn(*done); !gone) {
        fail(gone.error());
        return false;
    }
    if (done->approach)
        resolveFlight();
    if (done->stop) {
        fail(std::move(*done->stop), true);
        return false;
    }
    if (done->ended) {
        fail({.what = std::move(*done->ended),
              .where = "t = " + plain(state.t),
              .why = "the model ends its run here",
              .remedy = "another start, or another parameter",
              .position = {}},
             true, true);
        return false;
    }
    return true;
}

/// Behind an impact a method of several steps begins with low orders, whose errors may be as large as a low flight is high: it
/// goes through that in short steps.
void Run::Impl::resolveFlight()
{
    const integrate::IntegratorInfo& method = stepper.core().integrator->info();
    if (!modes || !method.multistep || !method.adaptive)
        return;
    const ModeFollower::LowFlight flight = modes->lowFlight(state); // where it lands the next one is looked for
    flightStep = flight.whole / kFlightSteps;
    flightEnds = state.t + flight.left;
}

/// The state after an event is in force, its energy booked, its equations those of the mode.
Result<void> Run::Impl::goOn(Happening& done)
{
    const double reference = kit->metrics.reference(), error = kit->metrics.energyError(), energy = kit->metrics.energy();
    const bool changed = done.moved || done.otherSystem;
    std::vector<std::string> dummies = std::exchange(dummiesBefore, {});
    if (dummies.empty() && std::ranges::any_of(done.told, isModeChange))
        dummies = dummiesInForce();
    if (done.otherSystem) {
        if (auto entered = enterMode(std::move(done.state)); !entered)
            return entered;
    } else if (changed || cut) {
        state = std::move(done.state);
        Moved moved;
        // In index 3 the first step behind it would make up for what the polynomial is off, in its velocities by that over h.
        const Core& core = stepper.core();
        const bool off = modes && core.integrator->info().multistep && core.instance->index() >= 3;
        if (changed || off)
            if (auto restored = kit->states->restore(levelsOf(core.settings), true, state, moved); !restored)
                return restored;
        std::string why;
        if (!stepper.restart(state, why))
            return Diagnostic{"The run cannot go on after the event", "t = " + plain(state.t), why, {}, {}};
        kit->metrics.measure(state, true);
    }
    if (changed) {
        kit->metrics.resumeBalance(reference, error + (kit->metrics.energy() - energy) - done.work);
        recorder.forgetSlopes();
        if (!switches) // a motion that slides along a condition must not begin anew at each event
            beginMonitors();
    }
    for (EventDetail& detail : done.told) {
        if (auto* change = std::get_if<ModeChange>(&detail)) {
            change->index = stepper.core().form().differentiationIndex;
            change->dummiesBefore = dummies;
            change->dummies = dummiesInForce();
        }
        if (auto* change = std::get_if<Switched>(&detail))
            change->index = stepper.core().form().differentiationIndex;
        published.timeLine().add(state.t, std::move(detail));
    }
    events->begin(state);
    sinceRow = 0;
    if (changed) {
        const double setAside = maxNorms.setAside;
        maxNorms = largerOf(maxNorms, kit->metrics.norms());
        maxNorms.setAside = setAside;
        appendRow();
    }
    publish();
    published.withdraw();
    return {};
}

/// The mode in force is the one that was left last.
void Run::Impl::leaveMode()
{
    std::erase(recent, modes->mode());
    recent.push_back(modes->mode());
}

/// From a state in the present mode's order of multipliers into the mode that the event has led to.
Result<void> Run::Impl::enterMode(model::ModelState&& from)
{
    const model::Mode next = modes->next();
    const std::string name = model::modeName(system->system(), next);
    auto found = kitOf(next);
    if (!found)
        return found.error();
    ModeKit& into = **found;
    RunSettings settings = stepper.core().settings;
    const std::vector<double> parameters = stepper.core().parameters;
    Plan plan;
    plan.state = into.fromBase(inBase(std::move(from)));
    into.metrics.setParameters(parameters);
    if (auto restored = into.states->restore(levelsOf(settings), true, plan.state, plan.moved); !restored)
        return inMode(restored.error(), name);
    auto made = into.maker.make(settings, parameters, {}, plan.state, into.left.get());
    if (!made && !settings.pivot.automatic) { // what is pinned may not fit the rows of this mode
        settings.pivot = {};
        made = into.maker.make(settings, parameters, {}, plan.state, into.left.get());
    }
    if (!made)
        return inMode(made.error(), name);
    if (auto completed = into.states->complete(*(*made)->instance, plan.state, plan.moved.positions); !completed)
        return inMode(completed.error(), name);
    std::string why;
    if (!(*made)->enter(plan.state, why))
        return Diagnostic{
            "The formulation cannot start in this mode", "mode " + name + ", t = " + plain(plan.state.t), why, {}, {}};
    leaveMode();
    kit->left = stepper.replace(std::move(*made));
    kit = &into;
    modes->enter(plan.state.t, next, {.metrics = &into.metrics, .places = &into.places});
    recorder.follow(&into.places);
    adopt(std::move(plan));
    return {};
}

} // namespace driftless::run
