// How long an expression is once it is written out.
#pragma once

#include "core/expr/Expr.h"

namespace driftless::expr {

/// Nodes of the tree behind e, in which what is shared counts each time: of x, x + x*x = 4. A graph of a hundred nodes may
/// stand for a tree that nobody can expand or print. Infinite beyond the range of a double.
double writtenSize(const Expr& e);
/// Terms that expand() makes on its way, over all nodes of e: an upper bound of its work.
double expandedTerms(const Expr& e);

/// Factors that the derivative of e of this order may have to be written with, known before it is made: that of a product of k
/// factors has (order + k - 1 over order) terms of k factors each.
double derivativeSize(const Expr& e, int order);

} // namespace driftless::expr
