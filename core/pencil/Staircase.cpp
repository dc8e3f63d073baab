// Staircase algorithm for the infinite structure of lambda E - A (P. Van Dooren, Linear Algebra Appl. 27, 1979).
//
// Step: E V = [0 | E2] with s = dim ker E columns; A V = [A1 | A2]; U^T A1 = [R; 0]. In a regular pencil A1 has full column
// rank s, for a vector in ker E and ker A1 would be free in every equation. Delete the first s rows and columns, repeat.
//
// Decisions: both matrices are scaled to norm 1. Singular values above `high` are taken as data, below `low` as round-off;
// in between the cut is made at the largest gap. low is n epsilon; high starts there and grows as a perturbation of the
// pencil grows from step to step, by one over the smallest singular value that was kept.

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <complex>
#include <limits>

#include "core/pencil/Chains.h"
#include "core/pencil/Numeric.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Svd {
    VectorXd sigma;
    MatrixXd U, V;
};

Svd decompose(const MatrixXd& m)
{
    const Eigen::JacobiSVD<MatrixXd> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV); // accurate in small singular values
    return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

struct Levels {
    double low, high;
    bool asked = false; ///< high was given by the user: the cut is there
};

/// smallest: a rank that is known to be reached.
RankDecision decide(const std::string& matrix, const VectorXd& sigma, const Levels& levels, Index smallest = 0)
{
    const auto value = [&](Index i) {
        if (i < 0)
            return 1.0;
        return i < sigma.size() ? std::max(sigma(i), levels.low) : levels.low;
    };
    Index least = 0, most = 0;
    while (least < sigma.size() && sigma(least) > levels.high)
        ++least;
    least = std::max(least, smallest);
    most = least;
    while (!levels.asked && most < sigma.size() && sigma(most) > levels.low)
        ++most;
    Index rank = least;
    for (Index r = least; r <= most; ++r)
        if (value(r - 1) / value(r) > value(rank - 1) / value(rank))
            rank = r;
    RankDecision out;
    out.matrix = matrix;
    out.rank = static_cast<int>(rank);
    out.full = static_cast<int>(sigma.size());
    out.kept = rank > 0 ? sigma(rank - 1) : 0;
    out.dropped = value(rank);
    out.gap = value(rank - 1) / value(rank);
    out.tolerance = levels.high;
    return out;
}

} // namespace

MatrixXd toEigen(const Matrix& m)
{
    MatrixXd out(m.rows, m.columns);
    for (int i = 0; i < m.rows; ++i)
        for (int j = 0; j < m.columns; ++j)
            out(i, j) = m(i, j);
    return out;
}

Matrix fromEigen(const MatrixXd& m)
{
    Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
    for (int i = 0; i < out.rows; ++i)
        for (int j = 0; j < out.columns; ++j)
            out(i, j) = m(i, j);
    return out;
}

Staircase staircase(const MatrixXd& givenE, const MatrixXd& givenA, double tolerance)
{
    const Index n = givenE.rows();
    const auto scale = [](const MatrixXd& m) { return m.norm() > 0 ? m.norm() : 1.0; };
    const double normE = scale(givenE), normA = scale(givenA);
    Staircase out;
    out.E = givenE / normE;
    out.A = givenA / normA;
    out.U = out.V = MatrixXd::Identity(n, n);
    const double roundoff = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    constexpr double kMostNoise = 1e-6; // beyond it nothing could be told from round-off
    double noise = 4 * roundoff;
    out.tolerance = tolerance > 0 ? tolerance : roundoff;
    const auto levels = [&] {
        return tolerance > 0 ? Levels{std::min(roundoff, tolerance), tolerance, true}
                             : Levels{roundoff, std::min(noise, kMostNoise)};
    };
    const auto take = [&out](RankDecision d) {
        out.uncertain = out.uncertain || d.gap < kCertainGap;
        out.decisions.push_back(std::move(d));
        return out.decisions.back().rank;
    };
    Index at = 0;
    for (int step = 1; at < n; ++step) {
        const Index left = n - at;
        const std::string number = " of step " + std::to_string(step);
        const Svd e = decompose(out.E.bottomRightCorner(left, left));
        const Index least = out.steps.empty() ? 0 : left - out.steps.back(); // no step is longer than the one before it
        const RankDecision free = decide("E" + number, e.sigma, levels());
        const Index rank = take(free.rank < least ? decide("E" + number, e.sigma, levels(), least) : free);
        out.uncertain = out.uncertain || free.rank < least; // an earlier step took for data what is round-off
        const Index s = left - rank;
        if (s == 0)
            break;
        MatrixXd turn(left, left);
        turn << e.V.rightCols(s), e.V.leftCols(rank);
        for (MatrixXd* m : {&out.E, &out.A, &out.V})
            m->rightCols(left) = (m->rightCols(left) * turn).eval();
        const double keptE = out.decisions.back().kept;
        const Svd a = decompose(out.A.block(at, at, left, s));
        const Index full = take(decide("A on the kernel of E" + number, a.sigma, levels()));
        if (full < s) {
            out.why = "after " + std::to_string(step - 1) + " differentiations " + std::to_string(s)
                      + " combinations of unknowns have no derivative left, and only " + std::to_string(full)
                      + " of them occur in the equations: the others are free, and det(A - lambda E) is zero for every lambda";
            return out;
        }
        for (MatrixXd* m : {&out.E, &out.A})
            m->bottomRows(left) = (a.U.transpose() * m->bottomRows(left)).eval();
        out.U.rightCols(left) = (out.U.rightCols(left) * a.U).eval();
        out.E.block(at, at, left, s).setZero();
        out.A.block(at + s, at, left - s, s).setZero();
        noise *= 1 + 1 / std::max(out.decisions.back().kept, roundoff) + (keptE > 0 ? 1 / keptE : 0);
        out.steps.push_back(static_cast<int>(s));
        at += s;
    }
    out.n1 = static_cast<int>(at);
    // Below the diagonal blocks both matrices are zero by construction.
    Index begin = 0;
    for (const int s : out.steps) {
        out.E.block(begin, begin, n - begin, s).setZero();
        out.A.block(begin + s, begin, n - begin - s, s).setZero();
        begin += s;
    }
    out.E *= normE;
    out.A *= normA;
    out.regular = true;
    return out;
}

namespace {

/// Finite eigenvalues of A - lambda E from the quasi-triangular S - lambda T of QZ; none where it does not converge.
std::vector<std::complex<double>> eigenvaluesByQz(const MatrixXd& E, const MatrixXd& A)
{
    const Eigen::RealQZ<MatrixXd> qz(A, E, false);
    std::vector<std::complex<double>> out;
    if (qz.info() != Eigen::Success)
        return out;
    const MatrixXd &S = qz.matrixS(), &T = qz.matrixT();
    for (Index i = 0; i < S.rows(); ++i) {
        if (i + 1 == S.rows() || S(i + 1, i) == 0) {
            if (T(i, i) != 0)
                out.emplace_back(S(i, i) / T(i, i));
            continue;
        }
        const Eigen::Matrix2d s = S.block<2, 2>(i, i), t = T.block<2, 2>(i, i);
        const double a = t(0, 0) * t(1, 1), half = (s(0, 0) * t(1, 1) + s(1, 1) * t(0, 0) - s(1, 0) * t(0, 1)) / 2;
        const std::complex<double> root = std::sqrt(std::complex<double>(half * half - a * s.determinant()));
        if (a != 0)
            out.insert(out.end(), {(half + root) / a, (half - root) / a});
        ++i;
    }
    return out;
}

/// Whether simple eigenvalues of E^-1 A are those of the pencil, which QZ finds without E^-1. Those that belong together in a
/// chain are not compared: there both methods err by a root of round-off.
bool knowsEigenvalues(const RealJordan& form, const MatrixXd& E, const MatrixXd& A)
{
    constexpr double kSame = 1e-4, kOfPencil = 1e-10; // of the eigenvalue; of |A| / |E|
    if (E.rows() == 0 || !form.jordan || !E.allFinite() || !A.allFinite())
        return true;
    const std::vector<std::complex<double>> found = eigenvaluesByQz(E, A);
    const double size = A.norm() / std::max(E.norm(), std::numeric_limits<double>::min());
    std::vector<std::complex<double>> own;
    for (const auto& [re, im] : form.eigenvalues)
        own.emplace_back(re, im);
    return std::ranges::all_of(own, [&](const std::complex<double>& z) {
        if (std::ranges::count(own, z) > 1 || found.empty())
            return true;
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::complex<double>& other : found)
            nearest = std::min(nearest, std::abs(other - z));
        return nearest <= kSame * std::abs(z) + kOfPencil * size;
    });
}

} // namespace

void weierstrassForm(const Staircase& stairs, Analysis& analysis)
{
    const Index n = stairs.E.rows(), n1 = stairs.n1, n2 = n - n1;
    const auto infinite = [&](const MatrixXd& m) { return MatrixXd(m.topLeftCorner(n1, n1)); };
    const auto finite = [&](const MatrixXd& m) { return MatrixXd(m.bottomRightCorner(n2, n2)); };
    const auto beside = [&](const MatrixXd& m) { return MatrixXd(m.topRightCorner(n1, n2)); };
    const MatrixXd Ainv = n1 > 0 ? MatrixXd(infinite(stairs.A).inverse()) : MatrixXd(0, 0);
    const MatrixXd Einv = n2 > 0 ? MatrixXd(finite(stairs.E).inverse()) : MatrixXd(0, 0);
    const MatrixXd M = Ainv * infinite(stairs.E), G = Einv * finite(stairs.A);
    // R - M R G = C, whose series ends because M is nilpotent; L follows.
    MatrixXd term = Ainv * (beside(stairs.E) * G - beside(stairs.A)), R = term;
    for (std::size_t k = 1; k < stairs.steps.size(); ++k) {
        term = (M * term * G).eval();
        R += term;
    }
    const MatrixXd L = (infinite(stairs.E) * R + beside(stairs.E)) * Einv;
    MatrixXd P = stairs.U.transpose(), Q = stairs.V;
    P.topRows(n1) -= (L * P.bottomRows(n2)).eval();
    P.topRows(n1) = (Ainv * P.topRows(n1)).eval();
    P.bottomRows(n2) = (Einv * P.bottomRows(n2)).eval();
    Q.rightCols(n2) += (Q.leftCols(n1) * R).eval();

    const GradedChains<MatrixXd> chains = gradedChains<MatrixXd>(M, stairs.steps);
    // G = E^-1 A is known to the round-off of all of A, from which its part was separated.
    constexpr double kOperations = 10;
    const double noise =
        n2 > 0 ? kOperations * std::max(stairs.tolerance, static_cast<double>(n) * std::numeric_limits<double>::epsilon())
                     * Einv.norm() * stairs.A.norm()
               : 0;
    const RealJordan finitePart = realJordan(G, {}, noise);
    if (!knowsEigenvalues(finitePart, finite(stairs.E), finite(stairs.A))) {
        analysis.uncertain = true;
        analysis.why +=
            std::string(analysis.why.empty() ? "" : "; ")
            + "E is so near to a singular matrix that small eigenvalues of E^-1 A are round-off of its large entries";
    }
    if (n1 > 0)
        P.topRows(n1) = chains.columns.partialPivLu().solve(P.topRows(n1)).eval();
    Q.leftCols(n1) = (Q.leftCols(n1) * chains.columns).eval();
    if (n2 > 0)
        P.bottomRows(n2) = finitePart.S.partialPivLu().solve(P.bottomRows(n2)).eval();
    Q.rightCols(n2) = (Q.rightCols(n2) * finitePart.S).eval();
    MatrixXd N = MatrixXd::Zero(n1, n1);
    Index at = 0;
    for (const int size : chains.blocks)
        for (int i = 0; i < size; ++i, ++at)
            if (i > 0)
                N(at - 1, at) = 1;
    analysis.P = fromEigen(P);
    analysis.Q = fromEigen(Q);
    analysis.N = fromEigen(N);
    analysis.J = fromEigen(finitePart.J);
    analysis.jordan = finitePart.jordan;
    analysis.eigenvalues = finitePart.eigenvalues;
    analysis.nilpotentBlocks = chains.blocks;
}

} // namespace driftless::pencil
