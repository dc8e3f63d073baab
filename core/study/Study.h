// A study: one comparison as a file. Runs of models with their settings and live events, what is measured of them, the tables
// and figures that show it, and the claims that it makes, each with the number that decides it.
//
// A study is plain data; core/study/Execute.h runs it, core/study/Report.h says what came out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/measure/Syntax.h"
#include "core/run/RunRequest.h"
#include "core/text/Budget.h"

namespace driftless::study {

using measure::MeasureText;

/// Something that is done to a run while it goes on: any of the parts, or one command exactly as a session recorded it.
struct StudyEvent {
    double t = 0;                            ///< [s]
    std::optional<std::uint64_t> afterSteps; ///< accepted steps before the step that ends at t; free stepping until then
    run::RunRequest change;                  ///< formulation, integrator, numbers, pivot, set, choices
    bool reset = false;                      ///< back to t = 0
    std::string command;                     ///< JSON of a recorded command; empty where `change` holds
    SourcePosition position;
};

/// How a run is expected to end; a claim of every study.
enum class Fate { Completed, Failed, Refused };
const char* fateName(Fate fate); ///< "completed", "failed", "refused"

struct PlannedRun {
    std::string name;                        ///< of the file, unique: letters, digits, _ - . =
    std::string family;                      ///< of the [[run]] and its textual variations: one curve of a convergence figure
    std::string label;                       ///< in tables and legends
    std::map<std::string, double> variables; ///< numbers of `vary`, by key
    run::RunRequest request;
    std::string data;                   ///< a CSV file beside the study, measured and not integrated (DataRun.h); empty: none
    bool endsExactly = true;            ///< a step ends at the end; else the first step beyond it is cut from the record
    std::optional<std::uint64_t> steps; ///< ends after so many accepted steps instead
    Fate expected = Fate::Completed;
    std::vector<StudyEvent> events;
    SourcePosition position;
};

struct TableColumn {
    std::string title;
    MeasureText measure;            ///< empty where the values are given
    std::vector<std::string> given; ///< one per run of the table: what a source prints
    int digits = 3;                 ///< in Markdown; CSV and JSON have all
};

struct StudyTable {
    std::string name, title;
    std::vector<std::string> runs; ///< names or families; empty: all
    std::vector<TableColumn> columns;
};

/// "measure of run is below limit", or any other of the relations; exactly one relation is set.
struct Claim {
    std::string text;
    std::string sentence;          ///< the part of a summary or caption that it proves; empty: its own text only
    std::vector<std::string> runs; ///< names or families: it holds for each; for measures of a family, families
    MeasureText measure;
    std::optional<double> below, above, near;
    double within = 0; ///< of `near`, absolute
    std::optional<std::string> is, isNot;
    SourcePosition position;
};

/// A sentence that rests on a source: where it stands there, and how it was checked.
struct Citation {
    std::string sentence, author;
    int year = 0;
    std::string number, checked; ///< "Table 2.3"; "recomputed with ..."
    SourcePosition position;
};

/// A sentence with a number or a law that needs neither claim nor citation, and why.
struct Exemption {
    std::string sentence, reason;
    SourcePosition position;
};

struct Guide {
    double slope = 1;
    std::string label;
};

struct StudyPanel {
    /// residuals, energy-error, multipliers, step, order, curve, phase, difference, pivots, scatter, strobe
    std::string kind;
    std::string title, xTitle, yTitle;
    std::string x, y; ///< expressions of columns (curve, phase), measures (scatter)
    std::optional<bool> logX, logY;
    std::optional<double> from, to, low, high;
    std::vector<std::string> runs; ///< names or families; empty: those of the figure
    std::string against;           ///< the run that differences are taken from
    std::vector<Guide> guides;
    int count = 9; ///< pictures of a strobe
    SourcePosition position;
};

struct StudyFigure {
    std::string name, title, caption;
    std::string size = "page";  ///< column, page, slide
    std::string font = "serif"; ///< serif, sans
    int columns = 0;            ///< 0: chosen
    std::vector<std::string> runs;
    std::vector<StudyPanel> panels;
};

struct Study {
    std::string id; ///< file name without its ending
    std::string title, source, summary;
    std::string text; ///< the file, unchanged
    std::string path;
    std::string modelText;       ///< a model that the study brings along, named by `model_text`; empty: none
    std::uint64_t record = 2000; ///< rows kept of each run at most; every k-th accepted step
    std::vector<PlannedRun> runs;
    std::vector<StudyTable> tables;
    std::vector<Claim> claims;
    std::vector<Citation> citations;
    std::vector<Exemption> exemptions;
    std::vector<StudyFigure> figures;
};

/// Limits against hostile files.
struct StudyLimits {
    std::size_t maxBytes = budget::kSessionBytes; ///< recorded sessions are long
    std::size_t maxRuns = budget::kStudyRuns;     ///< after sweeps are spread
    std::size_t maxEvents = budget::kSessionEvents;
};

/// Reads a study from text; file is the name for messages. Every mistake has line and column.
Result<Study> readStudy(std::string_view text, const std::string& file, const StudyLimits& limits = {});
/// A regular file, or a shipped study by name.
Result<Study> openStudy(const std::string& pathOrName);

struct ShippedStudy {
    std::string id, title, source, path;
};
std::vector<ShippedStudy> shippedStudies();

/// The model a run names: the study's own text, models/NAME.toml or a path beside the study file, else a shipped model. A text
/// of equations is reduced near the values that the run sets.
bool isModelName(const std::string& text); ///< and no path
Result<std::shared_ptr<const model::Model>> modelOf(const Study& study, const run::RunRequest& request);

/// Indices of the runs that a list of names and families means, in the order of the study; an unknown name is an error.
Result<std::vector<std::size_t>> selectRuns(const Study& study, const std::vector<std::string>& names);

} // namespace driftless::study
