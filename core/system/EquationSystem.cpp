#include "core/system/EquationSystem.h"

namespace driftless::model {

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
