// What the methods share that take the equations of motion apart (solve::MechanicalSystem): block matrices of M and G, the
// values of the model at a point, and the end of a step.
#pragma once

#include <memory>
#include <vector>

#include "core/integrate/OneStep.h"
#include "core/solve/ConstraintSchur.h"

namespace driftless::integrate {

/// A sparse matrix written entry by entry in a fixed order: add() once for each, then between begin() and factor() put() in
/// that order. Entries at one place add up.
class EntryMatrix {
public:
    void start(int size);
    void add(int row, int column) { entries_.push_back({row, column}); }
    void finish(); ///< allocates
    bool ready() const { return linear_ != nullptr; }

    void begin();
    void put(double value) { values_[places_[next_++]] += value; }
    solve::Factorization factor() { return linear_->factor(values_.data()); }
    void solve(double* b) { linear_->solve(b); }

private:
    std::vector<solve::MatrixPlace> entries_;
    std::vector<std::size_t> places_;
    std::vector<double> values_;
    std::unique_ptr<solve::LinearSolver> linear_;
    std::size_t next_ = 0;
    int size_ = 0;
};

class MechanicalIntegrator : public OneStepIntegrator {
protected:
    /// M, G, g and the forces at one point of a step.
    struct Point {
        double t = 0;
        std::vector<double> q, v;           ///< n
        std::vector<double> mass, gradient; ///< on massPlaces(), gradientPlaces()
        std::vector<double> g;              ///< m
        std::vector<double> force;          ///< n: f, or f + M' v, the force on the momenta M v
    };

    explicit MechanicalIntegrator(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    void allocate() final;
    virtual void allocateStages() {}
    void forget() override {}

    solve::MechanicalSystem& model() { return *system().mechanical(); }
    std::size_t n() const { return n_; }
    std::size_t m() const { return m_; }
    const double* qOld() const { return y_.data(); }
    const double* vOld() const { return y_.data() + n_; }
    void sizePoint(Point& point);
    /// M and G at (t, q) of the point.
    bool matricesAt(Point& point);
    /// f + M' v at (t, q, v) of the point.
    bool momentumForceAt(Point& point);
    /// out += factor M v, factor G^T lambda, with the values of the point.
    void addMass(const Point& point, double factor, const double* v, double* out);
    void addConstraintForce(const Point& point, double factor, const double* lambda, double* out);

    /// [M G^T; G 0] with M and G^T of top and G of bottom, for solveSaddle(): x (n + m) overwritten.
    solve::NewtonResult factorSaddle(const Point& top, const Point& bottom);
    void solveSaddle(double* x);
    /// M^-1 of top where the last factorSaddle() eliminated the velocities; else null.
    const double* inverseMass() const { return bySchur_ ? inverseMass_.data() : nullptr; }
    /// Whether the velocities of a large system can be eliminated by divisions: each mass stands alone on the diagonal of M.
    bool massAlone() const { return massAlone_; }
    solve::ConstraintSchur& schur() { return schur_; } ///< with massAlone(): what the saddle matrix is eliminated by
    /// The step ends at point (t, q, v set), where the saddle matrix stands factorised: accelerations and multipliers follow
    /// from the constraints at the acceleration level, so both have the accuracy of q and v.
    solve::NewtonResult endAt(Point& point, double h);
    /// v of the point becomes the solution of M v = momentum - G^T kappa, G v + g_t = 0.
    solve::NewtonResult projectMomentum(Point& point, const double* momentum);

    static solve::NewtonResult outsideDomain()
    {
        solve::NewtonResult result;
        result.status = solve::NewtonStatus::OutsideDomain;
        return result;
    }

    std::vector<double> saddleSide_; ///< n + m

private:
    void prepareSchur();
    void prepareSaddle();
    bool takeInverseMass(const Point& point);

    std::size_t n_ = 0, m_ = 0;
    bool massAlone_ = false, bySchur_ = false; ///< bySchur_: how the saddle matrix stands factorised
    EntryMatrix saddle_;                       ///< made when it is first needed where masses stand alone
    solve::ConstraintSchur schur_;
    std::vector<double> inverseMass_, force_;
    std::vector<double> rate_;
};

} // namespace driftless::integrate
