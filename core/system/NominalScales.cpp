#include "core/system/NominalScales.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/expr/Units.h"

namespace driftless::model {

namespace {

using std::size_t;

constexpr double kRoundoffLength = 1e-10; ///< of what else tells a length
constexpr double kShortestStart = 1e-13;  ///< of one unit: where nothing else tells one, a start is round-off
constexpr double kWithoutData = 0.1;      ///< of the time of the file's run, where nothing moves and nothing pulls
constexpr double kBeside = 0.25;          ///< of S: a second place to look at, where rows that vanish at the start do not

constexpr size_t kMostCompared = 1000; ///< coordinates whose radii of gyration are looked for, each against each

bool withoutUnit(const std::string& unit) { return unit.empty() || unit == "1" || unit == "rad"; }

/// Of the derivative of that order. Division by division: the same digits in all units that differ by powers of two.
NominalScales::Size rated(double size, double time, int order)
{
    NominalScales::Size out{size, nearestPowerOfTwo(size)};
    for (int k = 0; k < order; ++k) {
        out.usual /= time;
        out.unit /= nearestPowerOfTwo(time);
    }
    return out;
}

/// Sizes of a mechanism, worked out one after the other.
struct Worked {
    SystemEvaluator& e;
    const CompiledSystem& c;
    const ConstrainedSystem& s;
    size_t n, m;
    std::vector<double> q, v, beside, lambda;
    std::vector<double> diagonal;            ///< of M, n
    std::vector<double> mass, gradients;     ///< largest magnitudes at both places, on their places
    std::vector<double> force, sizes, rates; ///< f at the start, 0 where it has no value; S; |q' of v| turned round: V T
    NominalScales out;

    explicit Worked(SystemEvaluator& evaluator)
        : e(evaluator), c(e.compiled()), s(c.system()), n(static_cast<size_t>(c.n())), m(static_cast<size_t>(c.m())), q(n),
          v(n), beside(n), lambda(static_cast<size_t>(c.w())), diagonal(n), mass(c.massPlaces().size()),
          gradients(c.jacobianPlaces().size()), force(n), sizes(n), rates(n)
    {
    }

    static void largest(std::vector<double>& into, const std::vector<double>& values)
    {
        for (size_t k = 0; k < into.size(); ++k)
            if (std::isfinite(values[k]))
                into[k] = std::max(into[k], std::abs(values[k]));
    }

    void lookAt(const std::vector<double>& at)
    {
        std::vector<double> values(std::max(mass.size(), gradients.size()));
        if (e.mass(0, at.data(), values.data()))
            largest(mass, values);
        if (e.jacobian(0, at.data(), values.data()))
            largest(gradients, values);
        for (size_t k = 0; k < mass.size(); ++k)
            if (const solve::MatrixPlace& p = c.massPlaces()[k]; p.row == p.column)
                diagonal[static_cast<size_t>(p.row)] = mass[k];
    }

    double massOf(size_t i) const { return diagonal[i]; }

    /// The largest length that the file and the equations give the coordinates of one unit; 0 where they give none.
    double common(const std::string& unit) const
    {
        double size = 0, stated = 0;
        std::vector<double> across(m, 0.0),
            turning(m, 0.0); // largest entries of a row in coordinates of the unit and in angles
        for (size_t i = 0; i < n; ++i)
            if (s.coordinates[i].unit == unit) {
                size = std::max(size, std::abs(q[i]));
                stated = std::max(stated, s.coordinates[i].position.nominal);
            }
        if (stated > 0)
            return stated;
        for (size_t k = 0; k < gradients.size() && c.plainRates(); ++k) {
            const solve::MatrixPlace& p = c.jacobianPlaces()[k];
            const std::string& of = s.coordinates[static_cast<size_t>(p.column)].unit;
            auto& list = of == unit ? across : turning;
            if (of == unit || withoutUnit(of))
                list[static_cast<size_t>(p.row)] = std::max(list[static_cast<size_t>(p.row)], gradients[k]);
        }
        for (size_t k = 0; k < m; ++k)
            if (across[k] > 0)
                size = std::max(size, turning[k] / across[k]);
        // A start or an arm that is round-off beside them is none.
        const double others = ofBodies(unit), moved = ofMotion(unit), told = others > 0 ? others : moved;
        const double least = told > 0 ? kRoundoffLength * std::max(others, moved) : kShortestStart;
        return size > least ? size : told;
    }

    /// v^2 / a of the fastest and of what pulls most at the start: the way in which one makes the other.
    double ofMotion(const std::string& unit) const
    {
        double speed = 0, acceleration = 0;
        for (size_t i = 0; i < n && c.plainRates(); ++i)
            if (s.coordinates[i].unit == unit && massOf(i) > 0) {
                speed = std::max(speed, std::abs(v[i]));
                acceleration = std::max(acceleration, std::abs(force[i]) / massOf(i));
            }
        const double size = speed * speed / acceleration;
        return acceleration > 0 && std::isfinite(size) ? size : 0;
    }

    /// Radii of gyration, else the parameters of that unit.
    double ofBodies(const std::string& unit) const
    {
        double size = 0;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n && n <= kMostCompared; ++j)
                if (s.coordinates[i].unit == unit && withoutUnit(s.coordinates[j].unit)
                    && s.coordinates[i].body == s.coordinates[j].body && massOf(i) > 0)
                    size = std::max(size, std::sqrt(massOf(j) / massOf(i)));
        for (size_t k = 0; size == 0 && k < s.parameters.size(); ++k)
            if (s.parameters[k].quantity.unit == unit)
                size = std::max(size, std::abs(e.parameters()[k]));
        return size;
    }

    double sizeOfUnit(const std::string& unit) const
    {
        if (withoutUnit(unit))
            return 1;
        const double size = common(unit);
        return size > 0 && std::isfinite(size) ? size : 1;
    }

    void setSizes()
    {
        std::map<std::string, double> known;
        for (size_t i = 0; i < n; ++i) {
            const Coordinate& x = s.coordinates[i];
            const auto [at, fresh] = known.try_emplace(x.unit, 1.0);
            if (fresh)
                at->second = sizeOfUnit(x.unit);
            sizes[i] = x.position.nominal > 0 ? x.position.nominal : at->second;
            if (expr::isLength(x.unit))
                out.length = at->second;
        }
    }

    /// V T: S where q' = v, else the largest velocity that moves no coordinate by more than its S in T.
    void setRates()
    {
        rates = sizes;
        if (c.plainRates())
            return;
        std::vector<double> unit(n, 0.0), moved(n, 0.0);
        for (size_t j = 0; j < n; ++j) {
            unit[j] = 1;
            double least = 0;
            if (e.coordinateRates(0, beside.data(), unit.data(), moved.data()))
                for (size_t i = 0; i < n; ++i)
                    if (moved[i] != 0 && std::isfinite(moved[i]))
                        least = least == 0 ? sizes[i] / std::abs(moved[i]) : std::min(least, sizes[i] / std::abs(moved[i]));
            unit[j] = 0;
            rates[j] = least > 0 ? least : 1;
        }
    }

    void pull()
    {
        if (!e.force(0, q.data(), v.data(), lambda.data(), force.data()))
            std::ranges::fill(force, 0.0);
        std::ranges::replace_if(
            force, [](double f) { return !std::isfinite(f); }, 0.0);
    }

    /// 1/T^2, 0 where nothing moves and nothing pulls.
    double rateSquared() const
    {
        double squared = 0;
        for (size_t i = 0; i < n; ++i) {
            const double speed = v[i] / rates[i], inertia = massOf(i) * rates[i];
            squared = std::max(squared, speed * speed);
            if (inertia > 0)
                squared = std::max(squared, std::abs(force[i]) / inertia / (std::numbers::pi * std::numbers::pi));
        }
        return std::isfinite(squared) ? squared : 0;
    }

    /// still: where nothing moves and nothing pulls.
    void setTime(double still)
    {
        const auto& run = c.model().run;
        const double squared = rateSquared(), longest = run.endStated ? run.end : std::numeric_limits<double>::infinity();
        out.time = squared > 0 ? std::min(1 / std::sqrt(squared), longest) : still;
    }

    void setForces()
    {
        out.energy = 0;
        for (size_t i = 0; i < n; ++i) {
            const double speed = rates[i] / out.time;
            out.energies.push_back(massOf(i) * speed * speed);
            out.energy = std::max(out.energy, out.energies.back());
            out.velocities.push_back(speed);
        }
        if (!(out.energy > 0 && std::isfinite(out.energy)))
            out.energy = 1;
        std::vector<double> across(m, 0.0);
        for (size_t k = 0; k < gradients.size(); ++k) {
            const solve::MatrixPlace& p = c.jacobianPlaces()[k];
            across[static_cast<size_t>(p.row)] =
                std::max(across[static_cast<size_t>(p.row)], gradients[k] * out.velocities[static_cast<size_t>(p.column)]);
        }
        for (size_t k = 0; k < m; ++k) {
            const double rate = across[k] > 0 ? across[k] : 1 / out.time;
            out.rows.push_back(out.time * rate);
            out.rowUnits.push_back(nearestPowerOfTwo(out.rows.back()));
            out.byName.emplace(
                s.constraints[k].multiplier.text(),
                NominalScales::Size{out.energy / out.rows.back(), nearestPowerOfTwo(out.energy) / out.rowUnits.back()});
        }
    }

    void setNames()
    {
        const auto put = [this](const std::string& name, double size, int order) {
            out.byName.emplace(name, rated(size, out.time, order));
        };
        for (size_t i = 0; i < n; ++i) {
            put(s.coordinates[i].q.text(), sizes[i], 0);
            put(s.coordinates[i].v.text(), rates[i], 1);
            put(s.coordinates[i].a.text(), rates[i], 2);
        }
        if (s.chart)
            for (const ChartCoordinate& x : s.chart->coordinates) {
                const double size = sizeOfUnit(x.unit);
                put(x.s.text(), size, 0);
                put(x.ds.text(), size, 1);
                put(x.dds.text(), size, 2);
            }
        for (const DynamicVariable& d : s.dynamics)
            if (d.nominal > 0)
                put(d.name, d.nominal, 0);
        for (const Effort& f : s.efforts)
            if (f.nominal > 0)
                put(f.name, f.nominal, 0);
    }
};

NominalScales ofValues(const ConstrainedSystem& s, double end)
{
    NominalScales out;
    const auto stated = [](const GeneralValue& x) { return x.nominal > 0; };
    const bool any = std::any_of(s.values.begin(), s.values.end(), stated);
    if (any) {
        double fastest = 0; // of the start's rates, where the text states them
        for (size_t i = 0; i + 1 < s.values.size(); ++i)
            if (const GeneralValue& next = s.values[i + 1]; s.values[i].followed && next.started)
                fastest = std::max(fastest, std::abs(next.start) / (s.values[i].nominal > 0 ? s.values[i].nominal : 1));
        out.time = fastest > 0 ? std::min(1 / fastest, end) : kWithoutData * end;
    }
    double size = 1;
    for (const GeneralValue& x : s.values) {
        if (x.symbol.order == 0)
            size = x.nominal > 0 ? x.nominal : 1;
        const NominalScales::Size rate = rated(size, out.time, x.symbol.order);
        out.byName.emplace(x.name, rate);
        if (any)
            out.valueUnits.push_back(rate.usual);
    }
    return out;
}

} // namespace

double nearestPowerOfTwo(double x)
{
    int exponent = 0;
    if (!(x > 0) || !std::isfinite(x))
        return 1;
    const double part = std::frexp(x, &exponent); // x = part 2^exponent, part in [1/2, 1)
    exponent -= part < std::numbers::sqrt2 / 2;
    return std::abs(exponent) < 400 ? std::ldexp(1.0, exponent) : 1.0; // products of two and quotients stay finite
}

namespace {

/// All but forces and names.
Worked workedOut(SystemEvaluator& evaluator, const double* q, const double* v)
{
    const CompiledSystem& compiled = evaluator.compiled();
    Worked w(evaluator);
    const bool stated = evaluator.starts(w.q.data(), w.v.data(), w.lambda.data() + compiled.m());
    if (q)
        std::copy_n(q, w.n, w.q.begin());
    if (v)
        std::copy_n(v, w.n, w.v.begin());
    if (!stated && !q)
        std::fill(w.q.begin(), w.q.end(), 0.0);
    w.pull();
    w.lookAt(w.q);
    w.setSizes();
    for (size_t i = 0; i < w.n; ++i)
        w.beside[i] = w.q[i] + kBeside * w.sizes[i] * (1 + 0.37 * static_cast<double>(i % 5)) * (i % 2 == 0 ? 1 : -1);
    w.lookAt(w.beside);
    w.setSizes();
    w.setRates();
    w.setTime(kWithoutData * compiled.model().run.end);
    return w;
}

} // namespace

NominalScales nominalScales(SystemEvaluator& evaluator, const double* q, const double* v)
{
    const CompiledSystem& compiled = evaluator.compiled();
    if (compiled.model().reduced)
        return ofValues(compiled.system(), compiled.model().run.end);
    Worked w = workedOut(evaluator, q, v);
    w.out.positions = w.sizes;
    w.out.moves = w.rates;
    w.setForces();
    w.setNames();
    return std::move(w.out);
}

} // namespace driftless::model
