#include "core/model/SetAside.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;
using Row = std::vector<double>;

constexpr double kDependent = 1e-7;  // what is left of a row, of its length: round-off of the projection leaves 1e-11
constexpr double kNearly = 1e-3;     // during the projection: rows that depend on the manifold hardly differ beside it
constexpr double kMet = 1e-11;       // |g| on the manifold, against 1 + the largest coordinate squared
constexpr int kMostIterations = 40;

double dot(const Row& a, const Row& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

class Numbers {
public:
    explicit Numbers(const ConstrainedSystem& system) : system_(system), rows_(static_cast<std::size_t>(system.holonomic()))
    {
        for (std::size_t i = 0; i < system.coordinates.size(); ++i)
            place_[system.coordinates[i].q] = i;
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (const Symbol& s : expr::symbolsOf(system.constraints[r].g))
                if (const auto at = place_.find(s); at != place_.end())
                    rows_[r].emplace_back(at->second, expr::derivative(system.constraints[r].g, s));
        for (const Parameter& p : system.parameters)
            parameters_[p.symbol] = p.quantity.value;
        parameters_[*expr::time().symbol()] = 0;
    }

    std::size_t rows() const { return rows_.size(); }
    std::size_t n() const { return system_.coordinates.size(); }
    double value(const Expr& e, const Row* q = nullptr) const
    {
        const auto found = expr::evaluate(e, [&](const Symbol& s) -> std::optional<double> {
            if (const auto at = place_.find(s); q && at != place_.end())
                return (*q)[at->second];
            const auto known = parameters_.find(s);
            return known == parameters_.end() ? std::nullopt : std::optional<double>(known->second);
        });
        return found.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    Row start() const
    {
        Row q;
        for (const Coordinate& c : system_.coordinates)
            q.push_back(value(c.positionStart));
        return q;
    }
    double residual(std::size_t row, const Row& q) const { return value(system_.constraints[row].g, &q); }
    Row gradient(std::size_t row, const Row& q) const
    {
        Row out(n());
        for (const auto& [column, slope] : rows_[row])
            out[column] = value(slope, &q);
        return out;
    }

private:
    const ConstrainedSystem& system_;
    std::unordered_map<Symbol, std::size_t, expr::SymbolHash> place_;
    std::unordered_map<Symbol, double, expr::SymbolHash> parameters_;
    std::vector<std::vector<std::pair<std::size_t, Expr>>> rows_;
};

/// Gram and Schmidt, twice per row, in the order of the file: rows = L Q with the dependent ones left out.
struct Factors {
    std::vector<Row> Q;
    std::vector<std::size_t> kept, dependent;
    std::vector<Row> L;                ///< of the kept rows
    std::vector<Row> combinations;     ///< of the dependent rows, over Q
    bool finite = true;
};

Factors factor(const Numbers& numbers, const Row& q, double tolerance)
{
    Factors out;
    for (std::size_t r = 0; r < numbers.rows(); ++r) {
        Row row = numbers.gradient(r, q);
        const double length = std::sqrt(dot(row, row));
        out.finite = out.finite && std::isfinite(length);
        if (!out.finite)
            return out;
        Row shares(out.Q.size());
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t k = 0; k < out.Q.size(); ++k) {
                const double share = dot(out.Q[k], row);
                shares[k] += share;
                for (std::size_t i = 0; i < row.size(); ++i)
                    row[i] -= share * out.Q[k][i];
            }
        const double rest = std::sqrt(dot(row, row));
        if (!(rest > tolerance * length)) {
            out.dependent.push_back(r);
            out.combinations.push_back(std::move(shares));
            continue;
        }
        for (double& x : row)
            x /= rest;
        shares.push_back(rest);
        out.Q.push_back(std::move(row));
        out.L.push_back(std::move(shares));
        out.kept.push_back(r);
    }
    return out;
}

/// The nearest place of the manifold, by Gauss-Newton steps of least length.
bool project(const Numbers& numbers, Row& q)
{
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        Row g(numbers.rows());
        double worst = 0;
        for (std::size_t r = 0; r < g.size(); ++r) {
            g[r] = numbers.residual(r, q);
            worst = std::isfinite(g[r]) ? std::max(worst, std::abs(g[r])) : g[r];
        }
        if (!std::isfinite(worst))
            return false;
        double size = 0;
        for (const double x : q)
            size = std::max(size, std::abs(x));
        if (worst <= kMet * (1 + size * size))
            return true;
        const Factors f = factor(numbers, q, kNearly);
        if (!f.finite)
            return false;
        Row y(f.Q.size());
        for (std::size_t k = 0; k < y.size(); ++k) {
            y[k] = -g[f.kept[k]];
            for (std::size_t j = 0; j < k; ++j)
                y[k] -= f.L[k][j] * y[j];
            y[k] /= f.L[k][k];
            for (std::size_t i = 0; i < q.size(); ++i)
                q[i] += y[k] * f.Q[k][i];
        }
    }
    return false;
}

/// Another place of the manifold, along a direction that the rows leave free.
bool wander(const Numbers& numbers, const Factors& at, const Row& from, unsigned seed, Row& to)
{
    Row direction(from.size());
    for (double& x : direction) {
        seed = seed * 1664525u + 1013904223u;
        x = static_cast<double>(seed >> 8) / (1 << 23) - 1;
    }
    for (int pass = 0; pass < 2; ++pass)
        for (const Row& u : at.Q) {
            const double share = dot(u, direction);
            for (std::size_t i = 0; i < direction.size(); ++i)
                direction[i] -= share * u[i];
        }
    const double length = std::sqrt(dot(direction, direction));
    double size = 0;
    for (const double x : from)
        size = std::max(size, std::abs(x));
    for (const double share : {3e-2, 3e-3, 3e-4}) {
        to = from;
        for (std::size_t i = 0; i < to.size() && length > 1e-9; ++i)
            to[i] += share * size * direction[i] / length;
        if (project(numbers, to))
            return true;
    }
    return false;
}

} // namespace

void setAsideDependent(ConstrainedSystem& system)
{
    if (system.n() > kMostSetAside || system.holonomic() < 2 || !system.plainRates() || !system.values.empty())
        return;
    const Numbers numbers(system);
    Row q = numbers.start();
    if (!project(numbers, q))
        return; // contradictions and starts far away are told by those who make the start consistent
    const Factors here = factor(numbers, q, kDependent);
    if (!here.finite || here.dependent.empty())
        return;
    std::vector<std::size_t> rows = here.dependent;
    if (here.kept.size() < numbers.n())
        for (const unsigned seed : {1u, 2u}) {
            Row there;
            if (!wander(numbers, here, q, seed, there))
                return;
            const Factors f = factor(numbers, there, kDependent);
            std::erase_if(rows, [&](std::size_t r) { return std::find(f.dependent.begin(), f.dependent.end(), r) == f.dependent.end(); });
        }
    std::erase_if(rows, [&](std::size_t r) { return expr::dependsOn(system.constraints[r].g, *expr::time().symbol()); });
    expr::Substitution zero;
    for (const std::size_t r : rows) {
        Dependent found{system.constraints[r], {}};
        const auto k = static_cast<std::size_t>(std::find(here.dependent.begin(), here.dependent.end(), r) - here.dependent.begin());
        Row shares = here.combinations[k]; // row = shares Q = (shares L^-1) rows kept
        double largest = 0;
        for (std::size_t j = shares.size(); j-- > 0;) {
            shares[j] /= here.L[j][j];
            for (std::size_t i = 0; i < j; ++i)
                shares[i] -= shares[j] * here.L[j][i];
            largest = std::max(largest, std::abs(shares[j]));
        }
        for (std::size_t j = 0; j < shares.size(); ++j)
            if (std::abs(shares[j]) > 1e-6 * largest)
                found.follows.push_back(system.constraints[here.kept[j]].name);
        zero.emplace(found.constraint.multiplier, Expr(0));
        system.dependent.push_back(std::move(found));
    }
    if (rows.empty())
        return;
    for (std::size_t k = rows.size(); k-- > 0;)
        system.constraints.erase(system.constraints.begin() + static_cast<std::ptrdiff_t>(rows[k]));
    system.power = expr::substitute(system.power, zero);
    for (ForceArrow& a : system.arrows)
        for (Expr* part : {&a.force.x, &a.force.y, &a.force.z})
            *part = expr::substitute(*part, zero);
}

std::string sentence(const Dependent& dependent)
{
    std::string text = dependent.constraint.name + " follows from ";
    for (std::size_t i = 0; i < dependent.follows.size(); ++i)
        text += (i ? ", " : "") + dependent.follows[i];
    return text;
}

double dependentResidual(const ConstrainedSystem& system, double t, std::span<const double> q, std::span<const double> parameters)
{
    std::unordered_map<Symbol, double, expr::SymbolHash> values;
    values[*expr::time().symbol()] = t;
    for (std::size_t i = 0; i < system.coordinates.size(); ++i)
        values[system.coordinates[i].q] = q[i];
    for (std::size_t i = 0; i < system.parameters.size(); ++i)
        values[system.parameters[i].symbol] = parameters[i];
    double worst = 0;
    for (const Dependent& d : system.dependent) {
        const double g = expr::evaluate(d.constraint.g, [&](const Symbol& s) -> std::optional<double> {
                             const auto found = values.find(s);
                             return found == values.end() ? std::nullopt : std::optional<double>(found->second);
                         }).value_or(std::numeric_limits<double>::quiet_NaN());
        if (!std::isfinite(g))
            return g;
        worst = std::max(worst, std::abs(g));
    }
    return worst;
}

} // namespace driftless::model
