// Index and degrees of freedom of F(t, x, x', ...) = 0 along a known solution, by their definition: from ranks of the array of
// F and its derivatives, linearised there.
//
//   sum_k A_k(t) dx^(k) = 0,  A_k = dF/dx^(k) along the solution.  With dx = sum_m xi_m s^m, s = (t - t0)/h, row m of the array
//   is the coefficient of s^m. Linearising and differentiating commute, so it is the Jacobian of (F, F', ..., F^(nu)) in these
//   coefficients.
//
// The index is the least nu for which the array determines x_j^(s_j) from what is lower; s_j >= 1 is the order of x_j in the
// equations, or a lower one d_j from which on derivatives cancel. What is lower may then be chosen with as many degrees of
// freedom as the array leaves it.
#pragma once

#include <optional>

#include "core/solve/DenseDecompositions.h"
#include "tests/properties/KnownEquations.h"

namespace driftless::test {

class DerivativeArray {
public:
    explicit DerivativeArray(const KnownEquations& known) : known_(known)
    {
        for (int j = 0; j < known.n(); ++j)
            orders_.push_back(std::max(0, known.order(j)));
        from_ = orders_;
        expand();
    }

    struct Answer {
        int index = 0, freedom = 0;
    };
    /// Nothing where ranks cannot be told in doubles, or the index is above kMostOrder - 1.
    std::optional<Answer> answer(const std::vector<int>& d)
    {
        for (std::size_t j = 0; j < orders_.size(); ++j)
            from_[j] = std::max(1, std::min(orders_[j], d[j]));
        for (int nu = 0; nu < kMostOrder; ++nu) {
            const auto all = matrix(nu, 0), upper = matrix(nu, 1), rest = matrix(nu, 2);
            const auto ranks = std::pair(rankOf(upper), rankOf(rest));
            if (!ranks.first || !ranks.second)
                return {};
            if (*ranks.first != *ranks.second + known_.n())
                continue;
            // One differentiation more, in case the last hidden constraints come with it.
            const auto whole = rankOf(matrix(nu + 1, 0)), above = rankOf(matrix(nu + 1, 1));
            if (!whole || !above)
                return {};
            int lower = 0;
            for (const int order : from_)
                lower += order;
            return Answer{nu, lower - *whole + *above};
        }
        return {};
    }

private:
    static constexpr int kMostOrder = 7, kDegree = 20, kPoints = 41;
    static constexpr double kMiddle = 0.2, kHalf = 0.5; ///< [s] t0 and h

    /// Coefficients of A_k: a polynomial through values at points of Chebyshev. The functions are entire, and slow on this
    /// span: 21 coefficients leave round-off, of which the change to powers makes 1e-10.
    void expand()
    {
        Eigen::MatrixXd powers(kPoints, kDegree + 1);
        std::vector<double> times;
        for (int p = 0; p < kPoints; ++p) {
            const double s = std::cos(M_PI * (p + 0.5) / kPoints);
            times.push_back(kMiddle + kHalf * s);
            for (int m = 0; m <= kDegree; ++m)
                powers(p, m) = std::cos(m * std::acos(s)); // T_m
        }
        const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> fit(powers);
        const Eigen::MatrixXd toPowers = chebyshev();
        std::vector<std::map<std::pair<std::string, int>, double>> along(times.size());
        for (std::size_t p = 0; p < times.size(); ++p)
            for (int j = 0; j < known_.n(); ++j)
                for (int k = 0; k <= orders_[static_cast<std::size_t>(j)]; ++k)
                    along[p][{known_.names()[static_cast<std::size_t>(j)], k}] = known_.value(j, k, times[p]);
        for (int i = 0; i < known_.n(); ++i)
            for (int j = 0; j < known_.n(); ++j)
                for (int k = 0; k <= orders_[static_cast<std::size_t>(j)]; ++k) {
                    const auto e =
                        expr::derivative(known_.rows()[static_cast<std::size_t>(i)],
                                         {expr::SymbolKind::Variable, known_.names()[static_cast<std::size_t>(j)], k});
                    if (e.isZero())
                        continue;
                    Eigen::VectorXd values(kPoints);
                    for (std::size_t p = 0; p < times.size(); ++p)
                        values[static_cast<Eigen::Index>(p)] =
                            expr::evaluate(e, [&](const expr::Symbol& s) {
                                return std::optional(s.kind == expr::SymbolKind::Time ? times[p]
                                                                                      : along[p].at({s.name, s.order}));
                            }).value_or(NAN);
                    Eigen::VectorXd a = toPowers * fit.solve(values).eval();
                    entries_.push_back({i, j, k, a * known_.size(j)});
                }
    }
    /// Column m: coefficients of T_m.
    static Eigen::MatrixXd chebyshev()
    {
        Eigen::MatrixXd T = Eigen::MatrixXd::Zero(kDegree + 1, kDegree + 1);
        T(0, 0) = T(1, 1) = 1;
        for (int m = 2; m <= kDegree; ++m) {
            T.col(m).tail(kDegree) = 2 * T.col(m - 1).head(kDegree);
            T.col(m) -= T.col(m - 2);
        }
        return T;
    }

    /// Rows of orders 0 ... nu. The columns xi_j,m with m below s_j are left out if part is 1, and m = s_j too if it is 2.
    Eigen::MatrixXd matrix(int nu, int part) const
    {
        const int n = known_.n();
        std::vector<int> first(static_cast<std::size_t>(n)), from(first);
        int columns = 0;
        for (std::size_t j = 0; j < first.size(); ++j) {
            from[j] = part == 0 ? 0 : from_[j] + part - 1;
            first[j] = columns;
            columns += std::max(0, nu + orders_[j] + 1 - from[j]);
        }
        Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n * (nu + 1), std::max(1, columns));
        for (const Entry& e : entries_)
            for (int m = 0; m <= nu; ++m)      // order of the row
                for (int l = 0; l <= m; ++l) { // xi_(l + k) (l + k)! / l! / h^k s^l times the coefficient m - l of A_k
                    const int place = l + e.order - from[static_cast<std::size_t>(e.column)];
                    if (place < 0)
                        continue;
                    double factor = 1;
                    for (int f = l + 1; f <= l + e.order; ++f)
                        factor *= f / kHalf;
                    out(m * n + e.row, first[static_cast<std::size_t>(e.column)] + place) += factor * e.coefficients[m - l];
                }
        return out;
    }

    /// Singular values of the equilibrated matrix fall by a factor of 1e4 at least between those that count and the others.
    static std::optional<int> rankOf(Eigen::MatrixXd a)
    {
        for (int sweep = 0; sweep < 3; ++sweep) {
            for (Eigen::Index i = 0; i < a.rows(); ++i)
                if (const double s = a.row(i).cwiseAbs().maxCoeff(); s > 0)
                    a.row(i) /= s;
            for (Eigen::Index j = 0; j < a.cols(); ++j)
                if (const double s = a.col(j).cwiseAbs().maxCoeff(); s > 1e-9)
                    a.col(j) /= s;
        }
        const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
        int rank = 0;
        while (rank < sigma.size() && sigma[rank] > 1e-6 * sigma[0])
            ++rank;
        const double least = rank > 0 ? sigma[rank - 1] : 0, next = rank < sigma.size() ? sigma[rank] : 0;
        return rank > 0 && next > 1e-4 * least ? std::nullopt : std::optional(rank);
    }

    struct Entry {
        int row, column, order;
        Eigen::VectorXd coefficients;
    };
    const KnownEquations& known_;
    std::vector<int> orders_, from_; ///< of the highest derivative in the equations; s
    std::vector<Entry> entries_;
};

} // namespace driftless::test
