// driftless tableau: a Runge-Kutta method, shipped or of one's own: order conditions, stability function, what it carries.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "core/integrate/RootedTrees.h"
#include "core/integrate/RungeKutta.h"
#include "core/integrate/Stability.h"
#include "core/run/TableauFile.h"
#include "core/text/Numbers.h"
#include "core/text/Sums.h"

namespace driftless::app {

namespace {

using integrate::RungeKuttaTableau;
using nlohmann::ordered_json;

constexpr int kHighestOrder = 6;

struct TableauOptions {
    std::string name;
    double parameter = 0;
    bool json = false;
};

/// A tableau of the catalogue, a member of a family, or a file.
Result<RungeKuttaTableau> tableauOf(const TableauOptions& options)
{
    if (const auto* exact = integrate::findExactTableau(options.name))
        return integrate::inDoubles(*exact);
    const auto* info = integrate::findIntegrator(options.name);
    if (!info)
        return run::openTableau(options.name);
    const auto& p = info->parameter;
    if (p.name.empty())
        return Diagnostic{.what = options.name + " is no Runge-Kutta method with a tableau of its own",
                          .remedy = "driftless list integrators"};
    const double value = options.parameter == 0 ? p.usual : options.parameter;
    if (!(value >= p.least && value <= p.most) || std::abs(value - p.excluded) < 1e-9)
        return Diagnostic{.what = "There is no method of " + options.name + " at this " + p.name, .where = "--parameter"};
    return integrate::familyMember(*info, value);
}

ordered_json tableauJson(const RungeKuttaTableau& t)
{
    const int order = orderOf(integrate::orderConditions(t, kHighestOrder), kHighestOrder);
    const auto r = integrate::stabilityFunction(t);
    const auto stability = integrate::stabilityOf(r);
    RungeKuttaTableau known = t;
    known.order = order;
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < t.stages; ++i)
        rows.push_back(std::vector<double>(t.a.begin() + static_cast<std::ptrdiff_t>(i * t.stages),
                                           t.a.begin() + static_cast<std::ptrdiff_t>((i + 1) * t.stages)));
    ordered_json conditions = ordered_json::array();
    for (const auto& c : integrate::orderConditions(t, kHighestOrder))
        conditions.push_back(
            {{"tree", c.tree}, {"order", c.order}, {"value", c.value}, {"wanted", c.wanted}, {"holds", c.holds()}});
    ordered_json out{{"name", t.name}, {"source", t.source},   {"stages", t.stages},
                     {"c", t.c},       {"A", std::move(rows)}, {"b", t.b}};
    if (!t.embedded.empty()) {
        out["b_embedded"] = t.embedded;
        out["embedded_order"] = orderOf(integrate::orderConditions(t, kHighestOrder, true), kHighestOrder);
    }
    out.update({{"explicit", t.isExplicit()},
                {"order", order},
                {"stage_order", integrate::stageOrderOf(t, order)},
                {"max_index", integrate::highestIndex(known)},
                {"conditions", std::move(conditions)},
                {"stability",
                 {{"kind", integrate::stabilityName(stability.kind)},
                  {"numerator", r.numerator},
                  {"denominator", r.denominator},
                  {"at_infinity", finiteJson(stability.atInfinity)},
                  {"real_limit", finiteJson(stability.realLimit)},
                  {"imaginary_limit", finiteJson(stability.imaginaryLimit)}}}});
    return out;
}

/// Entries as the catalogue has them, exactly.
ordered_json exactJson(const integrate::ExactTableau& t)
{
    const auto list = [&t](const integrate::Surd* numbers) {
        ordered_json out = ordered_json::array();
        for (int i = 0; i < t.stages; ++i)
            out.push_back(integrate::textOf(numbers[i], t.radicand));
        return out;
    };
    ordered_json rows = ordered_json::array();
    for (int i = 0; i < t.stages; ++i)
        rows.push_back(list(t.a[i]));
    ordered_json out{{"c", list(t.c)}, {"A", std::move(rows)}, {"b", list(t.b)}};
    if (t.embeddedOrder > 0)
        out["b_embedded"] = list(t.embedded);
    return out;
}

std::string decimals(double v) { return text::rounded(v, 10); }

/// "1/3" where it is a fraction of whole numbers, up to what a few sums and products leave.
std::string fraction(double v)
{
    constexpr double kRoundoff = 1e-14;
    return integrate::fractionText(v, kRoundoff * std::max(1e-3, std::abs(v))).value_or(decimals(v));
}

/// Texts stand as they are, numbers with ten digits.
std::string cell(const ordered_json& value)
{
    return value.is_string() ? value.get<std::string>() : decimals(value.get<double>());
}

void printRow(const std::string& head, const ordered_json& values, std::size_t width)
{
    std::cout << head << std::string(width - std::min(width, head.size()), ' ') << " |";
    for (const auto& value : values) {
        const std::string text = cell(value);
        std::cout << ' ' << std::string(width - std::min(width, text.size()), ' ') << text;
    }
    std::cout << '\n';
}

/// The rows of a tableau in columns of one width.
void printTableau(const ordered_json& t)
{
    std::size_t width = 8;
    const auto widen = [&width](const ordered_json& list) {
        for (const auto& value : list)
            width = std::max(width, cell(value).size());
    };
    widen(t["c"]);
    widen(t["b"]);
    for (const auto& row : t["A"])
        widen(row);
    if (t.contains("b_embedded"))
        widen(t["b_embedded"]);
    for (std::size_t i = 0; i < t["c"].size(); ++i)
        printRow(cell(t["c"][i]), t["A"][i], width);
    printRow("b", t["b"], width);
    if (t.contains("b_embedded"))
        printRow("embedded", t["b_embedded"], width);
}

std::string polynomial(const std::vector<double>& p)
{
    std::string out;
    for (std::size_t k = 0; k < p.size(); ++k) {
        if (p[k] == 0)
            continue;
        const double size = std::abs(p[k]);
        out += text::signOf(p[k] < 0, out.empty());
        if (k == 0 || size != 1)
            out += fraction(size) + (k > 0 ? " " : "");
        if (k > 0)
            out += k == 1 ? "z" : "z^" + std::to_string(k);
    }
    return out;
}

void printPlain(const RungeKuttaTableau& t, const ordered_json& json)
{
    std::cout << t.name << (t.source.empty() ? "" : "  (" + t.source + ")") << "\n\n";
    printTableau(json.contains("exact") ? json["exact"] : json);
    if (json.contains("integrator"))
        std::cout << "\nintegrator " << json["integrator"].get<std::string>() << '\n';
    std::cout << "\norder " << json["order"] << ", stage order " << json["stage_order"] << ", up to index " << json["max_index"]
              << "\n\n";
    for (const auto& c : json["conditions"])
        if (c["order"].get<int>() <= json["order"].get<int>() + 1)
            std::cout << (c["holds"].get<bool>() ? "holds  " : "fails  ") << c["order"] << "  " << c["tree"].get<std::string>()
                      << ": " << fraction(c["holds"].get<bool>() ? c["wanted"].get<double>() : c["value"].get<double>())
                      << ", wanted " << fraction(c["wanted"].get<double>()) << '\n';
    const auto r = integrate::stabilityFunction(t);
    std::cout << "\nR(z) = (" << polynomial(r.numerator) << ") / (" << polynomial(r.denominator) << ")\n"
              << json["stability"]["kind"].get<std::string>();
    const auto limit = [&json](const char* key, const char* words) {
        if (!json["stability"][key].is_null())
            std::cout << ", " << words << ' ' << decimals(json["stability"][key].get<double>());
    };
    limit("at_infinity", "R(infinity) =");
    limit("real_limit", "stable on the negative real axis to");
    limit("imaginary_limit", "on the imaginary axis to");
    std::cout << '\n';
}

int showTableau(const TableauOptions& options)
{
    const auto tableau = tableauOf(options);
    if (!tableau)
        return complain(tableau.error());
    auto method = integrate::methodFrom(*tableau);
    if (!method && !integrate::findExactTableau(options.name))
        return complain(method.error());
    auto json = tableauJson(*tableau);
    if (method && !integrate::findIntegrator(options.name))
        json["integrator"] = integrate::addOwnMethod(std::move(*method))->info.id; // what runs and studies call it
    if (const auto* exact = integrate::findExactTableau(options.name))
        json["exact"] = exactJson(*exact);
    if (options.json)
        return printJson(json) ? kExitDone : kExitBadInput;
    printPlain(*tableau, json);
    return kExitDone;
}

} // namespace

void addTableauCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<TableauOptions>();
    auto* command = root.add_subcommand("tableau", "A Runge-Kutta method: tableau, order conditions, stability function");
    command
        ->add_option("NAME", options->name,
                     "A Runge-Kutta method of `list integrators`, or a TOML file with A, b and optionally c, b_embedded")
        ->required();
    command->add_option("--parameter", options->parameter, "Of a one-parameter family: alpha");
    command->add_flag("--json", options->json, "One object instead of a table");
    command->callback([options, &exitCode] { exitCode = showTableau(*options); });
}

} // namespace driftless::app
