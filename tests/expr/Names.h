// The names that the tests of this room know: L m g k c omega are parameters, t is the time, the rest variables.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "core/expr/Expr.h"
#include "core/expr/Parse.h"

namespace driftless::expr {

inline std::optional<Expr> knownName(std::string_view name, int primes)
{
    for (const std::string_view p : {"L", "m", "g", "k", "c", "omega"})
        if (name == p)
            return primes > 0 ? std::nullopt : std::optional(parameter(std::string(name)));
    if (name == "t")
        return primes > 0 ? std::nullopt : std::optional(time());
    for (const std::string_view v : {"x", "y", "z", "phi", "phi0", "lambda", "a", "b", "bob.x", "bob.y", "rod.lambda1"})
        if (name == v)
            return variable(std::string(name), primes);
    return std::nullopt;
}

inline const std::vector<std::string> kKnownNames{"L", "m",   "g",    "k",      "c", "omega", "t",     "x",     "y",
                                                  "z", "phi", "phi0", "lambda", "a", "b",     "bob.x", "bob.y", "rod.lambda1"};

/// Parses a text of the test; a text that does not parse ends the program with its message.
inline Expr parsed(std::string_view text)
{
    const Result<Expr> r = parse(text, knownName);
    if (!r) {
        std::fprintf(stderr, "%s: %s\n", std::string(text).c_str(), r.error().text().c_str());
        std::abort();
    }
    return *r;
}

} // namespace driftless::expr
