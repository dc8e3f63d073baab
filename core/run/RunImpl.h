// Inside of a run: its parts, and how they play together. Every part is a class with a header of its own and sees of the others
// only what it is handed; shared by the files Run*.cpp of this room.
#pragma once

#include <algorithm>
#include <deque>
#include <map>

#include "core/run/EquationEvents.h"
#include "core/run/ModeFollower.h"
#include "core/run/ModeKit.h"
#include "core/run/Plain.h"
#include "core/run/Run.h"
#include "core/run/StepEvents.h"

namespace driftless::run {

struct Run::Impl {
    Impl(std::shared_ptr<const model::CompiledSystem> compiled, std::uint64_t budget);
    Result<void> begin(const StartSettings& start, const RunSettings& settings);
    ModeKit::Shared shared(); ///< what the kits of all modes borrow

    // Stepping (RunStep.cpp)
    bool step(double tStop);
    bool goTo(double t, bool due); ///< no farther than round-off; due: an instant is
    bool read();                   ///< the state from the integrator; false where that failed the run
    bool acceptStep(double tStop);
    bool acceptRow();
    /// The state as it stands becomes a row: before anything that builds on what is measured of it. False when that failed the
    /// run.
    bool settle() { return sinceRow == 0 || published.failed() || acceptRow(); }
    void approachSingularity();
    void followSelection(const Interval& interval);
    bool ask(Monitor::Turn turn, const Observation& row); ///< the monitors; false where one of them has ended the run
    void failLost(); ///< the step that was taken cannot be followed: for what a monitor knows of it, or without
    void beginMonitors();
    void appendRow();
    void publish();
    void judgeExchanges();
    void fallBack();
    void fail(Diagnostic diagnostic, bool stuck = false, bool asked = false);

    // Events of the model's own (RunEvents.cpp)
    Result<void> beginModes();
    Result<void> beginSwitches();                         ///< those of a model of equations
    Result<void> checkModes(const RunSettings& settings); ///< refuses forms that some mode cannot be written in
    Result<void> checkMode(const RunSettings& settings, std::size_t row, model::OneSidedState standing);
    /// Sets cut; false where that failed the run. due: something else happens where the step has ended.
    bool cutAtEvent(bool due);
    /// What happens at this state; of a new run or a new state nothing has fired.
    bool happen(std::span<const int> guards, Occasion occasion = Occasion::Instant);
    Result<void> goOn(Happening& done);
    void resolveFlight();
    void leaveMode();
    Result<void> enterMode(model::ModelState&& from);
    bool chatters(std::span<const int> guards);
    Diagnostic chattering() const;
    /// Why steps make no progress, where events without end are why.
    std::optional<Diagnostic> chattersBefore(const StopCause& cause) const;
    Result<ModeKit*> kitOf(const model::Mode& mode);
    /// The mode in which a command is worked out: where it leads to another time that of then.
    Result<ModeKit*> kitFor(const CommandPayload& payload);

    // Commands (RunCommands.cpp)
    Result<Plan> plan(Intent&& intent);
    Result<Plan> planIn(ModeKit& into, Intent&& intent);
    Result<Plan> planMoved(const Intent& intent); ///< of positions set by hand: no contact is passed
    void takeMode(const CommandPayload& payload);
    Result<Plan> planBehindCorner(model::ModelState behind);
    Result<std::optional<model::Mode>> tornAt(model::ModelState& behind);
    bool rowsJump(const model::ModelState& behind);
    std::vector<std::string> dummiesInForce() const;
    void tellMode(const Gesture::Before& before);
    double kappaBehind(const CommandPayload& payload) const;
    void tellChosen(const std::vector<std::string>& before, double kappaBefore); ///< others than before, at this state
    model::ModelState inBase(model::ModelState at) const;                        ///< with the multipliers of the base
    Result<void> replay(const Command& command, const std::function<bool()>& told);
    void restartHere(RestartCause cause);
    void commit(Plan&& plan);
    void adopt(Plan&& plan);

    std::shared_ptr<const model::CompiledSystem> system; ///< of the base: names, recording
    model::ModelState state, previous; ///< now; of the last row, or of the step before where every step is one
    int sinceRow = 0;                  ///< accepted steps that are not recorded
    std::uint64_t pivots = 0;
    ResidualNorms maxNorms;
    std::vector<Command> restarts; ///< that were not asked for, since they were taken

    Published published;
    Stepper stepper;
    Gesture gesture;
    std::unique_ptr<ModeKit> base; ///< of the model as it is read
    ModeKit* kit = nullptr;        ///< of the mode in force
    Recorder recorder;
    Samples samples;
    std::unique_ptr<ModeFollower> modes;                  ///< null: the model has one mode
    std::unique_ptr<EquationEvents> switches;             ///< null: no event is stated in equations
    std::unique_ptr<StepEvents> events;                   ///< null: nothing happens by the model's own doing
    ModeKit* planned = nullptr;                           ///< of the command that is being worked out
    std::optional<model::Mode> plannedMode;               ///< to which positions set by hand or a corner lead, until settled
    std::map<model::Mode, std::unique_ptr<ModeKit>> kits; ///< of modes that were in force, without the base
    std::deque<model::Mode> recent;                       ///< of those, the last one left at the end
    std::unique_ptr<Core> replaced;                       ///< by what was adopted last
    std::vector<std::string> dummiesBefore; ///< where a corner has torn rows: of the mode that the next event tells of
    bool cut = false;                       ///< the last step was ended at an event
    bool shortened = false;                 ///< or where one was looked for, and was none
    bool slides = false;                    ///< what fired there had not left zero
    int lastGuard = -1;                     ///< of those that came to zero at it, the first; -1: there was none
    double lastEvent = 0;                   ///< [s]
    int crowded = 0;                        ///< events without progress
    int hasty = 0;                          ///< events with hardly any
    bool tinyFlight = false;                ///< the last event was an impact after a flight of no length
    double flightEnds = 0, flightStep = 0;  ///< [s] of a low flight behind an impact; the longest step of it
};

/// The larger norms of both.
inline ResidualNorms largerOf(const ResidualNorms& a, const ResidualNorms& b)
{
    return {.position = std::max(a.position, b.position),
            .velocity = std::max(a.velocity, b.velocity),
            .acceleration = std::max(a.acceleration, b.acceleration),
            .setAside = std::max(a.setAside, b.setAside)};
}

} // namespace driftless::run
