#include "core/reduction/Jump.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Numbers.h"

namespace driftless::reduction {

namespace {

using Eigen::Index;

constexpr double kMoreFreely =
    1e7; ///< what is not integrated moves so much more easily that all others stay to its inverse square
constexpr double kNoPart = 1e-9; ///< of a column: what a decomposition of a few hundred rows leaves of a zero

/// Of each value: whether it is integrated and has a part outside of the span of those that are not. What is in that span can
/// be met by them alone.
std::vector<char> tiedOf(ReducedEvaluator& evaluator, double t, const std::vector<double>& y, const std::vector<char>& followed,
                         const std::vector<double>& sizes)
{
    const Reduced& reduced = evaluator.reduced();
    std::vector<char> out(followed);
    std::vector<double> values(reduced.entries.size());
    if (!evaluator.jacobian(t, y.data(), values.data()))
        return out;
    const Index m = reduced.rowCount(), n = reduced.valueCount();
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const expr::JacobianEntry& e = reduced.entries[k];
        J(e.row, e.column) = values[k] * (sizes.empty() ? 1 : sizes[at(e.column)]);
    }
    for (Index i = 0; i < m; ++i)
        if (const double largest = J.row(i).cwiseAbs().maxCoeff(); largest > 0)
            J.row(i) /= largest;
    Eigen::MatrixXd free(m, std::ranges::count(followed, 0));
    for (Index j = 0, column = 0; j < n; ++j)
        if (!followed[static_cast<std::size_t>(j)])
            free.col(column++) = J.col(j);
    if (free.cols() == 0)
        return out;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(free);
    qr.setThreshold(kNoPart);
    for (Index j = 0; j < n; ++j)
        if (followed[static_cast<std::size_t>(j)]) {
            Eigen::VectorXd column = J.col(j);
            const double all = column.norm();
            solve::applyQTransposed(qr, column);
            out[static_cast<std::size_t>(j)] = column.tail(m - qr.rank()).norm() > kNoPart * all;
        }
    return out;
}

} // namespace

std::vector<char> followedOf(const Reduced& r)
{
    std::vector<char> out(at(r.valueCount()), 0);
    for (std::size_t j = 0; j < r.first.size(); ++j)
        for (int k = 0; k < r.highest[j]; ++k)
            out[at(r.place(static_cast<int>(j), k))] = 1;
    return out;
}

bool solveJump(ReducedEvaluator& evaluator, double t, std::vector<double>& y, const std::vector<char>& kept,
               const std::vector<double>& sizes)
{
    const Reduced& reduced = evaluator.reduced();
    const std::vector<char> followed = followedOf(reduced);
    const std::vector<double> given = y;
    const std::vector<char> tied = tiedOf(evaluator, t, given, followed, sizes);
    // How often a value is still differentiated in the rows, and whether it follows: the equation that is solved for the
    // highest derivative of its unknown is differentiated, so that the equation itself gives the value.
    std::vector<int> level(followed.size());
    std::vector<char> follows(followed.size());
    const auto& p = reduced.used->structure.pantelides;
    for (std::size_t j = 0; j < reduced.first.size(); ++j) {
        const int equation = p.matching.rowOfColumn[j];
        for (int k = 0; k < reduced.highest[j]; ++k) {
            const std::size_t place = at(reduced.place(static_cast<int>(j), k));
            level[place] = reduced.highest[j] - k;
            follows[place] = equation >= 0 && level[place] <= p.c[at(equation)];
        }
    }
    const int all = *std::ranges::max_element(level);
    std::vector<double> weights(followed.size());
    for (const bool states : {false, true})
        for (int most = 1; most <= all; ++most) {
            if (!std::ranges::count(level, most))
                continue;
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const bool moves = !kept[i] && tied[i] && level[i] <= most && (states || follows[i]);
                weights[i] = !followed[i] ? kMoreFreely : moves ? 1 : 0;
            }
            y = given;
            if (solveRows(evaluator, t, y, weights, sizes, false, Lower::Passed))
                return true;
        }
    return false;
}

namespace {

/// Round-off of a zero is a zero.
std::string told(double value, double beside)
{
    constexpr double kZero = 1e-12;
    return text::rounded(std::abs(value) <= kZero * std::abs(beside) ? 0 : value);
}

} // namespace

Diagnostic jumpDemanded(const Reduced& reduced, const std::vector<double>& from, const std::vector<double>& to,
                        const std::vector<int>& put, const std::vector<double>& sizes, double least, const std::string& where)
{
    int most = -1;
    const auto moves = [&](int place) { return std::abs(to[at(place)] - from[at(place)]); };
    for (const bool rates : {false, true})
        for (std::size_t j = 0; j < reduced.first.size() && (most < 0 || !rates); ++j)
            for (int k = rates ? 1 : 0; k < (rates ? reduced.highest[j] : std::min(1, reduced.highest[j])); ++k)
                if (const int place = reduced.place(static_cast<int>(j), k);
                    moves(place) > least * (sizes.empty() ? 1 : sizes[at(place)]) && (most < 0 || moves(place) > moves(most)))
                    most = place;
    Diagnostic out{.what = "The equations cannot go on after this event",
                   .where = where,
                   .why = "no values near these meet what they demand from here on",
                   .remedy = "reinit(x, value) in a 'when', for each value that jumps",
                   .position = {}};
    if (most < 0)
        return out;
    const std::string& name = reduced.names[at(most)];
    const std::string before = text::rounded(from[at(most)]), after = " to " + told(to[at(most)], from[at(most)]);
    const bool isPut = std::ranges::find(put, most) != put.end();
    out.why = "they tie " + name
              + (isPut ? ", which 'reinit' has put to " + before + "," : ", which would have to jump from " + before) + after;
    out.remedy = "reinit(" + name + ", value) in a 'when', with what it jumps to";
    return out;
}

} // namespace driftless::reduction
