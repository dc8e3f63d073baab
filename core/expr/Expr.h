// The expression graph: immutable, shared nodes with value semantics.
//
// An expression mentions four kinds of symbols: time, parameters, variables with a derivative order
// (x, x', x'' are variable("x", 0), ("x", 1), ("x", 2)), and rates. A rate is the derivative of an unknown
// as a DAE integrates it: rate(variable("x", 1)) is d/dt of the unknown x', which a formulation may keep
// apart from the unknown x'' (a dummy derivative). Construction simplifies: sums and products are flat,
// like terms are collected, exact rationals stay exact, and the order of terms is deterministic.
// All traversals are iterative.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace driftless::expr {

enum class SymbolKind : std::uint8_t { Time, Parameter, Variable, Rate };

/// A named quantity. order is the derivative order of a Variable or of the variable under a Rate.
struct Symbol {
    SymbolKind kind = SymbolKind::Parameter;
    std::string name;
    int order = 0;

    /// "t", "L", "bob.x", "bob.x'", "bob.x''", "der(bob.x')".
    std::string text() const;
    auto operator<=>(const Symbol&) const = default;
};

struct SymbolHash {
    std::size_t operator()(const Symbol& s) const noexcept;
};

struct Node; // defined in Node.h, for the files of this room

/// A handle to an immutable node; copying is cheap, the default is the exact constant 0.
class Expr {
public:
    Expr();
    Expr(int value);
    Expr(double value);
    explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

    const Node& node() const { return *node_; }
    const std::shared_ptr<const Node>& handle() const { return node_; }

    bool isZero() const;                         ///< the exact constant 0
    bool isOne() const;                          ///< the exact constant 1
    std::optional<double> constantValue() const; ///< the value if this is a constant
    std::optional<Symbol> symbol() const;        ///< the symbol if this is one
    /// Structural equality (same canonical form), not mathematical equivalence.
    bool sameAs(const Expr& other) const;

private:
    std::shared_ptr<const Node> node_;
};

Expr rational(std::int64_t numerator, std::int64_t denominator);
Expr time();
Expr parameter(std::string name);
Expr variable(std::string name, int order = 0);
Expr rate(const Symbol& unknown);
Expr symbol(const Symbol& s);

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr sum(std::span<const Expr> terms);
Expr product(std::span<const Expr> factors);
Expr pow(const Expr& base, const Expr& exponent);
Expr sqrt(const Expr& a);
Expr abs(const Expr& a);
Expr sign(const Expr& a);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr tanh(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
/// Comparisons give 1 or 0.
Expr less(const Expr& a, const Expr& b);
Expr lessEqual(const Expr& a, const Expr& b);
/// condition is taken as true when it is not 0; both branches may be evaluated, only the chosen one counts.
Expr ifThenElse(const Expr& condition, const Expr& whenTrue, const Expr& whenFalse);

/// Partial derivative with respect to one symbol; every other symbol counts as independent.
Expr derivative(const Expr& e, const Symbol& s);
/// All partial derivatives of e with respect to the given symbols, sharing the work.
std::vector<Expr> gradient(const Expr& e, std::span<const Symbol> symbols);

/// What the time derivative of a symbol is. Returning nullopt takes the default: t -> 1, a parameter -> 0,
/// variable(x, k) -> variable(x, k + 1), a rate -> not allowed (assertion).
using RateRule = std::function<std::optional<Expr>(const Symbol&)>;
/// Total time derivative, order times.
Expr timeDerivative(const Expr& e, int order = 1, const RateRule& rule = {});

using Substitution = std::unordered_map<Symbol, Expr, SymbolHash>;
Expr substitute(const Expr& e, const Substitution& map);

/// All symbols in e, sorted and unique.
std::vector<Symbol> symbolsOf(const Expr& e);
bool dependsOn(const Expr& e, const Symbol& s);
/// The terms of a sum, each with its factor; e alone if it is none.
std::vector<Expr> termsOf(const Expr& e);
/// Distributes products over sums (bounded growth) and collects like terms.
Expr expand(const Expr& e);
/// The same for sums that mention one of the symbols only: (x' + y')^2 is multiplied out for x', y', (a + b)^2 stays.
Expr expandIn(const Expr& e, std::span<const Symbol> symbols);
/// The shortest of what expanding, sin^2 + cos^2 = 1 and the sums of angles give; e itself where none is shorter.
Expr simplified(const Expr& e);
/// Number of distinct nodes of the graph.
std::size_t nodeCount(const Expr& e);

/// Evaluates with values looked up by symbol; nullopt for an unknown symbol. For checks and start values, not
/// for inner loops (use Tape).
std::optional<double> evaluate(const Expr& e, const std::function<std::optional<double>(const Symbol&)>& valueOf);

} // namespace driftless::expr
