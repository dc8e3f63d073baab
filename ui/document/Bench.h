// A bench: the laboratory of one model with its runs, the values of its parameters, and the latest time that was shown.
//
// It is made anew when a model is opened or when everything starts again, and exchanged as a whole. Runs that cannot start from
// the present text wait on it with their settings. It tells nobody what happens to it: OpenBench does that for the bench that
// is open.
#pragma once

#include <QStringList>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Laboratory.h"
#include "core/system/Model.h"
#include "ui/document/RunList.h"

namespace driftless::ui {

class Bench;
using BenchHandle = std::unique_ptr<Bench>;

/// A run that has no start yet, with the place it will have.
struct WaitingRun {
    RunEntry entry;
    run::RunSettings settings;
};

/// As the model's [run] table says.
run::RunSettings settingsAsFile(const model::Model& model);

class Bench {
public:
    Bench(std::shared_ptr<const model::CompiledSystem> system, const run::StartSettings& start);
    /// A session that was repeated; entries: what is known of its runs. All of it is on display.
    Bench(std::unique_ptr<run::Laboratory> laboratory, const std::vector<RunEntry>& entries);
    /// Fails where the model does, or where its equations cannot be compiled.
    static Result<BenchHandle> compile(Result<std::shared_ptr<const model::Model>> model, const run::StartSettings& start);
    /// The same runs with their settings, at t = 0 of another start.
    Result<BenchHandle> again(const run::StartSettings& start) const;

    run::Laboratory& laboratory() { return *laboratory_; }
    const run::Laboratory& laboratory() const { return *laboratory_; }
    const model::CompiledSystem& compiled() const { return *compiled_; }
    std::shared_ptr<const model::CompiledSystem> compiledHandle() const { return compiled_; }
    /// What the model states: its coordinates, constraints, parameters.
    const model::ConstrainedSystem& system() const { return compiled_->system(); }
    /// No equations at all: a mechanism that has no body yet.
    bool isEmpty() const { return compiled_->n() == 0 && compiled_->w() == 0; }
    RunList& runs() { return runs_; }
    const RunList& runs() const { return runs_; }
    run::RunStatus status(int key) const;
    /// Present values, one per parameter of the model.
    const std::vector<double>& parameters() const { return parameters_; }
    /// What the laboratory was told by a command.
    void noteParameter(const std::string& name, double value);
    /// The start that a reset goes back to: present parameters, values set by hand, what is fixed.
    run::StartSettings start() const;

    /// A run from the shared start, at t = 0. Its entry gets the laboratory's id.
    Result<void> add(RunEntry entry, const run::RunSettings& settings, std::size_t place);
    /// A run that comes later takes over the parameters that were changed since the start.
    Result<void> join(const RunEntry& entry, const run::RunSettings& settings, std::size_t place);
    /// Its settings and its place.
    run::RunSettings take(int key, std::size_t& place);
    /// The runs of another bench with their settings from t = 0.
    Result<void> repeat(const Bench& other);
    /// All that can start; the others wait.
    void addOrWait(std::vector<WaitingRun> wanted);
    const std::vector<WaitingRun>& waiting() const { return waiting_; }
    /// Why they wait; nothing when all of them run.
    const std::optional<Diagnostic>& problem() const { return problem_; }
    void wait(std::vector<WaitingRun> runs, std::optional<Diagnostic> problem);

    void noteShown(double t) { furthest_ = std::max(furthest_, t); }
    double furthest() const { return furthest_; } ///< latest time that was on display [s]
    /// An earlier time than the furthest shown so far is on display.
    bool scrubbedBack() const { return laboratory_->clock().t < furthest_; }
    /// Cuts the recordings at the displayed time. From an earlier one than the furthest each run goes on as it was integrated
    /// there, with the parameters of the selected one: as it is shown. Returns what that takes back, in words.
    Result<QStringList> branch();
    /// Back to where the laboratory stood, with t [s] on display.
    Result<void> rewind(const run::Checkpoint& to, double t);

    /// The log as it is now is that of the file, or of the model as it was opened.
    void noteLogKept() { keptLog_ = laboratory_->logDigest(); }
    bool logKept() const { return keptLog_ == laboratory_->logDigest(); }

    /// The model's text as it is being typed, where it is another one than what is open.
    const std::optional<std::string>& typed() const { return typed_; }
    void setTyped(std::optional<std::string> text) { typed_ = std::move(text); }

    int document() const { return document_; } ///< its number in the History
    void setDocument(int number) { document_ = number; }

private:
    QStringList wordsOf(const std::map<run::RunId, run::Branch>& branches, const run::Branch& ofSelected) const;

    std::shared_ptr<const model::CompiledSystem> compiled_;
    std::unique_ptr<run::Laboratory> laboratory_;
    RunList runs_;
    std::vector<double> parameters_;
    std::optional<std::uint64_t> keptLog_;
    double furthest_ = 0;
    std::vector<WaitingRun> waiting_;
    std::optional<Diagnostic> problem_;
    std::optional<std::string> typed_;
    int document_ = 0;
};

} // namespace driftless::ui
