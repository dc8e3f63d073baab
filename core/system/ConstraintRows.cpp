#include "core/system/ConstraintRows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::model {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoPart = 1e-10;   // of what it is beside: a smaller one is round-off of an angle's sine or cosine
constexpr double kSmallPart = 0.03; // of what it is beside
constexpr double kAway = 0.25;      // of the largest coordinate in the same unit; of a radian

double median(std::vector<double>& x)
{
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    std::nth_element(x.begin(), middle, x.end());
    return *middle;
}

/// The median over the rows that mix unit u with units whose scale is known; 0 where there are none.
double scaleBeside(const MatrixXd& parts, const std::vector<double>& scale, std::size_t u)
{
    std::vector<double> ratios;
    for (Index i = 0; i < parts.rows(); ++i) {
        double known = 0;
        for (std::size_t k = 0; k < scale.size(); ++k)
            known = std::hypot(known, scale[k] * parts(i, static_cast<Index>(k)));
        if (const double part = parts(i, static_cast<Index>(u)); part > 0 && known > 0)
            ratios.push_back(known / part);
    }
    return ratios.empty() ? 0 : median(ratios);
}

/// A place where what vanishes at x does not, as a rule.
VectorXd placeBeside(const ConstrainedSystem& system, VectorXd x)
{
    const VectorXd at = x;
    for (Index j = 0; j < static_cast<Index>(system.coordinates.size()); ++j) {
        const std::string& unit = system.coordinates[static_cast<std::size_t>(j)].unit;
        double size = 0;
        for (Index k = 0; k < static_cast<Index>(system.coordinates.size()); ++k)
            if (system.coordinates[static_cast<std::size_t>(k)].unit == unit)
                size = std::max(size, std::abs(at(k)));
        size = size == 0 || unit == "rad" || unit.empty() || unit == "1" ? 1 : size;
        x(j) += kAway * size * (1 + 0.37 * static_cast<double>(j % 5)) * (j % 2 == 0 ? 1 : -1);
    }
    return x;
}

} // namespace

StatedPlace::StatedPlace(const ConstrainedSystem& system)
{
    for (const Coordinate& c : system.coordinates)
        q.push_back(c.position.value);
    for (const Parameter& p : system.parameters)
        parameters.push_back(p.quantity.value);
}

std::optional<ConstraintRows> ConstraintRows::make(const ConstrainedSystem& system, std::span<const Constraint* const> rows,
                                                   double t, std::span<const double> q, std::span<const double> parameters)
{
    ConstraintRows out;
    const expr::Symbol time = *expr::time().symbol();
    std::vector<expr::Expr> g;
    for (const Constraint* row : rows) {
        g.push_back(row->g);
        out.moving_ = out.moving_ || expr::dependsOn(row->g, time);
    }
    std::vector<std::vector<expr::Symbol>> banks(3);
    banks[0] = {time};
    for (const Coordinate& c : system.coordinates)
        banks[1].push_back(c.q);
    for (const Parameter& p : system.parameters)
        banks[2].push_back(p.symbol);
    std::vector<expr::Symbol> columns = banks[1];
    if (out.moving_)
        columns.push_back(time);
    for (const expr::JacobianEntry& entry : expr::sparseJacobian(std::vector<expr::Expr>(g), columns)) {
        out.places_.push_back({entry.row, entry.column});
        g.push_back(entry.value);
    }
    auto tape = expr::Tape::compile(g, std::move(banks));
    if (!tape)
        return std::nullopt;
    out.tape_ = std::move(*tape);
    out.workspace_ = out.tape_.workspace();
    out.parameters_.assign(parameters.begin(), parameters.end());
    out.q_.resize(q.size());
    out.out_.resize(g.size());
    out.t_ = t;
    out.unit_ = VectorXd::Ones(static_cast<Index>(columns.size()));
    out.scale_ = VectorXd::Ones(static_cast<Index>(rows.size()));
    out.bound_ = out.scale_.size();
    VectorXd value;
    MatrixXd G, beside;
    if (!out.raw(out.place(t, q), value, G))
        return std::nullopt;
    if (!out.raw(placeBeside(system, out.place(t, q)), value, beside))
        beside = G;
    // Of each entry that is not round-off. A row is compared with itself alone: others may have another unit.
    for (Index i = 0; i < G.rows(); ++i)
        for (Index j = 0; j < G.cols(); ++j)
            if (std::abs(G(i, j)) <= kNoPart * std::abs(beside(i, j)))
                G(i, j) = 0;
    // A part that happens to be small here, as of a link that is all but upright, says nothing of the size of its coordinate.
    out.scaleUnits(system, (G.cwiseAbs().array() > kSmallPart * beside.cwiseAbs().array()).select(G, 0), q);
    out.scale_ = (G * out.unit_.asDiagonal()).rowwise().norm();
    const VectorXd there = (beside * out.unit_.asDiagonal()).rowwise().norm();
    for (Index i = 0; i < out.scale_.size(); ++i)
        if (double& s = out.scale_(i); !(s > kNoPart * there(i))) // binds nothing here
            s = there(i) > 0 ? there(i) : 1;
    return out;
}

void ConstraintRows::scaleUnits(const ConstrainedSystem& system, const MatrixXd& G, std::span<const double> q)
{
    std::vector<std::string> units;
    std::vector<std::size_t> of;
    const auto enter = [&](const std::string& unit) {
        const auto at = std::find(units.begin(), units.end(), unit);
        of.push_back(static_cast<std::size_t>(at - units.begin()));
        if (at == units.end())
            units.push_back(unit);
    };
    for (const Coordinate& c : system.coordinates)
        enter(c.unit);
    if (moving_)
        enter("time");
    MatrixXd parts = MatrixXd::Zero(rows(), static_cast<Index>(units.size())); // length of each row's part in a unit
    for (Index j = 0; j < columns(); ++j)
        parts.col(static_cast<Index>(of[static_cast<std::size_t>(j)])) += G.col(j).cwiseAbs2();
    parts = parts.cwiseSqrt();
    for (Index u = 0; u < parts.cols() && rows() > 0; ++u) // round-off of constants
        parts.col(u) = (parts.col(u).array() > kNoPart * parts.col(u).maxCoeff()).select(parts.col(u), 0).eval();
    // From one unit of a group to the others that rows mix with it. What no row mixes has a group, and an extent, of its own.
    std::vector<double> scale(units.size(), 0);
    std::vector<std::size_t> group(units.size(), 0);
    for (std::size_t first = 0; first < units.size(); ++first) {
        if (scale[first] != 0)
            continue;
        scale[first] = 1;
        group[first] = first;
        for (bool found = true; found;) {
            found = false;
            for (std::size_t u = 0; u < units.size(); ++u)
                if (scale[u] == 0)
                    if (const double s = scaleBeside(parts, scale, u); s > 0) {
                        scale[u] = s;
                        group[u] = first;
                        found = true;
                    }
        }
    }
    std::vector<double> extent(units.size(), 0);
    for (Index j = 0; j < columns(); ++j) {
        const std::size_t u = of[static_cast<std::size_t>(j)];
        unit_(j) = scale[u];
        if (j < static_cast<Index>(q.size()))
            extent[group[u]] = std::max(extent[group[u]], std::abs(q[static_cast<std::size_t>(j)]) / unit_(j));
    }
    for (Index j = 0; j < columns(); ++j)
        if (const double size = extent[group[of[static_cast<std::size_t>(j)]]]; size > 0)
            unit_(j) *= size;
}

VectorXd ConstraintRows::place(double t, std::span<const double> q) const
{
    VectorXd x(columns());
    for (std::size_t i = 0; i < q.size(); ++i)
        x(static_cast<Index>(i)) = q[i] / unit_(static_cast<Index>(i));
    if (moving_)
        x(columns() - 1) = t / unit_(columns() - 1);
    return x;
}

void ConstraintRows::unplace(const VectorXd& x, std::span<double> q) const
{
    for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = x(static_cast<Index>(i)) * unit_(static_cast<Index>(i));
}

bool ConstraintRows::raw(const VectorXd& x, VectorXd& g, MatrixXd& G)
{
    unplace(x, q_);
    const double t = timeOf(x);
    if (!tape_.evaluate({&t, q_.data(), parameters_.data()}, out_.data(), workspace_))
        return false;
    g = Eigen::Map<const VectorXd>(out_.data(), scale_.size());
    G = MatrixXd::Zero(rows(), columns());
    for (std::size_t k = 0; k < places_.size(); ++k)
        if (places_[k].row < rows())
            G(places_[k].row, places_[k].column) = out_[static_cast<std::size_t>(scale_.size()) + k];
    return true;
}

bool ConstraintRows::evaluate(const VectorXd& x, VectorXd& g, MatrixXd& G)
{
    if (!raw(x, g, G))
        return false;
    g = g.head(rows()).cwiseQuotient(scale_.head(rows())).eval();
    G = (scale_.head(rows()).cwiseInverse().asDiagonal() * G * unit_.asDiagonal()).eval();
    return true;
}

double ConstraintRows::others(const VectorXd& x)
{
    VectorXd g;
    MatrixXd G;
    const Index rest = scale_.size() - rows();
    if (rest == 0)
        return 0;
    if (!raw(x, g, G))
        return std::numeric_limits<double>::quiet_NaN();
    return g.tail(rest).cwiseQuotient(scale_.tail(rest)).lpNorm<Eigen::Infinity>();
}

Index RowRank::rank(double tolerance) const
{
    const Index most = std::min(qr_.rows(), qr_.cols());
    Index rank = 0;
    while (rank < most && std::abs(qr_.matrixR()(rank, rank)) > tolerance * std::abs(qr_.matrixR()(0, 0)))
        ++rank;
    return rank;
}

double RowRank::weakest(Index rank) const
{
    return rank > 0 ? std::abs(qr_.matrixR()(rank - 1, rank - 1)) / std::abs(qr_.matrixR()(0, 0)) : 1;
}

VectorXd RowRank::smallest(const VectorXd& g, Index rank) const
{
    VectorXd y(rank);
    for (Index k = 0; k < rank; ++k)
        y(k) = g(qr_.colsPermutation().indices()(k));
    qr_.matrixR().topLeftCorner(rank, rank).transpose().triangularView<Eigen::Lower>().solveInPlace(y);
    VectorXd out = VectorXd::Zero(qr_.rows());
    out.head(rank) = y;
    solve::applyQ(qr_, out);
    return out;
}

VectorXd RowRank::along(const VectorXd& direction, Index rank) const
{
    VectorXd out = direction;
    solve::applyQTransposed(qr_, out);
    out.head(rank).setZero();
    solve::applyQ(qr_, out);
    return out;
}

MatrixXd RowRank::leftNull(Index rank) const
{
    const auto& order = qr_.colsPermutation().indices();
    const Index m = qr_.cols(), k = m - rank;
    MatrixXd weights = qr_.matrixR().topRightCorner(rank, m).rightCols(k);
    qr_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(weights);
    MatrixXd null = MatrixXd::Zero(m, k);
    for (Index i = 0; i < rank; ++i)
        null.row(order(i)) = -weights.row(i);
    for (Index i = rank; i < m; ++i)
        null(order(i), i - rank) = 1;
    return solve::orthonormalised(null);
}

} // namespace driftless::model
