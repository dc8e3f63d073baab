// What defines a run besides the model: formulation, integrator, tolerances, pivot; and the commands that change it.
//
// A run is a pure function of model, start, settings and its list of commands.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::run {

struct PivotChoice {
    bool automatic = true;
    std::vector<std::string> dummies; ///< full names of coordinates whose derivatives are dummies, when pinned
};

/// Which accepted steps a run measures and records.
enum class Rows {
    EveryStep,
    AsCurvesNeed ///< a step is passed over where the chord from the last row to the next one could not be told from the curve
};

struct RunSettings {
    std::string formulation = "dummy-derivatives";
    std::string integrator = "ida";
    integrate::IntegratorOptions options;
    PivotChoice pivot;
    std::map<std::string, double> gains;        ///< "xi", "omega": gains of the formulation that differ from their default
    std::map<std::string, std::string> choices; ///< options of the formulation that differ from their default
    Rows rows = Rows::EveryStep;
};

/// Values set by a person; a value that is set counts as fixed. Keys are full names (q, v, multipliers, chart coordinates).
struct StartSettings {
    std::map<std::string, double> parameters;
    std::map<std::string, double> values;
    bool allowInconsistent = false;
    bool massMetric = false; ///< the correction of the free values is smallest in the metric of M, else of the coordinates
    /// Full names of the positions and velocities that count as fixed, in place of those that the file or values fix.
    std::optional<std::vector<std::string>> fixed{};

    bool operator==(const StartSettings&) const = default;
};

// Commands: payloads of the log. A command acts between steps, at an exact t.
struct SetParameter {
    std::string name;
    double value;
};
struct SetFormulation {
    std::string id;
};
struct SetIntegrator {
    std::string id;
};
struct SetOptions {
    integrate::IntegratorOptions options;
};
struct SetPivot {
    PivotChoice pivot;
};
struct SetGain {
    std::string name;
    double value;
};
/// An option of the formulation, such as the basis of tangent-plane.
struct SetChoice {
    std::string name;
    std::string value;
};
struct SetRows {
    Rows rows;
};
/// Values set by hand where the run stands: the others are guesses, and the whole state is made consistent at this t
/// (positions, then velocities, then multipliers). Where the constraints do not allow the values, the nearest consistent ones
/// are taken.
struct SetState {
    std::map<std::string, double> values; ///< full names of positions, velocities and dynamic variables
    bool asRecorded = false;              ///< an earlier state comes back: only the levels that the form enforces are restored
};
/// Back to the start at t = 0 in a fresh recording.
struct Reset {};
/// New start values and what is fixed, then as Reset. The parameters of the start stay.
struct SetStart {
    std::map<std::string, double> values;
    bool allowInconsistent = false;
    bool massMetric = false;
    std::optional<std::vector<std::string>> fixed{};
};
/// Continues from an earlier time of the recording, which is cut there.
struct Branch {
    double to = 0; ///< [s]
    /// In place of those in force: as the run was integrated at that time. Which steps are recorded stays as it is.
    std::optional<RunSettings> settings{};
    std::map<std::string, double> parameters{}; ///< that get other values, by name
};
/// The integrator starts afresh from the last accepted step: logged where a step under way was interrupted.
struct Restart {};
/// Absolute tolerances by the full names of positions, velocities, multipliers and other unknowns; refused where a name is
/// unknown or a value not above zero (RunScales.cpp).
Result<std::map<std::string, double>> checkTolerances(const model::ConstrainedSystem& system,
                                                      const std::map<std::string, double>& tolerances);
/// The start that the command leaves behind.
StartSettings startAfter(StartSettings start, const SetStart& command);
using CommandPayload = std::variant<SetParameter, SetFormulation, SetIntegrator, SetOptions, SetPivot, SetGain, SetChoice,
                                    SetRows, SetState, Reset, SetStart, Branch, Restart>;

struct Command {
    double t = 0;                 ///< exact time at which it acts [s]
    std::uint64_t afterSteps = 0; ///< accepted steps of the run before the step that was made to end at t
    CommandPayload payload;
};
/// "formulation -> projection", for the time line and logs.
std::string describe(const CommandPayload& payload);
/// Whether it acts on all its runs at one time, to which those that are behind are brought. The others go to a time of their
/// own.
bool actsAtOneTime(const CommandPayload& payload);

} // namespace driftless::run
