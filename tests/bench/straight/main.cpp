// Prints the straight C of the DAEs that benchmarks hand to IDA directly.
#include <algorithm>
#include <cstdio>

#include "core/expr/Tape.h"
#include "tests/bench/Drive.h"

namespace {

using namespace driftless;
using namespace driftless::bench;
using expr::Expr;
using expr::Symbol;

std::string numbers(const std::vector<double>& values)
{
    std::string text;
    char one[40];
    for (const double v : values) {
        std::snprintf(one, sizeof one, "%s%.17g", text.empty() ? "" : ", ", v);
        text += one;
    }
    return text;
}

/// changed: starting values that differ from the file's.
std::string straight(int number, const std::string& model, const std::string& form,
                     const std::vector<std::pair<std::string, double>>& changed, const std::vector<int>& coordinates,
                     std::string& entry)
{
    formulation::Dummies chosen;
    chosen.positions = chosen.velocities = coordinates;
    const Driven driven(compiledModel(model), form, "ida", {}, changed, chosen);
    const formulation::Dae& dae = driven.instance->dae();
    const auto n = driven.y.size();
    std::vector<Expr> rows;
    for (const auto& row : dae.rows)
        rows.push_back(row.residual);
    const auto& dummies = driven.instance->dummies();
    const auto pick = [&](const std::vector<int>& choices, const std::vector<int>& replaced) {
        for (std::size_t c = 0; c < choices.size(); ++c)
            if (std::find(replaced.begin(), replaced.end(), static_cast<int>(c)) == replaced.end())
                rows.push_back(dae.choices[static_cast<std::size_t>(choices[c])].residual);
    };
    if (dae.pivot) {
        pick(dae.pivot->positionRows, dummies.positions);
        pick(dae.pivot->velocityRows, dummies.velocities);
    }
    std::vector<Symbol> unknowns, rates, parameters;
    for (const auto& u : dae.unknowns) {
        unknowns.push_back(u.symbol);
        rates.push_back(*expr::rate(u.symbol).symbol());
    }
    for (const auto& p : driven.system->system().parameters)
        parameters.push_back(p.symbol);
    std::vector<double> values = driven.system->defaultParameters();
    for (const auto& g : dae.gains) {
        parameters.push_back(g.symbol);
        values.push_back(g.quantity.value);
    }
    const Symbol c = *expr::parameter("leading coefficient").symbol();
    std::vector<Expr> entries;
    std::vector<std::pair<int, int>> places;
    const auto add = [&](const expr::JacobianEntry& e, const Expr& value) {
        const std::pair place{e.row, e.column};
        const auto at = std::find(places.begin(), places.end(), place);
        if (at == places.end()) {
            places.push_back(place);
            entries.push_back(value);
        } else {
            Expr& sum = entries[static_cast<std::size_t>(at - places.begin())];
            sum = sum + value;
        }
    };
    for (const auto& e : expr::sparseJacobian(rows, unknowns))
        add(e, e.value);
    for (const auto& e : expr::sparseJacobian(rows, rates))
        add(e, expr::symbol(c) * e.value);
    const auto residual = require(expr::Tape::compile(rows, {{*expr::time().symbol()}, unknowns, rates, parameters}));
    const auto matrix = require(expr::Tape::compile(entries, {{*expr::time().symbol()}, unknowns, rates, parameters, {c}}));
    const std::string id = std::to_string(number);
    std::string text = "// " + model + " in " + form + ": " + std::to_string(residual.operationCount()) + " operations\n";
    text += "const double p" + id + "[] = {" + numbers(values) + "};\n";
    text += "const double y" + id + "[] = {" + numbers(driven.y) + "};\nconst double yp" + id + "[] = {" + numbers(driven.yp)
            + "};\n";
    text += "void F" + id
            + "([[maybe_unused]] double time, const double* y, const double* yp, double* F)\n{\n    [[maybe_unused]] const "
              "double* const p = p"
            + id + ";\n    [[maybe_unused]] const double t[] = {time};\n"
            + residual.source(std::vector<std::string>{"t", "y", "yp", "p"}, "F") + "}\n";
    text += "void J" + id
            + "([[maybe_unused]] double time, [[maybe_unused]] const double* y, [[maybe_unused]] const double* yp, double c, "
              "double* J)\n{\n    [[maybe_unused]] const double* const p = p"
            + id + ";\n    [[maybe_unused]] const double t[] = {time};\n    const double leading[] = {c};\n    double e["
            + std::to_string(entries.size()) + "];\n"
            + matrix.source(std::vector<std::string>{"t", "y", "yp", "p", "leading"}, "e");
    for (std::size_t k = 0; k < places.size(); ++k)
        text += "    J["
                + std::to_string(static_cast<std::size_t>(places[k].second) * n + static_cast<std::size_t>(places[k].first))
                + "] = e[" + std::to_string(k) + "];\n";
    text += "}\n\n";
    std::string differential, multiplier;
    for (const auto& role : driven.instance->roles()) {
        differential += role.differential ? 'd' : 'a';
        multiplier += role.multiplier ? 'm' : '-';
    }
    entry = "    {\"" + model + " of " + form + "\", " + std::to_string(n) + ", F" + id + ", J" + id + ", y" + id + ", yp" + id
            + ", \"" + differential + "\", \"" + multiplier + "\"},\n";
    return text;
}

} // namespace

int main()
{
    struct Case {
        const char *model, *form;
        std::vector<std::pair<std::string, double>> changed{};
        std::vector<int> dummies{};
    };
    const Case cases[] = {
        {"pendulum",
         "dummy-derivatives",
         {{"bob.x", 0.099833416646828152}, {"bob.y", -0.99500416527802577}, {"bob.x'", 0}, {"bob.y'", 0}},
         {1}},
        {"pendulum", "ggl"},
        {"lagrangian-slider-crank", "ggl"},
        {"lagrangian-andrews", "ggl"},
        {"lagrangian-car-axis", "ggl"},
        {"pendulum", "index-1"},
        {"lagrangian-slider-crank", "index-1"},
        {"lagrangian-andrews", "index-1"},
        {"lagrangian-car-axis", "index-1"},
    };
    std::string entries;
    std::printf("#include <math.h>\n\n#include \"tests/bench/StraightDae.h\"\n\nnamespace driftless::bench {\nnamespace {\n\n");
    int number = 0;
    for (const Case& c : cases) {
        std::string entry;
        std::printf("%s", straight(number++, c.model, c.form, c.changed, c.dummies, entry).c_str());
        entries += entry;
    }
    std::printf("const StraightDae all[] = {\n%s};\n\n} // namespace\n\nstd::span<const StraightDae> straightDaes()\n{\n    "
                "return all;\n}\n\n} // "
                "namespace driftless::bench\n",
                entries.c_str());
    return 0;
}
