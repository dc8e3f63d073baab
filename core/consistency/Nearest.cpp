// Newton's method on the manifold g = 0 ([PP92] section 5 has the tangent-plane parametrisation it steps in):
//
//   y = W q, W = diag(w_j / S_j), S the nominal sizes (model/NominalScales.h);  A = G W^-1;  Z an orthonormal basis of ker A;
//   e = W (q* - q) A^T mu = e (least squares);  H = I + sum_i mu_i d2g_i/dy2, its second derivatives by central differences of
//   G along Z (Z^T H Z) z = Z^T e;  y + Z z is brought back onto g = 0 by the smallest change of y (Gauss-Newton), and accepted
//   when |W (q - q*)| became smaller
//
// Beyond kMostDense coordinates there is no such search: the asked values are approached as far as they can be held.
//
// Lengths count in their nominal sizes beside angles, so that the answer is the same in all units.
// A free coordinate is found exactly this way: a bob on its rod's circle goes to the point of the circle nearest to the one
// asked for, since H then is the distance from the centre over the length.
#include "core/consistency/Nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/consistency/SaddlePoint.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/NominalScales.h"
#include "core/text/Numbers.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUlp = std::numeric_limits<double>::epsilon();
constexpr double kCloseRoundoffs = 1e4; ///< as the consistency solver's
/// Weight of coordinates nobody asked for: their part of the cost, its square, moves what was asked for by 1e-4 of theirs.
constexpr double kOtherWeight = 1e-2;
constexpr double kFollows = 1e-10; ///< of A against its largest pivot: beyond, a row follows from the others
constexpr int kMostSteps = 60;     ///< quadratic near the end; the rest is room for a long way
constexpr int kMostRetractions = 30, kMostHalvings = 14;
constexpr Index kMostCurved = 64;        ///< degrees of freedom up to which second derivatives are taken
constexpr double kLeastCurvature = 1e-3; ///< keeps a step finite where the cost is flat
constexpr double kLongestStep = 0.5;     ///< of the size of the positions
constexpr double kPathStep = 0.1;        ///< asked positions are approached in steps of this part of the size
constexpr int kMostPathSteps = 16;
constexpr int kMostDense = 150;     ///< coordinates
constexpr int kMostApproaches = 10; ///< parts of the way that are tried
constexpr double kSettled = 1e-10;  ///< gradient against the size of the positions
constexpr double kNearer = 0.999;   ///< another solution must be this much nearer to be preferred to the one followed

/// In nominal sizes.
double sizeOf(const std::vector<double>& q, const std::vector<double>& nominal)
{
    double size = 0;
    for (std::size_t j = 0; j < q.size(); ++j)
        size = std::max(size, std::abs(q[j]) / nominal[j]);
    return size > 0 ? size : 1;
}

double weightOf(bool asked, double nominal) { return (asked ? 1 : kOtherWeight) / nominal; }

class Descent {
public:
    Descent(model::SystemEvaluator& evaluator, const NearestRequest& request, const model::NominalScales& usual)
        : evaluator_(evaluator), system_(evaluator.compiled()), t_(request.from.t), n_(system_.n()), h_(system_.holonomic()),
          target_(Eigen::Map<const VectorXd>(request.q.data(), n_)), weight_(n_),
          size_(sizeOf(request.from.q, usual.positions)), g_(h_), G_(h_, n_), values_(system_.positionJacobianPlaces().size())
    {
        nominal_ = Eigen::Map<const VectorXd>(usual.positions.data(), n_);
        rows_ = Eigen::Map<const VectorXd>(usual.rows.data(), h_);
        for (Index j = 0; j < n_; ++j)
            weight_(j) = weightOf(request.qAsked[static_cast<std::size_t>(j)], nominal_(j));
    }

    double cost(const VectorXd& q) const { return 0.5 * (weight_.array() * (q - target_).array()).matrix().squaredNorm(); }

    /// Onto g = 0 by the smallest change of y; damped.
    bool retract(VectorXd& q)
    {
        for (int k = 0; k < kMostRetractions; ++k) {
            if (!constraints(q, g_) || !gradients(q, G_))
                return false;
            if (met(q))
                return true;
            const VectorXd dq = solve::leastSquares(scaled(G_), -g_, kFollows).cwiseQuotient(weight_);
            const double before = g_.norm();
            double step = 1;
            VectorXd tried, residual(h_);
            int halvings = 0;
            for (; halvings < kMostHalvings; ++halvings, step *= 0.5) {
                tried = q + step * dq;
                if (constraints(tried, residual) && residual.norm() < before)
                    break;
            }
            if (halvings == kMostHalvings)
                return false;
            q = tried;
        }
        return false;
    }

    /// From a q with g = 0 to the nearest one in reach, downhill.
    void descend(VectorXd& q)
    {
        for (int k = 0; k < kMostSteps; ++k) {
            VectorXd direction;
            double slope = 0;
            if (!newtonStep(q, direction, slope))
                return;
            const double before = cost(q);
            double step = 1;
            bool lower = false;
            for (int halving = 0; halving < kMostHalvings && !lower; ++halving, step *= 0.5) {
                VectorXd tried = q + step * direction;
                if (!retract(tried) || !(cost(tried) < before - 1e-4 * step * slope))
                    continue;
                q = tried;
                lower = true;
            }
            if (!lower)
                return;
        }
    }

    double size() const { return size_; }
    const VectorXd& target() const { return target_; }
    /// The constraint with the largest residual after the last retraction that failed.
    Index worst() const
    {
        Index row = 0;
        g_.cwiseAbs().maxCoeff(&row);
        return row;
    }
    const VectorXd& residual() const { return g_; }

private:
    /// g and G with rows in their nominal sizes.
    bool constraints(const VectorXd& q, VectorXd& g)
    {
        if (!evaluator_.constraints(t_, q.data(), g.data()))
            return false;
        g.array() /= rows_.array();
        return g.allFinite();
    }
    bool gradients(const VectorXd& q, MatrixXd& G)
    {
        if (!evaluator_.positionJacobian(t_, q.data(), values_.data()))
            return false;
        G.setZero();
        const auto places = system_.positionJacobianPlaces();
        for (std::size_t k = 0; k < places.size(); ++k)
            G(places[k].row, places[k].column) = values_[k] / rows_(places[k].row);
        return true;
    }
    MatrixXd scaled(const MatrixXd& G) const { return G * weight_.cwiseInverse().asDiagonal(); }
    bool met(const VectorXd& q) const
    {
        for (Index i = 0; i < h_; ++i)
            if (!(std::abs(g_(i)) <= kCloseRoundoffs * kUlp * (1 + G_.row(i).cwiseAbs().dot(q.cwiseAbs()))))
                return false;
        return true;
    }

    /// False where there is nowhere to go.
    bool newtonStep(const VectorXd& q, VectorXd& direction, double& slope)
    {
        if (!gradients(q, G_))
            return false;
        Eigen::ColPivHouseholderQR<MatrixXd> qr;
        qr.setThreshold(kFollows);
        qr.compute(scaled(G_).transpose());
        const Index freedom = n_ - qr.rank();
        if (freedom == 0)
            return false;
        MatrixXd Z = MatrixXd::Zero(n_, freedom);
        Z.bottomRows(freedom).setIdentity();
        solve::applyQ(qr, Z);
        const VectorXd e = weight_.cwiseProduct(target_ - q), gradient = Z.transpose() * e;
        if (gradient.cwiseAbs().maxCoeff() <= kSettled * size_)
            return false;
        const MatrixXd H = curvature(q, Z, solve::solution(qr, e));
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(H);
        const VectorXd bent = eigen.eigenvalues().cwiseAbs().cwiseMax(kLeastCurvature);
        const VectorXd z = eigen.eigenvectors() * (eigen.eigenvectors().transpose() * gradient).cwiseQuotient(bent);
        direction = (Z * z).cwiseQuotient(weight_);
        slope = gradient.dot(z);
        const double longest = direction.cwiseQuotient(nominal_).cwiseAbs().maxCoeff(), limit = kLongestStep * size_;
        if (longest > limit) {
            direction *= limit / longest;
            slope *= limit / longest;
        }
        return true;
    }

    MatrixXd curvature(const VectorXd& q, const MatrixXd& Z, const VectorXd& mu)
    {
        const Index freedom = Z.cols();
        MatrixXd H = MatrixXd::Identity(freedom, freedom);
        if (freedom > kMostCurved)
            return H;
        MatrixXd ahead(h_, n_), behind(h_, n_);
        for (Index k = 0; k < freedom; ++k) {
            const VectorXd dq = Z.col(k).cwiseQuotient(weight_);
            const double step = std::cbrt(kUlp) * size_ / std::max(dq.cwiseQuotient(nominal_).cwiseAbs().maxCoeff(), kUlp);
            if (!gradients(q + step * dq, ahead) || !gradients(q - step * dq, behind))
                return MatrixXd::Identity(freedom, freedom);
            const VectorXd turned = (ahead - behind).transpose() * mu / (2 * step);
            H.col(k) += Z.transpose() * turned.cwiseQuotient(weight_);
        }
        return 0.5 * (H + H.transpose());
    }

    model::SystemEvaluator& evaluator_;
    const model::CompiledSystem& system_;
    double t_;
    Index n_, h_;
    VectorXd target_, weight_, nominal_, rows_; ///< nominal sizes of coordinates and constraints
    double size_;
    VectorXd g_;
    MatrixXd G_;
    std::vector<double> values_;
};

/// q with the asked values exactly, approached along a straight line so that the branch of the present state is kept. On false
/// q is as far as that went.
bool holdPositions(ConsistencySolver& solver, const NearestRequest& request, const std::vector<double>& nominal,
                   std::vector<double>& q)
{
    const std::size_t n = q.size();
    const double size = sizeOf(request.from.q, nominal);
    double far = 0;
    for (std::size_t j = 0; j < n; ++j)
        if (request.qAsked[j])
            far = std::max(far, std::abs(request.q[j] - q[j]) / nominal[j]);
    const int parts = std::clamp(static_cast<int>(std::ceil(far / (kPathStep * size))), 1, kMostPathSteps);
    const std::vector<double> begin = q;
    Request part;
    part.t = request.from.t;
    part.v = request.from.v;
    part.lambda = request.from.lambda;
    part.qFixed = request.qAsked;
    part.vFixed.assign(n, false);
    for (int k = 1; k <= parts; ++k) {
        part.q = q;
        for (std::size_t j = 0; j < n; ++j)
            if (request.qAsked[j])
                part.q[j] = k == parts ? request.q[j] : begin[j] + (request.q[j] - begin[j]) * k / parts;
        auto solution = solver.solve(part);
        if (!solution)
            return false;
        q = std::move(solution->state.q);
    }
    return true;
}

/// Where the way to the asked values ends: parts of it that can still be held, twice as long after success, half as long after
/// failure. q is where it came to so far.
void approach(ConsistencySolver& solver, const NearestRequest& request, const std::vector<double>& nominal,
              std::vector<double>& q)
{
    const double size = sizeOf(request.from.q, nominal);
    NearestRequest part = request;
    double share = 0.5;
    for (int k = 0; k < kMostApproaches; ++k) {
        for (std::size_t j = 0; j < q.size(); ++j)
            if (request.qAsked[j])
                part.q[j] = q[j]
                            + share
                                  * std::clamp(request.q[j] - q[j], -2 * kPathStep * size * nominal[j],
                                               2 * kPathStep * size * nominal[j]);
        std::vector<double> tried = q;
        const bool holds = holdPositions(solver, part, nominal, tried);
        if (holds)
            q = std::move(tried);
        share = holds ? std::min(1.0, 2 * share) : 0.5 * share;
    }
}

Diagnostic unreachable(const model::CompiledSystem& system, const Descent& descent, double t)
{
    const model::Constraint& c = system.system().constraints[static_cast<std::size_t>(descent.worst())];
    std::string joint = c.name;
    for (std::size_t b = 0; b < c.bodies.size(); ++b)
        joint += (b ? " and " : " (between ") + c.bodies[b] + (b + 1 == c.bodies.size() ? ")" : "");
    return {.what = "No position near this one satisfies the constraint " + joint,
            .where = "t = " + text::rounded(t),
            .why = "neither from here nor from the values asked for a consistent position was found",
            .remedy = "a smaller move, or back to the start"};
}

Result<std::vector<double>> nearestPosition(model::SystemEvaluator& evaluator, const NearestRequest& request,
                                            const model::NominalScales& usual, const std::vector<double>& reached)
{
    Descent descent(evaluator, request, usual);
    const auto n = static_cast<Index>(reached.size());
    VectorXd followed = Eigen::Map<const VectorXd>(reached.data(), n), jumped = descent.target();
    const bool follows = descent.retract(followed);
    if (follows)
        descent.descend(followed);
    const bool jumps = descent.retract(jumped);
    if (jumps)
        descent.descend(jumped);
    if (!follows && !jumps)
        return unreachable(evaluator.compiled(), descent, request.from.t);
    const bool other = !follows || (jumps && descent.cost(jumped) < kNearer * descent.cost(followed));
    const VectorXd& q = other ? jumped : followed;
    return std::vector<double>(q.data(), q.data() + n);
}

/// The linear velocity constraints met by the smallest change of W v.
std::vector<double> nearestVelocity(model::SystemEvaluator& evaluator, const NearestRequest& request,
                                    const model::NominalScales& usual, const std::vector<double>& q)
{
    const std::vector<double>& moves = usual.moves;
    const model::CompiledSystem& system = evaluator.compiled();
    std::vector<double> v = request.v, values(system.jacobianPlaces().size()), rate(static_cast<std::size_t>(system.m()));
    if (!evaluator.jacobian(request.from.t, q.data(), values.data())
        || !evaluator.constraintRates(request.from.t, q.data(), v.data(), rate.data()))
        return v;
    if (system.n() > kMostDense) {
        std::vector<solve::MatrixPlace> diagonal;
        std::vector<double> squares;
        for (int j = 0; j < system.n(); ++j) {
            diagonal.push_back({j, j});
            const auto k = static_cast<std::size_t>(j);
            squares.push_back(std::pow(weightOf(request.vAsked[k], moves[k]), 2));
        }
        SaddlePoint saddle(system.n(), system.m(), diagonal, system.jacobianPlaces());
        const auto change = saddle.smallestChange(values, &squares, std::vector<bool>(v.size(), false), rate);
        for (std::size_t j = 0; j < v.size(); ++j)
            v[j] += change[j];
        return v;
    }
    MatrixXd A = MatrixXd::Zero(system.m(), system.n());
    for (std::size_t k = 0; k < values.size(); ++k)
        A(system.jacobianPlaces()[k].row, system.jacobianPlaces()[k].column) = values[k];
    VectorXd weight(system.n());
    for (Index j = 0; j < weight.size(); ++j)
        weight(j) = weightOf(request.vAsked[static_cast<std::size_t>(j)], moves[static_cast<std::size_t>(j)]);
    A = A * weight.cwiseInverse().asDiagonal();
    const Eigen::Map<const VectorXd> sizes(usual.rows.data(),
                                           system.m()); // rows of unlike units count alike, and one that vanishes stays small
    A = sizes.cwiseInverse().asDiagonal() * A;
    const VectorXd missing = Eigen::Map<const VectorXd>(rate.data(), system.m()).cwiseQuotient(sizes);
    const VectorXd dv = solve::leastSquares(A, -missing).cwiseQuotient(weight);
    for (std::size_t j = 0; j < v.size(); ++j)
        v[j] += dv(static_cast<Index>(j));
    return v;
}

bool any(const std::vector<bool>& marks) { return std::find(marks.begin(), marks.end(), true) != marks.end(); }

} // namespace

Result<NearestSolution> nearestConsistent(ConsistencySolver& solver, model::SystemEvaluator& evaluator,
                                          const NearestRequest& request)
{
    NearestSolution out;
    const model::NominalScales usual = model::nominalScales(evaluator);
    Request whole;
    whole.t = request.from.t;
    whole.metric = Metric::Mass; // of the velocities: the change an impulse at the joints would make
    whole.lambda = request.from.lambda;
    whole.q = request.from.q;
    whole.qFixed.assign(whole.q.size(), false);
    if (any(request.qAsked) && !holdPositions(solver, request, usual.positions, whole.q)) {
        out.held = false;
        if (evaluator.compiled().n() > kMostDense) {
            approach(solver, request, usual.positions, whole.q);
        } else {
            auto q = nearestPosition(evaluator, request, usual, whole.q);
            if (!q)
                return q.error();
            whole.q = std::move(*q);
        }
    }
    // Down to round-off; where constraints repeat each other the smallest change above has met them already.
    std::vector<double> polished = whole.q;
    double change = 0;
    if (solver.projectPosition(whole.t, polished.data(), Metric::Identity, change))
        whole.q = std::move(polished);
    whole.v = request.v;
    whole.vFixed = request.vAsked;
    auto solution = solver.solve(whole);
    if (!solution && any(request.vAsked)) {
        out.held = false;
        whole.v = nearestVelocity(evaluator, request, usual, whole.q);
        whole.vFixed.assign(whole.vFixed.size(), false);
        solution = solver.solve(whole);
    }
    if (!solution)
        return solution.error();
    out.state = std::move(solution->state);
    return out;
}

} // namespace driftless::consistency
