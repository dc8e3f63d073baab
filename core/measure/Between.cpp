#include "core/measure/Between.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::measure {

namespace {

constexpr double kApart = 0.25; ///< of the interval: closer rows would amplify their errors
constexpr double kFar = 4;      ///< of the interval: rows farther away say little about it
/// Terms of a motion that the rows resolve fall faster; across a corner they do not.
constexpr double kRatedDecay = 0.1, kPlainDecay = 0.6;
constexpr int kMostPassed = 16;                       ///< close rows that are passed over in search of one
constexpr std::size_t kRatedRows = 2, kPlainRows = 4; ///< beside the two around: order eight and six

/// Times of equal steps are sums of round-off in another order.
double sameAs(double t) { return 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(t)); }

bool goesLinearly(const run::Column& column)
{
    using run::ColumnKind;
    return column.kind == ColumnKind::Step || column.kind == ColumnKind::Pivot || column.kind == ColumnKind::Residual;
}

} // namespace

Between::Between(const Record& data) : data_(data), kinds_(data.width()), row_(data.width())
{
    if (data.isMeasured())
        return;
    for (std::size_t i = 0; i < data.columns.size(); ++i)
        kinds_[i + 1].smooth = !goesLinearly(data.columns[i]);
    for (std::size_t i = 0; i < data.positions; ++i) {
        const auto rate = std::ranges::find(data.columns, data.columns[i].name + '\'', &run::Column::name);
        if (rate == data.columns.end())
            continue;
        kinds_[i + 1].rate = static_cast<int>(rate - data.columns.begin()) + 1;
        kinds_[static_cast<std::size_t>(kinds_[i + 1].rate)].of = static_cast<int>(i) + 1;
    }
}

/// Where the node is that of the term before, the value is the rate there.
void Between::add(Polynomial& p, double node, double value, double t) const
{
    std::array<double, kMostTerms> differences{};
    const bool again = p.terms > 0 && p.nodes[p.terms - 1] == node;
    differences[0] = again ? p.last[0] : value;
    for (std::size_t k = 1; k <= p.terms; ++k)
        differences[k] = k == 1 && again ? value : (differences[k - 1] - p.last[k - 1]) / (node - p.nodes[p.terms - k]);
    const double coefficient = differences[p.terms];
    p.added += std::abs(coefficient) * (std::abs(p.product) + h_ * std::abs(p.growth));
    p.value += coefficient * p.product;
    p.slope += coefficient * p.growth;
    p.growth = p.growth * (t - node) + p.product;
    p.product *= t - node;
    p.nodes[p.terms++] = node;
    p.last = differences;
}

Between::Polynomial Between::with(Polynomial p, std::size_t row, std::size_t column, double t) const
{
    p.added = 0;
    add(p, data_.time(row), data_.row(row)[column], t);
    if (const int rate = kinds_[column].rate; rate >= 0)
        add(p, data_.time(row), data_.row(row)[static_cast<std::size_t>(rate)], t);
    return p;
}

Between::Polynomial Between::through(std::size_t column, double t) const
{
    Polynomial p = with(with({}, place_, column, t), place_ + 1, column, t);
    const bool rated = kinds_[column].rate >= 0;
    const double decay = rated ? kRatedDecay : kPlainDecay;
    double before = rated ? p.added : std::numeric_limits<double>::infinity();
    const std::size_t most = kinds_[column].smooth ? (rated ? kRatedRows : kPlainRows) : 0;
    for (std::size_t l = 0, r = 0; l + r < most;) {
        const int left = left_[l], right = right_[r];
        if (left < 0 && right < 0)
            break;
        const Polynomial nothing{.added = std::numeric_limits<double>::infinity()};
        const Polynomial a = left < 0 ? nothing : with(p, static_cast<std::size_t>(left), column, t),
                         b = right < 0 ? nothing : with(p, static_cast<std::size_t>(right), column, t);
        const bool leftwards = a.added <= b.added;
        const Polynomial& next = leftwards ? a : b;
        if (!(next.added <= decay * before)) // also where a row has no value
            break;
        before = next.added;
        p = next;
        ++(leftwards ? l : r);
    }
    return p;
}

int Between::neighbour(std::size_t row, int direction) const
{
    const double t = data_.time(row);
    std::size_t at = row;
    for (int k = 0; k < kMostPassed; ++k) {
        if (direction < 0 ? at == 0 : at + 1 >= data_.rowCount())
            return -1;
        const double before = data_.time(at);
        at = direction < 0 ? at - 1 : at + 1;
        const double away = std::abs(data_.time(at) - t);
        if (std::abs(data_.time(at) - before) <= sameAs(before) || away > kFar * h_)
            return -1;
        if (away >= kApart * h_)
            return static_cast<int>(at);
    }
    return -1;
}

const double* Between::sameTime(std::size_t first, Copy copy) const
{
    std::size_t last = first;
    while (first > 0 && data_.time(first - 1) == data_.time(last))
        --first;
    while (last + 1 < data_.rowCount() && data_.time(last + 1) == data_.time(first))
        ++last;
    const std::size_t chosen = copy.place + 1 >= copy.count ? last : std::min(first + copy.place, last);
    return data_.row(chosen).data();
}

const double* Between::at(double t, Copy copy)
{
    const std::size_t rows = data_.rowCount();
    if (rows == 0)
        return nullptr;
    while (place_ + 1 < rows && data_.time(place_ + 1) <= t)
        ++place_;
    const double t0 = data_.time(place_);
    const double t1 = place_ + 1 < rows ? data_.time(place_ + 1) : t0;
    const double same = sameAs(t);
    if (std::abs(t - t0) <= same)
        return sameTime(place_, copy);
    if (t1 > t0 && std::abs(t - t1) <= same)
        return sameTime(place_ + 1, copy);
    if (!(t1 > t0) || t < t0 || t > t1)
        return nullptr;
    h_ = t1 - t0;
    for (std::size_t k = 0; k < left_.size(); ++k) {
        left_[k] = k > 0 && left_[k - 1] < 0 ? -1 : neighbour(k == 0 ? place_ : static_cast<std::size_t>(left_[k - 1]), -1);
        right_[k] =
            k > 0 && right_[k - 1] < 0 ? -1 : neighbour(k == 0 ? place_ + 1 : static_cast<std::size_t>(right_[k - 1]), 1);
    }
    row_[0] = t;
    for (std::size_t i = 1; i < row_.size(); ++i) {
        if (kinds_[i].of >= 0)
            continue;
        const Polynomial p = through(i, t);
        row_[i] = p.value;
        if (const int rate = kinds_[i].rate; rate >= 0)
            row_[static_cast<std::size_t>(rate)] = p.slope;
    }
    return row_.data();
}

} // namespace driftless::measure
