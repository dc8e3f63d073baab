#include "core/formulation/EquationsOfMotion.h"

#include <algorithm>
#include <unordered_set>

#include "core/formulation/MotionRates.h"

namespace driftless::formulation {

using expr::Expr;

solve::Mechanics mechanicsOf(const Dae& dae, const model::ConstrainedSystem& system)
{
    const auto n = static_cast<std::size_t>(system.n()), m = static_cast<std::size_t>(system.m());
    const bool rowsAlone = dae.unknowns.size() == 2 * n + m && dae.rows.size() == 2 * n + m && dae.choices.empty()
                           && dae.bases.empty() && dae.gains.empty() && dae.overdetermined == 0 && !dae.projection.any();
    if (!motionAlone(system) || !rowsAlone || dae.enforces.acceleration || dae.enforces.position == dae.enforces.velocity)
        return solve::Mechanics::None;
    for (std::size_t i = 0; i < 2 * n + m; ++i) {
        const UnknownKind ofMotion = i < n ? UnknownKind::Position : UnknownKind::Velocity;
        if (dae.unknowns[i].kind != (i < 2 * n ? ofMotion : UnknownKind::Multiplier))
            return solve::Mechanics::None;
    }
    return dae.enforces.position ? solve::Mechanics::Position : solve::Mechanics::Velocity;
}

EquationsOfMotion::EquationsOfMotion(std::shared_ptr<const model::CompiledSystem> system, solve::Mechanics level,
                                     std::span<const double> parameters, std::string& message)
    : system_(std::move(system)), evaluator_(system_), level_(level), message_(message),
      unused_(static_cast<std::size_t>(system_->w()))
{
    evaluator_.setParameters(parameters);
    std::unordered_set<expr::Symbol, expr::SymbolHash> velocities;
    for (const model::Coordinate& c : system_->system().coordinates)
        velocities.insert(c.v);
    const auto reads = [&](const Expr& row) {
        return std::ranges::any_of(expr::symbolsOf(row), [&](const expr::Symbol& s) { return velocities.contains(s); });
    };
    forceReadsVelocities_ = std::ranges::any_of(system_->system().force, reads);
}

std::unique_ptr<EquationsOfMotion> EquationsOfMotion::make(std::shared_ptr<const model::CompiledSystem> system,
                                                           solve::Mechanics level, std::span<const double> parameters,
                                                           std::string& message)
{
    std::unique_ptr<EquationsOfMotion> face(new EquationsOfMotion(std::move(system), level, parameters, message));
    if (const auto compiled = face->compileMassRate(); !compiled) {
        message = compiled.error().text();
        return nullptr;
    }
    return face;
}

/// (M' v)_i = sum over j of (dM_ij/dt along v) v_j, from the same expressions as M.
Result<void> EquationsOfMotion::compileMassRate()
{
    const model::ConstrainedSystem& s = system_->system();
    const expr::RateRule rule = model::motionRule(s);
    std::vector<std::vector<Expr>> terms(s.coordinates.size());
    for (const model::MassEntry& e : s.mass) {
        const Expr rate = expr::timeDerivative(e.value, 1, rule);
        if (rate.isZero())
            continue;
        constantMass_ = false;
        terms[static_cast<std::size_t>(e.row)].push_back(rate
                                                         * expr::symbol(s.coordinates[static_cast<std::size_t>(e.column)].v));
    }
    if (constantMass_)
        return {};
    std::vector<Expr> rows;
    for (const std::vector<Expr>& t : terms)
        rows.push_back(expr::sum(t));
    std::vector<std::vector<expr::Symbol>> banks(4);
    banks[0] = {*expr::time().symbol()};
    for (const model::Coordinate& c : s.coordinates) {
        banks[1].push_back(c.q);
        banks[2].push_back(c.v);
    }
    for (const model::Parameter& p : s.parameters)
        banks[3].push_back(p.symbol);
    auto tape = expr::Tape::compile(rows, std::move(banks));
    if (!tape)
        return tape.error();
    massRate_ = std::move(*tape);
    massRateWork_ = massRate_.workspace();
    return {};
}

void EquationsOfMotion::setParameters(std::span<const double> parameters)
{
    evaluator_.setParameters(parameters);
    ++revision_;
}

bool EquationsOfMotion::massRate(double t, const double* q, const double* v, double* out)
{
    if (constantMass_) {
        std::fill_n(out, coordinates(), 0.0);
        return true;
    }
    const double* const banks[] = {&t, q, v, evaluator_.parameters().data()};
    if (massRate_.evaluate(banks, out, massRateWork_))
        return true;
    const auto where = massRate_.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a value is not a finite number");
    return false;
}

} // namespace driftless::formulation
