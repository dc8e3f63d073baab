#include "core/system/Misfit.h"

#include <algorithm>

#include "core/system/ConstraintWalk.h"
#include "core/system/DependentRows.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostSteps = 40;
constexpr double kSettled = 1e-12;  // of x^: the way to where the stronger rows are met has ended
constexpr double kMetRows = 2e-11;  // |g^| of a place that meets all rows
constexpr double kRedundant = 1e-9; // along the motion: these rows are redundant and no misfits (DependentRows.cpp)
constexpr double kNearlyMet = 0.1;  // of what the rows are off by at most: a sign of a place between where they are met
constexpr double kMissed = 1e-2;    // a row that is off by more along the motion does not follow from the others in any sense
constexpr double kWay = 0.1; // of the extent: nearer to a singular place rows nearly depend that are independent elsewhere
constexpr std::size_t kNamedRows = 6;

/// Where the stronger rows are met, and which they are: the first `rank` by pivots.
struct Settled {
    VectorXd x;
    std::vector<Index> order;
    Index rank = 0;
};

std::optional<Settled> settle(ConstraintRows& rows, VectorXd x)
{
    VectorXd g;
    MatrixXd G;
    for (int k = 0; k < kMostSteps; ++k) {
        if (!rows.evaluate(x, g, G))
            return std::nullopt;
        const RowRank factors(G);
        Settled out{.x = x, .order = {}, .rank = factors.rank(kNearlyDependentRow)};
        const VectorXd step = factors.smallest(g, out.rank);
        x -= step;
        if (step.lpNorm<Eigen::Infinity>() > kSettled)
            continue;
        for (Index i = 0; i < rows.rows(); ++i)
            out.order.push_back(factors.row(i));
        return out;
    }
    return std::nullopt; // a start far away: whoever makes it consistent says so
}

/// What the other rows are off by along the motion that the first `kept` rows leave, as far as they nearly follow from these.
struct Watched {
    double start = 0, least = 0, most = 0; ///< |g^|
    double way = 0;                        ///< of x^
};

std::optional<Watched> alongMotion(ConstraintRows& rows, Index kept, const VectorXd& from)
{
    const Index all = rows.rows();
    rows.bindFirst(kept);
    const auto start = nearestPlace(rows, from);
    if (!start || start->rank < kept)
        return std::nullopt;
    Watched out;
    out.start = out.least = out.most = rows.others(start->x);
    const auto judge = [&](const ConstraintPlace& at) {
        const double residual = rows.others(at.x);
        VectorXd g;
        MatrixXd G;
        rows.bindFirst(all);
        const bool follow = residual <= kMissed && rows.evaluate(at.x, g, G) && RowRank(G).rank(kNearlyDependentRow) <= kept;
        rows.bindFirst(kept);
        if (!follow)
            return false;
        out.way = std::max(out.way, (at.x - start->x).lpNorm<Eigen::Infinity>());
        out.least = std::min(out.least, residual);
        out.most = std::max(out.most, residual);
        return true;
    };
    if (judge(*start))
        walkPlaces(rows, *start, placesFor(rows),
                   [&](const ConstraintPlace& at, const ConstraintPlace& /*before*/) { return judge(at); });
    return out;
}

} // namespace

std::optional<Misfit> findMisfit(const ConstrainedSystem& system, double t, std::span<const double> q,
                                 std::span<const double> parameters)
{
    if (system.n() > kMostSetAside || system.holonomic() < 2 || !system.plainRates() || !system.values.empty())
        return std::nullopt;
    std::vector<const Constraint*> rows;
    for (int i = 0; i < system.holonomic(); ++i)
        rows.push_back(&system.constraints[static_cast<std::size_t>(i)]);
    auto numbers = ConstraintRows::make(system, rows, t, q, parameters);
    if (!numbers)
        return std::nullopt;
    const auto settled = settle(*numbers, numbers->place(t, q));
    if (!settled || settled->rank == numbers->rows() || settled->rank == 0)
        return std::nullopt;
    std::vector<const Constraint*> ordered;
    for (const Index i : settled->order)
        ordered.push_back(rows[static_cast<std::size_t>(i)]);
    std::vector<double> place(q.begin(), q.end());
    numbers->unplace(settled->x, place);
    auto again = ConstraintRows::make(system, ordered, t, place, parameters);
    if (!again)
        return std::nullopt;
    const auto seen = alongMotion(*again, settled->rank, again->place(t, place));
    if (!seen || seen->way < kWay || (seen->start <= kMetRows && seen->most <= kRedundant))
        return std::nullopt;
    // Weak rows of a mechanism that has its freedom beside all of them are met somewhere on the way, and its start is only a
    // guess.
    const Index columns = again->columns();
    if (again->scale().size() < columns && (seen->start <= kMetRows || seen->least < kNearlyMet * seen->most))
        return std::nullopt;
    Misfit out{.rows = {}, .joints = {}, .residual = seen->most, .freedom = static_cast<int>(columns - settled->rank)};
    for (std::size_t i = static_cast<std::size_t>(settled->rank); i < ordered.size(); ++i) {
        out.rows.push_back(ordered[i]->name);
        if (std::find(out.joints.begin(), out.joints.end(), ordered[i]->joint) == out.joints.end())
            out.joints.push_back(ordered[i]->joint);
    }
    return out;
}

Diagnostic inWords(const Misfit& misfit)
{
    std::vector<std::string> named(misfit.rows.begin(),
                                   misfit.rows.begin() + static_cast<std::ptrdiff_t>(std::min(kNamedRows, misfit.rows.size())));
    const std::string names = text::firstOf(named) + (misfit.rows.size() > named.size() ? " and more" : "");
    const bool one = misfit.rows.size() == 1;
    return {
        .what = "The dimensions of the mechanism do not fit together: " + names + (one ? " nearly follows" : " nearly follow")
                + " from the other constraints",
        .where = "start values",
        .why = "along the motion that the others leave " + std::string(one ? "it is" : "they are") + " off by up to "
               + text::rounded(misfit.residual, 2)
               + " of the mechanism's extent, so that all together can be met at single places at most, where nothing moves; "
                 "without "
               + (one ? "it" : "them") + " the mechanism has " + std::to_string(misfit.freedom)
               + (misfit.freedom == 1 ? " degree" : " degrees") + " of freedom",
        .remedy =
            "dimensions that fit to twelve digits (an expression such as sqrt(3)/2 in place of its digits), or a joint with "
            "fewer rows in place of "
            + text::firstOf(misfit.joints)};
}

} // namespace driftless::model
