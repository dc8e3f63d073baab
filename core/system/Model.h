// A model as read from a file: text, metadata, run defaults and the assembled constrained system.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::reduction {
struct Reduced;
}

namespace driftless::model {

struct EquationSystem;

/// A formulation and an integrator to go with it, by their ids.
struct MethodPair {
    std::string formulation, integrator;
};

/// The [run] table of a model file: how a run goes where nothing else is asked.
struct RunDefaults {
    std::string formulation = "dummy-derivatives";
    std::string integrator = "ida";
    /// What the command `run` takes instead: nobody switches the form there, so that the least time decides. None where the
    /// file states a formulation or an integrator and no pair for the command.
    std::optional<MethodPair> command = MethodPair{"dummy-derivatives", "radau-9"};
    std::optional<double> step;
    std::optional<double> firstStep; ///< of an adaptive method; none: its own guess
    std::optional<double> relativeTolerance;
    std::optional<double> absoluteTolerance;
    std::optional<double> multiplierTolerance;
    std::optional<double> maxStep; ///< [s] of a method that chooses its steps
    double end = 10;
    bool endStated = false; ///< else end says nothing of the model's own time
};

/// How the scene looks at the model.
struct View {
    bool planar = true;
    double lengthUnit = 1; ///< [m] one cell of the grid
    double centerX = 0, centerY = 0, centerZ = 0;
    double extent = 0; ///< [m] half height of the view, 0 = fit
};

/// A whole number of the table [structure], which says how many bodies, joints or forces there are. Another value is another
/// model.
struct StructureNumber {
    std::string name;
    int value = 1, minimum = 1, maximum = 1;
    std::string description;
    SourcePosition position;      ///< of the name
    SourcePosition valuePosition; ///< of the number itself
};

/// What the numbers of a model must be whatever its parameters are set to: a mass, a length or an inertia above zero.
struct Requirement {
    expr::Expr value; ///< over parameters, and over t: then it has to hold as long as a run goes on
    bool mayBeZero = false;
    std::string what; ///< "mass"; or the whole sentence where `sentence` says so
    bool sentence = false;
    std::string where, why, remedy;
    SourcePosition position;
};

/// What ends the impact of a contact with friction: the work of the normal impulse (Stronge), its speed (Newton), or the
/// impulse itself (Poisson). Without friction all three say the same.
enum class ImpactLaw { Energetic, Newton, Poisson };

struct Model {
    int format = 1;
    std::string name; ///< identifier: "pendulum"
    std::string title;
    std::string description;
    std::string source; ///< citation
    std::string text;   ///< the file's text, unchanged
    std::string path;   ///< where it came from; empty for text
    RunDefaults run;
    View view;
    bool simultaneousImpacts = false; ///< several contacts that are hit at one time share the impact; else one after the other
    ImpactLaw impactLaw = ImpactLaw::Energetic; ///< of contacts with friction
    bool impactWithoutCollision = false; ///< where a sliding contact's force has no or several solutions, an impact goes on
    std::vector<StructureNumber> structure;
    ConstrainedSystem system;
    std::vector<Diagnostic> unitWarnings;  ///< of the expressions of a mechanism, with their places
    std::vector<Requirement> requirements; ///< those that depend on parameters or on t, each once
    /// A model of equations (.mo) instead of a mechanism: as the text states them, and what index reduction made of them
    /// (core/reduction). system then holds parameters and values alone.
    std::shared_ptr<const EquationSystem> equations;
    std::shared_ptr<const reduction::Reduced> reduced;
};

/// That a requirement does not hold with this value.
Diagnostic unmet(const Requirement& requirement, double value);
/// The first of the requirements that the values do not meet.
std::optional<Diagnostic> firstUnmet(const std::vector<Requirement>& requirements,
                                     const std::function<std::optional<double>(const expr::Symbol&)>& valueOf);
/// The one rule for values of parameters, whether they come from a command line, a session, a study or a hand on a slider:
/// finite, within the range that the file states where they differ from its value, and what the model requires of them. One
/// value per parameter.
std::optional<Diagnostic> checkParameters(const Model& model, std::span<const double> values);

/// Resolves a name given by a person ("bob.x", "x'", "L", "lambda", "phi") against the model.
enum class TargetKind { Parameter, Position, Velocity, Multiplier, Dynamic, Effort, Value, ChartPosition, ChartVelocity };
struct Target {
    TargetKind kind;
    int index;
    std::string fullName;
};
/// Full names win; the last part counts where it is unambiguous; errors list near or conflicting names.
Result<Target> resolveName(const ConstrainedSystem& system, std::string_view name);

} // namespace driftless::model
