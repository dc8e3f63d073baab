#include "core/integrate/VariableBdfHistory.h"

#include <algorithm>

namespace driftless::integrate {

void BackwardDifferences::allocate(std::size_t size)
{
    size_ = size;
    count_ = 0;
    values_.assign(kMost * size, 0.0);
}

void BackwardDifferences::start(double t, std::span<const double> y, std::span<const double> yp)
{
    count_ = 2;
    atStart_ = true;
    times_[0] = times_[1] = t;
    std::copy(y.begin(), y.end(), difference(0).begin());
    std::copy(yp.begin(), yp.end(), difference(1).begin());
}

void BackwardDifferences::extend(const BackwardDifferences& before, double t, std::span<const double> y)
{
    atStart_ = false;
    count_ = std::min(before.count_ + 1, kMost);
    times_[0] = t;
    std::copy(before.times_.begin(), before.times_.begin() + static_cast<std::ptrdiff_t>(count_ - 1), times_.begin() + 1);
    std::copy(y.begin(), y.end(), difference(0).begin());
    for (std::size_t j = 1; j < count_; ++j) {
        const double distance = t - times_[j];
        const auto younger = difference(j - 1), to = difference(j);
        const auto older = before.difference(j - 1);
        for (std::size_t i = 0; i < size_; ++i)
            to[i] = (younger[i] - older[i]) / distance;
    }
}

void BackwardDifferences::rename(double t)
{
    if (atStart_)
        times_[1] = t;
    times_[0] = t;
}

void BackwardDifferences::evaluate(double t, std::size_t order, std::span<double> y) const
{
    const auto highest = difference(order);
    std::copy(highest.begin(), highest.end(), y.begin());
    for (std::size_t j = order; j-- > 0;) {
        const double distance = t - times_[j];
        const auto d = difference(j);
        for (std::size_t i = 0; i < size_; ++i)
            y[i] = d[i] + distance * y[i];
    }
}

} // namespace driftless::integrate
