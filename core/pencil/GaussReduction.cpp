// Gauss-like reduction, [DN] 2.2 and 2.3 with the corrections of this project: the factors read L E U (not U E L), and the
// change of coordinates x = U x^(k) acts on x as on x'.
//
//   L M U = diag(Lambda, 0)      (2.42), pivots sought down the columns from (k, k) on, first nonzero taken
//   E^(k) x^(k)' + A^(k) x^(k) = f^(k), A^(0) = -L A U, f^(0) = L f
//   [Lambda 0; A21 A22] x' + [A11 A12; 0 0] x = [f1; f2']      (2.56): the algebraic rows differentiated, shifted left
// The rank need not grow in every step; the number of steps until Lambda is n x n is the Kronecker index all the same.
#include <utility>

#include "core/expr/Print.h"
#include "core/pencil/ExactForm.h"
#include "core/text/Sums.h"

namespace driftless::pencil {

namespace {

struct Factors {
    RationalMatrix L, U, M; ///< L given U = M = diag(Lambda, 0)
    RationalMatrix fromX;   ///< U^-1, composed of the inverses of the column operations
    int rank = 0;
};

Factors diagonalise(const RationalMatrix& given)
{
    const int n = given.rows;
    Factors out{RationalMatrix::identity(n), RationalMatrix::identity(n), given, RationalMatrix::identity(n), 0};
    RationalMatrix& M = out.M;
    for (int k = 0; k < n; ++k) {
        int p = -1, q = k;
        for (; q < n && p < 0; ++q)
            for (int i = k; i < n && p < 0; ++i)
                if (M(i, q) != 0)
                    p = i;
        if (p < 0)
            break;
        --q;
        for (int j = 0; j < n; ++j) {
            std::swap(M(p, j), M(k, j));
            std::swap(out.L(p, j), out.L(k, j));
        }
        for (int i = 0; i < n; ++i) {
            std::swap(M(i, q), M(i, k));
            std::swap(out.U(i, q), out.U(i, k));
            std::swap(out.fromX(q, i), out.fromX(k, i));
        }
        for (int i = k + 1; i < n; ++i) {
            if (M(i, k) == 0)
                continue;
            const mpq_class factor = M(i, k) / M(k, k);
            for (int j = 0; j < n; ++j) {
                M(i, j) -= factor * M(k, j);
                out.L(i, j) -= factor * out.L(k, j);
            }
        }
        for (int j = k + 1; j < n; ++j) {
            if (M(k, j) == 0)
                continue;
            const mpq_class factor = M(k, j) / M(k, k);
            for (int i = 0; i < n; ++i) {
                M(i, j) -= factor * M(i, k);
                out.U(i, j) -= factor * out.U(i, k);
                out.fromX(k, i) += factor * out.fromX(j, i);
            }
        }
        ++out.rank;
    }
    return out;
}

std::vector<expr::Expr> combine(const RationalMatrix& L, const std::vector<expr::Expr>& f)
{
    std::vector<expr::Expr> out;
    for (int i = 0; i < L.rows; ++i) {
        std::vector<expr::Expr> terms;
        for (int j = 0; j < L.columns; ++j)
            if (L(i, j) != 0 && !f[static_cast<std::size_t>(j)].isZero())
                terms.push_back(toExpr(L(i, j)) * f[static_cast<std::size_t>(j)]);
        out.push_back(expr::sum(terms));
    }
    return out;
}

std::string equationText(const RationalMatrix& row, const expr::Expr& value)
{
    std::string out;
    for (int j = 0; j < row.columns; ++j) {
        if (row(0, j) == 0)
            continue;
        const mpq_class size = abs(row(0, j));
        out += text::signOf(row(0, j) < 0, out.empty());
        if (size != 1)
            out += size.get_str() + " ";
        out += "x" + std::to_string(j + 1);
    }
    return (out.empty() ? "0" : out) + " = " + expr::print(value);
}

/// Keeps the matrices of a step as long as there is room for them.
void record(const Factors& factors, const RationalMatrix& A, ReductionStep& step, std::size_t& room, bool& all)
{
    std::size_t characters = 0;
    for (const RationalMatrix* m : {&factors.L, &factors.U, &factors.M, &A})
        for (const mpq_class& v : m->values)
            characters += mpz_sizeinbase(v.get_num_mpz_t(), 10) + mpz_sizeinbase(v.get_den_mpz_t(), 10) + 2;
    if (characters > room) {
        all = false;
        room = 0;
        return;
    }
    room -= characters;
    step.L = factors.L.texts();
    step.U = factors.U.texts();
    step.E = factors.M.texts();
    step.A = A.texts();
}

bool tooLong(const std::vector<expr::Expr>& f)
{
    std::size_t nodes = 0;
    for (const expr::Expr& e : f)
        nodes += expr::nodeCount(e);
    return nodes > Limits::kMostNodes;
}

} // namespace

expr::Expr toExpr(const mpq_class& q)
{
    if (q.get_num().fits_slong_p() && q.get_den().fits_slong_p())
        return expr::rational(q.get_num().get_si(), q.get_den().get_si());
    return expr::Expr(nearestDouble(q));
}

Reduction gaussReduction(const RationalMatrix& E, const RationalMatrix& A, const std::vector<expr::Expr>& f)
{
    const int n = E.rows;
    Reduction out;
    out.constraintRows = RationalMatrix(0, n);
    std::size_t room = Limits::kMostText;
    bool withF = !tooLong(f);
    RationalMatrix left = E, right = scaled(A, -1), fromX = RationalMatrix::identity(n);
    std::vector<expr::Expr> side = f;
    for (int k = 0; k <= n; ++k) {
        const Factors factors = diagonalise(left);
        ReductionStep step;
        step.rank = factors.rank;
        right = factors.L * right * factors.U;
        fromX = factors.fromX * fromX;
        if (withF)
            side = combine(factors.L, side);
        record(factors, right, step, room, out.recordedAll);
        if (withF)
            step.f = side;
        const int r = factors.rank;
        // Where Lambda is not yet regular the rows below it are constraints, in x^(k) = fromX x.
        if (r < n) {
            const RationalMatrix rows = right.block(r, 0, n - r, n) * fromX;
            out.constraintRows.values.insert(out.constraintRows.values.end(), rows.values.begin(), rows.values.end());
            out.constraintRows.rows += rows.rows;
            for (int i = 0; i < n - r; ++i) {
                const expr::Expr value = withF ? side[static_cast<std::size_t>(r + i)] : expr::Expr();
                if (withF && room > 0)
                    step.constraints.push_back(equationText(rows.block(i, 0, 1, n), value));
                out.constraintValues.push_back(value);
            }
        }
        out.steps.push_back(std::move(step));
        if (r == n)
            break;
        left = factors.M;
        left.setBlock(r, 0, right.block(r, 0, n - r, n));
        right.setBlock(r, 0, RationalMatrix(n - r, n));
        for (int i = r; i < n && withF; ++i)
            side[static_cast<std::size_t>(i)] = expr::timeDerivative(side[static_cast<std::size_t>(i)]);
        withF = withF && !tooLong(side);
        out.recordedAll = out.recordedAll && withF;
    }
    return out;
}

} // namespace driftless::pencil
