// Runs the runs of a study: models compiled once, each run a pure function of the study's text, the models' and the program.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Run.h"
#include "core/study/RunData.h"
#include "core/study/Study.h"

namespace driftless::study {

/// Told while a run goes on: the share done, 0 to 1.
using ProgressSink = std::function<void(double share)>;

class Executor {
public:
    /// Opens and compiles every model, resolves every name of every run and event: bad input is found before anything runs.
    /// version is the program's, part of every fingerprint. The study must outlive the executor.
    static Result<std::unique_ptr<Executor>> create(const Study& study, const std::string& version);
    ~Executor();

    const Study& study() const;
    /// Of everything that the numbers of a run depend on.
    std::string fingerprint(std::size_t run) const;
    const model::CompiledSystem& system(std::size_t run) const;
    /// Settings with the model's defaults, and the end.
    const run::PreparedRun& prepared(std::size_t run) const;
    /// What a folder must hold beside the study to repeat it: models, and the tables that they and the runs read. A model
    /// that is named by a path outside of the study's folder is kept in models/, where the study does not look for it.
    struct File {
        std::string path; ///< from the study's folder
        std::string text;
        auto operator<=>(const File&) const = default;
    };
    std::vector<File> files() const;

    /// Runs one; any thread, several at once. A refusal and a numerical failure are results. An error only when cancelled.
    Result<RunData> run(std::size_t index, const std::atomic<bool>& cancel, const ProgressSink& progress = {}) const;

    /// Runs the given ones on as many threads; finished is called from any of them, one at a time, in the order they end. An
    /// error of finished (or of a run) stops the rest.
    Result<void> runAll(const std::vector<std::size_t>& which, int threads, const std::atomic<bool>& cancel,
                        const std::function<Result<void>(std::size_t, RunData)>& finished,
                        const std::function<void(std::size_t, double)>& progress = {}) const;

private:
    Executor();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::study
