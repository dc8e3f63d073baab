// What an equation model is drawn from, and what would be simpler.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/Draw.h"

namespace driftless::test {

enum class Mixing { None, Constant, OfState };

struct EquationShape {
    std::uint64_t seed = 0;
    std::vector<int> states; ///< differential equations of these orders
    int algebraic = 0;       ///< z + c z^3 = ...
    std::vector<int> chains; ///< a value that is stated, and its rate, and the rate of that: of these lengths
    int bound = 0;           ///< p^(o), q^(o) with a multiplier for q = psi(p): o, or 0
    bool coupled = false;    ///< equations hold unknowns of earlier ones
    bool rates = false;      ///< and their rates
    Mixing rows = Mixing::None, unknowns = Mixing::None;
    bool scaled = false; ///< unknowns and equations of sizes 1e-3 to 1e3

    bool plain() const { return rows == Mixing::None && unknowns == Mixing::None; }
    static const char* factors(Mixing m) { return m == Mixing::Constant ? "constants" : "functions"; }
    std::string told() const
    {
        std::ostringstream out;
        out << "DRIFTLESS_SEED=" << seed << " DRIFTLESS_COUNT=1, states of orders";
        for (const int order : states)
            out << ' ' << order;
        out << ", " << algebraic << " algebraic, chains of lengths";
        for (const int length : chains)
            out << ' ' << length;
        if (bound)
            out << ", bound of order " << bound;
        out << (coupled ? ", coupled" : "") << (rates ? " with rates" : "") << (scaled ? ", scaled" : "");
        if (rows != Mixing::None)
            out << ", rows mixed by " << factors(rows);
        if (unknowns != Mixing::None)
            out << ", unknowns mixed by " << factors(unknowns);
        return out.str();
    }
};

inline EquationShape drawEquations(std::uint64_t seed)
{
    Draw draw(seed);
    EquationShape s;
    s.seed = seed;
    for (int k = draw.upTo(0, 2); k > 0; --k)
        s.states.push_back(draw.upTo(1, 3));
    s.algebraic = draw.upTo(0, 2);
    if (draw.chance(0.5))
        s.chains.push_back(draw.upTo(2, 3));
    if (draw.chance(0.35) || (s.states.empty() && s.algebraic == 0 && s.chains.empty()))
        s.bound = draw.upTo(1, 2);
    s.coupled = draw.chance(0.8);
    s.rates = s.coupled && draw.chance(0.3);
    const std::vector<Mixing> kinds{Mixing::None, Mixing::None, Mixing::Constant, Mixing::OfState};
    s.rows = draw.among(kinds);
    s.unknowns = draw.among(kinds);
    s.scaled = draw.chance(0.3);
    return s;
}

inline std::vector<EquationShape> smallerEquations(const EquationShape& s)
{
    std::vector<EquationShape> out;
    const auto but = [&](auto change) {
        out.push_back(s);
        change(out.back());
    };
    for (Mixing EquationShape::*part : {&EquationShape::rows, &EquationShape::unknowns})
        if (s.*part != Mixing::None)
            but([part](EquationShape& c) { c.*part = c.*part == Mixing::OfState ? Mixing::Constant : Mixing::None; });
    for (bool EquationShape::*part : {&EquationShape::rates, &EquationShape::coupled, &EquationShape::scaled})
        if (s.*part)
            but([part](EquationShape& c) { c.*part = false; });
    if (s.bound)
        but([](EquationShape& c) { --c.bound; });
    for (std::vector<int> EquationShape::*part : {&EquationShape::chains, &EquationShape::states})
        for (std::size_t k = 0; k < (s.*part).size(); ++k)
            but([part, k](EquationShape& c) {
                if (--(c.*part)[k] == 0)
                    (c.*part).erase((c.*part).begin() + static_cast<std::ptrdiff_t>(k));
            });
    if (s.algebraic)
        but([](EquationShape& c) { --c.algebraic; });
    std::erase_if(out, [](const EquationShape& c) { return c.states.empty() && c.chains.empty() && !c.algebraic && !c.bound; });
    return out;
}

} // namespace driftless::test
