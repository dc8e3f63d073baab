#include "core/integrate/EliminatedPair.h"

#include <algorithm>
#include <cmath>

namespace driftless::integrate {

namespace {

constexpr int kPairIterations = 100; ///< linear convergence where the force reads velocities: 16 digits at a contraction of 0.7
constexpr int kPairPatience = 12;    ///< another matrix of the same kind would hardly be better

solve::NewtonResult endedBy(solve::NewtonStatus status)
{
    solve::NewtonResult result;
    result.status = status;
    return result;
}

} // namespace

void EliminatedPair::prepare(solve::MechanicalSystem& model, solve::ConstraintSchur& schur)
{
    model_ = &model;
    schur_ = &schur;
    n_ = static_cast<std::size_t>(model.coordinates());
    m_ = static_cast<std::size_t>(model.constraints());
    readsVelocities_ = model.forceReadsVelocities();
    for (auto* v : {&inverse_, &fall_, &fallEnd_, &velocity_, &mass_})
        v->assign(n_, 0.0);
    change_.assign(readsVelocities_ ? n_ : 0, 0.0);
    for (auto* v : {&gradient_, &gradientEnd_})
        v->assign(model.gradientPlaces().size(), 0.0);
    for (auto* v : {&impulse_, &rows_})
        v->assign(m_, 0.0);
    massKnown_ = carried_ = false;
}

void EliminatedPair::carry()
{
    gradient_.swap(gradientEnd_);
    fall_.swap(fallEnd_);
    carried_ = true;
}

bool EliminatedPair::takeMasses()
{
    if (massKnown_ && massRevision_ == model_->revision())
        return true;
    carried_ = false;
    massRevision_ = model_->revision();
    massKnown_ = model_->mass(step_.t, step_.q, mass_.data());
    const auto places = model_->massPlaces();
    for (std::size_t k = 0; k < places.size(); ++k) {
        inverse_[static_cast<std::size_t>(places[k].row)] = 1 / mass_[k];
        massKnown_ = massKnown_ && std::abs(mass_[k]) > 0;
    }
    return massKnown_;
}

/// M^-1 f
bool EliminatedPair::forceAt(double t, const double* q, const double* v, double* force)
{
    ++statistics_->residualEvaluations;
    if (!model_->force(t, q, v, force))
        return false;
    for (std::size_t k = 0; k < n_; ++k)
        force[k] *= inverse_[k];
    return true;
}

/// What the step needs at t_n.
bool EliminatedPair::begin()
{
    farthest_ = 0;
    for (std::size_t k = 0; k < n_; ++k)
        farthest_ = std::max(farthest_, std::abs(step_.q[k]));
    if (carried_)
        return true;
    return model_->gradient(step_.t, step_.q, gradient_.data())
           && (readsVelocities_ || forceAt(step_.t, step_.q, step_.v, fall_.data()));
}

/// Starting values from the accelerations and multipliers at t_n, which a step's own end leaves such that V belongs to K.
void EliminatedPair::reset()
{
    const double half = 0.5 * step_.h;
    placed_ = false;
    for (std::size_t j = 0; j < m_; ++j)
        impulse_[j] = half * step_.lambda[j];
    if (carried_ || readsVelocities_) {
        for (std::size_t k = 0; k < n_; ++k)
            velocity_[k] = step_.v[k] + half * step_.a[k];
        return;
    }
    schur_->forEachForce(gradient_.data(), impulse_.data(),
                         [&](std::size_t k, double held) { velocity_[k] = step_.v[k] + half * fall_[k] - inverse_[k] * held; });
}

bool EliminatedPair::place()
{
    for (std::size_t k = 0; k < n_; ++k)
        step_.qEnd[k] = step_.q[k] + step_.h * velocity_[k];
    return model_->constraint(step_.end, step_.qEnd, rows_.data());
}

bool EliminatedPair::residual()
{
    if (!placed_ && !place())
        return false;
    placed_ = false;
    if (!readsVelocities_)
        return true;
    if (!forceAt(step_.t, step_.q, velocity_.data(), fall_.data()))
        return false;
    const double half = 0.5 * step_.h;
    schur_->forEachForce(gradient_.data(), impulse_.data(), [&](std::size_t k, double held) {
        change_[k] = step_.v[k] + half * fall_[k] - inverse_[k] * held - velocity_[k];
    });
    return true;
}

bool EliminatedPair::assemble()
{
    ++statistics_->jacobianEvaluations;
    placed_ = place();
    return placed_ && model_->gradient(step_.end, step_.qEnd, gradientEnd_.data());
}

solve::Factorization EliminatedPair::factor()
{
    ++statistics_->factorizations;
    const bool good = schur_->factor(gradientEnd_.data(), inverse_.data(), gradient_.data());
    return {.ok = good, .pivotRatio = schur_->pivotRatio()};
}

double EliminatedPair::correct()
{
    ++statistics_->newtonIterations;
    const double each = -1 / step_.h;
    for (double& row : rows_)
        row *= each;
    schur_->multipliers(readsVelocities_ ? change_.data() : nullptr, rows_.data(), rows_.data());
    // The round-off of g divided by h stands in the velocities, the same times M in the impulses. The far end of a long chain
    // has positions with large round-off: g there, and what follows from it, cannot be better.
    const double scale = std::min(1.0, step_.h), usual = 1 + farthest_;
    double largest = 0;
    const auto judge = [&](double change, double value) {
        const double moved = std::abs(scale * change), size = usual + std::abs(value);
        if (!(moved <= largest * size))
            largest = moved / size;
    };
    for (std::size_t j = 0; j < m_; ++j) {
        impulse_[j] += rows_[j];
        judge(rows_[j], impulse_[j]);
    }
    const auto move = [&](std::size_t k, double by) {
        velocity_[k] += by;
        judge(by, velocity_[k]);
    };
    if (readsVelocities_)
        schur_->forEachForce(gradient_.data(), rows_.data(),
                             [&](std::size_t k, double held) { move(k, change_[k] - inverse_[k] * held); });
    else
        schur_->forEachForce(gradient_.data(), rows_.data(), [&](std::size_t k, double held) { move(k, -inverse_[k] * held); });
    return largest;
}

/// v_{n+1}, with the matrix at the end factorised.
bool EliminatedPair::motionAtEnd()
{
    if (!forceAt(step_.end, step_.qEnd, velocity_.data(), fallEnd_.data()))
        return false;
    const double half = 0.5 * step_.h;
    for (std::size_t k = 0; k < n_; ++k)
        velocity_[k] += half * fallEnd_[k];
    double* impulse = step_.applying;
    if (impulse) {
        const double share = step_.h / (step_.h + step_.lastApplied);
        for (std::size_t j = 0; j < m_; ++j)
            impulse[j] = share * ((step_.lastApplied > 0 ? step_.applied[j] : 0) + impulse_[j]);
    } else {
        impulse = rows_.data();
        if (!model_->constraintRate(step_.end, step_.qEnd, velocity_.data(), impulse))
            return false;
        for (std::size_t j = 0; j < m_; ++j)
            impulse[j] = -impulse[j];
        schur_->multipliers(nullptr, impulse, impulse);
    }
    schur_->forEachForce(gradientEnd_.data(), impulse,
                         [&](std::size_t k, double held) { step_.vEnd[k] = velocity_[k] - inverse_[k] * held; });
    return true;
}

/// From the constraints at the acceleration level, so that accelerations and multipliers have the accuracy of q and v.
bool EliminatedPair::accelerationsAtEnd()
{
    if (readsVelocities_ && !forceAt(step_.end, step_.qEnd, step_.vEnd, fallEnd_.data()))
        return false;
    if (!model_->curvature(step_.end, step_.qEnd, step_.vEnd, rows_.data()))
        return false;
    for (double& row : rows_)
        row = -row;
    schur_->multipliers(fallEnd_.data(), rows_.data(), step_.lambdaEnd);
    schur_->forEachForce(gradientEnd_.data(), step_.lambdaEnd,
                         [&](std::size_t k, double held) { step_.aEnd[k] = fallEnd_[k] - inverse_[k] * held; });
    return true;
}

solve::NewtonResult EliminatedPair::attempt(const Step& step, Statistics& statistics, const std::atomic<bool>* cancel)
{
    step_ = step;
    statistics_ = &statistics;
    cancel_ = cancel;
    if (!takeMasses())
        return endedBy(solve::NewtonStatus::Singular);
    if (!begin())
        return endedBy(solve::NewtonStatus::OutsideDomain);
    reset();
    bool factored = false;
    solve::NewtonControl control;
    control.maxIterations = kPairIterations;
    control.patience = kPairPatience;
    const auto result = solve::newton(*this, factored, control);
    if (result.status != solve::NewtonStatus::Converged)
        return result;
    for (std::size_t k = 0; k < n_; ++k)
        step_.qEnd[k] = step_.q[k] + step_.h * velocity_[k];
    if (!model_->gradient(step_.end, step_.qEnd, gradientEnd_.data()))
        return endedBy(solve::NewtonStatus::OutsideDomain);
    ++statistics.factorizations;
    if (!schur_->factor(gradientEnd_.data(), inverse_.data(), gradientEnd_.data()))
        return endedBy(solve::NewtonStatus::Singular);
    return motionAtEnd() && accelerationsAtEnd() ? result : endedBy(solve::NewtonStatus::OutsideDomain);
}

} // namespace driftless::integrate
