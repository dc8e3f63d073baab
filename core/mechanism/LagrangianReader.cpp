#include "core/mechanism/LagrangianReader.h"

#include "core/expr/Size.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

TableReader tableOf(const TomlEntry& entry)
{
    return TableReader(entry.value, entry.position, "lagrangian", {"kinetic", "potential", "functions"});
}

void refuseOtherInertia(const TomlValue& root, const General& out)
{
    for (const char* key : {"body", "joint"})
        if (const TomlEntry* entry = root.find(key))
            refuse(entry->position, "A Lagrangian model has no [[" + std::string(key) + "]]", "lagrangian",
                   "its inertia is stated by the kinetic energy",
                   "use [[coordinate]] and [[constraint]], or remove [lagrangian]");
    for (const GeneralCoordinate& c : out.coordinates)
        if (!c.mass.value.isZero())
            refuse(c.mass.position, "The inertia is stated twice", "coordinate " + c.name,
                   "[lagrangian] states the kinetic energy", "remove the mass");
    const TomlEntry* forces = root.find("force");
    for (const TomlValue& force : TableReader::tables(forces ? &forces->value : nullptr, "force", ""))
        if (const TomlEntry* kind = force.find("kind"); kind && kind->value.text != "generalized")
            refuse(kind->value.position, "A force of kind \"" + text::shortened(kind->value.text) + "\" acts on bodies",
                   "lagrangian", "there are none", "state a potential, or a force of kind \"generalized\"");
}

} // namespace

void readLagrangianFunctions(const TomlValue& root, Scope& position, Scope& motion, std::unordered_set<std::string>& taken,
                             General& out)
{
    const TomlEntry* entry = root.find("lagrangian");
    if (!entry)
        return;
    const TableReader table = tableOf(*entry);
    out.lagrangian.emplace();
    const TomlValue* functions = table.find("functions");
    if (!functions)
        return;
    if (functions->kind != TomlKind::Table)
        table.wrongKind(*functions, "functions", "a table");
    if (functions->entries.size() > budget::kLagrangianFunctions)
        refuse(functions->position, "The Lagrangian has too many functions", "lagrangian",
               "at most " + std::to_string(budget::kLagrangianFunctions) + " are read", "");
    for (const TomlEntry& line : functions->entries) {
        checkName(line.key, line.position, "function");
        if (position.has(line.key) || motion.has(line.key) || !taken.insert(line.key).second)
            refuse(line.position, "The name \"" + line.key + "\" is used twice", "lagrangian, functions",
                   "a coordinate, parameter or function has it", "choose another name");
        const Expr value = readExpression(line.value, position, "lagrangian, functions", line.key).value;
        const Expr rate = expr::timeDerivative(value);
        if (expr::writtenSize(value) > budget::kFunctionNodes || expr::writtenSize(rate) > budget::kFunctionNodes)
            refuse(line.value.position, "The function \"" + line.key + "\" is too long", "lagrangian, functions",
                   "written out it has more than " + std::to_string(static_cast<int>(budget::kFunctionNodes)) + " operations",
                   "use fewer functions of functions");
        for (Scope* scope : {&position, &motion})
            scope->add(line.key, 0, value);
        motion.add(line.key, 1, rate);
        out.lagrangian->functions.emplace_back(line.key, value);
    }
}

void readLagrangian(const TomlValue& root, const Scope& position, const Scope& motion, General& out)
{
    if (!out.lagrangian)
        return;
    const TomlEntry& entry = *root.find("lagrangian");
    const TableReader table = tableOf(entry);
    refuseOtherInertia(root, out);
    if (out.coordinates.size() > budget::kLagrangianCoordinates)
        refuse(entry.position, "The Lagrangian has too many coordinates", "lagrangian",
               "at most " + std::to_string(budget::kLagrangianCoordinates) + " are read",
               "state the model with bodies and joints");
    LagrangianStatement& stated = *out.lagrangian;
    stated.kinetic =
        readExpression(table.need("kinetic", "write kinetic = \"m/2*(x'^2 + y'^2)\", in J"), motion, table.where(), "kinetic");
    stated.potential = readExpression(table, "potential", position, Expr(0));
    for (const DynamicVariable& d : out.dynamics)
        if (expr::dependsOn(stated.kinetic.value, d.s))
            refuse(stated.kinetic.position, "The kinetic energy depends on the dynamic variable " + d.name,
                   "lagrangian, kinetic", "it is a function of coordinates, velocities and t",
                   "make it a coordinate, or use a generalized force");
    for (const Effort& e : out.efforts)
        if (expr::dependsOn(stated.kinetic.value, e.e))
            refuse(stated.kinetic.position, "The kinetic energy depends on the effort " + e.name, "lagrangian, kinetic",
                   "it is a function of coordinates, velocities and t", "use a generalized force");
}

} // namespace driftless::model
