// States at times that were asked for, as a method knows them inside of its steps.
//
// A recording holds what follows from accelerations, multipliers above all, at its rows, and between them draws a line. The
// steps of methods of high order are long: there the line is no account of them.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/system/State.h"

namespace driftless::run {

class Samples {
public:
    /// Times [s] in order, behind the present one.
    void ask(std::vector<double> times)
    {
        times_ = std::move(times);
        next_ = 0;
    }
    /// Those inside of the interval, without its ends, which are rows.
    std::span<const double> inside(double from, double to)
    {
        while (next_ < times_.size() && !(times_[next_] > from))
            ++next_;
        const std::size_t first = next_;
        while (next_ < times_.size() && times_[next_] < to)
            ++next_;
        return std::span<const double>(times_).subspan(first, next_ - first);
    }
    /// Whether there is one behind `from`, up to `to`: then a step between them has rows at both ends.
    bool anyIn(double from, double to) const
    {
        const auto next = std::upper_bound(times_.begin() + static_cast<std::ptrdiff_t>(next_), times_.end(), from);
        return next != times_.end() && *next <= to;
    }
    void keep(model::ModelState state) { states_.push_back(std::move(state)); }
    /// The state that was kept of a time; null where there is none.
    const model::ModelState* at(double t) const
    {
        const auto found = std::ranges::lower_bound(states_, t, {}, &model::ModelState::t);
        return found != states_.end() && found->t == t ? &*found : nullptr;
    }

private:
    std::vector<double> times_;
    std::size_t next_ = 0;
    std::vector<model::ModelState> states_;
};

} // namespace driftless::run
