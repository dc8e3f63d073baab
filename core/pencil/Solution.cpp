// What the canonical form says about solutions: x(0) is consistent when z1(0) = -sum_k N^k g1^(k)(0) ([DN] (2.32)), z = Q^-1 x,
// g = P f; z2(0) is free. From there on the closed form, and beside it the three-stage Radau IIA method applied to
// E x' = A x + f itself, which knows nothing of the form, as far as that method goes.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/expr/Tape.h"
#include "core/pencil/Breaks.h"
#include "core/pencil/ClosedForm.h"
#include "core/pencil/ExactForm.h"
#include "core/pencil/Numeric.h"
#include "core/pencil/Rational.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Numbers.h"

namespace driftless::pencil {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kIntervals = 32;       ///< between the points in time
constexpr int kRadauSteps = 8;       ///< per interval; twice as many for the estimate
constexpr int kMostCompared = 60;    ///< unknowns; Radau's matrix has three times as many
constexpr double kMostMissed = 1e-6; ///< of the closed form's integral, relative to 1 + |z2|: six digits are shown
constexpr double kFunctionsCost = 1000, kMostCornerWork = 2e9; ///< products
constexpr int kMostComparedIndex = 3;                          ///< the order of Radau IIA falls by one with every further index

/// f and its derivatives, or the reason why there are none.
struct Derivatives {
    std::vector<std::vector<expr::Expr>> f; ///< f[k] = f^(k)
    std::vector<expr::Tape> tapes;
};

bool differentiate(const LinearDae& system, int most, Derivatives& out)
{
    out.f.push_back(system.f);
    for (int k = 1; k < most; ++k) {
        std::vector<expr::Expr> next;
        std::size_t nodes = 0;
        for (const expr::Expr& e : out.f.back()) {
            next.push_back(expr::timeDerivative(e));
            nodes += expr::nodeCount(next.back());
        }
        if (nodes > Limits::kMostNodes)
            return false;
        out.f.push_back(std::move(next));
    }
    for (const auto& f : out.f) {
        auto tape = expr::Tape::compile(f, {{expr::Symbol{expr::SymbolKind::Time, "t", 0}}});
        if (!tape)
            return false;
        out.tapes.push_back(std::move(*tape));
    }
    return true;
}

/// Radau IIA of order five ([DN] (1.48)) on E x' = A x + f: solution at the ends of the intervals.
bool radau(const MatrixXd& E, const MatrixXd& A, Sides& sides, VectorXd x, double end, int stepsPerInterval,
           std::vector<VectorXd>& out)
{
    const double r = std::sqrt(6.0);
    Eigen::Matrix3d a;
    a << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225, (296 + 169 * r) / 1800, (88 + 7 * r) / 360,
        (-2 - 3 * r) / 225, (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
    const std::array<double, 3> c{(4 - r) / 10, (4 + r) / 10, 1};
    const Index n = x.size();
    const double h = end / (kIntervals * stepsPerInterval);
    MatrixXd m(3 * n, 3 * n);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j)
            m.block(i * n, j * n, n, n) = (i == j ? E : MatrixXd::Zero(n, n).eval()) - h * a(i, j) * A;
    const Eigen::PartialPivLU<MatrixXd> lu(m);
    VectorXd side(3 * n), f;
    out.push_back(x);
    for (int k = 0; k < kIntervals * stepsPerInterval; ++k) {
        for (Index i = 0; i < 3; ++i) {
            if (!sides.at(0, (k + c[static_cast<std::size_t>(i)]) * h, f))
                return false;
            side.segment(i * n, n) = A * x + f;
        }
        const VectorXd rates = lu.solve(side);
        for (Index j = 0; j < 3; ++j)
            x += h * a(2, j) * rates.segment(j * n, n);
        if (!x.allFinite())
            return false;
        if ((k + 1) % stepsPerInterval == 0)
            out.push_back(x);
    }
    return true;
}

std::vector<double> plain(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }

/// Relative to 1 + |a|.
double apart(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b)
{
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t i = 0; i < a[k].size(); ++i)
            worst = std::max(worst, std::abs(a[k][i] - b[k][i]) / (1 + std::abs(a[k][i])));
    return worst;
}

/// Rows of (2.32): h(t) = -sum_k N^k (P1 f)^(k)(t), as expressions.
std::vector<expr::Expr> constraintValues(const Analysis& a, const Derivatives& derivatives)
{
    std::vector<expr::Expr> out;
    for (int i = 0; i < a.n1; ++i) {
        std::vector<expr::Expr> terms;
        // N is in Jordan blocks: row i of N^k has its one at column i + k while the block lasts.
        for (int k = 0, row = i; k < a.index; ++k) {
            for (int j = 0; j < a.n; ++j) {
                const expr::Expr& f = derivatives.f[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
                const std::size_t place =
                    static_cast<std::size_t>(row) * static_cast<std::size_t>(a.n) + static_cast<std::size_t>(j);
                if (f.isZero() || a.P(row, j) == 0)
                    continue;
                const expr::Expr factor = a.exactP.empty() ? expr::Expr(a.P(row, j)) : toExpr(mpq_class(a.exactP[place]));
                terms.push_back(-(factor * f));
            }
            if (row + 1 >= a.n1 || a.N(row, row + 1) == 0)
                break;
            ++row;
        }
        out.push_back(expr::sum(terms));
    }
    return out;
}

Form formOf(const Analysis& a)
{
    const MatrixXd P = toEigen(a.P);
    return {.N = toEigen(a.N),
            .J = toEigen(a.J),
            .P1 = P.topRows(a.n1),
            .P2 = P.bottomRows(a.n2),
            .Q = toEigen(a.Q),
            .index = a.index};
}

/// Why there is no solution up to the end, where f or its parts have overflowed.
std::string withoutValue(const Sides& sides, double end)
{
    if (const auto t = sides.withoutValue())
        return "f or one of its derivatives has no value at t = " + text::rounded(*t) + ": choose an end before it";
    return "the numbers of the solution overflow before t = " + text::rounded(end) + ": choose an earlier end";
}

/// (2.31) at the ends of the intervals; or why there is none.
std::string closedForm(const Form& form, Sides& sides, double sideCost, const std::vector<double>& corners, VectorXd z2,
                       Solution& out)
{
    const double h = out.end / kIntervals;
    DifferentialPart part(form, sides, sideCost);
    for (int k = 0; k <= kIntervals; ++k) {
        bool ok = true;
        double from = (k - 1) * h;
        for (const double corner : corners)
            if (k > 0 && corner > from && corner < k * h) {
                ok = ok && part.advance(from, corner - from, z2);
                from = corner;
            }
        ok = ok && (k == 0 || part.advance(from, from == (k - 1) * h ? h : k * h - from, z2));
        VectorXd z(form.Q.cols());
        if (ok)
            z << form.algebraicPart(sides, k * h, ok), z2;
        if (!ok || !(form.Q * z).allFinite())
            return withoutValue(sides, out.end);
        if (!(part.estimate() < kMostMissed))
            return "f changes too fast for the closed form's integral: before t = " + text::rounded(k * h)
                   + " its steps are off by " + text::rounded(part.estimate(), 2) + ". Choose an earlier end";
        out.t.push_back(k * h);
        out.closed.push_back(plain(form.Q * z));
    }
    out.closedEstimate = part.estimate();
    return "";
}

/// Radau IIA beside the closed form; or why that stands alone.
std::string compare(const LinearDae& system, int index, Sides& sides, const VectorXd& start, Solution& out)
{
    if (system.n > kMostCompared)
        return "the numerical solution beside it is computed up to " + std::to_string(kMostCompared) + " unknowns";
    const std::string alone = "no numerical solution stands beside the closed form: ";
    if (index > kMostComparedIndex)
        return alone + "the method loses one order with every index and is used up to index "
               + std::to_string(kMostComparedIndex);
    const MatrixXd E = toEigen(system.E), A = toEigen(system.A);
    std::vector<VectorXd> coarse, fine;
    if (!radau(E, A, sides, start, system.end, kRadauSteps, coarse)
        || !radau(E, A, sides, start, system.end, 2 * kRadauSteps, fine)) {
        if (const auto t = sides.withoutValue())
            return alone + "f has no value at t = " + text::rounded(*t);
        return alone + "the method's numbers overflow before t = " + text::rounded(system.end)
               + (index > 1 ? ". At index " + std::to_string(index) + " round-off grows from step to step" : "");
    }
    for (const VectorXd& x : fine)
        out.numerical.push_back(plain(x));
    out.difference = apart(out.closed, out.numerical);
    std::vector<std::vector<double>> plainly;
    for (const VectorXd& x : coarse)
        plainly.push_back(plain(x));
    out.estimate = apart(plainly, out.numerical);
    return "";
}

/// Where f breaks the solution.
Breaks breakOf(const Form& form, const Derivatives& derivatives, Sides& sides, double end)
{
    PartsOfSolution parts;
    parts.algebraic = [&](double t) {
        bool ok = true;
        const VectorXd z = form.algebraicPart(sides, t, ok);
        return ok && z.size() > 0 ? z.cwiseAbs().maxCoeff() : ok ? 0 : INFINITY;
    };
    parts.integrated = [&](double t) {
        VectorXd f;
        const bool ok = sides.at(0, t, f);
        return ok && form.P2.rows() > 0 ? (form.P2 * f).cwiseAbs().maxCoeff() : ok ? 0 : INFINITY;
    };
    if (form.index > 1)
        parts.differentiated = [&](double t, std::vector<double>& out) {
            VectorXd sum = VectorXd::Zero(form.N.rows()), f;
            for (int k = form.index - 2; k >= 0; --k) {
                if (!sides.at(static_cast<std::size_t>(k), t, f))
                    return false;
                sum = (form.N * (sum + form.P1 * f)).eval();
            }
            out = plain(sum);
            return true;
        };
    const auto n = static_cast<double>(form.Q.rows());
    parts.cost = n * n * std::max(form.index, 1);
    return firstBreak(derivatives.f, end, parts);
}

/// From the consistent start on, or why there is no solution.
void follow(const LinearDae& system, const MatrixXd& inverseQ, const Derivatives& derivatives, const VectorXd& start,
            Analysis& out)
{
    const Form form = formOf(out);
    Sides sides(derivatives.tapes);
    const Breaks breaks = breakOf(form, derivatives, sides, system.end);
    if (const auto& found = breaks.first) {
        out.breakAt = found->t;
        const std::string place = "t = " + text::rounded(found->t);
        out.solutionNote = found->pole ? "the solution grows without bound at " + place + ", where f is divided by "
                                             + found->divisor + ", which is zero: choose an end before it"
                                       : "f jumps at " + place
                                             + ", or a derivative of it does, and the solution has the derivative of that: an "
                                               "impulse, which is no function. Choose an end before it";
        return;
    }
    double nodes = 0;
    for (const expr::Expr& e : system.f)
        nodes += static_cast<double>(expr::nodeCount(e));
    Solution found;
    found.end = system.end;
    Sides fresh(derivatives.tapes);
    // Each corner costs the functions of two more lengths of step.
    const double n2 = out.n2, each = kFunctionsCost * n2 * n2 * n2;
    const bool few = static_cast<double>(breaks.corners.size()) * each < kMostCornerWork;
    out.solutionNote = closedForm(form, fresh, nodes, few ? breaks.corners : std::vector<double>(),
                                  inverseQ.bottomRows(out.n2) * start, found);
    if (!out.solutionNote.empty())
        return;
    out.solutionNote = compare(system, out.index, fresh, start, found);
    if (!breaks.complete)
        out.solutionNote += std::string(out.solutionNote.empty() ? "" : "; ")
                            + "f is too long to be searched for poles and jumps as a whole: there may be one that is not told";
    out.solution = std::move(found);
}

} // namespace

void findSolution(const LinearDae& system, const MatrixXd& inverseQ, Analysis& out)
{
    const MatrixXd rows = inverseQ.topRows(out.n1);
    out.constraintRows = fromEigen(rows);
    Derivatives derivatives;
    if (!differentiate(system, std::max(out.index, 1), derivatives)) {
        out.solutionNote =
            "f is too long to be differentiated " + std::to_string(out.index - 1) + " times: a shorter f has one";
        return;
    }
    out.constraints = constraintValues(out, derivatives);
    Sides sides(derivatives.tapes);
    bool ok = true;
    const VectorXd z1 = formOf(out).algebraicPart(sides, 0, ok);
    if (!ok) {
        out.solutionNote = "f or one of its derivatives has no value at t = 0, where the solution begins";
        return;
    }
    VectorXd start = VectorXd::Zero(out.n);
    for (std::size_t i = 0; i < system.x0.size(); ++i)
        start(static_cast<Index>(i)) = system.x0[i];
    if (out.n1 > 0) {
        const VectorXd defect = rows * start - z1;
        const VectorXd change = solve::leastSquares(rows, defect);
        constexpr double kConsistent = 1e-9; // relative; start values are typed with fewer digits than this
        out.startWasConsistent = change.norm() <= kConsistent * (1 + start.norm());
        start -= change;
    }
    out.start = plain(start);
    follow(system, inverseQ, derivatives, start, out);
}

} // namespace driftless::pencil
