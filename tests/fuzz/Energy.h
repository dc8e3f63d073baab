// The balance of power as an identity of a mechanical model: for any q, v, a, t and lambda = 0,
//
//   d/dt (T + V) = v^T (M a - f) + power      (q' = v)
//
// M, f, T, V and the power are derived by different code, so that an error in one of them shows.
#pragma once

#include <algorithm>
#include <vector>

#include "core/expr/Print.h"
#include "core/expr/Size.h"
#include "core/system/Model.h"
#include "tests/fuzz/Fuzz.h"

namespace driftless::fuzz {

class PowerBalance {
public:
    explicit PowerBalance(const model::ConstrainedSystem& system) : system_(system) {}

    /// Whether the identity holds for the model and is short enough to be tried.
    bool applies() const
    {
        if (!system_.plainRates() || system_.n() == 0 || !system_.efforts.empty())
            return false;
        double size = 0;
        for (const expr::Expr* e : {&system_.kinetic, &system_.potential, &system_.carried})
            size += expr::derivativeSize(*e, 1);
        for (const auto& entry : system_.mass)
            size += expr::writtenSize(entry.value);
        for (const expr::Expr& f : system_.force)
            size += expr::writtenSize(f);
        return size < Budget::kTerms * 10;
    }

    /// Round-off differs at neighbouring points and an error does not: what is left over counts where it is the same at three
    /// of them.
    void check(Drawn drawn, const std::string& told) const
    {
        const expr::Expr rate =
            expr::timeDerivative(system_.kinetic + system_.potential + system_.carried, 1, model::motionRule(system_));
        std::vector<double> values;
        for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(system_.n()) + 16; ++i)
            values.push_back(drawn.between(-1.5, 1.5));
        double least = INFINITY, most = -INFINITY, size = 0;
        for (int k = 0; k < 3; ++k) {
            size = 0;
            const double left = leftOver(rate, values, size);
            if (!std::isfinite(left) || !std::isfinite(size))
                return;
            least = std::min(least, left);
            most = std::max(most, left);
            for (double& v : values)
                v *= 1 + drawn.between(-1e-9, 1e-9);
        }
        const bool same = least * most > 0 && most - least < 0.1 * std::abs(least);
        fuzz::check(!same || std::abs(least) <= 1e-6 * (size + 1e-300), "d/dt (T + V) = v^T (M a - f) + power",
                    told + "\nleft over " + std::to_string(least) + " of " + std::to_string(size));
    }

private:
    double leftOver(const expr::Expr& rate, const std::vector<double>& values, double& size) const
    {
        const auto at = [&](const expr::Expr& e) {
            const double value = expr::evaluate(e, [&](const expr::Symbol& s) { return valueOf(s, values); }).value_or(NAN);
            size += std::abs(value);
            return value;
        };
        double out = at(rate) - at(system_.power);
        for (const model::MassEntry& m : system_.mass) {
            const auto& row = system_.coordinates[static_cast<std::size_t>(m.row)];
            const auto& column = system_.coordinates[static_cast<std::size_t>(m.column)];
            out -= at(m.value * expr::symbol(row.v) * expr::symbol(column.a));
        }
        for (std::size_t i = 0; i < system_.force.size(); ++i)
            out += at(system_.force[i] * expr::symbol(system_.coordinates[i].v));
        return out;
    }

    std::optional<double> valueOf(const expr::Symbol& s, const std::vector<double>& values) const
    {
        if (s.kind == expr::SymbolKind::Time)
            return values[0];
        for (const auto& p : system_.parameters)
            if (p.symbol == s)
                return p.quantity.value;
        for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
            const auto& c = system_.coordinates[i];
            if (c.q == s)
                return values[1 + 3 * i] + c.position.value;
            if (c.v == s)
                return values[2 + 3 * i];
            if (c.a == s)
                return values[3 + 3 * i];
        }
        for (std::size_t i = 0; i < system_.dynamics.size(); ++i)
            if (system_.dynamics[i].s == s)
                return values[1 + 3 * system_.coordinates.size() + i % 8];
        return 0; // multipliers
    }

    const model::ConstrainedSystem& system_;
};

} // namespace driftless::fuzz
