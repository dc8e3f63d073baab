#include "core/integrate/MechanicalStep.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless::integrate {

void EntryMatrix::start(int size)
{
    size_ = size;
    entries_.clear();
    linear_.reset();
}

void EntryMatrix::finish()
{
    solve::SparsePattern pattern;
    pattern.rows = pattern.columns = size_;
    std::vector<std::size_t> order(entries_.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    const auto before = [this](std::size_t a, std::size_t b) {
        const solve::MatrixPlace &x = entries_[a], &y = entries_[b];
        return x.column != y.column ? x.column < y.column : x.row < y.row;
    };
    std::sort(order.begin(), order.end(), before);
    places_.assign(entries_.size(), 0);
    pattern.columnStarts.assign(static_cast<std::size_t>(size_) + 1, 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const solve::MatrixPlace& entry = entries_[order[k]];
        if (k == 0 || before(order[k - 1], order[k])) {
            pattern.rowIndices.push_back(entry.row);
            ++pattern.columnStarts[static_cast<std::size_t>(entry.column) + 1];
        }
        places_[order[k]] = pattern.rowIndices.size() - 1;
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(size_); ++c)
        pattern.columnStarts[c + 1] += pattern.columnStarts[c];
    values_.assign(pattern.rowIndices.size(), 0.0);
    linear_ = solve::makeLinearSolver(size_);
    linear_->analyse(pattern);
}

void EntryMatrix::begin()
{
    std::fill(values_.begin(), values_.end(), 0.0);
    next_ = 0;
}

void MechanicalIntegrator::sizePoint(Point& point)
{
    for (auto* v : {&point.q, &point.v, &point.force})
        v->assign(n_, 0.0);
    point.g.assign(m_, 0.0);
    point.mass.assign(model().massPlaces().size(), 0.0);
    point.gradient.assign(model().gradientPlaces().size(), 0.0);
}

void MechanicalIntegrator::allocate()
{
    n_ = static_cast<std::size_t>(model().coordinates());
    m_ = static_cast<std::size_t>(model().constraints());
    prepareSchur();
    if (!massAlone_)
        prepareSaddle();
    saddleSide_.assign(n_ + m_, 0.0);
    rate_.assign(n_, 0.0);
    allocateStages();
}

/// Small systems keep the dense solver.
void MechanicalIntegrator::prepareSchur()
{
    const auto mass = model().massPlaces();
    std::vector<char> seen(n_, 0);
    massAlone_ = static_cast<int>(n_ + m_) > solve::kDenseLimit && m_ > 0 && mass.size() == n_;
    for (const solve::MatrixPlace& p : mass)
        massAlone_ = massAlone_ && p.row == p.column && !std::exchange(seen[static_cast<std::size_t>(p.row)], 1);
    massAlone_ = massAlone_ && schur_.analyse(static_cast<int>(n_), static_cast<int>(m_), model().gradientPlaces());
    saddle_ = {};
    inverseMass_.assign(massAlone_ ? n_ : 0, 0.0);
    force_ = inverseMass_;
}

void MechanicalIntegrator::prepareSaddle()
{
    const int n = static_cast<int>(n_);
    saddle_.start(static_cast<int>(n_ + m_));
    for (const solve::MatrixPlace& p : model().massPlaces())
        saddle_.add(p.row, p.column);
    for (const solve::MatrixPlace& p : model().gradientPlaces()) {
        saddle_.add(p.column, n + p.row);
        saddle_.add(n + p.row, p.column);
    }
    saddle_.finish();
}

/// False where a mass is none.
bool MechanicalIntegrator::takeInverseMass(const Point& point)
{
    const auto places = model().massPlaces();
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (!(std::abs(point.mass[k]) > 0))
            return false;
        inverseMass_[static_cast<std::size_t>(places[k].row)] = 1 / point.mass[k];
    }
    return true;
}

bool MechanicalIntegrator::matricesAt(Point& point)
{
    return model().mass(point.t, point.q.data(), point.mass.data())
           && model().gradient(point.t, point.q.data(), point.gradient.data());
}

bool MechanicalIntegrator::momentumForceAt(Point& point)
{
    ++statistics_.residualEvaluations;
    if (!model().force(point.t, point.q.data(), point.v.data(), point.force.data()))
        return false;
    if (model().constantMass())
        return true;
    if (!model().massRate(point.t, point.q.data(), point.v.data(), rate_.data()))
        return false;
    for (std::size_t i = 0; i < n_; ++i)
        point.force[i] += rate_[i];
    return true;
}

void MechanicalIntegrator::addMass(const Point& point, double factor, const double* v, double* out)
{
    const auto places = model().massPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        out[places[k].row] += factor * point.mass[k] * v[places[k].column];
}

void MechanicalIntegrator::addConstraintForce(const Point& point, double factor, const double* lambda, double* out)
{
    const auto places = model().gradientPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        out[places[k].column] += factor * point.gradient[k] * lambda[places[k].row];
}

solve::NewtonResult MechanicalIntegrator::factorSaddle(const Point& top, const Point& bottom)
{
    bySchur_ =
        massAlone_ && takeInverseMass(top) && schur_.factor(bottom.gradient.data(), inverseMass_.data(), top.gradient.data());
    if (bySchur_) {
        ++statistics_.factorizations;
        solve::NewtonResult result;
        result.matrix = {.ok = true, .pivotRatio = schur_.pivotRatio()};
        return result;
    }
    if (!saddle_.ready())
        prepareSaddle();
    saddle_.begin();
    for (const double value : top.mass)
        saddle_.put(value);
    for (std::size_t k = 0; k < top.gradient.size(); ++k) {
        saddle_.put(top.gradient[k]);
        saddle_.put(bottom.gradient[k]);
    }
    ++statistics_.factorizations;
    solve::NewtonResult result;
    result.matrix = saddle_.factor();
    if (!result.matrix.ok)
        result.status = solve::NewtonStatus::Singular;
    // Columns are accelerations and multipliers; in the words of the system, velocities and multipliers.
    if (result.matrix.column >= 0)
        result.matrix.column += static_cast<int>(n_);
    return result;
}

void MechanicalIntegrator::solveSaddle(double* x)
{
    if (!bySchur_)
        return saddle_.solve(x);
    double* const lambda = x + n_;
    for (std::size_t i = 0; i < n_; ++i)
        force_[i] = inverseMass_[i] * x[i];
    schur_.multipliers(force_.data(), lambda, lambda);
    schur_.force(lambda, force_.data());
    for (std::size_t i = 0; i < n_; ++i)
        x[i] = inverseMass_[i] * (x[i] - force_[i]);
}

solve::NewtonResult MechanicalIntegrator::projectMomentum(Point& point, const double* momentum)
{
    std::fill(rate_.begin(), rate_.end(), 0.0);
    std::copy(momentum, momentum + n_, saddleSide_.begin());
    if (!model().constraintRate(point.t, point.q.data(), rate_.data(), saddleSide_.data() + n_)) // g_t
        return outsideDomain();
    for (std::size_t j = n_; j < n_ + m_; ++j)
        saddleSide_[j] = -saddleSide_[j];
    solveSaddle(saddleSide_.data());
    std::copy(saddleSide_.begin(), saddleSide_.begin() + static_cast<std::ptrdiff_t>(n_), point.v.begin());
    return {};
}

solve::NewtonResult MechanicalIntegrator::endAt(Point& point, double h)
{
    ++statistics_.residualEvaluations;
    if (!model().force(point.t, point.q.data(), point.v.data(), saddleSide_.data())
        || !model().curvature(point.t, point.q.data(), point.v.data(), saddleSide_.data() + n_))
        return outsideDomain();
    for (std::size_t j = n_; j < n_ + m_; ++j)
        saddleSide_[j] = -saddleSide_[j];
    solveSaddle(saddleSide_.data());
    std::copy(point.q.begin(), point.q.end(), yNew_.begin());
    std::copy(point.v.begin(), point.v.end(), yNew_.begin() + static_cast<std::ptrdiff_t>(n_));
    std::copy(saddleSide_.begin() + static_cast<std::ptrdiff_t>(n_), saddleSide_.end(),
              yNew_.begin() + static_cast<std::ptrdiff_t>(2 * n_));
    std::copy(point.v.begin(), point.v.end(), ypNew_.begin());
    std::copy(saddleSide_.begin(), saddleSide_.begin() + static_cast<std::ptrdiff_t>(n_),
              ypNew_.begin() + static_cast<std::ptrdiff_t>(n_));
    estimateAlgebraicRates(h);
    return {};
}

} // namespace driftless::integrate
