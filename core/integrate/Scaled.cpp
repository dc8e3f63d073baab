#include "core/integrate/Scaled.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/Index.h"
#include "core/integrate/Messages.h"
#include "core/integrate/RateSolver.h"
#include "core/solve/LinearSolver.h"

namespace driftless::integrate {
namespace {

/// The power of two nearest to x > 0; 1 for what has none.
double nearestPowerOfTwo(double x)
{
    int exponent = 0;
    if (!(x > 0) || !std::isfinite(x))
        return 1;
    const double part = std::frexp(x, &exponent);
    exponent -= part < 0.70710678118654752;
    return std::abs(exponent) < 400 ? std::ldexp(1.0, exponent) : 1.0;
}

/// M, f, G of the system in its own units: rows of motion times S_i / E, rows of g over R_k, so that lambda counts in E / R_k.
class ScaledMechanics final : public solve::MechanicalSystem {
public:
    ScaledMechanics(solve::MechanicalSystem& of, double time, double energy, std::span<const double> positions,
                    std::span<const double> rows)
        : of_(of), T_(time), E_(energy), S_(positions.begin(), positions.end()), R_(rows.begin(), rows.end()), q_(S_.size()),
          v_(S_.size())
    {
    }

    int coordinates() const override { return of_.coordinates(); }
    int constraints() const override { return of_.constraints(); }
    solve::Mechanics level() const override { return of_.level(); }
    bool constantMass() const override { return of_.constantMass(); }
    bool forceReadsVelocities() const override { return of_.forceReadsVelocities(); }
    std::uint64_t revision() const override { return of_.revision(); }
    std::span<const solve::MatrixPlace> massPlaces() const override { return of_.massPlaces(); }
    std::span<const solve::MatrixPlace> gradientPlaces() const override { return of_.gradientPlaces(); }

    bool mass(double t, const double* q, double* values) override
    {
        if (!of_.mass(t * T_, position(q), values))
            return false;
        const auto places = of_.massPlaces();
        for (std::size_t k = 0; k < places.size(); ++k)
            values[k] *= S_[at(places[k].row)] * S_[at(places[k].column)] / (E_ * T_ * T_);
        return true;
    }
    bool massRate(double t, const double* q, const double* v, double* out) override
    {
        return of_.massRate(t * T_, position(q), velocity(v), out) && asForce(out);
    }
    bool force(double t, const double* q, const double* v, double* f) override
    {
        return of_.force(t * T_, position(q), velocity(v), f) && asForce(f);
    }
    bool constraint(double t, const double* q, double* g) override
    {
        return of_.constraint(t * T_, position(q), g) && asRow(g, 1);
    }
    bool gradient(double t, const double* q, double* values) override
    {
        if (!of_.gradient(t * T_, position(q), values))
            return false;
        const auto places = of_.gradientPlaces();
        for (std::size_t k = 0; k < places.size(); ++k)
            values[k] *= S_[at(places[k].column)] / R_[at(places[k].row)];
        return true;
    }
    bool constraintRate(double t, const double* q, const double* v, double* rate) override
    {
        return of_.constraintRate(t * T_, position(q), velocity(v), rate) && asRow(rate, T_);
    }
    bool curvature(double t, const double* q, const double* v, double* gamma) override
    {
        return of_.curvature(t * T_, position(q), velocity(v), gamma) && asRow(gamma, T_ * T_);
    }

private:
    const double* position(const double* q)
    {
        for (std::size_t i = 0; i < S_.size(); ++i)
            q_[i] = q[i] * S_[i];
        return q_.data();
    }
    const double* velocity(const double* v)
    {
        for (std::size_t i = 0; i < S_.size(); ++i)
            v_[i] = v[i] * (S_[i] / T_);
        return v_.data();
    }
    bool asForce(double* f) const
    {
        for (std::size_t i = 0; i < S_.size(); ++i)
            f[i] *= S_[i] / E_;
        return true;
    }
    bool asRow(double* g, double factor) const
    {
        for (std::size_t k = 0; k < R_.size(); ++k)
            g[k] *= factor / R_[k];
        return true;
    }

    solve::MechanicalSystem& of_;
    double T_, E_;
    std::vector<double> S_, R_, q_, v_;
};

class ScaledSystem final : public solve::DaeSystem {
public:
    void take(solve::DaeSystem& system, Scaling scaling)
    {
        of_ = &system;
        scaling_ = std::move(scaling);
        scaling_.unknowns.resize(count());
        T_ = nearestPowerOfTwo(scaling_.time);
        characteristic_ = scaling_.time / T_;
        sizes_ = scaling_.unknowns;
        y_.assign(count(), 0.0);
        yp_ = y_;
        R_.assign(count(), 1.0);
        rows_ = R_;
        for (auto* v : {&units_, &scales_})
            v->reserve(count());
        stage_.resize(count());
        if (system.size() <= solve::kDenseLimit)
            for (auto* v : {&dFdy_, &dFdyp_})
                v->reserve(count() * count());
        mechanics_.reset();
        takeStructure();
        setUnits();
    }

    double T() const { return T_; }
    double S(std::size_t i) const { return sizes_[i].unit; }
    void toScaled(std::vector<double>& y, std::vector<double>& yp) const
    {
        for (std::size_t i = 0; i < count(); ++i) {
            y[i] /= S(i);
            yp[i] /= S(i) / T_;
        }
    }
    void fromScaled(std::vector<double>& y, std::vector<double>& yp) const
    {
        for (std::size_t i = 0; i < count(); ++i) {
            y[i] *= S(i);
            yp[i] *= S(i) / T_;
        }
    }

    /// What the rows say of themselves and of unknowns whose size is not known, at a state of the system.
    void restart(double t, std::span<const double> y, std::span<const double> yp)
    {
        sizes_ = scaling_.unknowns;
        takeStructure();
        evaluate(t, y, yp);
        balance();
        setRows();
        setUnits();
        tolerate();
    }

    /// After a change of roles. The unknowns keep their meaning.
    void follow(double t, std::span<const double> y, std::span<const double> yp)
    {
        if (revision_ == of_->rolesRevision())
            return;
        takeStructure();
        evaluate(t, y, yp);
        setRows();
        setUnits();
        tolerate();
    }

    void setTolerances(const IntegratorOptions& options)
    {
        options_ = options;
        tolerate();
    }

    int size() const override { return of_->size(); }
    std::span<const solve::UnknownRole> roles() const override { return roles_; }
    int index() const override { return of_->index(); }
    std::uint64_t rolesRevision() const override { return of_->rolesRevision(); }
    bool residual(double t, const double* y, const double* yp, double* F) override
    {
        unscale(y, yp);
        if (!of_->residual(t * T_, y_.data(), yp_.data(), F))
            return false;
        for (std::size_t i = 0; i < count(); ++i)
            F[i] /= R_[i];
        return true;
    }
    const solve::SparsePattern& pattern() const override { return of_->pattern(); }
    bool jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp) override
    {
        unscale(y, yp);
        if (!of_->jacobian(t * T_, y_.data(), yp_.data(), dFdy, dFdyp))
            return false;
        const solve::SparsePattern& p = of_->pattern();
        for (std::size_t j = 0; j < count(); ++j)
            for (auto k = at(p.columnStarts[j]); k < at(p.columnStarts[j + 1]); ++k) {
                const double factor = S(j) / R_[at(p.rowIndices[k])];
                dFdy[k] *= factor;
                dFdyp[k] *= factor / T_;
            }
        return true;
    }
    bool exactJacobian() const override { return of_->exactJacobian(); }
    bool linearRates() const override { return of_->linearRates(); }
    bool rateSystem(double t, const double* y, const double* yp, double* F, double* values) override
    {
        unscale(y, yp);
        if (!of_->rateSystem(t * T_, y_.data(), yp_.data(), F, values))
            return false;
        for (std::size_t i = 0; i < count(); ++i)
            F[i] /= R_[i];
        const solve::SparsePattern& p = of_->ratePattern();
        const auto roles = of_->roles();
        for (std::size_t j = 0; j < count(); ++j)
            for (auto k = at(p.columnStarts[j]); k < at(p.columnStarts[j + 1]); ++k)
                values[k] *= (roles[j].differential ? S(j) / T_ : S(j)) / R_[at(p.rowIndices[k])];
        return true;
    }
    int eliminatedRoom() const override { return of_->eliminatedRoom(); }
    bool eliminatedRates(double t, const double* differential, double* values, bool judged) override
    {
        for (std::size_t k = 0; k < units_.size(); ++k)
            stage_[k] = differential[k] * units_[k];
        if (!of_->eliminatedRates(t * T_, stage_.data(), values, judged))
            return false;
        for (std::size_t k = 0; k < scales_.size(); ++k)
            values[k] *= scales_[k];
        return true;
    }
    bool solvesRates() override { return of_->solvesRates(); }
    bool solvedRates(double t, double* y, double* yp) override
    {
        unscale(y, yp);
        if (!of_->solvedRates(t * T_, y_.data(), yp_.data()))
            return false;
        const auto roles = of_->roles();
        for (std::size_t i = 0; i < count(); ++i) {
            if (roles[i].differential)
                yp[i] = yp_[i] / (S(i) / T_);
            else
                y[i] = y_[i] / S(i);
        }
        return true;
    }
    const solve::SparsePattern& ratePattern() const override { return of_->ratePattern(); }
    bool semiExplicit() const override { return of_->semiExplicit(); }
    bool statedRates(double t, const double* y, double* yp) override
    {
        unscale(y, yp);
        if (!of_->statedRates(t * T_, y_.data(), yp_.data()))
            return false;
        for (std::size_t i = 0; i < count(); ++i)
            yp[i] = yp_[i] / (S(i) / T_);
        return true;
    }
    std::string domainMessage() const override { return of_->domainMessage(); }
    std::string unknownName(int i) const override { return of_->unknownName(i); }
    std::string rowName(int i) const override { return of_->rowName(i); }
    bool hasProjection() const override { return of_->hasProjection(); }
    bool project(double t, double* y, double* yp) override
    {
        unscale(y, yp);
        if (!of_->project(t * T_, y_.data(), yp_.data()))
            return false;
        for (std::size_t i = 0; i < count(); ++i) {
            y[i] = y_[i] / S(i);
            yp[i] = yp_[i] / (S(i) / T_);
        }
        return true;
    }
    double timeUnit() const override { return T_; }
    double characteristicTime() const override { return characteristic_; }
    solve::MechanicalSystem* mechanical() override
    {
        if (solve::MechanicalSystem* of = of_->mechanical(); of && !mechanics_) {
            std::vector<double> positions, rows = scaling_.constraints;
            for (int i = 0; i < of->coordinates(); ++i)
                positions.push_back(S(at(i)));
            rows.resize(at(of->constraints()), 1.0);
            mechanics_.emplace(*of, T_, scaling_.energy, positions, rows);
        }
        return mechanics_ ? &*mechanics_ : nullptr;
    }

private:
    std::size_t count() const { return at(of_->size()); }

    void unscale(const double* y, const double* yp)
    {
        for (std::size_t i = 0; i < count(); ++i) {
            y_[i] = y[i] * S(i);
            yp_[i] = yp[i] * (S(i) / T_);
        }
    }

    void takeStructure()
    {
        revision_ = of_->rolesRevision();
        roles_.assign(of_->roles().begin(), of_->roles().end());
    }

    /// Of what eliminatedRates() takes and gives; powers of two, so that the reciprocals are exact, too.
    void setUnits()
    {
        units_.clear();
        scales_.clear();
        for (std::size_t i = 0; i < roles_.size(); ++i)
            if (roles_[i].differential) {
                units_.push_back(S(i));
                scales_.push_back(T_ / S(i));
            }
        for (std::size_t i = 0; i < roles_.size(); ++i)
            if (!roles_[i].differential)
                scales_.push_back(1 / S(i));
        for (std::size_t i = 0; i < roles_.size(); ++i)
            if (roles_[i].derivative >= 0)
                roles_[i].derivativeUnit = S(at(roles_[i].derivative)) / (S(i) / T_);
    }

    void evaluate(double t, std::span<const double> y, std::span<const double> yp)
    {
        const auto entries = of_->pattern().rowIndices.size();
        dFdy_.assign(entries, 0.0);
        dFdyp_.assign(entries, 0.0);
        if (of_->jacobian(t, y.data(), yp.data(), dFdy_.data(), dFdyp_.data()))
            return;
        std::fill(dFdy_.begin(), dFdy_.end(), 0.0);
        std::fill(dFdyp_.begin(), dFdyp_.end(), 0.0);
    }

    void tolerate()
    {
        for (std::size_t i = 0; i < roles_.size() && scaling_.tolerance; ++i)
            roles_[i].tolerance =
                scaling_.tolerance(static_cast<int>(i), sizes_[i].usual > 0 ? sizes_[i].usual : 1, options_) / S(i);
    }

    double entry(std::size_t k) const { return std::max(std::abs(dFdy_[k]), std::abs(dFdyp_[k]) / scaling_.time); }

    /// rows_: as large as the unknowns of known size make the rows.
    void measureRows()
    {
        std::fill(rows_.begin(), rows_.end(), 0.0);
        const solve::SparsePattern& p = of_->pattern();
        for (std::size_t j = 0; j < count(); ++j)
            for (auto k = at(p.columnStarts[j]); k < at(p.columnStarts[j + 1]); ++k)
                rows_[at(p.rowIndices[k])] = std::max(rows_[at(p.rowIndices[k])], entry(k) * sizes_[j].usual);
    }

    /// Unknowns without a size get the least that a row of known size leaves them.
    void balance()
    {
        const solve::SparsePattern& p = of_->pattern();
        for (bool found = true; found;) {
            found = false;
            measureRows();
            for (std::size_t j = 0; j < count(); ++j) {
                double least = 0;
                for (auto k = at(p.columnStarts[j]); sizes_[j].usual == 0 && k < at(p.columnStarts[j + 1]); ++k) {
                    const double size = entry(k) > 0 ? rows_[at(p.rowIndices[k])] / entry(k) : 0;
                    if (size > 0 && std::isfinite(size))
                        least = least > 0 ? std::min(least, size) : size;
                }
                if (least > 0) {
                    sizes_[j] = {least, nearestPowerOfTwo(least)};
                    found = true;
                }
            }
        }
        for (Scaling::Size& size : sizes_)
            if (size.usual == 0)
                size = {1, 1};
    }

    void setRows()
    {
        measureRows();
        std::transform(rows_.begin(), rows_.end(), R_.begin(), nearestPowerOfTwo);
        for (std::size_t i = 0; i < roles_.size(); ++i)
            if (roles_[i].rateRow >= 0) // whose entries are 1 and -1, as the roles say
                R_[at(roles_[i].rateRow)] = S(i) / T_;
    }

    solve::DaeSystem* of_ = nullptr;
    Scaling scaling_;
    IntegratorOptions options_;
    double T_ = 1, characteristic_ = 1;
    std::vector<Scaling::Size> sizes_;
    std::vector<double> R_, rows_;
    std::vector<double> units_, scales_, stage_;
    std::vector<double> y_, yp_, dFdy_, dFdyp_;
    std::vector<solve::UnknownRole> roles_;
    std::uint64_t revision_ = 0;
    std::optional<ScaledMechanics> mechanics_;
};

class Scaled final : public Integrator {
public:
    Scaled(std::unique_ptr<Integrator> method, std::function<Scaling(const solve::DaeSystem&)> scaling)
        : method_(std::move(method)), scaling_(std::move(scaling))
    {
    }

    const IntegratorInfo& info() const override { return method_->info(); }

    Result<void> prepare(solve::DaeSystem& system, const IntegratorOptions& options) override
    {
        if (auto sound = checkFor(info(), stated(options)); !sound)
            return sound;
        system_.take(system, scaling_(system));
        system_.setTolerances(options);
        y_.assign(static_cast<std::size_t>(system.size()), 0.0);
        yp_ = z_ = zp_ = y_;
        method_->setCancelFlag(cancelFlag());
        return method_->prepare(system_, inside(options));
    }

    Result<void> restart(double t, std::span<const double> y, std::span<const double> yp) override
    {
        if (y.size() != y_.size() || yp.size() != y_.size())
            return checkStart(system_, t, y, yp);
        system_.restart(t, y, yp);
        std::copy(y.begin(), y.end(), z_.begin());
        std::copy(yp.begin(), yp.end(), zp_.begin());
        system_.toScaled(z_, zp_);
        if (auto begun = method_->restart(t / system_.T(), z_, zp_); !begun)
            return begun;
        read();
        return {};
    }

    Result<void> setOptions(const IntegratorOptions& options) override
    {
        if (auto sound = checkFor(info(), stated(options)); !sound)
            return sound;
        system_.setTolerances(options);
        return method_->setOptions(inside(options));
    }

    StepOutcome step(double tStop) override
    {
        method_->setCancelFlag(cancelFlag());
        system_.follow(t(), y_, yp_);
        StepOutcome outcome = method_->step(tStop / system_.T());
        outcome.t *= system_.T();
        outcome.h *= system_.T();
        read();
        return outcome;
    }

    double t() const override { return method_->t() * system_.T(); }
    std::span<const double> y() const override { return y_; }
    std::span<const double> yp() const override { return yp_; }
    void suggestStep(double h) override { method_->suggestStep(h / system_.T()); }
    void limitStep(double h) override { method_->limitStep(h / system_.T()); }
    void interpolate(double t, std::span<double> y) const override
    {
        method_->interpolate(t / system_.T(), y);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] *= system_.S(i);
    }
    int insideDegree() const override { return method_->insideDegree(); }
    bool followsAlgebraic() const override { return method_->followsAlgebraic(); }
    int currentOrder() const override { return method_->currentOrder(); }
    double lastStep() const override { return method_->lastStep() * system_.T(); }
    double nextStep() const override { return method_->nextStep() * system_.T(); }
    const Statistics& statistics() const override { return method_->statistics(); }

private:
    /// An absolute tolerance of 0 is one of nominal values here.
    static IntegratorOptions stated(IntegratorOptions options)
    {
        if (options.absoluteTolerance == 0 && options.relativeTolerance > 0)
            options.absoluteTolerance = options.relativeTolerance;
        return options;
    }
    IntegratorOptions inside(IntegratorOptions options) const
    {
        const double T = system_.T();
        options.step /= T;
        options.maxStep /= T;
        options.minStep /= T;
        options.absoluteTolerance = 1; // each role has its own; of the multipliers' only whether they have one is asked for
        options.multiplierTolerance = options.multiplierTolerance > 0 ? 1 : 0;
        return options;
    }

    void read()
    {
        const auto z = method_->y(), zp = method_->yp();
        std::copy(z.begin(), z.end(), y_.begin());
        std::copy(zp.begin(), zp.end(), yp_.begin());
        system_.fromScaled(y_, yp_);
    }

    std::unique_ptr<Integrator> method_;
    std::function<Scaling(const solve::DaeSystem&)> scaling_;
    ScaledSystem system_;
    std::vector<double> y_, yp_, z_, zp_;
};

} // namespace

std::unique_ptr<Integrator> makeScaled(std::unique_ptr<Integrator> method,
                                       std::function<Scaling(const solve::DaeSystem&)> scaling)
{
    return std::make_unique<Scaled>(std::move(method), std::move(scaling));
}

bool solveScaledRates(solve::DaeSystem& system, Scaling scaling, double t, std::vector<double>& y, std::vector<double>& yp)
{
    ScaledSystem scaled;
    scaled.take(system, std::move(scaling));
    scaled.restart(t, y, yp);
    scaled.toScaled(y, yp);
    RateSolver solver;
    solver.prepare(scaled);
    Statistics statistics;
    const auto result = solver.solve(t / scaled.T(), y.data(), yp.data(), statistics, nullptr);
    scaled.fromScaled(y, yp);
    return result.status == solve::NewtonStatus::Converged;
}

} // namespace driftless::integrate
