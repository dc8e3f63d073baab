#include "core/mechanism/InputReader.h"

#include "core/system/InputTable.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

const KeyList kInputKeys{"name",  "unit", "description", "value",   "min",   "max",
                         "table", "file", "column",      "between", "scale", "offset"};

/// One of the three ways to state it; the others are refused.
std::string sourceOf(const TableReader& table)
{
    std::string out;
    for (const char* key : {"value", "table", "file"}) {
        if (!table.find(key))
            continue;
        if (!out.empty())
            refuse(table.keyPosition(key), "The input is stated twice", table.where(),
                   "\"" + out + "\" and \"" + key + "\" both say what it is", "keep one of them");
        out = key;
    }
    if (out.empty())
        refuse(table.position(), "The input has no value", table.where(), "",
               "write value = 1.0, value = \"2*sin(t)\", table = [[0, 0], [1, 2]] or file = \"drive.csv\"");
    return out;
}

/// Keys that only go with some other key.
void refuseKeys(const TableReader& table, std::initializer_list<const char*> keys, const std::string& why)
{
    for (const char* key : keys)
        if (table.find(key))
            refuse(table.keyPosition(key), "\"" + std::string(key) + "\" has no meaning here", table.where(), why,
                   "leave it out");
}

/// A number: live by a slider as any parameter.
Expr readSlider(MechanismContext& context, const TableReader& table, const std::string& name, const std::string& unit)
{
    Parameter p;
    p.quantity.name = name;
    p.quantity.unit = unit;
    p.quantity.description = table.text("description", "", 500);
    p.quantity.position = table.find("name")->position;
    p.quantity.value = finiteNumber(*table.find("value"), table.where());
    p.quantity.minimum = table.number("min").value_or(p.quantity.minimum);
    p.quantity.maximum = table.number("max").value_or(p.quantity.maximum);
    if (p.quantity.minimum > p.quantity.maximum)
        refuse(table.keyPosition("min"), "The range is empty", table.where(), "min is above max", "exchange min and max");
    if (p.quantity.value < p.quantity.minimum || p.quantity.value > p.quantity.maximum)
        refuse(table.find("value")->position, "The value is out of its range", table.where(),
               "the file states min and max for it", "change the value or the range");
    p.symbol = *expr::parameter(name).symbol();
    context.out.parameters.push_back(p);
    return expr::symbol(p.symbol);
}

Expr readFunction(const MechanismContext& context, const TableReader& table)
{
    Scope scope("parameters, inputs before this one, t and pi");
    for (const std::string& known : context.parameters.known())
        scope.add(known, 0, *context.parameters.find(known, 0));
    for (const auto& [name, value] : context.out.inputs)
        scope.add(name, 0, value);
    scope.add("t", 0, expr::time());
    scope.add("time", 0, expr::time());
    return readExpression(*table.find("value"), scope, table.where(), "value").value;
}

InputTable readRows(const TableReader& table)
{
    const TomlValue& rows = *table.find("table");
    InputTable out;
    if (rows.kind != TomlKind::Array)
        table.wrongKind(rows, "table", "an array of rows [t, u]");
    if (rows.items.size() > budget::kInputRows)
        refuse(rows.position, "The table is too long", table.where(),
               "at most " + std::to_string(budget::kInputRows) + " rows are read", "leave out rows that lie on a line");
    for (const TomlValue& row : rows.items) {
        if (row.kind != TomlKind::Array || row.items.size() != 2)
            table.wrongKind(row, "table", "rows of two numbers, [t, u]");
        out.t.push_back(finiteNumber(row.items[0], table.where()));
        out.u.push_back(finiteNumber(row.items[1], table.where()));
    }
    const auto at = [&rows](std::size_t k) { return k < rows.items.size() ? rows.items[k].position : rows.position; };
    if (auto sound = checkTable(out, at); !sound) {
        Diagnostic d = sound.error();
        d.where = table.where();
        throw ReadError{std::move(d)};
    }
    return out;
}

InputTable readFile(const TableReader& table, const std::string& name, std::string& unit)
{
    const TomlValue& file = *table.find("file");
    auto read = openInputCsv(table.needText("file", "write file = \"drive.csv\""), file.position.file,
                             table.text("column", name), file.position);
    if (!read) {
        Diagnostic d = read.error();
        d.where = d.where.empty() ? table.where() : table.where() + ", " + d.where;
        throw ReadError{std::move(d)};
    }
    if (!unit.empty() && !read->unit.empty() && unit != read->unit)
        refuse(table.keyPosition("unit"), "The input is in " + unit + ", its file in " + read->unit, table.where(),
               "numbers are taken as they stand", "write the same unit in both");
    if (unit.empty())
        unit = read->unit;
    return *std::move(read);
}

Expr readTable(MechanismContext& context, const TableReader& table, const std::string& name, bool file, std::string& unit)
{
    const std::string word = table.text("between", "linear", 16);
    const auto between = findBetween(word);
    if (!between) {
        const std::vector<std::string> known{"held", "linear", "spline"};
        const std::string near = text::nearestName(word, known);
        refuse(table.keyPosition("between"), "Unknown choice \"" + text::shortened(word) + "\" between the rows", table.where(),
               "known are held, linear and spline",
               near.empty() ? "write between = \"linear\"" : "did you mean \"" + near + "\"?");
    }
    const InputTable rows = file ? readFile(table, name, unit) : readRows(table);
    addCorners(cornersOf(rows, *between), context.out.corners);
    addCorners(knotsOf(rows, *between), context.out.knots);
    if (file)
        context.out.inputFiles.push_back({table.needText("file", ""), rows.text});
    return readExpression(table, "offset", context.parameters, Expr(0)).value
           + readExpression(table, "scale", context.parameters, Expr(1)).value * inputExpression(rows, *between);
}

} // namespace

void readInput(MechanismContext& context, const TomlValue& value, int number)
{
    const TableReader table(value, value.position, MechanismContext::label(value, "input", number), kInputKeys);
    const std::string name = context.newName(table, "input");
    if (isReservedWord(name))
        refuse(table.find("name")->position, "\"" + name + "\" cannot name an input", table.where(),
               "the word has a meaning in expressions", "choose another name");
    if (context.parameters.has(name))
        refuse(table.find("name")->position, "The name \"" + name + "\" is used twice", table.where(), "a parameter has it",
               "choose another name");
    const std::string source = sourceOf(table);
    std::string unit = table.text("unit", "", 32);
    if (source != "file")
        refuseKeys(table, {"column"}, "only a file has columns");
    Expr out;
    if (source == "value") {
        refuseKeys(table, {"between", "scale", "offset"}, "it goes with a table or a file");
        const bool slider = table.find("value")->isNumber();
        if (!slider)
            refuseKeys(table, {"min", "max"}, "only a number has a slider");
        out = slider ? readSlider(context, table, name, unit) : readFunction(context, table);
    } else {
        refuseKeys(table, {"min", "max"}, "only a number has a slider");
        out = readTable(context, table, name, source == "file", unit);
    }
    context.out.inputs.emplace_back(name, out);
}

} // namespace driftless::model
