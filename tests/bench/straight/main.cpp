// Prints the straight C of the DAEs that benchmarks hand to IDA directly.
#include <algorithm>
#include <cstdio>
#include <map>

#include "core/expr/Tape.h"
#include "core/solve/PivotOrder.h"
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

using Changes = std::vector<std::pair<std::string, double>>;

/// What is printed. changed: starting values that differ from the file's.
struct Case {
    std::string name, model, form;
    Changes changed{};
    std::vector<int> dummies{};
};

std::string straight(int number, const Case& c, std::string& entry)
{
    formulation::Dummies chosen;
    chosen.positions = chosen.velocities = c.dummies;
    const Driven driven(compiledModel(c.model), c.form, "ida", {}, c.changed, chosen);
    const formulation::Dae& dae = driven.instance->dae();
    const auto n = driven.y.size();
    std::vector<Expr> rows;
    for (const auto& row : dae.rows)
        rows.push_back(row.residual);
    const auto& dummies = driven.instance->dummies();
    const auto pick = [&](const std::vector<int>& choices, const std::vector<int>& replaced) {
        for (std::size_t k = 0; k < choices.size(); ++k)
            if (std::find(replaced.begin(), replaced.end(), static_cast<int>(k)) == replaced.end())
                rows.push_back(dae.choices[static_cast<std::size_t>(choices[k])].residual);
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
    const Symbol leading = *expr::parameter("leading coefficient").symbol();
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
        add(e, expr::symbol(leading) * e.value);
    const auto residual = require(expr::Tape::compile(rows, {{*expr::time().symbol()}, unknowns, rates, parameters}));
    const auto matrix =
        require(expr::Tape::compile(entries, {{*expr::time().symbol()}, unknowns, rates, parameters, {leading}}));
    const std::string id = std::to_string(number);
    std::string text = "// " + c.name + " in " + c.form + ": " + std::to_string(residual.operationCount()) + " operations\n";
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
    entry = "    {\"" + c.name + " of " + c.form + "\", " + std::to_string(n) + ", F" + id + ", J" + id + ", y" + id + ", yp"
            + id + ", \"" + differential + "\", \"" + multiplier + "\"},\n";
    return text;
}

/// Gauss's elimination of A x = b as statements of C, for pivots that are known; entries and right sides are texts.
class Written {
public:
    using Row = std::map<int, std::string>;
    Written(std::vector<Row> a, std::vector<std::string> b) : a_(std::move(a)), b_(std::move(b)), open_(b_.size(), 1) {}

    std::string eliminate(const std::vector<solve::MatrixPlace>& pivots)
    {
        const auto at = [](int k) { return static_cast<std::size_t>(k); };
        for (const auto& pivot : pivots) {
            open_[at(pivot.row)] = 0;
            const Row& from = a_[at(pivot.row)];
            inverse_[pivot.row] = from.at(pivot.column) == "1.0" ? "1.0" : named("1.0 / " + from.at(pivot.column));
            for (std::size_t i = 0; i < a_.size(); ++i)
                if (const auto below = a_[i].find(pivot.column); open_[i] && below != a_[i].end()) {
                    const std::string factor = product(below->second, inverse_[pivot.row]);
                    a_[i].erase(below);
                    for (const auto& [column, value] : from)
                        if (column != pivot.column)
                            a_[i][column] = less(a_[i].count(column) ? a_[i][column] : "", product(factor, value));
                    b_[i] = less(b_[i], product(factor, b_[at(pivot.row)]));
                }
        }
        for (std::size_t k = pivots.size(); k-- > 0;) {
            std::string value = b_[at(pivots[k].row)];
            for (const auto& [column, entry] : a_[at(pivots[k].row)])
                if (column != pivots[k].column)
                    value = less(value, product(entry, x_.at(column)));
            x_[pivots[k].column] = product(value, inverse_[pivots[k].row]);
        }
        return text_;
    }
    const std::string& x(int column) const { return x_.at(column); }

private:
    std::string named(const std::string& value)
    {
        const std::string name = "u" + std::to_string(count_++);
        text_ += "    [[maybe_unused]] const double " + name + " = " + value + ";\n";
        return name;
    }
    std::string product(const std::string& a, const std::string& b)
    {
        if (a.empty() || b.empty())
            return {};
        if (a == "1.0" || b == "1.0")
            return a == "1.0" ? b : a;
        return named(a + " * " + b);
    }
    /// The empty text is zero.
    std::string less(const std::string& from, const std::string& what)
    {
        if (what.empty())
            return from;
        return named(from.empty() ? "-" + what : from + " - " + what);
    }

    std::vector<Row> a_;
    std::vector<std::string> b_;
    std::vector<char> open_;
    std::map<int, std::string> inverse_, x_;
    std::string text_;
    int count_ = 0;
};

/// index-1 of the model with its rates solved for: y' = f(t, y).
std::string straightOde(int number, const Case& c, std::string& entry)
{
    Driven driven(compiledModel(c.model), "index-1", "dop853", {.step = 0}, c.changed);
    const formulation::Dae& dae = driven.instance->dae();
    const auto roles = driven.instance->roles();
    const std::string id = std::to_string(number);
    std::vector<Symbol> states, parameters;
    expr::Substitution none;
    std::vector<double> start;
    std::vector<Symbol> asked;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const Symbol symbol = dae.unknowns[i].symbol;
        if (roles[i].differential) {
            states.push_back(symbol);
            start.push_back(driven.y[i]);
        }
        asked.push_back(roles[i].differential ? *expr::rate(symbol).symbol() : symbol);
        none.emplace(asked.back(), Expr(0));
    }
    for (const auto& p : driven.system->system().parameters)
        parameters.push_back(p.symbol);
    std::vector<Expr> rows, outputs;
    for (const auto& row : dae.rows) {
        rows.push_back(row.residual);
        outputs.push_back(-expr::substitute(row.residual, none));
    }
    const auto entries = expr::sparseJacobian(rows, asked);
    for (const auto& e : entries)
        outputs.push_back(e.value);
    const auto tape = require(expr::Tape::compile(outputs, {{*expr::time().symbol()}, states, parameters}));

    // Pivots that suit the states of the motion.
    constexpr int kStepsBetween = 3;
    const int looks = rows.size() < 100 ? 20 : 2; // an order of many takes long to find
    std::vector<std::vector<double>> samples;
    std::vector<solve::MatrixPlace> places;
    for (const auto& e : entries)
        places.push_back({e.row, e.column});
    auto work = tape.workspace();
    const std::vector<double> values = driven.system->defaultParameters();
    for (int k = 0; k < looks * kStepsBetween; ++k) {
        std::vector<double> y, out(outputs.size());
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i].differential)
                y.push_back(driven.integrator->y()[i]);
        const double t = driven.integrator->t();
        const double* const banks[] = {&t, y.data(), values.data()};
        if (k % kStepsBetween == 0 && tape.evaluate(banks, out.data(), work))
            samples.emplace_back(out.begin() + static_cast<std::ptrdiff_t>(rows.size()), out.end());
        driven.step();
    }
    const auto pivots = solve::pivotOrder(static_cast<int>(rows.size()), places, samples);

    std::vector<Written::Row> a(rows.size());
    std::vector<std::string> b;
    for (std::size_t i = 0; i < rows.size(); ++i)
        b.push_back(outputs[i].constantValue() == 0.0 ? "" : "e[" + std::to_string(i) + "]");
    for (std::size_t k = 0; k < entries.size(); ++k)
        a[static_cast<std::size_t>(entries[k].row)][entries[k].column] =
            entries[k].value.constantValue() == 1.0 ? "1.0" : "e[" + std::to_string(rows.size() + k) + "]";
    Written written(std::move(a), std::move(b));
    std::string text = "// " + c.name + ": y' = f(t, y)\nconst double pf" + id + "[] = {" + numbers(values)
                       + "};\nconst double yf" + id + "[] = {" + numbers(start) + "};\n";
    text += "void f" + id
            + "(const int*, [[maybe_unused]] const double* t, const double* y, double* yp, double*, int*)\n{\n    "
              "[[maybe_unused]] const double* const p = pf"
            + id + ";\n    double e[" + std::to_string(outputs.size()) + "];\n"
            + tape.source(std::vector<std::string>{"t", "y", "p"}, "e") + written.eliminate(pivots);
    int place = 0;
    for (std::size_t i = 0; i < roles.size(); ++i)
        if (roles[i].differential) {
            const std::string& value = written.x(static_cast<int>(i));
            text += "    yp[" + std::to_string(place++) + "] = " + (value.empty() ? "0.0" : value) + ";\n";
        }
    text += "}\n\n";
    entry = "    {\"" + c.name + "\", " + std::to_string(start.size()) + ", f" + id + ", yf" + id + "},\n";
    return text;
}

} // namespace

int main()
{
    const Changes fromRest{{"bob.x", 0.099833416646828152}, {"bob.y", -0.99500416527802577}, {"bob.x'", 0}, {"bob.y'", 0}};
    std::vector<Case> daes{{"pendulum-case-1", "pendulum", "dummy-derivatives", fromRest, {1}}};
    std::vector<Case> odes{{"pendulum-case-1", "pendulum", "index-1", fromRest}};
    for (const char* model :
         {"pendulum", "lagrangian-slider-crank", "lagrangian-andrews", "lagrangian-car-axis", "stiff-pendulum", "five-bars"}) {
        for (const char* form : {"ggl", "index-1"})
            daes.push_back({model, model, form});
        odes.push_back({model, model, "index-1"});
    }
    odes.push_back({"hung-chain", "hung-chain", "index-1"});
    std::string entries;
    std::printf("#include <math.h>\n\n#include \"tests/bench/StraightDae.h\"\n\nnamespace driftless::bench {\nnamespace {\n\n");
    int number = 0;
    std::string odeEntries;
    for (const Case& c : daes) {
        std::string entry;
        std::printf("%s", straight(number++, c, entry).c_str());
        entries += entry;
    }
    for (const Case& c : odes) {
        std::string entry;
        std::printf("%s", straightOde(number++, c, entry).c_str());
        odeEntries += entry;
    }
    std::printf("const StraightOde odes[] = {\n%s};\n\n", odeEntries.c_str());
    std::printf("const StraightDae all[] = {\n%s};\n\n} // namespace\n\nstd::span<const StraightDae> straightDaes()\n{\n    "
                "return all;\n}\n\nstd::span<const StraightOde> straightOdes()\n{\n    return odes;\n}\n\n} // "
                "namespace driftless::bench\n",
                entries.c_str());
    return 0;
}
