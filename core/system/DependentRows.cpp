#include "core/system/DependentRows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/system/ConstraintWalk.h"
#include "core/system/DependentVelocities.h"

namespace driftless::model {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTies =
    1e-6; // weights that differ by less are equal but for round-off: then the later row of the file is taken
constexpr double kNoWeight = 1e-3;    // a set of rows with less in the null space would leave others that hardly differ
constexpr double kImplied = 1e-9;     // |g^| of a row that is met: the way back ends at 1e-11, times weights of some units
constexpr double kTakesPart = 1e-6;   // of the largest weight
constexpr double kExchangeWork = 2e7; // m k^4 for each place, beyond which the first choice stands
constexpr double kFarFromMet = 1e-6;  // along a smooth motion a residual grows by small powers of the way
constexpr std::size_t kNamed = 6;     // rows in a sentence

std::vector<const Constraint*> holonomicRows(const ConstrainedSystem& system)
{
    std::vector<const Constraint*> out;
    for (int i = 0; i < system.holonomic(); ++i)
        out.push_back(&system.constraints[static_cast<std::size_t>(i)]);
    return out;
}

/// Of a quaternion: no joint repeats it.
bool isNorm(const Constraint& row)
{
    return row.bodies.size() == 1 && row.joint == row.name && row.name == row.bodies.front() + ".norm";
}

/// Null spaces of G^T along the motion as projections N N^T, and the choice of rows with the largest weight in all of them.
/// Where all rows lose rank, no choice of them is good: places close to that count for less.
class Weights {
public:
    explicit Weights(std::vector<bool> allowed) : allowed_(std::move(allowed)) {}
    /// strength: of the rows there, against the place where they are furthest from dependent.
    void add(const MatrixXd& null, double strength) { projections_.push_back(null * null.transpose() / (strength * strength)); }

    /// At most k rows, ascending.
    std::vector<Index> choose(Index k) const
    {
        std::vector<Index> out;
        std::vector<MatrixXd> left = projections_; // what the rows taken leave of each: Schur complements
        while (static_cast<Index>(out.size()) < k) {
            Index best = -1;
            double most = kNoWeight * kNoWeight;
            for (Index i = 0; i < rows(); ++i) {
                double least = std::numeric_limits<double>::infinity();
                for (const MatrixXd& p : left)
                    least = std::min(least, p(i, i));
                if (allowed_[static_cast<std::size_t>(i)] && least > (1 - kTies) * most) {
                    most = std::max(most, least);
                    best = i;
                }
            }
            if (best < 0)
                break;
            out.push_back(best);
            for (MatrixXd& p : left) {
                const VectorXd column = p.col(best) / std::sqrt(p(best, best));
                p -= column * column.transpose();
            }
        }
        exchange(out);
        std::sort(out.begin(), out.end());
        return out;
    }

private:
    Index rows() const { return static_cast<Index>(allowed_.size()); }

    static MatrixXd part(const MatrixXd& whole, const std::vector<Index>& taken)
    {
        const auto k = static_cast<Index>(taken.size());
        MatrixXd out(k, k);
        for (Index i = 0; i < k; ++i)
            for (Index j = 0; j < k; ++j)
                out(i, j) = whole(taken[static_cast<std::size_t>(i)], taken[static_cast<std::size_t>(j)]);
        return out;
    }

    /// The smallest sigma_min(N_I)^2 of all places.
    double least(const std::vector<Index>& taken) const
    {
        double out = std::numeric_limits<double>::infinity();
        for (const MatrixXd& p : projections_)
            out =
                std::min(out, Eigen::SelfAdjointEigenSolver<MatrixXd>(part(p, taken), Eigen::EigenvaluesOnly).eigenvalues()(0));
        return out;
    }

    /// One row for another as long as the worst place gains by it.
    void exchange(std::vector<Index>& taken) const
    {
        const auto k = static_cast<double>(taken.size());
        if (taken.empty()
            || static_cast<double>(rows()) * k * k * k * k * static_cast<double>(projections_.size()) > kExchangeWork)
            return;
        double now = least(taken);
        for (bool better = true; better;) {
            better = false;
            for (Index& row : taken) {
                const Index before = row;
                Index best = before;
                for (Index i = 0; i < rows(); ++i) {
                    if (!allowed_[static_cast<std::size_t>(i)] || std::find(taken.begin(), taken.end(), i) != taken.end())
                        continue;
                    row = i;
                    const double then = least(taken);
                    row = before;
                    if (then > (1 + kTies) * now) {
                        now = then;
                        best = i;
                    }
                }
                row = best;
                better = better || best != before;
            }
        }
    }

    std::vector<bool> allowed_;
    std::vector<MatrixXd> projections_;
};

/// What the rows of `aside` follow from: a row with a part in W of G_aside = W G_kept, from N^T G = 0.
std::vector<std::vector<Index>> originsOf(const MatrixXd& null, const std::vector<Index>& aside)
{
    const auto k = static_cast<Index>(aside.size());
    const auto isAside = [&](Index i) { return std::find(aside.begin(), aside.end(), i) != aside.end(); };
    MatrixXd own(k, null.cols());
    for (Index i = 0; i < k; ++i)
        own.row(i) = null.row(aside[static_cast<std::size_t>(i)]);
    std::vector<std::vector<Index>> out(aside.size());
    if (k != null.cols()) // rows that stay in the way of one another are left: all that take part are named
        own = MatrixXd::Identity(k, k);
    const MatrixXd weights =
        k == null.cols() ? MatrixXd(null * own.partialPivLu().inverse()) : MatrixXd(null.rowwise().norm().replicate(1, k));
    for (Index j = 0; j < k; ++j)
        for (Index i = 0; i < null.rows(); ++i)
            if (!isAside(i) && std::abs(weights(i, j)) > kTakesPart * weights.col(j).cwiseAbs().maxCoeff())
                out[static_cast<std::size_t>(j)].push_back(i);
    return out;
}

/// The places of a walk at which as few rows depend on others as anywhere.
struct Explored {
    std::vector<MatrixXd> null;
    std::vector<double> strength; ///< the smallest pivot of all rows, against that of the best place
    Index dependent = 0;
};

Explored explore(ConstraintRows& rows, const ConstraintPlace& start)
{
    Explored out;
    std::vector<ConstraintPlace> places{start};
    walkPlaces(rows, start, placesFor(rows), [&](const ConstraintPlace& at, const ConstraintPlace& /*before*/) {
        places.push_back(at);
        return at.rank < rows.rows(); // a start where rows depend that are independent beside it: nothing to set aside
    });
    if (places.size() == 1 && start.rank < rows.columns())
        return out; // it could move but for what its rows demand in second order: no place beside it tells which are implied
    Index rank = 0;
    for (const ConstraintPlace& at : places)
        rank = std::max(rank, at.rank);
    out.dependent = rows.rows() - rank;
    for (const ConstraintPlace& at : places)
        if (at.rank == rank && out.dependent > 0) {
            out.null.push_back(at.rows.leftNull(rank));
            out.strength.push_back(at.rows.weakest(rank));
        }
    const double most = out.strength.empty() ? 1 : *std::ranges::max_element(out.strength);
    for (double& strength : out.strength)
        strength /= most;
    return out;
}

/// Close to where all rows lose rank a step with those kept may lead to a branch of their own: the others are met half way,
/// and far from met at its end. What contradicts them does so all along the step.
bool onAnotherBranch(ConstraintRows& rows, const ConstraintPlace& at, const ConstraintPlace& before)
{
    const VectorXd step = at.x - before.x;
    if (!(rows.others(at.x) > kFarFromMet) || step.isZero(0))
        return false;
    const auto half = placeBeside(rows, before.x + 0.5 * step, before.rank);
    return half && (half->x - before.x).norm() < step.norm() && rows.others(half->x) <= kImplied;
}

/// Of those on positions.
void setAsidePositions(ConstrainedSystem& system)
{
    if (system.holonomic() < 2)
        return;
    auto [q, parameters] = StatedPlace(system);
    const auto rows = holonomicRows(system);
    auto numbers = ConstraintRows::make(system, rows, 0, q, parameters);
    if (!numbers)
        return;
    const auto start = nearestPlace(*numbers, numbers->place(0, q));
    if (!start || start->rank == numbers->rows())
        return; // contradictions and starts far away are told by those who make the start consistent
    const Explored seen = explore(*numbers, *start);
    if (seen.dependent == 0)
        return;
    std::vector<bool> allowed;
    for (const Constraint* row : rows)
        allowed.push_back(!isNorm(*row) && !expr::dependsOn(row->g, *expr::time().symbol()));
    Weights weights(std::move(allowed));
    for (std::size_t k = 0; k < seen.null.size(); ++k)
        weights.add(seen.null[k], seen.strength[k]);
    const std::vector<Index> aside = weights.choose(seen.dependent);
    if (aside.empty())
        return;
    ConstrainedSystem changed = system;
    moveAside(changed, aside, originsOf(seen.null.front(), aside));
    numbers->unplace(start->x, q);
    if (walkSetAside(changed, 0, q, parameters).holds)
        system = std::move(changed);
}

} // namespace

void moveAside(ConstrainedSystem& system, const std::vector<Index>& aside, const std::vector<std::vector<Index>>& origins)
{
    expr::Substitution zero;
    for (std::size_t k = 0; k < aside.size(); ++k) {
        Dependent found{system.constraints[static_cast<std::size_t>(aside[k])], {}};
        for (const Index i : origins[k])
            found.follows.push_back(system.constraints[static_cast<std::size_t>(i)].name);
        zero.emplace(found.constraint.multiplier, expr::Expr(0));
        system.dependent.push_back(std::move(found));
    }
    for (std::size_t k = aside.size(); k-- > 0;)
        system.constraints.erase(system.constraints.begin() + static_cast<std::ptrdiff_t>(aside[k]));
    system.power = expr::substitute(system.power, zero);
    for (Output& output : system.outputs)
        output.value = expr::substitute(output.value, zero);
    for (ForceArrow& a : system.arrows)
        for (expr::Expr* part : {&a.force.x, &a.force.y, &a.force.z})
            *part = expr::substitute(*part, zero);
}

void setAsideDependent(ConstrainedSystem& system)
{
    if (system.n() > kMostSetAside || !system.plainRates() || !system.values.empty())
        return;
    setAsidePositions(system);
    setAsideDependentVelocities(system);
}

SetAsideWalk walkSetAside(const ConstrainedSystem& system, double t, std::span<const double> q,
                          std::span<const double> parameters)
{
    SetAsideWalk out;
    auto rows = holonomicRows(system);
    const auto kept = static_cast<Index>(rows.size());
    const bool ofVelocities = std::ranges::any_of(system.dependent, [](const Dependent& d) { return !d.constraint.holonomic; });
    for (const Dependent& d : system.dependent)
        if (d.constraint.holonomic)
            rows.push_back(&d.constraint);
    if (rows.empty()) { // nothing guides a walk
        const auto places = placesNear(system, t, q, parameters, kVelocityPlaces);
        out.places = static_cast<int>(places.size());
        out.holds = out.independent = velocitiesFollow(system, places, parameters);
        return out;
    }
    auto numbers = ConstraintRows::make(system, rows, t, q, parameters);
    if (!numbers)
        return out;
    out.scale.assign(numbers->scale().begin(), numbers->scale().end());
    numbers->bindFirst(kept);
    const auto start = nearestPlace(*numbers, numbers->place(t, q));
    if (!start)
        return out;
    out.moves = start->rank < numbers->columns();
    out.holds = out.independent = true;
    const auto judge = [&](ConstraintPlace& at, const ConstraintPlace& before) {
        if (onAnotherBranch(*numbers, at, before)) {
            at = before;
            return true;
        }
        ++out.places;
        const double others = numbers->others(at.x);
        out.residual = std::max(out.residual, others);
        out.weakest = std::min(out.weakest, at.rows.weakest(at.rank));
        out.independent = out.independent && at.rank == kept;
        out.holds = others <= kImplied;
        return out.holds;
    };
    ConstraintPlace first = *start;
    if (judge(first, *start))
        walkPlaces(*numbers, *start, placesFor(*numbers), judge);
    out.holds =
        out.holds && (!out.moves || out.places > 1)
        && (!ofVelocities || velocitiesFollow(system, placesNear(system, t, q, parameters, kVelocityPlaces), parameters));
    return out;
}

std::optional<RankThere> rankThere(const ConstrainedSystem& system, double t, std::span<const double> q,
                                   std::span<const double> parameters)
{
    auto rows = holonomicRows(system);
    const auto kept = static_cast<Index>(rows.size());
    for (const Dependent& d : system.dependent)
        if (d.constraint.holonomic)
            rows.push_back(&d.constraint);
    auto numbers = ConstraintRows::make(system, rows, t, q, parameters);
    if (!numbers || kept == 0 || kept > numbers->columns())
        return std::nullopt;
    RankThere out;
    VectorXd g;
    MatrixXd G;
    for (double* ratio : {&out.all, &out.kept}) {
        if (!numbers->evaluate(numbers->place(t, q), g, G))
            return std::nullopt;
        *ratio = RowRank(G).weakest(kept);
        numbers->bindFirst(kept);
    }
    return out;
}

SetAsideRows::SetAsideRows(const ConstrainedSystem& system)
{
    std::vector<expr::Expr> g;
    for (const Dependent& d : system.dependent)
        if (d.constraint.holonomic)
            g.push_back(d.constraint.g);
    if (g.empty())
        return;
    std::vector<std::vector<expr::Symbol>> banks(3);
    banks[0] = {*expr::time().symbol()};
    for (const Coordinate& c : system.coordinates)
        banks[1].push_back(c.q);
    for (const Parameter& p : system.parameters)
        banks[2].push_back(p.symbol);
    if (auto tape = expr::Tape::compile(g, std::move(banks))) {
        tape_ = std::move(*tape);
        workspace_ = tape_.workspace();
        values_.resize(g.size());
    }
}

bool SetAsideRows::evaluate(double t, std::span<const double> q, std::span<const double> parameters)
{
    return tape_.evaluate({&t, q.data(), parameters.data()}, values_.data(), workspace_);
}

std::string sentence(const Dependent& dependent)
{
    const auto& from = dependent.follows;
    if (from.empty())
        return dependent.constraint.name + " is met anywhere";
    std::string text = dependent.constraint.name + " follows from " + from.front();
    for (std::size_t i = 1; i < std::min(kNamed, from.size()); ++i)
        text += (i + 1 == from.size() ? " and " : ", ") + from[i];
    return from.size() > kNamed ? text + " and " + std::to_string(from.size() - kNamed) + " more" : text;
}

} // namespace driftless::model
