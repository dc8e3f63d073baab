// Equation models whose motion is known: every row is some expression of the unknowns less its value along a motion that was
// drawn first. Blocks of known structure (differential equations, algebraic ones, stated values with their rates, bound pairs
// with a multiplier) hold unknowns of earlier blocks; then unknowns and rows are mixed by triangular transformations, so that
// structure alone sees neither the index nor the degrees of freedom.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/Index.h"
#include "core/equations/EquationWriter.h"
#include "core/expr/Expr.h"
#include "core/system/EquationSystem.h"
#include "tests/properties/EquationShape.h"

namespace driftless::test {

class KnownEquations {
public:
    using Expr = expr::Expr;

    explicit KnownEquations(const EquationShape& shape) : shape_(shape), draw_(shape.seed ^ 0xe9u)
    {
        drawBlocks();
        mixUnknowns();
        mixRows();
        write();
    }

    const EquationShape& shape() const { return shape_; }
    const std::string& text() const { return text_; }
    const std::vector<Expr>& rows() const { return rows_; }
    const std::vector<std::string>& names() const { return names_; }
    int n() const { return static_cast<int>(rows_.size()); }
    /// Of the highest derivative of an unknown in the rows.
    int order(int unknown) const
    {
        int most = -1;
        for (const Expr& row : rows_)
            for (const expr::Symbol& s : expr::symbolsOf(row))
                if (s.name == names_[at(unknown)])
                    most = std::max(most, s.order);
        return most;
    }
    double value(int unknown, int order, double t) const
    {
        auto& derivatives = derivatives_[unknown];
        while (static_cast<int>(derivatives.size()) <= order)
            derivatives.push_back(derivatives.empty() ? motion_[at(unknown)] : expr::timeDerivative(derivatives.back()));
        return expr::evaluate(derivatives[at(order)], [t](const expr::Symbol&) { return std::optional(t); }).value_or(NAN);
    }
    /// A usual size of the unknown.
    double size(int unknown) const { return sizes_[at(unknown)]; }

private:
    static std::string base(std::size_t k) { return "z" + std::to_string(k); }
    static Expr z(std::size_t k, int order = 0) { return expr::variable(base(k), order); }
    Expr number(double low, double high) { return Expr(std::round(10 * draw_.between(low, high)) / 10); }

    std::size_t unknown()
    {
        motion_.push_back(number(-1, 1) + number(0.2, 0.8) * expr::sin(number(0.5, 2) * expr::time() + number(0, 6)));
        return motion_.size() - 1;
    }
    /// A function of unknowns of earlier blocks, which are those below `first`; 0 where there are none.
    Expr coupling(std::size_t first)
    {
        if (!shape_.coupled || first == 0 || draw_.chance(0.3))
            return Expr(0);
        const auto other = [&] { return static_cast<std::size_t>(draw_.upTo(0, static_cast<int>(first) - 1)); };
        Expr out = number(-1, 1) * z(other());
        switch (draw_.upTo(0, 3)) {
        case 0:
            out = out + number(-0.5, 0.5) * expr::sin(z(other()));
            break;
        case 1:
            out = out + number(-0.5, 0.5) * z(other()) * z(other());
            break;
        case 2:
            if (shape_.rates)
                out = out + number(-0.5, 0.5) * z(other(), 1);
            break;
        default:
            break;
        }
        return out;
    }
    void row(const Expr& left) { rows_.push_back(left); }
    /// z^(order) and what brings it back to the motion: poles in the left half plane.
    static Expr damped(std::size_t k, int order)
    {
        if (order == 1)
            return z(k, 1) + z(k);
        if (order == 2)
            return z(k, 2) + Expr(2) * z(k, 1) + Expr(3) * z(k);
        return z(k, 3) + Expr(3) * z(k, 2) + Expr(4) * z(k, 1) + Expr(2) * z(k);
    }

    void drawBlocks()
    {
        for (const int order : shape_.states) {
            const std::size_t first = motion_.size(), k = unknown();
            row(damped(k, order) + coupling(first));
        }
        for (int a = 0; a < shape_.algebraic; ++a) {
            const std::size_t first = motion_.size(), k = unknown();
            row(z(k) + expr::rational(1, 10) * expr::pow(z(k), 3) + coupling(first));
        }
        if (shape_.bound) {
            const std::size_t first = motion_.size(), p = unknown(), q = unknown(), lambda = unknown();
            const Expr psi = number(-1, 1) * z(p) + number(-0.5, 0.5) * expr::sin(z(p));
            row(damped(p, shape_.bound) + expr::derivative(psi, *z(p).symbol()) * z(lambda) + coupling(first));
            row(damped(q, shape_.bound) - z(lambda) + coupling(first));
            row(z(q) - psi);
        }
        for (const int length : shape_.chains) {
            const std::size_t first = motion_.size();
            row(z(unknown()) + coupling(first));
            for (int i = 1; i < length; ++i) {
                const std::size_t k = unknown();
                row(z(k) - z(k - 1, 1) + coupling(first));
            }
        }
        for (Expr& r : rows_)
            r = r - along(r);
    }

    Expr along(const Expr& e) const
    {
        expr::Substitution map;
        for (const expr::Symbol& s : expr::symbolsOf(e))
            if (s.kind == expr::SymbolKind::Variable)
                map.emplace(s, expr::timeDerivative(motion_[at(std::stoi(s.name.substr(1)))], s.order));
        return expr::substitute(e, map);
    }

    /// z_k = s_k (x_k + phi(x of later ones in a drawn order)).
    void mixUnknowns()
    {
        const std::size_t n = motion_.size();
        std::vector<std::size_t> order(n);
        for (std::size_t k = 0; k < n; ++k) {
            order[k] = k;
            std::swap(order[k], order[at(draw_.upTo(0, static_cast<int>(k)))]);
        }
        const std::vector<std::string> words{"x", "U", "omega_", "Der", "timer", "pi_", "e", "a_b", "I", "lambda"};
        for (std::size_t k = 0; k < n; ++k)
            names_.push_back(draw_.among(words) + std::to_string(k));
        std::vector<Expr> of(n), path(n);
        sizes_.assign(n, 1);
        for (std::size_t back = n; back-- > 0;) {
            const std::size_t k = order[back];
            Expr phi(0), phiAlong(0);
            if (back + 1 < n && shape_.unknowns != Mixing::None && draw_.chance(0.7)) {
                const std::size_t l = order[at(draw_.upTo(static_cast<int>(back) + 1, static_cast<int>(n) - 1))];
                const Expr c = number(-1, 1) / Expr(sizes_[l]), x = expr::variable(names_[l]);
                const bool curved = shape_.unknowns == Mixing::OfState && draw_.chance(0.5);
                phi = curved ? expr::sin(c * x) : c * x;
                phiAlong = curved ? expr::sin(c * path[l]) : c * path[l];
            }
            if (shape_.scaled)
                sizes_[k] = std::pow(10.0, draw_.upTo(-3, 3));
            of[k] = expr::variable(names_[k]) / Expr(sizes_[k]) + phi;
            path[k] = Expr(sizes_[k]) * (motion_[k] - phiAlong);
        }
        expr::Substitution map;
        for (std::size_t k = 0; k < n; ++k)
            for (int d = 0; d <= 3; ++d)
                map.emplace(expr::Symbol{expr::SymbolKind::Variable, base(k), d}, expr::timeDerivative(of[k], d));
        for (Expr& r : rows_)
            r = expr::substitute(r, map);
        motion_ = path;
    }

    /// Row i takes parts of other rows: once those behind it, once those before it, so that the matrix is regular and full.
    void mixRows()
    {
        const int n = static_cast<int>(rows_.size());
        if (shape_.rows != Mixing::None)
            for (int k = 0; k < 2 * n && n > 1; ++k) {
                const int i = draw_.upTo(0, n - 1), j = (i + draw_.upTo(1, n - 1)) % n;
                Expr c = number(-1, 1);
                if (shape_.rows == Mixing::OfState && draw_.chance(0.3)) {
                    const std::size_t l = at(draw_.upTo(0, n - 1));
                    c = c * expr::cos(expr::variable(names_[l]) / Expr(sizes_[l]));
                }
                rows_[at(i)] = rows_[at(i)] + c * rows_[at(j)];
            }
        for (int i = 0; i < n; ++i)
            std::swap(rows_[at(i)], rows_[at(draw_.upTo(0, i))]);
        if (shape_.scaled)
            for (Expr& r : rows_)
                r = Expr(std::pow(10.0, draw_.upTo(-2, 2))) * r;
    }

    void write()
    {
        model::EquationSystem system;
        for (int j = 0; j < n(); ++j) {
            model::EquationUnknown x;
            x.quantity.name = names_[at(j)];
            x.quantity.value = value(j, 0, 0);
            x.started = true;
            system.unknowns.push_back(x);
        }
        for (int i = 0; i < n(); ++i)
            system.equations.push_back(
                {.name = "eq" + std::to_string(i + 1), .description = {}, .residual = rows_[at(i)], .position = {}});
        text_ = model::modelicaText(system, "drawn");
    }

    EquationShape shape_;
    Draw draw_;
    std::vector<Expr> motion_, rows_;
    std::vector<std::string> names_;
    std::vector<double> sizes_;
    mutable std::map<int, std::vector<Expr>> derivatives_;
    std::string text_;
};

} // namespace driftless::test
