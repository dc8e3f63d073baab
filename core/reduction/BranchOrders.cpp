#include "core/reduction/BranchOrders.h"

#include <algorithm>
#include <map>

#include "core/base/Index.h"
#include "core/expr/Size.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/text/Budget.h"

namespace driftless::reduction {

namespace {

constexpr std::size_t kMostConditions = 8; ///< 256 modes, each with an analysis of its structure
constexpr std::size_t kMostEquations = 400;
constexpr int kMostOrders = 3; ///< a branch is differentiated

using Values01 = std::vector<bool>; ///< of the conditions of a row, or of all

/// An equation with conditions of its own: what it is in each of their combinations.
struct Row {
    std::vector<std::size_t> conditions; ///< among all
    std::map<Values01, expr::Expr> variants;
    std::map<Values01, int> orders; ///< how often a mode needs it differentiated, at most
};

class Modes {
public:
    explicit Modes(const model::EquationSystem& system) : system_(system)
    {
        std::vector<expr::Symbol> logical;
        for (const model::HeldVariable& held : system.held)
            if (held.kind == model::HeldVariable::Kind::Boolean || held.kind == model::HeldVariable::Kind::Condition)
                logical.push_back(model::heldSymbol(held));
        for (std::size_t i = 0; i < system.equations.size(); ++i) {
            Row row;
            for (const expr::Symbol& s : expr::symbolsOf(system.equations[i].residual))
                if (std::ranges::find(logical, s) != logical.end())
                    row.conditions.push_back(placeOf(s));
            if (!row.conditions.empty())
                rows_.emplace(i, std::move(row));
        }
    }

    /// Whether there are some, and few enough.
    bool few() const
    {
        return !rows_.empty() && conditions_.size() <= kMostConditions && system_.equations.size() <= kMostEquations;
    }

    /// Calls `with` with the equations of each mode that is regular by structure, until it returns false.
    template <class With>
    void each(const With& with)
    {
        for (std::size_t code = 0; code < (std::size_t{1} << conditions_.size()); ++code) {
            Values01 mode(conditions_.size());
            for (std::size_t k = 0; k < mode.size(); ++k)
                mode[k] = ((code >> k) & 1) != 0;
            model::EquationSystem there;
            there.unknowns = system_.unknowns;
            there.equations = system_.equations;
            for (auto& [i, row] : rows_)
                there.equations[i].residual = variant(i, row, mode);
            if (!with(mode, there))
                return;
        }
    }

    Values01 own(const Row& row, const Values01& mode) const
    {
        Values01 out;
        for (const std::size_t k : row.conditions)
            out.push_back(mode[k]);
        return out;
    }
    std::map<std::size_t, Row>& rows() { return rows_; }
    const expr::Symbol& condition(std::size_t k) const { return conditions_[k]; }

private:
    std::size_t placeOf(const expr::Symbol& s)
    {
        const auto found = std::ranges::find(conditions_, s);
        if (found != conditions_.end())
            return static_cast<std::size_t>(found - conditions_.begin());
        conditions_.push_back(s);
        return conditions_.size() - 1;
    }

    const expr::Expr& variant(std::size_t i, Row& row, const Values01& mode)
    {
        const Values01 key = own(row, mode);
        if (const auto known = row.variants.find(key); known != row.variants.end())
            return known->second;
        expr::Substitution map;
        for (std::size_t k = 0; k < row.conditions.size(); ++k)
            map.emplace(conditions_[row.conditions[k]], expr::Expr(key[k] ? 1 : 0));
        return row.variants.emplace(key, expr::substitute(system_.equations[i].residual, map)).first->second;
    }

    const model::EquationSystem& system_;
    std::vector<expr::Symbol> conditions_;
    std::map<std::size_t, Row> rows_;
};

/// Whether the highest derivatives of these offsets can be matched to the equations in every mode that is regular.
bool servesAll(Modes& modes, const structure::PantelidesResult& offsets)
{
    bool all = true;
    modes.each([&](const Values01&, const model::EquationSystem& there) {
        const structure::Signature signature = signatureOf(there);
        if (structure::analyse(signature).singular)
            return true;
        all = structure::maximumMatching(signature.leading(offsets.c, offsets.d)).size == signature.size();
        return all;
    });
    return all;
}

/// Chooses by the conditions of the row, one after the other.
template <class Leaf>
expr::Expr chosen(const Modes& modes, const Row& row, Values01& key, const Leaf& leaf)
{
    if (key.size() == row.conditions.size())
        return leaf(key);
    const expr::Symbol& condition = modes.condition(row.conditions[key.size()]);
    key.push_back(true);
    const expr::Expr yes = chosen(modes, row, key, leaf);
    key.back() = false;
    const expr::Expr no = chosen(modes, row, key, leaf);
    key.pop_back();
    return expr::ifThenElse(expr::symbol(condition), yes, no);
}

std::string wordsOf(const Modes& modes, const Row& row, const Values01& key)
{
    std::string out;
    for (std::size_t k = 0; k < key.size(); ++k)
        out += (k == 0 ? "" : " and ") + modes.condition(row.conditions[k]).name + (key[k] ? "" : " is false");
    return out;
}

/// The row with its branches differentiated as often as a mode needs it more often than another. False where it becomes too
/// long.
bool rewrite(const Modes& modes, const Row& row, std::size_t i, BranchOrders& out)
{
    int least = row.orders.empty() ? 0 : row.orders.begin()->second, most = 0;
    for (const auto& [key, order] : row.orders)
        least = std::min(least, order);
    const auto ordersOf = [&](const Values01& key) { // of a mode that is singular: as it is
        const auto known = row.orders.find(key);
        return known == row.orders.end() ? 0 : known->second - least;
    };
    for (const auto& [key, variant] : row.variants) {
        most = std::max(most, ordersOf(key));
        if (ordersOf(key) > kMostOrders || expr::derivativeSize(variant, ordersOf(key)) > budget::kDerivedFactors)
            return false;
    }
    if (most == 0)
        return true;
    model::Equation& equation = out.system.equations[i];
    const auto derivative = [](expr::Expr e, int order) {
        for (int k = 0; k < order; ++k)
            e = expr::timeDerivative(e);
        return e;
    };
    Values01 key;
    for (int k = 0; k < most; ++k)
        out.lower.push_back({.name = equation.name + " where it is differentiated",
                             .description = equation.description,
                             .residual = chosen(modes, row, key,
                                                [&](const Values01& at) {
                                                    const expr::Expr& e = row.variants.at(at);
                                                    return k < ordersOf(at) ? derivative(e, k) : expr::Expr(0);
                                                }),
                             .position = equation.position});
    for (const auto& [at, variant] : row.variants)
        if (const int order = ordersOf(at); order > 0)
            out.changes.push_back(
                {i, (order == 1 ? "" : ", " + std::to_string(order) + " times,") + " where " + wordsOf(modes, row, at)});
    equation.residual =
        chosen(modes, row, key, [&](const Values01& at) { return derivative(row.variants.at(at), ordersOf(at)); });
    return true;
}

} // namespace

std::optional<BranchOrders> withBranchOrders(const model::EquationSystem& system)
{
    Modes modes(system);
    if (!modes.few())
        return std::nullopt;
    const structure::StructuralAnalysis together = structure::analyse(signatureOf(system));
    if (together.singular || servesAll(modes, together.pantelides))
        return std::nullopt;
    modes.each([&](const Values01& mode, const model::EquationSystem& there) {
        const structure::StructuralAnalysis alone = structure::analyse(signatureOf(there));
        for (auto& [i, row] : modes.rows())
            if (!alone.singular) {
                int& order = row.orders[modes.own(row, mode)];
                order = std::max(order, alone.pantelides.c[i]);
            }
        return true;
    });
    BranchOrders out;
    out.system = system;
    for (const auto& [i, row] : modes.rows())
        if (!rewrite(modes, row, i, out))
            return std::nullopt;
    if (out.lower.empty())
        return std::nullopt;
    const structure::StructuralAnalysis after = structure::analyse(signatureOf(out.system));
    Modes again(out.system);
    return !after.singular && servesAll(again, after.pantelides) ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace driftless::reduction
