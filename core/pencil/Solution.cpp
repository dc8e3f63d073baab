// What the canonical form says about solutions.
//
//   z = Q^-1 x, g = P f; z1(t) = -sum_k N^k g1^(k)(t), z2' = J z2 + g2 ([DN] (2.26)-(2.31)); x(0) is consistent when
//   z1(0) = -sum_k N^k g1^(k)(0) (2.32), z2(0) is free.
// The integral of (2.31) is evaluated step by step with the Gauss-Legendre rule of five nodes. It is compared with the
// three-stage Radau IIA method applied to E x' = A x + f itself, which knows nothing of the form, as far as that method goes.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/expr/Tape.h"
#include "core/pencil/ExactForm.h"
#include "core/pencil/Numeric.h"
#include "core/pencil/Poles.h"
#include "core/pencil/Rational.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Numbers.h"

namespace driftless::pencil {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kIntervals = 32;        ///< between the points in time
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

/// z2' = J z2 + P2 f over steps of one length.
class OdeSteps {
public:
    OdeSteps(const MatrixXd& J, MatrixXd P2, double interval) : P2_(std::move(P2))
    {
        if (J.rows() == 0)
            return;
        // One step of the quadrature per unit of |J| h, bounded.
        const double speed = J.cwiseAbs().colwise().sum().maxCoeff() * interval;
        parts_ = static_cast<int>(std::clamp(std::ceil(speed), 2.0, 256.0));
        step_ = interval / parts_;
        whole_ = exponential(J * step_);
        for (std::size_t i = 0; i < kNode.size(); ++i)
            kernel_[i] = exponential(J * (step_ * (1 - kNode[i])));
    }
    /// z2 one interval later; false where f has no value or z2 overflows.
    bool advance(Sides& sides, double t, VectorXd& z) const
    {
        if (z.size() == 0)
            return true;
        VectorXd f;
        for (int k = 0; k < parts_; ++k) {
            VectorXd next = whole_ * z;
            for (std::size_t i = 0; i < kNode.size(); ++i) {
                if (!sides.at(0, t + (k + kNode[i]) * step_, f))
                    return false;
                next += step_ * kWeight[i] * (kernel_[i] * (P2_ * f));
            }
            z = next;
        }
        return z.allFinite();
    }

private:
    static constexpr std::array<double, 5> kNode{0.046910077030668, 0.2307653449471584, 0.5, 0.7692346550528415,
                                                 0.953089922969332};
    static constexpr std::array<double, 5> kWeight{0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                                   0.2393143352496832, 0.1184634425280945};
    MatrixXd P2_, whole_;
    std::array<MatrixXd, 5> kernel_;
    int parts_ = 0;
    double step_ = 0;
};

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

/// The canonical form in the order of its parts.
struct Form {
    MatrixXd N, J, P1, P2, Q;

    explicit Form(const Analysis& a) : N(toEigen(a.N)), J(toEigen(a.J)), Q(toEigen(a.Q))
    {
        const MatrixXd P = toEigen(a.P);
        P1 = P.topRows(a.n1);
        P2 = P.bottomRows(a.n2);
    }
};

/// (2.31) at the ends of the intervals; empty where f has no value or the solution overflows.
std::vector<VectorXd> closedForm(const Form& form, int index, Sides& sides, VectorXd z2, double end)
{
    std::vector<VectorXd> out;
    const double h = end / kIntervals;
    const OdeSteps steps(form.J, form.P2, h);
    bool ok = true;
    for (int k = 0; k <= kIntervals; ++k) {
        ok = ok && (k == 0 || steps.advance(sides, (k - 1) * h, z2));
        VectorXd z(form.Q.cols());
        if (ok)
            z << algebraicPart(form.N, form.P1, sides, index, k * h, ok), z2;
        if (!ok || !(form.Q * z).allFinite())
            return {};
        out.push_back(form.Q * z);
    }
    return out;
}

/// Radau IIA beside the closed form; or why it stands alone.
std::string compare(const LinearDae& system, int index, Sides& sides, const VectorXd& start,
                    const std::vector<VectorXd>& closed, Solution& out)
{
    if (system.n > kMostCompared)
        return "the numerical solution beside it is computed up to " + std::to_string(kMostCompared) + " unknowns";
    if (index > kMostComparedIndex)
        return "no numerical solution stands beside it: the method loses one order with every index and is used up to index "
               + std::to_string(kMostComparedIndex);
    const MatrixXd E = toEigen(system.E), A = toEigen(system.A);
    std::vector<VectorXd> coarse, fine;
    if (!radau(E, A, sides, start, system.end, kRadauSteps, coarse)
        || !radau(E, A, sides, start, system.end, 2 * kRadauSteps, fine))
        return "no numerical solution stands beside it: the numbers of the method overflow before t = "
               + text::rounded(system.end) + ". Round-off grows with every step where entries of E and A are large"
               + (index > 1 ? " and the index is " + std::to_string(index) : "");
    out.difference = apart(closed, fine);
    out.estimate = apart(coarse, fine);
    for (const VectorXd& x : fine)
        out.numerical.push_back(plain(x));
    return "";
}

/// What (2.31) is made of at t: z1 and P2 f; not finite where one has no value.
double sizeOfParts(const Form& form, int index, Sides& sides, double t)
{
    bool ok = true;
    const VectorXd z1 = algebraicPart(form.N, form.P1, sides, index, t, ok);
    VectorXd f;
    if (!ok || !sides.at(0, t, f))
        return std::numeric_limits<double>::infinity();
    double size = z1.size() > 0 ? z1.cwiseAbs().maxCoeff() : 0;
    if (form.P2.rows() > 0)
        size = std::max(size, (form.P2 * f).cwiseAbs().maxCoeff());
    return size;
}

/// The solution from the consistent start on, or why there is none.
void solve(const LinearDae& system, const MatrixXd& inverseQ, const Derivatives& derivatives, Sides& sides,
           const VectorXd& start, Analysis& out)
{
    const Form form(out);
    const auto size = [&](double t) { return sizeOfParts(form, out.index, sides, t); };
    if (const auto pole = firstPole(derivatives.f, system.end, size)) {
        out.solutionNote = "there is a pole at t = " + text::rounded(pole->t) + ", where " + pole->divisor
                           + " is zero: no solution passes it. Set end below";
        return;
    }
    const auto closed = closedForm(form, out.index, sides, inverseQ.bottomRows(out.n2) * start, system.end);
    if (closed.empty()) {
        out.solutionNote = "f leaves its domain, or the solution the range of numbers, before t = " + text::rounded(system.end);
        return;
    }
    Solution found;
    found.end = system.end;
    for (int k = 0; k <= kIntervals; ++k) {
        found.t.push_back(k * system.end / kIntervals);
        found.closed.push_back(plain(closed[static_cast<std::size_t>(k)]));
    }
    out.solutionNote = compare(system, out.index, sides, start, closed, found);
    out.solution = std::move(found);
}

} // namespace

void solveBoth(const LinearDae& system, const MatrixXd& inverseQ, Analysis& out)
{
    const MatrixXd P = toEigen(out.P), rows = inverseQ.topRows(out.n1);
    out.constraintRows = fromEigen(rows);
    Derivatives derivatives;
    if (!differentiate(system, std::max(out.index, 1), derivatives)) {
        out.solutionNote = "f is too long to be differentiated " + std::to_string(out.index - 1) + " times";
        return;
    }
    out.constraints = constraintValues(out, derivatives);
    Sides sides(derivatives.tapes);
    bool ok = true;
    const VectorXd z1 = algebraicPart(toEigen(out.N), P.topRows(out.n1), sides, out.index, 0, ok);
    if (!ok) {
        out.solutionNote = "f or one of its derivatives has no value at t = 0";
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
    solve(system, inverseQ, derivatives, sides, start, out);
}

} // namespace driftless::pencil
