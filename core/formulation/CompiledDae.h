// A DAE compiled to tapes, and an instance of it that integrators can step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Tape.h"
#include "core/formulation/BasisValues.h"
#include "core/formulation/Dae.h"
#include "core/formulation/Dummies.h"
#include "core/formulation/EquationsOfMotion.h"
#include "core/formulation/MotionRates.h"
#include "core/solve/DaeSystem.h"
#include "core/system/CompiledSystem.h"

namespace driftless::formulation {

/// Const and shareable. Banks of its tapes: {t}, y, y', {model parameters, gains, entries of the bases, what is held}.
class CompiledDae {
public:
    static Result<std::shared_ptr<const CompiledDae>> compile(Dae dae, std::shared_ptr<const model::CompiledSystem> system);

    const Dae& dae() const { return dae_; }
    const model::CompiledSystem& system() const { return *system_; }
    int size() const { return static_cast<int>(dae_.unknowns.size()); }
    std::vector<double> defaultGains() const;
    /// Whether positions, velocities or multipliers of the model are read from rates of unknowns.
    bool readsRates() const { return readsRates_; }

private:
    friend class DaeInstance;
    void compileRates(const std::vector<expr::Expr>& rows, const std::vector<expr::Expr>& partials,
                      const std::vector<std::vector<expr::Symbol>>& banks);
    void compileSolvedRates(const std::vector<expr::Expr>& outputs, const std::vector<char>& differential,
                            const std::vector<std::vector<expr::Symbol>>& banks);
    bool usualStart(const std::vector<double>& parameters, std::vector<double>& y) const;
    void combine(std::vector<expr::Expr>& rows, std::vector<expr::Expr>& partials);
    void findRateLinks(const std::vector<expr::Expr>& partials);
    Dae dae_;
    std::shared_ptr<const model::CompiledSystem> system_;
    expr::Tape residual_, jacobian_, start_, observe_;
    std::vector<expr::Tape::PlainRead> observed_; ///< of the outputs of observe_, where all of them are inputs
    struct Entry {
        int row, column; ///< row: of Dae::rows, then of Dae::choices
        bool ofRate;     ///< entry of dF/dy' instead of dF/dy
    };
    std::vector<Entry> entries_;
    /// F and the columns of the rates of the differential and the values of the algebraic unknowns, where F is affine in them
    /// (else empty): rows, then the entries on ratePattern_.
    expr::Tape rates_;
    solve::SparsePattern ratePattern_;
    /// The same solved, from {t}, the differential unknowns and the parameters; no outputs: there is none.
    expr::Tape::Solution solvedRates_;
    std::vector<double> pivotScales_; ///< times a pivot that it watches: below one it is smaller than usual
    struct RateLink {
        int row, unknown, rate; ///< the row der(unknown) - rate + ... = 0
    };
    std::vector<RateLink> rateLinks_;
    bool readsRates_ = true;
    std::vector<int> positions_; ///< n: the unknowns that are the coordinates, for continuous bases
};

/// One DAE with its parameter values and its current choice of dummies. Not thread safe.
class DaeInstance final : public solve::DaeSystem {
public:
    /// parameters: the model's; gains: the formulation's (empty: defaults).
    DaeInstance(std::shared_ptr<const CompiledDae> compiled, std::span<const double> parameters,
                std::span<const double> gains = {});

    const CompiledDae& compiled() const { return *compiled_; }
    const Dae& dae() const { return compiled_->dae(); }
    void setParameters(std::span<const double> parameters);
    void setGains(std::span<const double> gains);
    std::span<const double> gains() const;

    /// The coordinates whose derivatives are dummies (h positions, m velocities), for forms with a PivotSpec; with a LinkSpec
    /// the derivatives themselves. The latter changes what the unknowns mean: prepare and restart the integrator.
    void setDummies(const Dummies& dummies);
    const Dummies& dummies() const { return dummies_; }

    /// Whether the form holds numeric bases; they must be refreshed before the first evaluation.
    bool hasBases() const { return !dae().bases.empty(); }
    bool refreshBases(const model::ModelState& state);
    /// After an accepted step: multipliers are carried over, continuous bases get a new reference.
    bool followBases(const model::ModelState& state);
    double basisKappa(const model::ModelState& state);

    /// What a general DAE holds between events is that of the state from here on. fromState does so, too.
    void hold(const model::ModelState& state);
    /// y and y' from a model state (q, v, a, lambda all set). False: domain error, see domainMessage().
    bool fromState(const model::ModelState& state, double* y, double* yp);
    /// q, v and, where the form has them, a and lambda (else left as they are; see dae().a, dae().lambda). False: a number
    /// of the state is not finite.
    bool toState(double t, const double* y, const double* yp, model::ModelState& state);

    /// The projection that forms with Dae::projection apply (from consistency).
    using Projection = std::function<bool(double t, double* y, double* yp)>;
    void setProjection(Projection projection) { projection_ = std::move(projection); }

    /// Operations of one evaluation of F.
    std::size_t residualOperations() const { return compiled_->residual_.operationCount(); }

    int size() const override { return dae().links ? static_cast<int>(active_.size()) : compiled_->size(); }
    /// Whether the unknown of a general DAE is integrated, so that a restart keeps its value.
    bool integrated(int unknown) const;
    std::span<const solve::UnknownRole> roles() const override { return roles_; }
    int index() const override { return compiled_->dae().index; }
    std::uint64_t rolesRevision() const override { return revision_; }
    bool residual(double t, const double* y, const double* yp, double* F) override;
    const solve::SparsePattern& pattern() const override { return pattern_; }
    bool jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp) override;
    std::size_t partialCount() const override { return entryPlace_.size(); }
    Partial partial(std::size_t k) const override;
    bool partials(double t, const double* y, const double* yp, double* values) override;
    /// The ssf-solution is that of A1 s + A2^T sigma = b1: sigma times the derivative of A2 is not in the matrix ([PP92]
    /// (3.14)).
    bool exactJacobian() const override { return dae().overdetermined == 0; }
    bool semiExplicit() const override { return dae().semiExplicit; }
    bool statedRates(double t, const double* y, double* yp) override;
    bool linearRates() const override { return !compiled_->ratePattern_.rowIndices.empty(); }
    bool rateSystem(double t, const double* y, const double* yp, double* F, double* values) override;
    int eliminatedRoom() const override;
    bool eliminatedRates(double t, const double* differential, double* values, bool judged) override;
    bool solvesRates() override;
    bool solvedRates(double t, double* y, double* yp) override;
    const solve::SparsePattern& ratePattern() const override { return compiled_->ratePattern_; }
    std::string domainMessage() const override { return message_; }
    std::string unknownName(int i) const override;
    std::string rowName(int i) const override;
    bool hasProjection() const override;
    bool project(double t, double* y, double* yp) override;
    solve::MechanicalSystem* mechanical() override;

private:
    friend class DaeTrial;
    void updateStructure();
    void prepareStatedRates();
    void updateRates();
    void updateActive();
    bool replacedByRate(int unknown) const { return !unknown_.empty() && unknown_[static_cast<std::size_t>(unknown)] < 0; }
    void expand(const double* y, const double* yp);
    template <typename Next>
    void takeState(double t, Next&& next, model::ModelState& state) const;
    std::shared_ptr<const CompiledDae> compiled_;
    void useBases();
    bool moveBases(double t, const double* y);
    std::vector<double> parameters_; ///< model parameters, gains, bases, what is held
    std::size_t modelParameterCount_ = 0, gainCount_ = 0;
    Dummies dummies_;
    std::vector<int> places_; ///< of each row and choice in F, -1 when out of force
    // Of a general DAE the rates of some unknowns take the place of others:
    std::vector<int> active_;  ///< the compiled unknowns that are integrated
    std::vector<int> unknown_; ///< of each compiled unknown: its place in y, -1 where the rate of the one before stands for it
    std::vector<double> full_, fullRate_;
    std::optional<BasisValues> bases_;
    model::ModelState stated_; ///< of forms that are not semi-explicit, with room for its unknowns and rates
    std::vector<double> statedValues_, statedRates_;
    std::vector<double> basisPoint_, rows_;
    std::vector<solve::UnknownRole> roles_;
    solve::SparsePattern pattern_;
    std::vector<int> entryPlace_; ///< place of each compiled entry in the pattern, -1 when out of force
    std::vector<double> entryValues_, startValues_, observeValues_, rateValues_;
    expr::TapeWorkspace residualWork_, ratesWork_, jacobianWork_, startWork_, observeWork_, solvedRatesWork_, judgedRatesWork_;
    std::uint64_t revision_ = 0;
    std::string message_;
    Projection projection_;
    std::unique_ptr<MotionRates> motionRates_;      ///< made when a method asks for it
    std::unique_ptr<EquationsOfMotion> mechanical_; ///< made when a method asks for it
};

} // namespace driftless::formulation
