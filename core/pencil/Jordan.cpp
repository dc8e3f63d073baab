// Real Jordan form of a matrix in floating point.
//
// The Jordan form is discontinuous, so it is only claimed where it reproduces the matrix: eigenvalues within a distance of each
// other are tried as one multiple eigenvalue (its invariant subspace, then a staircase on the nilpotent rest), the distance
// smaller from trial to trial, down to all eigenvalues simple; where none gives G S = S J with a usable S, the real Schur form
// is returned instead.
// A pair a +- ib with the chain u + iw occupies the columns (u, w) and the block [a b; -b a].
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

#include "core/pencil/Chains.h"
#include "core/pencil/Numeric.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

/// Distances relative to |G|: a Jordan block of size k spreads its eigenvalue by the k-th root of round-off.
constexpr double kClusters[] = {3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 0};
/// Relative to |G|: couplings below are taken as zero when the blocks of one eigenvalue are told apart.
constexpr double kCoupling = 1e-7;
/// Relative to |G| |S|: how well the form must reproduce the matrix.
constexpr double kSameMatrix = 1e-9;
constexpr double kWorstCondition = 1e12;
/// Of what the noise of G does to an eigenvalue, by its condition: eigenvalues further apart are different, however small they
/// are beside |G|.
constexpr double kExplained = 4;

struct Cluster {
    Complex value;
    int multiplicity = 1;
    std::vector<int> steps; ///< s_k chains of length k or more, where they are known
    bool operator==(const Cluster&) const = default;
};

bool before(const Complex& a, const Complex& b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); }

/// Eigenvalues with im >= 0, grouped.
std::vector<Cluster> group(const std::vector<Complex>& eigenvalues, double distance)
{
    std::vector<Complex> upper;
    for (const Complex& z : eigenvalues)
        if (z.imag() >= 0)
            upper.push_back(z);
    std::vector<Cluster> out;
    std::vector<bool> used(upper.size());
    for (std::size_t i = 0; i < upper.size(); ++i) {
        if (used[i])
            continue;
        Complex sum = 0;
        int count = 0, real = 0;
        std::vector<std::size_t> open{i};
        used[i] = true;
        while (!open.empty()) {
            const Complex z = upper[open.back()];
            open.pop_back();
            // A real multiple eigenvalue is perturbed into pairs; both halves belong to it.
            const bool nearAxis = std::abs(z.imag()) <= distance / 2;
            const int weight = z.imag() > 0 && nearAxis ? 2 : 1;
            real += nearAxis;
            sum += (nearAxis ? Complex(z.real(), 0) : z) * static_cast<double>(weight);
            count += weight;
            for (std::size_t j = 0; j < upper.size(); ++j)
                if (!used[j] && std::abs(upper[j] - z) <= distance) {
                    used[j] = true;
                    open.push_back(j);
                }
        }
        Complex mean = sum / static_cast<double>(count);
        if (real > 0)
            mean.imag(0);
        out.push_back({.value = mean, .multiplicity = count, .steps = {}});
    }
    return out;
}

/// Of each eigenvalue of G, how much further it moves than G does: |x| |y| / |y^H x| of its right and left eigenvectors.
std::vector<double> conditionsOf(const Eigen::EigenSolver<MatrixXd>& solver)
{
    const MatrixXcd X = solver.eigenvectors(), inverse = X.partialPivLu().inverse();
    std::vector<double> out;
    for (Index i = 0; i < X.cols(); ++i) {
        const double condition = X.col(i).norm() * inverse.row(i).norm();
        out.push_back(std::isfinite(condition) ? condition : std::numeric_limits<double>::infinity());
    }
    return out;
}

/// Whether noise of G can have made the eigenvalues of each cluster out of one.
bool explained(const std::vector<Cluster>& clusters, const Eigen::VectorXcd& eigenvalues, const std::vector<double>& conditions,
               double noise)
{
    std::vector<double> spread(clusters.size()), allowed(clusters.size());
    for (Index i = 0; i < eigenvalues.size(); ++i) {
        const Complex z(eigenvalues(i).real(), std::abs(eigenvalues(i).imag()));
        const auto nearest = static_cast<std::size_t>(
            std::ranges::min_element(clusters, {}, [z](const Cluster& c) { return std::abs(c.value - z); }) - clusters.begin());
        spread[nearest] = std::max(spread[nearest], std::abs(clusters[nearest].value - z));
        allowed[nearest] = std::max(allowed[nearest], kExplained * conditions[static_cast<std::size_t>(i)] * noise);
    }
    for (std::size_t k = 0; k < clusters.size(); ++k)
        if (clusters[k].multiplicity > 1 && spread[k] > allowed[k])
            return false;
    return true;
}

Cluster clusterOf(const KnownEigenvalue& known)
{
    Cluster out{.value = {known.re, known.im}, .multiplicity = 0, .steps = {}};
    for (const int size : known.blocks) {
        out.multiplicity += size;
        out.steps.resize(std::max(out.steps.size(), static_cast<std::size_t>(size)));
        for (int k = 0; k < size; ++k)
            ++out.steps[static_cast<std::size_t>(k)];
    }
    return out;
}

/// Orthonormal basis of the invariant subspace of the m eigenvalues nearest to value.
MatrixXcd invariantSubspace(const MatrixXcd& G, const Cluster& cluster)
{
    const Index n = G.rows();
    const MatrixXcd shifted = G - cluster.value * MatrixXcd::Identity(n, n);
    const double norm = std::max(shifted.norm(), std::numeric_limits<double>::min());
    MatrixXcd power = MatrixXcd::Identity(n, n);
    for (int k = 0; k < cluster.multiplicity; ++k)
        power = (power * shifted / norm).eval();
    const Eigen::JacobiSVD<MatrixXcd, Eigen::NoQRPreconditioner> svd(power, Eigen::ComputeFullV);
    return svd.matrixV().rightCols(std::min<Index>(cluster.multiplicity, n));
}

/// Unitary Y that makes the nilpotent M strictly block upper triangular by kernels; sizes of the steps, which are decided by
/// the tolerance where they are not known.
MatrixXcd grade(MatrixXcd M, double tolerance, const std::vector<int>& known, std::vector<int>& sizes, MatrixXcd& graded)
{
    const Index n = M.rows();
    MatrixXcd Y = MatrixXcd::Identity(n, n);
    for (Index at = 0; at < n;) {
        const Index left = n - at;
        const Eigen::JacobiSVD<MatrixXcd, Eigen::NoQRPreconditioner> svd(M.bottomRightCorner(left, left), Eigen::ComputeFullV);
        Index rank = 0;
        while (rank < left && svd.singularValues()(rank) > tolerance)
            ++rank;
        const Index s = sizes.size() < known.size() ? known[sizes.size()] : std::max<Index>(left - rank, 1);
        MatrixXcd turn(left, left);
        turn << svd.matrixV().rightCols(s), svd.matrixV().leftCols(left - s);
        M.rightCols(left) = (M.rightCols(left) * turn).eval();
        M.bottomRows(left) = (turn.adjoint() * M.bottomRows(left)).eval();
        Y.rightCols(left) = (Y.rightCols(left) * turn).eval();
        M.block(at, at, left, s).setZero();
        sizes.push_back(static_cast<int>(s));
        at += s;
    }
    graded = M;
    return Y;
}

bool decreasing(const std::vector<int>& sizes) { return std::is_sorted(sizes.rbegin(), sizes.rend()); }

/// Writes the real columns and blocks of one cluster; false when it has no chains.
bool appendCluster(const MatrixXcd& G, const Cluster& cluster, Index& at, MatrixXd& S, MatrixXd& J)
{
    const MatrixXcd Z = invariantSubspace(G, cluster);
    const Index m = Z.cols();
    const MatrixXcd M = Z.adjoint() * G * Z - cluster.value * MatrixXcd::Identity(m, m);
    std::vector<int> sizes;
    MatrixXcd graded;
    const MatrixXcd Y =
        grade(M, kCoupling * std::max(G.norm(), std::numeric_limits<double>::min()), cluster.steps, sizes, graded);
    if (!decreasing(sizes))
        return false;
    const GradedChains<MatrixXcd> chains = gradedChains<MatrixXcd>(graded, sizes);
    const MatrixXcd X = Z * Y * chains.columns;
    const bool pair = cluster.value.imag() > 0;
    if (at + m * (pair ? 2 : 1) > S.cols())
        return false;
    Index column = 0;
    for (const int size : chains.blocks) {
        // One complex factor per chain makes the columns of a real eigenvalue real.
        const Index lead = column;
        Index largest = 0;
        X.col(lead).cwiseAbs().maxCoeff(&largest);
        const Complex pivot = X(largest, lead);
        const Complex phase = std::abs(pivot) > 0 ? std::conj(pivot) / std::abs(pivot) : Complex(1);
        for (int i = 0; i < size; ++i, ++column) {
            const Eigen::VectorXcd v = phase * X.col(column);
            const Index width = pair ? 2 : 1;
            S.col(at) = v.real();
            J(at, at) = cluster.value.real();
            if (i > 0)
                J(at - width, at) = 1;
            if (pair) {
                S.col(at + 1) = v.imag();
                J(at, at + 1) = cluster.value.imag();
                J(at + 1, at) = -cluster.value.imag();
                J(at + 1, at + 1) = cluster.value.real();
                if (i > 0)
                    J(at - 1, at + 1) = 1;
            }
            at += width;
        }
    }
    return true;
}

bool build(const MatrixXd& G, const std::vector<Cluster>& clusters, RealJordan& out)
{
    const Index n = G.rows();
    out.S = MatrixXd::Zero(n, n);
    out.J = MatrixXd::Zero(n, n);
    Index at = 0;
    for (const Cluster& c : clusters)
        if (!appendCluster(G.cast<Complex>(), c, at, out.S, out.J))
            return false;
    if (at != n || !out.S.allFinite())
        return false;
    const Eigen::JacobiSVD<MatrixXd> svd(out.S);
    const auto& sigma = svd.singularValues();
    const double residual = (G * out.S - out.S * out.J).norm();
    return sigma(n - 1) * kWorstCondition > sigma(0) && residual <= kSameMatrix * G.norm() * out.S.norm();
}

/// D with D^-1 G D of rows and columns of like sizes (Parlett and Reinsch 1969). Powers of two, so that nothing is rounded.
Eigen::VectorXd balancing(MatrixXd G)
{
    const Index n = G.rows();
    Eigen::VectorXd D = Eigen::VectorXd::Ones(n);
    constexpr int kMostSweeps = 50; // each sweep that changes something lowers the norm
    constexpr double kWorthwhile = 0.95;
    bool changed = true;
    for (int sweep = 0; sweep < kMostSweeps && changed; ++sweep) {
        changed = false;
        for (Index i = 0; i < n; ++i) {
            const double own = std::abs(G(i, i)), column = G.col(i).cwiseAbs().sum() - own,
                         row = G.row(i).cwiseAbs().sum() - own;
            if (!(column > 0) || !(row > 0) || !std::isfinite(column) || !std::isfinite(row))
                continue;
            const double factor = std::exp2(std::round(std::log2(row / column) / 2));
            if (column * factor + row / factor >= kWorthwhile * (column + row))
                continue;
            G.col(i) *= factor;
            G.row(i) /= factor;
            D(i) *= factor;
            changed = true;
        }
    }
    return D;
}

/// Beyond the range of numbers nothing is known.
RealJordan unknownForm(const MatrixXd& G)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    RealJordan out;
    out.S = MatrixXd::Identity(G.rows(), G.rows());
    out.J = G;
    out.eigenvalues.assign(static_cast<std::size_t>(G.rows()), {kNone, kNone});
    return out;
}

RealJordan jordanAsGiven(const MatrixXd& G, const std::vector<KnownEigenvalue>& known, double noise)
{
    RealJordan out;
    const Index n = G.rows();
    if (n == 0 || (known.empty() && G.norm() <= noise)) {
        out.S = MatrixXd::Identity(n, n);
        out.J = MatrixXd::Zero(n, n);
        out.jordan = true;
        out.eigenvalues.assign(static_cast<std::size_t>(n), {0, 0});
        return out;
    }
    if (known.empty() && !G.allFinite())
        return unknownForm(G);
    std::vector<Complex> eigenvalues;
    std::vector<Cluster> clusters;
    if (known.empty()) {
        const Eigen::EigenSolver<MatrixXd> solver(G);
        const std::vector<double> conditions = conditionsOf(solver);
        const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * G.norm();
        for (Index i = 0; i < n; ++i)
            eigenvalues.push_back(solver.eigenvalues()(i));
        std::sort(eigenvalues.begin(), eigenvalues.end(), before);
        std::vector<Cluster> tried;
        for (const double distance : kClusters) {
            clusters = group(eigenvalues, distance * G.norm());
            if (clusters == tried)
                continue;
            tried = clusters;
            if (!explained(clusters, solver.eigenvalues(), conditions, std::max(noise, least)))
                continue;
            out.jordan = build(G, clusters, out);
            if (out.jordan)
                break;
        }
    } else {
        for (const KnownEigenvalue& k : known)
            if (k.im >= 0)
                clusters.push_back(clusterOf(k));
        out.jordan = build(G, clusters, out);
    }
    if (out.jordan || !known.empty()) { // a multiple eigenvalue is known better by its mean
        eigenvalues.clear();
        for (const Cluster& c : clusters)
            for (int k = 0; k < c.multiplicity; ++k) {
                eigenvalues.push_back(c.value);
                if (c.value.imag() > 0)
                    eigenvalues.push_back(std::conj(c.value));
            }
        std::sort(eigenvalues.begin(), eigenvalues.end(), before);
    }
    if (!out.jordan) {
        const Eigen::RealSchur<MatrixXd> schur(G);
        out.S = schur.matrixU();
        out.J = schur.matrixT();
    }
    for (const Complex& z : eigenvalues)
        out.eigenvalues.emplace_back(z.real(), z.imag());
    return out;
}

} // namespace

RealJordan realJordan(const MatrixXd& G, const std::vector<KnownEigenvalue>& known, double noise)
{
    // Where eigenvalues are known G is known entry by entry, and its round-off counts from each entry's own size. Elsewhere it
    // counts from the largest entry, and a balanced matrix would only look better known than it is.
    if (known.empty() || !G.allFinite())
        return jordanAsGiven(G, known, noise);
    const Eigen::VectorXd D = balancing(G);
    RealJordan out = jordanAsGiven(D.cwiseInverse().asDiagonal() * G * D.asDiagonal(), known, noise);
    out.S = (D.asDiagonal() * out.S).eval();
    return out;
}

} // namespace driftless::pencil
