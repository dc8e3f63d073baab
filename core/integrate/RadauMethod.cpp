// All in long double, rounded at the end. Lagrange's polynomials of the points x_0 = 0, x_i = c_i have at these the derivatives
// L_j'(x_i) = (w_j / w_i) / (x_i - x_j), L_i'(x_i) = sum_(k != i) 1 / (x_i - x_k) with the barycentric weights w_i = 1 /
// prod_(k != i) (x_i - x_k).
#include "core/integrate/RadauMethod.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace driftless::integrate {
namespace {

using Real = long double;

/// p = P_S(2 x - 1) - P_(S-1)(2 x - 1) and its derivative, by the recurrence of Legendre's polynomials.
struct Value {
    Real p, slope;
};
Value radauPolynomial(std::size_t stages, Real x)
{
    const Real u = 2 * x - 1;
    Real last = 1, now = u, lastSlope = 0, nowSlope = 1;
    for (std::size_t k = 1; k < stages; ++k) {
        const auto K = static_cast<Real>(k);
        const Real next = ((2 * K + 1) * u * now - K * last) / (K + 1);
        const Real nextSlope = lastSlope + (2 * K + 1) * now;
        last = now, now = next, lastSlope = nowSlope, nowSlope = nextSlope;
    }
    return {now - last, 2 * (nowSlope - lastSlope)};
}

/// Its zeros by Newton's iteration, from the left: with the zeros found divided out each one is approached from below.
template <std::size_t S>
std::array<Real, S> radauNodes()
{
    std::array<Real, S> c;
    for (std::size_t i = 0; i + 1 < S; ++i) {
        Real x = i ? c[i - 1] + std::numeric_limits<Real>::epsilon() : 0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            const Value at = radauPolynomial(S, x);
            Real found = 0;
            for (std::size_t k = 0; k < i; ++k)
                found += 1 / (x - c[k]);
            const Real change = at.p / (at.slope - at.p * found);
            x -= change;
            if (std::abs(change) <= 4 * std::numeric_limits<Real>::epsilon())
                break;
        }
        c[i] = x;
    }
    c[S - 1] = 1;
    return c;
}

using Square =
    Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>; ///< S x S; one type for all S takes a third of the time to compile

template <std::size_t S>
typename RadauMethod<S>::Matrix rounded(const Square& from)
{
    typename RadauMethod<S>::Matrix out;
    for (std::size_t i = 0; i < S; ++i)
        for (std::size_t j = 0; j < S; ++j)
            out[i][j] = static_cast<double>(from(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    return out;
}

/// gamma, pairs and T with the eigenvectors scaled so that the last component is one.
template <std::size_t S>
void setModes(RadauMethod<S>& out, const Square& D)
{
    const Eigen::EigenSolver<Square> modes(D);
    std::array<Eigen::Index, S> order; // real one, then those above the real axis; conjugates last
    for (std::size_t k = 0; k < S; ++k)
        order[k] = static_cast<Eigen::Index>(k);
    const auto place = [&modes](Eigen::Index k) {
        const Real height = modes.eigenvalues()[k].imag();
        return height < 0 ? HUGE_VALL : height;
    };
    std::sort(order.begin(), order.end(), [&place](Eigen::Index a, Eigen::Index b) { return place(a) < place(b); });
    Square T(S, S);
    out.gamma = static_cast<double>(modes.eigenvalues()[order[0]].real());
    for (std::size_t k = 0; k <= S / 2; ++k) {
        const auto vector = (modes.eigenvectors().col(order[k]) / modes.eigenvectors()(S - 1, order[k])).eval();
        if (k == 0) {
            T.col(0) = vector.real();
            continue;
        }
        out.pairs[k - 1] = std::complex<double>(modes.eigenvalues()[order[k]]);
        T.col(static_cast<Eigen::Index>(2 * k - 1)) = vector.real();
        T.col(static_cast<Eigen::Index>(2 * k)) = vector.imag();
    }
    out.fromModes = rounded<S>(T);
    out.toModes = rounded<S>(T.inverse());
}

template <std::size_t S>
RadauMethod<S> make()
{
    const auto nodes = radauNodes<S>();
    std::array<Real, S + 1> x{}, weight;
    std::copy(nodes.begin(), nodes.end(), x.begin() + 1);
    for (std::size_t i = 0; i <= S; ++i) {
        weight[i] = 1;
        for (std::size_t k = 0; k <= S; ++k)
            if (k != i)
                weight[i] /= x[i] - x[k];
    }
    RadauMethod<S> out{};
    Square D(S, S);
    for (std::size_t i = 1; i <= S; ++i) {
        out.nodes[i - 1] = static_cast<double>(x[i]);
        out.startRate[i - 1] = static_cast<double>(weight[i] / weight[0] / -x[i]);
        Real sum = 0;
        for (std::size_t k = 0; k <= S; ++k) {
            if (k == i)
                continue;
            sum += 1 / (x[i] - x[k]);
            if (k > 0)
                D(static_cast<Eigen::Index>(i - 1), static_cast<Eigen::Index>(k - 1)) = weight[k] / weight[i] / (x[i] - x[k]);
        }
        D(static_cast<Eigen::Index>(i - 1), static_cast<Eigen::Index>(i - 1)) = sum;
    }
    out.inverse = rounded<S>(D);
    setModes(out, D);
    out.rateNorm = static_cast<double>(D.cwiseAbs().rowwise().sum().maxCoeff());
    for (const double rate : out.startRate)
        out.startNorm += std::abs(rate) / out.gamma;
    return out;
}

} // namespace

template <std::size_t S>
const RadauMethod<S>& radauMethod()
{
    static const RadauMethod<S> made = make<S>();
    return made;
}

template const RadauMethod<3>& radauMethod<3>();
template const RadauMethod<5>& radauMethod<5>();
template const RadauMethod<7>& radauMethod<7>();

} // namespace driftless::integrate
