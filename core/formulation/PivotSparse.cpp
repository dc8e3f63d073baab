#include "core/formulation/PivotSparse.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/Index.h"

namespace driftless::formulation {

namespace {

/// A column (of G^T) is dependent below this multiple of the largest pivot of an elimination with partial pivoting.
constexpr double kDependent = 1e-12;
constexpr double kSingularMass = 1e3 * std::numeric_limits<double>::epsilon();
constexpr int kPowers = 30; ///< of an iteration whose result is printed with three digits

double normalise(std::vector<double>& x)
{
    double square = 0;
    for (const double value : x)
        square += value * value;
    const double norm = std::sqrt(square);
    for (double& value : x)
        value /= norm > 0 ? norm : 1;
    return norm;
}

} // namespace

PivotSparse::PivotSparse(int n, int m) : n_(n), m_(m) {}

void PivotSparse::load(std::span<const solve::MatrixPlace> places, std::span<const double> values)
{
    if (!std::equal(places.begin(), places.end(), entries_.begin(), entries_.end())) {
        entries_.assign(places.begin(), places.end());
        blockSelection_.clear();
    }
    values_.assign(values.begin(), values.end());
}

bool PivotSparse::throughMass(std::span<const solve::MatrixPlace> places, std::span<const double> mass)
{
    const bool diagonal =
        places.size() == at(n_) && std::all_of(places.begin(), places.end(), [](const auto& p) { return p.row == p.column; });
    if (diagonal) {
        std::vector<double> inverse(at(n_), 0.0);
        double least = std::numeric_limits<double>::infinity(), largest = 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
            least = std::min(least, std::abs(mass[k]));
            largest = std::max(largest, std::abs(mass[k]));
            inverse[at(places[k].row)] = 1 / mass[k];
        }
        if (!(least > kSingularMass * largest))
            return false;
        for (std::size_t k = 0; k < entries_.size(); ++k)
            values_[k] *= inverse[at(entries_[k].column)];
        return true;
    }
    solve::SparseFactor M;
    M.analyse(n_, places);
    if (!(M.factor(mass) > kSingularMass))
        return false;
    std::vector<std::vector<std::size_t>> ofRow(at(m_));
    for (std::size_t k = 0; k < entries_.size(); ++k)
        ofRow[at(entries_[k].row)].push_back(k);
    std::vector<solve::MatrixPlace> entries;
    std::vector<double> values, x(at(n_));
    for (int i = 0; i < m_; ++i) {
        std::fill(x.begin(), x.end(), 0.0);
        for (const std::size_t k : ofRow[at(i)])
            x[at(entries_[k].column)] = values_[k];
        M.solve(x.data()); // M is symmetric
        for (int j = 0; j < n_; ++j)
            if (x[at(j)] != 0) {
                entries.push_back({i, j});
                values.push_back(x[at(j)]);
            }
    }
    entries_ = std::move(entries);
    values_ = std::move(values);
    blockSelection_.clear();
    return true;
}

double PivotSparse::kappa(std::span<const int> selection)
{
    if (!std::equal(selection.begin(), selection.end(), blockSelection_.begin(), blockSelection_.end())) {
        std::vector<int> place(at(n_), -1);
        for (std::size_t k = 0; k < selection.size(); ++k)
            place[at(selection[k])] = static_cast<int>(k);
        std::vector<solve::MatrixPlace> block;
        blockEntries_.clear();
        for (std::size_t k = 0; k < entries_.size(); ++k)
            if (const int column = place[at(entries_[k].column)]; column >= 0) {
                block.push_back({entries_[k].row, column});
                blockEntries_.push_back(k);
            }
        block_.analyse(m_, block);
        blockSelection_.assign(selection.begin(), selection.end());
        blockValues_.resize(block.size());
    }
    for (std::size_t k = 0; k < blockEntries_.size(); ++k)
        blockValues_[k] = values_[blockEntries_[k]];
    double squares = 0;
    for (const double g : values_)
        squares += g * g;
    if (!(block_.factor(blockValues_) > 0))
        return std::numeric_limits<double>::infinity();
    return std::sqrt(squares) * block_.inverseNorm();
}

int PivotSparse::orientation(std::span<const int> selection) const
{
    std::vector<int> place(at(n_), -1);
    for (std::size_t k = 0; k < selection.size(); ++k)
        place[at(selection[k])] = static_cast<int>(k);
    std::vector<solve::MatrixPlace> block;
    std::vector<double> values;
    for (std::size_t k = 0; k < entries_.size(); ++k)
        if (const int column = place[at(entries_[k].column)]; column >= 0) {
            block.push_back({entries_[k].row, column});
            values.push_back(values_[k]);
        }
    solve::SparseElimination elimination;
    elimination.eliminate(m_, m_, block, values, 0);
    return elimination.sign();
}

/// Of G^T, whose columns are the constraints.
solve::SparseElimination PivotSparse::eliminated(double tolerance) const
{
    std::vector<solve::MatrixPlace> transposed;
    transposed.reserve(entries_.size());
    for (const solve::MatrixPlace& e : entries_)
        transposed.push_back({e.column, e.row});
    solve::SparseElimination out;
    out.eliminate(n_, m_, transposed, values_, tolerance);
    return out;
}

std::vector<int> PivotSparse::choose() const
{
    const solve::SparseElimination elimination = eliminated(kDependent);
    if (elimination.pivotRatio() == 0)
        return {};
    std::vector<int> selection(elimination.pivotRows().begin(), elimination.pivotRows().end());
    std::sort(selection.begin(), selection.end());
    return selection;
}

std::vector<int> PivotSparse::dependentRows() const { return eliminated(kDependent).dependentColumns(); }

/// Inverse iteration on G G^T, through [I G^T; G -delta I].
std::vector<int> PivotSparse::weakestRows(double& ratio, double* least) const
{
    if (least)
        *least = 0;
    std::vector<solve::MatrixPlace> entries;
    std::vector<double> values;
    double squares = 0;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        const solve::MatrixPlace& e = entries_[k];
        entries.push_back({n_ + e.row, e.column});
        entries.push_back({e.column, n_ + e.row});
        values.insert(values.end(), {values_[k], values_[k]});
        squares = std::max(squares, values_[k] * values_[k]);
    }
    constexpr double kCorner = 1e-14;
    for (int i = 0; i < n_ + m_; ++i) {
        entries.push_back({i, i});
        values.push_back(i < n_ ? 1 : -kCorner * squares);
    }
    solve::SparseFactor saddle;
    saddle.analyse(n_ + m_, entries);
    ratio = 0;
    if (!(saddle.factor(values) > 0))
        return {};
    std::vector<double> weak(at(m_)), strong(at(m_)), x(at(n_ + m_)), y(at(n_));
    for (int i = 0; i < m_; ++i)
        weak[at(i)] = strong[at(i)] = 1 + 0.1 * (i % 7); // no eigenvector of a regular mechanism
    normalise(weak);
    normalise(strong);
    double inverse = 0, largest = 0;
    for (int k = 0; k < kPowers; ++k) {
        std::fill(x.begin(), x.end(), 0.0);
        std::copy(weak.begin(), weak.end(), x.begin() + n_);
        saddle.solve(x.data());
        std::copy(x.begin() + n_, x.end(), weak.begin());
        inverse = normalise(weak);
        std::fill(y.begin(), y.end(), 0.0);
        for (std::size_t e = 0; e < entries_.size(); ++e)
            y[at(entries_[e].column)] += values_[e] * strong[at(entries_[e].row)];
        std::fill(strong.begin(), strong.end(), 0.0);
        for (std::size_t e = 0; e < entries_.size(); ++e)
            strong[at(entries_[e].row)] += values_[e] * y[at(entries_[e].column)];
        largest = normalise(strong);
    }
    ratio = inverse > 0 && largest > 0 ? std::sqrt(1 / (inverse * largest)) : 0;
    if (least && inverse > 0)
        *least = std::sqrt(1 / inverse);
    double most = 0;
    for (const double w : weak)
        most = std::max(most, std::abs(w));
    std::vector<int> rows;
    for (int i = 0; i < m_; ++i)
        if (std::abs(weak[at(i)]) > 0.1 * most)
            rows.push_back(i);
    return rows;
}

void PivotSparse::keep()
{
    kept_ = entries_;
    keptValues_ = values_;
}

int PivotSparse::orientationAgainstKept() const
{
    std::vector<std::vector<std::size_t>> ofColumn(at(n_));
    for (std::size_t k = 0; k < kept_.size(); ++k)
        ofColumn[at(kept_[k].column)].push_back(k);
    std::vector<solve::MatrixPlace> product;
    std::vector<double> values;
    for (std::size_t k = 0; k < entries_.size(); ++k)
        for (const std::size_t l : ofColumn[at(entries_[k].column)]) {
            product.push_back({entries_[k].row, kept_[l].row});
            values.push_back(values_[k] * keptValues_[l]);
        }
    solve::SparseElimination elimination;
    elimination.eliminate(m_, m_, product, values, 0);
    return elimination.sign();
}

} // namespace driftless::formulation
