// The equations of motion behind a form that consists of them alone, for methods that take them apart.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/expr/Tape.h"
#include "core/formulation/Dae.h"
#include "core/solve/MechanicalSystem.h"
#include "core/system/CompiledSystem.h"

namespace driftless::formulation {

/// Whether the form is M v' = f - G^T lambda with q' = v and g = 0 or dg/dt = 0 as it stands, and which of the two.
solve::Mechanics mechanicsOf(const Dae& dae, const model::ConstrainedSystem& system);

class EquationsOfMotion final : public solve::MechanicalSystem {
public:
    /// nullptr where the derivative of M cannot be compiled. message takes the reason of a domain error; it must outlive the
    /// face.
    static std::unique_ptr<EquationsOfMotion> make(std::shared_ptr<const model::CompiledSystem> system, solve::Mechanics level,
                                                   std::span<const double> parameters, std::string& message);
    void setParameters(std::span<const double> parameters);

    int coordinates() const override { return system_->n(); }
    int constraints() const override { return system_->m(); }
    solve::Mechanics level() const override { return level_; }
    bool constantMass() const override { return constantMass_; }
    bool forceReadsVelocities() const override { return forceReadsVelocities_; }
    std::uint64_t revision() const override { return revision_; }
    std::span<const solve::MatrixPlace> massPlaces() const override { return system_->massPlaces(); }
    std::span<const solve::MatrixPlace> gradientPlaces() const override { return system_->positionJacobianPlaces(); }

    bool mass(double t, const double* q, double* values) override { return said(evaluator_.mass(t, q, values)); }
    bool massRate(double t, const double* q, const double* v, double* out) override;
    bool force(double t, const double* q, const double* v, double* f) override
    {
        return said(evaluator_.force(t, q, v, unused_.data(), f));
    }
    bool constraint(double t, const double* q, double* g) override { return said(evaluator_.constraints(t, q, g)); }
    bool gradient(double t, const double* q, double* values) override
    {
        return said(evaluator_.positionJacobian(t, q, values));
    }
    bool constraintRate(double t, const double* q, const double* v, double* rate) override
    {
        return said(evaluator_.constraintRates(t, q, v, rate));
    }
    bool curvature(double t, const double* q, const double* v, double* gamma) override
    {
        return said(evaluator_.gamma(t, q, v, gamma));
    }

private:
    EquationsOfMotion(std::shared_ptr<const model::CompiledSystem> system, solve::Mechanics level,
                      std::span<const double> parameters, std::string& message);
    Result<void> compileMassRate();
    bool said(bool done)
    {
        if (!done)
            message_ = evaluator_.message();
        return done;
    }

    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator evaluator_;
    solve::Mechanics level_;
    std::string& message_;
    bool constantMass_ = true, forceReadsVelocities_ = false;
    std::uint64_t revision_ = 0;
    std::vector<double> unused_; ///< where multipliers would stand that f does not read
    expr::Tape massRate_;        ///< over {t}, q, v, parameters
    expr::TapeWorkspace massRateWork_;
};

} // namespace driftless::formulation
