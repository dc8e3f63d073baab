#include "app/LatexEvents.h"

#include <algorithm>

#include "core/expr/Print.h"
#include "core/system/Modes.h"

namespace driftless::app {

namespace {

using expr::Expr;
using expr::Format;
using Kind = model::HeldVariable::Kind;

std::string latex(const Expr& e) { return expr::print(e, Format::Latex); }
/// As a factor.
std::string factor(const Expr& e) { return e.symbol() || e.constantValue() ? latex(e) : "\\left(" + latex(e) + "\\right)"; }

/// What ends an impact with a rebound. rubs: the contact has friction; of one without it all laws say the same.
LatexRow reboundOf(const model::OneSided& row, model::ImpactLaw law, bool rubs)
{
    const std::string e = factor(row.restitution);
    if (rubs && law == model::ImpactLaw::Poisson)
        return {"P_{2} = " + e + " P_{1}",
                "impact: normal impulses until the gap closes no more, and from there on; γ is the rate of the gap"};
    if (rubs && law == model::ImpactLaw::Energetic)
        return {"W_{2} = -" + e + "^{2} W_{1}",
                "impact: work of the normal force until the gap closes no more, and from there on; γ is the rate of the gap"};
    return {"\\gamma^{+} = -" + e + " \\gamma^{-}", "impact: γ is the rate of the gap"};
}

LatexPart contactPart(const model::OneSided& row, model::ImpactLaw law, bool rubs)
{
    const std::string push = expr::print(row.row.multiplier, Format::Latex);
    LatexPart out{.title = row.row.name + ", a contact",
                  .words = row.row.holonomic
                               ? "While it is closed its gap is a constraint, and its multiplier is not positive: it pushes."
                               : "While it holds this velocity is zero, and its multiplier is not positive.",
                  .rows = {{latex(row.row.g) + " \\ge 0", row.row.holonomic ? "gap" : "velocity that is free one way"},
                           {push + " \\le 0", "zero while it is open"}}};
    if (row.restitution.isZero()) {
        out.rows.push_back({"\\gamma^{+} = 0", "impact: γ is the rate of the gap"});
        return out;
    }
    out.rows.push_back(reboundOf(row, law, rubs));
    if (row.rest.isZero())
        out.rows.back().note += "; a rebound slower than a ten-thousandth of the usual speeds is none";
    else
        out.rows.push_back({"\\gamma^{+} = 0 \\quad \\text{if it were below } " + latex(row.rest), "no rebound"});
    return out;
}

LatexPart frictionPart(const model::OneSided& row)
{
    const std::string force = expr::print(row.row.multiplier, Format::Latex), slip = latex(row.row.g);
    return {.title = row.row.name + ", friction",
            .words = row.contact < 0 ? "" : "Of the contact before: its force depends on that of the contact.",
            .rows = {{slip + " = 0", "sticks"},
                     {"\\left|" + force + "\\right| \\le " + latex(row.limit), "as long as it sticks"},
                     {force + " = \\operatorname{sgn}\\left(" + slip + "\\right) " + factor(row.sliding), "slides"}}};
}

LatexPart linkPart(const model::OneSided& row)
{
    return {.title = row.row.name + ", a link that breaks",
            .words = "Its constraint is taken out for good where its load reaches what it stands.",
            .rows = {{latex(row.load) + " = " + latex(row.limit), "breaks"}}};
}

std::string lawOf(const model::Model& model)
{
    std::string out = model.simultaneousImpacts ? "Contacts that are hit at one time share the impact."
                                                : "Contacts that are hit at one time are hit one after the other.";
    const auto rubs = [](const model::OneSided& row) { return row.contact >= 0; };
    if (!std::ranges::any_of(model.system.oneSided, rubs))
        return out;
    switch (model.impactLaw) {
    case model::ImpactLaw::Energetic:
        return out + " Of a contact with friction restitution is that of the work of the normal impulse (Stronge).";
    case model::ImpactLaw::Newton:
        return out + " Of a contact with friction restitution is that of the normal speed (Newton).";
    case model::ImpactLaw::Poisson:
        break;
    }
    return out + " Of a contact with friction restitution is that of the normal impulse (Poisson).";
}

/// left > right, with the shorter one of the two ways to write it.
Expr relation(const model::HeldVariable& condition)
{
    const Expr &d = condition.difference, turned = -d;
    if (expr::print(turned).size() < expr::print(d).size())
        return condition.strict ? expr::less(turned, Expr(0)) : expr::lessEqual(turned, Expr(0));
    return condition.strict ? expr::less(Expr(0), d) : expr::lessEqual(Expr(0), d);
}

} // namespace

std::vector<LatexPart> latexOneSided(const model::Model& model)
{
    std::vector<LatexPart> out;
    for (std::size_t i = 0; i < model.system.oneSided.size(); ++i) {
        const model::OneSided& row = model.system.oneSided[i];
        switch (row.kind) {
        case model::OneSidedKind::Contact:
            out.push_back(contactPart(row, model.impactLaw, model::frictionOf(model.system, i) >= 0));
            break;
        case model::OneSidedKind::Friction:
            out.push_back(frictionPart(row));
            break;
        case model::OneSidedKind::Link:
            out.push_back(linkPart(row));
        }
    }
    const auto contact = [](const model::OneSided& row) { return row.kind == model::OneSidedKind::Contact; };
    if (std::ranges::any_of(model.system.oneSided, contact))
        out.push_back({.title = "Impacts", .words = lawOf(model), .rows = {}});
    return out;
}

EventLatex::EventLatex(const model::EquationSystem& system)
    : system_(system), writer_([this](const expr::Symbol& symbol) {
          const auto found = names_.find(symbol);
          return found == names_.end() ? std::string() : found->second;
      })
{
    const auto addPre = [this](const expr::Symbol& symbol) {
        names_.emplace(model::preSymbol(symbol),
                       "\\operatorname{pre}\\left(" + expr::print(symbol, Format::Latex) + "\\right)");
    };
    constexpr int kOrders = 3; // of derivatives that a text can name
    for (const auto& x : system.unknowns)
        for (int order = 0; order <= kOrders; ++order)
            addPre({.kind = expr::SymbolKind::Variable, .name = x.quantity.name, .order = order});
    for (const model::HeldVariable& x : system.held)
        if (x.kind != Kind::Condition && x.of < 0)
            addPre(model::heldSymbol(x));
    for (const model::HeldVariable& x : system.held) {
        if (x.of >= 0)
            names_.emplace(model::heldSymbol(x), "\\operatorname{pre}\\left(" + heldName(x.of) + "\\right)");
        else if (x.kind == Kind::Condition)
            conditions_.emplace(model::heldSymbol(x), relation(x));
    }
    names_.emplace(model::initialSymbol(), "\\operatorname{initial}\\left(\\right)");
    for (std::size_t k = 0; k < system.samples.size(); ++k)
        names_.emplace(model::sampleSymbol(k), "\\operatorname{sample}\\left(" + latex(system.samples[k].start) + ", "
                                                   + latex(system.samples[k].interval) + "\\right)");
}

/// With its conditions as comparisons, those inside of others, too.
Expr EventLatex::stated(const Expr& e) const
{
    constexpr int kDeepest = 8; // comparisons inside of comparisons
    Expr out = e;
    for (int depth = 0; depth < kDeepest; ++depth) {
        const auto symbols = expr::symbolsOf(out);
        if (std::ranges::none_of(symbols, [this](const expr::Symbol& s) { return conditions_.contains(s); }))
            break;
        out = expr::substitute(out, conditions_);
    }
    return out;
}

std::string EventLatex::number(const Expr& e) const { return expr::printWith(stated(e), Format::Latex, writer_); }
std::string EventLatex::logical(const Expr& e) const { return expr::printLogical(stated(e), Format::Latex, writer_); }

std::string EventLatex::heldName(int target) const
{
    return expr::print(model::heldSymbol(system_.held[static_cast<std::size_t>(target)]), Format::Latex);
}

std::string EventLatex::condition(const model::WhenBranch& branch) const
{
    std::string out;
    for (const Expr& c : branch.conditions)
        out += (out.empty() ? "" : " \\quad\\text{or}\\quad ") + logical(c);
    return out;
}

LatexRow EventLatex::action(const model::EventAction& a) const
{
    switch (a.kind) {
    case model::EventAction::Kind::Set: {
        const bool logicalOne = system_.held[static_cast<std::size_t>(a.target)].kind == Kind::Boolean;
        return {heldName(a.target) + " := " + (logicalOne ? logical(a.value) : number(a.value)), ""};
    }
    case model::EventAction::Kind::Reinit: {
        const expr::Symbol x{.kind = expr::SymbolKind::Variable, .name = a.variable};
        return {expr::print(x, Format::Latex) + " := " + number(a.value), "begins anew"};
    }
    case model::EventAction::Kind::Assert:
        return {logical(a.value), std::string(a.warns ? "else a warning: " : "has to hold: ") + a.message};
    case model::EventAction::Kind::Terminate:
        break;
    }
    return {"\\text{the run ends}", a.message};
}

std::vector<LatexPart> EventLatex::statements() const
{
    std::vector<LatexPart> out;
    LatexPart always{.title = "At every event", .words = {}, .rows = {}};
    for (const model::EventStatement& statement : system_.statements) {
        if (statement.branches.empty())
            always.rows.push_back(action(statement.always));
        for (std::size_t k = 0; k < statement.branches.size(); ++k) {
            const model::WhenBranch& branch = statement.branches[k];
            LatexPart part{.title = k == 0 ? "When" : "Else, when", .words = {}, .rows = {{condition(branch), "condition"}}};
            for (const model::EventAction& each : branch.actions)
                part.rows.push_back(action(each));
            out.push_back(std::move(part));
        }
    }
    if (!always.rows.empty())
        out.push_back(std::move(always));
    return out;
}

} // namespace driftless::app
