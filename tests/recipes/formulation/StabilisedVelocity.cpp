// The velocity constraints with a term that pulls the positions back at a rate alpha:
//   q' = Z v, M v' = f - W^T lambda, dg/dt + alpha g = 0, psi = 0.
#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

class StabilisedVelocityForm final : public Formulation {
public:
    const FormulationInfo& info() const override { return info_; }

private:
    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const model::ConstrainedSystem& s = model.system;
        Dae dae;
        dae.formulation = info_.id;
        dae.index = claimedIndex(s, 2);      // 0 without constraints
        addDescriptorUnknowns(s, 2, dae);    // q, v, lambda, and how a state is read from them
        addKinematicRows(s, dae);            // der(q) - Z v
        addDynamicRows(s, false, dae);       // M der(v) - f + W^T lambda
        addConstraintRows(s, 1, false, dae); // G v + g_t, psi
        dae.gains = makeGains(info_);
        dae.nominalGains = {{.gain = 0, .time = -1}};
        const expr::Expr alpha = expr::symbol(dae.gains[0].symbol);
        for (Row& row : dae.rows)
            if (row.constraint >= 0 && row.constraint < s.holonomic()) {
                row.residual = row.residual + alpha * constraintAtLevel(s, row.constraint, 0, false);
                row.provenance = Provenance::Stabilised;
            }
        addExtraVariables(s, dae); // dynamic variables and efforts, where the model has them
        return dae;
    }

    FormulationInfo info_{.id = "index-2-stabilised",
                          .title = "Index 2, pulled back",
                          .source = "a sample",
                          .index = 2,
                          .requirements = "full rank of G",
                          .keeps = "Keeps no level exactly; positions return to their constraints at the rate alpha.",
                          .gains = {{.name = "alpha",
                                     .unit = "1/s",
                                     .meaning = "rate at which the positions are pulled back",
                                     .value = 2,
                                     .maximum = 100}}};
};

} // namespace

std::unique_ptr<const Formulation> makeStabilisedVelocity() { return std::make_unique<StabilisedVelocityForm>(); }

} // namespace driftless::formulation
