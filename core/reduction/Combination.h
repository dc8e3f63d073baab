// Combinations of equations in which the highest derivatives cancel; private to this room.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/reduction/EquationAnalysis.h"
#include "core/reduction/LeadingJacobian.h"
#include "core/system/EquationSystem.h"

namespace driftless::reduction {

/// u with u^T J = 0 on the rows of a singular diagonal block: (row, u_i), none zero.
using Combination = std::vector<std::pair<int, expr::Expr>>;

/// The combination of smallest support with rational coefficients, exact: each entry of J is a sum of rational multiples of
/// different functions, and the multiples have to cancel function by function.
std::optional<Combination> constantCombination(const LeadingJacobian& jacobian, const structure::Block& block);

/// One whose coefficients are minors of J, functions of the state: of at most kMostSupport rows, where J lacks one rank.
inline constexpr int kMostSupport = 4;
std::optional<Combination> stateCombination(const LeadingJacobian& jacobian, const structure::Block& block);

/// Row l of the combination that is replaced, the least differentiated one.
int replacedRow(const EquationAnalysis& analysis, const Combination& combination);
/// Without a common factor: divided by one of its coefficients such that no denominator with the state is left, by that of the
/// row that is replaced if possible. Nothing where there is no such one.
std::optional<Combination> normalised(const Combination& combination, int row);

/// Carries the combination out ([MS91] Example 5; the linear combination method of G. Tan, N. S. Nedialkov, J. D. Pryce, 2017):
/// with theta the least c_i of the support and l a row with c_l = theta, F_l is replaced by sum u_i d^(c_i - theta) F_i /
/// dt^(c_i - theta).
Elimination eliminate(model::EquationSystem& system, const EquationAnalysis& analysis, const Combination& combination);

/// Whether the coefficients are of lower order in the new system than what its Jacobian is taken with respect to. Otherwise
/// that Jacobian holds derivatives of the coefficients times equations, which vanish on solutions and not at the points where
/// it is judged.
bool coefficientsStayBelow(const Combination& combination, int row, const EquationAnalysis& next);

/// Each equation as a differential operator on the text's equations, with coefficients at one point.
class Differentiations {
public:
    explicit Differentiations(const model::EquationSystem& system);
    void replace(const EquationAnalysis& before, const Combination& combination, int row);
    /// The differentiation index of the text's equations: the highest order of one of them in the rows that give the first
    /// derivative beyond what is solved for. Nothing where the Jacobian has no value at the point.
    std::optional<int> index(const model::EquationSystem& system, const EquationAnalysis& analysis) const;

private:
    using Row = std::map<std::size_t, std::vector<double>>; ///< by equation of the text: coefficients of its derivatives
    void add(Row& to, const Row& from, double factor, int shift) const;
    std::optional<double> valueOf(const expr::Expr& e) const;
    std::map<std::string, double> start_;
    std::vector<Row> rows_;
};

} // namespace driftless::reduction
