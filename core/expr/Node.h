// The nodes behind Expr; private to this room.
//
// Canonical forms:
//   Add  number + sum of weights[i] * args[i]; no argument is a constant, a sum, or a product with a coefficient.
//   Mul  number * product of args[i]; no argument is a constant or a product, no two have the same base, and a
//        lone sum is never scaled (the coefficient is distributed over it).
//   Pow  args[0] ^ args[1]; the square root is the power 1/2.
// Arguments of Add and Mul are sorted (Order.cpp), so that equal forms are equal structures.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/expr/Expr.h"
#include "core/expr/Number.h"

namespace driftless::expr {

/// Leaves first, then sums to powers, then functions in the order of the operator table.
enum class Op : std::uint8_t {
    Constant,
    Pi,
    Symbol,
    Add,
    Mul,
    Pow,
    Abs,
    Sign,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Min,
    Max,
    Less,
    LessEqual,
    IfThenElse
};
constexpr int kOpCount = static_cast<int>(Op::IfThenElse) + 1;

struct Node {
    Op op = Op::Constant;
    bool hasSymbols = false;
    std::size_t hash = 0;
    Number number;                     ///< Constant: its value; Add: the constant term; Mul: the coefficient
    const Symbol& symbol = noSymbol(); ///< Symbol only
    std::vector<Expr> args;
    std::vector<Number> weights; ///< Add only, one per argument
    const Node* lead = nullptr;  ///< the symbol that decides the place of a term in a sum
    double degree = 0;           ///< polynomial degree in the variables

    Node() = default;
    explicit Node(const Symbol& own) : op(Op::Symbol), hasSymbols(true), symbol(own) {}
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    ~Node(); ///< releases the graph below without recursion

private:
    static const Symbol& noSymbol();
};

Expr constant(const Number& n);
Expr pi();
/// A node as given, with hash, lead and degree filled in; the caller guarantees canonical form.
Expr makeNode(Op op, std::vector<Expr> args, const Number& number = {}, std::vector<Number> weights = {});
/// A function by its operator; simplifies. Not for Constant, Symbol, Add and Mul.
Expr applyFunction(Op op, std::span<const Expr> args);
/// The node with other arguments in place of its own, simplified anew.
Expr rebuild(const Node& node, std::span<const Expr> args);
/// n * e
Expr scale(const Number& n, const Expr& e);
/// constant + sum of weights[i] * terms[i]
Expr weightedSum(const Number& constantTerm, std::vector<std::pair<Expr, Number>> terms);

inline const Number* numberOf(const Expr& e) { return e.node().op == Op::Constant ? &e.node().number : nullptr; }
/// Whether e reads as minus something; for e != 0 exactly one of e and -e does.
bool readsNegative(const Expr& e);
/// False where a factor, weight or constant of this node has grown beyond the largest double.
bool hasFiniteNumbers(const Node& node);

// Order.cpp
/// A total order of structures; 0 means the same structure.
int compareStructure(const Node& a, const Node& b);
/// Order of terms in a sum: by leading variable, higher derivatives first, parameters last.
int compareTerms(const Node& a, const Node& b);
/// Order of factors in a product, by base: parameters, variables, functions, sums.
int compareBases(const Node& a, const Node& b);
bool sameStructure(const Expr& a, const Expr& b);

// Traverse.cpp
/// All distinct nodes below the roots, arguments before the nodes that use them. The pointers live as long as
/// the roots.
std::vector<const Expr*> postorder(std::span<const Expr> roots);

} // namespace driftless::expr
