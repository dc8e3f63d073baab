// What the canonical form says about solutions.
//
//   z = Q^-1 x, g = P f; z1(t) = -sum_k N^k g1^(k)(t), z2' = J z2 + g2 ([DN] (2.26)-(2.31)); x(0) is consistent when
//   z1(0) = -sum_k N^k g1^(k)(0) (2.32), z2(0) is free.
// The integral of (2.31) is evaluated step by step with the Gauss-Legendre rule of five nodes. It is compared with the
// three-stage Radau IIA method applied to E x' = A x + f itself, which knows nothing of the form.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/expr/Tape.h"
#include "core/pencil/ExactForm.h"
#include "core/pencil/Numeric.h"
#include "core/pencil/Rational.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kIntervals = 32;        ///< points in time that are compared
constexpr int kRadauSteps = 8;        ///< per interval; twice as many for the estimate
constexpr int kMostCompared = 60;     ///< unknowns; Radau's matrix has three times as many
constexpr int kMostComparedIndex = 3; ///< the order of Radau IIA falls by one with every further index

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

class Sides {
public:
    explicit Sides(const std::vector<expr::Tape>& tapes) : tapes_(tapes)
    {
        for (const expr::Tape& t : tapes)
            work_.push_back(t.workspace());
    }
    /// f^(k)(t); false outside the domain.
    bool at(std::size_t k, double t, VectorXd& out)
    {
        out.resize(static_cast<Index>(tapes_[k].outputCount()));
        return tapes_[k].evaluate({&t}, out.data(), work_[k]);
    }

private:
    const std::vector<expr::Tape>& tapes_;
    std::vector<expr::TapeWorkspace> work_;
};

MatrixXd exponential(const MatrixXd& m)
{
    int squarings = 0;
    double norm = m.cwiseAbs().colwise().sum().maxCoeff();
    while (norm > 0.5 && squarings < 60) {
        norm /= 2;
        ++squarings;
    }
    const MatrixXd scaled = m / std::ldexp(1.0, squarings);
    MatrixXd out = MatrixXd::Identity(m.rows(), m.cols()), term = out;
    for (int k = 1; k <= 18; ++k) { // 0.5^18 / 18! is below round-off
        term = (term * scaled / k).eval();
        out += term;
    }
    for (int k = 0; k < squarings; ++k)
        out = (out * out).eval();
    return out;
}

/// z2 over one interval of length h, in `parts` steps.
bool advanceOde(const MatrixXd& J, const MatrixXd& P2, Sides& sides, double t, double h, int parts, VectorXd& z)
{
    static constexpr std::array<double, 5> node{0.046910077030668, 0.2307653449471584, 0.5, 0.7692346550528415,
                                                0.953089922969332};
    static constexpr std::array<double, 5> weight{0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                                  0.2393143352496832, 0.1184634425280945};
    const double step = h / parts;
    const MatrixXd whole = exponential(J * step);
    std::array<MatrixXd, 5> kernel;
    for (std::size_t i = 0; i < node.size(); ++i)
        kernel[i] = exponential(J * (step * (1 - node[i])));
    VectorXd f;
    for (int k = 0; k < parts; ++k) {
        VectorXd next = whole * z;
        for (std::size_t i = 0; i < node.size(); ++i) {
            if (!sides.at(0, t + (k + node[i]) * step, f))
                return false;
            next += step * weight[i] * (kernel[i] * (P2 * f));
        }
        z = next;
    }
    return z.allFinite();
}

VectorXd algebraicPart(const MatrixXd& N, const MatrixXd& P1, Sides& sides, int index, double t, bool& ok)
{
    VectorXd z = VectorXd::Zero(P1.rows()), f;
    MatrixXd power = MatrixXd::Identity(N.rows(), N.cols());
    for (int k = 0; k < index; ++k) {
        ok = ok && sides.at(static_cast<std::size_t>(k), t, f);
        if (!ok)
            return z;
        z -= power * (P1 * f);
        power = (power * N).eval();
    }
    return z;
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

double apart(const std::vector<VectorXd>& a, const std::vector<VectorXd>& b)
{
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        worst = std::max(worst, ((a[k] - b[k]).array().abs() / (1 + a[k].array().abs())).maxCoeff());
    return worst;
}

std::vector<double> plain(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }

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

void compare(const LinearDae& system, const MatrixXd& inverseQ, Sides& sides, const VectorXd& start, Analysis& out)
{
    const MatrixXd E = toEigen(system.E), A = toEigen(system.A), N = toEigen(out.N), J = toEigen(out.J), P = toEigen(out.P),
                   Q = toEigen(out.Q);
    const MatrixXd P1 = P.topRows(out.n1), P2 = P.bottomRows(out.n2);
    if (out.index > kMostComparedIndex || out.n > kMostCompared) {
        out.comparisonNote = out.n > kMostCompared
                                 ? "the numerical solution is computed up to " + std::to_string(kMostCompared) + " unknowns"
                                 : "the numerical method loses one order with every index and is used up to index 3";
        return;
    }
    Comparison c;
    c.end = system.end;
    std::vector<VectorXd> closed, coarse, fine;
    VectorXd z2 = inverseQ.bottomRows(out.n2) * start;
    const double h = system.end / kIntervals;
    // One step of the quadrature per unit of |J| h, bounded.
    const double speed = out.n2 > 0 ? J.cwiseAbs().colwise().sum().maxCoeff() * h : 0;
    const int parts = static_cast<int>(std::clamp(std::ceil(speed), 2.0, 256.0));
    bool ok = true;
    for (int k = 0; k <= kIntervals && ok; ++k) {
        if (k > 0 && out.n2 > 0)
            ok = advanceOde(J, P2, sides, (k - 1) * h, h, parts, z2);
        VectorXd z(out.n);
        z << algebraicPart(N, P1, sides, out.index, k * h, ok), z2;
        closed.push_back(Q * z);
        ok = ok && closed.back().allFinite();
    }
    ok = ok && radau(E, A, sides, start, system.end, kRadauSteps, coarse)
         && radau(E, A, sides, start, system.end, 2 * kRadauSteps, fine);
    if (!ok) {
        out.comparisonNote =
            "f leaves its domain, or the solution the range of numbers, before t = " + std::to_string(system.end);
        return;
    }
    c.difference = apart(closed, fine);
    c.estimate = apart(coarse, fine);
    for (int k = 0; k <= kIntervals; ++k) {
        c.t.push_back(k * h);
        c.closed.push_back(plain(closed[static_cast<std::size_t>(k)]));
        c.numerical.push_back(plain(fine[static_cast<std::size_t>(k)]));
    }
    out.comparison = std::move(c);
}

} // namespace

void solveBoth(const LinearDae& system, const MatrixXd& inverseQ, Analysis& out)
{
    const MatrixXd P = toEigen(out.P), rows = inverseQ.topRows(out.n1);
    out.constraintRows = fromEigen(rows);
    Derivatives derivatives;
    if (!differentiate(system, std::max(out.index, 1), derivatives)) {
        out.comparisonNote = "f is too long to be differentiated " + std::to_string(out.index - 1) + " times";
        return;
    }
    out.constraints = constraintValues(out, derivatives);
    Sides sides(derivatives.tapes);
    bool ok = true;
    const VectorXd z1 = algebraicPart(toEigen(out.N), P.topRows(out.n1), sides, out.index, 0, ok);
    if (!ok) {
        out.comparisonNote = "f or one of its derivatives has no value at t = 0";
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
    compare(system, inverseQ, sides, start, out);
}

} // namespace driftless::pencil
