// Builders of the functions, with the few rewritings that hold wherever both sides are defined.
#include <cassert>

#include "core/expr/Node.h"
#include "core/expr/Operators.h"

namespace driftless::expr {
namespace {

Expr unary(Op op, const Expr& a)
{
    const Operator& row = operatorRow(op);
    if (row.parity != Parity::None && readsNegative(a)) {
        const Expr mirrored = unary(op, -a);
        return row.parity == Parity::Odd ? -mirrored : mirrored;
    }
    return makeNode(op, {a});
}

/// f(0) = 0 for the odd functions.
Expr oddFunction(Op op, const Expr& a) { return a.isZero() ? Expr() : unary(op, a); }

Expr comparison(Op op, const Expr& a, const Expr& b)
{
    const Number* x = numberOf(a);
    const Number* y = numberOf(b);
    if (!x || !y)
        return makeNode(op, {a, b});
    const int order = compare(*x, *y);
    const bool holds = op == Op::Less ? order < 0 : order <= 0;
    return Expr(holds ? 1 : 0);
}

} // namespace

Expr abs(const Expr& a)
{
    const Number* n = numberOf(a);
    if (!n)
        return unary(Op::Abs, a);
    return constant(n->negative() ? -*n : *n);
}

Expr sign(const Expr& a)
{
    const Number* n = numberOf(a);
    if (!n)
        return unary(Op::Sign, a);
    if (n->isZero())
        return Expr(0);
    return Expr(n->negative() ? -1 : 1);
}

Expr sin(const Expr& a) { return oddFunction(Op::Sin, a); }

Expr cos(const Expr& a) { return a.isZero() ? Expr(1) : unary(Op::Cos, a); }

Expr tan(const Expr& a) { return oddFunction(Op::Tan, a); }

Expr asin(const Expr& a) { return oddFunction(Op::Asin, a); }

Expr acos(const Expr& a) { return a.isOne() ? Expr() : unary(Op::Acos, a); }

Expr atan(const Expr& a) { return oddFunction(Op::Atan, a); }

Expr atan2(const Expr& y, const Expr& x) { return makeNode(Op::Atan2, {y, x}); }

Expr sinh(const Expr& a) { return oddFunction(Op::Sinh, a); }

Expr cosh(const Expr& a) { return a.isZero() ? Expr(1) : unary(Op::Cosh, a); }

Expr tanh(const Expr& a) { return oddFunction(Op::Tanh, a); }

Expr exp(const Expr& a) { return a.isZero() ? Expr(1) : unary(Op::Exp, a); }

Expr log(const Expr& a)
{
    if (a.isOne())
        return {};
    return a.node().op == Op::Exp ? a.node().args[0] : unary(Op::Log, a);
}

Expr min(const Expr& a, const Expr& b)
{
    if (numberOf(a) && numberOf(b))
        return compare(*numberOf(a), *numberOf(b)) < 0 ? a : b;
    return sameStructure(a, b) ? a : makeNode(Op::Min, {a, b});
}

Expr max(const Expr& a, const Expr& b)
{
    if (numberOf(a) && numberOf(b))
        return compare(*numberOf(a), *numberOf(b)) > 0 ? a : b;
    return sameStructure(a, b) ? a : makeNode(Op::Max, {a, b});
}

Expr less(const Expr& a, const Expr& b) { return comparison(Op::Less, a, b); }

Expr lessEqual(const Expr& a, const Expr& b) { return comparison(Op::LessEqual, a, b); }

Expr ifThenElse(const Expr& condition, const Expr& whenTrue, const Expr& whenFalse)
{
    if (const Number* c = numberOf(condition))
        return c->isZero() ? whenFalse : whenTrue;
    return sameStructure(whenTrue, whenFalse) ? whenTrue : makeNode(Op::IfThenElse, {condition, whenTrue, whenFalse});
}

Expr applyFunction(Op op, std::span<const Expr> a)
{
    switch (op) {
    case Op::Pow:
        return pow(a[0], a[1]);
    case Op::Abs:
        return abs(a[0]);
    case Op::Sign:
        return sign(a[0]);
    case Op::Sin:
        return sin(a[0]);
    case Op::Cos:
        return cos(a[0]);
    case Op::Tan:
        return tan(a[0]);
    case Op::Asin:
        return asin(a[0]);
    case Op::Acos:
        return acos(a[0]);
    case Op::Atan:
        return atan(a[0]);
    case Op::Atan2:
        return atan2(a[0], a[1]);
    case Op::Sinh:
        return sinh(a[0]);
    case Op::Cosh:
        return cosh(a[0]);
    case Op::Tanh:
        return tanh(a[0]);
    case Op::Exp:
        return exp(a[0]);
    case Op::Log:
        return log(a[0]);
    case Op::Min:
        return min(a[0], a[1]);
    case Op::Max:
        return max(a[0], a[1]);
    case Op::Less:
        return less(a[0], a[1]);
    case Op::LessEqual:
        return lessEqual(a[0], a[1]);
    case Op::IfThenElse:
        return ifThenElse(a[0], a[1], a[2]);
    default:
        break;
    }
    assert(false && "not a function");
    return {};
}

Expr rebuild(const Node& node, std::span<const Expr> args)
{
    if (node.op == Op::Add) {
        std::vector<std::pair<Expr, Number>> terms;
        for (std::size_t i = 0; i < args.size(); ++i)
            terms.emplace_back(args[i], node.weights[i]);
        return weightedSum(node.number, std::move(terms));
    }
    if (node.op == Op::Mul)
        return scale(node.number, product(args));
    return applyFunction(node.op, args);
}

} // namespace driftless::expr
