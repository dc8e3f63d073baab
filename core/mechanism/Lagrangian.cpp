#include "core/mechanism/Lagrangian.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/expr/Divisors.h"
#include "core/expr/Size.h"
#include "core/text/Budget.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

/// Coordinates times coordinates times nodes of T: what the second derivatives cost.
constexpr std::size_t kMostWork = 4'000'000;
/// What makes more terms is not expanded: what it is then follows from numbers.
constexpr double kMostExpanded = 3'000;
constexpr int kPoints = 16;
/// What counts as zero at random points: round-off of a few thousand operations.
constexpr double kRoundOff = 1e-10;
/// T and its polynomial, which were simplified in different ways, agree to this.
constexpr double kSameEnergy = 1e-8;

/// Values of all symbols at random points, the same in every session.
class RandomPoint {
public:
    explicit RandomPoint(std::span<const Parameter> parameters)
    {
        for (const Parameter& p : parameters)
            parameters_[p.symbol] = p.quantity.value;
    }
    void next() { drawn_.clear(); }
    /// With velocities of either sign.
    void next(const std::vector<Symbol>& velocities)
    {
        next();
        for (const Symbol& v : velocities)
            drawn_.emplace(v, draw() * (generator_() % 2 == 0 ? 1 : -1));
    }
    double operator()(const Expr& e)
    {
        return expr::evaluate(e,
                              [this](const Symbol& s) -> std::optional<double> {
                                  if (const auto p = parameters_.find(s); p != parameters_.end())
                                      return p->second;
                                  const auto found = drawn_.find(s);
                                  return found != drawn_.end() ? found->second : drawn_.emplace(s, draw()).first->second;
                              })
            .value_or(std::nan(""));
    }

private:
    double draw() // away from zero, where many expressions of mechanics vanish or have no value
    {
        constexpr double kScale = 1.0 / 4294967296.0;
        return 0.2 + 1.3 * static_cast<double>(generator_()) * kScale;
    }
    std::mt19937 generator_{20};
    std::map<Symbol, double> parameters_, drawn_;
};

Expr expanded(const Expr& e) { return expr::expandedTerms(e) <= kMostExpanded ? expr::expand(e) : e; }

/// Whether e is zero as far as numbers can tell, where its structure does not show it.
bool vanishes(const Expr& e, std::span<const Parameter> parameters, const Expr& scale)
{
    if (e.isZero())
        return true;
    RandomPoint at(parameters);
    int seen = 0;
    for (int k = 0; k < kPoints; ++k, at.next()) {
        const double x = at(e), size = at(scale);
        if (!std::isfinite(x) || !std::isfinite(size))
            continue;
        if (std::abs(x) > kRoundOff * (1 + std::abs(size)))
            return false;
        ++seen;
    }
    return seen > 0;
}

bool dependsOnAny(const Expr& e, const std::vector<Symbol>& symbols)
{
    const auto found = expr::symbolsOf(e);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& s) { return std::binary_search(found.begin(), found.end(), s); });
}

expr::Substitution still(const std::vector<Symbol>& v)
{
    expr::Substitution out;
    for (const Symbol& s : v)
        out.emplace(s, Expr(0));
    return out;
}

class Derivation {
public:
    Derivation(const Expr& kinetic, const Expr& potential, std::span<const Coordinate> coordinates)
    {
        for (const Coordinate& c : coordinates) {
            out_.names.push_back(c.name);
            out_.q.push_back(c.q);
            out_.v.push_back(*expr::variable(c.name, 1).symbol());
            out_.a.push_back(*expr::variable(c.name, 2).symbol());
        }
        out_.kinetic = kinetic;
        out_.potential = potential;
    }

    Result<LagrangianEquations> run()
    {
        const auto n = static_cast<std::size_t>(out_.n());
        const std::size_t size = expr::nodeCount(out_.kinetic);
        if (n * n * size > kMostWork)
            return Diagnostic{.what = "The kinetic energy is too large to derive equations from",
                              .where = "lagrangian, kinetic",
                              .why = std::to_string(size) + " operations in " + std::to_string(n) + " coordinates",
                              .remedy = "state a smaller model, or one with bodies and joints"};
        for (const Expr& energy : {out_.kinetic, out_.potential})
            if (const double written = expr::writtenSize(energy); written > budget::kEnergyNodes)
                return Diagnostic{.what = "The energies are too large to derive equations from",
                                  .where = "lagrangian",
                                  .why = "written out one of them has "
                                         + (written < 1e15 ? std::to_string(static_cast<long long>(written)) : "more than 1e15")
                                         + " operations",
                                  .remedy = "use fewer functions of functions"};
        T_ = expr::expandedTerms(out_.kinetic) <= kMostExpanded ? expr::expandIn(out_.kinetic, out_.v) : out_.kinetic;
        if (auto bad = readMass())
            return std::move(*bad);
        readLower();
        if (auto bad = comparePolynomial())
            return std::move(*bad);
        readChristoffel();
        readForces();
        return std::move(out_);
    }

private:
    std::optional<Diagnostic> readMass()
    {
        const std::vector<Expr> momenta = expr::gradient(T_, out_.v);
        const expr::Substitution rest = still(out_.v);
        M_.assign(out_.q.size(), std::vector<Expr>(out_.q.size()));
        for (std::size_t i = 0; i < out_.v.size(); ++i) {
            const std::vector<Expr> row = expr::gradient(momenta[i], out_.v);
            for (std::size_t j = 0; j < out_.v.size(); ++j) {
                Expr entry = row[j];
                if (dependsOnAny(entry, out_.v)) {
                    entry = expanded(entry);
                    if (dependsOnAny(entry, out_.v) && !quadratic(entry))
                        return notQuadratic(i, j);
                    entry = expr::substitute(entry, rest);
                }
                M_[i][j] = j < i ? M_[j][i] : expr::simplified(entry);
                if (!M_[i][j].isZero())
                    out_.mass.push_back({static_cast<int>(i), static_cast<int>(j), M_[i][j]});
            }
        }
        momenta_ = momenta;
        return std::nullopt;
    }

    /// A second derivative that mentions velocities may still not depend on them.
    bool quadratic(const Expr& entry) const
    {
        for (const Symbol& v : out_.v)
            if (const Expr slope = expanded(expr::derivative(entry, v)); !vanishes(slope, {}, entry))
                return false;
        return true;
    }

    Diagnostic notQuadratic(std::size_t i, std::size_t j) const
    {
        Expr culprit = T_;
        for (const Expr& term : expr::termsOf(T_)) {
            const Expr second = expanded(expr::derivative(expr::derivative(term, out_.v[i]), out_.v[j]));
            if (dependsOnAny(second, out_.v)) {
                culprit = term;
                break;
            }
        }
        return {.what = "The kinetic energy is not quadratic in the velocities",
                .where = "lagrangian, kinetic",
                .why = "the term " + expr::printShort(culprit) + " is no polynomial of degree two in " + out_.v[i].text()
                       + (i == j ? std::string() : " and " + out_.v[j].text()),
                .remedy =
                    "write T as a sum of products of at most two velocities with functions of the coordinates; what depends on "
                    "them otherwise is a generalized force"};
    }

    void readLower()
    {
        const expr::Substitution rest = still(out_.v);
        for (const Expr& p : momenta_)
            out_.linear.push_back(expr::simplified(expr::substitute(p, rest)));
        out_.rest = expr::simplified(expr::substitute(T_, rest));
    }

    /// T against what was read from its derivatives at rest. Those of abs, min or if say nothing of what is beside, and no
    /// number of points finds where they switch.
    std::optional<Diagnostic> comparePolynomial() const
    {
        std::vector<Expr> terms{T_, -out_.rest};
        for (std::size_t i = 0; i < out_.v.size(); ++i) {
            const Expr v = expr::symbol(out_.v[i]);
            terms.push_back(-(out_.linear[i] * v));
            for (std::size_t j = 0; j < out_.v.size(); ++j)
                if (!M_[i][j].isZero())
                    terms.push_back(expr::rational(-1, 2) * M_[i][j] * v * expr::symbol(out_.v[j]));
        }
        for (const Expr& s : expr::switchesOf({&T_, 1}))
            if (dependsOnAny(s, out_.v))
                return notPolynomial();
        const Expr apart = expr::sum(terms);
        RandomPoint at({});
        for (int k = 0; k < kPoints; ++k, at.next(out_.v)) {
            const double x = at(apart), size = at(T_);
            if (std::isfinite(x) && std::isfinite(size) && std::abs(x) > kSameEnergy * (std::abs(size) + std::abs(size - x)))
                return notPolynomial();
        }
        return std::nullopt;
    }

    Diagnostic notPolynomial() const
    {
        Expr culprit = T_;
        for (const Expr& term : expr::termsOf(T_))
            if (dependsOnAny(term, out_.v) && !expr::switchesOf({&term, 1}).empty())
                culprit = term;
        return {.what = "The kinetic energy is not quadratic in the velocities",
                .where = "lagrangian, kinetic",
                .why = "the term " + expr::printShort(culprit) + " is no polynomial of degree two in them",
                .remedy = "write T as a sum of products of at most two velocities with functions of the coordinates, without "
                          "abs, sign, min, max or if of a velocity"};
    }

    void readChristoffel()
    {
        const std::size_t n = out_.q.size();
        std::vector<std::vector<std::vector<Expr>>> slope(n, std::vector<std::vector<Expr>>(n)); // dM_ij/dq_k, j >= i
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i; j < n; ++j)
                if (!M_[i][j].isZero())
                    slope[i][j] = expr::gradient(M_[i][j], out_.q);
        const bool constant = std::none_of(slope.begin(), slope.end(), [](const auto& row) {
            return std::any_of(row.begin(), row.end(), [](const std::vector<Expr>& entry) {
                return std::any_of(entry.begin(), entry.end(), [](const Expr& e) { return !e.isZero(); });
            });
        });
        if (constant)
            return;
        const auto d = [&](std::size_t i, std::size_t j, std::size_t k) {
            const auto& entry = slope[std::min(i, j)][std::max(i, j)];
            return entry.empty() ? Expr(0) : entry[k];
        };
        std::vector<std::vector<std::vector<Expr>>> C(n, std::vector<std::vector<Expr>>(n));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = j; k < n; ++k) {
                    const Expr sum = d(i, j, k) + d(i, k, j) - d(j, k, i);
                    const Expr value = sum.isZero() ? sum : expr::simplified(expr::rational(1, 2) * sum);
                    if (value.isZero())
                        continue;
                    out_.christoffel.push_back({static_cast<int>(i), static_cast<int>(j), static_cast<int>(k), value});
                    C[i][j].push_back(value * expr::symbol(out_.v[k]));
                    if (j != k)
                        C[i][k].push_back(value * expr::symbol(out_.v[j]));
                }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                if (const Expr entry = expr::sum(C[i][j]); !entry.isZero())
                    out_.coriolis.push_back({static_cast<int>(i), static_cast<int>(j), entry});
    }

    void readForces()
    {
        const std::size_t n = out_.q.size();
        const Symbol t = *expr::time().symbol();
        out_.conservative = expr::gradient(out_.potential, out_.q);
        out_.applied.assign(n, Expr(0));
        const std::vector<Expr> restSlope = expr::gradient(out_.rest, out_.q);
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<Expr> terms{expr::derivative(out_.linear[i], t), -restSlope[i]};
            for (std::size_t j = 0; j < n; ++j) {
                const Expr lever = expr::simplified(expr::derivative(M_[i][j], t) + expr::derivative(out_.linear[i], out_.q[j])
                                                    - expr::derivative(out_.linear[j], out_.q[i]));
                terms.push_back(lever * expr::symbol(out_.v[j]));
            }
            out_.rheonomic.push_back(expr::sum(terms));
        }
    }

    LagrangianEquations out_;
    Expr T_;
    std::vector<Expr> momenta_;
    std::vector<std::vector<Expr>> M_;
};

} // namespace

bool LagrangianEquations::scleronomic() const
{
    const auto zero = [](const Expr& e) { return e.isZero(); };
    return rest.isZero() && std::all_of(linear.begin(), linear.end(), zero)
           && std::all_of(rheonomic.begin(), rheonomic.end(), zero);
}

Expr LagrangianEquations::coriolisForce(int i) const
{
    std::vector<Expr> terms;
    for (const Christoffel& c : christoffel)
        if (c.i == i)
            terms.push_back(Expr(c.j == c.k ? 1 : 2) * c.value * expr::symbol(v[static_cast<std::size_t>(c.j)])
                            * expr::symbol(v[static_cast<std::size_t>(c.k)]));
    return expr::sum(terms);
}

Result<LagrangianEquations> deriveLagrangian(const Expr& kinetic, const Expr& potential,
                                             std::span<const Coordinate> coordinates)
{
    return Derivation(kinetic, potential, coordinates).run();
}

Result<LagrangianEquations> deriveLagrangian(const ConstrainedSystem& system)
{
    if (!system.plainRates())
        return Diagnostic{.what = "The derivation needs the velocities q'",
                          .where = "velocity",
                          .why = "the model states velocities of its own, q' = Z v",
                          .remedy = "remove [velocity]"};
    auto out =
        deriveLagrangian(system.lagrangian ? system.lagrangian->kinetic : system.kinetic, system.potential, system.coordinates);
    if (!out)
        return out;
    for (std::size_t i = 0; i < out->q.size(); ++i) {
        const Expr inertial = out->coriolisForce(static_cast<int>(i)) + out->rheonomic[i];
        const Expr rest = expr::simplified(system.force[i] + inertial + out->conservative[i]);
        if (!vanishes(rest, system.parameters, system.force[i]))
            out->applied[i] = rest;
    }
    return out;
}

SkewCheck checkSkewSymmetry(const LagrangianEquations& e, std::span<const Parameter> parameters)
{
    const auto n = static_cast<std::size_t>(e.n());
    std::vector<std::vector<Expr>> rate(n, std::vector<Expr>(n)), C = rate;
    for (const MassEntry& m : e.mass) {
        std::vector<Expr> terms;
        const std::vector<Expr> slopes = expr::gradient(m.value, e.q);
        for (std::size_t k = 0; k < n; ++k)
            terms.push_back(slopes[k] * expr::symbol(e.v[k]));
        rate[static_cast<std::size_t>(m.row)][static_cast<std::size_t>(m.column)] = expr::sum(terms);
    }
    for (const MassEntry& c : e.coriolis)
        C[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.column)] = c.value;
    SkewCheck out;
    out.symbolic = true;
    for (std::size_t i = 0; i < n && out.symbolic; ++i)
        for (std::size_t j = 0; j <= i && out.symbolic; ++j)
            out.symbolic = expanded(rate[i][j] + rate[j][i] - Expr(2) * (C[i][j] + C[j][i])).isZero();
    RandomPoint at(parameters);
    for (int k = 0; k < kPoints; ++k, at.next()) {
        double size = 0, most = 0;
        bool finite = true;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const double a = at(rate[i][j]), b = at(rate[j][i]), c = 2 * at(C[i][j]), d = 2 * at(C[j][i]);
                finite = finite && std::isfinite(a + b + c + d);
                size = std::max({size, std::abs(a), std::abs(c), std::abs(d)});
                most = std::max(most, std::abs((a - c) + (b - d)));
            }
        if (!finite)
            continue;
        ++out.points;
        out.largest = std::max(out.largest, size > 0 ? most / size : 0);
    }
    return out;
}

} // namespace driftless::model
