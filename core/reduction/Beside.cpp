#include "core/reduction/Beside.h"

#include <cmath>

#include "core/base/Index.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::reduction {

namespace {

using Eigen::Index;

constexpr double kParallel = 1e-9;  ///< of the gradient's length: what a decomposition of a few hundred rows leaves of a zero
constexpr double kNoFreedom = 1e-9; ///< of the gradient's length, likewise: what the rows leave no freedom
constexpr double kSame = 1e-4;      ///< of what counts as touching: 1e-13 of a usual size

/// The gradients of the conditions `which` along what the rows leave free, and their differences where the rows are met.
struct AlongRows {
    Eigen::MatrixXd gradients; ///< values x conditions, in usual sizes
    Eigen::VectorXd z;
    Eigen::VectorXd lengths; ///< before anything was taken away
};

std::optional<AlongRows> alongRows(const std::vector<int>& which, ReducedEvaluator& rows, const ConditionsAt& c)
{
    const Reduced& reduced = rows.reduced();
    const Index n = reduced.valueCount(), m = reduced.rowCount(), count = static_cast<Index>(which.size());
    const auto size = [&](Index j) { return c.sizes.empty() ? 1 : c.sizes[static_cast<std::size_t>(j)]; };
    AlongRows out{.gradients = Eigen::MatrixXd(n, count), .z = Eigen::VectorXd(count), .lengths = {}};
    for (Index k = 0; k < count; ++k) {
        const auto i = at(which[static_cast<std::size_t>(k)]);
        out.z[k] = c.z[i];
        for (Index j = 0; j < n; ++j)
            out.gradients(j, k) = c.gradients[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)] * size(j);
    }
    out.lengths = out.gradients.colwise().norm();
    if (m == 0)
        return out;
    std::vector<double> entries(reduced.entries.size());
    Eigen::VectorXd residual(m);
    if (!rows.jacobian(c.t, c.values.data(), entries.data()) || !rows.rows(c.t, c.values.data(), residual.data()))
        return std::nullopt;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t k = 0; k < entries.size(); ++k)
        J(reduced.entries[k].row, reduced.entries[k].column) = entries[k] * size(reduced.entries[k].column);
    for (Index i = 0; i < m; ++i)
        if (const double largest = J.row(i).cwiseAbs().maxCoeff(); largest > 0) {
            J.row(i) /= largest;
            residual[i] /= largest;
        }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> rowSpace(J);
    rowSpace.setThreshold(kNoFreedom);
    out.z -= out.gradients.transpose() * rowSpace.solve(residual);
    out.gradients -= rowSpace.solve(J * out.gradients); // J+ J projects on the space of the rows
    return out;
}

Beside lies(double factor, double apart, double tolerance)
{
    if (std::abs(apart) > kSame * tolerance)
        return apart > 0 ? Beside::Holds : Beside::Fails;
    return factor > 0 ? Beside::Same : Beside::Opposite;
}

} // namespace

std::vector<Beside> besides(int one, ReducedEvaluator& rows, const ConditionsAt& c)
{
    std::vector<Beside> out(c.z.size(), Beside::Elsewhere);
    std::vector<int> which{one};
    for (int i = 0; i < static_cast<int>(c.z.size()); ++i) {
        if (i == one || !(std::abs(c.z[at(i)]) <= c.tolerances[at(i)]))
            continue;
        if (c.ofTime[at(one)] == 0 && c.ofTime[at(i)] == 0)
            which.push_back(i);
        else if (c.ofTime[at(one)] != 0 && c.ofTime[at(i)] != 0) { // of t alone: all are parallel
            const double factor = c.ofTime[at(i)] / c.ofTime[at(one)];
            out[at(i)] = lies(factor, c.z[at(i)] - factor * c.z[at(one)], c.tolerances[at(i)]);
        }
    }
    if (which.size() == 1)
        return out;
    const auto along = alongRows(which, rows, c);
    if (!along || !(along->gradients.col(0).norm() > kNoFreedom * along->lengths[0]))
        return out;
    const Eigen::VectorXd own = along->gradients.col(0);
    for (std::size_t k = 1; k < which.size(); ++k) {
        const Eigen::VectorXd other = along->gradients.col(static_cast<Index>(k));
        const double factor = own.dot(other) / own.squaredNorm();
        const bool parallel = (other - factor * own).norm() <= kParallel * along->lengths[static_cast<Index>(k)];
        if (parallel && std::abs(factor) * own.norm() > kNoFreedom * along->lengths[static_cast<Index>(k)])
            out[at(which[k])] =
                lies(factor, along->z[static_cast<Index>(k)] - factor * along->z[0], c.tolerances[at(which[k])]);
    }
    return out;
}

std::vector<std::optional<bool>> knownBeside(std::span<const int> fired, const std::vector<char>& becomes,
                                             ReducedEvaluator& rows, const ConditionsAt& conditions)
{
    std::vector<std::optional<bool>> known(conditions.z.size());
    for (const int one : fired) {
        if (known[at(one)])
            continue;
        const std::vector<Beside> others = besides(one, rows, conditions);
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (others[i] == Beside::Elsewhere || known[i])
                continue;
            const bool fires = others[i] == Beside::Same || others[i] == Beside::Opposite;
            known[i] = fires ? (becomes[at(one)] != 0) == (others[i] == Beside::Same) : others[i] == Beside::Holds;
        }
    }
    return known;
}

} // namespace driftless::reduction
