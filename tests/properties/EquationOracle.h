// What the program must say about an equation model with a known motion; an empty text where all is right.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "core/integrate/Integrator.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/system/EquationSystem.h"
#include "tests/properties/DerivativeArray.h"

namespace driftless::test {

struct EquationTally {
    int judged = 0, unclear = 0, eliminated = 0, refused = 0, above = 0, hidden = 0;
    std::map<int, int> ofIndex;
    std::map<std::string, int> ran;
    double worst = 0; ///< error of a value, in units of its size

    std::string told() const
    {
        std::ostringstream out;
        out << judged << " judged, " << unclear << " with unclear ranks, " << eliminated << " after eliminations, " << refused
            << " refused, " << hidden << " singular on solutions only, " << above
            << " with a structural index above the true one; of index";
        for (const auto& [index, times] : ofIndex)
            out << ' ' << index << ": " << times << ',';
        for (const auto& [method, times] : ran)
            out << ' ' << method << ' ' << times;
        out << "; largest error " << worst;
        return out.str();
    }
};

inline constexpr double kEquationEnd = 0.4; ///< [s] a good part of a swing
inline constexpr double kEquationTolerance = 1e-9;
/// Errors of single steps add up over the motion and are multiplied where unknowns and rows are mixed: ten thousand tolerances;
/// derivatives beyond the first are solved for, and each takes factors of up to ten from the equations.
inline double equationError(int order) { return 1e4 * kEquationTolerance * std::pow(10, std::max(0, order - 1)); }
/// A known weakness: an unknown that follows from a state a hundred times its size is tested more strictly than the state is
/// solved for, and ida and bdf may then stay at order 1, where errors of single steps add up to 1e-4. Two of a thousand models;
/// with nominal values stated they do not.
inline double multistepError(const KnownEquations& known, const std::string& integrator)
{
    return known.shape().scaled && (integrator == "ida" || integrator == "bdf") ? 1e-3 : 0;
}

inline std::string counts(int index, int freedom)
{
    return "index " + std::to_string(index) + " and " + std::to_string(freedom) + " degrees of freedom";
}

/// dF_i^(c_i) / dx_j^(d_j) = dF_i / dx_j^(d_j - c_i) along the motion: regular at some time?
inline bool jacobianRegular(const KnownEquations& known, const std::vector<expr::Expr>& rows, const std::vector<int>& c,
                            const std::vector<int>& d)
{
    for (const double t : {0.05, 0.31, 0.77}) {
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(known.n(), known.n());
        for (int i = 0; i < known.n(); ++i)
            for (int j = 0; j < known.n(); ++j) {
                const auto place = [](int k) { return static_cast<std::size_t>(k); };
                const int order = d[place(j)] - c[place(i)];
                if (order < 0)
                    continue;
                const auto e = expr::derivative(rows[place(i)], {expr::SymbolKind::Variable, known.names()[place(j)], order});
                J(i, j) = known.size(j) * expr::evaluate(e, [&](const expr::Symbol& s) {
                                              if (s.kind == expr::SymbolKind::Time)
                                                  return std::optional(t);
                                              const auto at = std::find(known.names().begin(), known.names().end(), s.name)
                                                              - known.names().begin();
                                              return std::optional(known.value(static_cast<int>(at), s.order, t));
                                          }).value_or(NAN);
            }
        for (int i = 0; i < known.n(); ++i)
            if (const double s = J.row(i).cwiseAbs().maxCoeff(); s > 0)
                J.row(i) /= s;
        const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues();
        if (sigma[known.n() - 1] > 1e-9 * sigma[0])
            return true;
    }
    return false;
}

inline std::vector<expr::Expr> rowsOf(const model::EquationSystem& system)
{
    std::vector<expr::Expr> out;
    for (const auto& e : system.equations)
        out.push_back(e.residual);
    return out;
}

/// What is said of the structure. `hidden`: what multiplies a derivative is zero on solutions only, and the analysis looks at
/// points off them (docs/structure.md); its counts may be wrong then, and reducing the system has to say so.
inline std::string judgeStructure(const KnownEquations& known, const reduction::EquationAnalysis& a, EquationTally& tally,
                                  bool& hidden)
{
    if (a.structure.singular || !a.jacobianKnown)
        return "is called singular: " + (a.diagnostic ? a.diagnostic->text() : "");
    if (!a.structure.agree)
        return "Pantelides' algorithm and the Sigma-method differ";
    const auto& used = a.eliminated ? *a.eliminated : a;
    const auto truth = DerivativeArray(known).answer(used.structure.pantelides.d);
    if (!truth) {
        ++tally.unclear;
        return {};
    }
    ++tally.judged;
    ++tally.ofIndex[truth->index];
    tally.eliminated += a.eliminated != nullptr;
    const auto rows = a.eliminated ? rowsOf(*a.eliminatedSystem) : known.rows();
    const bool regular = jacobianRegular(known, rows, used.structure.pantelides.c, used.structure.pantelides.d);
    if (a.jacobianSingular && !a.diagnostic)
        return "its Jacobian is singular, and nothing is said";
    if (used.jacobianSingular) {
        if (regular)
            return "its Jacobian is regular along the motion and called singular";
        return known.shape().plain() ? "its Jacobian stays singular, and nothing was mixed" : "";
    }
    if (!regular) {
        hidden = known.shape().rows == Mixing::OfState;
        tally.hidden += hidden;
        return hidden ? "" : "its Jacobian is singular along the motion and called regular";
    }
    const int index = used.structure.structuralIndex, freedom = used.structure.freedom;
    const std::string said = "is said to have " + counts(index, freedom) + ", and has " + counts(truth->index, truth->freedom);
    if (freedom != truth->freedom || index < truth->index)
        return said;
    tally.above += index > truth->index;
    return known.shape().plain() && index > truth->index ? said + ", though nothing was mixed" : "";
}

inline std::string judgeEquationRun(const KnownEquations& known, const std::shared_ptr<const model::CompiledSystem>& system,
                                    const std::string& integrator, EquationTally& tally)
{
    run::RunSettings settings;
    settings.integrator = integrator;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = kEquationTolerance;
    settings.options.step = 0;
    for (const auto& method : integrate::integratorCatalogue())
        if (method.id == integrator && !method.adaptive)
            settings.options.step = 0.0025;
    run::StartSettings start;
    const auto place = [&](const std::string& name) {
        return static_cast<int>(std::find(known.names().begin(), known.names().end(), name) - known.names().begin());
    };
    for (const auto& value : system->system().values) // a rate that is free cannot be said in the text
        if (value.symbol.order > 0 && value.followed)
            start.values[value.name] = known.value(place(value.symbol.name), value.symbol.order, 0);
    auto run = run::Run::create(system, start, settings);
    if (!run)
        return integrator + " refuses: " + run.error().text();
    if (!(*run)->advanceTo(kEquationEnd))
        return integrator + " failed: " + ((*run)->status().diagnostic ? (*run)->status().diagnostic->text() : "");
    ++tally.ran[integrator];
    std::map<std::string, double> state;
    for (const auto& [name, value] : (*run)->namedState())
        state[name] = value;
    for (const auto& value : system->system().values) {
        const int j = place(value.symbol.name);
        const double exact = known.value(j, value.symbol.order, kEquationEnd),
                     error = std::abs(state.at(value.name) - exact) / known.size(j);
        tally.worst = std::max(tally.worst, std::isfinite(error) ? error : 1e300);
        if (!(error <= std::max(equationError(value.symbol.order), multistepError(known, integrator))))
            return integrator + ": " + value.name + " is " + std::to_string(state.at(value.name)) + " and not "
                   + std::to_string(exact);
    }
    return {};
}

inline std::string judgeEquations(const EquationShape& shape, EquationTally& tally)
{
    const KnownEquations known(shape);
    const auto equations = model::readEquationModel(known.text(), "drawn.mo");
    if (!equations)
        return "cannot be read: " + equations.error().text();
    const auto analysis = reduction::analyseEquations((*equations)->system);
    bool hidden = false;
    if (const std::string fault = judgeStructure(known, analysis, tally, hidden); !fault.empty())
        return fault;
    const auto model = reduction::readModel(known.text(), "drawn.mo");
    const auto& used = analysis.eliminated ? *analysis.eliminated : analysis;
    if (!model) {
        ++tally.refused;
        return (used.jacobianSingular || hidden) && !model.error().why.empty() ? "" : "is refused: " + model.error().text();
    }
    if (hidden)
        return "its Jacobian is singular on solutions, and it is not refused";
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return "does not compile: " + system.error().text();
    Draw draw(shape.seed ^ 0x17u);
    const std::vector<std::string> others{"radau-iia-5", "bdf", "radau-9", "lobatto-iiic-4", "sdirk-4", "rk4", "bdf4"};
    for (const std::string& integrator : {std::string("radau"), std::string("ida"), draw.among(others)})
        if (const std::string fault = judgeEquationRun(known, *system, integrator, tally); !fault.empty())
            return fault;
    return {};
}

/// count models from a seed; what is wrong, by the first words, each with its first case made smaller.
inline std::string walkEquations(std::uint64_t seed, int count, EquationTally& tally)
{
    std::map<std::string, std::pair<int, EquationShape>> wrong;
    const auto kind = [](const std::string& fault) { return fault.substr(0, fault.find_first_of(":,")); };
    for (int k = 0; k < count; ++k) {
        const EquationShape shape = drawEquations(seed + static_cast<std::uint64_t>(k));
        if (const std::string fault = judgeEquations(shape, tally); !fault.empty())
            ++wrong.try_emplace(kind(fault), 0, shape).first->second.first;
    }
    std::string out;
    EquationTally apart;
    for (const auto& [name, cases] : wrong) {
        const std::string& fault = name;
        const EquationShape least = shrunk(
            cases.second, smallerEquations, [&](const EquationShape& s) { return kind(judgeEquations(s, apart)) == fault; },
            40);
        out += "\n" + std::to_string(cases.first) + " of " + std::to_string(count) + ": " + name + ": " + cases.second.told()
               + "\n" + judgeEquations(cases.second, apart) + "\nsmallest: " + least.told() + "\n"
               + judgeEquations(least, apart) + "\n" + KnownEquations(least).text() + "\n";
    }
    return out;
}

} // namespace driftless::test
