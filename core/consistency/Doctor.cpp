#include "core/consistency/Doctor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/Index.h"
#include "core/consistency/SaddlePoint.h"
#include "core/solve/DenseDecompositions.h"
#include "core/solve/SparseElimination.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rank decisions on the triangular factor of a column-pivoted factorisation.
constexpr double kRankTolerance = 1e3 * std::numeric_limits<double>::epsilon();
/// Coordinates and rows together: beyond, ranks are those of a sparse elimination.
constexpr int kDenseMost = 400;
/// Its pivots grow where those of an orthogonal factorisation do not.
constexpr double kSparseTolerance = 1e-12;
constexpr std::size_t kMostExplained = 24; ///< redundant rows of a large system whose dependent sets are found
constexpr std::size_t kMostNamed = 24;     ///< rows in a sentence
/// A row takes part in a combination when its coefficient is above the round-off of a solve.
constexpr double kPart = 1e-9;

MatrixXd dense(std::span<const solve::MatrixPlace> places, const std::vector<double>& values, int rows, int columns)
{
    MatrixXd out = MatrixXd::Zero(rows, columns);
    for (std::size_t k = 0; k < places.size(); ++k)
        out(places[k].row, places[k].column) = values[k];
    return out;
}

Index rankOf(const Eigen::ColPivHouseholderQR<MatrixXd>& qr, Index most)
{
    Index rank = 0;
    while (rank < most && std::abs(qr.matrixR()(rank, rank)) > kRankTolerance * std::abs(qr.matrixR()(0, 0)))
        ++rank;
    return rank;
}

double maxNorm(const std::vector<double>& x)
{
    double norm = 0;
    for (const double value : x)
        norm = std::max(norm, std::abs(value));
    return norm;
}

class Doctor {
public:
    Doctor(std::shared_ptr<const model::CompiledSystem> system, std::span<const double> parameters, const Request& request)
        : system_(system), evaluator_(system), solver_(system), request_(request)
    {
        evaluator_.setParameters(parameters);
        solver_.setParameters(parameters);
    }

    Diagnosis run()
    {
        takeBefore();
        if (auto solved = solver_.solve(request_))
            out_.after = solved->state;
        else
            out_.conflict = solved.error();
        judge(out_.after, &LevelResidual::after);
        rank();
        fillValues();
        return std::move(out_);
    }

private:
    const model::ConstrainedSystem& model() const { return system_->system(); }

    void takeBefore()
    {
        model::ModelState& s = out_.before;
        s.resize(system_->n(), system_->w());
        s.t = request_.t;
        s.q = request_.q;
        s.v = request_.v;
        std::copy_n(request_.lambda.begin(), std::min(request_.lambda.size(), s.lambda.size()), s.lambda.begin());
        solver_.accelerationsFor(s.t, s.q.data(), s.v.data(), s.lambda.data(), s.a.data());
        judge(s, &LevelResidual::before);
        out_.after = s;
    }

    void judge(const model::ModelState& s, double LevelResidual::*side)
    {
        std::vector<double> g(static_cast<std::size_t>(system_->holonomic())), rows(static_cast<std::size_t>(system_->m()));
        std::vector<double> values(system_->jacobianPlaces().size());
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        out_.position.*side = evaluator_.constraints(s.t, s.q.data(), g.data()) ? maxNorm(g) : unknown;
        out_.velocity.*side = evaluator_.constraintRates(s.t, s.q.data(), s.v.data(), rows.data()) ? maxNorm(rows) : unknown;
        const bool ok =
            evaluator_.gamma(s.t, s.q.data(), s.v.data(), rows.data()) && evaluator_.jacobian(s.t, s.q.data(), values.data());
        const auto places = system_->jacobianPlaces();
        for (std::size_t k = 0; ok && k < places.size(); ++k)
            rows[static_cast<std::size_t>(places[k].row)] += values[k] * s.a[static_cast<std::size_t>(places[k].column)];
        out_.acceleration.*side = ok ? maxNorm(rows) : unknown;
    }

    /// Freedom, a well-conditioned independent set, and what depends on what, at the corrected position.
    void rank()
    {
        const model::ModelState& s = out_.after;
        const int n = system_->n(), m = system_->m(), h = system_->holonomic();
        out_.positionFreedom = out_.velocityFreedom = n;
        for (int i = 0; i < n; ++i)
            out_.independent.push_back(i);
        std::vector<double> values(system_->jacobianPlaces().size()), positionValues(system_->positionJacobianPlaces().size());
        if (m == 0 || !evaluator_.jacobian(s.t, s.q.data(), values.data())
            || !evaluator_.positionJacobian(s.t, s.q.data(), positionValues.data()))
            return;
        const model::NominalScales usual =
            model::nominalScales(evaluator_); // ranks are judged in nominal sizes, whatever the units
        const auto scale = [&usual](std::span<const solve::MatrixPlace> places, const std::vector<double>& sizes,
                                    std::vector<double>& entries) {
            for (std::size_t k = 0; k < entries.size(); ++k)
                entries[k] *=
                    sizes[static_cast<std::size_t>(places[k].column)] / usual.rows[static_cast<std::size_t>(places[k].row)];
        };
        scale(system_->jacobianPlaces(), usual.moves, values);
        scale(system_->positionJacobianPlaces(), usual.positions, positionValues);
        if (n + m > kDenseMost)
            return rankSparse(values, positionValues);
        const MatrixXd W = dense(system_->jacobianPlaces(), values, m, n);
        if (h > 0) {
            const MatrixXd G = dense(system_->positionJacobianPlaces(), positionValues, h, n);
            out_.positionFreedom = n - static_cast<int>(rankOf(Eigen::ColPivHouseholderQR<MatrixXd>(G), std::min(h, n)));
        }
        const Eigen::ColPivHouseholderQR<MatrixXd> columns(W);
        const Index rank = rankOf(columns, std::min(m, n));
        out_.velocityFreedom = n - static_cast<int>(rank);
        out_.independent.clear();
        for (Index k = rank; k < n; ++k)
            out_.independent.push_back(static_cast<int>(columns.colsPermutation().indices()(k)));
        std::sort(out_.independent.begin(), out_.independent.end());
        if (rank > 0) {
            const MatrixXd pivots = columns.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
            // Of square matrices and without Eigen's preconditioner, which frees what it holds twice where memory is refused;
            // the largest singular value is exact to round-off as the root of an eigenvalue, too.
            const VectorXd singular = Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner>(pivots).singularValues();
            const MatrixXd gram = W * W.transpose();
            out_.kappa = std::sqrt(Eigen::SelfAdjointEigenSolver<MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues()(m - 1))
                         / singular(rank - 1);
        }
        if (rank < m)
            findRedundant(W, rank);
    }

    /// The same by elimination, with row pivots: the coordinates that no constraint took are independent. kappa is not known.
    void rankSparse(const std::vector<double>& values, const std::vector<double>& positionValues)
    {
        const int n = system_->n(), m = system_->m(), h = system_->holonomic();
        const auto eliminated = [n](std::span<const solve::MatrixPlace> places, const std::vector<double>& entries, int rows) {
            std::vector<solve::MatrixPlace> transposed;
            for (const auto& p : places)
                transposed.push_back({p.column, p.row});
            solve::SparseElimination out;
            out.eliminate(n, rows, transposed, entries, kSparseTolerance);
            return out;
        };
        out_.positionFreedom =
            n - h
            + static_cast<int>(eliminated(system_->positionJacobianPlaces(), positionValues, h).dependentColumns().size());
        const auto all = eliminated(system_->jacobianPlaces(), values, m);
        const std::vector<int> dependent = all.dependentColumns();
        out_.velocityFreedom = n - m + static_cast<int>(dependent.size());
        std::vector<bool> taken(static_cast<std::size_t>(n), false);
        for (const int row : all.pivotRows())
            if (row >= 0)
                taken[static_cast<std::size_t>(row)] = true;
        std::erase_if(out_.independent, [&](int i) { return taken[static_cast<std::size_t>(i)]; });
        out_.kappa = std::numeric_limits<double>::quiet_NaN();
        if (!dependent.empty())
            explainSparse(values, dependent);
    }

    /// The parts x of the other rows B in row w: w = B^T x by least squares, from [I B^T; B 0].
    void explainSparse(const std::vector<double>& values, const std::vector<int>& dependent)
    {
        const int n = system_->n(), m = system_->m();
        std::vector<int> place(static_cast<std::size_t>(m), 0), basis;
        for (const int row : dependent)
            place[static_cast<std::size_t>(row)] = -1;
        for (int i = 0; i < m; ++i)
            if (place[static_cast<std::size_t>(i)] == 0) {
                place[static_cast<std::size_t>(i)] = static_cast<int>(basis.size());
                basis.push_back(i);
            }
        std::vector<solve::MatrixPlace> places;
        std::vector<double> entries;
        const auto all = system_->jacobianPlaces();
        for (std::size_t k = 0; k < all.size(); ++k)
            if (const int row = place[static_cast<std::size_t>(all[k].row)]; row >= 0) {
                places.push_back({row, all[k].column});
                entries.push_back(values[k]);
            }
        const int rank = static_cast<int>(basis.size());
        SaddlePoint saddle(n, rank, {}, places);
        const bool solves = saddle.factor(entries, nullptr);
        for (const int row : dependent) {
            Redundancy found;
            found.constraint = row;
            found.traced = solves && out_.redundant.size() < kMostExplained;
            if (found.traced) {
                VectorXd x = VectorXd::Zero(n + rank);
                for (std::size_t k = 0; k < all.size(); ++k)
                    if (all[k].row == row)
                        x(all[k].column) += values[k];
                const bool vanishes = x.isZero(0);
                saddle.solve(x.data());
                const auto parts = x.tail(rank);
                const double least = kPart * (1 + (rank > 0 ? parts.cwiseAbs().maxCoeff() : 0));
                for (int j = 0; j < rank && !vanishes; ++j)
                    if (std::abs(parts(j)) > least)
                        found.dependsOn.push_back(basis[static_cast<std::size_t>(j)]);
            }
            found.text = sentence(rowOf(model(), found));
            out_.redundant.push_back(std::move(found));
        }
    }

    void findRedundant(const MatrixXd& W, Index rank)
    {
        const Eigen::ColPivHouseholderQR<MatrixXd> rows(W.transpose());
        const auto order = rows.colsPermutation().indices();
        MatrixXd basis(W.cols(), rank);
        for (Index k = 0; k < rank; ++k)
            basis.col(k) = W.row(order(k)).transpose();
        std::optional<Eigen::ColPivHouseholderQR<MatrixXd>> solver; // none where every gradient vanishes
        if (rank > 0)
            solver.emplace(basis);
        for (Index k = rank; k < W.rows(); ++k) {
            Redundancy found;
            found.constraint = order(k);
            const VectorXd parts = solver ? solve::solution(*solver, W.row(order(k)).transpose()) : VectorXd();
            for (Index j = 0; j < rank; ++j)
                if (std::abs(parts(j)) > kPart * (1 + parts.cwiseAbs().maxCoeff()))
                    found.dependsOn.push_back(order(j));
            std::sort(found.dependsOn.begin(), found.dependsOn.end());
            found.text = sentence(rowOf(model(), found));
            out_.redundant.push_back(std::move(found));
        }
        std::sort(out_.redundant.begin(), out_.redundant.end(),
                  [](const auto& a, const auto& b) { return a.constraint < b.constraint; });
    }

    void fillValues()
    {
        const auto& coordinates = model().coordinates;
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            const model::Coordinate& c = coordinates[i];
            out_.positions.push_back({c.name, c.unit, out_.before.q[i], out_.after.q[i], request_.qFixed[i]});
            out_.velocities.push_back(
                {c.velocity.name, c.velocity.unit, out_.before.v[i], out_.after.v[i], request_.vFixed[i]});
        }
        const auto symbols = model().wSymbols();
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            const bool dynamic = i >= model().constraints.size() && i < model().constraints.size() + model().dynamics.size();
            out_.forces.push_back({symbols[i].name, "", out_.before.lambda[i], out_.after.lambda[i], dynamic});
        }
    }

    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator evaluator_;
    ConsistencySolver solver_;
    const Request& request_;
    Diagnosis out_;
};

} // namespace

RedundantRow rowOf(const model::ConstrainedSystem& system, const Redundancy& redundancy)
{
    const auto& constraint = system.constraints[at(redundancy.constraint)];
    RedundantRow out{.name = constraint.name, .bodies = constraint.bodies, .follows = std::nullopt};
    if (!redundancy.traced)
        return out;
    out.follows.emplace();
    for (const int row : redundancy.dependsOn)
        out.follows->push_back(system.constraints[at(row)].name);
    return out;
}

std::string sentence(const RedundantRow& row)
{
    std::string out = row.name;
    for (std::size_t b = 0; b < row.bodies.size(); ++b)
        out += (b == 0 ? " (between " : " and ") + row.bodies[b] + (b + 1 == row.bodies.size() ? ")" : "");
    if (!row.follows)
        return out + " follows from others";
    const std::vector<std::string>& from = *row.follows;
    if (from.empty())
        return out + " binds nothing here: its gradient vanishes";
    out += " follows from ";
    for (std::size_t j = 0; j < std::min(from.size(), kMostNamed); ++j) {
        const std::string between = j + 1 == from.size() ? " and " : ", ";
        out += (j == 0 ? "" : between) + from[j];
    }
    return from.size() > kMostNamed ? out + " and " + std::to_string(from.size() - kMostNamed) + " more" : out;
}

Diagnosis diagnose(std::shared_ptr<const model::CompiledSystem> system, std::span<const double> parameters,
                   const Request& request)
{
    return Doctor(std::move(system), parameters, request).run();
}

} // namespace driftless::consistency
