#include "core/system/EquationSystem.h"

namespace driftless::model {

bool EquationSystem::reinitialises(const std::string& variable) const
{
    for (const EventStatement& statement : statements)
        for (const WhenBranch& branch : statement.branches)
            for (const EventAction& action : branch.actions)
                if (action.kind == EventAction::Kind::Reinit && action.variable == variable)
                    return true;
    return false;
}

// No name of a text has a bracket, so these collide with none.

expr::Symbol initialSymbol() { return {.kind = expr::SymbolKind::Parameter, .name = "initial()"}; }

expr::Symbol sampleSymbol(std::size_t which)
{
    return {.kind = expr::SymbolKind::Parameter, .name = "sample(" + std::to_string(which + 1) + ")"};
}

expr::Symbol preSymbol(const expr::Symbol& symbol)
{
    return {.kind = expr::SymbolKind::Parameter, .name = "pre(" + symbol.text() + ")"};
}

expr::Symbol heldSymbol(const HeldVariable& variable)
{
    return {.kind = expr::SymbolKind::Parameter, .name = variable.quantity.name};
}

} // namespace driftless::model
