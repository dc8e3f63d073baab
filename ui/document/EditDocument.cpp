// Edits of the model's text that come from the picture or the tables, a new mechanism, and the text as a file.
//
// A mechanism that is being built cannot always move: it has no body yet, or its joints do not fit together. The text is
// accepted all the same, its runs wait with their settings, and startProblem() says why.
#include <QFileInfo>

#include "core/base/PathText.h"
#include "core/base/WholeFile.h"
#include "core/reduction/Reduced.h"
#include "ui/document/Commands.h"
#include "ui/document/Document.h"

namespace driftless::ui {

namespace {

const char* const kNewMechanism = R"(format = 1
name = "mechanism"
title = "New mechanism"

[[force]]
name = "gravity"
kind = "gravity"
acceleration = 9.81

[view]
length_unit = 0.5
center = [0, 0]
extent = 1.5

[run]
formulation = "dummy-derivatives"
integrator = "ida"
rtol = 1e-8
atol = 1e-8
end = 10
)";

} // namespace

struct Document::Parked {
    std::shared_ptr<const model::Model> model;
    std::shared_ptr<const model::CompiledSystem> system; ///< null where it is large: it is compiled again
    run::StartSettings start;
    std::vector<WaitingRun> runs, waiting;
    std::optional<Diagnostic> problem;
    int selected = -1, reference = -1, document = 0;
};

std::shared_ptr<const Document::Parked> Document::park(const Bench& bench)
{
    constexpr int kLargestKept = 300; ///< coordinates
    if (bench.furthest > 0 || bench.laboratory->log().size() != bench.runs.size() || bench.laboratory->clock().t != 0)
        return nullptr;
    for (const RunEntry& entry : bench.runs)
        if (bench.laboratory->recording(entry.id).rowCount() > 1)
            return nullptr; // computed ahead
    auto out = std::make_shared<Parked>();
    out->model = bench.system->modelHandle();
    if (bench.system->n() <= kLargestKept)
        out->system = bench.system;
    out->start = bench.laboratory->start();
    for (const RunEntry& run : bench.runs)
        out->runs.push_back({run, bench.laboratory->status(run.id).settings});
    out->waiting = bench.waiting;
    out->problem = bench.problem;
    out->selected = bench.selected;
    out->reference = bench.reference;
    out->document = bench.document;
    return out;
}

Result<Document::BenchHandle> Document::revive(const Parked& parked) const
{
    auto bench =
        parked.system ? Result<BenchHandle>(makeBench(parked.system, parked.start)) : compileBench(parked.model, parked.start);
    if (!bench)
        return bench;
    for (WaitingRun run : parked.runs)
        if (auto added = addTo(**bench, run.entry, run.settings, (*bench)->runs.size()); !added)
            return added.error();
    (*bench)->waiting = parked.waiting;
    (*bench)->problem = parked.problem;
    (*bench)->selected = parked.selected;
    (*bench)->reference = parked.reference;
    (*bench)->document = parked.document;
    return bench;
}

void Document::startRuns(Bench& target, std::vector<WaitingRun> wanted) const
{
    const bool empty = target.system->n() == 0 && target.system->w() == 0;
    for (WaitingRun& run : wanted) {
        const Result<void> added = empty ? Diagnostic{"There is no body yet.",
                                                      "",
                                                      "A run needs something that moves.",
                                                      "Place a body with one of the tools.",
                                                      {}}
                                         : addTo(target, run.entry, run.settings, target.runs.size());
        if (added)
            continue;
        if (!target.problem)
            target.problem = added.error();
        target.waiting.push_back(std::move(run));
    }
}

const Diagnostic* Document::startProblem() const { return bench_ && bench_->problem ? &*bench_->problem : nullptr; }

Document::WaitingRun Document::firstRun(const model::Model& model)
{
    WaitingRun run;
    run.entry.key = nextKey_++;
    run.entry.name = tr("Run 1");
    run.settings = settingsAsFile(model);
    return run;
}

Result<void> Document::editText(const QString& text, const QString& what)
{
    if (!bench_)
        return Diagnostic{"There is nothing to edit.", "", "No model is open.", "Open a model or begin a new mechanism.", {}};
    const std::string path = modelPath().toStdString();
    auto model = reduction::readModel(text.toStdString(), path.empty() ? system().model().name + ".toml" : path);
    if (!model)
        return model.error();
    if (!path.empty()) {
        auto placed = std::make_shared<model::Model>(**model);
        placed->path = path;
        model = std::shared_ptr<const model::Model>(std::move(placed));
    }
    run::StartSettings start;
    const auto before = presentStart().parameters;
    for (const auto& parameter : (*model)->system.parameters) {
        const auto set = before.find(parameter.quantity.name);
        const auto& old = system().system().parameters;
        const auto known =
            std::find_if(old.begin(), old.end(), [&](const auto& p) { return p.quantity.name == parameter.quantity.name; });
        if (set != before.end() && known != old.end() && known->quantity.value == parameter.quantity.value)
            start.parameters.insert(*set); // moved with its slider, and the text did not change it
    }
    auto bench = compileBench(std::move(model), start);
    if (!bench)
        return bench.error();
    std::vector<WaitingRun> wanted;
    for (const RunEntry& run : runs())
        wanted.push_back({run, status(run.key).settings});
    wanted.insert(wanted.end(), bench_->waiting.begin(), bench_->waiting.end());
    if (wanted.empty() && system().n() == 0 && system().w() == 0) // a session that was saved before there was a body
        wanted.push_back(firstRun((*bench)->system->model()));
    startRuns(**bench, std::move(wanted));
    const auto has = [&](int key) {
        return std::any_of((*bench)->runs.begin(), (*bench)->runs.end(), [key](const RunEntry& r) { return r.key == key; });
    };
    if (has(selected()))
        (*bench)->selected = selected();
    if (has(reference()))
        (*bench)->reference = reference();
    return adopt(std::move(bench).value(), what, Opens::SameDocument);
}

Result<void> Document::newMechanism()
{
    auto bench = compileBench(reduction::readModel(kNewMechanism, "mechanism.toml"), {});
    if (!bench)
        return bench.error();
    startRuns(**bench, {firstRun((*bench)->system->model())});
    if (bench_)
        pause();
    return adopt(std::move(bench).value(), tr("new mechanism"), Opens::NewDocument);
}

Result<void> Document::saveModel(const QString& path) const
{
    if (!bench_)
        return Diagnostic{"There is nothing to save.", "", "No model is open.", "Open a model first.", {}};
    if (auto written = writeWholeFile(textToPath(path.toStdU16String()), modelText().toStdString()); !written)
        return written;
    rememberFile(path);
    return {};
}

} // namespace driftless::ui
