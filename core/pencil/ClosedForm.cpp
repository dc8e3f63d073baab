#include "core/pencil/ClosedForm.h"

#include <algorithm>
#include <cmath>

namespace driftless::pencil {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::array<double, 5> kNode{0.046910077030668, 0.2307653449471584, 0.5, 0.7692346550528415, 0.953089922969332};
constexpr int kFirstLevel = 3;        ///< eight steps of an interval at least
constexpr int kMostLevels = 45;       ///< halvings
constexpr double kLeastStep = 1e-13;  ///< of t: in shorter ones nodes are round-off
constexpr int kMostDoublings = 200;   ///< eigenvalues up to 1e60
constexpr double kSmall = 0.5;        ///< |h J|, up to where Taylor's series is summed: 0.5^18 / 18! is below round-off
constexpr double kStepError = 1e-11;  ///< of one step, relative to 1 + |z2|
constexpr double kMostProducts = 2e8; ///< a quarter of a second

double norm(const MatrixXd& m) { return m.size() > 0 ? m.cwiseAbs().colwise().sum().maxCoeff() : 0; }

/// Coefficients of the polynomials that are one at a node and zero at the others: row k of column i belongs to the power k.
MatrixXd lagrangeCoefficients()
{
    MatrixXd powers(5, 5);
    for (Index i = 0; i < 5; ++i)
        for (Index k = 0; k < 5; ++k)
            powers(i, k) = std::pow(kNode[static_cast<std::size_t>(i)], static_cast<double>(k));
    return solve::solution(Eigen::FullPivLU<MatrixXd>(powers), MatrixXd::Identity(5, 5).eval());
}

/// phi_0 to phi_5 of a small matrix.
std::array<MatrixXd, 6> taylor(const MatrixXd& z)
{
    std::array<MatrixXd, 6> phi;
    double factorial = 1;
    for (int k = 0; k < 6; ++k) {
        factorial *= std::max(1, k);
        MatrixXd term = MatrixXd::Identity(z.rows(), z.cols()) / factorial, sum = term;
        for (int j = 1; j <= 18; ++j) {
            term = (term * z / (k + j)).eval();
            sum += term;
        }
        phi[static_cast<std::size_t>(k)] = sum;
    }
    return phi;
}

} // namespace

VectorXd Form::algebraicPart(Sides& sides, double t, bool& ok) const
{
    VectorXd sum = VectorXd::Zero(P1.rows()), f;
    for (int k = index - 1; k >= 0 && ok; --k) {
        ok = sides.at(static_cast<std::size_t>(k), t, f);
        if (ok)
            sum = (N * sum + P1 * f).eval();
    }
    return -sum;
}

DifferentialPart::DifferentialPart(const Form& form, Sides& sides, double sideCost)
    : form_(form), sides_(sides), sideCost_(sideCost)
{
}

/// phi_k of h J for all levels that are too long for Taylor's series, by doubling (Skaflestad and Wright, Applied Numerical
/// Mathematics 59, 2009): phi_k(2 z) = 2^-k (phi_0 phi_k + sum_j phi_j / (k - j)!), j from 1 to k. phi_0 = 1 + z phi_1 each
/// time: squared it would lose what slow modes are beside one. Shorter levels wait.
void DifferentialPart::prepare(double h)
{
    length_ = h;
    levels_.assign(kMostLevels + 2, std::nullopt);
    int level = 0;
    while (level < kMostDoublings && std::ldexp(norm(form_.J) * h, -level) > kSmall)
        ++level;
    Phi phi = taylor(form_.J * std::ldexp(h, -level));
    for (;; --level) {
        if (level < static_cast<int>(levels_.size()))
            levels_[static_cast<std::size_t>(level)] = combined(phi);
        if (level == 0)
            return;
        Phi twice;
        for (std::size_t k = 1; k < phi.size(); ++k) {
            twice[k] = phi[0] * phi[k];
            double factorial = 1;
            for (std::size_t j = k; j >= 1; --j) {
                twice[k] += phi[j] / factorial;
                factorial *= static_cast<double>(k - j + 1);
            }
            twice[k] *= std::ldexp(1.0, -static_cast<int>(k));
        }
        const MatrixXd z = form_.J * std::ldexp(h, -level + 1);
        twice[0] = MatrixXd::Identity(z.rows(), z.cols()) + z * twice[1];
        phi = std::move(twice);
    }
}

DifferentialPart::Functions DifferentialPart::combined(const Phi& phi) const
{
    static const MatrixXd coefficients = lagrangeCoefficients();
    Functions out{.whole = phi[0], .ofNode = {}};
    for (std::size_t i = 0; i < kNodes; ++i) {
        out.ofNode[i] = MatrixXd::Zero(phi[0].rows(), phi[0].cols());
        double factorial = 1;
        for (std::size_t k = 0; k < kNodes; ++k) {
            factorial *= std::max<double>(1, static_cast<double>(k));
            out.ofNode[i] += factorial * coefficients(static_cast<Index>(k), static_cast<Index>(i)) * phi[k + 1];
        }
    }
    return out;
}

const DifferentialPart::Functions& DifferentialPart::functions(int level)
{
    auto& found = levels_[static_cast<std::size_t>(level)];
    if (!found) // shorter than those that were prepared: h J is small
        found = combined(taylor(form_.J * std::ldexp(length_, -level)));
    return *found;
}

bool DifferentialPart::step(int level, double t, VectorXd& z)
{
    const Functions& f = functions(level);
    const double h = std::ldexp(length_, -level);
    VectorXd next = f.whole * z, side;
    for (std::size_t i = 0; i < kNodes; ++i) {
        if (!sides_.at(0, t + kNode[i] * h, side))
            return false;
        next += h * (f.ofNode[i] * (form_.P2 * side));
    }
    const double n = static_cast<double>(z.size()), all = static_cast<double>(form_.P2.cols());
    work_ += kNodes * (n * n + n * all + sideCost_);
    z = std::move(next);
    return z.allFinite();
}

/// One step, or its halves where these say something else.
bool DifferentialPart::refined(int level, double t, VectorXd& z)
{
    const double half = std::ldexp(length_, -level - 1);
    VectorXd whole = z, halves = z;
    if (!step(level, t, whole) || !step(level + 1, t, halves) || !step(level + 1, t + half, halves))
        return false;
    const double apart = ((halves - whole).array().abs() / (1 + halves.array().abs())).maxCoeff();
    if (apart > kStepError && level < kMostLevels && half > kLeastStep * std::abs(t) && work_ < kMostProducts)
        return refined(level + 1, t, z) && refined(level + 1, t + half, z);
    error_ = (functions(level).whole * error_ + (halves - whole)).eval();
    estimate_ = std::max(estimate_, (error_.array().abs() / (1 + halves.array().abs())).maxCoeff());
    z = std::move(halves);
    return true;
}

bool DifferentialPart::advance(double t, double h, VectorXd& z)
{
    if (z.size() == 0)
        return true;
    if (h != length_)
        prepare(h);
    if (error_.size() == 0)
        error_ = VectorXd::Zero(z.size());
    constexpr int kSteps = 1 << kFirstLevel;
    for (int k = 0; k < kSteps; ++k)
        if (!refined(kFirstLevel, t + h * k / kSteps, z))
            return false;
    return true;
}

} // namespace driftless::pencil
