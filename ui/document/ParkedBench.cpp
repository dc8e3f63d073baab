#include "ui/document/ParkedBench.h"

namespace driftless::ui {

namespace {

constexpr int kLargestKept = 300; ///< coordinates of a system that is kept compiled

} // namespace

std::shared_ptr<const ParkedBench> ParkedBench::of(const Bench& bench)
{
    const run::Laboratory& laboratory = bench.laboratory();
    const auto& runs = bench.runs().entries();
    if (bench.furthest() > 0 || laboratory.log().size() != runs.size() || laboratory.clock().t != 0)
        return nullptr;
    for (const RunEntry& entry : runs)
        if (laboratory.recording(entry.id).rowCount() > 1)
            return nullptr; // computed ahead
    auto out = std::make_shared<ParkedBench>();
    out->model_ = bench.compiled().modelHandle();
    if (bench.compiled().n() <= kLargestKept)
        out->compiled_ = bench.compiledHandle();
    out->start_ = laboratory.start();
    for (const RunEntry& run : runs)
        out->runs_.push_back({run, bench.status(run.key).settings});
    out->waiting_ = bench.waiting();
    out->problem_ = bench.problem();
    out->selected_ = bench.runs().selected();
    out->reference_ = bench.runs().reference();
    out->measured_ = bench.runs().measured();
    out->typed_ = bench.typed();
    out->document_ = bench.document();
    return out;
}

Result<BenchHandle> ParkedBench::revive() const
{
    auto bench = compiled_ ? Result<BenchHandle>(std::make_unique<Bench>(compiled_, start_)) : Bench::compile(model_, start_);
    if (!bench)
        return bench;
    for (const WaitingRun& run : runs_)
        if (auto added = (*bench)->add(run.entry, run.settings, runs_.size()); !added)
            return added.error();
    (*bench)->wait(waiting_, problem_);
    (*bench)->runs().select(selected_);
    (*bench)->runs().setReference(reference_);
    (*bench)->runs().setMeasured(measured_);
    (*bench)->setTyped(typed_);
    (*bench)->setDocument(document_);
    (*bench)->noteLogKept();
    return bench;
}

} // namespace driftless::ui
