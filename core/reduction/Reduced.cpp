#include "core/reduction/Reduced.h"

#include <algorithm>
#include <cmath>

#include "core/base/Budget.h"
#include "core/base/Index.h"
#include "core/expr/Size.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::reduction {

namespace {

constexpr int kMostIterations = 60;
constexpr int kMostSolved = 1500;        ///< values: the start is solved densely
constexpr double kResidual = 1e-9;       ///< relative to the size of the terms: what may be left of Newton's iteration
constexpr double kExact = 1e-14;

Result<void> writeRows(Reduced& out)
{
    const auto& c = out.used->structure.pantelides.c;
    out.highest = out.used->structure.pantelides.d;
    out.block.resize(out.highest.size());
    for (std::size_t b = 0; b < out.used->structure.blocks.size(); ++b)
        for (const int j : out.used->structure.blocks[b].unknowns)
            out.block[at(j)] = static_cast<int>(b);
    long values = 0;
    for (const int d : out.highest)
        values += d + 1;
    if (values > budget::kReducedValues)
        return Diagnostic{"The reduced system has " + std::to_string(values) + " unknowns", "", "at most " + std::to_string(budget::kReducedValues) + " are integrated", "", {}};
    for (std::size_t j = 0; j < out.system.unknowns.size(); ++j) {
        const std::string& name = out.system.unknowns[j].quantity.name;
        out.first.push_back(static_cast<int>(out.symbols.size()));
        for (int k = 0; k <= out.highest[j]; ++k) {
            out.symbols.push_back({expr::SymbolKind::Variable, name, k});
            out.names.push_back(structure::derivativeName(name, k));
        }
    }
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < out.system.equations.size(); ++i) {
        expr::Expr e = out.system.equations[i].residual;
        if (expr::derivativeSize(e, c[i] + 1) > budget::kDerivedFactors)
            return Diagnostic{"The differentiated equations are too long", out.system.equations[i].name,
                              "it is differentiated " + std::to_string(c[i]) + " times, and the derivatives of a product have as many terms as it has factors",
                              "name partial products as unknowns of their own, each with its equation", out.system.equations[i].position};
        for (int k = 0; k <= c[i]; ++k) {
            if (k > 0)
                e = expr::timeDerivative(e);
            nodes += expr::nodeCount(e);
            if (nodes > budget::kDerivedNodes)
                return Diagnostic{"The differentiated equations are too long", out.system.equations[i].name, "it is differentiated " + std::to_string(c[i]) + " times", "", {}};
            out.rows.push_back(e);
            out.rowNames.push_back(structure::derivativeName(out.system.equations[i].name, k));
            out.rowEquation.push_back(static_cast<int>(i));
            out.rowLevel.push_back(k);
            const auto& orders = out.used->signature.rows[i];
            const bool plain = std::all_of(orders.begin(), orders.end(), [](const structure::SignatureEntry& entry) { return entry.order == 0; });
            out.judged.push_back(c[i] > 0 || plain);
        }
    }
    return {};
}

Result<void> compile(Reduced& out)
{
    std::vector<expr::Symbol> parameters;
    for (const auto& p : out.system.parameters)
        parameters.push_back({expr::SymbolKind::Parameter, p.quantity.name, 0});
    out.entries = expr::sparseJacobian(out.rows, out.symbols);
    std::vector<expr::Expr> partials;
    for (const auto& e : out.entries)
        partials.push_back(e.value);
    const std::vector<std::vector<expr::Symbol>> banks{{*expr::time().symbol()}, out.symbols, parameters};
    auto rows = expr::Tape::compile(out.rows, banks);
    if (!rows)
        return rows.error();
    auto jacobian = expr::Tape::compile(partials, banks);
    if (!jacobian)
        return jacobian.error();
    out.rowsTape = std::move(*rows);
    out.jacobianTape = std::move(*jacobian);
    return {};
}

} // namespace

Result<std::shared_ptr<const Reduced>> reduce(const model::EquationSystem& system, const Values& near)
{
    auto out = std::make_shared<Reduced>();
    out->near = near;
    out->analysis = analyseEquations(system, near);
    const bool eliminated = out->analysis.eliminated != nullptr;
    out->used = eliminated ? out->analysis.eliminated : std::make_shared<const EquationAnalysis>(out->analysis);
    out->system = eliminated ? *out->analysis.eliminatedSystem : system;
    const EquationAnalysis& used = *out->used;
    if (used.structure.singular || used.jacobianSingular || !used.jacobianKnown)
        return *used.diagnostic;
    if (auto written = writeRows(*out); !written)
        return written.error();
    if (auto compiled = compile(*out); !compiled)
        return compiled.error();
    return std::shared_ptr<const Reduced>(std::move(out));
}

ReducedEvaluator::ReducedEvaluator(std::shared_ptr<const Reduced> reduced)
    : reduced_(std::move(reduced)), rowsWork_(reduced_->rowsTape.workspace()), jacobianWork_(reduced_->jacobianTape.workspace())
{
    for (const auto& p : reduced_->system.parameters)
        parameters_.push_back(p.quantity.value);
}

bool ReducedEvaluator::say(const expr::Tape& tape, double t, const double* values)
{
    const auto left = tape.locate({&t, values, parameters_.data()});
    message_ = left ? left->expression + ": " + left->reason : "an equation has no finite value";
    return false;
}

bool ReducedEvaluator::rows(double t, const double* values, double* out)
{
    return reduced_->rowsTape.evaluate({&t, values, parameters_.data()}, out, rowsWork_) || say(reduced_->rowsTape, t, values);
}

bool ReducedEvaluator::jacobian(double t, const double* values, double* out)
{
    return reduced_->jacobianTape.evaluate({&t, values, parameters_.data()}, out, jacobianWork_) || say(reduced_->jacobianTape, t, values);
}

Result<void> solveRows(ReducedEvaluator& evaluator, double t, std::vector<double>& y, const std::vector<double>& weights,
                       const std::vector<double>& sizes)
{
    const Reduced& reduced = evaluator.reduced();
    const int n = reduced.valueCount(), m = reduced.rowCount();
    if (n > kMostSolved)
        return Diagnostic{"The reduced system has " + std::to_string(n) + " unknowns", "", "consistent values are computed for up to " + std::to_string(kMostSolved), "", {}};
    std::vector<double> F(at(m)), values(reduced.entries.size());
    const auto usual = [&sizes](int j) { return sizes.empty() ? 1.0 : sizes[at(j)]; };
    double size = 0;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        if (!evaluator.rows(t, y.data(), F.data()) || !evaluator.jacobian(t, y.data(), values.data()))
            return Diagnostic{"The start values lie outside the domain of the equations", "", evaluator.message(), "other start values", {}};
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
        Eigen::VectorXd r(m), scale = Eigen::VectorXd::Zero(m);
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto& e = reduced.entries[k];
            J(e.row, e.column) = values[k];
            scale(e.row) = std::max(scale(e.row), std::abs(values[k]) * std::max(usual(e.column), std::abs(y[at(e.column)])));
        }
        size = 0;
        for (int i = 0; i < m; ++i) {
            const double s = scale(i) > 0 ? scale(i) : 1;
            r(i) = F[at(i)] / s;
            J.row(i) /= s;
            size = std::max(size, std::abs(r(i)));
        }
        if (size < kExact && iteration > 0)
            return {};
        for (int j = 0; j < n; ++j)
            J.col(j) *= weights[at(j)] * usual(j);
        const Eigen::VectorXd step = solve::leastSquares(J, r);
        double change = 0;
        for (int j = 0; j < n; ++j) {
            const double d = weights[at(j)] * usual(j) * step(j);
            change = std::max(change, std::abs(d) / (usual(j) + std::abs(y[at(j)])));
            y[at(j)] -= d;
        }
        if (change < 1e-15 * n)
            break;
    }
    if (size <= kResidual)
        return {};
    return Diagnostic{"No consistent values were found", "", "the values that are kept contradict the equations, or the guesses are too far away",
                      "fix fewer values, or give start values nearer to a solution", {}};
}

} // namespace driftless::reduction
