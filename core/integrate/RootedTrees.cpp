#include "core/integrate/RootedTrees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/integrate/Tableau.h"

namespace driftless::integrate {
namespace {

constexpr double kUlp = std::numeric_limits<double>::epsilon();

/// Adds the trees of `order` nodes whose root carries the given subtrees and further ones of together `left` nodes.
void grow(std::vector<RootedTree>& trees, std::size_t known, int order, int left, std::size_t largest,
          std::vector<std::size_t>& children)
{
    if (left == 0) {
        RootedTree tree{children, order, order, "["};
        for (std::size_t c : children) {
            tree.gamma *= trees[c].gamma;
            tree.text += (tree.text.size() > 1 ? "," : "") + trees[c].text;
        }
        tree.text += "]";
        trees.push_back(std::move(tree));
        return;
    }
    for (std::size_t c = 0; c <= largest && c < known && trees[c].order <= left; ++c) {
        children.push_back(c);
        grow(trees, known, order, left - trees[c].order, c, children);
        children.pop_back();
    }
}

} // namespace

std::vector<RootedTree> rootedTrees(int order)
{
    std::vector<RootedTree> trees;
    if (order >= 1)
        trees.push_back({{}, 1, 1, "t"});
    for (int n = 2; n <= order; ++n) {
        std::vector<std::size_t> children;
        grow(trees, trees.size(), n, n - 1, trees.size(), children);
    }
    return trees;
}

std::vector<OrderCondition> orderConditions(const RungeKuttaTableau& tableau, int order, bool embedded)
{
    const auto trees = rootedTrees(order);
    const auto& weights = embedded ? tableau.embedded : tableau.b;
    const auto phi =
        elementaryWeights<double>(trees, tableau.stages, [&](std::size_t i, std::size_t j) { return tableau.at(i, j); });
    const auto size = elementaryWeights<double>(trees, tableau.stages,
                                                [&](std::size_t i, std::size_t j) { return std::abs(tableau.at(i, j)); });
    std::vector<OrderCondition> out;
    for (std::size_t k = 0; k < trees.size(); ++k) {
        OrderCondition condition{trees[k].text, trees[k].order, 0, 1 / static_cast<double>(trees[k].gamma), 0};
        double absolute = 1;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            condition.value += weights[i] * phi[k][i];
            absolute += std::abs(weights[i]) * size[k][i];
        }
        // The same sum over absolute values, times the operations in it.
        condition.roundoff = 4 * static_cast<double>(tableau.stages) * trees[k].order * kUlp * absolute;
        out.push_back(std::move(condition));
    }
    return out;
}

int orderOf(const std::vector<OrderCondition>& conditions, int highest)
{
    int order = highest;
    for (const auto& condition : conditions)
        if (!condition.holds())
            order = std::min(order, condition.order - 1);
    return order;
}

int stageOrderOf(const RungeKuttaTableau& tableau, int order)
{
    for (int q = 1; q <= order; ++q)
        for (std::size_t i = 0; i < tableau.stages; ++i) {
            double sum = 0, size = 1;
            for (std::size_t j = 0; j < tableau.stages; ++j) {
                sum += tableau.at(i, j) * std::pow(tableau.c[j], q - 1);
                size += std::abs(tableau.at(i, j));
            }
            if (std::abs(sum - std::pow(tableau.c[i], q) / q) > 8 * static_cast<double>(tableau.stages) * kUlp * size)
                return q - 1;
        }
    return order;
}

/// The convergents of the continued fraction are the best approximations there are with their denominators.
std::optional<std::string> fractionText(double value, double slack)
{
    constexpr double kLargest = 50'000;
    if (!(std::abs(value) < 1e6))
        return {};
    double rest = std::abs(value), p = 1, q = 0, pBefore = 0, qBefore = 1;
    for (int step = 0; step < 20; ++step) {
        const double whole = std::floor(rest);
        pBefore = std::exchange(p, whole * p + pBefore);
        qBefore = std::exchange(q, whole * q + qBefore);
        if (q > kLargest)
            return {};
        if (std::abs(p / q - std::abs(value)) <= slack)
            return (value < 0 && p != 0 ? "-" : "") + std::to_string(std::llround(p))
                   + (q == 1 ? "" : "/" + std::to_string(std::llround(q)));
        rest = 1 / (rest - whole);
    }
    return {};
}

} // namespace driftless::integrate
