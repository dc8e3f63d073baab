#include "core/consistency/SaddlePoint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/base/Index.h"
#include "core/solve/DenseDecompositions.h"
#include "core/solve/SparseElimination.h"
#include "core/system/NominalScales.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// In K - delta I of the lower right corner, against the squares of A: small enough that each refinement gains ten digits.
constexpr double kRegular = 1e-10;
constexpr int kRefinements = 6;
/// Of an elimination with partial pivoting, whose pivots grow where those of an orthogonal one do not.
constexpr double kDependent = 1e-12;

/// Units of coordinates in which light bodies count as much as heavy ones. Coordinates that M couples have one in common: a
/// quaternion has no inertia along itself, and what is left there is no measure.
class MassUnits {
public:
    MassUnits(int n, std::span<const solve::MatrixPlace> places)
        : places_(places.begin(), places.end()), block_(at(n)), largest_(at(n))
    {
        std::iota(block_.begin(), block_.end(), 0);
        const auto root = [this](int i) {
            while (block_[at(i)] != i)
                i = block_[at(i)] = block_[at(block_[at(i)])];
            return i;
        };
        for (const auto& p : places_)
            block_[at(root(p.row))] = root(p.column);
        for (int i = 0; i < n; ++i)
            block_[at(i)] = root(i);
    }

    /// units: usual sizes before, those in which the largest inertia of each block is about one after; of blocks without
    /// inertia as of the largest.
    void apply(std::span<const double> mass, std::span<double> units)
    {
        std::fill(largest_.begin(), largest_.end(), 0.0);
        double most = 0;
        for (std::size_t k = 0; k < places_.size(); ++k)
            if (const auto& p = places_[k]; p.row == p.column) {
                double& block = largest_[at(block_[at(p.row)])];
                block = std::max(block, std::abs(mass[k]) * units[at(p.row)] * units[at(p.row)]);
                most = std::max(most, block);
            }
        for (std::size_t i = 0; i < units.size(); ++i) {
            const double own = largest_[at(block_[i])];
            units[i] /= model::nearestPowerOfTwo(std::sqrt(own > 0 ? own : most));
        }
    }

private:
    std::vector<solve::MatrixPlace> places_;
    std::vector<int> block_;
    std::vector<double> largest_;
};

} // namespace

struct SaddlePoint::Work {
    int n, rows;
    std::vector<solve::MatrixPlace> massPlaces, rowPlaces;
    bool dense;
    // dense
    MatrixXd matrix;
    Eigen::PartialPivLU<MatrixXd> lu;
    VectorXd side;
    // The matrix in units of its own: A_ij u_j / r_i, u_i M_ij u_j / mu, r_i and mu the powers of two next to the largest
    // entries; then x = u z, and multipliers count in mu / r_i. u: the units of the coordinates, which say what the metric of
    // the identity is; where M is the metric and only a solution is wanted, MassUnits, so that light bodies beside heavy ones
    // keep their digits.
    std::vector<double> units, columnUnits, rowUnits, scaledRows, scaledMass;
    double massUnit = 1;
    MassUnits massUnits;
    // sparse: n diagonal entries, those of M, those of A twice, and the corner's diagonal
    solve::SparseFactor sparse;
    std::vector<double> values;

    Work(int n_, int rows_, std::span<const solve::MatrixPlace> mass, std::span<const solve::MatrixPlace> places)
        : n(n_), rows(rows_), massPlaces(mass.begin(), mass.end()), rowPlaces(places.begin(), places.end()),
          dense(n_ + rows_ <= kDenseSize), lu(dense ? std::max(1, n_ + rows_) : 1), massUnits(n_, mass)
    {
        if (dense)
            matrix = MatrixXd::Zero(n + rows, n + rows);
        units.assign(at(n), 1.0);
        columnUnits = units;
        rowUnits.assign(at(rows), 1.0);
        scaledRows.resize(rowPlaces.size());
        scaledMass.resize(massPlaces.size());
    }

    /// A in the units of the columns.
    std::span<const double> scaled(std::span<const double> A)
    {
        std::fill(rowUnits.begin(), rowUnits.end(), 0.0);
        for (std::size_t k = 0; k < rowPlaces.size(); ++k) {
            scaledRows[k] = A[k] * columnUnits[at(rowPlaces[k].column)];
            rowUnits[at(rowPlaces[k].row)] = std::max(rowUnits[at(rowPlaces[k].row)], std::abs(scaledRows[k]));
        }
        for (double& unit : rowUnits)
            unit = model::nearestPowerOfTwo(unit);
        for (std::size_t k = 0; k < rowPlaces.size(); ++k)
            scaledRows[k] /= rowUnits[at(rowPlaces[k].row)];
        return scaledRows;
    }
    /// Chooses the units of the columns; M in these, null where there is none.
    const std::vector<double>* scaled(const std::vector<double>* mass, bool byMass)
    {
        columnUnits = units;
        massUnit = 1;
        if (!mass)
            return nullptr;
        const auto largest = [this](const std::vector<double>& entries) {
            double found = 0;
            for (std::size_t k = 0; k < massPlaces.size(); ++k)
                found = std::max(found, std::abs(entries[k]) * columnUnits[at(massPlaces[k].row)]
                                            * columnUnits[at(massPlaces[k].column)]);
            return model::nearestPowerOfTwo(found);
        };
        if (byMass)
            massUnits.apply(*mass, columnUnits);
        massUnit = largest(*mass);
        for (std::size_t k = 0; k < massPlaces.size(); ++k)
            scaledMass[k] = (*mass)[k] * columnUnits[at(massPlaces[k].row)] * columnUnits[at(massPlaces[k].column)] / massUnit;
        return &scaledMass;
    }
    /// A right side (f, h) and a solution (x, lambda) from the units of the model to those of the matrix and back.
    void scaleSide(double* b) const
    {
        for (std::size_t i = 0; i < units.size(); ++i)
            b[i] *= columnUnits[i] / massUnit;
        for (std::size_t i = 0; i < rowUnits.size(); ++i)
            b[units.size() + i] /= rowUnits[i];
    }
    void unscaleSolution(double* x) const
    {
        for (std::size_t i = 0; i < units.size(); ++i)
            x[i] *= columnUnits[i];
        for (std::size_t i = 0; i < rowUnits.size(); ++i)
            x[units.size() + i] *= massUnit / rowUnits[i];
    }

    /// The smallest change, all in the units of the matrix.
    std::vector<double> changeFor(std::span<const double> A, const std::vector<double>* mass, const std::vector<bool>& fixed,
                                  std::span<const double> residual);

    void analyse()
    {
        if (sparse.analysed())
            return;
        std::vector<solve::MatrixPlace> entries;
        for (int i = 0; i < n; ++i)
            entries.push_back({i, i});
        entries.insert(entries.end(), massPlaces.begin(), massPlaces.end());
        for (const auto& p : rowPlaces) {
            entries.push_back({n + p.row, p.column});
            entries.push_back({p.column, n + p.row});
        }
        for (int i = 0; i < rows; ++i)
            entries.push_back({n + i, n + i});
        sparse.analyse(n + rows, entries);
        values.resize(entries.size());
    }

    /// fixed: held at zero. corner: minus the value on the lower diagonal.
    bool factorSparse(std::span<const double> A, const std::vector<double>* mass, const std::vector<bool>* fixed, double corner)
    {
        analyse();
        const auto held = [fixed](int j) { return fixed && (*fixed)[at(j)]; };
        auto out = values.begin();
        for (int j = 0; j < n; ++j)
            *out++ = !mass || held(j) ? 1 : 0;
        for (std::size_t k = 0; k < massPlaces.size(); ++k)
            *out++ = mass && !held(massPlaces[k].row) && !held(massPlaces[k].column) ? (*mass)[k] : 0;
        for (std::size_t k = 0; k < rowPlaces.size(); ++k) {
            const double a = held(rowPlaces[k].column) ? 0 : A[k];
            *out++ = a;
            *out++ = a;
        }
        std::fill(out, values.end(), -corner);
        return sparse.factor(values) > kSingular;
    }

    double cornerFor(std::span<const double> A) const
    {
        double largest = 0;
        for (const double a : A)
            largest = std::max(largest, std::abs(a));
        return kRegular * std::max(largest * largest, std::numeric_limits<double>::min());
    }

    /// K x with K of the last factorSparse, without the corner.
    VectorXd times(const VectorXd& x) const
    {
        VectorXd y = VectorXd::Zero(n + rows);
        auto in = values.begin();
        for (int j = 0; j < n; ++j)
            y(j) += *in++ * x(j);
        for (const auto& p : massPlaces)
            y(p.row) += *in++ * x(p.column);
        for (const auto& p : rowPlaces) {
            y(n + p.row) += *in++ * x(p.column);
            y(p.column) += *in++ * x(n + p.row);
        }
        return y;
    }

    /// With the regularised factors: K x = b by refinement, from zero, so that x stays in the range.
    VectorXd refined(const VectorXd& b)
    {
        VectorXd x = VectorXd::Zero(n + rows);
        for (int pass = 0; pass < kRefinements; ++pass) {
            VectorXd r = b - times(x);
            sparse.solve(r.data());
            x += r;
        }
        return x;
    }

    void fillDense(std::span<const double> A, const std::vector<double>* mass)
    {
        matrix.setZero();
        if (mass)
            for (std::size_t k = 0; k < massPlaces.size(); ++k)
                matrix(massPlaces[k].row, massPlaces[k].column) = (*mass)[k];
        else
            matrix.topLeftCorner(n, n).setIdentity();
        for (std::size_t k = 0; k < rowPlaces.size(); ++k) {
            matrix(n + rowPlaces[k].row, rowPlaces[k].column) = A[k];
            matrix(rowPlaces[k].column, n + rowPlaces[k].row) = A[k];
        }
    }
};

SaddlePoint::SaddlePoint(int n, int rows, std::span<const solve::MatrixPlace> mass,
                         std::span<const solve::MatrixPlace> rowPlaces)
    : work_(std::make_unique<Work>(n, rows, mass, rowPlaces))
{
}
SaddlePoint::~SaddlePoint() = default;
SaddlePoint::SaddlePoint(SaddlePoint&&) noexcept = default;

void SaddlePoint::setUnits(std::span<const double> units)
{
    if (units.size() == work_->units.size())
        std::copy(units.begin(), units.end(), work_->units.begin());
}

bool SaddlePoint::factor(std::span<const double> given, const std::vector<double>* givenMass)
{
    Work& w = *work_;
    const std::vector<double>* mass = w.scaled(givenMass, true);
    const std::span<const double> A = w.scaled(given);
    if (!w.dense)
        return w.factorSparse(A, mass, nullptr, 0);
    w.fillDense(A, mass);
    w.lu.compute(w.matrix);
    double least = std::numeric_limits<double>::infinity(), largest = 0;
    for (Index i = 0; i < w.n + w.rows; ++i) {
        const double pivot = std::abs(w.lu.matrixLU()(i, i));
        least = std::min(least, pivot);
        largest = std::max(largest, pivot);
    }
    return w.n + w.rows == 0 || least > kSingular * largest;
}

void SaddlePoint::solve(double* x)
{
    Work& w = *work_;
    w.scaleSide(x);
    if (w.dense) {
        Eigen::Map<VectorXd> b(x, w.n + w.rows);
        w.side = b;
        b.noalias() = w.lu.solve(w.side);
    } else {
        w.sparse.solve(x);
    }
    w.unscaleSolution(x);
}

std::vector<double> SaddlePoint::smallestChange(std::span<const double> given, const std::vector<double>* givenMass,
                                                const std::vector<bool>& fixed, std::span<const double> givenResidual)
{
    Work& w = *work_;
    const std::vector<double>* mass = w.scaled(givenMass, false);
    const std::span<const double> A = w.scaled(given);
    std::vector<double> residual(givenResidual.begin(), givenResidual.end());
    for (std::size_t i = 0; i < residual.size(); ++i)
        residual[i] /= w.rowUnits[i];
    std::vector<double> change = w.changeFor(A, mass, fixed, residual);
    for (std::size_t j = 0; j < change.size(); ++j)
        change[j] *= w.units[j];
    return change;
}

std::vector<double> SaddlePoint::Work::changeFor(std::span<const double> A, const std::vector<double>* mass,
                                                 const std::vector<bool>& fixed, std::span<const double> residual)
{
    Work& w = *this;
    std::vector<double> change(at(w.n), 0.0);
    if (!w.dense) {
        VectorXd b = VectorXd::Zero(w.n + w.rows);
        b.tail(w.rows) = -Eigen::Map<const VectorXd>(residual.data(), w.rows);
        if (w.factorSparse(A, mass, &fixed, 0))
            w.sparse.solve(b.data());
        else if (w.factorSparse(A, mass, &fixed, w.cornerFor(A)) || w.factorSparse(A, nullptr, &fixed, w.cornerFor(A)))
            b = w.refined(b);
        else
            b.setZero();
        for (int j = 0; j < w.n; ++j)
            change[at(j)] = fixed[at(j)] ? 0 : b(j);
        return change;
    }
    // With the Cholesky factor C C^T of the metric's free part, dx = C^-T y with y smallest.
    std::vector<Index> free;
    for (std::size_t j = 0; j < fixed.size(); ++j)
        if (!fixed[j])
            free.push_back(static_cast<Index>(j));
    if (free.empty())
        return change;
    MatrixXd part = MatrixXd::Zero(w.rows, w.n);
    for (std::size_t k = 0; k < w.rowPlaces.size(); ++k)
        part(w.rowPlaces[k].row, w.rowPlaces[k].column) = A[k];
    part = part(Eigen::all, free).eval();
    const Eigen::Map<const VectorXd> r(residual.data(), w.rows);
    VectorXd dx;
    Eigen::LLT<MatrixXd> cholesky;
    if (mass) {
        MatrixXd M = MatrixXd::Zero(w.n, w.n);
        for (std::size_t k = 0; k < w.massPlaces.size(); ++k)
            M(w.massPlaces[k].row, w.massPlaces[k].column) = (*mass)[k];
        cholesky.compute(M(free, free));
    }
    if (mass && cholesky.info() == Eigen::Success) {
        part = cholesky.matrixL().solve(part.transpose()).transpose();
        dx = solve::leastSquares(part, -r);
        cholesky.matrixU().solveInPlace(dx);
    } else {
        dx = solve::leastSquares(part, -r);
    }
    for (std::size_t k = 0; k < free.size(); ++k)
        change[static_cast<std::size_t>(free[k])] = dx(static_cast<Index>(k));
    return change;
}

bool SaddlePoint::solveSingular(std::span<const double> given, const std::vector<double>& givenMass, double* x)
{
    Work& w = *work_;
    const std::vector<double>& mass = *w.scaled(&givenMass, false);
    const std::span<const double> A = w.scaled(given);
    w.scaleSide(x);
    Eigen::Map<VectorXd> out(x, w.n + w.rows);
    const VectorXd b = out;
    VectorXd y, left;
    if (w.dense) {
        w.fillDense(A, &mass);
        y = solve::leastSquares(w.matrix, b);
        left = w.matrix * y - b;
    } else {
        if (!w.factorSparse(A, &mass, nullptr, w.cornerFor(A)))
            return false;
        y = w.refined(b);
        left = w.times(y) - b;
    }
    out = y;
    w.unscaleSolution(x);
    return left.norm() <= 1e-8 * b.norm() || b.norm() == 0;
}

std::vector<int> SaddlePoint::dependentRows(std::span<const double> given) const
{
    Work& w = *work_;
    std::vector<int> out;
    if (w.rows == 0)
        return out;
    w.scaled(nullptr, false);
    const std::span<const double> A = w.scaled(given);
    if (!w.dense) {
        std::vector<solve::MatrixPlace> transposed;
        for (const auto& p : w.rowPlaces)
            transposed.push_back({p.column, p.row});
        solve::SparseElimination elimination;
        elimination.eliminate(w.n, w.rows, transposed, A, kDependent);
        return elimination.dependentColumns();
    }
    MatrixXd columns = MatrixXd::Zero(w.n, w.rows);
    for (std::size_t k = 0; k < w.rowPlaces.size(); ++k)
        columns(w.rowPlaces[k].column, w.rowPlaces[k].row) = A[k];
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(columns);
    const double largest = std::abs(qr.matrixR()(0, 0));
    for (int k = 0; k < w.rows; ++k)
        if (k >= w.n || !(std::abs(qr.matrixR()(k, k)) > kSingular * largest))
            out.push_back(static_cast<int>(qr.colsPermutation().indices()(k)));
    std::sort(out.begin(), out.end());
    return out;
}

struct MassSolver::Work {
    int n;
    std::vector<solve::MatrixPlace> places;
    bool diagonal = true, dense = false;
    MatrixXd M;
    Eigen::PartialPivLU<MatrixXd> lu;
    Eigen::LDLT<MatrixXd> rank;
    VectorXd side;
    std::vector<double> units, scaled; ///< M in units of its own: u_i M_ij u_j, whose largest entries are about one
    std::optional<MassUnits> massUnits;
    solve::SparseFactor sparse;

    void scale(std::span<const double> values)
    {
        std::fill(units.begin(), units.end(), 1.0);
        massUnits->apply(values, units);
        for (std::size_t k = 0; k < values.size(); ++k)
            scaled[k] = values[k] * units[at(places[k].row)] * units[at(places[k].column)];
    }
};

MassSolver::MassSolver(int n, std::span<const solve::MatrixPlace> mass) : work_(std::make_unique<Work>())
{
    Work& w = *work_;
    w.n = n;
    w.units.assign(at(n), 1.0);
    w.massUnits.emplace(n, mass);
    w.places.assign(mass.begin(), mass.end());
    w.scaled.resize(mass.size());
    std::vector<int> seen(at(n), 0);
    for (const auto& p : w.places)
        w.diagonal = w.diagonal && p.row == p.column && ++seen[at(p.row)] == 1;
    w.dense = !w.diagonal && n <= kDenseSize;
    if (w.dense) {
        w.M = MatrixXd::Zero(n, n);
        w.lu = Eigen::PartialPivLU<MatrixXd>(n);
        w.rank = Eigen::LDLT<MatrixXd>(n);
    }
}
MassSolver::~MassSolver() = default;
MassSolver::MassSolver(MassSolver&&) noexcept = default;

bool MassSolver::solve(std::span<const double> values, double* x)
{
    Work& w = *work_;
    if (w.n == 0)
        return true;
    if (w.diagonal) {
        const auto none = [](double m) { return !(m > 0) || !std::isfinite(m); };
        if (w.places.size() < at(w.n) || std::any_of(values.begin(), values.end(), none))
            return false; // a mass says nothing of another one, which may count in other units
        for (std::size_t k = 0; k < values.size(); ++k)
            x[w.places[k].row] /= values[k];
        return true;
    }
    if (!w.dense) {
        if (!w.sparse.analysed())
            w.sparse.analyse(w.n, w.places);
        w.scale(values);
        if (!(w.sparse.factor(w.scaled) > kSingular))
            return false;
        for (std::size_t i = 0; i < at(w.n); ++i)
            x[i] *= w.units[i];
        w.sparse.solve(x);
        for (std::size_t i = 0; i < at(w.n); ++i)
            x[i] *= w.units[i];
        return true;
    }
    w.M.setZero();
    w.scale(values);
    for (std::size_t k = 0; k < values.size(); ++k)
        w.M(w.places[k].row, w.places[k].column) = w.scaled[k];
    // Symmetric pivoting tells a singular M, as of a quaternion, where the growth in an LU hides it.
    w.rank.compute(w.M);
    const auto pivots = w.rank.vectorD().cwiseAbs();
    if (!(pivots.minCoeff() > kSingular * pivots.maxCoeff()))
        return false;
    w.lu.compute(w.M);
    Eigen::Map<VectorXd> b(x, w.n);
    const Eigen::Map<const VectorXd> units(w.units.data(), w.n);
    w.side = b.cwiseProduct(units);
    b.noalias() = w.lu.solve(w.side);
    b.array() *= units.array();
    return true;
}

} // namespace driftless::consistency
