#include "core/integrate/ConjugatePair.h"

namespace driftless::integrate {

void ConjugatePair::analyse(const solve::SparsePattern& pattern)
{
    if (2 * pattern.columns > solve::kDenseLimit)
        return analyseReal(pattern);
    if (!complex_ || n_ != pattern.columns) {
        n_ = pattern.columns;
        const auto n = static_cast<std::size_t>(n_);
        complex_ = solve::makeDenseComplexSolver(n_);
        values_.reserve(n * n); // room for a full pattern
        b_.resize(n);
    }
    values_.assign(pattern.rowIndices.size(), 0.0);
    complex_->analyse(pattern);
}

void ConjugatePair::analyseReal(const solve::SparsePattern& pattern)
{
    if (!real_ || complex_ || n_ != pattern.columns)
        real_ = solve::makeLinearSolver(2 * pattern.columns);
    complex_ = nullptr;
    n_ = pattern.columns;
    // Column (half, unknown) holds the entries of both halves.
    realPattern_.rows = realPattern_.columns = 2 * n_;
    realPattern_.columnStarts.assign(1, 0);
    realPattern_.rowIndices.clear();
    for (int half = 0; half < 2; ++half)
        for (std::size_t c = 0; c < static_cast<std::size_t>(n_); ++c) {
            for (int block = 0; block < 2; ++block)
                for (int k = pattern.columnStarts[c]; k < pattern.columnStarts[c + 1]; ++k)
                    realPattern_.rowIndices.push_back(block * n_ + pattern.rowIndices[static_cast<std::size_t>(k)]);
            realPattern_.columnStarts.push_back(static_cast<int>(realPattern_.rowIndices.size()));
        }
    realValues_.assign(realPattern_.rowIndices.size(), 0.0);
    real_->analyse(realPattern_);
}

solve::Factorization ConjugatePair::factor(const solve::SparsePattern& pattern, std::span<const double> J,
                                           std::span<const double> E, std::complex<double> lambda)
{
    if (!complex_)
        return factorReal(pattern, J, E, lambda);
    for (std::size_t k = 0; k < values_.size(); ++k)
        values_[k] = {J[k] + lambda.real() * E[k], -lambda.imag() * E[k]};
    return complex_->factor(values_.data());
}

solve::Factorization ConjugatePair::factorReal(const solve::SparsePattern& pattern, std::span<const double> J,
                                               std::span<const double> E, std::complex<double> lambda)
{
    std::size_t place = 0;
    for (int half = 0; half < 2; ++half)
        for (std::size_t c = 0; c < static_cast<std::size_t>(n_); ++c)
            for (int block = 0; block < 2; ++block) {
                const double beside = block == 0 ? lambda.imag() : -lambda.imag();
                for (auto k = static_cast<std::size_t>(pattern.columnStarts[c]);
                     k < static_cast<std::size_t>(pattern.columnStarts[c + 1]); ++k)
                    realValues_[place++] = half == block ? J[k] + lambda.real() * E[k] : beside * E[k];
            }
    auto result = real_->factor(realValues_.data());
    if (result.column >= 0)
        result.column %= n_;
    return result;
}

void ConjugatePair::solve(std::span<double> b)
{
    if (!complex_)
        return real_->solve(b.data());
    const std::size_t n = b_.size();
    for (std::size_t i = 0; i < n; ++i)
        b_[i] = {b[i], b[n + i]};
    complex_->solve(b_.data());
    for (std::size_t i = 0; i < n; ++i) {
        b[i] = b_[i].real();
        b[n + i] = b_[i].imag();
    }
}

} // namespace driftless::integrate
