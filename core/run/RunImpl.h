// Inside a run; shared by the files Run*.cpp of this room.
#pragma once

#include <atomic>
#include <limits>
#include <mutex>

#include "core/integrate/Scaled.h"
#include "core/reduction/DummyChooser.h"
#include "core/run/Advice.h"
#include "core/run/Metrics.h"
#include "core/run/Monitor.h"
#include "core/run/Plan.h"
#include "core/run/RankWatch.h"
#include "core/run/RateRank.h"
#include "core/run/Run.h"
#include "core/run/RunMonitors.h"
#include "core/system/DependentRows.h"

namespace driftless::run {

struct Run::Impl {
    explicit Impl(std::shared_ptr<const model::CompiledSystem> compiled, std::uint64_t budget);

    // Set-up (Run.cpp, RunStart.cpp)
    Result<void> begin(const StartSettings& start, const RunSettings& settings);
    Result<model::ModelState> consistentStart(const StartSettings& from, const std::vector<double>& parameters,
                                              double& positionChange);
    Result<std::vector<double>> startParameters() const;
    Result<std::unique_ptr<Core>> makeCore(const RunSettings& settings, const std::vector<double>& parameters,
                                           std::optional<formulation::Dae>&& rewritten, const model::ModelState& state);
    Result<std::shared_ptr<const formulation::CompiledDae>> compiledForm(const RunSettings& settings,
                                                                         std::optional<formulation::Dae>&& form) const;
    Result<void> refuseState(const RunSettings& settings, const model::ModelState& state);
    Result<std::vector<double>> numbersOf(RunSettings& settings, const formulation::Dae& form) const;
    Result<void> carries(const integrate::IntegratorInfo& method, const formulation::Dae& form) const;
    Result<DummyChoice> choose(formulation::DaeInstance& instance, const PivotChoice& pivot, const model::ModelState& state);
    bool startOf(formulation::DaeInstance& instance, const model::ModelState& state, std::vector<double>& unknowns,
                 std::vector<double>& rates, std::string& why);
    bool enter(Core& core, const model::ModelState& state, std::string& why);

    // Units (RunScales.cpp)
    integrate::Scaling scaling(const solve::DaeSystem& dae) const;
    bool countsInSizes(const integrate::IntegratorOptions& options) const;
    std::unique_ptr<integrate::Integrator> scaled(std::unique_ptr<integrate::Integrator> method,
                                                  const integrate::IntegratorOptions& options,
                                                  std::shared_ptr<const model::NominalScales> sizes) const;
    Result<void> checkMethod(integrate::IntegratorOptions options) const;

    // Refusals of states
    void installProjection(Core& core);
    Result<void> refuseRedundant(const std::string& formulation, const model::ModelState& state);
    Result<void> checkDependent(const model::ModelState& state); ///< RunDependent.cpp
    Result<void> refuseMisfit(const consistency::Request& request, const std::vector<double>& parameters);
    void nameRigid();
    void nameDependent();
    void nameRedundant(); ///< as an event (RunRedundant.cpp)
    Result<void> refuseSingularMass(const std::string& formulation, const model::ModelState& state);
    bool withinConstraints(const model::ModelState& state, double bound);
    bool solveStart(formulation::DaeInstance& instance, double t, std::vector<double>& unknowns, std::vector<double>& rates);
    void resetMonitors();

    // Stepping (RunStep.cpp)
    bool step(double tStop);
    bool readState();
    bool acceptStep(double tStop);
    bool acceptRow();
    void fallBack();
    bool settle();
    bool passesOver();
    double branchesFrom(double t) const;
    void appendRow();
    void recordBetween();
    bool motionBetween(double share, double* q, double* v);
    bool valuesBetween(double t, double* lambda);
    void publish();
    bool crossesSingularity();
    std::uint64_t judgedEvery() const;
    void approachSingularity();
    void fail(Diagnostic diagnostic, bool stuck = false);
    Diagnostic translate(const integrate::StepOutcome& outcome);
    std::string advice(Trouble trouble, double step = 0) const;
    Diagnostic pinnedSingular(double until);
    std::optional<Diagnostic> lostRank();
    std::optional<Diagnostic> singularConfiguration();
    std::string weakJoints(double* ratio = nullptr);
    double usualRatio();
    std::optional<Diagnostic> swingingVelocities(const integrate::StepOutcome& outcome);

    // What watches the run (RunMonitors.cpp)
    class Probe;
    void makeMonitors();
    void beginMonitors();
    Observation observe(int steps);
    bool askMonitors(Monitor::Turn turn, int steps); ///< false where one of them has ended the run
    Diagnostic explain(const StopCause& cause);
    Diagnostic explain(const RatesJumped& jump);
    Diagnostic explain(const LeftSetAside& left);
    bool suspectsPivot() const;

    // The rank of G on the way (RunRank.cpp)
    void followRank();
    void lookForSingularity(double from);
    std::vector<std::string> constraintNames(const std::vector<int>& rows) const;

    // The rank of [G; L] (RunRates.cpp)
    std::optional<Diagnostic> singularRates();
    Diagnostic rateDiagnostic(const model::ModelState& at) const;
    integrate::Statistics totals() const;

    // Pivots (RunPivot.cpp)
    /// One selection of columns: of W for the velocities, of G for the positions.
    struct Track {
        Track(int n, int rows) : chooser(n, rows), trial(static_cast<std::size_t>(rows)), better(trial) {}
        formulation::PivotChooser chooser;
        std::vector<int> followed; ///< best selection followed where the form does not pivot
        std::vector<int> trial, better;
        double kappa = 1;
        int orientation = 0; ///< sign of the determinant of the selection in force
    };
    Result<formulation::Dummies> chooseDummies(const formulation::Dae& form, const PivotChoice& pivot,
                                               const model::ModelState& state);
    Result<formulation::Dummies> pinnedDummies(const formulation::Dae& form, const PivotChoice& choice) const;
    void followPivot();
    void followBases();
    void judgeSelection();
    double improve(Track& track, std::span<const int> selection);
    void swapDummies(const formulation::Dummies& dummies);
    void judgeExchanges();
    bool loadPivots(const model::ModelState& state, const formulation::Dae& form);
    bool loadPivots(const model::ModelState& at) { return loadPivots(at, core->form()); }
    bool loadTracks(double t, const double* q, bool throughMass);
    /// Whether positions and velocities are selected apart.
    bool apart(const formulation::Dae& form) const;
    std::vector<std::string> dummyList(const formulation::Dummies& dummies) const;
    std::string dummyNames(const formulation::Dummies& dummies) const; ///< in a sentence

    // A general DAE (RunGeneral.cpp)
    Result<model::ModelState> generalStart(const StartSettings& from, double& change);
    Result<structure::DummySelection> chooseValues(const PivotChoice& pivot, const model::ModelState& at);
    Result<std::vector<int>> pinnedValues(const PivotChoice& choice) const;
    Result<void> completeValues(const formulation::DaeInstance& instance, model::ModelState& at, double& change);
    bool loadValues(const model::ModelState& at);
    void judgeValues();
    void followValues();
    void shareStages();
    Diagnostic pinnedValuesSingular() const;

    // Commands: worked out (Intent.cpp, Plan.cpp), then put in force (RunCommands.cpp)
    Result<Intent> intend(const CommandPayload& payload) const;
    Intent restartIntent() const;
    Result<Plan> plan(Intent&& intent);
    Result<Tuning> tried(const Intent& intent, model::ModelState& state, double& change, bool asItStands);
    Result<Levels> movedByParameters(const model::ModelState& state, const std::vector<double>& before,
                                     const std::vector<double>& after);
    Command stand(double t, const CommandPayload& payload);
    void stayAt(const Command& command);
    Result<void> replay(const Command& command, const std::function<bool()>& told);
    bool bringTo(double t);
    ValuesCorrected correctionOf(const SetState& command, const model::ModelState& after) const;
    bool continuesSample(const SetState& command) const;
    void beginSample(const SetState& command);
    void commit(Plan&& plan);
    void commitBranch(double to, Plan&& plan);
    void restartHere(RestartCause cause);
    void adopt(Plan&& plan);

    void addEvent(EventDetail detail); ///< at the present state
    void shareSettings();

    std::shared_ptr<const model::CompiledSystem> system;
    StartSettings start;
    Metrics metrics;
    Track velocities, positions;
    RankWatch rankWatch; ///< with the chooser of the velocities
    Recording recording;
    std::unique_ptr<Core> core;
    model::ModelState state, previous; ///< now; of the last row, or of the step before where every step is one
    int sinceRow = 0;                  ///< accepted steps that are not recorded
    std::vector<double> row, predicted, coordinateRate;
    std::vector<double> jacobianValues, positionValues, massValues, positionRows, velocityRows;
    double kappa = 1, leastKappa = 1;                 ///< of the selection in force; the least since the monitors began
    std::unique_ptr<reduction::DummyChooser> chooser; ///< of a general DAE
    std::vector<reduction::StageChoice> stages;
    std::vector<double> valuesJacobian;
    std::atomic<bool> cancel{false};
    std::atomic<double> time{0};
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<bool> hasFailed{false};
    std::atomic<bool> watched{false}; ///< somebody asked for the status
    std::uint64_t pivots = 0;
    integrate::Statistics base, atRestart; ///< of integrators gone; of this one when it was last put in
    ResidualNorms maxNorms;
    struct Timing {
        double cpu = 0, wall = 0; ///< [s] of all steps
        double last = 1;          ///< [s] of the last step that was timed, of this thread
        int untimed = 0;          ///< steps begun since the clocks were asked
    };
    Timing timing;
    std::vector<Command> restarts;

    /// Values set again and again at one t (a body that is dragged) leave one entry on the time line, that of the last.
    struct Sampled {
        std::vector<std::string> names;
        double t = 0, energyBefore = 0;
        std::size_t firstEvent = 0, events = 0;
        model::ModelState before;
    };
    std::optional<Sampled> sampled;

    std::vector<std::unique_ptr<Monitor>> monitors; ///< in the order in which they are asked
    std::uint64_t sinceJudged = 0;                  ///< rows
    int sinceLooked = 0;                            ///< judgements
    Judged judged;                                  ///< the state last judged
    model::SetAsideWalk setAside;                   ///< from the start, with the parameters of the start
    std::unique_ptr<RateRank> rateRank;

    Between between;

    /// What other threads may read.
    struct Segment {
        double t;
        std::vector<double> parameters;
        double reference; ///< E(0) of the energy balance [J]
    };
    /// To which state and selection the judged exchanges belong.
    struct Offered {
        double t = 0;
        formulation::Dummies selection;
    };
    struct Shared {
        RunStatus status;
        std::optional<Offered> offered;
        Mark mark;
        std::shared_ptr<const formulation::CompiledDae> dae;
        model::ModelState last; ///< last accepted, position only
        formulation::Dummies selection;
        bool apart = false, throughMass = false;
        std::vector<Event> events;
        std::vector<Segment> segments;
    };
    mutable std::mutex mutex;
    Shared shared;
};

/// Another integrator, the parameter of its family as usual. A method of fixed steps that follows one that chose its own gets
/// the model's step, or 0.01 s, or a thousandth of the model's time where that is less.
void takeIntegrator(RunSettings& settings, const std::string& id, const model::RunDefaults& defaults);

constexpr double kForever = std::numeric_limits<double>::infinity();
/// A projection smaller than this share of the coordinates' size is round-off of the solver, not a correction.
constexpr double kReportedChange = 1e-12;

std::string plain(double x, int digits = 6);

} // namespace driftless::run
