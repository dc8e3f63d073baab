// One analysis from both arithmetics: rational where the entries are, orthogonal otherwise.

#include <algorithm>
#include <cmath>

#include "core/pencil/ExactForm.h"
#include "core/pencil/Numeric.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

namespace {

using Eigen::MatrixXd;

RationalMatrix fromDouble(const MatrixXd& m)
{
    RationalMatrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
    for (int i = 0; i < out.rows; ++i)
        for (int j = 0; j < out.columns; ++j)
            out(i, j) = mpq_class(m(i, j));
    return out;
}

bool allRational(const std::vector<Root>& roots)
{
    return std::all_of(roots.begin(), roots.end(), [](const Root& r) { return r.exact.has_value(); });
}

/// W in Jordan form over the rationals; applies to the finite rows of P and columns of Q.
void exactJordan(const std::vector<Root>& roots, ExactForm& form, Analysis& out)
{
    const int n2 = form.W.rows, n1 = form.N.rows, n = n1 + n2;
    RationalMatrix S(n2, n2), J(n2, n2);
    int at = 0;
    for (const Root& root : roots) {
        const Chains chains = jordanChains(form.W + scaled(RationalMatrix::identity(n2), -*root.exact));
        S.setBlock(0, at, chains.columns);
        for (const int size : chains.blocks)
            for (int i = 0; i < size; ++i, ++at) {
                J(at, at) = *root.exact;
                if (i > 0)
                    J(at - 1, at) = 1;
            }
    }
    form.Q.setBlock(0, n1, form.Q.block(0, n1, n, n2) * S);
    if (n2 > 0)
        form.P.setBlock(n1, 0, *solve(S, form.P.block(n1, 0, n2, n)));
    out.P = form.P.toDouble();
    out.Q = form.Q.toDouble();
    out.J = J.toDouble();
    out.jordan = true;
    std::size_t characters = 0;
    for (const auto* m : {&form.P, &form.Q, &J})
        for (const std::string& text : m->texts())
            characters += text.size();
    if (characters <= Limits::kMostText) {
        out.exactP = form.P.texts();
        out.exactQ = form.Q.texts();
        out.exactJ = J.texts();
    }
}

/// W has irrational eigenvalues: rounded to double in a basis that is orthonormal up to round-off, because a rational basis
/// may be as badly conditioned as it likes.
void numericJordan(const std::vector<Root>& roots, ExactForm& form, Analysis& out)
{
    const int n2 = form.W.rows, n1 = form.N.rows, n = n1 + n2;
    const MatrixXd V2 = toEigen(form.Q.block(0, n1, n, n2).toDouble());
    const MatrixXd triangle = Eigen::HouseholderQR<MatrixXd>(V2).matrixQR().topRows(n2).triangularView<Eigen::Upper>();
    const RationalMatrix R = triangle.allFinite() ? fromDouble(triangle) : RationalMatrix(n2, n2);
    if (const auto inverse = solve(R, RationalMatrix::identity(n2))) {
        form.W = R * form.W * *inverse;
        form.Q.setBlock(0, n1, form.Q.block(0, n1, n, n2) * *inverse);
        form.P.setBlock(n1, 0, R * form.P.block(n1, 0, n2, n));
    }
    std::vector<KnownEigenvalue> known;
    for (const Root& r : roots)
        known.push_back({r.re, r.im, r.multiplicity});
    const RealJordan jordan = realJordan(toEigen(form.W.toDouble()), known);
    MatrixXd P = toEigen(form.P.toDouble()), Q = toEigen(form.Q.toDouble());
    Q.rightCols(n2) = (Q.rightCols(n2) * jordan.S).eval();
    P.bottomRows(n2) = jordan.S.partialPivLu().solve(P.bottomRows(n2)).eval();
    out.P = fromEigen(P);
    out.Q = fromEigen(Q);
    out.J = fromEigen(jordan.J);
    out.jordan = jordan.jordan;
}

void analyseExactly(const LinearDae& system, Analysis& out)
{
    const RationalMatrix E = RationalMatrix::read(system.n, system.exactE), A = RationalMatrix::read(system.n, system.exactA);
    out.exact = true;
    out.rankE = rankOf(E);
    const Polynomial determinant = determinantPolynomial(E, A);
    for (const mpq_class& c : determinant)
        out.determinant.push_back(c.get_str());
    out.regular = !determinant.empty();
    if (!out.regular) {
        out.why = whySingular(E, A);
        return;
    }
    out.steps = gaussReduction(E, A, system.f).steps;
    ExactForm form = weierstrassForm(E, A);
    out.index = form.index();
    out.n1 = form.N.rows;
    out.n2 = form.W.rows;
    out.nilpotentBlocks = form.blocks;
    out.N = form.N.toDouble();
    const std::vector<Root> roots = rootsOf(determinant);
    for (const Root& r : roots)
        for (int k = 0; k < r.multiplicity; ++k)
            out.eigenvalues.emplace_back(r.re, r.im);
    if (allRational(roots))
        exactJordan(roots, form, out);
    else
        numericJordan(roots, form, out);
}

void analyseNumerically(const LinearDae& system, const Options& options, Analysis& out)
{
    const Staircase stairs = staircase(toEigen(system.E), toEigen(system.A), options.tolerance);
    out.decisions = stairs.decisions;
    out.tolerance = stairs.tolerance;
    out.uncertain = stairs.uncertain;
    out.regular = stairs.regular;
    out.rankE = stairs.decisions.empty() ? 0 : stairs.decisions.front().rank;
    out.why = stairs.why;
    if (stairs.uncertain)
        for (const RankDecision& d : stairs.decisions)
            if (d.gap < kCertainGap) {
                out.why += (out.why.empty() ? "" : "; ") + ("the rank of " + d.matrix) + " is uncertain: the singular values beside the cut differ by a factor of "
                    + std::to_string(d.gap) + " only";
                break;
            }
    if (!out.regular)
        return;
    out.index = static_cast<int>(stairs.steps.size());
    out.n1 = stairs.n1;
    out.n2 = out.n - out.n1;
    weierstrassForm(stairs, out);
}

/// Largest entry of P E Q - diag(N, I) and P A Q - diag(I, J), relative to the size of the products' terms.
double residualOf(const LinearDae& system, const Analysis& a)
{
    const MatrixXd P = toEigen(a.P), Q = toEigen(a.Q);
    MatrixXd left = MatrixXd::Identity(a.n, a.n), right = left;
    left.topLeftCorner(a.n1, a.n1) = toEigen(a.N);
    right.bottomRightCorner(a.n2, a.n2) = toEigen(a.J);
    double worst = 0;
    for (const auto& [given, wanted] : {std::pair(toEigen(system.E), left), std::pair(toEigen(system.A), right)}) {
        const double size = std::max(1.0, (P.cwiseAbs() * given.cwiseAbs() * Q.cwiseAbs()).maxCoeff());
        worst = std::max(worst, (P * given * Q - wanted).cwiseAbs().maxCoeff() / size);
    }
    return worst;
}

bool allFinite(const Matrix& m)
{
    return std::all_of(m.values.begin(), m.values.end(), [](double v) { return std::isfinite(v); });
}

} // namespace

Result<Analysis> analyse(const LinearDae& system, const Options& options)
{
    if (system.n < 1 || system.n > Limits::kMost)
        return Diagnostic{"The system has " + std::to_string(system.n) + " unknowns", "", "1 to " + std::to_string(Limits::kMost) + " are analysed", "", {}};
    if (!allFinite(system.E) || !allFinite(system.A))
        return Diagnostic{"An entry of E or A is not a finite number", "", "", "", {}};
    if (!(options.tolerance >= 0) || options.tolerance >= 1)
        return Diagnostic{"The tolerance must lie between 0 and 1", "", "it is relative to the largest singular value", "a value such as 1e-10, or none", {}};
    Analysis out;
    out.n = system.n;
    if (system.exact() && system.n <= Limits::kMostExact && options.tolerance == 0)
        analyseExactly(system, out);
    else
        analyseNumerically(system, options, out);
    if (!out.regular)
        return out;
    if (!allFinite(out.P) || !allFinite(out.Q) || !allFinite(out.J)) {
        out.comparisonNote = "the transformation leaves the range of numbers";
        out.P = out.Q = out.J = Matrix();
        return out;
    }
    out.formResidual = residualOf(system, out);
    solveBoth(system, out);
    return out;
}

} // namespace driftless::pencil
