#include "core/reduction/Beside.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::reduction {

namespace {

using Eigen::Index;

constexpr double kParallel = 1e-9;    ///< of the gradient's length: what a decomposition of a few hundred rows leaves of a zero
constexpr double kNoFreedom = 1e-9;   ///< of the gradient's length, likewise: what the rows leave of it
constexpr double kSame = 1e-4;        ///< of what counts as touching: 1e-13 of a usual size
constexpr double kSameRate = 1e-6;    ///< surfaces that part as fast as that are two
constexpr Index kMostProjected = 400; ///< values; in larger texts gradients are compared as they stand

/// Those that touch: gradients along what the rows leave free, and differences where the rows are met.
struct Touching {
    std::vector<int> which;
    Eigen::MatrixXd gradients; ///< values x conditions, in usual sizes
    Eigen::VectorXd z, lengths;
};

double sizeOf(const ConditionsAt& c, Index j) { return c.sizes.empty() ? 1 : c.sizes[static_cast<std::size_t>(j)]; }

Touching touching(const ConditionsAt& c, Index values)
{
    Touching out;
    for (int i = 0; i < static_cast<int>(c.z.size()); ++i)
        if (std::abs(c.z[at(i)]) <= c.tolerances[at(i)])
            out.which.push_back(i);
    const auto count = static_cast<Index>(out.which.size());
    out.gradients.resize(values, count);
    out.z.resize(count);
    for (Index k = 0; k < count; ++k) {
        const std::size_t i = at(out.which[static_cast<std::size_t>(k)]);
        out.z[k] = c.z[i];
        for (Index j = 0; j < values; ++j)
            out.gradients(j, k) =
                c.gradients[i * static_cast<std::size_t>(values) + static_cast<std::size_t>(j)] * sizeOf(c, j);
    }
    out.lengths = out.gradients.colwise().norm();
    return out;
}

/// False where the rows cannot be evaluated.
bool projectAlongRows(ReducedEvaluator& rows, const ConditionsAt& c, Touching& out)
{
    const Reduced& reduced = rows.reduced();
    const Index n = reduced.valueCount(), m = reduced.rowCount();
    if (m == 0 || n > kMostProjected)
        return true;
    std::vector<double> entries(reduced.entries.size());
    Eigen::VectorXd residual(m);
    if (!rows.jacobian(c.t, c.values.data(), entries.data()) || !rows.rows(c.t, c.values.data(), residual.data()))
        return false;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t k = 0; k < entries.size(); ++k)
        J(reduced.entries[k].row, reduced.entries[k].column) = entries[k] * sizeOf(c, reduced.entries[k].column);
    for (Index i = 0; i < m; ++i)
        if (const double largest = J.row(i).cwiseAbs().maxCoeff(); largest > 0) {
            J.row(i) /= largest;
            residual[i] /= largest;
        }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> rowSpace;
    rowSpace.setThreshold(kNoFreedom); // before the decomposition, which leaves out what is below it
    rowSpace.compute(J);
    out.z -= out.gradients.transpose() * rowSpace.solve(residual);
    const Eigen::MatrixXd along = J * out.gradients;
    out.gradients -= rowSpace.solve(along); // J+ J projects on the space of the rows
    return true;
}

/// Of a condition against one that has fired, the factor between their gradients; 0 where they are not parallel.
double factorOf(const ConditionsAt& c, const Touching& touching, std::size_t one, std::size_t other)
{
    const std::size_t i = at(touching.which[one]), j = at(touching.which[other]);
    if (c.ofTime[i] && c.ofTime[j]) // of t alone: all are parallel
        return c.rates[i] != 0 && std::isfinite(c.rates[j] / c.rates[i]) ? c.rates[j] / c.rates[i] : 0;
    const auto column = [&](std::size_t k) { return touching.gradients.col(static_cast<Index>(k)); };
    const double own = column(one).norm(), its = column(other).norm();
    if (c.ofTime[i] || c.ofTime[j] || !(own > kNoFreedom * touching.lengths[static_cast<Index>(one)])
        || !(its > kNoFreedom * touching.lengths[static_cast<Index>(other)]))
        return 0;
    const double factor = column(one).dot(column(other)) / (own * own);
    return (column(other) - factor * column(one)).norm() <= kParallel * touching.lengths[static_cast<Index>(other)] ? factor
                                                                                                                    : 0;
}

} // namespace

std::vector<std::optional<bool>> knownBeside(std::span<const int> fired, const std::vector<char>& becomes,
                                             ReducedEvaluator& rows, const ConditionsAt& c)
{
    std::vector<std::optional<bool>> known(c.z.size());
    Touching all = touching(c, rows.reduced().valueCount());
    if (all.which.size() < 2 || !projectAlongRows(rows, c, all))
        return known;
    for (const int one : fired) {
        const auto own = static_cast<std::size_t>(std::ranges::find(all.which, one) - all.which.begin());
        if (known[at(one)] || own == all.which.size())
            continue;
        for (std::size_t k = 0; k < all.which.size(); ++k) {
            const std::size_t i = at(all.which[k]);
            const double factor = k == own || known[i] ? 0 : factorOf(c, all, own, k);
            if (factor == 0)
                continue;
            const double apart = all.z[static_cast<Index>(k)] - factor * all.z[static_cast<Index>(own)];
            // Limits that move with t may meet for an instant.
            const double parts = std::abs(c.rates[i] - factor * c.rates[at(one)]);
            if (parts > kSameRate * (std::abs(c.rates[i]) + std::abs(factor * c.rates[at(one)])))
                continue;
            known[i] = std::abs(apart) > kSame * c.tolerances[i] ? apart > 0 : (becomes[at(one)] != 0) == (factor > 0);
        }
    }
    return known;
}

} // namespace driftless::reduction
