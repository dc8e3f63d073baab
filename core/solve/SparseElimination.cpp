#include "core/solve/SparseElimination.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "core/base/Index.h"

namespace driftless::solve {

namespace {

/// Sign of a permutation given as the image of 0, 1, 2, ...
int parity(std::vector<int> image)
{
    int sign = 1;
    for (std::size_t i = 0; i < image.size(); ++i)
        while (at(image[i]) != i) {
            std::swap(image[i], image[at(image[i])]);
            sign = -sign;
        }
    return sign;
}

} // namespace

/// Columns by the first row they touch, short ones first: mechanisms are stated along their chains, so that fill stays near the
/// diagonal.
void SparseElimination::orderColumns(int columns, std::span<const MatrixPlace> entries)
{
    std::vector<int> last(at(columns), -1);
    for (const MatrixPlace& e : entries)
        last[at(e.column)] = std::max(last[at(e.column)], e.row);
    order_.resize(at(columns));
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&last](int a, int b) { return last[at(a)] < last[at(b)]; });
}

void SparseElimination::eliminate(int rows, int columns, std::span<const MatrixPlace> entries, std::span<const double> values,
                                  double tolerance)
{
    rows_ = rows;
    orderColumns(columns, entries);
    std::vector<std::size_t> starts(at(columns) + 1, 0), places(entries.size());
    for (const MatrixPlace& e : entries)
        ++starts[at(e.column) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t k = 0; k < entries.size(); ++k)
        places[next[at(entries[k].column)]++] = k;

    pivotRow_.assign(at(columns), -1);
    stepOfRow_.assign(at(rows), -1);
    starts_.assign(1, 0);
    lower_.clear();
    pivots_.clear();
    pivotOfStep_.clear();
    columnOfStep_.clear();
    std::vector<double> x(at(rows), 0.0);
    std::vector<char> marked(at(rows), 0);
    std::vector<int> touched;
    std::priority_queue<int, std::vector<int>, std::greater<>> due; // steps whose rows hold a value, earliest first
    const auto touch = [&](int row) {
        if (marked[at(row)])
            return;
        marked[at(row)] = 1;
        touched.push_back(row);
        if (stepOfRow_[at(row)] >= 0)
            due.push(stepOfRow_[at(row)]);
    };
    double largest = 0, least = 0;
    bool dependent = false;
    for (const int column : order_) {
        for (std::size_t k = starts[at(column)]; k < starts[at(column) + 1]; ++k) {
            const MatrixPlace& e = entries[places[k]];
            touch(e.row);
            x[at(e.row)] += values[places[k]];
        }
        while (!due.empty()) {
            const int step = due.top();
            due.pop();
            const double above = x[at(pivotOfStep_[at(step)])];
            for (std::size_t k = starts_[at(step)]; above != 0 && k < starts_[at(step) + 1]; ++k) {
                touch(lower_[k].row);
                x[at(lower_[k].row)] -= lower_[k].value * above;
            }
        }
        int pivot = -1;
        for (const int row : touched)
            if (stepOfRow_[at(row)] < 0
                && (pivot < 0 || std::abs(x[at(row)]) > std::abs(x[at(pivot)])
                    || (std::abs(x[at(row)]) == std::abs(x[at(pivot)]) && row < pivot)))
                pivot = row;
        const double size = pivot < 0 ? 0 : std::abs(x[at(pivot)]);
        largest = std::max(largest, size);
        if (size > tolerance * largest) {
            least = pivots_.empty() ? size : std::min(least, size);
            pivotRow_[at(column)] = pivot;
            for (const int row : touched)
                if (row != pivot && stepOfRow_[at(row)] < 0 && x[at(row)] != 0)
                    lower_.push_back({row, x[at(row)] / x[at(pivot)]});
            stepOfRow_[at(pivot)] = static_cast<int>(pivots_.size());
            pivots_.push_back(x[at(pivot)]);
            pivotOfStep_.push_back(pivot);
            columnOfStep_.push_back(column);
            starts_.push_back(lower_.size());
        } else {
            dependent = true;
        }
        for (const int row : touched) {
            x[at(row)] = 0;
            marked[at(row)] = 0;
        }
        touched.clear();
    }
    ratio_ = dependent || largest == 0 ? 0 : least / largest;
}

std::vector<int> SparseElimination::dependentColumns() const
{
    std::vector<int> out;
    for (std::size_t c = 0; c < pivotRow_.size(); ++c)
        if (pivotRow_[c] < 0)
            out.push_back(static_cast<int>(c));
    return out;
}

int SparseElimination::sign() const
{
    if (pivots_.size() != pivotRow_.size() || at(rows_) != pivotRow_.size())
        return 0;
    int sign = parity(pivotRow_);
    for (const double p : pivots_)
        sign *= p > 0 ? 1 : -1;
    return sign;
}

} // namespace driftless::solve
