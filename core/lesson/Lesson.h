// A guided lesson: steps that set the laboratory up, say what to do, ask, and judge the answer by the live state.
//
// Lessons are data: one TOML file each, with Markdown in its texts (docs/lessons.md). What is here knows the file and
// nothing of windows; numbers that an answer is compared with are never in the file but measured (Measure).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/measure/Syntax.h"
#include "core/run/PanelKind.h"
#include "core/run/Settings.h"
#include "core/study/Study.h"
#include "core/text/Budget.h"

namespace driftless::lesson {

/// What a plot of a step shows.
struct PlotChoice {
    run::PanelKind kind = run::PanelKind::Residuals; ///< one of run::livePanels()
    std::string of, against;                         ///< column names, for Curve and Phase
};

/// The bench of a step: a model at its start with some runs.
struct Setup {
    std::string model;                  ///< a shipped name, or a path (as written, beside the lesson's file)
    run::StartSettings start;           ///< values: names as written, parameters among them; resolved by the document
    std::vector<run::RunSettings> runs; ///< one to eight
    std::vector<PlotChoice> plots;
    double until = 0; ///< the clock stops here [s], 0: nothing stops it
    double speed = 1; ///< simulated seconds per second
    bool play = true;
    SourcePosition position;
};

/// What is measured of a run of the bench (core/measure).
struct Measure {
    measure::MeasureText what;
    int run = 1;              ///< counted from 1
    std::optional<double> at; ///< [s]; else where the step's clock stops, or now
};

/// A condition on the live state.
struct Check {
    Measure measure;
    std::optional<Measure> over;        ///< the quotient of both counts
    std::vector<std::string> is;        ///< of a measure that is a word: one of these
    std::optional<double> below, above; ///< of a number
};

struct Option {
    std::string text;
    bool right = false;
    std::string hint; ///< what a person who chose it is told
};

struct Question {
    enum class Kind { Choice, Number, Action } kind = Kind::Choice;
    std::string text;
    std::vector<Option> options;       ///< Choice
    Measure measure;                   ///< Number
    std::optional<Measure> over;       ///< Number: the quotient of both counts
    double absolute = 0, relative = 0; ///< Number: either tolerance suffices
    std::string reason;                ///< Number: why the tolerance is wider than a plot can be read
    std::string unit;                  ///< Number
    std::vector<Check> checks;         ///< Action: all must hold
    std::vector<std::string> hints;    ///< one after the other for wrong answers (Choice: the option's own comes first)
    std::string explanation;           ///< shown with the right answer
    SourcePosition position;
};

/// One thing that "Show me" does. What is given is done in the order of the members.
struct Action {
    int run = 1;
    std::optional<run::RunSettings> add;      ///< another run
    std::map<std::string, double> start;      ///< start values: everything begins anew
    bool reset = false;                       ///< back to t = 0 with the present settings
    std::map<std::string, double> parameters; ///< live
    std::optional<std::string> formulation, integrator;
    std::map<std::string, std::string> choices; ///< options of the formulation
    std::map<std::string, double> gains;
    std::optional<double> step, tolerance;
    std::optional<run::PivotChoice> pivot;
    std::optional<double> until; ///< plays to this time and pauses [s]
};

/// One variation of a claim's run: the numbers that vary, and what they change.
struct Variation {
    std::map<std::string, double> variables;
    run::RunRequest change;
};

/// What a sentence of a step says, as a measure of the runs of its bench (core/lesson/Proof.h proves it).
struct StepClaim {
    study::Claim claim;                    ///< its sentence is a part of the step's texts, as written there
    int run = 1;                           ///< of the bench
    std::optional<double> at;              ///< the runs end here [s]; else where the step's clock stops
    run::RunRequest change;                ///< settings of the run that differ from the bench
    bool changes = false;                  ///< the claim has a run of its own
    std::vector<Variation> variations;     ///< a run of its own for each of them
    std::vector<study::StudyEvent> events; ///< what is done while it runs
};

struct Step {
    std::string title;
    std::string text;           ///< Markdown
    std::string task;           ///< Markdown; may be empty
    std::optional<Setup> setup; ///< without one the step goes on with the bench of the step before
    std::optional<Question> question;
    std::vector<Action> show;
    bool exercise = false; ///< ends in a figure to export
    SourcePosition position;
    std::vector<StepClaim> claims;
    std::vector<study::Citation> citations;
    std::vector<study::Exemption> exemptions;
};

enum class Level { Introductory, Intermediate, Advanced };
std::string levelName(Level level);

/// Where a lesson stands among the others (docs/course.md draws it).
struct Place {
    std::vector<std::string> after; ///< ids of the lessons that its reader should know
    int afternoon = 0;              ///< from 1: its place on the path through one afternoon; 0: not on it
};

struct Lesson {
    std::string id, title, summary, source;
    Level level = Level::Introductory;
    int order = 1000; ///< place in the list
    Place place;
    std::vector<Step> steps;
    std::string path;
    /// The bench that a step begins with: its own or the nearest one before. The first step has one.
    const Setup& setupOf(std::size_t step) const;
};

/// Limits against files that are not lessons.
struct ReadLimits {
    std::size_t maxBytes = budget::kLessonBytes;
    std::size_t maxSteps = budget::kLessonSteps;
    std::size_t maxText = budget::kTextBytes; ///< bytes of one text
};

/// Reads a lesson from text; file is the name for messages. Unknown keys and names are refused with the nearest known one.
Result<Lesson> readLesson(std::string_view text, const std::string& file, const ReadLimits& limits = {});
/// What an author has to mend in a lesson that can be played, in the order of the file: a last step that is no exercise, an
/// exercise or a task that the clock alone fulfils, a tolerance wider than kWidestReading without a reason, a hint that gives
/// an option away. Whether a hint states a measured number shows only where the lesson is played (tests/ui/test_lessons).
std::vector<Diagnostic> reviewLesson(const Lesson& lesson);
/// What the benches of a lesson do not have: columns and parameters that plots and questions ask for, gains and options of
/// formulations. Models are opened and compiled; nothing runs. A bench that cannot be made at all is left to reviewClaims.
std::vector<Diagnostic> reviewBenches(const Lesson& lesson);
/// Measures that a lesson writes as they were called earlier, with what to write now.
std::vector<Diagnostic> renamedMeasures(const Lesson& lesson);
inline constexpr double kWidestReading = 0.1; ///< relative: a curve on the screen is read to two digits

/// The order in which the options of a question are shown: places in Question::options. The same for the same seed, lesson and
/// step on every machine, and every order is equally likely over the seeds.
std::vector<std::size_t> optionOrder(const Lesson& lesson, std::size_t step, std::uint64_t seed);

/// Reads a regular file, or a shipped lesson by its id; try-NAME is what is to be tried with the shipped model NAME.
Result<Lesson> openLesson(const std::string& pathOrId);
/// Whether a file is meant as a lesson, by its first table of steps; a look, no check.
bool isLesson(const std::string& path);

struct ShippedLesson {
    std::string id, title, summary, source, path;
    Level level = Level::Introductory;
    int order = 0;
    std::size_t steps = 0;
    Place place;
};
/// In the order in which they are taught. A broken file is left out.
std::vector<ShippedLesson> shippedLessons();

/// What is to be tried with a shipped model, in words: the texts of a lesson of one step, which the window plays.
struct Try {
    std::string model;
    std::string lesson; ///< opens it
    std::string shows;  ///< its summary: what this model shows and another does not
    std::string does;   ///< its task
    std::string sees;   ///< its explanation: what is seen then
};
/// By the names of their models. A broken file is left out.
std::vector<Try> shippedTries();

} // namespace driftless::lesson
