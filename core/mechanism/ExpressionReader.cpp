#include "core/mechanism/ExpressionReader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/expr/FunctionNames.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

Scope::Scope(std::string hint) : hint_(std::move(hint))
{
    names_.insert_or_assign({"pi", 0}, Expr(std::numbers::pi));
    known_.emplace_back("pi");
}

void Scope::add(const std::string& name, int primes, Expr value)
{
    names_.insert_or_assign({name, primes}, std::move(value));
    known_.push_back(name + std::string(static_cast<std::size_t>(primes), '\''));
}

std::optional<Expr> Scope::find(std::string_view name, int primes) const
{
    const auto found = names_.find({std::string(name), primes});
    return found == names_.end() ? std::nullopt : std::optional<Expr>(found->second);
}

std::optional<Expr> Scope::derivative(const expr::Symbol& variable) const
{
    for (const auto& [name, value] : names_)
        if (value.symbol() == variable)
            if (auto found = find(name.first, name.second + 1))
                return found;
    return std::nullopt;
}

namespace {

/// Names that a short one may stand for, where a message calls it unknown: "A.x or B.x" for x; empty: none.
std::string ownersOf(const std::string& message, const Scope& scope)
{
    const std::string start = "Unknown name '";
    if (!message.starts_with(start))
        return "";
    const std::string name = "." + message.substr(start.size(), message.find('\'', start.size()) - start.size());
    constexpr std::size_t kMostNamed = 4;
    std::vector<std::string> found;
    for (const std::string& known : scope.known())
        if (known.ends_with(name) && found.size() < kMostNamed)
            found.push_back(known);
    return text::joined(found, " or ");
}

/// der(x) is x' here: no integrator advances an unknown where a model is written.
Expr withoutRates(const Expr& e, const TomlValue& value, const Scope& scope, const std::string& here)
{
    expr::Substitution map;
    for (const expr::Symbol& rate : expr::symbolsOf(e)) {
        if (rate.kind != expr::SymbolKind::Rate)
            continue;
        const auto derivative = scope.derivative({expr::SymbolKind::Variable, rate.name, rate.order});
        if (!derivative)
            refuse(value.position, "The derivative " + rate.text() + " is not available here", here,
                   "the names known here are " + scope.hint(), "use a quantity that is known here");
        map.emplace(rate, *derivative);
    }
    return map.empty() ? e : expr::substitute(e, map);
}

} // namespace

PlacedExpr readExpression(const TomlValue& value, const Scope& scope, const std::string& where, std::string_view key)
{
    const std::string here = where + ", " + std::string(key);
    if (value.isNumber()) {
        const double number = finiteNumber(value, here);
        constexpr double kExact = 1e9; // whole numbers below this become exact integers
        if (number == std::floor(number) && std::abs(number) < kExact)
            return {Expr(static_cast<int>(number)), value.position};
        return {Expr(number), value.position};
    }
    if (value.kind != TomlKind::String)
        refuse(value.position, "\"" + std::string(key) + "\" must be a number or an expression in quotes", where,
               "found " + kindInWords(value.kind), "");
    if (std::all_of(value.text.begin(), value.text.end(),
                    [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }))
        refuse(value.position, "The expression is empty", here, "", "write a number or an expression");
    const auto lookup = [&scope](std::string_view name, int primes) { return scope.find(name, primes); };
    auto parsed = expr::parse(value.text, lookup, value.textPosition, scope.known());
    if (!parsed) {
        Diagnostic diagnostic = parsed.error();
        diagnostic.where = diagnostic.where.empty() ? here : here + ", " + diagnostic.where;
        const bool aboutNames = diagnostic.what.starts_with("Unknown name") || diagnostic.what.starts_with("The derivative");
        if (const std::string owners = ownersOf(diagnostic.what, scope); !owners.empty()) {
            diagnostic.why = "the name of what it belongs to stands before it";
            diagnostic.remedy = owners;
        }
        if (aboutNames && diagnostic.why.empty())
            diagnostic.why = "the names known here are " + scope.hint();
        if (diagnostic.remedy.empty())
            diagnostic.remedy = "correct the expression";
        if (!diagnostic.position.known())
            diagnostic.position = value.position;
        throw ReadError{std::move(diagnostic)};
    }
    if (value.text.find("der") != std::string::npos)
        *parsed = withoutRates(*parsed, value, scope, here);
    if (const auto constant = parsed->constantValue(); constant && !std::isfinite(*constant))
        refuse(value.position, "The number must be finite", here, "NaN and infinity have no physical meaning here",
               "write a finite number");
    if (!parsed->constantValue())
        scope.keep({*parsed, where, std::string(key), value.position});
    return {*std::move(parsed), value.position};
}

PlacedExpr readExpression(const TableReader& table, std::string_view key, const Scope& scope, const Expr& fallback)
{
    const TomlValue* value = table.find(key);
    return value ? readExpression(*value, scope, table.where(), key) : PlacedExpr{fallback, table.position()};
}

std::vector<Expr> readExpressions(const TomlValue& value, std::size_t count, const Scope& scope, const std::string& where,
                                  std::string_view key)
{
    if (value.kind != TomlKind::Array || value.items.size() != count)
        refuse(value.position, "\"" + std::string(key) + "\" must be an array of " + std::to_string(count), where,
               value.kind == TomlKind::Array ? "found " + std::to_string(value.items.size()) + " items"
                                             : "found " + kindInWords(value.kind),
               "");
    std::vector<Expr> out;
    for (const TomlValue& item : value.items)
        out.push_back(readExpression(item, scope, where, key).value);
    return out;
}

namespace {

/// Words that mean something in expressions besides the functions.
const std::array<std::string_view, 10> kReserved{"t", "time", "pi", "if", "then", "else", "der", "ground", "lambda", "not"};

bool isReserved(std::string_view name)
{
    const std::vector<std::string>& functions = expr::functionNames();
    return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end()
           || std::binary_search(functions.begin(), functions.end(), name);
}

struct Definition {
    Parameter parameter;
    Expr value;              ///< over other parameters, as written
    SourcePosition position; ///< of the value
    std::vector<std::string> uses;
};

class ParameterReader {
public:
    ParameterReader(std::vector<Parameter>& parameters, Scope& scope) : parameters_(parameters), scope_(scope) {}

    std::vector<DerivedParameter> read(const TomlValue& table)
    {
        Scope names("parameters and pi");
        for (const TomlEntry& entry : table.entries) {
            checkName(entry.key, entry.position, "parameter");
            if (isReserved(entry.key))
                refuse(entry.position, "\"" + entry.key + "\" cannot name a parameter", "parameters",
                       "the word has a meaning in expressions", "choose another name");
            names.add(entry.key, 0, expr::parameter(entry.key));
            index_.emplace(entry.key, definitions_.size());
            definitions_.push_back({});
        }
        for (std::size_t i = 0; i < table.entries.size(); ++i)
            readDefinition(table.entries[i], names, definitions_[i]);
        sortByUse();
        for (const std::size_t i : order_)
            publish(definitions_[i]);
        std::vector<DerivedParameter> derived;
        for (const Definition& d : definitions_)
            if (d.uses.empty())
                parameters_.push_back(d.parameter);
            else
                derived.push_back({d.parameter.quantity.name, text::firstOf(d.uses)});
        return derived;
    }

private:
    void readDefinition(const TomlEntry& entry, const Scope& names, Definition& out)
    {
        const std::string where = "parameter " + entry.key;
        Quantity& quantity = out.parameter.quantity;
        quantity.name = entry.key;
        quantity.position = entry.position;
        out.parameter.symbol = *expr::parameter(entry.key).symbol();
        PlacedExpr value;
        if (entry.value.kind == TomlKind::Table) {
            const TableReader table(entry.value, entry.position, where,
                                    {"value", "unit", "description", "min", "max", "positive"});
            value = readExpression(table.need("value", "write value = 1.0"), names, where, "value");
            quantity.unit = table.text("unit", "", 32);
            quantity.description = table.text("description", "", 500);
            quantity.minimum = table.number("min").value_or(quantity.minimum);
            quantity.maximum = table.number("max").value_or(quantity.maximum);
            quantity.positive = table.flag("positive", false);
            if (quantity.minimum > quantity.maximum)
                refuse(table.keyPosition("min"), "The range is empty", where, "min is above max", "exchange min and max");
        } else
            value = readExpression(entry.value, names, where, "value");
        out.value = value.value;
        out.position = value.position;
        for (const expr::Symbol& s : expr::symbolsOf(out.value))
            if (s.kind == expr::SymbolKind::Parameter)
                out.uses.push_back(s.name);
    }

    /// Definitions in an order that puts every parameter behind those it uses (depth first, without recursion).
    void sortByUse()
    {
        enum class Mark { White, Grey, Black };
        std::vector<Mark> marks(definitions_.size(), Mark::White);
        for (std::size_t start = 0; start < definitions_.size(); ++start) {
            std::vector<std::pair<std::size_t, std::size_t>> path; // definition, next use
            if (marks[start] == Mark::White)
                path.emplace_back(start, 0);
            while (!path.empty()) {
                auto& [at, next] = path.back();
                marks[at] = Mark::Grey;
                if (next == definitions_[at].uses.size()) {
                    marks[at] = Mark::Black;
                    order_.push_back(at);
                    path.pop_back();
                    continue;
                }
                const std::size_t use = index_.at(definitions_[at].uses[next++]);
                if (marks[use] == Mark::Grey)
                    refuseCycle(path, use);
                if (marks[use] == Mark::White)
                    path.emplace_back(use, 0);
            }
        }
    }

    [[noreturn]] void refuseCycle(const std::vector<std::pair<std::size_t, std::size_t>>& path, std::size_t closing) const
    {
        constexpr std::size_t kMost = 20;
        std::string circle;
        std::size_t count = 0;
        bool inside = false;
        for (const auto& [at, next] : path) {
            inside = inside || at == closing;
            if (inside && ++count <= kMost)
                circle += definitions_[at].parameter.quantity.name + " -> ";
        }
        if (count > kMost)
            circle += "... -> ";
        circle += definitions_[closing].parameter.quantity.name;
        refuse(definitions_[closing].position, "The parameters define each other in a circle", "parameters", circle,
               "give one of them a number");
    }

    void publish(Definition& d)
    {
        Quantity& quantity = d.parameter.quantity;
        const Expr value = d.uses.empty() ? d.value : expr::substitute(d.value, derived_);
        const auto number = expr::evaluate(value, [this](const expr::Symbol& s) -> std::optional<double> {
            const auto found = values_.find(s.name);
            return found == values_.end() ? std::nullopt : std::optional<double>(found->second);
        });
        const std::string where = "parameter " + quantity.name;
        if (!d.uses.empty())
            scope_.keep({d.value, where, "value", d.position, quantity.unit});
        if (!number || !std::isfinite(*number))
            refuse(d.position, "The value is not a finite number", where, "the expression left its domain",
                   "check the expression");
        quantity.value = *number;
        if (quantity.value < quantity.minimum || quantity.value > quantity.maximum)
            refuse(d.position, "The value is out of its range", where, "the file states min and max for it",
                   "change the value or the range");
        if (quantity.positive && !(quantity.value > 0))
            refuse(d.position, "The value must be positive", where, "the file states positive = true for it",
                   "write a value above zero");
        if (d.uses.empty()) {
            values_.emplace(quantity.name, quantity.value);
            scope_.add(quantity.name, 0, expr::symbol(d.parameter.symbol));
            return;
        }
        derived_.emplace(d.parameter.symbol, value);
        scope_.add(quantity.name, 0, value);
    }

    std::vector<Parameter>& parameters_;
    Scope& scope_;
    std::vector<Definition> definitions_;
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<std::size_t> order_;
    std::unordered_map<std::string, double> values_;
    expr::Substitution derived_;
};

} // namespace

bool isReservedWord(std::string_view name) { return isReserved(name); }

std::vector<DerivedParameter> readParameters(const TomlValue& table, const SourcePosition& position, std::size_t most,
                                             std::vector<Parameter>& parameters, Scope& scope)
{
    if (table.kind != TomlKind::Table)
        refuse(position, "\"parameters\" must be a table", "", "found " + kindInWords(table.kind), "write [parameters]");
    if (table.entries.size() > most)
        refuse(position, "The model has too many parameters", "", "at most " + std::to_string(most) + " are read", "");
    return ParameterReader(parameters, scope).read(table);
}

} // namespace driftless::model
