#include "core/run/EquationDae.h"

#include <algorithm>

namespace driftless::run {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr std::size_t kMostNodes = 2'000'000; ///< of all rows: beyond, differentiating would not end in useful time
constexpr long kMostUnknowns = 200'000;

} // namespace

Result<std::unique_ptr<EquationDae>> EquationDae::create(const model::EquationSystem& system, const reduction::EquationAnalysis& analysis)
{
    std::unique_ptr<EquationDae> dae(new EquationDae);
    const auto& c = analysis.structure.pantelides.c;
    dae->highest_ = analysis.structure.pantelides.d;
    dae->block_.resize(dae->highest_.size());
    for (std::size_t b = 0; b < analysis.structure.blocks.size(); ++b)
        for (const int j : analysis.structure.blocks[b].unknowns)
            dae->block_[at(j)] = static_cast<int>(b);
    long unknowns = 0;
    for (const int d : dae->highest_)
        unknowns += d + 1;
    if (unknowns > kMostUnknowns)
        return Diagnostic{"The reduced system has " + std::to_string(unknowns) + " unknowns", "", "at most " + std::to_string(kMostUnknowns) + " are integrated", "", {}};
    std::vector<expr::Symbol> symbols, parameters;
    for (std::size_t j = 0; j < system.unknowns.size(); ++j) {
        dae->first_.push_back(static_cast<int>(symbols.size()));
        for (int k = 0; k <= dae->highest_[j]; ++k) {
            symbols.push_back({expr::SymbolKind::Variable, system.unknowns[j].quantity.name, k});
            dae->names_.push_back(structure::derivativeName(system.unknowns[j].quantity.name, k));
        }
    }
    for (const auto& p : system.parameters) {
        parameters.push_back({expr::SymbolKind::Parameter, p.quantity.name, 0});
        dae->parameters_.push_back(p.quantity.value);
    }
    std::vector<expr::Expr> rows;
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < system.equations.size(); ++i) {
        expr::Expr e = system.equations[i].residual;
        for (int k = 0; k <= c[i]; ++k) {
            if (k > 0)
                e = expr::timeDerivative(e);
            nodes += expr::nodeCount(e);
            if (nodes > kMostNodes)
                return Diagnostic{"The differentiated equations are too long", system.equations[i].name, "it is differentiated " + std::to_string(c[i]) + " times", "", {}};
            rows.push_back(e);
            dae->rowNames_.push_back(structure::derivativeName(system.equations[i].name, k));
            dae->levels_.push_back(k);
        }
    }
    dae->equationRows_ = static_cast<int>(rows.size());
    dae->entries_ = expr::sparseJacobian(rows, symbols);
    std::vector<expr::Expr> partials;
    for (const auto& e : dae->entries_)
        partials.push_back(e.value);
    const std::vector<std::vector<expr::Symbol>> banks{{{expr::SymbolKind::Time, "t", 0}}, symbols, parameters};
    auto tape = expr::Tape::compile(rows, banks);
    if (!tape)
        return tape.error();
    auto jacobian = expr::Tape::compile(partials, banks);
    if (!jacobian)
        return jacobian.error();
    dae->rows_ = std::move(*tape);
    dae->jacobian_ = std::move(*jacobian);
    dae->rowsWork_ = dae->rows_.workspace();
    dae->jacobianWork_ = dae->jacobian_.workspace();
    dae->values_.resize(partials.size());
    dae->setDummies(analysis.structure.selection.dummies);
    return dae;
}

void EquationDae::setDummies(const std::vector<structure::DummyRange>& dummies)
{
    std::vector<char> dummy(names_.size());
    for (const auto& range : dummies)
        for (int order = range.lowest; order <= range.highest; ++order)
            dummy[at(place(range.unknown, order))] = 1;
    links_.clear();
    rates_.clear();
    active_.clear();
    unknown_.assign(names_.size(), 0);
    for (std::size_t j = 0; j < first_.size(); ++j)
        for (int k = 0; k < highest_[j]; ++k)
            if (const int from = place(static_cast<int>(j), k); !dummy[at(from + 1)]) {
                const bool highest = k + 1 == highest_[j];
                (highest ? rates_ : links_).push_back(from);
                unknown_[at(from + 1)] = highest ? -1 : 0;
            }
    for (std::size_t p = 0; p < names_.size(); ++p)
        if (unknown_[p] >= 0) {
            unknown_[p] = static_cast<int>(active_.size());
            active_.push_back(static_cast<int>(p));
        }
    holdsRate_.assign(at(equationRows_), 0);
    for (const auto& e : entries_)
        if (unknown_[at(e.column)] < 0)
            holdsRate_[at(e.row)] = 1;
    roles_.assign(active_.size(), {false, 0, false});
    for (const auto* list : {&links_, &rates_})
        for (const int from : *list)
            roles_[at(unknown_[at(from)])].differential = true;
    // In a block with dummies all that is left of the highest level (dummies, multipliers) is as rough as a rate: one power of h
    // less in its error, which the weights of the norms take into account.
    std::vector<char> reduced(first_.size());
    for (const auto& range : dummies)
        reduced[at(block_[at(range.unknown)])] = 1;
    for (std::size_t j = 0; j < first_.size(); ++j)
        if (const int top = unknown_[at(place(static_cast<int>(j), highest_[j]))]; top >= 0 && reduced[at(block_[j])])
            roles_[at(top)].indexOrder = 2;
    full_.resize(names_.size());
    ++revision_;
    updatePattern();
}

void EquationDae::updatePattern()
{
    struct Slot {
        int column, row, kind, source; // kind 0: entry, 1: rate of a link, 2: value of a link
    };
    std::vector<Slot> all;
    // A derivative with respect to a replaced unknown is one with respect to the rate of the unknown before it, so an entry may
    // share its place with another.
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        const int own = unknown_[at(entries_[k].column)];
        all.push_back({own >= 0 ? own : unknown_[at(entries_[k].column - 1)], entries_[k].row, 0, static_cast<int>(k)});
    }
    for (std::size_t l = 0; l < links_.size(); ++l) {
        const int row = equationRows_ + static_cast<int>(l);
        all.push_back({unknown_[at(links_[l])], row, 1, static_cast<int>(l)});
        all.push_back({unknown_[at(links_[l] + 1)], row, 2, static_cast<int>(l)});
    }
    std::sort(all.begin(), all.end(), [](const Slot& a, const Slot& b) { return a.column != b.column ? a.column < b.column : a.row < b.row; });
    pattern_ = {size(), size(), {}, {}};
    pattern_.columnStarts.assign(active_.size() + 1, 0);
    entryPlace_.resize(entries_.size());
    linkRatePlace_.resize(links_.size());
    linkValuePlace_.resize(links_.size());
    const Slot* before = nullptr;
    for (const Slot& s : all) {
        auto& places = s.kind == 0 ? entryPlace_ : s.kind == 1 ? linkRatePlace_ : linkValuePlace_;
        if (!before || before->column != s.column || before->row != s.row) {
            pattern_.rowIndices.push_back(s.row);
            ++pattern_.columnStarts[at(s.column + 1)];
        }
        places[at(s.source)] = static_cast<int>(pattern_.rowIndices.size()) - 1;
        before = &s;
    }
    for (std::size_t j = 1; j < pattern_.columnStarts.size(); ++j)
        pattern_.columnStarts[j] += pattern_.columnStarts[j - 1];
}

void EquationDae::compress(const double* full, double* y, double* yp) const
{
    std::fill(yp, yp + active_.size(), 0.0);
    for (std::size_t i = 0; i < active_.size(); ++i)
        y[i] = full[active_[i]];
    for (const auto* list : {&links_, &rates_})
        for (const int from : *list)
            yp[unknown_[at(from)]] = full[from + 1];
}

void EquationDae::expand(const double* y, const double* yp, double* full) const
{
    for (std::size_t i = 0; i < active_.size(); ++i)
        full[active_[i]] = y[i];
    for (const int from : rates_)
        full[from + 1] = yp[unknown_[at(from)]];
}

bool EquationDae::say(const expr::Tape& tape, double t, const double* y)
{
    const auto left = tape.locate({&t, y, parameters_.data()});
    message_ = left ? left->expression + ": " + left->reason : "an equation has no finite value";
    return false;
}

bool EquationDae::equations(double t, const double* y, double* F)
{
    return rows_.evaluate({&t, y, parameters_.data()}, F, rowsWork_) || say(rows_, t, y);
}

bool EquationDae::equationJacobian(double t, const double* y, double* values)
{
    return jacobian_.evaluate({&t, y, parameters_.data()}, values, jacobianWork_) || say(jacobian_, t, y);
}

bool EquationDae::residual(double t, const double* y, const double* yp, double* F)
{
    expand(y, yp, full_.data());
    if (!equations(t, full_.data(), F))
        return false;
    for (std::size_t l = 0; l < links_.size(); ++l)
        F[at(equationRows_) + l] = yp[unknown_[at(links_[l])]] - full_[at(links_[l] + 1)];
    return true;
}

bool EquationDae::jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp)
{
    expand(y, yp, full_.data());
    if (!equationJacobian(t, full_.data(), values_.data()))
        return false;
    std::fill(dFdy, dFdy + pattern_.nonzeros(), 0.0);
    std::fill(dFdyp, dFdyp + pattern_.nonzeros(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k)
        (unknown_[at(entries_[k].column)] >= 0 ? dFdy : dFdyp)[entryPlace_[k]] = values_[k];
    for (std::size_t l = 0; l < links_.size(); ++l) {
        dFdyp[linkRatePlace_[l]] = 1;
        dFdy[linkValuePlace_[l]] = -1;
    }
    return true;
}

std::string EquationDae::rowName(int i) const
{
    return i < equationRows_ ? rowNames_[at(i)] : "der(" + names_[at(links_[at(i - equationRows_)])] + ")";
}

} // namespace driftless::run
