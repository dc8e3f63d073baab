#include "core/consistency/Consistency.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/consistency/DragSolve.h"
#include "core/consistency/NearestPoint.h"
#include "core/consistency/SaddlePoint.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Numbers.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// A constraint counts as met when its residual is below this many round-offs of its own terms.
constexpr double kMetRoundoffs = 1e4;
/// What elimination may leave of g'', against its terms, rows that repeat others to the digits of their files among them. More
/// is a singular matrix.
constexpr double kMetAcceleration = 1e-6;
/// Newton steps: quadratic convergence needs five or six; the rest is room for poor guesses with damping.
constexpr int kMaxIterations = 60;
/// Projections start close to the manifold.
constexpr int kMaxProjections = 12;

double maxNorm(const VectorXd& v) { return v.size() ? v.cwiseAbs().maxCoeff() : 0; }

bool byMass(const Request& request, const model::CompiledSystem& system)
{
    return request.metric == Metric::Mass && system.plainRates();
}

std::string nameList(const model::ConstrainedSystem& system, const std::vector<int>& rows)
{
    std::string out;
    for (const int i : rows) {
        const model::Constraint& c = system.constraints[static_cast<std::size_t>(i)];
        out += (out.empty() ? "" : ", ") + c.name;
        for (std::size_t b = 0; b < c.bodies.size(); ++b)
            out += (b ? " and " : " (between ") + c.bodies[b] + (b + 1 == c.bodies.size() ? ")" : "");
    }
    return out;
}

} // namespace

struct ConsistencySolver::Impl {
    std::shared_ptr<const model::CompiledSystem> system;
    model::SystemEvaluator evaluator;
    int n, m, h; ///< coordinates, constraints, holonomic ones
    model::NominalScales scales;
    VectorXd g, rate, gamma, force, positionScale, scale, solution, trial;
    SaddlePoint saddle, positionSaddle; ///< with W, with G
    MassSolver massSolver;
    Eigen::PartialPivLU<Eigen::MatrixXd> effortLu;
    VectorXd effortResidual;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> effortJacobian;
    std::vector<double> massValues, jacobianValues, positionValues; ///< of M, W, G
    DragSolve drag;
    std::string message;

    explicit Impl(std::shared_ptr<const model::CompiledSystem> s)
        : system(s), evaluator(s), n(s->n()), m(s->m()), h(s->holonomic()), saddle(n, m, s->massPlaces(), s->jacobianPlaces()),
          positionSaddle(n, h, s->massPlaces(), s->positionJacobianPlaces()), massSolver(n, s->massPlaces()),
          effortLu(std::max(1, s->efforts())), drag(s)
    {
        g = positionScale = VectorXd::Zero(h);
        rate = gamma = scale = VectorXd::Zero(m);
        force = trial = VectorXd::Zero(n);
        solution = VectorXd::Zero(n + m);
        effortResidual = VectorXd::Zero(s->efforts());
        effortJacobian.setZero(s->efforts(), s->efforts());
        massValues.resize(s->massPlaces().size());
        jacobianValues.resize(s->jacobianPlaces().size());
        positionValues.resize(s->positionJacobianPlaces().size());
        takeScales();
    }

    void takeScales()
    {
        scales = model::nominalScales(evaluator);
        saddle.setUnits(scales.moves); // W multiplies velocities, G positions
        positionSaddle.setUnits(scales.positions);
    }
    double unit(int coordinate) const { return scales.positions[static_cast<std::size_t>(coordinate)]; }

    bool refuse()
    {
        message = evaluator.message();
        return false;
    }

    /// W, the matrix of the velocity constraints and of the constraint forces.
    bool loadJacobian(double t, const double* q) { return evaluator.jacobian(t, q, jacobianValues.data()) || refuse(); }
    /// G, the gradients of the position constraints.
    bool loadPositionJacobian(double t, const double* q)
    {
        return evaluator.positionJacobian(t, q, positionValues.data()) || refuse();
    }
    bool loadDrag(double t, const double* q) { return drag.load(evaluator, t, q) || refuse(); }
    bool loadMass(double t, const double* q) { return evaluator.mass(t, q, massValues.data()) || refuse(); }

    /// Round-off level of each row's value: the size of its terms.
    /// rates: of g', psi instead of g.
    void loadScale(std::span<const solve::MatrixPlace> places, const std::vector<double>& values, const double* x, bool rates,
                   VectorXd& out) const
    {
        for (Index i = 0; i < out.size(); ++i)
            out(i) = scales.rowUnits[static_cast<std::size_t>(i)] / (rates ? model::nearestPowerOfTwo(scales.time) : 1);
        for (std::size_t k = 0; k < places.size(); ++k)
            out(places[k].row) += std::abs(values[k] * x[places[k].column]);
        out *= kMetRoundoffs * kEpsilon;
    }
    void loadPositionScale(const double* q)
    {
        loadScale(system->positionJacobianPlaces(), positionValues, q, false, positionScale);
    }

    /// Norm of residuals, each in the unit of its row.
    double sizeOf(const VectorXd& residual) const
    {
        double sum = 0;
        for (Index i = 0; i < residual.size(); ++i) {
            const double r = residual(i) / scales.rowUnits[static_cast<std::size_t>(i)];
            sum += r * r;
        }
        return std::sqrt(sum);
    }

    static bool met(const VectorXd& residual, const VectorXd& scale)
    {
        return (residual.cwiseAbs().array() <= scale.array()).all();
    }

    bool factorKkt(bool identity) { return saddle.factor(jacobianValues, identity ? nullptr : &massValues) || dependent(); }
    bool factorPosition(bool identity)
    {
        return positionSaddle.factor(positionValues, identity ? nullptr : &massValues) || dependent();
    }
    bool dependent()
    {
        message = "the matrix [M G^T; G 0] is singular: constraints depend on each other here, or a coordinate carries no mass";
        return false;
    }
    /// a and lambda from force and gamma with the factors of factorKkt().
    bool solveKkt(double* a, double* lambda)
    {
        solution.head(n) = force;
        solution.tail(m) = -gamma;
        saddle.solve(solution.data());
        const bool found = drag.correct(saddle, solution);
        if (!found)
            message = "the forces of contacts that slide with friction are not determined here";
        std::copy_n(solution.data(), n, a);
        if (lambda)
            std::copy_n(solution.data() + n, m, lambda);
        return found;
    }

    void take(const model::SystemEvaluator::Measures& known)
    {
        massValues.assign(known.mass.begin(), known.mass.end());
        jacobianValues.assign(known.jacobian.begin(), known.jacobian.end());
        std::copy(known.force.begin(), known.force.end(), force.begin());
        std::copy(known.gamma.begin(), known.gamma.end(), gamma.begin());
        drag.take(known.drag);
    }
    bool accelerate(double* a, double* lambda) { return factorKkt(false) && solveKkt(a, lambda); }
    /// From M a = f - (W + D)^T lambda; false where M is singular.
    bool accelerateFreely(const double* lambda, double* a)
    {
        trial = force;
        const auto places = system->jacobianPlaces();
        for (std::size_t k = 0; k < places.size(); ++k)
            trial(places[k].column) -= jacobianValues[k] * lambda[places[k].row];
        drag.subtract(lambda, trial);
        if (!massSolver.solve(massValues, trial.data()))
            return false;
        std::copy_n(trial.data(), n, a);
        return true;
    }
    /// Where M is singular only the KKT matrix fixes a.
    bool accelerateHeld(const double* lambda, double* a)
    {
        return factorKkt(false) ? solveKkt(a, nullptr) : penalisedAcceleration(lambda, a);
    }

    /// Where M is singular and rows are redundant, too: M a = f - W^T lambda and W a = -gamma together, from
    /// (M + s W^T W) a = f - W^T lambda - s W^T gamma, whose matrix is positive definite where M is on the kernel of W. Dense.
    bool penalisedAcceleration(const double* lambda, double* a)
    {
        if (n > kDenseSize || m == 0)
            return false; // the message of the KKT matrix stands
        Eigen::MatrixXd both = Eigen::MatrixXd::Zero(n, n), W = Eigen::MatrixXd::Zero(m, n);
        const auto places = system->massPlaces(), entries = system->jacobianPlaces();
        for (std::size_t k = 0; k < places.size(); ++k)
            both(places[k].row, places[k].column) += massValues[k];
        for (std::size_t k = 0; k < entries.size(); ++k)
            W(entries[k].row, entries[k].column) += jacobianValues[k];
        const double weight =
            both.diagonal().cwiseAbs().maxCoeff() / std::max(W.cwiseAbs2().maxCoeff(), std::numeric_limits<double>::min());
        both.noalias() += weight * W.transpose() * W;
        VectorXd right = force - W.transpose() * (Eigen::Map<const VectorXd>(lambda, m) + weight * gamma);
        drag.subtract(lambda, right);
        const Eigen::LDLT<Eigen::MatrixXd> factors(both);
        const auto pivots = factors.vectorD();
        if (!(pivots.minCoeff() > kSingular * pivots.maxCoeff()))
            return false;
        const VectorXd found = factors.solve(right);
        std::copy_n(found.data(), n, a);
        return true;
    }

    Result<void> solvePosition(const Request& request, std::vector<double>& q);
    Result<void> meetPosition(const Request& request, std::vector<double>& q);
    Result<void> solveVelocity(const Request& request, const std::vector<double>& q, std::vector<double>& v);
    Diagnostic conflict(const char* level, const VectorXd& residual, const VectorXd& allowed, const std::vector<bool>& fixed,
                        bool velocity) const;
    Result<void> solveMultipliers(Solution& out);
    bool solveEfforts(double t, const double* q, const double* v, double* lambda);
};

Diagnostic ConsistencySolver::Impl::conflict(const char* level, const VectorXd& residual, const VectorXd& allowed,
                                             const std::vector<bool>& fixed, bool velocity) const
{
    std::vector<int> rows;
    for (Index i = 0; i < residual.size(); ++i)
        if (!(std::abs(residual(i)) <= allowed(i)))
            rows.push_back(static_cast<int>(i));
    std::string held;
    for (int j = 0; j < n; ++j)
        if (fixed[static_cast<std::size_t>(j)])
            held += (held.empty() ? "" : ", ")
                    + (velocity ? system->system().coordinates[static_cast<std::size_t>(j)].velocity.name
                                : system->system().coordinates[static_cast<std::size_t>(j)].name);
    Diagnostic d;
    d.what = std::string("The initial ") + level + " cannot meet the constraint" + (rows.size() > 1 ? "s " : " ")
             + nameList(system->system(), rows);
    d.where = "largest residual " + text::rounded(maxNorm(residual), 3);
    d.why = held.empty() ? "no nearby values satisfy all constraints at once" : "these values are fixed: " + held;
    d.remedy = held.empty() ? "start values closer to a configuration that can be assembled"
                            : "make one of the fixed values a guess, or pass --allow-inconsistent to start as it stands";
    if (!rows.empty())
        d.position = system->system().constraints[static_cast<std::size_t>(rows.front())].position;
    return d;
}

Result<void> ConsistencySolver::Impl::solvePosition(const Request& request, std::vector<double>& q)
{
    // Where masses differ by much, light bodies would have to go too far in one step: by coordinates first, then to the
    // nearest.
    const auto meetByAny = [&](std::vector<double>& at) {
        const std::vector<double> from = at;
        auto found = meetPosition(request, at);
        if (found || !byMass(request, *system))
            return found;
        Request plain = request;
        plain.metric = Metric::Identity;
        at = from;
        return meetPosition(plain, at) ? Result<void>() : found;
    };
    if (auto found = meetByAny(q); !found)
        return found;
    const std::vector<double>* const mass = byMass(request, *system) ? &massValues : nullptr;
    const auto distance = [&](const std::vector<double>& to) { // squared, from the start values
        const auto moved = [&](int j) { return to[static_cast<std::size_t>(j)] - request.q[static_cast<std::size_t>(j)]; };
        double sum = 0;
        for (std::size_t k = 0; mass && k < mass->size(); ++k)
            sum += (*mass)[k] * moved(system->massPlaces()[k].row) * moved(system->massPlaces()[k].column);
        for (int j = 0; !mass && j < n; ++j)
            sum += moved(j) * moved(j) / (unit(j) * unit(j));
        return sum;
    };
    const auto smallest = [&](const std::vector<double>& at) -> std::optional<std::vector<double>> {
        if (!evaluator.constraints(request.t, at.data(), g.data()) || !loadPositionJacobian(request.t, at.data())
            || !loadMass(request.t, at.data()))
            return std::nullopt;
        const auto places = system->positionJacobianPlaces();
        for (std::size_t k = 0; k < places.size(); ++k) {
            const auto j = static_cast<std::size_t>(places[k].column);
            g(places[k].row) -= positionValues[k] * (at[j] - request.q[j]);
        }
        return positionSaddle.smallestChange(positionValues, mass, request.qFixed, {g.data(), static_cast<std::size_t>(h)});
    };
    const auto meet = [&](std::vector<double>& at) { return meetByAny(at).ok(); };
    std::vector<double> nearest =
        nearestPoint(request.q, q, scales.positions, {.smallest = smallest, .meet = meet, .distance = distance});
    if (nearest != q && evaluator.constraints(request.t, nearest.data(), g.data())
        && loadPositionJacobian(request.t, nearest.data())) {
        // Once more: what counts as met is some thousand rounding errors wide.
        const std::vector<double> change =
            positionSaddle.smallestChange(positionValues, mass, request.qFixed, {g.data(), static_cast<std::size_t>(h)});
        for (std::size_t j = 0; j < q.size(); ++j)
            q[j] = nearest[j] + change[j];
    }
    return meetPosition(request, q);
}

Result<void> ConsistencySolver::Impl::meetPosition(const Request& request, std::vector<double>& q)
{
    const double t = request.t;
    const auto domain = [this] {
        return Diagnostic{.what = "The constraints cannot be evaluated at the initial position",
                          .why = evaluator.message(),
                          .remedy = "other start values or parameters"};
    };
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
        if (!evaluator.constraints(t, q.data(), g.data()) || !loadPositionJacobian(t, q.data()) || !loadMass(t, q.data()))
            return domain();
        loadPositionScale(q.data());
        if (met(g, positionScale))
            return {};
        const std::vector<double> change =
            positionSaddle.smallestChange(positionValues, byMass(request, *system) ? &massValues : nullptr, request.qFixed,
                                          {g.data(), static_cast<std::size_t>(h)});
        const Eigen::Map<const VectorXd> dq(change.data(), n);
        const double before = sizeOf(g);
        double step = 1;
        bool lower = false;
        VectorXd tried(h);
        for (int halving = 0; halving < 20 && !lower; ++halving, step *= 0.5) {
            for (int j = 0; j < n; ++j)
                trial(j) = q[static_cast<std::size_t>(j)] + step * dq(j);
            lower = evaluator.constraints(t, trial.data(), tried.data()) && sizeOf(tried) < before;
        }
        if (lower) {
            std::copy_n(trial.data(), n, q.begin());
            continue;
        }
        // A vanishing gradient (a rod of length zero, say): leave the point by a small fixed displacement once or twice.
        double moved = 0;
        for (int j = 0; j < n; ++j)
            moved = std::max(moved, std::abs(dq(j)) / unit(j));
        if (iteration > 2 || moved > 1e-8)
            break;
        for (int j = 0; j < n; ++j)
            if (!request.qFixed[static_cast<std::size_t>(j)])
                q[static_cast<std::size_t>(j)] += 1e-3 * unit(j) * (1 + 0.37 * j);
    }
    return conflict("positions", g, positionScale, request.qFixed, false);
}

Result<void> ConsistencySolver::Impl::solveVelocity(const Request& request, const std::vector<double>& q,
                                                    std::vector<double>& v)
{
    for (int pass = 0; pass < 3; ++pass) { // linear: the second pass removes round-off
        if (!evaluator.constraintRates(request.t, q.data(), v.data(), rate.data()))
            return Diagnostic{.what = "The velocity constraints cannot be evaluated",
                              .why = evaluator.message(),
                              .remedy = "other start values"};
        if (!loadJacobian(request.t, q.data()) || !loadMass(request.t, q.data()))
            return Diagnostic{
                .what = "The velocity constraints cannot be evaluated", .why = message, .remedy = "other start values"};
        loadScale(system->jacobianPlaces(), jacobianValues, v.data(), true, scale);
        if (met(rate, scale))
            return {};
        const std::vector<double> dv =
            saddle.smallestChange(jacobianValues, request.metric == Metric::Mass ? &massValues : nullptr, request.vFixed,
                                  {rate.data(), static_cast<std::size_t>(m)});
        for (std::size_t j = 0; j < v.size(); ++j)
            v[j] += dv[j];
    }
    return conflict("velocities", rate, scale, request.vFixed, true);
}

bool ConsistencySolver::Impl::solveEfforts(double t, const double* q, const double* v, double* lambda)
{
    const int count = system->efforts();
    double* e = lambda + m + system->dynamics();
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; count > 0; ++iteration) {
        if (!evaluator.effortEquations(t, q, v, lambda, effortResidual.data(), effortJacobian.data()))
            return refuse();
        effortLu.compute(effortJacobian);
        const auto pivots = effortLu.matrixLU().diagonal().cwiseAbs();
        if (!(pivots.minCoeff() > kSingular * pivots.maxCoeff())) {
            message = "the effort constraints do not determine the efforts: Gamma_e is singular";
            return false;
        }
        const auto change = effortLu.solve(effortResidual).eval();
        double size = 0;
        for (int i = 0; i < count; ++i) {
            e[i] -= change(i);
            size = std::max(size, std::abs(change(i)) / (1 + std::abs(e[i])));
        }
        // Quadratic convergence: a change below the root of round-off leaves round-off.
        if (size <= 4 * kEpsilon || (size < 1e-6 && size >= 0.5 * last))
            return true;
        last = size;
        if (iteration == kMaxIterations || !std::isfinite(size)) {
            message = "the effort constraints have no solution near the present efforts";
            return false;
        }
    }
    return true;
}

Result<void> ConsistencySolver::Impl::solveMultipliers(Solution& out)
{
    model::ModelState& s = out.state;
    const auto fail = [](const std::string& why) {
        return Diagnostic{.what = "The accelerations and constraint forces have no solution at the start",
                          .why = why,
                          .remedy = "other start values, or a mass for every coordinate"};
    };
    if (!solveEfforts(s.t, s.q.data(), s.v.data(), s.lambda.data()))
        return fail(message);
    if (!loadMass(s.t, s.q.data()) || !loadJacobian(s.t, s.q.data())
        || !evaluator.force(s.t, s.q.data(), s.v.data(), s.lambda.data(), force.data())
        || !evaluator.gamma(s.t, s.q.data(), s.v.data(), gamma.data()) || !loadDrag(s.t, s.q.data()))
        return fail(evaluator.message());
    if (factorKkt(false))
        return solveKkt(s.a.data(), s.lambda.data()) ? Result<void>{} : fail(message);
    if (drag.any())
        return fail(message);
    // Redundant but consistent rows: the multipliers of smallest norm.
    solution.head(n) = force;
    solution.tail(m) = -gamma;
    if (!saddle.solveSingular(jacobianValues, massValues, solution.data()))
        return fail(message);
    std::copy_n(solution.data(), n, s.a.begin());
    std::copy_n(solution.data() + n, m, s.lambda.begin());
    return {};
}

ConsistencySolver::ConsistencySolver(std::shared_ptr<const model::CompiledSystem> system)
    : impl_(std::make_unique<Impl>(std::move(system)))
{
}
ConsistencySolver::~ConsistencySolver() = default;
ConsistencySolver::ConsistencySolver(ConsistencySolver&&) noexcept = default;
ConsistencySolver& ConsistencySolver::operator=(ConsistencySolver&&) noexcept = default;

void ConsistencySolver::setParameters(std::span<const double> values)
{
    if (std::ranges::equal(values, impl_->evaluator.parameters()))
        return; // what follows from them is known
    impl_->evaluator.setParameters(values);
    impl_->takeScales();
}

const model::NominalScales& ConsistencySolver::scales() const { return impl_->scales; }

std::span<const double> ConsistencySolver::jacobianValues() const { return impl_->jacobianValues; }

const std::string& ConsistencySolver::message() const { return impl_->message; }

Result<Solution> ConsistencySolver::solve(const Request& request)
{
    Impl& d = *impl_;
    Solution out;
    out.state.resize(d.n, d.system->w());
    out.state.t = request.t;
    for (std::size_t i = static_cast<std::size_t>(d.m); i < std::min(request.lambda.size(), out.state.lambda.size()); ++i)
        out.state.lambda[i] = request.lambda[i];
    out.state.q = request.q;
    out.state.v = request.v;
    if (!d.evaluator.constraints(request.t, request.q.data(), d.g.data())
        || !d.evaluator.constraintRates(request.t, request.q.data(), request.v.data(), d.rate.data())
        || !d.loadJacobian(request.t, request.q.data()))
        return Diagnostic{.what = "The constraints cannot be evaluated at the start",
                          .why = d.evaluator.message(),
                          .remedy = "other start values"};
    out.report.positionBefore = maxNorm(d.g);
    out.report.velocityBefore = maxNorm(d.rate);
    if (!request.allowInconsistent) {
        if (auto r = d.solvePosition(request, out.state.q); !r)
            return r.error();
        if (auto r = d.solveVelocity(request, out.state.q, out.state.v); !r)
            return r.error();
    }
    out.report.dependentConstraints = d.saddle.dependentRows(d.jacobianValues);
    if (auto r = d.solveMultipliers(out); !r)
        return r.error();
    if (request.lambdaGiven) {
        for (int i = 0; i < d.m; ++i) {
            const double given = request.lambda[static_cast<std::size_t>(i)];
            double& lambda = out.state.lambda[static_cast<std::size_t>(i)];
            if (std::isnan(given))
                continue;
            const double usual =
                d.scales.byName.at(d.system->system().constraints[static_cast<std::size_t>(i)].multiplier.text()).usual;
            const double allowed = 1e-9 * (usual + std::abs(lambda)); // values are typed with at least nine digits
            if (!request.allowInconsistent && std::abs(given - lambda) > allowed)
                return Diagnostic{.what = "The multiplier "
                                          + d.system->system().constraints[static_cast<std::size_t>(i)].multiplier.text()
                                          + " cannot be " + text::rounded(given, 3),
                                  .why = "position and velocity fix it to " + text::rounded(lambda, 3),
                                  .remedy = "leave it out, or pass --allow-inconsistent"};
            if (request.allowInconsistent)
                lambda = given;
        }
        if (request.allowInconsistent
            && !accelerationsFor(request.t, out.state.q.data(), out.state.v.data(), out.state.lambda.data(),
                                 out.state.a.data()))
            return Diagnostic{
                .what = "The accelerations have no solution at the start", .why = d.message, .remedy = "other start values"};
    }
    const VectorXd dq = Eigen::Map<const VectorXd>(out.state.q.data(), d.n) - Eigen::Map<const VectorXd>(request.q.data(), d.n);
    const VectorXd dv = Eigen::Map<const VectorXd>(out.state.v.data(), d.n) - Eigen::Map<const VectorXd>(request.v.data(), d.n);
    out.report.positionChange = maxNorm(dq);
    out.report.velocityChange = maxNorm(dv);
    if (d.evaluator.constraints(request.t, out.state.q.data(), d.g.data())
        && d.evaluator.constraintRates(request.t, out.state.q.data(), out.state.v.data(), d.rate.data())) {
        out.report.positionAfter = maxNorm(d.g);
        out.report.velocityAfter = maxNorm(d.rate);
        VectorXd acceleration = d.gamma, terms = d.gamma.cwiseAbs();
        const auto places = d.system->jacobianPlaces();
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double term = d.jacobianValues[k] * out.state.a[static_cast<std::size_t>(places[k].column)];
            acceleration(places[k].row) += term;
            terms(places[k].row) += std::abs(term);
        }
        out.report.accelerationAfter = maxNorm(acceleration);
        const double time = d.scales.time;
        for (Index i = 0; i < acceleration.size() && !request.allowInconsistent; ++i)
            if (!(std::abs(acceleration(i))
                  <= kMetAcceleration * (terms(i) + d.scales.rows[static_cast<std::size_t>(i)] / (time * time))))
                return Diagnostic{.what = "The accelerations do not meet the constraint "
                                          + nameList(d.system->system(), {static_cast<int>(i)}),
                                  .why = "its second derivative is " + text::rounded(acceleration(i), 3)
                                         + " where its terms are as large as " + text::rounded(terms(i), 3),
                                  .remedy = "other start values, or masses that differ less"};
    }
    return out;
}

bool ConsistencySolver::projectPosition(double t, double* q, Metric metric, double& change)
{
    Impl& d = *impl_;
    change = 0;
    if (d.h == 0)
        return true;
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMaxProjections; ++iteration) {
        if (!d.evaluator.constraints(t, q, d.g.data()) || !d.loadPositionJacobian(t, q))
            return d.refuse();
        d.loadPositionScale(q);
        const double norm = d.sizeOf(d.g);
        // Down to a few round-offs: stop when another step no longer helps.
        if (norm == 0 || (Impl::met(d.g, d.positionScale) && norm >= 0.5 * last))
            return true;
        if (iteration + 1 == kMaxProjections || !std::isfinite(norm))
            break;
        last = norm;
        if (!d.system->plainRates())
            metric = Metric::Identity; // M weighs velocities of the basis, not coordinates
        if (metric == Metric::Mass && !d.loadMass(t, q))
            return false;
        if (!d.factorPosition(metric == Metric::Identity))
            return false;
        d.solution.head(d.n).setZero();
        d.solution.segment(d.n, d.h) = -d.g;
        d.positionSaddle.solve(d.solution.data());
        for (int j = 0; j < d.n; ++j) {
            q[j] += d.solution(j);
            change = std::max(change, std::abs(d.solution(j)));
        }
    }
    if (Impl::met(d.g, d.positionScale))
        return true;
    d.message =
        "the projection onto the position constraints does not converge (residual " + text::rounded(maxNorm(d.g), 3) + ")";
    return false;
}

bool ConsistencySolver::projectVelocity(double t, const double* q, double* v, Metric metric, double& change)
{
    Impl& d = *impl_;
    change = 0;
    if (d.m == 0)
        return true;
    if (!d.loadJacobian(t, q) || (metric == Metric::Mass && !d.loadMass(t, q)))
        return d.refuse();
    if (!d.factorKkt(metric == Metric::Identity))
        return false;
    for (int pass = 0; pass < 2; ++pass) { // linear; the second pass removes the round-off of the first
        if (!d.evaluator.constraintRates(t, q, v, d.rate.data()))
            return d.refuse();
        d.solution.head(d.n).setZero();
        d.solution.tail(d.m) = -d.rate;
        d.saddle.solve(d.solution.data());
        for (int j = 0; j < d.n; ++j) {
            v[j] += d.solution(j);
            change = std::max(change, std::abs(d.solution(j)));
        }
    }
    return true;
}

bool ConsistencySolver::accelerations(double t, const double* q, const double* v, double* a, double* lambda)
{
    Impl& d = *impl_;
    if (!d.loadJacobian(t, q) || !d.loadMass(t, q) || !d.loadDrag(t, q) || !d.solveEfforts(t, q, v, lambda))
        return false;
    if (!d.evaluator.force(t, q, v, lambda, d.force.data()) || !d.evaluator.gamma(t, q, v, d.gamma.data()))
        return d.refuse();
    return d.accelerate(a, lambda);
}

bool ConsistencySolver::accelerations(const model::SystemEvaluator::Measures& known, double* a, double* lambda)
{
    impl_->take(known);
    return impl_->accelerate(a, lambda);
}

bool ConsistencySolver::accelerationsFor(double t, const double* q, const double* v, const double* lambda, double* a)
{
    Impl& d = *impl_;
    if (!d.loadJacobian(t, q) || !d.loadMass(t, q) || !d.loadDrag(t, q))
        return false;
    if (!d.evaluator.force(t, q, v, lambda, d.force.data()))
        return d.refuse();
    return d.accelerateFreely(lambda, a) || (d.evaluator.gamma(t, q, v, d.gamma.data()) && d.accelerateHeld(lambda, a));
}

bool ConsistencySolver::accelerationsFor(const model::SystemEvaluator::Measures& known, const double* lambda, double* a)
{
    impl_->take(known);
    return impl_->accelerateFreely(lambda, a) || impl_->accelerateHeld(lambda, a);
}

bool ConsistencySolver::solveEfforts(double t, const double* q, const double* v, double* lambda)
{
    return impl_->solveEfforts(t, q, v, lambda);
}

} // namespace driftless::consistency
