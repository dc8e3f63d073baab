#include "core/formulation/CompiledDae.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace driftless::formulation {

namespace {

using expr::Expr;
using expr::Symbol;

std::vector<Symbol> unknownSymbols(const Dae& dae)
{
    std::vector<Symbol> symbols;
    for (const Unknown& u : dae.unknowns)
        symbols.push_back(u.symbol);
    return symbols;
}

std::vector<Symbol> rateSymbols(const Dae& dae)
{
    std::vector<Symbol> symbols;
    for (const Unknown& u : dae.unknowns)
        symbols.push_back(*expr::rate(u.symbol).symbol());
    return symbols;
}

std::vector<Symbol> parameterSymbols(const Dae& dae, const model::ConstrainedSystem& system)
{
    std::vector<Symbol> symbols;
    for (const model::Parameter& p : system.parameters)
        symbols.push_back(p.symbol);
    for (const model::Parameter& g : dae.gains)
        symbols.push_back(g.symbol);
    return symbols;
}

std::vector<std::vector<Symbol>> stateBanks(const Dae& dae, const model::ConstrainedSystem& system)
{
    std::vector<std::vector<Symbol>> banks(6);
    banks[0] = {*expr::time().symbol()};
    for (const model::Coordinate& c : system.coordinates) {
        banks[1].push_back(c.q);
        banks[2].push_back(c.v);
        banks[3].push_back(c.a);
    }
    for (const model::Constraint& c : system.constraints)
        banks[4].push_back(c.multiplier);
    banks[5] = parameterSymbols(dae, system);
    return banks;
}

} // namespace

std::vector<double> CompiledDae::defaultGains() const
{
    std::vector<double> values;
    for (const model::Parameter& g : dae_.gains)
        values.push_back(g.quantity.value);
    return values;
}

Result<std::shared_ptr<const CompiledDae>> CompiledDae::compile(Dae dae, std::shared_ptr<const model::CompiledSystem> system)
{
    auto out = std::make_shared<CompiledDae>();
    out->dae_ = std::move(dae);
    out->system_ = std::move(system);
    const Dae& d = out->dae_;
    const model::ConstrainedSystem& s = out->system_->system();
    const std::vector<Symbol> unknowns = unknownSymbols(d);
    const std::vector<Symbol> rates = rateSymbols(d);
    const std::vector<std::vector<Symbol>> banks{{*expr::time().symbol()}, unknowns, rates, parameterSymbols(d, s)};

    std::vector<Expr> rows, partials, starts, observed;
    for (const Row& row : d.rows)
        rows.push_back(row.residual);
    for (const bool ofRate : {false, true})
        for (const expr::JacobianEntry& e : expr::sparseJacobian(rows, ofRate ? rates : unknowns)) {
            out->entries_.push_back({e.row, e.column, ofRate});
            partials.push_back(e.value);
        }
    for (const Unknown& u : d.unknowns)
        starts.push_back(u.start);
    for (const Unknown& u : d.unknowns)
        starts.push_back(u.startRate);
    for (const auto* group : {&d.q, &d.v, &d.a, &d.lambda})
        observed.insert(observed.end(), group->begin(), group->end());

    const auto take = [](Result<expr::Tape> tape, expr::Tape& into) -> Result<void> {
        if (!tape)
            return tape.error();
        into = std::move(*tape);
        return {};
    };
    if (auto r = take(expr::Tape::compile(rows, banks), out->residual_); !r)
        return r.error();
    if (auto r = take(expr::Tape::compile(partials, banks), out->jacobian_); !r)
        return r.error();
    if (auto r = take(expr::Tape::compile(starts, stateBanks(d, s)), out->start_); !r)
        return r.error();
    if (auto r = take(expr::Tape::compile(observed, banks), out->observe_); !r)
        return r.error();
    return std::shared_ptr<const CompiledDae>(std::move(out));
}

DaeInstance::DaeInstance(std::shared_ptr<const CompiledDae> compiled, std::span<const double> parameters,
                         std::span<const double> gains)
    : compiled_(std::move(compiled))
{
    modelParameterCount_ = static_cast<std::size_t>(compiled_->system().parameterCount());
    parameters_.assign(parameters.begin(), parameters.end());
    assert(parameters_.size() == modelParameterCount_);
    const std::vector<double> defaults = compiled_->defaultGains();
    const std::span<const double> chosen = gains.empty() ? std::span<const double>(defaults) : gains;
    parameters_.insert(parameters_.end(), chosen.begin(), chosen.end());
    residualWork_ = compiled_->residual_.workspace();
    jacobianWork_ = compiled_->jacobian_.workspace();
    startWork_ = compiled_->start_.workspace();
    observeWork_ = compiled_->observe_.workspace();
    entryValues_.resize(compiled_->entries_.size());
    startValues_.resize(compiled_->start_.outputCount());
    observeValues_.resize(compiled_->observe_.outputCount());
    if (dae().pivot)
        for (int i = 0; i < compiled_->system().m(); ++i)
            dummies_.push_back(i);
    updateStructure();
}

void DaeInstance::setParameters(std::span<const double> parameters)
{
    assert(parameters.size() == modelParameterCount_);
    std::copy(parameters.begin(), parameters.end(), parameters_.begin());
}

void DaeInstance::setGains(std::span<const double> gains)
{
    assert(gains.size() + modelParameterCount_ == parameters_.size());
    std::copy(gains.begin(), gains.end(), parameters_.begin() + static_cast<std::ptrdiff_t>(modelParameterCount_));
}

std::span<const double> DaeInstance::gains() const
{
    return std::span<const double>(parameters_).subspan(modelParameterCount_);
}

void DaeInstance::setDummies(std::span<const int> coordinates)
{
    assert(dae().pivot && static_cast<int>(coordinates.size()) == compiled_->system().m());
    if (std::equal(coordinates.begin(), coordinates.end(), dummies_.begin(), dummies_.end()))
        return;
    dummies_.assign(coordinates.begin(), coordinates.end());
    updateStructure();
    ++revision_;
}

void DaeInstance::updateStructure()
{
    const Dae& d = dae();
    activeLinks_.clear();
    if (d.pivot)
        for (std::size_t c = 0; c < d.pivot->linksOfCoordinate.size(); ++c)
            if (std::find(dummies_.begin(), dummies_.end(), static_cast<int>(c)) == dummies_.end())
                activeLinks_.insert(activeLinks_.end(), d.pivot->linksOfCoordinate[c].begin(), d.pivot->linksOfCoordinate[c].end());
    const int n = size();
    const int fixedRows = static_cast<int>(d.rows.size());
    assert(fixedRows + static_cast<int>(activeLinks_.size()) == n);

    roles_.clear();
    for (const Unknown& u : d.unknowns)
        roles_.push_back({u.differential, u.indexOrder, u.kind == UnknownKind::Multiplier || u.kind == UnknownKind::Auxiliary});
    for (const int link : activeLinks_)
        roles_[static_cast<std::size_t>(d.links[static_cast<std::size_t>(link)].unknown)].differential = true;

    std::set<std::pair<int, int>> places; // column, row
    for (const auto& e : compiled_->entries_)
        places.emplace(e.column, e.row);
    for (std::size_t k = 0; k < activeLinks_.size(); ++k) {
        const Link& link = d.links[static_cast<std::size_t>(activeLinks_[k])];
        places.emplace(link.unknown, fixedRows + static_cast<int>(k));
        places.emplace(link.rate, fixedRows + static_cast<int>(k));
    }
    pattern_.rows = pattern_.columns = n;
    pattern_.columnStarts.assign(static_cast<std::size_t>(n) + 1, 0);
    pattern_.rowIndices.clear();
    for (const auto& [column, row] : places) {
        pattern_.rowIndices.push_back(row);
        ++pattern_.columnStarts[static_cast<std::size_t>(column) + 1];
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c)
        pattern_.columnStarts[c + 1] += pattern_.columnStarts[c];
    const auto placeOf = [this](int row, int column) {
        const auto first = pattern_.rowIndices.begin() + pattern_.columnStarts[static_cast<std::size_t>(column)];
        const auto last = pattern_.rowIndices.begin() + pattern_.columnStarts[static_cast<std::size_t>(column) + 1];
        return static_cast<int>(std::lower_bound(first, last, row) - pattern_.rowIndices.begin());
    };
    entryPlace_.clear();
    linkPlaceY_.clear();
    linkPlaceYp_.clear();
    for (const auto& e : compiled_->entries_)
        entryPlace_.push_back(placeOf(e.row, e.column));
    for (std::size_t k = 0; k < activeLinks_.size(); ++k) {
        const Link& link = d.links[static_cast<std::size_t>(activeLinks_[k])];
        linkPlaceY_.push_back(placeOf(fixedRows + static_cast<int>(k), link.rate));
        linkPlaceYp_.push_back(placeOf(fixedRows + static_cast<int>(k), link.unknown));
    }
}

bool DaeInstance::fromState(const model::ModelState& state, double* y, double* yp)
{
    const double* const banks[] = {&state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data(), parameters_.data()};
    if (!compiled_->start_.evaluate(banks, startValues_.data(), startWork_)) {
        const auto where = compiled_->start_.locate(banks);
        message_ = where ? where->expression + ": " + where->reason : std::string("a start value is not a finite number");
        return false;
    }
    const auto n = static_cast<std::size_t>(size());
    std::copy_n(startValues_.begin(), n, y);
    std::copy_n(startValues_.begin() + static_cast<std::ptrdiff_t>(n), n, yp);
    return true;
}

bool DaeInstance::toState(double t, const double* y, const double* yp, model::ModelState& state)
{
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    if (!compiled_->observe_.evaluate(banks, observeValues_.data(), observeWork_)) {
        const auto where = compiled_->observe_.locate(banks);
        message_ = where ? where->expression + ": " + where->reason : std::string("a value is not a finite number");
        return false;
    }
    const Dae& d = dae();
    state.t = t;
    const double* from = observeValues_.data();
    const auto take = [&from](const std::vector<expr::Expr>& group, std::vector<double>& into) {
        if (!group.empty())
            std::copy_n(from, group.size(), into.begin());
        from += group.size();
    };
    take(d.q, state.q);
    take(d.v, state.v);
    take(d.a, state.a);
    take(d.lambda, state.lambda);
    return true;
}

bool DaeInstance::residual(double t, const double* y, const double* yp, double* F)
{
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    const Dae& d = dae();
    double* linkRow = F + d.rows.size();
    for (const int k : activeLinks_) {
        const Link& link = d.links[static_cast<std::size_t>(k)];
        *linkRow++ = yp[link.unknown] - y[link.rate];
    }
    if (compiled_->residual_.evaluate(banks, F, residualWork_))
        return true;
    const auto where = compiled_->residual_.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a residual is not a finite number");
    return false;
}

bool DaeInstance::jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp)
{
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    if (!compiled_->jacobian_.evaluate(banks, entryValues_.data(), jacobianWork_)) {
        const auto where = compiled_->jacobian_.locate(banks);
        message_ = where ? where->expression + ": " + where->reason : std::string("a partial derivative is not a finite number");
        return false;
    }
    std::fill_n(dFdy, pattern_.nonzeros(), 0.0);
    std::fill_n(dFdyp, pattern_.nonzeros(), 0.0);
    for (std::size_t e = 0; e < entryPlace_.size(); ++e)
        (compiled_->entries_[e].ofRate ? dFdyp : dFdy)[entryPlace_[e]] = entryValues_[e];
    for (std::size_t k = 0; k < linkPlaceY_.size(); ++k) {
        dFdy[linkPlaceY_[k]] = -1;
        dFdyp[linkPlaceYp_[k]] = 1;
    }
    return true;
}

std::string DaeInstance::unknownName(int i) const
{
    return dae().unknowns[static_cast<std::size_t>(i)].name;
}

std::string DaeInstance::rowName(int i) const
{
    const Dae& d = dae();
    if (i < static_cast<int>(d.rows.size()))
        return d.rows[static_cast<std::size_t>(i)].name;
    const int link = activeLinks_[static_cast<std::size_t>(i) - d.rows.size()];
    return "link of " + unknownName(d.links[static_cast<std::size_t>(link)].unknown);
}

bool DaeInstance::hasProjection() const
{
    return dae().projectPosition || dae().projectVelocity;
}

bool DaeInstance::project(double t, double* y, double* yp)
{
    return projection_ ? projection_(t, y, yp) : true;
}

} // namespace driftless::formulation
