// What a model requires of its numbers, where they change with time: the length of a string that is hauled in stays above zero.
//
// At the start all of them are looked at (Requirements.cpp), and with every change of a parameter. Those over t are looked at
// along each recorded interval, at kPieces points; where one ceases to hold is found by bisection to round-off of t.
#pragma once

#include <vector>

#include "core/expr/Tape.h"
#include "core/run/Monitor.h"
#include "core/system/Model.h"

namespace driftless::run {

class RequirementMonitor final : public Monitor {
public:
    explicit RequirementMonitor(const model::Model& model);

private:
    void restart(const Observation&, MonitorProbe&) override {}
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    /// The first that does not hold; which_.size(): none.
    std::size_t unmetAt(double t, std::span<const double> parameters);

    std::vector<std::size_t> which_; ///< of Model::requirements: those over t
    std::vector<char> mayBeZero_;
    expr::Tape tape_;
    expr::TapeWorkspace work_;
    std::vector<double> values_;
};

} // namespace driftless::run
