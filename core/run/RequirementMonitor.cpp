#include "core/run/RequirementMonitor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/expr/Operators.h"

namespace driftless::run {

namespace {

constexpr int kPieces = 8;      ///< of an interval: steps are short against what changes with time
constexpr int kBisections = 60; ///< of a piece: to round-off of t

} // namespace

RequirementMonitor::RequirementMonitor(const model::Model& model) : Monitor(Turn::BeforeRow)
{
    std::vector<expr::Expr> values;
    for (std::size_t i = 0; i < model.requirements.size(); ++i) {
        const auto symbols = expr::symbolsOf(model.requirements[i].value);
        if (std::ranges::find(symbols, *expr::time().symbol()) == symbols.end())
            continue;
        which_.push_back(i);
        mayBeZero_.push_back(model.requirements[i].mayBeZero);
        values.push_back(model.requirements[i].value);
    }
    if (which_.empty())
        return;
    std::vector<expr::Symbol> parameters;
    for (const model::Parameter& p : model.system.parameters)
        parameters.push_back(p.symbol);
    auto tape = expr::Tape::compile(values, {{*expr::time().symbol()}, parameters});
    if (!tape) {
        which_.clear(); // it names something else, which only a start knows
        return;
    }
    tape_ = std::move(*tape);
    work_ = tape_.workspace();
    values_.resize(which_.size());
}

std::size_t RequirementMonitor::unmetAt(double t, std::span<const double> parameters)
{
    const double* const banks[] = {&t, parameters.data()};
    if (!tape_.evaluate(banks, values_.data(), work_))
        std::ranges::replace_if(
            values_, [](double x) { return !std::isfinite(x); }, -1);
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (!(values_[i] > 0 || (values_[i] == 0 && mayBeZero_[i])))
            return i;
    return which_.size();
}

Verdict RequirementMonitor::look(const Observation& row, MonitorProbe&)
{
    if (which_.empty())
        return {};
    for (int k = 1; k <= kPieces; ++k) {
        const double width = (row.t - row.tBefore) / kPieces;
        double late = k == kPieces ? row.t : row.tBefore + k * width;
        std::size_t found = unmetAt(late, row.parameters);
        if (found == which_.size())
            continue;
        double early = late - width;
        for (int i = 0; i < kBisections; ++i) {
            const double middle = early + 0.5 * (late - early);
            const std::size_t there = unmetAt(middle, row.parameters);
            (there < which_.size() ? late : early) = middle;
            found = there < which_.size() ? there : found;
        }
        return StopCause(Unmet{.requirement = which_[found], .t = late});
    }
    return {};
}

} // namespace driftless::run
