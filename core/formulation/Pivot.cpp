#include "core/formulation/Pivot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formulation/PivotSparse.h"
#include "core/solve/Determinant.h"

namespace driftless::formulation {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Blocks up to this size are judged by singular values; larger ones by the 1-norm of the inverse's action, which
/// over-estimates the 2-norm by at most sqrt(m).
constexpr int kExactSize = 32;
/// Rank decisions: singular below this multiple of round-off times the largest pivot.
constexpr double kRankTolerance = 1e3 * std::numeric_limits<double>::epsilon();

/// Rows beyond which the matrix is not stored in full: those whose blocks are not judged exactly. A chain of 100 links takes a
/// fifth of the time so.
constexpr int kDenseRows = kExactSize;

/// Ratio of pivots down to which an inverse is good to ten digits.
constexpr double kTrustedInverse = 1e-5;

using Map = Eigen::Map<const Eigen::MatrixXd>;

} // namespace

struct PivotChooser::Work {
    Eigen::MatrixXd block, gram, inverse;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr; ///< of G
    Eigen::MatrixXd mass, transposed;               ///< sized at the first use of throughMass
    Eigen::PartialPivLU<Eigen::MatrixXd> massLu;
    double norm = -1;                    ///< of G, negative while it is not known
    Eigen::MatrixXd square;              ///< [G; A^T], sized at the first use of keepKernel
    std::unique_ptr<PivotSparse> sparse; ///< beyond kDenseRows; the matrices above stay empty then

    Work(int n, int rows) : Work(rows > kDenseRows ? 1 : std::max(1, rows))
    {
        if (rows > kDenseRows)
            sparse = std::make_unique<PivotSparse>(n, rows);
        else if (rows > 0 && n >= rows)
            qr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(rows, n);
    }
    explicit Work(int m) : block(m, m), gram(m, m), inverse(m, m), svd(m, m), eigen(m), lu(m) {}

    void select(const Map& G, std::span<const int> selection)
    {
        for (std::size_t k = 0; k < selection.size(); ++k)
            block.col(static_cast<Eigen::Index>(k)) = G.col(selection[k]);
    }
};

PivotChooser::PivotChooser(int n, int m)
    : n_(n), m_(m), G_(m > kDenseRows ? 0 : static_cast<std::size_t>(n) * static_cast<std::size_t>(m)),
      work_(std::make_unique<Work>(n, m))
{
}
PivotChooser::~PivotChooser() = default;
PivotChooser::PivotChooser(PivotChooser&&) noexcept = default;
PivotChooser& PivotChooser::operator=(PivotChooser&&) noexcept = default;

void PivotChooser::setUnits(std::span<const double> columns, std::span<const double> rows)
{
    if (std::ranges::equal(columns, columns_) && std::ranges::equal(rows, rows_))
        return;
    factors_.clear();
    columns_.assign(columns.begin(), columns.end());
    rows_.assign(rows.begin(), rows.end());
}

/// What the entries at these places are multiplied by.
void PivotChooser::takePlaces(std::span<const solve::MatrixPlace> places)
{
    const auto same = [](const solve::MatrixPlace& a, const solve::MatrixPlace& b) {
        return a.row == b.row && a.column == b.column;
    };
    scaled_.resize(places.size());
    if (factors_.size() == places.size() && std::ranges::equal(places, places_, same))
        return;
    places_.assign(places.begin(), places.end());
    factors_.assign(places.size(), 1.0);
    if (static_cast<int>(columns_.size()) == n_ && static_cast<int>(rows_.size()) >= m_)
        for (std::size_t k = 0; k < places.size(); ++k)
            factors_[k] = columns_[static_cast<std::size_t>(places[k].column)] / rows_[static_cast<std::size_t>(places[k].row)];
}

void PivotChooser::load(std::span<const solve::MatrixPlace> places, std::span<const double> given)
{
    takePlaces(places);
    for (std::size_t k = 0; k < places.size(); ++k)
        scaled_[k] = given[k] * factors_[k];
    const std::span<const double> values = scaled_;
    if (work_->sparse)
        return work_->sparse->load(places, values);
    std::fill(G_.begin(), G_.end(), 0.0);
    work_->norm = -1;
    for (std::size_t k = 0; k < places.size(); ++k)
        G_[static_cast<std::size_t>(places[k].column) * static_cast<std::size_t>(m_)
           + static_cast<std::size_t>(places[k].row)] = values[k];
}

bool PivotChooser::throughMass(std::span<const solve::MatrixPlace> places, std::span<const double> given)
{
    scaled_.assign(given.begin(), given.end());
    if (static_cast<int>(columns_.size()) == n_)
        for (std::size_t k = 0; k < places.size(); ++k)
            scaled_[k] *=
                columns_[static_cast<std::size_t>(places[k].row)] * columns_[static_cast<std::size_t>(places[k].column)];
    const std::span<const double> mass = scaled_;
    if (work_->sparse)
        return work_->sparse->throughMass(places, mass);
    if (m_ == 0)
        return true;
    Work& w = *work_;
    if (w.mass.rows() != n_) {
        w.mass.resize(n_, n_);
        w.transposed.resize(n_, m_);
        w.massLu = Eigen::PartialPivLU<Eigen::MatrixXd>(n_);
    }
    w.mass.setZero();
    for (std::size_t k = 0; k < places.size(); ++k)
        w.mass(places[k].row, places[k].column) = mass[k];
    w.massLu.compute(w.mass);
    const auto pivots = w.massLu.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > kRankTolerance * pivots.maxCoeff()))
        return false;
    Eigen::Map<Eigen::MatrixXd> G(G_.data(), m_, n_);
    w.norm = -1;
    w.transposed = w.massLu.solve(G.transpose()); // M is symmetric
    G = w.transposed.transpose();
    return true;
}

namespace {

/// ||A||_2 of a matrix with two rows a and b, from the trace and the difference of the Gram matrix: sums of squares alone, so
/// that no digit is lost.
template <typename Row>
double normOfTwoRows(const Row& a, const Row& b)
{
    const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b), half = 0.5 * (aa - bb);
    return std::sqrt(0.5 * (aa + bb) + std::sqrt(half * half + ab * ab));
}

} // namespace

double PivotChooser::norm2()
{
    const Map G(G_.data(), m_, n_);
    if (m_ == 1 || m_ > kExactSize)
        return G.norm();
    if (m_ == 2)
        return normOfTwoRows(G.row(0), G.row(1));
    work_->gram.noalias() = G.lazyProduct(G.transpose());
    work_->eigen.compute(work_->gram, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, work_->eigen.eigenvalues().maxCoeff()));
}

double PivotChooser::inverseNorm(std::span<const int> selection, double enough)
{
    if (m_ == 2) { // the inverse of two by two has the norm of the matrix, divided by the determinant
        const Map G(G_.data(), m_, n_);
        const Eigen::Vector2d a = G.col(selection[0]), b = G.col(selection[1]);
        const double determinant = std::abs(a.x() * b.y() - a.y() * b.x());
        return determinant > 0 ? normOfTwoRows(a, b) / determinant : kInfinity;
    }
    work_->select(Map(G_.data(), m_, n_), selection);
    if (m_ <= kExactSize) {
        // The largest singular value of the inverse, which its Gram matrix gives to full precision in a tenth of the time of
        // singular values of the block; these decide where the inverse itself has lost digits.
        Work& w = *work_;
        w.lu.compute(w.block);
        const auto pivots = w.lu.matrixLU().diagonal().cwiseAbs();
        // The least singular value of P^T L U is at most ||L||_2 times that of U, which no pivot is less than; ||L||_2 <= m.
        if (const double bound = 1 / (m_ * pivots.minCoeff()); bound > enough)
            return bound;
        if (pivots.minCoeff() > kTrustedInverse * pivots.maxCoeff()) {
            w.inverse = w.lu.permutationP(); // lu.inverse() would allocate
            w.lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(w.inverse);
            w.lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(w.inverse);
            w.gram.noalias() = w.inverse.lazyProduct(w.inverse.transpose());
            w.eigen.compute(w.gram, Eigen::EigenvaluesOnly);
            return std::sqrt(w.eigen.eigenvalues()(m_ - 1));
        }
        const double least = w.svd.compute(w.block).singularValues()(m_ - 1);
        return least > 0 ? 1 / least : kInfinity;
    }
    const double norm1 = work_->block.cwiseAbs().colwise().sum().maxCoeff();
    const double rcond = work_->lu.compute(work_->block).rcond();
    return rcond > 0 ? 1 / (rcond * norm1) : kInfinity;
}

double PivotChooser::kappa(std::span<const int> selection, double enough)
{
    if (work_->sparse)
        return work_->sparse->kappa(selection);
    if (m_ == 0)
        return 1;
    if (m_ == 1) { // the common case, without a matrix
        const double pivot = std::abs(G_[static_cast<std::size_t>(selection[0])]);
        double squares = 0;
        for (const double g : G_)
            squares += g * g;
        return pivot > 0 ? std::sqrt(squares) / pivot : kInfinity;
    }
    Work& w = *work_;
    if (w.norm < 0)
        w.norm = norm2();
    return w.norm * inverseNorm(selection, enough / w.norm);
}

int PivotChooser::orientation(std::span<const int> selection)
{
    if (work_->sparse)
        return work_->sparse->orientation(selection);
    if (m_ == 0)
        return 1;
    if (m_ == 1) {
        const double pivot = G_[static_cast<std::size_t>(selection[0])];
        return (pivot > 0) - (pivot < 0);
    }
    work_->select(Map(G_.data(), m_, n_), selection);
    return solve::signOfDeterminant(work_->lu.compute(work_->block));
}

double PivotChooser::share(std::span<const int> selection)
{
    if (work_->sparse || m_ == 0 || static_cast<int>(selection.size()) != m_)
        return 1;
    const Map G(G_.data(), m_, n_);
    work_->select(G, selection);
    double out = work_->lu.compute(work_->block).determinant();
    for (int i = 0; i < m_; ++i)
        out /= G.row(i).norm();
    return out;
}

std::vector<int> PivotChooser::choose(bool exchanged)
{
    std::vector<int> selection;
    chooseInto(selection, exchanged);
    return selection;
}

void PivotChooser::chooseInto(std::vector<int>& selection, bool exchanged)
{
    selection.clear();
    if (m_ == 0 || m_ > n_)
        return;
    if (work_->sparse) {
        selection = work_->sparse->choose();
        return;
    }
    auto& qr = work_->qr;
    qr.compute(Map(G_.data(), m_, n_));
    const auto& R = qr.matrixR();
    if (!(std::abs(R(m_ - 1, m_ - 1)) > kRankTolerance * std::abs(R(0, 0))))
        return;
    for (int k = 0; k < m_; ++k)
        selection.push_back(qr.colsPermutation().indices()(k));
    std::sort(selection.begin(), selection.end());
    // Greedy exchanges: the pivoted factorisation is within a factor of the best, single exchanges do the rest.
    if (exchanged && m_ <= kExactSize) {
        double current = kappa(selection);
        for (int pass = 0; pass < m_; ++pass) {
            const std::vector<PivotCandidate> all = exchanges(selection);
            const auto best =
                std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.kappa < b.kappa; });
            if (best == all.begin() || !(best->kappa < 0.99 * current))
                break;
            std::replace(selection.begin(), selection.end(), best->leaves, best->enters);
            std::sort(selection.begin(), selection.end());
            current = best->kappa;
        }
    }
}

std::vector<PivotCandidate> PivotChooser::exchanges(std::span<const int> selection)
{
    std::vector<PivotCandidate> out{{-1, -1, kappa(selection)}};
    if (m_ == 0 || work_->sparse)
        return out;
    std::vector<int> trial(selection.begin(), selection.end());
    for (std::size_t k = 0; k < trial.size(); ++k) {
        const int leaves = trial[k];
        for (int enters = 0; enters < n_; ++enters) {
            if (std::find(selection.begin(), selection.end(), enters) != selection.end())
                continue;
            trial[k] = enters;
            out.push_back({leaves, enters, kappa(trial)});
        }
        trial[k] = leaves;
    }
    return out;
}

void PivotChooser::keepKernel()
{
    if (work_->sparse)
        return work_->sparse->keep();
    if (m_ > n_)
        return; // redundant rows: no complement that would make the matrix square
    const Map G(G_.data(), m_, n_);
    work_->square.setZero(n_, n_);
    work_->square.bottomRows(n_ - m_) = solve::orthogonalComplement(G.transpose()).transpose();
}

int PivotChooser::orientationAgainstKernel()
{
    if (work_->sparse)
        return work_->sparse->orientationAgainstKept();
    if (m_ > n_)
        return 0;
    work_->square.topRows(m_) = Map(G_.data(), m_, n_);
    return solve::signOfDeterminant(Eigen::PartialPivLU<Eigen::MatrixXd>(work_->square));
}

std::vector<int> PivotChooser::weakestRows(double& ratio, double* least)
{
    if (work_->sparse)
        return work_->sparse->weakestRows(ratio, least);
    ratio = 1;
    if (least)
        *least = m_ == 0 ? 1 : 0;
    if (m_ == 0)
        return {};
    const Map G(G_.data(), m_, n_);
    const Eigen::MatrixXd gram = G * G.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
    const double largest = eigen.eigenvalues()(m_ - 1);
    ratio = largest > 0 ? std::sqrt(std::max(0.0, eigen.eigenvalues()(0)) / largest) : 0;
    if (least)
        *least = std::sqrt(std::max(0.0, eigen.eigenvalues()(0)));
    const Eigen::VectorXd weak = eigen.eigenvectors().col(0).cwiseAbs();
    std::vector<int> rows;
    for (int i = 0; i < m_; ++i)
        if (weak(i) > 0.1 * weak.maxCoeff())
            rows.push_back(i);
    return rows;
}

double PivotChooser::leastSingularValue()
{
    if (work_->sparse) {
        double ratio = 0, least = 0;
        work_->sparse->weakestRows(ratio, &least);
        return least;
    }
    if (m_ == 0)
        return 1;
    const Map G(G_.data(), m_, n_);
    work_->gram.noalias() = G.lazyProduct(G.transpose());
    work_->eigen.compute(work_->gram, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, work_->eigen.eigenvalues()(0)));
}

std::vector<int> PivotChooser::dependentRows()
{
    if (work_->sparse)
        return work_->sparse->dependentRows();
    if (m_ == 0)
        return {};
    const Map G(G_.data(), m_, n_);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G.transpose());
    const auto& R = qr.matrixR();
    std::vector<int> rows;
    for (int k = 0; k < m_; ++k)
        if (k >= n_ || !(std::abs(R(k, k)) > kRankTolerance * std::abs(R(0, 0))))
            rows.push_back(qr.colsPermutation().indices()(k));
    std::sort(rows.begin(), rows.end());
    return rows;
}

} // namespace driftless::formulation
