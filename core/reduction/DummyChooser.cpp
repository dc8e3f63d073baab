#include "core/reduction/DummyChooser.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/Index.h"
#include "core/reduction/LeadingJacobian.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/NominalScales.h"
#include "core/text/Names.h"

namespace driftless::reduction {

namespace {

constexpr double kDependent = 1e-12; ///< of the largest singular value: columns this close to dependent are no choice
constexpr std::size_t kMostNamed = 12;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows, candidates and selection of a stage as numbers of equations and unknowns.
struct StageParts {
    std::vector<int> rows, columns, selected;
};

StageParts partsOf(const structure::SelectionStage& stage)
{
    StageParts out;
    for (int k = 0; k < stage.m; ++k)
        out.rows.push_back(stage.g[at(k)].equation);
    for (const auto& z : stage.z)
        if (z.order > 0)
            out.columns.push_back(z.unknown);
    for (const auto& z : stage.selected)
        out.selected.push_back(z.unknown);
    return out;
}

bool leavesChoice(const structure::SelectionStage& stage) { return stage.m > 0 && stage.m < static_cast<int>(stage.z.size()); }

} // namespace

DummyChooser::DummyChooser(std::shared_ptr<const Reduced> reduced)
    : reduced_(std::move(reduced)), values_(reduced_->entries.size())
{
    const auto& c = reduced_->used->structure.pantelides.c;
    std::vector<int> unknownOf(reduced_->names.size(), -1);
    for (std::size_t j = 0; j < reduced_->highest.size(); ++j)
        unknownOf[at(reduced_->place(static_cast<int>(j), reduced_->highest[j]))] = static_cast<int>(j);
    leading_.resize(c.size());
    for (std::size_t k = 0; k < reduced_->entries.size(); ++k) {
        const auto& e = reduced_->entries[k];
        const auto equation = at(reduced_->rowEquation[at(e.row)]);
        if (reduced_->rowLevel[at(e.row)] == c[equation] && unknownOf[at(e.column)] >= 0)
            leading_[equation].push_back({unknownOf[at(e.column)], k});
    }
}

void DummyChooser::load(std::span<const double> jacobian, std::span<const double> sizes)
{
    values_.assign(jacobian.begin(), jacobian.end());
    if (sizes.empty())
        return;
    for (std::size_t k = 0; k < values_.size(); ++k)
        values_[k] *= sizes[at(reduced_->entries[k].column)];
    if (rowSizes_.empty()) {
        rowSizes_.assign(at(reduced_->rowCount()), 0.0);
        for (std::size_t k = 0; k < values_.size(); ++k)
            if (double& row = rowSizes_[at(reduced_->entries[k].row)]; std::isfinite(values_[k]))
                row = std::max(row, std::abs(values_[k]));
        for (double& row : rowSizes_)
            row = model::nearestPowerOfTwo(row);
    }
    for (std::size_t k = 0; k < values_.size(); ++k)
        values_[k] /= rowSizes_[at(reduced_->entries[k].row)];
}

std::vector<double> DummyChooser::dense(std::span<const int> rows, std::span<const int> columns) const
{
    std::vector<double> out(rows.size() * columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const Leading& e : leading_[at(rows[r])])
            if (const auto found = std::find(columns.begin(), columns.end(), e.column); found != columns.end())
                out[r * columns.size() + static_cast<std::size_t>(found - columns.begin())] = values_[e.entry];
    return out;
}

std::vector<int> DummyChooser::bestColumns(std::span<const int> rows, std::span<const int> columns) const
{
    // What is reinitialised is a state wherever others can be dummies.
    std::vector<int> places, others;
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (!reduced_->kept[at(columns[k])]) {
            places.push_back(static_cast<int>(k));
            others.push_back(columns[k]);
        }
    if (others.size() < columns.size() && others.size() >= rows.size()) {
        const RankResult found =
            rankOf(dense(rows, others), static_cast<int>(rows.size()), static_cast<int>(others.size()), false);
        if (found.rank == static_cast<int>(rows.size())) {
            std::vector<int> out;
            for (const int k : found.pivotColumns)
                out.push_back(places[at(k)]);
            return out;
        }
    }
    const RankResult found =
        rankOf(dense(rows, columns), static_cast<int>(rows.size()), static_cast<int>(columns.size()), false);
    return found.rank == static_cast<int>(rows.size()) ? found.pivotColumns : std::vector<int>{};
}

double DummyChooser::kappa(std::span<const int> rows, std::span<const int> all, std::span<const int> chosen) const
{
    const auto m = static_cast<Eigen::Index>(rows.size());
    const auto matrix = [&](std::span<const int> columns) {
        const auto numbers = dense(rows, columns);
        return Eigen::MatrixXd(Eigen::Map<const RowMajor>(numbers.data(), m, static_cast<Eigen::Index>(columns.size())));
    };
    if (m == 0 || static_cast<Eigen::Index>(chosen.size()) != m)
        return std::numeric_limits<double>::infinity();
    // Of square matrices and without Eigen's preconditioner, which frees what it holds twice where memory is refused.
    const Eigen::MatrixXd whole = matrix(all), gram = whole * whole.transpose();
    const double largest =
        std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues()(m - 1));
    const double smallest =
        Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>(matrix(chosen)).singularValues()(m - 1);
    return smallest > kDependent * largest ? largest / smallest : std::numeric_limits<double>::infinity();
}

structure::DummySelection DummyChooser::select(const structure::ColumnChooser& chooser) const
{
    const auto& s = reduced_->used->structure;
    return structure::selectDummies(reduced_->used->signature, s.pantelides.c, s.pantelides.d, s.blocks, chooser);
}

bool DummyChooser::chooseBest(structure::DummySelection& out) const
{
    auto chosen =
        select([this](std::span<const int> rows, std::span<const int> columns) { return bestColumns(rows, columns); });
    if (!chosen.complete)
        return false;
    out = std::move(chosen);
    return true;
}

/// Columns that are pinned come first, those pinned to the lowest order before others, for they must last through all stages.
Result<structure::DummySelection> DummyChooser::choosePinned(const std::vector<int>& wanted) const
{
    std::vector<int> depth(reduced_->first.size());
    for (std::size_t j = 0; j < depth.size(); ++j)
        for (int k = reduced_->highest[j]; k > 0; --k)
            if (std::find(wanted.begin(), wanted.end(), reduced_->place(static_cast<int>(j), k)) != wanted.end())
                depth[j] = reduced_->highest[j] - k + 1;
    const auto chosen = select([&](std::span<const int> rows, std::span<const int> columns) {
        std::vector<int> order(columns.size());
        for (std::size_t k = 0; k < order.size(); ++k)
            order[k] = static_cast<int>(k);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return depth[at(columns[at(a)])] > depth[at(columns[at(b)])]; });
        const auto numbers = dense(rows, columns);
        const auto m = static_cast<Eigen::Index>(rows.size());
        const Eigen::MatrixXd all = Eigen::Map<const RowMajor>(numbers.data(), m, static_cast<Eigen::Index>(columns.size()));
        const double scale = all.cwiseAbs().maxCoeff();
        Eigen::MatrixXd basis(m, 0); // orthonormal, of the columns taken
        std::vector<int> taken;
        for (const int k : order) {
            Eigen::VectorXd column = all.col(k);
            for (int pass = 0; pass < 2; ++pass) // twice is enough for orthogonality to round-off
                column -= basis * (basis.transpose() * column);
            if (column.norm() <= kDependent * scale || basis.cols() == m)
                continue;
            basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
            basis.col(basis.cols() - 1) = column.normalized();
            taken.push_back(k);
        }
        return basis.cols() == m ? taken : std::vector<int>{};
    });
    const std::vector<int> got = places(chosen);
    const bool met = chosen.complete && std::all_of(wanted.begin(), wanted.end(), [&](int p) {
                         return std::binary_search(got.begin(), got.end(), p);
                     });
    if (met)
        return chosen;
    const auto name = [this](int p) { return reduced_->names[at(p)]; };
    const std::string names = text::joined(wanted, name);
    std::string possible;
    structure::DummySelection best;
    if (chooseBest(best)) {
        const auto all = places(best);
        possible = text::joined(std::span(all).first(std::min(all.size(), kMostNamed)), name);
    }
    return Diagnostic{
        .what = "The pinned dummies " + names + " are no choice here",
        .why = "the columns that belong to them are dependent, or one of them is no derivative that an equation can determine",
        .remedy = possible.empty() ? "choose automatic pivoting" : "choose automatic pivoting, or pin " + possible};
}

void DummyChooser::judge(const structure::DummySelection& selection, std::vector<StageChoice>& out) const
{
    out.clear();
    for (const auto& stage : selection.stages) {
        if (!leavesChoice(stage))
            continue;
        const StageParts parts = partsOf(stage);
        if (parts.columns.size() == parts.rows.size())
            continue;
        StageChoice choice{stage.block, stage.stage, {}, {}, kappa(parts.rows, parts.columns, parts.selected)};
        for (const auto& z : stage.z)
            if (z.order > 0)
                choice.candidates.push_back(reduced_->place(z.unknown, z.order));
        for (const auto& z : stage.selected)
            choice.selected.push_back(reduced_->place(z.unknown, z.order));
        out.push_back(std::move(choice));
    }
}

std::vector<std::vector<StageExchange>> DummyChooser::exchanges(const structure::DummySelection& selection) const
{
    std::vector<std::vector<StageExchange>> out;
    for (const auto& stage : selection.stages) {
        if (!leavesChoice(stage))
            continue;
        const StageParts parts = partsOf(stage);
        if (parts.columns.size() == parts.rows.size())
            continue;
        std::vector<StageExchange> all;
        for (std::size_t k = 0; k < stage.selected.size(); ++k)
            for (const auto& z : stage.z) {
                if (z.order == 0 || std::find(stage.selected.begin(), stage.selected.end(), z) != stage.selected.end())
                    continue;
                std::vector<int> trial = parts.selected;
                trial[k] = z.unknown;
                all.push_back({reduced_->place(stage.selected[k].unknown, stage.selected[k].order),
                               reduced_->place(z.unknown, z.order), kappa(parts.rows, parts.columns, trial)});
            }
        out.push_back(std::move(all));
    }
    return out;
}

bool DummyChooser::due(const structure::DummySelection& selection, double factor) const
{
    for (const auto& stage : selection.stages) {
        if (!leavesChoice(stage))
            continue;
        const StageParts parts = partsOf(stage);
        if (parts.columns.size() == parts.rows.size())
            continue;
        const double now = kappa(parts.rows, parts.columns, parts.selected);
        if (!(now > factor))
            continue; // kappa is never below 1
        std::vector<int> best;
        for (const int p : bestColumns(parts.rows, parts.columns))
            best.push_back(parts.columns[at(p)]);
        if (now > factor * kappa(parts.rows, parts.columns, best))
            return true;
    }
    return false;
}

std::vector<int> DummyChooser::places(const Reduced& reduced, const structure::DummySelection& selection)
{
    std::vector<int> out;
    for (const auto& range : selection.dummies)
        for (int k = range.lowest; k <= range.highest; ++k)
            out.push_back(reduced.place(range.unknown, k));
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace driftless::reduction
