// Constrained systems whose motion is known, built backwards: the motion q(t) and the multipliers lambda(t) are drawn first,
// then M(q), U(q) and the rows, each of which holds along the motion, and last the forces that the motion then needs:
//
//   F = d/dt dT/dv - dT/dq + dU/dq + W^T lambda   along q(t),   and -k (q - q(t)) - c (v - v(t)), which vanishes there
//
// The constrained coordinates stand last. Row j is q_j = psi_j(q of the others) + tau_j(t), or v_j = A_j(q) v + r_j(t), and the
// rows are mixed by a regular matrix, so that none belongs to one coordinate alone.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "core/expr/Print.h"
#include "core/system/Model.h"
#include "tests/properties/MotionShape.h"

namespace driftless::test {

class KnownMotion {
public:
    explicit KnownMotion(const MotionShape& shape) : shape_(shape), draw_(shape.seed ^ 0x5eedu)
    {
        drawMotion();
        drawRows();
        drawEnergies();
        write();
    }

    const std::string& text() const { return text_; }
    int n() const { return shape_.n(); }
    double position(int i, double t) const { return at(motion_[place(i)], t); }
    double velocity(int i, double t) const { return at(expr::timeDerivative(motion_[place(i)]), t); }
    /// Multipliers by the names that runs give them.
    std::vector<std::pair<std::string, double>> multipliers(double t) const
    {
        std::vector<std::pair<std::string, double>> out;
        for (std::size_t k = 0; k < lambda_.size(); ++k)
            out.emplace_back("row" + std::to_string(k) + (isHolonomic(k) ? ".lambda" : ".mu"), at(lambda_[k], t));
        return out;
    }
    static std::string name(int i) { return "q" + std::to_string(i); }

private:
    using Expr = expr::Expr;
    static std::size_t place(int i) { return static_cast<std::size_t>(i); }
    static Expr q(int i) { return expr::variable(name(i)); }
    static Expr v(int i) { return expr::variable(name(i), 1); }
    bool isHolonomic(std::size_t row) const { return row < place(shape_.holonomic); }
    static double at(const Expr& e, double t)
    {
        return expr::evaluate(
                   e, [t](const expr::Symbol& s) { return s.kind == expr::SymbolKind::Time ? std::optional(t) : std::nullopt; })
            .value_or(NAN);
    }
    Expr wave(double least, double most)
    {
        const double mean = draw_.decimal(-1, 1), size = draw_.decimal(least, most), rate = draw_.decimal(0.5, 2),
                     phase = draw_.decimal(0, 6);
        return Expr(mean) + Expr(size) * expr::sin(Expr(rate) * expr::time() + Expr(phase));
    }
    /// A function of the free coordinates.
    Expr curve()
    {
        std::vector<Expr> terms{Expr(draw_.decimal(-1, 1))};
        for (int i = 0; i < shape_.free; ++i) {
            terms.push_back(Expr(draw_.decimal(-1, 1)) * q(i));
            terms.push_back(draw_.chance(0.5) ? Expr(draw_.decimal(-0.5, 0.5)) * q(i) * q(draw_.upTo(0, shape_.free - 1))
                                              : Expr(draw_.decimal(-0.5, 0.5)) * expr::sin(q(i)));
        }
        return expr::sum(terms);
    }
    Expr along(const Expr& e) const
    {
        expr::Substitution map;
        for (int i = 0; i < n(); ++i)
            for (int order = 0; order <= 2; ++order)
                if (place(i) < motion_.size())
                    map.emplace(expr::Symbol{expr::SymbolKind::Variable, name(i), order},
                                order == 0 ? motion_[place(i)] : expr::timeDerivative(motion_[place(i)], order));
        return expr::substitute(e, map);
    }

    void drawMotion()
    {
        for (int i = 0; i < shape_.free; ++i)
            motion_.push_back(wave(0.2, 0.8));
        for (int k = 0; k < shape_.holonomic; ++k) {
            const Expr psi = curve(), tau = shape_.moving ? wave(0.1, 0.5) : Expr(0);
            motion_.push_back(along(psi) + tau);
            rows_.push_back(q(shape_.free + k) - psi - tau);
        }
        for (int k = 0; k < shape_.nonholonomic; ++k)
            motion_.push_back(wave(0.2, 0.8));
    }

    void drawRows()
    {
        for (int k = 0; k < shape_.nonholonomic; ++k) {
            Expr psi = v(shape_.free + shape_.holonomic + k);
            for (int i = 0; i < shape_.free; ++i)
                psi = psi - curve() * v(i);
            rows_.push_back(psi - along(psi));
        }
        for (std::size_t k = 0; k < rows_.size(); ++k)
            lambda_.push_back(Expr(2) * wave(0.2, 1));
        if (shape_.mixed) // a row takes parts of the later ones of its kind: regular
            for (std::size_t k = 0; k < rows_.size(); ++k)
                for (std::size_t l = k + 1; l < rows_.size(); ++l)
                    if (isHolonomic(k) == isHolonomic(l))
                        rows_[k] = rows_[k] + Expr(draw_.decimal(-1, 1)) * rows_[l];
    }

    void drawEnergies()
    {
        std::vector<Expr> terms;
        for (int i = 0; i < n(); ++i)
            terms.push_back(Expr(draw_.decimal(0.5, 2)) * expr::pow(v(i), 2));
        if (shape_.coupled) {
            std::vector<Expr> flow;
            for (int i = 0; i < n(); ++i)
                flow.push_back(
                    (Expr(draw_.decimal(-0.6, 0.6)) + Expr(draw_.decimal(-0.5, 0.5)) * expr::cos(q(draw_.upTo(0, n() - 1))))
                    * v(i));
            terms.push_back(expr::pow(expr::sum(flow), 2));
        }
        kinetic_ = expr::rational(1, 2) * expr::sum(terms);
        std::vector<Expr> wells;
        for (int i = 0; i < n(); ++i)
            wells.push_back(Expr(draw_.decimal(0, 2)) * expr::pow(q(i), 2) + Expr(draw_.decimal(-1, 1)) * expr::cos(q(i)));
        potential_ = expr::sum(wells);
    }

    /// What drives coordinate i so that it moves as it was drawn.
    Expr forceOn(int i)
    {
        const expr::Symbol position = *q(i).symbol(), speed = *v(i).symbol();
        Expr balance = expr::timeDerivative(expr::derivative(kinetic_, speed)) - expr::derivative(kinetic_, position)
                       + expr::derivative(potential_, position);
        for (std::size_t k = 0; k < rows_.size(); ++k)
            balance = balance + lambda_[k] * expr::derivative(rows_[k], isHolonomic(k) ? position : speed);
        const Expr path = motion_[place(i)];
        return along(balance) - Expr(draw_.decimal(1, 5)) * (q(i) - path)
               - Expr(draw_.decimal(0.5, 2)) * (v(i) - expr::timeDerivative(path));
    }

    void write()
    {
        std::ostringstream out;
        out.precision(17);
        out << "format = 1\ntitle = \"drawn\"\n";
        for (int i = 0; i < n(); ++i) {
            out << "[[coordinate]]\nname = \"" << name(i) << "\"\nstart = " << position(i, 0) << '\n';
            if (!shape_.basis)
                out << "velocity = " << velocity(i, 0) << '\n';
        }
        out << "[lagrangian]\nkinetic = \"" << expr::print(kinetic_) << "\"\npotential = \"" << expr::print(potential_)
            << "\"\n";
        for (std::size_t k = 0; k < rows_.size(); ++k)
            out << "[[constraint]]\nname = \"row" << k << "\"\n"
                << (isHolonomic(k) ? "holonomic" : "nonholonomic") << " = \"" << expr::print(rows_[k]) << "\"\n";
        for (int i = 0; i < n(); ++i)
            out << "[[force]]\nkind = \"generalized\"\ncoordinate = \"" << name(i) << "\"\nvalue = \""
                << expr::print(forceOn(i)) << "\"\n";
        writeExtras(out);
        if (shape_.basis)
            writeBasis(out);
        text_ = out.str();
    }

    void writeExtras(std::ostream& out)
    {
        if (shape_.dynamic) { // s follows S(t), and pulls where it does not
            const Expr S = wave(0.2, 1), s = expr::variable("s");
            out << "[[dynamic]]\nname = \"s\"\nstart = " << at(S, 0) << "\nrate = \""
                << expr::print(expr::timeDerivative(S) - Expr(2) * (s - S)) << "\"\n"
                << "[[force]]\nkind = \"generalized\"\ncoordinate = \"q0\"\nvalue = \"" << expr::print(s - S) << "\"\n";
        }
        if (shape_.effort) { // e + e^3/10 = E + E^3/10 has the root E alone
            const Expr E = wave(0.2, 1), e = expr::variable("e"), tenth = expr::rational(1, 10);
            out << "[[effort]]\nname = \"e\"\nstart = " << at(E, 0) << "\nequation = \""
                << expr::print(e + tenth * expr::pow(e, 3) - E - tenth * expr::pow(E, 3)) << "\"\n"
                << "[[force]]\nkind = \"generalized\"\ncoordinate = \"q0\"\nvalue = \"" << expr::print(e - E) << "\"\n";
        }
    }

    /// q0' = u0, qi' = ui + c sin(q0) u0.
    void writeBasis(std::ostream& out)
    {
        out << "[velocity]\nnames = [";
        for (int i = 0; i < n(); ++i)
            out << (i ? ", " : "") << "\"u" << i << '"';
        out << "]\n[velocity.rates]\nq0 = \"u0\"\n";
        std::ostringstream starts;
        starts.precision(17);
        starts << "[velocity.start]\nu0 = " << velocity(0, 0) << '\n';
        for (int i = 1; i < n(); ++i) {
            const double c = draw_.decimal(-0.5, 0.5);
            out << name(i) << " = \"u" << i << (c < 0 ? " - " : " + ") << std::abs(c) << "*sin(q0)*u0\"\n";
            starts << 'u' << i << " = " << velocity(i, 0) - c * std::sin(position(0, 0)) * velocity(0, 0) << '\n';
        }
        out << starts.str();
    }

    MotionShape shape_;
    Draw draw_;
    std::vector<Expr> motion_; ///< q_i(t)
    std::vector<Expr> rows_;   ///< g or psi, the holonomic ones first
    std::vector<Expr> lambda_; ///< of t
    Expr kinetic_, potential_;
    std::string text_;
};

} // namespace driftless::test
