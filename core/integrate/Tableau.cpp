#include "core/integrate/Tableau.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/integrate/TableauDiagonal.h"
#include "core/integrate/TableauExplicit.h"
#include "core/integrate/TableauImplicit.h"
#include "core/text/Sums.h"

namespace driftless::integrate {
namespace {

/// x with M x = right by Gaussian elimination with row pivots; empty where M is singular to round-off.
std::vector<double> solved(std::vector<double> m, std::vector<double> right)
{
    const std::size_t n = right.size();
    double largest = 0;
    for (double v : m)
        largest = std::max(largest, std::abs(v));
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(m[i * n + k]) > std::abs(m[pivot * n + k]))
                pivot = i;
        if (std::abs(m[pivot * n + k]) <= 1e-13 * largest)
            return {};
        for (std::size_t j = 0; j < n; ++j)
            std::swap(m[k * n + j], m[pivot * n + j]);
        std::swap(right[k], right[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = m[i * n + k] / m[k * n + k];
            for (std::size_t j = k; j < n; ++j)
                m[i * n + j] -= factor * m[k * n + j];
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j)
            right[k] -= m[k * n + j] * right[j];
        right[k] /= m[k * n + k];
    }
    return right;
}

/// Values at 1 of the Lagrange polynomials on the nodes; empty where two nodes coincide.
std::vector<double> lagrangeAtEnd(const std::vector<double>& c)
{
    std::vector<double> weights(c.size(), 1.0);
    for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t j = 0; j < c.size(); ++j) {
            if (i == j)
                continue;
            if (std::abs(c[i] - c[j]) < 1e-9)
                return {};
            weights[i] *= (1 - c[j]) / (c[i] - c[j]);
        }
    return weights;
}

} // namespace

std::string textOf(const Surd& number, int radicand)
{
    const auto ratio = [](std::int64_t p, std::int64_t q) {
        return std::to_string(p) + (q == 1 ? "" : "/" + std::to_string(q));
    };
    if (number.q == 0)
        return ratio(number.p, number.p == 0 ? 1 : number.pd);
    std::string out = number.p != 0 ? ratio(number.p, number.pd) : "";
    out += text::signOf(number.q < 0, out.empty());
    const std::int64_t factor = number.q < 0 ? -number.q : number.q;
    return out + (factor == 1 ? "" : std::to_string(factor) + "*") + "sqrt(" + std::to_string(radicand) + ")"
           + (number.qd == 1 ? "" : "/" + std::to_string(number.qd));
}

std::string_view stabilityName(Stability stability)
{
    switch (stability) {
    case Stability::Bounded:
        return "bounded region";
    case Stability::AStable:
        return "A-stable";
    case Stability::LStable:
        return "L-stable";
    }
    return {};
}

std::span<const ExactTableau> exactTableaus()
{
    static const auto all = [] {
        std::vector<ExactTableau> list(std::begin(kExplicitTableaus), std::end(kExplicitTableaus));
        list.insert(list.end(), std::begin(kImplicitTableaus), std::end(kImplicitTableaus));
        list.insert(list.end(), std::begin(kDiagonalTableaus), std::end(kDiagonalTableaus));
        return list;
    }();
    return all;
}

const ExactTableau* findExactTableau(std::string_view id)
{
    for (const auto& tableau : exactTableaus())
        if (tableau.id == id)
            return &tableau;
    return nullptr;
}

bool RungeKuttaTableau::isExplicit() const
{
    for (std::size_t i = 0; i < stages; ++i)
        for (std::size_t j = i; j < stages; ++j)
            if (at(i, j) != 0)
                return false;
    return true;
}

bool RungeKuttaTableau::isDiagonallyImplicit() const
{
    for (std::size_t i = 0; i < stages; ++i)
        for (std::size_t j = i + 1; j < stages; ++j)
            if (at(i, j) != 0)
                return false;
    return true;
}

bool RungeKuttaTableau::endsInLastStage() const
{
    return stages > 0 && c.back() == 1 && std::equal(b.begin(), b.end(), a.end() - static_cast<std::ptrdiff_t>(stages));
}

bool RungeKuttaTableau::startsInFirstStage() const
{
    return stages > 0 && c[0] == 0
           && std::all_of(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(stages), [](double v) { return v == 0; });
}

bool RungeKuttaTableau::isRegular() const { return stages > 0 && !solved(a, b).empty(); }

RungeKuttaTableau inDoubles(const ExactTableau& exact)
{
    const double root = std::sqrt(static_cast<double>(exact.radicand));
    const auto value = [root](const Surd& s) {
        const double rational = static_cast<double>(s.p) / static_cast<double>(s.pd);
        return s.q == 0 ? rational : rational + static_cast<double>(s.q) / static_cast<double>(s.qd) * root;
    };
    RungeKuttaTableau out;
    out.name = exact.id;
    out.source = exact.source;
    out.stages = static_cast<std::size_t>(exact.stages);
    out.order = exact.order;
    out.embeddedOrder = exact.embeddedOrder;
    for (std::size_t i = 0; i < out.stages; ++i) {
        out.c.push_back(value(exact.c[i]));
        out.b.push_back(value(exact.b[i]));
        if (exact.embeddedOrder > 0)
            out.embedded.push_back(value(exact.embedded[i]));
        for (std::size_t j = 0; j < out.stages; ++j)
            out.a.push_back(value(exact.a[i][j]));
    }
    return out;
}

EndRule endRule(const RungeKuttaTableau& tableau)
{
    const std::size_t s = tableau.stages;
    std::vector<double> transposed(s * s);
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j)
            transposed[j * s + i] = tableau.at(i, j);
    EndRule rule{1, solved(std::move(transposed), tableau.b)};
    for (double w : rule.weights)
        rule.memory -= w;
    if (rule.weights.empty() || std::abs(rule.memory) > 1 - 1e-9)
        rule = {0, lagrangeAtEnd(tableau.c)};
    else if (std::abs(rule.memory) < 1e-12)
        rule.memory = 0;
    return rule;
}

} // namespace driftless::integrate
