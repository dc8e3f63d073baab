// What only shows in numbers: masses and lengths above zero, finite start values, a chart that fits the constraints.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <unordered_map>

#include "core/expr/Operators.h"
#include "core/mechanism/Mechanism.h"
#include "core/system/Model.h"
#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

/// A chart is accepted when it closes to this, relative to 1 + |value|: far above round-off, far below any real mistake.
constexpr double kChartTolerance = 1e-8;

class StartCheck {
public:
    StartCheck(const Mechanism& mechanism, const ConstrainedSystem& system, const std::vector<Requirement>& requirements)
        : mechanism_(mechanism), system_(system), requirements_(requirements)
    {
        for (const Parameter& p : system.parameters)
            values_[p.symbol] = p.quantity.value;
        values_[*expr::time().symbol()] = 0;
    }

    std::optional<Diagnostic> run()
    {
        const auto valueOf = [this](const Symbol& symbol) -> std::optional<double> {
            const auto v = values_.find(symbol);
            return v == values_.end() ? std::nullopt : std::optional<double>(v->second);
        };
        if (auto bad = firstUnmet(requirements_, valueOf))
            return bad;
        if (auto bad = checkStarts())
            return bad;
        if (mechanism_.general.lagrangian)
            if (auto bad = checkMass(*mechanism_.general.lagrangian))
                return bad;
        return system_.chart ? checkChart() : std::nullopt;
    }

private:
    double value(const Expr& e) const
    {
        const auto found = expr::evaluate(e, [this](const Symbol& s) -> std::optional<double> {
            const auto v = values_.find(s);
            return v == values_.end() ? std::nullopt : std::optional<double>(v->second);
        });
        return found.value_or(std::numeric_limits<double>::quiet_NaN());
    }

    std::optional<Diagnostic> checkStarts()
    {
        for (const Coordinate& c : system_.coordinates) {
            const double q = value(c.positionStart), v = value(c.velocityStart);
            values_[c.q] = q;
            values_[c.v] = v;
            if (!std::isfinite(q) || !std::isfinite(v))
                return Diagnostic{.what = "The start value is not a finite number",
                                  .where = std::isfinite(q) ? c.velocity.name : c.name,
                                  .why = "the expression left its domain",
                                  .remedy = "check the expression and the parameters",
                                  .position = std::isfinite(q) ? c.velocity.position : c.position.position};
        }
        for (const DynamicVariable& d : system_.dynamics)
            if (!std::isfinite(value(d.start)))
                return Diagnostic{.what = "The start value is not a finite number",
                                  .where = d.name,
                                  .why = "the expression left its domain",
                                  .remedy = "check the expression and the parameters",
                                  .position = d.position};
        for (const Effort& e : system_.efforts)
            if (!std::isfinite(value(e.start)))
                return Diagnostic{.what = "The start value is not a finite number",
                                  .where = e.name,
                                  .why = "the expression left its domain",
                                  .remedy = "check the expression and the parameters",
                                  .position = e.position};
        return {};
    }

    /// Elimination with the largest diagonal entry first: M must have no negative pivot, and without constraints no zero one.
    std::optional<Diagnostic> checkMass(const LagrangianStatement& stated) const
    {
        const auto n = system_.coordinates.size();
        std::vector<std::vector<double>> M(n, std::vector<double>(n));
        double largest = 0;
        std::vector<double> own(n, 0.0); // diagonal: entries of coordinates with other units are compared by it
        for (const MassEntry& e : system_.mass)
            if (e.row == e.column)
                own[static_cast<std::size_t>(e.row)] += value(e.value);
        for (double& m : own)
            m = m > 0 && std::isfinite(m) ? std::sqrt(m) : 1;
        for (const MassEntry& e : system_.mass) {
            double& entry = M[static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)];
            entry += value(e.value) / (own[static_cast<std::size_t>(e.row)] * own[static_cast<std::size_t>(e.column)]);
            if (!std::isfinite(entry))
                return Diagnostic{.what = "The mass matrix has no finite value at the start",
                                  .where = "lagrangian, kinetic",
                                  .why = "row " + system_.coordinates[static_cast<std::size_t>(e.row)].name,
                                  .remedy = "check the expression and the start values",
                                  .position = stated.kinetic.position};
            largest = std::max(largest, std::abs(entry));
        }
        constexpr double kPivot = 1e-12; // round-off of an elimination of a hundred rows
        std::vector<bool> done(n);
        for (std::size_t step = 0; step < n; ++step) {
            std::size_t p = n;
            for (std::size_t i = 0; i < n; ++i)
                if (!done[i] && (p == n || M[i][i] > M[p][p]))
                    p = i;
            if (!(M[p][p] > kPivot * largest)) {
                double least = 0;
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < n; ++j)
                        if (!done[i] && !done[j])
                            least = std::max(least, i == j ? -M[i][i] : std::abs(M[i][j]));
                if (least > kPivot * largest)
                    return Diagnostic{.what = "The mass matrix is not positive definite at the start",
                                      .where = "lagrangian, kinetic",
                                      .why = "the kinetic energy of some velocities is negative",
                                      .remedy = "check the signs and the parameters",
                                      .position = stated.kinetic.position};
                if (system_.constraints.empty())
                    return Diagnostic{.what = "The mass matrix is singular at the start",
                                      .where = "lagrangian, kinetic",
                                      .why = "the velocity of " + system_.coordinates[p].name
                                             + " has no kinetic energy of its own there",
                                      .remedy = "start elsewhere, or choose other coordinates",
                                      .position = stated.kinetic.position};
                return {};
            }
            done[p] = true;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n && !done[i]; ++j)
                    if (!done[j])
                        M[i][j] -= M[i][p] * M[p][j] / M[p][p];
        }
        return {};
    }

    /// Usual size of what has this unit: 1 of angles, the largest start value of others.
    double sizeOf(const std::string& unit) const
    {
        if (unit.empty() || unit == "rad" || unit == "1")
            return 1;
        double size = 0;
        for (const Coordinate& c : system_.coordinates)
            if (c.unit == unit)
                size = std::max(size, std::abs(values_.at(c.q)));
        return size > 0 ? size : 1;
    }

    /// What a residual of g is measured by: its terms, at the values set.
    double sizeOf(const Constraint& constraint) const
    {
        double size = 0;
        for (const Coordinate& c : system_.coordinates)
            size += std::abs(value(expr::derivative(constraint.g, c.q))) * sizeOf(c.unit);
        return size > 0 && std::isfinite(size) ? size : 1;
    }

    bool close(double a, double b, const std::string& unit) const
    {
        double difference = a - b;
        if (unit == "rad")
            difference = std::remainder(difference, 2 * std::numbers::pi);
        return std::abs(difference) <= kChartTolerance * (sizeOf(unit) + std::abs(b));
    }

    Diagnostic inconsistent(const std::string& why) const
    {
        return {.what = "The chart does not fit the model at the start",
                .where = "chart",
                .why = why,
                .remedy = "check [chart.map] against \"inverse\"",
                .position = mechanism_.chartPosition};
    }

    /// The residual of g at the values set.
    double largestResidual() const
    {
        double most = 0;
        for (const Constraint& c : system_.constraints) {
            if (!c.holonomic)
                continue;
            const double g = std::abs(value(c.g)) / sizeOf(c);
            most = std::isfinite(g) ? std::max(most, g) : g;
        }
        return most;
    }

    std::optional<Diagnostic> checkChart()
    {
        const Chart& chart = *system_.chart;
        const bool consistent = largestResidual() <= kChartTolerance;
        std::vector<double> s, start;
        for (const ChartCoordinate& c : chart.coordinates) {
            s.push_back(value(c.inverse));
            if (!std::isfinite(s.back()))
                return inconsistent("the inverse for " + c.name + " has no finite value there");
        }
        for (std::size_t i = 0; i < s.size(); ++i)
            values_[chart.coordinates[i].s] = s[i];
        std::vector<double> mapped;
        for (std::size_t i = 0; i < chart.map.size(); ++i) {
            const Coordinate& c = system_.coordinates[i];
            mapped.push_back(value(chart.map[i]));
            if (!std::isfinite(mapped.back()))
                return inconsistent("the map for " + c.name + " has no finite value there");
            if (consistent && !close(mapped.back(), values_[c.q], c.unit))
                return inconsistent("map(inverse(q)) differs from q in " + c.name);
        }
        for (std::size_t i = 0; i < mapped.size(); ++i)
            values_[system_.coordinates[i].q] = mapped[i];
        for (const Constraint& c : system_.constraints)
            if (!(std::abs(value(c.g)) <= kChartTolerance * sizeOf(c)))
                return inconsistent("a mapped point violates the constraint " + c.name);
        for (std::size_t i = 0; i < s.size(); ++i)
            if (!close(value(chart.coordinates[i].inverse), s[i], chart.coordinates[i].unit))
                return inconsistent("inverse(map(s)) differs from s in " + chart.coordinates[i].name);
        return {};
    }

    const Mechanism& mechanism_;
    const ConstrainedSystem& system_;
    const std::vector<Requirement>& requirements_;
    std::unordered_map<Symbol, double, expr::SymbolHash> values_;
};

void requireBody(const Body& body, std::vector<Requirement>& out)
{
    const std::string where = "body " + body.name;
    out.push_back(aboveZero(body.mass, "mass", where, "a body without mass has no equation of motion"));
    if (body.kind == BodyKind::Point)
        return;
    if (!body.space) {
        out.push_back(aboveZero(body.inertia, "inertia", where, "a rigid body without inertia has no equation for its angle"));
        return;
    }
    // Positive definite, by the leading minors.
    const auto J = [&body](std::size_t i) { return body.tensor[i].value; };
    const Expr xx = J(0), yy = J(1), zz = J(2), xy = J(3), xz = J(4), yz = J(5);
    for (const Expr& minor :
         {xx, xx * yy - xy * xy, xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)})
        out.push_back({.value = minor,
                       .what = "The inertia is not positive definite",
                       .sentence = true,
                       .where = where,
                       .why = "a turn about some axis would have no kinetic energy, or a negative one",
                       .remedy = "write moments above zero, and products of inertia that are small against them",
                       .position = body.tensor[0].position});
}

/// Kinetic energy that the velocity of a coordinate has alone, at the start; over parameters.
void requireKinetic(const LagrangianStatement& stated, const ConstrainedSystem& system, std::vector<Requirement>& out)
{
    expr::Substitution start{{*expr::time().symbol(), Expr(0)}};
    for (const Coordinate& c : system.coordinates)
        start.emplace(c.q, c.positionStart);
    for (const MassEntry& e : system.mass)
        if (e.row == e.column)
            out.push_back({.value = expr::substitute(e.value, start),
                           .mayBeZero = true,
                           .what = "The mass matrix is not positive definite at the start",
                           .sentence = true,
                           .where = "lagrangian, kinetic",
                           .why = "the velocity of " + system.coordinates[static_cast<std::size_t>(e.row)].name
                                  + " has negative kinetic energy, or none that is finite",
                           .remedy = "check the signs and the parameters",
                           .position = stated.kinetic.position});
}

} // namespace

Requirement aboveZero(const PlacedExpr& e, const std::string& what, const std::string& where, const std::string& why)
{
    return {.value = e.value,
            .what = what,
            .where = where,
            .why = why,
            .remedy = "write a value above zero",
            .position = e.position};
}

std::vector<Requirement> requirementsOf(const Mechanism& mechanism, const ConstrainedSystem& system)
{
    std::vector<Requirement> out;
    for (const Body& body : mechanism.bodies)
        requireBody(body, out);
    for (const Joint& joint : mechanism.joints)
        joint.form->require(joint, out);
    for (const GeneralCoordinate& c : mechanism.general.coordinates)
        out.push_back({.value = c.mass.value,
                       .mayBeZero = true,
                       .what = "mass",
                       .where = "coordinate " + c.name,
                       .why = "",
                       .remedy = "write a value above zero, or zero where constraints determine the coordinate",
                       .position = c.mass.position});
    if (mechanism.general.lagrangian)
        requireKinetic(*mechanism.general.lagrangian, system, out);
    return out;
}

std::optional<Diagnostic> checkAtStart(const Mechanism& mechanism, const ConstrainedSystem& system,
                                       const std::vector<Requirement>& requirements)
{
    return StartCheck(mechanism, system, requirements).run();
}

} // namespace driftless::model
