#include "core/solve/SaddleElimination.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"

namespace driftless::solve {

namespace {

/// Of E in a column of D + E: each correction then gains more than a digit and a half, and a general factorisation costs as
/// much as five of them.
constexpr double kLeftOut = 0.02;

} // namespace

bool SaddleElimination::analyse(const SparsePattern& pattern, int n)
{
    n_ = at(n);
    m_ = at(pattern.columns - n);
    if (n == 0 || m_ == 0 || pattern.rows != pattern.columns)
        return false;
    diagonal_.clear();
    beside_.clear();
    besideStarts_.assign(1, 0);
    for (int c = 0; c < n; ++c) {
        for (int k = pattern.columnStarts[at(c)]; k < pattern.columnStarts[at(c) + 1]; ++k) {
            const int row = pattern.rowIndices[at(k)];
            if (row < n)
                (row == c ? diagonal_ : beside_).push_back(static_cast<std::uint32_t>(k));
        }
        if (diagonal_.size() != at(c) + 1)
            return false;
        besideStarts_.push_back(beside_.size());
    }
    return placeGradients(pattern);
}

bool SaddleElimination::placeGradients(const SparsePattern& pattern)
{
    const int n = static_cast<int>(n_);
    std::vector<MatrixPlace> places;
    bPlaces_.clear();
    aPlaces_.clear();
    for (int c = 0; c < n; ++c)
        for (int k = pattern.columnStarts[at(c)]; k < pattern.columnStarts[at(c) + 1]; ++k)
            if (const int row = pattern.rowIndices[at(k)]; row >= n) {
                places.push_back({row - n, c});
                bPlaces_.push_back(static_cast<std::uint32_t>(k));
                const auto from = pattern.rowIndices.begin() + pattern.columnStarts[at(row)],
                           to = pattern.rowIndices.begin() + pattern.columnStarts[at(row) + 1];
                const auto found = std::lower_bound(from, to, c);
                if (found == to || *found != c)
                    return false;
                aPlaces_.push_back(static_cast<std::uint32_t>(found - pattern.rowIndices.begin()));
            }
    const auto others = at(pattern.columnStarts.back() - pattern.columnStarts[n_]);
    if (others != aPlaces_.size()) // A has more than B, or the corner is not empty
        return false;
    for (auto* v : {&b_, &a_})
        v->assign(places.size(), 0.0);
    inverse_.assign(n_, 0.0);
    return schur_.analyse(n, static_cast<int>(m_), places);
}

bool SaddleElimination::factor(const double* values)
{
    bool suits = true;
    for (std::size_t c = 0; c < n_; ++c) {
        const double mass = values[diagonal_[c]];
        double rest = 0;
        for (std::size_t k = besideStarts_[c]; k < besideStarts_[c + 1]; ++k)
            rest += std::abs(values[beside_[k]]);
        suits &= rest <= kLeftOut * std::abs(mass); // a mass that is none is refused with the pivots
        inverse_[c] = 1 / mass;
    }
    if (!suits)
        return false;
    for (std::size_t k = 0; k < b_.size(); ++k) {
        b_[k] = values[bPlaces_[k]];
        a_[k] = values[aPlaces_[k]];
    }
    return schur_.factor(b_.data(), inverse_.data(), a_.data());
}

void SaddleElimination::solve(double* b)
{
    for (std::size_t c = 0; c < n_; ++c)
        b[c] *= inverse_[c];
    double* const y = b + n_;
    schur_.multipliers(b, y, y);
    schur_.forEachForce(a_.data(), y, [&](std::size_t c, double held) { b[c] -= inverse_[c] * held; });
}

} // namespace driftless::solve
