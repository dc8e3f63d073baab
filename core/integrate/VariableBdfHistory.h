// The past of a multistep method with steps of any length, as Newton's divided differences at its youngest time.
//
//   d_j = y[tau_0, ..., tau_j], tau_0 > tau_1 > ... the times of the past values;
//   P_k(t) = d_0 + (t - tau_0) d_1 + ... + (t - tau_0) ... (t - tau_{k-1}) d_k.
//
// All unknowns are kept, the algebraic ones too: every past value solved F at its own time, whatever was differential then, so
// a change of roles touches nothing here. At a start tau_0 = tau_1 and d_1 is the rate: the differences of a double time.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace driftless::integrate {

class BackwardDifferences {
public:
    static constexpr std::size_t kMost = 6; ///< differences kept, of orders 0 to 5

    void allocate(std::size_t size);
    /// One value and its rate.
    void start(double t, std::span<const double> y, std::span<const double> yp);
    /// The past `before` with y at t > before.time(0) in front of it.
    void extend(const BackwardDifferences& before, double t, std::span<const double> y);
    /// After the first step: the slope of unknown i at the start was an estimate and is replaced by that of the step.
    void straighten(std::size_t i) { difference(2)[i] = 0; }
    /// The same past, its youngest value taken for one at a time within round-off of its own.
    void rename(double t);

    std::size_t count() const { return count_; } ///< differences that exist
    bool atStart() const { return atStart_; }    ///< nothing but one value and its rate
    double time(std::size_t i) const { return times_[i]; }
    std::span<const double> difference(std::size_t j) const { return {values_.data() + j * size_, size_}; }
    /// P_order(t).
    void evaluate(double t, std::size_t order, std::span<double> y) const;

private:
    std::span<double> difference(std::size_t j) { return {values_.data() + j * size_, size_}; }

    std::size_t size_ = 0, count_ = 0;
    bool atStart_ = false;
    std::array<double, kMost> times_{};
    std::vector<double> values_;
};

} // namespace driftless::integrate
