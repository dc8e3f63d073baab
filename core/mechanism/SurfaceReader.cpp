#include "core/mechanism/SurfaceReader.h"

#include <string_view>

namespace driftless::model {

using expr::Expr;

const std::array<Expr, 3>& localSymbols()
{
    static const std::array<Expr, 3> symbols{expr::parameter("|x|"), expr::parameter("|y|"), expr::parameter("|z|")};
    return symbols;
}

std::vector<Expr> readSurfaces(const JointTable& owner, const char* key)
{
    const MechanismContext& context = owner.context();
    Scope scope("x, y" + std::string(context.space() ? ", z" : "") + " in the frame of \"from\", parameters, t and pi");
    for (const std::string& name : context.prescribed.known())
        scope.add(name, 0, *context.prescribed.find(name, 0));
    const char* const names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < context.dimensions(); ++k)
        scope.add(names[k], 0, localSymbols()[k]);
    const TomlValue& value = owner.need(key);
    const std::size_t rows = std::string_view(key) == "curve" && context.space() ? 2 : 1;
    std::vector<Expr> surfaces;
    if (rows == 2)
        surfaces = readExpressions(value, rows, scope, owner.where(), key);
    else
        surfaces = {readExpression(value, scope, owner.where(), key).value};
    for (const Expr& F : surfaces) {
        bool bound = false;
        for (std::size_t k = 0; k < context.dimensions(); ++k)
            bound = bound || expr::dependsOn(F, *localSymbols()[k].symbol());
        if (!bound)
            refuse(value.position, "The expression does not mention a coordinate", owner.where(),
                   "it is zero everywhere or nowhere", context.space() ? "use x, y or z" : "use x or y");
    }
    return surfaces;
}

std::vector<VisualPoint> readPath(const JointTable& owner)
{
    const MechanismContext& context = owner.context();
    const TomlValue* value = owner.reader().find("path");
    if (!value)
        return {};
    constexpr int kPieces = 64;
    const TableReader table(*value, value->position, owner.where() + ", path",
                            context.space() ? KeyList{"x", "y", "z", "from", "to"} : KeyList{"x", "y", "from", "to"});
    Scope scope("s, parameters and pi");
    for (const std::string& name : context.parameters.known())
        scope.add(name, 0, *context.parameters.find(name, 0));
    const Expr s = expr::parameter("|s|");
    scope.add("s", 0, s);
    std::array<Expr, 3> path;
    const char* const names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < context.dimensions(); ++k)
        path[k] = readExpression(table.need(names[k], "write " + std::string(names[k]) + " = \"...\" over s"), scope,
                                 table.where(), names[k])
                      .value;
    (void)table.need("from", "write from = -1");
    (void)table.need("to", "write to = 1");
    const double from = *table.number("from"), to = *table.number("to");
    std::vector<VisualPoint> points;
    for (int i = 0; i <= kPieces; ++i) {
        const expr::Substitution at{{*s.symbol(), Expr(from + (to - from) * i / kPieces)}};
        points.push_back({expr::substitute(path[0], at), expr::substitute(path[1], at), expr::substitute(path[2], at)});
    }
    return points;
}

} // namespace driftless::model
