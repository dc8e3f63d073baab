#include "core/formulation/CompiledDae.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <unordered_set>

#include "core/base/Counters.h"
#include "core/expr/AllFinite.h"

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
    for (const Basis& b : dae.bases)
        symbols.insert(symbols.end(), b.entries.begin(), b.entries.end());
    for (const model::HeldValue& x : system.held)
        symbols.push_back(x.symbol);
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
    banks[4] = system.wSymbols();
    banks[4].resize(banks[4].size() - system.held.size()); // which are parameters of the equations
    banks[5] = parameterSymbols(dae, system);
    return banks;
}

/// Accelerations are not asked for between steps.
bool statedByRates(const Dae& d)
{
    const auto isRate = [](const Symbol& symbol) { return symbol.kind == expr::SymbolKind::Rate; };
    const auto reads = [&](const Expr& e) { return std::ranges::any_of(expr::symbolsOf(e), isRate); };
    const auto any = [&](const std::vector<Expr>& group) { return std::ranges::any_of(group, reads); };
    return any(d.q) || any(d.v) || any(d.lambda) || any(d.extra);
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
    const std::vector<Symbol> unknowns = unknownSymbols(d), rates = rateSymbols(d);
    const std::vector<std::vector<Symbol>> banks{{*expr::time().symbol()}, unknowns, rates, parameterSymbols(d, s)};

    std::vector<Expr> rows, partials, starts, observed;
    for (const auto* list : {&d.rows, &d.choices})
        std::transform(list->begin(), list->end(), std::back_inserter(rows), [](const Row& row) { return row.residual; });
    std::vector<Symbol> values = unknowns;
    values.insert(values.end(), rates.begin(), rates.end());
    const int count = static_cast<int>(unknowns.size());
    for (expr::JacobianEntry& e : expr::sparseJacobian(rows, values)) {
        out->entries_.push_back({e.row, e.column % count, e.column >= count});
        partials.push_back(std::move(e.value));
    }
    out->findRateLinks(partials);
    if (d.overdetermined > 0)
        out->combine(rows, partials);
    std::unordered_map<Symbol, int, expr::SymbolHash> place;
    for (const Symbol& u : unknowns)
        place.emplace(u, static_cast<int>(place.size()));
    for (const model::Coordinate& c : s.coordinates)
        if (const auto found = place.find(c.q); found != place.end())
            out->positions_.push_back(found->second);
    for (const Expr Unknown::*part : {&Unknown::start, &Unknown::startRate})
        for (const Unknown& u : d.unknowns)
            starts.push_back(u.*part);
    out->readsRates_ = d.links || statedByRates(d);
    for (const auto* group : {&d.q, &d.v, &d.a, &d.lambda, &d.extra})
        observed.insert(observed.end(), group->begin(), group->end());
    const auto take = [](Result<expr::Tape> tape, expr::Tape& into) -> Result<void> {
        if (tape)
            into = std::move(*tape);
        return tape ? Result<void>() : tape.error();
    };
    if (auto r = take(expr::Tape::compile(starts, stateBanks(d, s)), out->start_); !r)
        return r.error();
    if (auto r = take(expr::Tape::compile(partials, banks), out->jacobian_); !r)
        return r.error();
    out->compileRates(rows, partials, banks);
    partials = {}; // those of a large system are the most that its opening holds
    if (auto r = take(expr::Tape::compile(rows, banks), out->residual_); !r)
        return r.error();
    if (auto r = take(expr::Tape::compile(observed, banks), out->observe_); !r)
        return r.error();
    out->observed_ = out->observe_.plainReads();
    return std::shared_ptr<const CompiledDae>(std::move(out));
}

/// Explicit methods ask for rates at every stage. Where nobody swaps roles and F is affine in what they ask for, one tape gives
/// the linear system.
void CompiledDae::compileRates(const std::vector<Expr>& rows, const std::vector<Expr>& partials,
                               const std::vector<std::vector<Symbol>>& banks)
{
    if (dae_.index > 1 || dae_.links || dae_.pivot || !dae_.choices.empty() || dae_.overdetermined > 0 || !dae_.semiExplicit)
        return;
    const auto n = dae_.unknowns.size();
    std::vector<char> differential(n);
    for (std::size_t i = 0; i < n; ++i)
        differential[i] = dae_.unknowns[i].differential;
    for (const Entry& e : entries_)
        if (e.ofRate)
            differential[static_cast<std::size_t>(e.column)] = true;
    std::unordered_set<Symbol, expr::SymbolHash> asked;
    for (std::size_t i = 0; i < n; ++i)
        asked.insert(differential[i] ? banks[2][i] : banks[1][i]);
    std::vector<std::pair<std::pair<int, int>, Expr>> chosen; // column, row
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        const Entry& e = entries_[k];
        if (e.ofRate != static_cast<bool>(differential[static_cast<std::size_t>(e.column)]))
            continue;
        for (const Symbol& s : expr::symbolsOf(partials[k]))
            if (asked.count(s))
                return;
        chosen.push_back({{e.column, e.row}, partials[k]});
    }
    std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Expr> outputs(rows);
    solve::SparsePattern pattern{static_cast<int>(n), static_cast<int>(n), std::vector<int>(n + 1, 0), {}};
    for (const auto& [place, value] : chosen) {
        outputs.push_back(value);
        ++pattern.columnStarts[static_cast<std::size_t>(place.first) + 1];
        pattern.rowIndices.push_back(place.second);
    }
    for (std::size_t c = 0; c < n; ++c)
        pattern.columnStarts[c + 1] += pattern.columnStarts[c];
    if (auto tape = expr::Tape::compile(outputs, banks)) {
        rates_ = std::move(*tape);
        ratePattern_ = std::move(pattern);
        compileSolvedRates(outputs, differential, banks);
    }
}

/// Rows in which one rate occurs, with the factor 1, and one unknown with the factor -1: what else they hold is left to F.
void CompiledDae::findRateLinks(const std::vector<Expr>& partials)
{
    struct Found {
        int rates = 0, unknowns = 0, unknown = -1, rate = -1;
    };
    std::vector<Found> rows(dae_.rows.size() + dae_.choices.size());
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        Found& row = rows[static_cast<std::size_t>(entries_[k].row)];
        const std::optional<double> factor = partials[k].constantValue();
        if (entries_[k].ofRate)
            row.unknown = row.rates++ == 0 && factor == 1.0 ? entries_[k].column : -1;
        else if (factor == -1.0)
            row.rate = row.unknowns++ == 0 ? entries_[k].column : -1;
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].unknown >= 0 && rows[i].rate >= 0 && rows[i].unknown != rows[i].rate)
            rateLinks_.push_back({static_cast<int>(i), rows[i].unknown, rows[i].rate});
}

/// The rule of an overdetermined form ([PP92] (3.14)): A2^T sigma joins the first rows, weighed so that it has their units. Its
/// second derivatives stay out of the matrix: with sigma counted afresh in every iteration, the correction is the ssf-solution
/// of the linear system.
void CompiledDae::combine(std::vector<Expr>& rows, std::vector<Expr>& partials)
{
    const std::size_t extra = static_cast<std::size_t>(dae_.overdetermined);
    const std::size_t first = dae_.rows.size() - extra;
    const std::vector<Expr> A2(rows.begin() + static_cast<std::ptrdiff_t>(first),
                               rows.begin() + static_cast<std::ptrdiff_t>(dae_.rows.size()));
    const std::vector<Symbol> unknowns = unknownSymbols(dae_);
    std::vector<std::vector<Expr>> terms(first);
    for (const expr::JacobianEntry& e : expr::sparseJacobian(A2, unknowns)) {
        const int sigma = static_cast<int>(first) + e.row;
        const auto row = static_cast<std::size_t>(e.column);
        const Expr weighed = row < dae_.combination.size() ? dae_.combination[row] * e.value : e.value;
        terms[row].push_back(weighed * expr::symbol(unknowns[static_cast<std::size_t>(sigma)]));
        entries_.push_back({e.column, sigma, false});
        partials.push_back(weighed);
    }
    for (std::size_t i = 0; i < first; ++i) {
        terms[i].push_back(rows[i]);
        rows[i] = expr::sum(terms[i]);
    }
}

DaeInstance::DaeInstance(std::shared_ptr<const CompiledDae> compiled, std::span<const double> parameters,
                         std::span<const double> gains)
    : compiled_(std::move(compiled))
{
    count(counters().instances);
    modelParameterCount_ = static_cast<std::size_t>(compiled_->system().parameterCount());
    parameters_.assign(parameters.begin(), parameters.end());
    assert(parameters_.size() == modelParameterCount_);
    const std::vector<double> defaults = compiled_->defaultGains();
    const std::span<const double> chosen = gains.empty() ? std::span<const double>(defaults) : gains;
    parameters_.insert(parameters_.end(), chosen.begin(), chosen.end());
    gainCount_ = chosen.size();
    if (hasBases()) {
        bases_.emplace(compiled_->system_, dae().bases);
        bases_->setParameters(parameters);
        basisPoint_.resize(compiled_->positions_.size());
        parameters_.insert(parameters_.end(), bases_->values().begin(), bases_->values().end());
    }
    for (const model::HeldValue& x : compiled_->system().system().held)
        parameters_.push_back(x.start);
    residualWork_ = compiled_->residual_.workspace();
    ratesWork_ = compiled_->rates_.workspace();
    rateValues_.resize(compiled_->rates_.outputCount());
    solvedRatesWork_ = compiled_->solvedRates_.plain.workspace();
    judgedRatesWork_ = compiled_->solvedRates_.judged.workspace();
    jacobianWork_ = compiled_->jacobian_.workspace();
    startWork_ = compiled_->start_.workspace();
    observeWork_ = compiled_->observe_.workspace();
    entryValues_.resize(compiled_->entries_.size());
    startValues_.resize(compiled_->start_.outputCount());
    observeValues_.resize(compiled_->observe_.outputCount());
    prepareStatedRates();
    rows_.resize(compiled_->residual_.outputCount());
    if (dae().links) {
        dummies_.values = dae().links->dummies;
        full_.resize(dae().unknowns.size());
        fullRate_.resize(full_.size());
    }
    if (dae().pivot) {
        for (int i = 0; i < compiled_->system().holonomic(); ++i)
            dummies_.positions.push_back(i);
        for (int i = 0; i < compiled_->system().m(); ++i)
            dummies_.velocities.push_back(i);
    }
    updateStructure();
}

void DaeInstance::setParameters(std::span<const double> parameters)
{
    assert(parameters.size() == modelParameterCount_);
    std::copy(parameters.begin(), parameters.end(), parameters_.begin());
    if (bases_)
        bases_->setParameters(parameters);
    if (mechanical_)
        mechanical_->setParameters(parameters);
}

void DaeInstance::setGains(std::span<const double> gains)
{
    assert(gains.size() == gainCount_);
    std::copy(gains.begin(), gains.end(), parameters_.begin() + static_cast<std::ptrdiff_t>(modelParameterCount_));
}

std::span<const double> DaeInstance::gains() const
{
    return std::span<const double>(parameters_).subspan(modelParameterCount_, gainCount_);
}

void DaeInstance::setDummies(const Dummies& dummies)
{
    assert(dae().links || (dae().pivot && static_cast<int>(dummies.velocities.size()) == compiled_->system().m()));
    if (dummies == dummies_)
        return;
    dummies_ = dummies;
    updateStructure();
    ++revision_;
}

/// Which unknowns of a general DAE are integrated, by the dummies.
void DaeInstance::updateActive()
{
    const LinkSpec& links = *dae().links;
    unknown_.assign(full_.size(), 0);
    active_.clear();
    for (const int from : links.from) {
        const auto next = static_cast<std::size_t>(from) + 1;
        if (links.highest[next] && !std::binary_search(dummies_.values.begin(), dummies_.values.end(), from + 1))
            unknown_[next] = -1;
    }
    for (std::size_t i = 0; i < unknown_.size(); ++i)
        if (unknown_[i] >= 0) {
            unknown_[i] = static_cast<int>(active_.size());
            active_.push_back(static_cast<int>(i));
        }
}

bool DaeInstance::integrated(int unknown) const
{
    const int place = unknown_[static_cast<std::size_t>(unknown)];
    return place >= 0 && roles_[static_cast<std::size_t>(place)].differential;
}

/// The values of all compiled unknowns, and the rates of those that are integrated.
void DaeInstance::expand(const double* y, const double* yp)
{
    for (std::size_t k = 0; k < active_.size(); ++k) {
        full_[static_cast<std::size_t>(active_[k])] = y[k];
        fullRate_[static_cast<std::size_t>(active_[k])] = yp[k];
    }
    for (std::size_t i = 0; i < unknown_.size(); ++i)
        if (unknown_[i] < 0) {
            full_[i] = fullRate_[i - 1];
            fullRate_[i] = 0;
        }
}

void DaeInstance::updateStructure()
{
    const Dae& d = dae();
    if (d.links)
        updateActive();
    const int n = size();
    places_.assign(d.rows.size() + d.choices.size(), -1);
    int next = 0;
    for (std::size_t i = 0; i < d.rows.size(); ++i)
        places_[i] = next++;
    const auto pick = [&](const std::vector<int>& choices, const std::vector<int>& chosen) {
        std::vector<char> dummy(choices.size(), 0);
        for (const int c : chosen)
            dummy[static_cast<std::size_t>(c)] = 1;
        for (std::size_t c = 0; c < choices.size(); ++c)
            if (!dummy[c])
                places_[d.rows.size() + static_cast<std::size_t>(choices[c])] = next++;
    };
    if (d.pivot) {
        pick(d.pivot->positionRows, dummies_.positions);
        pick(d.pivot->velocityRows, dummies_.velocities);
    }
    if (d.links)
        for (std::size_t k = 0; k < d.links->from.size(); ++k) {
            const int derivative = d.links->from[k] + 1;
            const bool dummy = std::binary_search(dummies_.values.begin(), dummies_.values.end(), derivative);
            if (!dummy && unknown_[static_cast<std::size_t>(derivative)] >= 0)
                places_[d.rows.size() + k] = next++;
        }
    assert(next == n);

    // A derivative with respect to an unknown for which a rate stands is one with respect to that rate.
    const auto replaced = [this](int column) { return replacedByRate(column); };
    const auto columnOf = [this](int column) {
        return unknown_.empty() ? column : unknown_[static_cast<std::size_t>(column - int{replacedByRate(column)})];
    };
    roles_.clear();
    for (std::size_t i = 0; i < d.unknowns.size(); ++i)
        if (const Unknown& u = d.unknowns[i]; !replaced(static_cast<int>(i)))
            roles_.push_back(
                {u.differential, u.indexOrder, u.kind == UnknownKind::Multiplier || u.kind == UnknownKind::Auxiliary});
    std::vector<std::pair<int, int>> entries; // column, row
    entries.reserve(compiled_->entries_.size());
    for (const auto& e : compiled_->entries_) {
        const int row = places_[static_cast<std::size_t>(e.row)];
        if (row < 0)
            continue;
        entries.emplace_back(columnOf(e.column), row);
        if (e.ofRate || replaced(e.column))
            roles_[static_cast<std::size_t>(columnOf(e.column))].differential = true;
    }
    // In a block with dummies all that is left of the highest level (dummies, multipliers) is as rough as a rate: one power of
    // h less in its error, which the weights of the norms take into account.
    if (d.links) {
        std::set<int> blocks;
        for (const int p : dummies_.values)
            blocks.insert(d.links->block[static_cast<std::size_t>(p)]);
        for (std::size_t i = 0; i < unknown_.size(); ++i) {
            if (unknown_[i] < 0 || !d.links->highest[i])
                continue;
            solve::UnknownRole& role = roles_[static_cast<std::size_t>(unknown_[i])];
            if (blocks.count(d.links->block[i]))
                role.indexOrder = 2;
            role.determined = role.indexOrder == 0 && !role.differential;
        }
    }
    updateRates();
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    pattern_.rows = pattern_.columns = n;
    pattern_.columnStarts.assign(static_cast<std::size_t>(n) + 1, 0);
    pattern_.rowIndices.clear();
    for (const auto& [column, row] : entries) {
        pattern_.rowIndices.push_back(row);
        ++pattern_.columnStarts[static_cast<std::size_t>(column) + 1];
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c)
        pattern_.columnStarts[c + 1] += pattern_.columnStarts[c];
    entryPlace_.clear();
    for (const auto& e : compiled_->entries_) {
        const int row = places_[static_cast<std::size_t>(e.row)];
        if (row < 0) {
            entryPlace_.push_back(-1);
            continue;
        }
        const auto column = static_cast<std::size_t>(columnOf(e.column));
        const auto first = pattern_.rowIndices.begin() + pattern_.columnStarts[column];
        const auto last = pattern_.rowIndices.begin() + pattern_.columnStarts[column + 1];
        entryPlace_.push_back(static_cast<int>(std::lower_bound(first, last, row) - pattern_.rowIndices.begin()));
    }
}

/// Pairs of differential unknowns of which one is the other's rate; in a chain x' = v, v' = a an unknown joins one pair only.
/// Of a dummy no row says its rate, and it is the same unknown as where it is integrated.
void DaeInstance::updateRates()
{
    std::vector<char> taken(roles_.size(), 0);
    for (const CompiledDae::RateLink& link : compiled_->rateLinks_) {
        const int row = places_[static_cast<std::size_t>(link.row)];
        if (replacedByRate(link.unknown) || replacedByRate(link.rate))
            continue;
        const int from = unknown_.empty() ? link.unknown : unknown_[static_cast<std::size_t>(link.unknown)];
        const int to = unknown_.empty() ? link.rate : unknown_[static_cast<std::size_t>(link.rate)];
        if (row < 0 && link.row >= static_cast<int>(dae().rows.size()) && from >= 0)
            roles_[static_cast<std::size_t>(from)].derivative = to;
        if (row < 0)
            continue;
        char& first = taken[static_cast<std::size_t>(from)];
        char& second = taken[static_cast<std::size_t>(to)];
        if (first || second || !roles_[static_cast<std::size_t>(to)].differential)
            continue;
        roles_[static_cast<std::size_t>(from)].rate = to;
        roles_[static_cast<std::size_t>(from)].rateRow = row;
        first = second = 1;
    }
}

bool DaeInstance::fromState(const model::ModelState& state, double* y, double* yp)
{
    hold(state);
    const double* const banks[] = {&state.t,       state.q.data(),      state.v.data(),
                                   state.a.data(), state.lambda.data(), parameters_.data()};
    if (!compiled_->start_.evaluate(banks, startValues_.data(), startWork_)) {
        const auto where = compiled_->start_.locate(banks);
        message_ = where ? where->expression + ": " + where->reason : std::string("a start value is not a finite number");
        return false;
    }
    if (dae().links) {
        for (std::size_t k = 0; k < active_.size(); ++k) {
            y[k] = startValues_[static_cast<std::size_t>(active_[k])];
            yp[k] =
                startValues_[unknown_.size() + static_cast<std::size_t>(active_[k])]; // of dummies too: they predict with it
        }
        return true;
    }
    const auto n = static_cast<std::size_t>(size());
    std::copy_n(startValues_.begin(), n, y);
    std::copy_n(startValues_.begin() + static_cast<std::ptrdiff_t>(n), n, yp);
    return true;
}

bool DaeInstance::residual(double t, const double* y, const double* yp, double* F)
{
    if (!moveBases(t, y))
        return false;
    const Dae& d = dae();
    if (d.links) {
        expand(y, yp);
        y = full_.data();
        yp = fullRate_.data();
    }
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    const bool chosen = !d.choices.empty();
    if (!compiled_->residual_.evaluate(banks, chosen ? rows_.data() : F, residualWork_)) {
        const auto where = compiled_->residual_.locate(banks);
        message_ = where ? where->expression + ": " + where->reason : std::string("a residual is not a finite number");
        return false;
    }
    if (chosen)
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i] >= 0)
                F[places_[i]] = rows_[i];
    return true;
}

bool DaeInstance::rateSystem(double t, const double* y, const double* yp, double* F, double* values)
{
    if (!moveBases(t, y))
        return false;
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    if (!compiled_->rates_.evaluate(banks, rateValues_.data(), ratesWork_)) {
        const auto where = compiled_->rates_.locate(banks);
        message_ = where ? where->expression + ": " + where->reason : std::string("a residual is not a finite number");
        return false;
    }
    const auto n = static_cast<std::ptrdiff_t>(dae().rows.size());
    std::copy(rateValues_.begin(), rateValues_.begin() + n, F);
    std::copy_n(rateValues_.begin() + n, compiled_->ratePattern_.rowIndices.size(), values);
    return true;
}

int DaeInstance::eliminatedRoom() const
{
    const expr::Tape::Solution& solved = compiled_->solvedRates_;
    return static_cast<int>(std::max(solved.plain.outputCount(), solved.judged.outputCount()));
}

bool DaeInstance::eliminatedRates(double t, const double* differential, double* values, bool judged)
{
    const double* const banks[] = {&t, differential, parameters_.data()};
    const std::size_t n = compiled_->dae_.unknowns.size();
    if (!judged) {
        compiled_->solvedRates_.plain.run(banks, values, solvedRatesWork_);
        const double* const pivots = values + n;
        const std::vector<double>& scales = compiled_->pivotScales_;
        bool usual = true;
        for (std::size_t k = 0; k < scales.size(); ++k)
            usual &= std::abs(pivots[k]) * scales[k] >= 1;
        judged = !usual;
    }
    bool kept = true;
    if (judged) {
        const expr::Tape& tape = compiled_->solvedRates_.judged;
        tape.run(banks, values, judgedRatesWork_);
        for (std::size_t k = n; k < tape.outputCount(); ++k)
            kept &= values[k] <= 0; // not a number is no residual
    }
    return kept && expr::allFinite(values, n);
}

/// A continuous basis belongs to the position at which the rows are evaluated. The matrix leaves its slope out: that is the
/// slope times a residual of the size of the discretisation error.
bool DaeInstance::moveBases(double t, const double* y)
{
    if (!bases_ || dae().basisUpdate != BasisUpdate::Continuous)
        return true;
    for (std::size_t i = 0; i < basisPoint_.size(); ++i)
        basisPoint_[i] = y[compiled_->positions_[i]];
    if (!bases_->follow(t, basisPoint_.data())) {
        message_ = bases_->message();
        return false;
    }
    useBases();
    return true;
}

bool DaeInstance::partials(double t, const double* y, const double* yp, double* values)
{
    if (!moveBases(t, y))
        return false;
    if (dae().links) {
        expand(y, yp);
        y = full_.data();
        yp = fullRate_.data();
    }
    const double* const banks[] = {&t, y, yp, parameters_.data()};
    if (compiled_->jacobian_.evaluate(banks, values, jacobianWork_))
        return true;
    const auto where = compiled_->jacobian_.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a partial derivative is not a finite number");
    return false;
}

solve::DaeSystem::Partial DaeInstance::partial(std::size_t k) const
{
    const CompiledDae::Entry& entry = compiled_->entries_[k];
    return {.place = entryPlace_[k], .ofRate = entry.ofRate || replacedByRate(entry.column)};
}

bool DaeInstance::jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp)
{
    if (!partials(t, y, yp, entryValues_.data()))
        return false;
    std::fill_n(dFdy, pattern_.nonzeros(), 0.0);
    std::fill_n(dFdyp, pattern_.nonzeros(), 0.0);
    for (std::size_t e = 0; e < entryPlace_.size(); ++e)
        if (entryPlace_[e] >= 0)
            (compiled_->entries_[e].ofRate || replacedByRate(compiled_->entries_[e].column) ? dFdyp : dFdy)[entryPlace_[e]] +=
                entryValues_[e];
    return true;
}

std::string DaeInstance::unknownName(int i) const
{
    return dae().unknowns[static_cast<std::size_t>(dae().links ? active_[static_cast<std::size_t>(i)] : i)].name;
}

std::string DaeInstance::rowName(int i) const
{
    const Dae& d = dae();
    const auto at = std::find(places_.begin(), places_.end(), i) - places_.begin();
    const auto index = static_cast<std::size_t>(at);
    return index < d.rows.size() ? d.rows[index].name : d.choices[index - d.rows.size()].name;
}

bool DaeInstance::hasProjection() const { return dae().projection.any(); }

bool DaeInstance::project(double t, double* y, double* yp) { return projection_ ? projection_(t, y, yp) : true; }

} // namespace driftless::formulation
