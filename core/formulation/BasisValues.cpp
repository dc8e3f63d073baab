#include "core/formulation/BasisValues.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/solve/DenseDecompositions.h"
#include "core/system/NominalScales.h"

namespace driftless::formulation {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Rank decision on the factor R of an orthogonal factorisation.
constexpr double kBasisRank = 1e3 * std::numeric_limits<double>::epsilon();

/// A constraint matrix with its kernel.
struct Kernel {
    Index rows = 0, n = 0;
    MatrixXd matrix;    ///< rows x n
    MatrixXd reference; ///< n x (n - rows)
    MatrixXd present;   ///< n x (n - rows): the continuous kernel
    MatrixXd gram, coefficients;
    Eigen::LDLT<MatrixXd> ldlt;
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    Eigen::RowVectorXd workspace;

    Kernel(Index r, Index coordinates)
        : rows(r), n(coordinates), matrix(MatrixXd::Zero(r, n)), reference(MatrixXd::Zero(n, std::max<Index>(0, n - r))),
          present(reference), gram(MatrixXd::Zero(r, r)), coefficients(MatrixXd::Zero(r, reference.cols())), ldlt(r),
          qr(coordinates, r), workspace(reference.cols())
    {
    }

    /// In units of the coordinates and of the rows: what is orthogonal must not depend on those of the model.
    void load(std::span<const solve::MatrixPlace> places, const std::vector<double>& values,
              const std::vector<double>& columnUnits, const std::vector<double>& rowUnits)
    {
        matrix.setZero();
        for (std::size_t k = 0; k < places.size(); ++k)
            matrix(places[k].row, places[k].column) = values[k] * columnUnits[static_cast<std::size_t>(places[k].column)]
                                                      / rowUnits[static_cast<std::size_t>(places[k].row)];
    }

    bool refresh()
    {
        if (rows == 0) {
            reference.setIdentity();
            present = reference;
            return true;
        }
        if (rows > n)
            return false; // redundant rows
        qr.compute(matrix.transpose());
        const auto& R = qr.matrixR();
        if (!(std::abs(R(rows - 1, rows - 1)) > kBasisRank * std::abs(R(0, 0))))
            return false;
        reference.setZero();
        reference.bottomRows(n - rows).setIdentity();
        qr.householderQ().applyThisOnTheLeft(reference, workspace);
        present = reference;
        return true;
    }

    bool factorGram()
    {
        gram.noalias() = matrix.lazyProduct(matrix.transpose());
        ldlt.compute(gram);
        const auto d = ldlt.vectorD().cwiseAbs();
        return d.minCoeff() > kBasisRank * kBasisRank * d.maxCoeff();
    }

    bool follow()
    {
        if (rows == 0)
            return true;
        if (!factorGram())
            return false;
        coefficients.noalias() = matrix.lazyProduct(reference);
        ldlt.solveInPlace(coefficients);
        present = reference;
        present.noalias() -= matrix.transpose().lazyProduct(coefficients);
        return true;
    }

    /// cos^2 of the principal angles are the eigenvalues of (A - projection)^T (A - projection).
    double kappa()
    {
        if (rows == 0 || n == rows)
            return 1;
        if (!follow())
            return std::numeric_limits<double>::infinity();
        const MatrixXd cosines = present.transpose() * present;
        const double least = Eigen::SelfAdjointEigenSolver<MatrixXd>(cosines, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
        return least > 0 ? 1 / std::sqrt(least) : std::numeric_limits<double>::infinity();
    }
};

} // namespace

struct BasisValues::Impl {
    std::shared_ptr<const model::CompiledSystem> system;
    model::SystemEvaluator evaluator;
    model::NominalScales usual;
    std::vector<Basis> bases;
    bool apart;           ///< W is not G
    bool kernels = false; ///< any basis but carried multipliers
    Kernel position, velocity;
    std::vector<double> positionValues, velocityValues, values;
    std::string message;

    Impl(std::shared_ptr<const model::CompiledSystem> s, const std::vector<Basis>& list)
        : system(s), evaluator(s), usual(model::nominalScales(evaluator)), bases(list),
          apart(!(s->plainRates() && s->holonomic() == s->m())), position(s->holonomic(), s->n()),
          velocity(apart ? s->m() : 0, apart ? s->n() : 0), positionValues(s->positionJacobianPlaces().size()),
          velocityValues(s->jacobianPlaces().size())
    {
        std::size_t count = 0;
        for (const Basis& b : bases) {
            count += b.entries.size();
            kernels = kernels || b.kind != BasisKind::Multipliers;
        }
        values.assign(count, 0.0);
    }

    Kernel& ofVelocity() { return apart ? velocity : position; }

    bool load(double t, const double* q)
    {
        if (!evaluator.positionJacobian(t, q, positionValues.data())
            || (apart && !evaluator.jacobian(t, q, velocityValues.data()))) {
            message = evaluator.message();
            return false;
        }
        position.load(system->positionJacobianPlaces(), positionValues, usual.positions, usual.rows);
        if (apart)
            velocity.load(system->jacobianPlaces(), velocityValues, usual.moves, usual.rows);
        return true;
    }

    bool lostRank()
    {
        message = "the constraint matrix has lost rank: there is no basis of its kernel";
        return false;
    }

    void write(const double* lambda)
    {
        double* out = values.data();
        for (const Basis& b : bases) {
            const auto unit = [this, &b](Index column) {
                const bool ofPosition = b.kind == BasisKind::PositionKernel || b.kind == BasisKind::PositionGradients;
                return (ofPosition ? usual.positions : usual.moves)[static_cast<std::size_t>(column)];
            };
            if (b.kind == BasisKind::Multipliers) {
                if (lambda)
                    std::copy_n(lambda, b.entries.size(), out);
            } else if (b.kind == BasisKind::PositionGradients || b.kind == BasisKind::VelocityGradients) {
                const MatrixXd& W = (b.kind == BasisKind::PositionGradients ? position : ofVelocity()).matrix;
                for (Index i = 0; i < b.rows; ++i)
                    for (Index j = 0; j < b.columns; ++j)
                        out[i * b.columns + j] = W(i, j) * usual.rows[static_cast<std::size_t>(i)] / unit(j);
            } else {
                const MatrixXd& A = (b.kind == BasisKind::PositionKernel ? position : ofVelocity()).present;
                for (Index i = 0; i < b.rows; ++i)
                    for (Index j = 0; j < b.columns; ++j)
                        out[i * b.columns + j] = A(j, i) / unit(j); // a rate by its unit
            }
            out += b.entries.size();
        }
    }
};

BasisValues::BasisValues(std::shared_ptr<const model::CompiledSystem> system, const std::vector<Basis>& bases)
    : impl_(std::make_unique<Impl>(std::move(system), bases))
{
}
BasisValues::~BasisValues() = default;
BasisValues::BasisValues(const BasisValues& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
BasisValues::BasisValues(BasisValues&&) noexcept = default;
BasisValues& BasisValues::operator=(BasisValues&&) noexcept = default;

void BasisValues::setParameters(std::span<const double> values)
{
    impl_->evaluator.setParameters(values);
    impl_->usual = model::nominalScales(impl_->evaluator);
}
std::span<const double> BasisValues::values() const { return impl_->values; }
const std::string& BasisValues::message() const { return impl_->message; }

bool BasisValues::refresh(double t, const double* q, const double* lambda)
{
    Impl& d = *impl_;
    if (!d.kernels) {
        d.write(lambda);
        return true;
    }
    if (!d.load(t, q))
        return false;
    if (!d.position.refresh() || (d.apart && !d.velocity.refresh()))
        return d.lostRank();
    d.write(lambda);
    return true;
}

bool BasisValues::follow(double t, const double* q)
{
    Impl& d = *impl_;
    if (!d.load(t, q))
        return false;
    if (!d.position.follow() || (d.apart && !d.velocity.follow()))
        return d.lostRank();
    d.write(nullptr);
    return true;
}

void BasisValues::carry(const double* lambda)
{
    double* out = impl_->values.data();
    for (const Basis& b : impl_->bases) {
        if (b.kind == BasisKind::Multipliers)
            std::copy_n(lambda, b.entries.size(), out);
        out += b.entries.size();
    }
}

double BasisValues::kappa(double t, const double* q)
{
    Impl& d = *impl_;
    if (!d.kernels)
        return 1;
    if (!d.load(t, q))
        return std::numeric_limits<double>::infinity();
    const double k = d.position.kappa();
    return d.apart ? std::max(k, d.velocity.kappa()) : k;
}

} // namespace driftless::formulation
