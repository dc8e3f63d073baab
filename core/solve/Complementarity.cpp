#include "core/solve/Complementarity.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

namespace driftless::solve {

namespace {

constexpr int kMostChanges = 200;    ///< of Murty's rule, which can go round where A is only semidefinite
constexpr double kDependent = 1e-10; ///< smallest pivot against the largest of rows that count as independent

/// z on the set from A z = -b there. False where its rows depend on each other.
bool solveOn(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, Complementarity& out)
{
    std::vector<Eigen::Index> set;
    for (std::size_t i = 0; i < out.active.size(); ++i)
        if (out.active[i])
            set.push_back(static_cast<Eigen::Index>(i));
    out.z = Eigen::VectorXd::Zero(b.size());
    if (!set.empty()) {
        const Eigen::VectorXd size = A(set, set).diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt();
        const Eigen::MatrixXd scaled = size.cwiseInverse().asDiagonal() * A(set, set) * size.cwiseInverse().asDiagonal();
        Eigen::FullPivLU<Eigen::MatrixXd> lu(scaled);
        lu.setThreshold(kDependent);
        if (!lu.isInvertible())
            return false;
        const Eigen::VectorXd right = size.cwiseInverse().asDiagonal() * (-b(set));
        out.z(set) = size.cwiseInverse().asDiagonal() * solution(lu, right);
    }
    out.w = A * out.z + b;
    for (const Eigen::Index i : set)
        out.w(i) = 0;
    return true;
}

/// The first index that is infeasible, -1: none is.
Eigen::Index infeasible(const Complementarity& at, double tolerance)
{
    for (Eigen::Index i = 0; i < at.z.size(); ++i)
        if (at.active[static_cast<std::size_t>(i)] ? at.z(i) < 0 : at.w(i) < -tolerance)
            return i;
    return -1;
}

bool byMurty(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance, Complementarity& out)
{
    for (int k = 0; k < kMostChanges; ++k) {
        if (!solveOn(A, b, out))
            return false;
        const Eigen::Index i = infeasible(out, tolerance);
        if (i < 0)
            return true;
        char& side = out.active[static_cast<std::size_t>(i)];
        side = side ? 0 : 1;
    }
    return false;
}

bool byTrying(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance, Complementarity& out)
{
    const auto size = static_cast<int>(b.size());
    if (size > kMostTried)
        return false;
    std::vector<std::uint32_t> sets(std::size_t{1} << size);
    std::iota(sets.begin(), sets.end(), 0u);
    std::stable_sort(sets.begin(), sets.end(),
                     [](std::uint32_t one, std::uint32_t other) { return std::popcount(one) < std::popcount(other); });
    return std::any_of(sets.begin(), sets.end(), [&](std::uint32_t set) {
        for (int i = 0; i < size; ++i)
            out.active[static_cast<std::size_t>(i)] = (set >> i) & 1u ? 1 : 0;
        return solveOn(A, b, out) && infeasible(out, tolerance) < 0;
    });
}

} // namespace

Complementarity solveComplementarity(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance)
{
    Complementarity out;
    out.active.assign(static_cast<std::size_t>(b.size()), 0);
    out.solved = byMurty(A, b, tolerance, out) || byTrying(A, b, tolerance, out);
    return out;
}

} // namespace driftless::solve
