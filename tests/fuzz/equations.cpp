// Texts of equations (the Modelica subset). What is written of them reads back as the same equations in the same order; offsets
// of the structural analysis are those of the best transversal, found by trying all.
#include <algorithm>
#include <numeric>

#include "core/equations/EquationWriter.h"
#include "core/expr/Print.h"
#include "core/expr/Size.h"
#include "core/reduction/Reduced.h"
#include "core/system/EquationSystem.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

constexpr int kMostPermuted = 6;

/// And no condition stands in another one: written out, such a text could double with each.
bool eventsAreShort(const model::EquationSystem& s)
{
    const auto isLong = [](const expr::Expr& e) { return expr::writtenSize(e) > Budget::kTerms; };
    const auto isCondition = [&s](const expr::Symbol& symbol) {
        return std::ranges::any_of(s.held, [&](const model::HeldVariable& held) {
            return held.kind == model::HeldVariable::Kind::Condition && model::heldSymbol(held) == symbol;
        });
    };
    for (const auto& held : s.held)
        if (isLong(held.difference) || std::ranges::any_of(expr::symbolsOf(held.difference), isCondition))
            return false;
    for (const auto& statement : s.statements) {
        if (isLong(statement.always.value))
            return false;
        for (const auto& branch : statement.branches)
            if (std::ranges::any_of(branch.conditions, isLong)
                || std::ranges::any_of(branch.actions, [&](const auto& action) { return isLong(action.value); }))
                return false;
    }
    return s.held.size() <= Budget::kUnknowns && s.statements.size() <= Budget::kUnknowns;
}

bool isShort(const model::EquationSystem& s)
{
    for (const auto& e : s.equations)
        if (expr::writtenSize(e.residual) > Budget::kTerms)
            return false;
    for (const auto& p : s.parameters)
        if (expr::writtenSize(p.binding) > Budget::kTerms)
            return false;
    return eventsAreShort(s);
}

/// Each condition by its difference: its name is what was written.
expr::Expr withoutNames(const model::EquationSystem& s, expr::Expr e)
{
    expr::Substitution map;
    for (const auto& held : s.held)
        if (held.kind == model::HeldVariable::Kind::Condition)
            map.emplace(model::heldSymbol(held),
                        held.strict ? expr::less(0, held.difference) : expr::lessEqual(0, held.difference));
    return expr::substitute(e, map);
}

/// Names of the language's functions may be those of variables; the writer renames them, and a name that it lengthens may
/// collide with nothing.
void checkWriting(const model::EquationModel& m)
{
    const std::string text = model::modelicaText(m.system, m.name, m.description, m.end);
    const auto again = model::readEquationModel(text, "written.mo");
    check(again.ok(), "equations that are written are read", text + (again ? "" : "\n" + again.error().text()));
    const auto& s = (*again)->system;
    check(s.unknowns.size() == m.system.unknowns.size() && s.parameters.size() == m.system.parameters.size()
              && s.equations.size() == m.system.equations.size() && s.held.size() == m.system.held.size()
              && s.statements.size() == m.system.statements.size(),
          "equations that are written read back as many", text);
    for (std::size_t i = 0; i < s.unknowns.size(); ++i) {
        const auto &a = s.unknowns[i], &b = m.system.unknowns[i];
        check((a.quantity.value == b.quantity.value || (std::isnan(a.quantity.value) && std::isnan(b.quantity.value)))
                  && a.status == b.status,
              "start values read back", a.quantity.name + "\n" + text);
    }
    bool renamed = false;
    for (std::size_t i = 0; i < s.unknowns.size(); ++i)
        renamed = renamed || s.unknowns[i].quantity.name != m.system.unknowns[i].quantity.name;
    for (std::size_t i = 0; i < s.parameters.size(); ++i)
        renamed = renamed || s.parameters[i].quantity.name != m.system.parameters[i].quantity.name;
    for (std::size_t i = 0; i < s.equations.size() && !renamed; ++i)
        check(withoutNames(s, s.equations[i].residual).sameAs(withoutNames(m.system, m.system.equations[i].residual)),
              "an equation that is written reads back the same",
              expr::print(m.system.equations[i].residual) + "\nbecomes\n" + expr::print(s.equations[i].residual) + "\n" + text);
}

/// The largest sum of orders over all perfect matchings; nullopt without one.
std::optional<int> bestTransversal(const structure::Signature& sigma)
{
    std::vector<int> order(sigma.rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::optional<int> best;
    do {
        int sum = 0;
        bool perfect = true;
        for (std::size_t i = 0; i < order.size() && perfect; ++i) {
            const auto& row = sigma.rows[i];
            const auto found =
                std::find_if(row.begin(), row.end(), [&](const structure::SignatureEntry& e) { return e.column == order[i]; });
            perfect = found != row.end();
            sum += perfect ? found->order : 0;
        }
        if (perfect)
            best = std::max(best.value_or(sum), sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

void checkStructure(const reduction::EquationAnalysis& a, const std::string& text)
{
    const structure::Signature& sigma = a.signature;
    if (sigma.size() != sigma.columns || sigma.size() == 0 || sigma.size() > kMostPermuted)
        return;
    const auto best = bestTransversal(sigma);
    check(best.has_value() != a.structure.singular, "singular where no unknown is left for an equation", text);
    if (!best)
        return;
    const auto &c = a.structure.sigma.c, &d = a.structure.sigma.d;
    check(a.structure.sigma.value == *best, "the best transversal is found", text);
    check(std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0) == *best,
          "offsets are dual to the transversal", text);
    for (std::size_t i = 0; i < sigma.rows.size(); ++i)
        for (const auto& e : sigma.rows[i])
            check(d[static_cast<std::size_t>(e.column)] - c[i] >= e.order, "d_j - c_i is at least the order", text);
    check(*std::min_element(c.begin(), c.end()) == 0, "the smallest offsets begin at zero", text);
    check(a.structure.agree, "Pantelides' algorithm and the Sigma-method agree", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    const auto read = model::readEquationModel(text, "input.mo");
    if (!read) {
        check(read.error().position.line > 0, "a refusal says where", read.error().text());
        return 0;
    }
    const model::EquationModel& m = **read;
    if (m.system.unknowns.size() > Budget::kUnknowns || !isShort(m.system))
        return 0;
    (void)model::unitWarnings(m.system);
    checkWriting(m);
    checkStructure(reduction::analyseEquations(m.system), text);
    (void)reduction::modelOf(m);
    return 0;
}
