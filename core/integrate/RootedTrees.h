// Order conditions of Runge-Kutta methods (Butcher; Hairer, Norsett, Wanner, Solving ODEs I, section II.2): one for each rooted
// tree,
//   sum_i b_i Phi_i(tree) = 1 / gamma(tree),  Phi_i(tree) = product over the subtrees u at the root of sum_j a_ij Phi_j(u),
// in any number type: exact ones decide, doubles estimate. A method of order p fulfils those of all trees with up to p nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace driftless::integrate {

struct RootedTree {
    std::vector<std::size_t> children; ///< indices of smaller trees, not increasing
    int order = 1;                     ///< number of nodes
    std::int64_t gamma = 1;            ///< density: order times those of the subtrees
    std::string text;                  ///< in brackets: "t" a single node, "[t,[t]]" a root with two subtrees
};

/// All rooted trees of 1 to `order` nodes, smaller ones first: 1, 1, 2, 4, 9, 20, 48 of orders 1 to 7.
std::vector<RootedTree> rootedTrees(int order);

/// Phi_i of all trees and all stages, trees in the order given: a[i][j] as a function (i, j) -> Number.
template <class Number, class Entry>
std::vector<std::vector<Number>> elementaryWeights(const std::vector<RootedTree>& trees, std::size_t stages, Entry&& a)
{
    std::vector<std::vector<Number>> phi(trees.size(), std::vector<Number>(stages, Number(1)));
    std::vector<std::vector<Number>> grafted(trees.size(), std::vector<Number>(stages, Number(0))); // sum_j a_ij Phi_j
    for (std::size_t k = 0; k < trees.size(); ++k) {
        for (std::size_t child : trees[k].children)
            for (std::size_t i = 0; i < stages; ++i)
                phi[k][i] = phi[k][i] * grafted[child][i];
        for (std::size_t i = 0; i < stages; ++i)
            for (std::size_t j = 0; j < stages; ++j)
                grafted[k][i] = grafted[k][i] + a(i, j) * phi[k][j];
    }
    return phi;
}

/// One condition of a tableau in double precision.
struct OrderCondition {
    std::string tree;
    int order = 1;
    double value = 0;    ///< sum_i b_i Phi_i
    double wanted = 0;   ///< 1 / gamma
    double roundoff = 0; ///< what round-off may leave of the difference
    bool holds() const { return value - wanted <= roundoff && wanted - value <= roundoff; }
};

/// "1/3" or "2" where a number is a fraction with a denominator up to 50,000 within the slack; nothing where it is none.
std::optional<std::string> fractionText(double value, double slack);

struct RungeKuttaTableau;
/// Of all trees up to `order` for the weights b, or for the embedded ones.
std::vector<OrderCondition> orderConditions(const RungeKuttaTableau& tableau, int order, bool embedded = false);
/// The largest order up to which all conditions hold, at most `highest`.
int orderOf(const std::vector<OrderCondition>& conditions, int highest);
/// Largest q <= order with sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1..q in all stages, to round-off.
int stageOrderOf(const RungeKuttaTableau& tableau, int order);

} // namespace driftless::integrate
