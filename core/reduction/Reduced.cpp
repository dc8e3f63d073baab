#include "core/reduction/Reduced.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <unordered_map>

#include "core/base/Index.h"
#include "core/expr/Size.h"
#include "core/reduction/Events.h"
#include "core/reduction/LeadingJacobian.h"
#include "core/solve/DenseDecompositions.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"

namespace driftless::reduction {

namespace {

constexpr int kMostIterations = 60;
constexpr int kMostHalves = 30;    // of a step that leaves the domain of the equations: 1e-9 of it
constexpr int kMostSolved = 1500;  ///< values: the start is solved densely
constexpr double kResidual = 1e-9; ///< relative to the size of the terms: what may be left of Newton's iteration
constexpr double kExact = 1e-14;
constexpr int kMostJudged = 250; ///< values: beyond, the Jacobian on solutions would cost seconds

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
        return Diagnostic{.what = "The reduced system has " + std::to_string(values) + " unknowns",
                          .why = "at most " + std::to_string(budget::kReducedValues) + " are integrated"};
    for (std::size_t j = 0; j < out.system.unknowns.size(); ++j) {
        const std::string& name = out.system.unknowns[j].quantity.name;
        out.first.push_back(static_cast<int>(out.symbols.size()));
        for (int k = 0; k <= out.highest[j]; ++k) {
            out.symbols.push_back({.kind = expr::SymbolKind::Variable, .name = name, .order = k});
            out.names.push_back(structure::derivativeName(name, k));
        }
    }
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < out.system.equations.size(); ++i) {
        expr::Expr e = out.system.equations[i].residual;
        if (expr::derivativeSize(e, c[i] + 1) > budget::kDerivedFactors)
            return Diagnostic{.what = "The differentiated equations are too long",
                              .where = out.system.equations[i].name,
                              .why = "it is differentiated " + std::to_string(c[i])
                                     + " times, and the derivatives of a product have as many terms as it has factors",
                              .remedy = "name partial products as unknowns of their own, each with its equation",
                              .position = out.system.equations[i].position};
        for (int k = 0; k <= c[i]; ++k) {
            if (k > 0)
                e = expr::timeDerivative(e);
            nodes += expr::nodeCount(e);
            if (nodes > budget::kDerivedNodes)
                return Diagnostic{.what = "The differentiated equations are too long",
                                  .where = out.system.equations[i].name,
                                  .why = "it is differentiated " + std::to_string(c[i]) + " times"};
            out.rows.push_back(e);
            out.rowNames.push_back(structure::derivativeName(out.system.equations[i].name, k));
            out.rowEquation.push_back(static_cast<int>(i));
            out.rowLevel.push_back(k);
            const auto& orders = out.used->signature.rows[i];
            const bool plain = std::all_of(orders.begin(), orders.end(),
                                           [](const structure::SignatureEntry& entry) { return entry.order == 0; });
            out.judged.push_back(c[i] > 0 || plain);
        }
    }
    return {};
}

Result<void> compile(Reduced& out)
{
    out.entries = expr::sparseJacobian(out.rows, out.symbols);
    std::vector<expr::Expr> partials;
    for (const auto& e : out.entries)
        partials.push_back(e.value);
    const std::vector<std::vector<expr::Symbol>> banks = out.banks();
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

/// Entries dF_i^(c_i) / dx_j^(d_j): places among the entries of the Jacobian, by row and column of the equations and unknowns.
struct Leading {
    int row, column;
    std::size_t entry;
};
std::vector<Leading> leadingOf(const Reduced& reduced, bool& constant)
{
    std::vector<Leading> out;
    std::vector<int> unknownOf(at(reduced.valueCount()), -1);
    for (std::size_t j = 0; j < reduced.first.size(); ++j)
        unknownOf[at(reduced.place(static_cast<int>(j), reduced.highest[j]))] = static_cast<int>(j);
    const auto& c = reduced.used->structure.pantelides.c;
    constant = true;
    for (std::size_t k = 0; k < reduced.entries.size(); ++k) {
        const expr::JacobianEntry& e = reduced.entries[k];
        const int equation = reduced.rowEquation[at(e.row)], unknown = unknownOf[at(e.column)];
        if (unknown < 0 || reduced.rowLevel[at(e.row)] != c[at(equation)])
            continue;
        out.push_back({equation, unknown, k});
        constant = constant && e.value.constantValue();
    }
    return out;
}

/// Points on solutions near the start, at several times, and how large the leading entries are there and around.
class OnSolutions {
public:
    OnSolutions(const std::shared_ptr<const Reduced>& reduced, const std::vector<Leading>& leading)
        : reduced_(*reduced), leading_(leading), evaluator_(reduced), y_(at(reduced->valueCount()) + reduced->held.size()),
          sizes_(y_.size()), jacobian_(reduced->entries.size()), around_(leading.size())
    {
        std::vector<double> parameters;
        for (const auto& parameter : reduced->system.parameters)
            parameters.push_back(given(parameter.quantity));
        evaluator_.setParameters(parameters);
    }

    /// A random place from which all rows are solved. False where that fails.
    bool take(int trial)
    {
        for (std::size_t j = 0; j < reduced_.first.size(); ++j) {
            const double start = given(reduced_.system.unknowns[j].quantity);
            for (int k = 0; k <= reduced_.highest[j]; ++k) {
                const std::size_t place = at(reduced_.place(static_cast<int>(j), k));
                sizes_[place] = start == 0 ? 1 : std::abs(start);
                y_[place] = (k == 0 ? start : 0) + 0.1 * noise_(generator_) * sizes_[place];
            }
        }
        hold(y_);
        const double t = (trial % 2 == 0 ? 0.1 : 1) * (1 + 0.5 * noise_(generator_));
        if (!solveRows(evaluator_, t, y_, std::vector<double>(y_.size(), 1), sizes_).ok())
            return false;
        // The largest of each entry a little beside the solution: what is small there as well is small and no zero, as a
        // capacity of 1e-12 F.
        std::fill(around_.begin(), around_.end(), 0);
        for (int beside = 0; beside < 3; ++beside) {
            std::vector<double> moved = y_;
            for (std::size_t k = 0; k < moved.size(); ++k)
                moved[k] += 0.03 * noise_(generator_) * std::max(sizes_[k], std::abs(y_[k]));
            hold(moved);
            if (!evaluator_.jacobian(t, moved.data(), jacobian_.data()))
                continue;
            for (std::size_t k = 0; k < leading_.size(); ++k)
                around_[k] = std::max(around_[k], std::abs(jacobian_[leading_[k].entry]));
        }
        return evaluator_.jacobian(t, y_.data(), jacobian_.data());
    }

    /// Rank of a diagonal block, entries that are zero here and not beside taken as zero.
    bool isSingular(const structure::Block& block) const
    {
        constexpr double kVanishing = 1e-10; // round-off of a few hundred operations is 1e-13
        const int size = static_cast<int>(block.equations.size());
        std::vector<int> row(reduced_.first.size(), -1), column(row);
        for (int k = 0; k < size; ++k) {
            row[at(block.equations[at(k)])] = k;
            column[at(block.unknowns[at(k)])] = k;
        }
        std::vector<double> matrix(at(size * size));
        for (std::size_t k = 0; k < leading_.size(); ++k) {
            const Leading& e = leading_[k];
            const double value = jacobian_[e.entry];
            const bool vanishes =
                !reduced_.entries[e.entry].value.constantValue() && std::abs(value) <= kVanishing * around_[k];
            if (row[at(e.row)] >= 0 && column[at(e.column)] >= 0 && !vanishes)
                matrix[at(row[at(e.row)] * size + column[at(e.column)])] = value;
        }
        return rankOf(std::move(matrix), size, size).rank < size;
    }

private:
    void hold(std::vector<double>& values) const
    {
        std::copy(reduced_.heldStart.begin(), reduced_.heldStart.end(),
                  values.end() - static_cast<std::ptrdiff_t>(reduced_.heldStart.size()));
    }

    double given(const model::Quantity& q) const
    {
        const Values& near = reduced_.analysis.near;
        const auto set = near.find(q.name);
        return set == near.end() ? q.value : set->second;
    }

    const Reduced& reduced_;
    const std::vector<Leading>& leading_;
    ReducedEvaluator evaluator_;
    std::mt19937 generator_{21}; // the same points in every run
    std::uniform_real_distribution<double> noise_{-1, 1};
    std::vector<double> y_, sizes_, jacobian_;
    std::vector<double> around_; ///< of each leading entry
};

/// Those of the text's section `initial equation`, and those of branches that are differentiated.
Result<void> compileBeside(const std::vector<model::Equation>& equations, const Reduced& out, int& count,
                           std::vector<expr::JacobianEntry>& entries, expr::Tape& ofRows, expr::Tape& ofEntries)
{
    const std::vector<std::vector<expr::Symbol>> banks = out.banks();
    std::vector<expr::Expr> rows, slopes;
    for (const model::Equation& e : equations) {
        for (const expr::Symbol& s : expr::symbolsOf(e.residual))
            if (s.kind == expr::SymbolKind::Variable && std::ranges::find(out.symbols, s) == out.symbols.end())
                return Diagnostic{.what = "The initial equation cannot be met at the start",
                                  .where = e.name,
                                  .why = "the reduced equations have no value for " + s.text(),
                                  .remedy = "write it with lower derivatives",
                                  .position = e.position};
        rows.push_back(e.residual);
    }
    count = static_cast<int>(rows.size());
    entries = expr::sparseJacobian(rows, out.symbols);
    for (const auto& entry : entries)
        slopes.push_back(entry.value);
    auto tape = expr::Tape::compile(rows, banks), jacobian = expr::Tape::compile(slopes, banks);
    if (!tape || !jacobian)
        return !tape ? tape.error() : jacobian.error();
    ofRows = std::move(*tape);
    ofEntries = std::move(*jacobian);
    return {};
}

/// A block that is singular at every point on solutions that is found, two at least. A factor of a highest derivative that is
/// zero on solutions alone is not seen by what is judged elsewhere.
const structure::Block* singularOnSolutions(const std::shared_ptr<const Reduced>& reduced)
{
    constexpr int kAttempts = 4;
    bool constant = true;
    const auto leading = leadingOf(*reduced, constant);
    if (constant || reduced->valueCount() > kMostJudged)
        return nullptr;
    OnSolutions place(reduced, leading);
    std::vector<const structure::Block*> singular;
    for (const structure::Block& block : reduced->used->structure.blocks)
        singular.push_back(&block);
    int found = 0;
    for (int trial = 0; trial < kAttempts && !singular.empty(); ++trial) {
        if (!place.take(trial))
            continue;
        std::erase_if(singular, [&place](const structure::Block* block) { return !place.isSingular(*block); });
        ++found;
    }
    return found >= 2 && !singular.empty() ? singular.front() : nullptr;
}

Diagnostic singularThere(const Reduced& reduced, const structure::Block& block)
{
    const auto listed = [](const std::vector<int>& which, const std::vector<std::string>& names) {
        constexpr std::size_t kShownNames = 8;
        return text::firstOf(
            which, [&names](int i) { return names[at(i)]; }, kShownNames);
    };
    const auto& names = reduced.used->names;
    return {
        .what = "The Jacobian of the differentiated equations is singular wherever the equations hold",
        .where = "block of " + listed(block.equations, names.equations) + " for " + listed(block.unknowns, names.unknowns),
        .why =
            "some of its entries are zero on solutions and not elsewhere: the highest derivatives cannot be solved for, so the "
            "counts of the structural "
            "methods are not those of the system",
        .remedy = "combine or substitute equations so that no highest derivative is multiplied by what an equation makes zero"};
}

} // namespace

std::vector<double> statedStarts(const Reduced& reduced, std::span<const double> parameters)
{
    std::unordered_map<std::string, double> known;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        known.emplace(reduced.system.parameters[i].quantity.name, parameters[i]);
    const auto with = [&known](double stated, const expr::Expr& from) {
        if (expr::symbolsOf(from).empty())
            return stated;
        const auto value = expr::evaluate(from, [&known](const expr::Symbol& s) -> std::optional<double> {
            const auto found = known.find(s.name);
            return found == known.end() ? std::nullopt : std::optional(found->second);
        });
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
    };
    std::vector<double> out(at(reduced.valueCount()));
    for (std::size_t j = 0; j < reduced.system.unknowns.size(); ++j) {
        const model::EquationUnknown& x = reduced.system.unknowns[j];
        out[at(reduced.place(static_cast<int>(j), 0))] = with(x.quantity.value, x.startFrom);
    }
    for (std::size_t k = 0; k < reduced.held.size(); ++k)
        out.push_back(with(reduced.heldStart[k], reduced.heldFrom[k]));
    return out;
}

Result<std::shared_ptr<const Reduced>> reduce(const model::EquationSystem& system, const Values& stated)
{
    auto out = std::make_shared<Reduced>();
    out->stated = stated;
    out->analysis = analyseEquations(system, stated);
    const bool eliminated = out->analysis.eliminated != nullptr;
    out->used = eliminated ? out->analysis.eliminated : std::make_shared<const EquationAnalysis>(out->analysis);
    out->system = eliminated ? *out->analysis.eliminatedSystem : system;
    const EquationAnalysis& used = *out->used;
    if (used.structure.singular || used.jacobianSingular || !used.jacobianKnown)
        return *used.diagnostic;
    for (const model::HeldVariable& held : system.held) {
        const std::string& name = held.of < 0 ? held.quantity.name : system.held[at(held.of)].quantity.name;
        const auto start = out->analysis.near.find(name);
        out->held.push_back(model::heldSymbol(held));
        out->heldStart.push_back(start == out->analysis.near.end() ? held.quantity.value : start->second);
        out->heldFrom.push_back(stated.contains(name) ? expr::Expr() : held.startFrom);
    }
    if (auto written = writeRows(*out); !written)
        return written.error();
    if (auto compiled = compile(*out); !compiled)
        return compiled.error();
    Reduced& r = *out;
    if (auto compiled =
            compileBeside(system.initial, r, r.initialCount, r.initialEntries, r.initialTape, r.initialJacobianTape);
        !compiled)
        return compiled.error();
    if (auto compiled = compileBeside(r.analysis.lower, r, r.lowerCount, r.lowerEntries, r.lowerTape, r.lowerJacobianTape);
        !compiled)
        return compiled.error();
    for (const model::EquationUnknown& x : out->system.unknowns)
        out->kept.push_back(system.reinitialises(x.quantity.name));
    if (auto events = compileEvents(system, *out); !events)
        return events.error();
    else
        out->events = *events;
    std::shared_ptr<const Reduced> done = std::move(out);
    if (const structure::Block* block = singularOnSolutions(done))
        return singularThere(*done, *block);
    return done;
}

std::vector<std::vector<expr::Symbol>> Reduced::banks() const
{
    std::vector<std::vector<expr::Symbol>> out{{*expr::time().symbol()}, symbols, {}};
    out[1].insert(out[1].end(), held.begin(), held.end());
    for (const auto& p : system.parameters)
        out[2].push_back({.kind = expr::SymbolKind::Parameter, .name = p.quantity.name});
    return out;
}

const structure::Block* undetermined(const Reduced& reduced, std::span<const double> jacobian)
{
    bool constant = true;
    const std::vector<Leading> leading = leadingOf(reduced, constant);
    if (constant || reduced.valueCount() > kMostJudged)
        return nullptr;
    for (const structure::Block& block : reduced.used->structure.blocks) {
        const int size = static_cast<int>(block.equations.size());
        std::vector<int> row(reduced.first.size(), -1), column(row);
        for (int k = 0; k < size; ++k) {
            row[at(block.equations[at(k)])] = k;
            column[at(block.unknowns[at(k)])] = k;
        }
        std::vector<double> matrix(at(size * size));
        for (const Leading& e : leading)
            if (row[at(e.row)] >= 0 && column[at(e.column)] >= 0)
                matrix[at(row[at(e.row)] * size + column[at(e.column)])] = jacobian[e.entry];
        if (rankOf(std::move(matrix), size, size).rank < size)
            return &block;
    }
    return nullptr;
}

std::string namesOf(const structure::Block& block, const Reduced& reduced)
{
    constexpr std::size_t kShown = 8;
    const auto listed = [](const std::vector<int>& which, const std::vector<std::string>& names) {
        return text::firstOf(
            which, [&names](int i) { return names[at(i)]; }, kShown);
    };
    const auto& names = reduced.used->names;
    return listed(block.equations, names.equations) + " for " + listed(block.unknowns, names.unknowns);
}

ReducedEvaluator::ReducedEvaluator(std::shared_ptr<const Reduced> reduced)
    : reduced_(std::move(reduced)), rowsWork_(reduced_->rowsTape.workspace()),
      jacobianWork_(reduced_->jacobianTape.workspace()), initialWork_(reduced_->initialTape.workspace()),
      initialJacobianWork_(reduced_->initialJacobianTape.workspace()), lowerWork_(reduced_->lowerTape.workspace()),
      lowerJacobianWork_(reduced_->lowerJacobianTape.workspace())
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

bool ReducedEvaluator::evaluate(const expr::Tape& tape, double t, const double* values, double* out, expr::TapeWorkspace& work)
{
    return tape.evaluate({&t, values, parameters_.data()}, out, work) || say(tape, t, values);
}

bool ReducedEvaluator::rows(double t, const double* values, double* out)
{
    return evaluate(reduced_->rowsTape, t, values, out, rowsWork_);
}

bool ReducedEvaluator::jacobian(double t, const double* values, double* out)
{
    return evaluate(reduced_->jacobianTape, t, values, out, jacobianWork_);
}

bool ReducedEvaluator::initial(double t, const double* values, double* rows, double* entries)
{
    return evaluate(reduced_->initialTape, t, values, rows, initialWork_)
           && evaluate(reduced_->initialJacobianTape, t, values, entries, initialJacobianWork_);
}

bool ReducedEvaluator::lower(double t, const double* values, double* rows, double* entries)
{
    return evaluate(reduced_->lowerTape, t, values, rows, lowerWork_)
           && evaluate(reduced_->lowerJacobianTape, t, values, entries, lowerJacobianWork_);
}

namespace {

/// The rows that consistent values meet, with their Jacobian: those of the equations, of branches, and of the start.
struct MetRows {
    MetRows(ReducedEvaluator& of, bool atStart, Lower lower) : evaluator(of)
    {
        const Reduced& reduced = evaluator.reduced();
        own = reduced.rowCount();
        all = own + (lower == Lower::Met ? reduced.lowerCount : 0);
        count = all + (atStart ? reduced.initialCount : 0);
        entries = reduced.entries;
        for (std::size_t k = 0; all > own && k < reduced.lowerEntries.size(); ++k)
            entries.push_back(
                {own + reduced.lowerEntries[k].row, reduced.lowerEntries[k].column, reduced.lowerEntries[k].value});
        early = entries.size();
        for (std::size_t k = 0; atStart && k < reduced.initialEntries.size(); ++k)
            entries.push_back(
                {all + reduced.initialEntries[k].row, reduced.initialEntries[k].column, reduced.initialEntries[k].value});
        residuals.resize(at(count));
        values.resize(entries.size());
    }

    bool evaluate(double t, const std::vector<double>& y)
    {
        double *F = residuals.data(), *J = values.data();
        return evaluator.rows(t, y.data(), F) && evaluator.jacobian(t, y.data(), J)
               && (all == own || evaluator.lower(t, y.data(), F + own, J + evaluator.reduced().entries.size()))
               && (count == all || evaluator.initial(t, y.data(), F + all, J + early));
    }

    /// Back along the step from `before`, to where the equations have values.
    bool evaluateBack(double t, const std::vector<double>& before, std::vector<double>& y)
    {
        for (int k = 0; k < kMostHalves && !before.empty(); ++k) {
            for (std::size_t j = 0; j < y.size(); ++j)
                y[j] = before[j] + (y[j] - before[j]) / 2;
            if (evaluate(t, y))
                return true;
        }
        return false;
    }

    /// Leaves the rows in `matrix` and `misses`, each in the size of its terms; the largest of the misses.
    double scale(const std::vector<double>& y, const std::vector<double>& sizes)
    {
        matrix = Eigen::MatrixXd::Zero(count, evaluator.reduced().valueCount());
        misses.resize(count);
        Eigen::VectorXd terms = Eigen::VectorXd::Zero(count);
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto& e = entries[k];
            const double usual = sizes.empty() ? 1 : sizes[at(e.column)];
            matrix(e.row, e.column) = values[k];
            terms(e.row) = std::max(terms(e.row), std::abs(values[k]) * std::max(usual, std::abs(y[at(e.column)])));
        }
        double size = 0;
        for (int i = 0; i < count; ++i) {
            const double s = terms(i) > 0 ? terms(i) : 1;
            misses(i) = residuals[at(i)] / s;
            matrix.row(i) /= s;
            size = std::max(size, std::abs(misses(i)));
        }
        return size;
    }

    ReducedEvaluator& evaluator;
    int own = 0, all = 0, count = 0; ///< rows of the equations, with those of branches, with those of the start
    std::size_t early = 0;           ///< entries before those of the start
    std::vector<expr::JacobianEntry> entries;
    std::vector<double> residuals, values;
    Eigen::MatrixXd matrix;
    Eigen::VectorXd misses;
};

} // namespace

Result<void> solveRows(ReducedEvaluator& evaluator, double t, std::vector<double>& y, const std::vector<double>& weights,
                       const std::vector<double>& sizes, bool atStart, Lower lower)
{
    const int n = evaluator.reduced().valueCount();
    if (n > kMostSolved)
        return Diagnostic{.what = "The reduced system has " + std::to_string(n) + " unknowns",
                          .why = "consistent values are computed for up to " + std::to_string(kMostSolved)};
    MetRows rows(evaluator, atStart, lower);
    const auto usual = [&sizes](int j) { return sizes.empty() ? 1.0 : sizes[at(j)]; };
    const auto moves = [&](int j) { return weights[at(j)] * usual(j); };
    std::vector<double> before;
    double size = 0;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        if (!rows.evaluate(t, y) && !rows.evaluateBack(t, before, y))
            return Diagnostic{.what = "The start values lie outside the domain of the equations",
                              .why = evaluator.message(),
                              .remedy = "other start values"};
        size = rows.scale(y, sizes);
        if (size < kExact && iteration > 0)
            return {};
        for (int j = 0; j < n; ++j)
            rows.matrix.col(j) *= moves(j);
        const Eigen::VectorXd step = solve::leastSquares(rows.matrix, rows.misses);
        before = y;
        double change = 0;
        for (int j = 0; j < n; ++j) {
            const double d = moves(j) * step(j);
            change = std::max(change, std::abs(d) / (usual(j) + std::abs(y[at(j)])));
            y[at(j)] -= d;
        }
        if (change < 1e-15 * n)
            break;
    }
    if (size <= kResidual)
        return {};
    return Diagnostic{.what = "No consistent values were found",
                      .why = "the values that are kept contradict the equations, or the guesses are too far away",
                      .remedy = "fix fewer values, or give start values nearer to a solution"};
}

} // namespace driftless::reduction
