#include "core/system/DependentVelocities.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/system/DependentRows.h"

namespace driftless::model {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kFreePlaces = kVelocityPlaces - 1; // where no constraint on positions guides a walk
constexpr double kApart = 0.37;              // [s] of the times of places, where no constraint on positions depends on the time
constexpr double kFreeFarthest = 1;          // of them from the start: a radian, or the largest coordinate in the same unit
constexpr double kNothingOfARow = 1e-13;     // round-off of a sine or cosine, beside the largest entry
constexpr double kShareOfCombination = 1e-6; // of the largest part in a combination

/// (dg/dq, dg/dt) or (a, b) of rows, each of length one, with columns of like size.
class VelocityRows {
public:
    static std::optional<VelocityRows> make(const ConstrainedSystem& system, std::span<const Constraint* const> rows)
    {
        VelocityRows out;
        const expr::Symbol time = *expr::time().symbol();
        std::vector<expr::Symbol> positions, velocities;
        expr::Substitution rest;
        for (const Coordinate& c : system.coordinates) {
            positions.push_back(c.q);
            velocities.push_back(c.v);
            rest.emplace(c.v, expr::Expr(0));
        }
        std::vector<expr::Expr> entries;
        const auto last = static_cast<Index>(positions.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool holonomic = rows[i]->holonomic;
            const std::vector<expr::Expr> one{rows[i]->g};
            for (const expr::JacobianEntry& entry : expr::sparseJacobian(one, holonomic ? positions : velocities)) {
                out.places_.push_back({static_cast<Index>(i), static_cast<Index>(entry.column)});
                entries.push_back(entry.value);
            }
            out.places_.push_back({static_cast<Index>(i), last});
            entries.push_back(holonomic ? expr::derivative(rows[i]->g, time) : expr::substitute(rows[i]->g, rest));
        }
        std::vector<std::vector<expr::Symbol>> banks(3);
        banks[0] = {time};
        banks[1] = std::move(positions);
        for (const Parameter& p : system.parameters)
            banks[2].push_back(p.symbol);
        auto tape = expr::Tape::compile(entries, std::move(banks));
        if (!tape)
            return std::nullopt; // over more than q, v, t and p
        out.tape_ = std::move(*tape);
        out.workspace_ = out.tape_.workspace();
        out.values_.resize(entries.size());
        out.rows_ = MatrixXd(static_cast<Index>(rows.size()), last + 1);
        return out;
    }

    /// Null where a value leaves its domain.
    const MatrixXd* at(double t, std::span<const double> q, std::span<const double> parameters)
    {
        if (!tape_.evaluate({&t, q.data(), parameters.data()}, values_.data(), workspace_))
            return nullptr;
        rows_.setZero();
        for (std::size_t k = 0; k < places_.size(); ++k)
            rows_(places_[k].row, places_[k].column) += values_[k];
        if (!rows_.allFinite())
            return nullptr;
        for (Index i = 0; i < rows_.rows(); ++i) { // the cosine of a right angle is none
            const double size = rows_.row(i).cwiseAbs().maxCoeff();
            rows_.row(i) = (rows_.row(i).array().abs() > kNothingOfARow * size).select(rows_.row(i), 0).eval();
        }
        for (Index j = 0; j < rows_.cols(); ++j)
            if (const double size = rows_.col(j).cwiseAbs().maxCoeff(); size > 0)
                rows_.col(j) /= size;
        for (Index i = 0; i < rows_.rows(); ++i)
            if (const double length = rows_.row(i).norm(); length > 0)
                rows_.row(i) /= length;
        return &rows_;
    }

private:
    struct Place {
        Index row, column;
    };
    std::vector<Place> places_;
    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
    std::vector<double> values_;
    MatrixXd rows_;
};

/// Rows in their order, each without its part along those before that are kept; of the others what is left alone.
class Orthogonal {
public:
    explicit Orthogonal(const MatrixXd& rows) : basis_(rows.cols(), std::min(rows.rows(), rows.cols())) {}

    /// What is left of the row; where `keeps`, the later ones are taken without it, too.
    double leftOf(const MatrixXd& rows, Index row, bool keeps)
    {
        VectorXd left = rows.row(row).transpose();
        for (int pass = 0; pass < 2; ++pass) // twice is enough
            left -= basis_.leftCols(count_) * (basis_.leftCols(count_).transpose() * left);
        const double length = left.norm();
        if (keeps && length > kDependentRow && count_ < basis_.cols())
            basis_.col(count_++) = left / length;
        return length;
    }

private:
    MatrixXd basis_;
    Index count_ = 0;
};

/// The others that take part in the combination.
std::vector<Index> followedOf(const MatrixXd& rows, const std::vector<Index>& others, Index row)
{
    MatrixXd basis(rows.cols(), static_cast<Index>(others.size()));
    for (std::size_t k = 0; k < others.size(); ++k)
        basis.col(static_cast<Index>(k)) = rows.row(others[k]).transpose();
    const VectorXd parts = basis.completeOrthogonalDecomposition().solve(rows.row(row).transpose());
    std::vector<Index> out;
    for (std::size_t k = 0; k < others.size(); ++k)
        if (std::abs(parts(static_cast<Index>(k))) > kShareOfCombination * parts.cwiseAbs().maxCoeff())
            out.push_back(others[k]);
    return out;
}

std::vector<VelocityPlace> freePlaces(const ConstrainedSystem& system, double t, std::span<const double> q)
{
    std::mt19937 generator{20261127}; // the same places in every run
    std::vector<VelocityPlace> out{{t, {q.begin(), q.end()}}};
    for (int k = 0; k < kFreePlaces; ++k) {
        std::vector<double> at(q.begin(), q.end());
        for (std::size_t j = 0; j < at.size(); ++j) {
            double size = 0;
            for (std::size_t other = 0; other < at.size(); ++other)
                if (system.coordinates[other].unit == system.coordinates[j].unit)
                    size = std::max(size, std::abs(q[other]));
            size = size == 0 || system.coordinates[j].unit == "rad" ? 1 : size;
            at[j] += kFreeFarthest * size * (2.0 * static_cast<double>(generator()) / std::mt19937::max() - 1);
        }
        out.push_back({t + kApart * (k + 1), std::move(at)});
    }
    return out;
}

std::vector<const Constraint*> pointersTo(const std::vector<Constraint>& rows)
{
    std::vector<const Constraint*> out;
    for (const Constraint& row : rows)
        out.push_back(&row);
    return out;
}

std::vector<const Constraint*> asideOf(const ConstrainedSystem& system)
{
    std::vector<const Constraint*> out;
    for (const Dependent& d : system.dependent)
        if (!d.constraint.holonomic)
            out.push_back(&d.constraint);
    return out;
}

/// Whether every row is independent of the others at this place.
bool independent(const MatrixXd& rows) { return RowRank(rows).rank(kDependentRow) == rows.rows(); }

} // namespace

std::vector<VelocityPlace> placesNear(const ConstrainedSystem& system, double t, std::span<const double> q,
                                      std::span<const double> parameters, int most)
{
    if (system.holonomic() == 0)
        return freePlaces(system, t, q);
    std::vector<const Constraint*> rows;
    bool timed = false;
    for (int i = 0; i < system.holonomic(); ++i) {
        rows.push_back(&system.constraints[static_cast<std::size_t>(i)]);
        timed = timed || expr::dependsOn(rows.back()->g, *expr::time().symbol());
    }
    auto numbers = ConstraintRows::make(system, rows, t, q, parameters);
    const auto start = numbers ? nearestPlace(*numbers, numbers->place(t, q)) : std::nullopt;
    if (!start)
        return {};
    std::vector<VelocityPlace> out;
    const auto add = [&](const ConstraintPlace& at) {
        VelocityPlace place{t, {q.begin(), q.end()}};
        numbers->unplace(at.x, place.q);
        place.t = timed ? numbers->timeOf(at.x) : t + kApart * static_cast<double>(out.size());
        out.push_back(std::move(place));
        return true;
    };
    add(*start);
    if (most > 1)
        walkPlaces(*numbers, *start, std::min(most - 1, placesFor(*numbers)),
                   [&](const ConstraintPlace& at, const ConstraintPlace& /*before*/) { return add(at); });
    return out;
}

void setAsideDependentVelocities(ConstrainedSystem& system)
{
    const auto m = static_cast<Index>(system.constraints.size());
    const Index holonomic = system.holonomic();
    if (m < 2 || m == holonomic)
        return;
    auto numbers = VelocityRows::make(system, pointersTo(system.constraints));
    if (!numbers)
        return;
    auto [q, parameters] = StatedPlace(system);
    const MatrixXd* first = numbers->at(0, q, parameters);
    if (first && independent(*first))
        return; // as most models are
    std::vector<MatrixXd> rows;
    for (const VelocityPlace& place : placesNear(system, 0, q, parameters, kVelocityPlaces))
        if (const MatrixXd* at = numbers->at(place.t, place.q, parameters))
            rows.push_back(*at);
    if (rows.size() < 2)
        return; // of one place nothing follows for others
    std::vector<Orthogonal> parts(rows.begin(), rows.end());
    std::vector<Index> kept, aside;
    for (Index i = 0; i < m; ++i) {
        const Constraint& row = system.constraints[static_cast<std::size_t>(i)];
        bool follows = i >= holonomic && !kept.empty() && !expr::dependsOn(row.g, *expr::time().symbol());
        for (std::size_t p = 0; p < rows.size() && follows; ++p)
            follows = parts[p].leftOf(rows[p], i, false) <= kDependentRow;
        for (std::size_t p = 0; p < rows.size() && !follows; ++p)
            (void)parts[p].leftOf(rows[p], i, true);
        (follows ? aside : kept).push_back(i);
    }
    if (aside.empty())
        return;
    std::vector<std::vector<Index>> origins;
    for (const Index i : aside)
        origins.push_back(followedOf(rows.front(), kept, i));
    moveAside(system, aside, origins);
}

bool velocitiesFollow(const ConstrainedSystem& system, const std::vector<VelocityPlace>& places,
                      std::span<const double> parameters)
{
    std::vector<const Constraint*> all = pointersTo(system.constraints);
    const auto kept = static_cast<Index>(all.size());
    for (const Constraint* row : asideOf(system))
        all.push_back(row);
    if (static_cast<Index>(all.size()) == kept)
        return true;
    auto numbers = VelocityRows::make(system, all);
    bool known = false;
    for (std::size_t k = 0; numbers && k < places.size(); ++k) {
        const MatrixXd* at = numbers->at(places[k].t, places[k].q, parameters);
        if (!at)
            continue; // beside the domain of a row
        known = true;
        Orthogonal parts(*at);
        for (Index i = 0; i < at->rows(); ++i)
            if (const double left = parts.leftOf(*at, i, i < kept); i >= kept && !(left <= kDependentRow))
                return false;
    }
    return known;
}

SetAsideVelocities::SetAsideVelocities(const ConstrainedSystem& system)
{
    std::vector<std::vector<expr::Symbol>> banks(4);
    banks[0] = {*expr::time().symbol()};
    for (const Coordinate& c : system.coordinates) {
        banks[1].push_back(c.q);
        banks[2].push_back(c.v);
    }
    for (const Parameter& p : system.parameters)
        banks[3].push_back(p.symbol);
    std::vector<expr::Expr> psi;
    for (const Constraint* row : asideOf(system))
        psi.push_back(row->g);
    if (psi.empty())
        return;
    std::vector<expr::Expr> all = psi;
    for (const expr::JacobianEntry& entry : expr::sparseJacobian(psi, banks[2])) {
        terms_.push_back({static_cast<std::size_t>(entry.row), static_cast<std::size_t>(entry.column)});
        all.push_back(entry.value);
    }
    if (auto tape = expr::Tape::compile(all, std::move(banks))) {
        tape_ = std::move(*tape);
        workspace_ = tape_.workspace();
        out_.resize(all.size());
        values_.resize(psi.size());
        shares_.resize(psi.size());
    }
}

bool SetAsideVelocities::evaluate(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<const double> parameters, std::span<const double> usual)
{
    if (!tape_.evaluate({&t, q.data(), v.data(), parameters.data()}, out_.data(), workspace_))
        return false;
    std::copy_n(out_.begin(), values_.size(), values_.begin());
    std::ranges::fill(shares_, 0.0);
    for (std::size_t k = 0; k < terms_.size(); ++k)
        shares_[terms_[k].row] = std::max(shares_[terms_[k].row], std::abs(out_[values_.size() + k]) * usual[terms_[k].column]);
    for (std::size_t i = 0; i < values_.size(); ++i)
        shares_[i] = shares_[i] > 0 ? std::abs(values_[i]) / shares_[i] : std::abs(values_[i]);
    return true;
}

} // namespace driftless::model
