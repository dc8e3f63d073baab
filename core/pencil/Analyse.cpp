// One analysis from both arithmetics: rational where the entries are, orthogonal otherwise.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/expr/Operators.h"
#include "core/pencil/ExactForm.h"
#include "core/pencil/Numeric.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Numbers.h"

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

/// What is said where exact arithmetic contradicts itself: the answer is withheld.
Diagnostic contradiction(const std::string& what)
{
    return {.what = "The exact analysis failed: " + what,
            .why = "no form is given, because it would not be that of E and A",
            .remedy = "a tolerance, for an analysis in floating point"};
}

void writeExact(const ExactForm& form, Analysis& out)
{
    out.P = form.P.toDouble();
    out.Q = form.Q.toDouble();
    out.J = form.W.toDouble();
    out.jordan = true;
    std::size_t characters = 0;
    for (const auto* m : {&form.P, &form.Q, &form.W})
        for (const std::string& text : m->texts())
            characters += text.size();
    if (characters <= Limits::kMostText) {
        out.exactP = form.P.texts();
        out.exactQ = form.Q.texts();
        out.exactJ = form.W.texts();
    }
}

/// P A Q = diag(I, J) and P E Q = diag(N, I): the first n1 rows of Q^-1 are those of P A, the others those of P E.
MatrixXd inverseOfQ(const ExactForm& form, const RationalMatrix& E, const RationalMatrix& A)
{
    RationalMatrix out = form.P * E;
    out.setBlock(0, 0, (form.P * A).block(0, 0, form.N.rows, E.rows));
    return toEigen(out.toDouble());
}

/// The part's columns become orthonormal up to round-off, because a rational basis may be as badly conditioned as it likes.
void orthonormalise(int at, int m, ExactForm& form)
{
    const int n1 = form.N.rows, n = n1 + form.W.rows;
    const RationalMatrix V = form.Q.block(0, n1 + at, n, m);
    const MatrixXd triangle =
        Eigen::HouseholderQR<MatrixXd>(toEigen(V.toDouble())).matrixQR().topRows(m).triangularView<Eigen::Upper>();
    if (!triangle.allFinite())
        return;
    const RationalMatrix R = fromDouble(triangle);
    const auto inverse = solve(R, RationalMatrix::identity(m));
    if (!inverse)
        return;
    form.W.setBlock(at, at, R * form.W.block(at, at, m, m) * *inverse);
    form.Q.setBlock(0, n1 + at, V * *inverse);
    form.P.setBlock(n1 + at, 0, R * form.P.block(n1 + at, 0, m, n));
}

/// Some eigenvalues are irrational: their parts are rounded to double, and their chains found there. Those of rational ones
/// stand.
void numericJordan(const std::vector<FinitePart>& parts, ExactForm& form, const RationalMatrix& E, const RationalMatrix& A,
                   Analysis& out, MatrixXd& inverseQ)
{
    int at = 0;
    for (const FinitePart& part : parts) {
        if (!part.rational())
            orthonormalise(at, part.n(), form);
        at += part.n();
    }
    MatrixXd P = toEigen(form.P.toDouble()), Q = toEigen(form.Q.toDouble()), J = toEigen(form.W.toDouble());
    inverseQ = inverseOfQ(form, E, A);
    out.jordan = true;
    at = 0;
    for (const FinitePart& part : parts) {
        const int m = part.n(), from = form.N.rows + at;
        if (!part.rational()) {
            std::vector<KnownEigenvalue> known;
            for (const Root& r : part.roots)
                known.push_back({r.re, r.im, part.blocks});
            const RealJordan jordan = realJordan(J.block(at, at, m, m), known);
            const auto lu = jordan.S.partialPivLu();
            Q.middleCols(from, m) = (Q.middleCols(from, m) * jordan.S).eval();
            P.middleRows(from, m) = lu.solve(P.middleRows(from, m)).eval();
            inverseQ.middleRows(from, m) = lu.solve(inverseQ.middleRows(from, m)).eval();
            J.block(at, at, m, m) = jordan.J;
            out.jordan = out.jordan && jordan.jordan;
        }
        at += m;
    }
    out.P = fromEigen(P);
    out.Q = fromEigen(Q);
    out.J = fromEigen(J);
}

Result<void> analyseExactly(const LinearDae& system, Analysis& out, MatrixXd& inverseQ)
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
        return {};
    }
    out.steps = gaussReduction(E, A, system.f).steps;
    std::optional<ExactForm> form = weierstrassForm(E, A);
    if (!form || !reproduces(*form, E, A) || form->W.rows != static_cast<int>(determinant.size()) - 1)
        return contradiction("the finite and the infinite part do not add up to E and A");
    out.index = form->index();
    out.n1 = form->N.rows;
    out.n2 = form->W.rows;
    out.nilpotentBlocks = form->blocks;
    out.N = form->N.toDouble();
    const auto roots = rootsOf(determinant);
    if (!roots)
        return contradiction("the roots of det(A - lambda E) could not be told apart");
    for (const Root& r : *roots) {
        if (!std::isfinite(r.re) || !std::isfinite(r.im))
            return contradiction("an eigenvalue lies beyond the range of numbers");
        out.eigenvalues.insert(out.eigenvalues.end(), static_cast<std::size_t>(r.multiplicity), {r.re, r.im});
    }
    const auto parts = separateEigenvalues(determinant, *roots, *form);
    if (!parts || !reproduces(*form, E, A))
        return contradiction("the Jordan form does not reproduce E and A");
    if (allRational(*roots)) {
        writeExact(*form, out);
        inverseQ = inverseOfQ(*form, E, A);
    } else {
        numericJordan(*parts, *form, E, A, out, inverseQ);
    }
    return {};
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
                out.why += (out.why.empty() ? "" : "; ") + ("the rank of " + d.matrix)
                           + " is uncertain: the singular values beside the cut differ by a factor of " + std::to_string(d.gap)
                           + " only";
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

/// E and A with rows and columns of like sizes. Factors are powers of two, so that nothing is rounded.
struct Balanced {
    MatrixXd E, A;
    Eigen::VectorXd rows, columns; ///< E = diag(rows) (E as given) diag(columns), and A likewise
    double spread = 1;             ///< the largest size that was divided by over the smallest
};

Balanced balanced(const LinearDae& system)
{
    Balanced out{toEigen(system.E), toEigen(system.A), Eigen::VectorXd::Ones(system.n), Eigen::VectorXd::Ones(system.n)};
    double least = std::numeric_limits<double>::infinity(), most = 0;
    const auto divide = [&](auto&& ofE, auto&& ofA, double& factor) {
        const double size = std::max(ofE.cwiseAbs().maxCoeff(), ofA.cwiseAbs().maxCoeff());
        if (size <= 0)
            return;
        const double power = std::exp2(-std::round(std::log2(size)));
        ofE *= power;
        ofA *= power;
        factor *= power;
        least = std::min(least, size);
        most = std::max(most, size);
    };
    for (int sweep = 0; sweep < 3; ++sweep)
        for (Eigen::Index i = 0; i < system.n; ++i) {
            divide(out.E.row(i), out.A.row(i), out.rows[i]);
            divide(out.E.col(i), out.A.col(i), out.columns[i]);
        }
    out.spread = most > 0 ? most / least : 1;
    return out;
}

/// How far the pencil is from a singular one at least: were A + dA - lambda (E + dE) singular for every lambda, its least
/// singular value at each lambda would be at most |dA| + |lambda| |dE|. Rows and columns are scaled first, so that units do not
/// count.
void judgeMargin(const LinearDae& system, Analysis& out)
{
    const auto [E, A, rows, columns, spread] = balanced(system);
    const double sizeE = std::max(E.norm(), std::numeric_limits<double>::min()),
                 sizeA = std::max(A.norm(), std::numeric_limits<double>::min());
    for (const double sample :
         {-1.7, -0.6, 0.4, 0.9, 2.3}) { // any lambda gives a bound; eigenvalues are avoided by taking several
        const Eigen::JacobiSVD<MatrixXd> svd(A - sample * sizeA / sizeE * E);
        out.margin = std::max(out.margin, svd.singularValues()(out.n - 1) / ((1 + std::abs(sample)) * sizeA));
    }
    if (out.margin > kCertainGap * static_cast<double>(out.n) * std::numeric_limits<double>::epsilon())
        return;
    out.uncertain = out.uncertain || !out.exact;
    out.why += (out.why.empty() ? "" : "; ")
               + ("the pencil is nearly singular: a relative change of " + text::exact(out.margin))
               + " in E and A may make its determinant zero for every lambda";
}

/// Rank decisions count entries from the largest one, so that equations or unknowns in far smaller units would be taken for
/// zero: where sizes are far apart the balanced pencil is analysed. Where the one as given is judged otherwise, nothing is
/// certain.
void analyseInLikeUnits(const LinearDae& system, const Options& options, Analysis& out)
{
    constexpr double kFarApart = 1e3; // sizes within it leave thirteen digits to each row and column
    const Balanced like = balanced(system);
    if (options.tolerance > 0 || like.spread < kFarApart) {
        analyseNumerically(system, options, out);
        return;
    }
    Analysis given;
    given.n = out.n;
    analyseNumerically(system, options, given);
    LinearDae scaled = system;
    scaled.E = fromEigen(like.E);
    scaled.A = fromEigen(like.A);
    analyseNumerically(scaled, options, out);
    if (!out.P.values.empty()) {
        out.P = fromEigen(toEigen(out.P) * like.rows.asDiagonal());
        out.Q = fromEigen(like.columns.asDiagonal() * toEigen(out.Q));
    }
    if (given.regular == out.regular && given.index == out.index && given.n1 == out.n1)
        return;
    out.uncertain = true;
    out.why += (out.why.empty() ? "" : "; ")
               + ("this holds for rows and columns of like sizes; as they are given, far apart, the pencil would count as "
                  + (given.regular ? "regular of index " + std::to_string(given.index) : std::string("singular"))
                  + ": write equations and unknowns in units that bring entries to like sizes");
}

/// The structure stands; P, Q, N and J would not be those of E and A.
void withholdForm(const std::string& why, Analysis& out)
{
    out.P = out.Q = out.N = out.J = Matrix();
    out.exactP.clear();
    out.exactQ.clear();
    out.exactJ.clear();
    out.jordan = false;
    out.uncertain = out.uncertain || !out.exact;
    out.solutionNote = why;
    out.why += (out.why.empty() ? "" : "; ") + why
               + (out.exact ? ", so no form is given" : ", so the verdict is uncertain and no form is given");
}

/// Whether J has the eigenvalues that are told, by the sums of the first and of the second powers. Unlike the eigenvalues
/// themselves these sums feel a round-off of J no more than its entries do, whatever Jordan blocks there are.
bool hasEigenvalues(const Matrix& J, const std::vector<std::pair<double, double>>& eigenvalues)
{
    constexpr double kSame = 1e-6; // of sums that are known to some twelve digits where J is of the size of its eigenvalues
    const MatrixXd M = toEigen(J);
    double first = M.trace(), second = (M.array() * M.transpose().array()).sum(), size = 0, squares = 0;
    for (const auto& [re, im] : eigenvalues) {
        first -= re;
        second -= re * re - im * im;
        size += std::hypot(re, im);
        squares += re * re + im * im;
    }
    if (!std::isfinite(squares))
        return true; // beyond the range of numbers a sum says nothing
    constexpr double kLeast = std::numeric_limits<double>::min();
    return std::abs(first) <= kSame * size + kLeast && std::abs(second) <= kSame * squares + kLeast;
}

bool allFinite(const Matrix& m)
{
    return std::all_of(m.values.begin(), m.values.end(), [](double v) { return std::isfinite(v); });
}

} // namespace

Result<Analysis> analyse(const LinearDae& system, const Options& options)
{
    if (system.n < 1 || system.n > Limits::kMost)
        return Diagnostic{.what = "The system has " + std::to_string(system.n) + " unknowns",
                          .why = "1 to " + std::to_string(Limits::kMost) + " are analysed"};
    if (!allFinite(system.E) || !allFinite(system.A))
        return Diagnostic{.what = "An entry of E or A is not a finite number"};
    if (!(options.tolerance >= 0) || options.tolerance >= 1)
        return Diagnostic{.what = "The tolerance must lie between 0 and 1",
                          .why = "it is relative to the largest singular value",
                          .remedy = "a value such as 1e-10, or none"};
    Analysis out;
    out.n = system.n;
    MatrixXd inverseQ;
    if (system.exact() && system.n <= Limits::kMostExact && options.tolerance == 0) {
        if (auto done = analyseExactly(system, out, inverseQ); !done)
            return done.error();
    } else {
        analyseInLikeUnits(system, options, out);
    }
    if (!out.regular)
        return out;
    judgeMargin(system, out);
    if (!allFinite(out.P) || !allFinite(out.Q) || !allFinite(out.J)) {
        withholdForm("the transformation leaves the range of numbers", out);
        return out;
    }
    out.formResidual = residualOf(system, out);
    if (!(out.formResidual <= kReproduced)) {
        withholdForm("the form reproduces E and A up to " + text::rounded(out.formResidual, 2) + " only, not up to "
                         + text::rounded(kReproduced, 2),
                     out);
        return out;
    }
    if (out.exact && !hasEigenvalues(out.J, out.eigenvalues)) {
        withholdForm(
            "in floating point J would have other eigenvalues than the pencil, as its entries are far larger than they", out);
        return out;
    }
    if (inverseQ.rows() == 0) {
        const MatrixXd P = toEigen(out.P);
        inverseQ = P * toEigen(system.E);
        inverseQ.topRows(out.n1) = P.topRows(out.n1) * toEigen(system.A);
    }
    findSolution(system, inverseQ, out);
    return out;
}

} // namespace driftless::pencil
