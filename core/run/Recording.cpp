#include "core/run/Recording.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/run/NearestStates.h"
#include "core/run/NeighbourRows.h"

namespace driftless::run {

namespace {

constexpr int kBlock = 64;                    // rows under one node of the pyramid's lower level
constexpr int kMaxChunkRows = 4096;           // rows under one node of its upper level
constexpr std::size_t kChunkBytes = 4u << 20; // wide rows get shorter chunks
constexpr int kWide = 512; // columns from which rows are stored one behind the other: one append a step meets fewer lines
constexpr std::size_t kApart = 8;          // values between columns: a row must not meet one set of the cache again and again
constexpr std::size_t kProtectedShare = 4; // the newest quarter of the chunks is never thinned
constexpr std::uint64_t kBetweenShare = 8; // of the budget, for rows inside of steps
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void widen(MinMax& into, double value)
{
    if (value < into.minimum)
        into.minimum = value;
    if (value > into.maximum)
        into.maximum = value;
}

void widen(MinMax& into, const MinMax& other)
{
    into.minimum = std::min(into.minimum, other.minimum);
    into.maximum = std::max(into.maximum, other.maximum);
}

constexpr MinMax kNothing{kInf, -kInf};

/// Rows with their pyramid, column-major unless they are wide. Rows below the published count never change; blocks are written
/// when their last row is, totals when the chunk is closed.
struct Chunk {
    Chunk(int rows, int columnCount)
        : capacity((rows + kBlock - 1) / kBlock * kBlock), columns(columnCount),
          rowStride(columns < kWide ? 1 : static_cast<std::size_t>(columns)),
          columnStride(columns < kWide ? static_cast<std::size_t>(capacity) + kApart : 1),
          size(columns < kWide ? columnStride * static_cast<std::size_t>(columns)
                               : rowStride * static_cast<std::size_t>(capacity)),
          values(new double[size]), steps(new std::uint64_t[static_cast<std::size_t>(capacity)]) // written before they are read
    {
        blocks.assign(static_cast<std::size_t>(capacity / kBlock) * static_cast<std::size_t>(columns), kNothing);
        totals.assign(static_cast<std::size_t>(columns), kNothing);
    }

    double at(std::uint64_t row, int c) const { return values[row * rowStride + static_cast<std::size_t>(c) * columnStride]; }
    double& at(std::uint64_t row, int c) { return values[row * rowStride + static_cast<std::size_t>(c) * columnStride]; }
    /// The first of so many rows, in order of time, for which before(time) does not hold.
    template <class Before>
    std::uint64_t firstNot(std::uint64_t rows, Before before) const
    {
        std::uint64_t from = 0;
        while (from < rows) {
            const std::uint64_t middle = from + (rows - from) / 2;
            if (before(at(middle, 0)))
                from = middle + 1;
            else
                rows = middle;
        }
        return from;
    }
    const MinMax* blocksOf(int c) const
    {
        return blocks.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(capacity / kBlock);
    }

    void finishBlock(int block, int rowEnd)
    {
        for (int c = 0; c < columns; ++c) {
            MinMax four[4] = {kNothing, kNothing, kNothing, kNothing}, all = kNothing; // four, so that none waits for the last
            int r = block * kBlock;
            for (; r + 4 <= rowEnd; r += 4)
                for (int k = 0; k < 4; ++k)
                    widen(four[k], at(static_cast<std::uint64_t>(r + k), c));
            for (; r < rowEnd; ++r)
                widen(all, at(static_cast<std::uint64_t>(r), c));
            for (const MinMax& part : four)
                widen(all, part);
            blocks[static_cast<std::size_t>(c * (capacity / kBlock) + block)] = all;
        }
    }

    void close(int rows)
    {
        if (rows % kBlock != 0)
            finishBlock(rows / kBlock, rows);
        for (int c = 0; c < columns; ++c)
            for (int b = 0; b * kBlock < rows; ++b)
                widen(totals[static_cast<std::size_t>(c)], blocksOf(c)[b]);
    }

    std::size_t bytes() const
    {
        return size * sizeof(double) + static_cast<std::size_t>(capacity) * sizeof(std::uint64_t)
               + blocks.size() * sizeof(MinMax);
    }

    int capacity;
    int columns;                               ///< with time
    std::size_t rowStride, columnStride, size; ///< values
    std::unique_ptr<double[]> values;
    std::unique_ptr<std::uint64_t[]> steps; ///< of each row, accepted up to it
    std::vector<MinMax> blocks, totals;
};

struct Entry {
    std::shared_ptr<const Chunk> chunk;
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0; ///< meaningless for the open chunk, see RecordingView::Data
    double firstTime = 0;   ///< of a closed chunk
    int thinning = 0;       ///< how often every second row was dropped
    bool closed = false;
};
using Entries = std::vector<Entry>;

/// One row: column 0 of the layout on, -1 is the time.
struct Row {
    const Chunk* chunk = nullptr;
    std::uint64_t at = 0;
    double operator()(int column) const { return column + 1 < chunk->columns ? chunk->at(at, column + 1) : kNaN; }
};

} // namespace

namespace {

/// A number that one thread raises and others read. Whoever has read it sees the rows that it counts.
class Count {
public:
    Count() = default;
    Count(const Count& other) : value_(other) {}
    Count& operator=(const Count&) = delete;
    operator std::uint64_t() const { return value_.load(std::memory_order_acquire); }
    void set(std::uint64_t value) { value_.store(value, std::memory_order_release); }
    void raise() { set(value_.load(std::memory_order_relaxed) + 1); }

private:
    std::atomic<std::uint64_t> value_{0};
};

} // namespace

struct RecordingView::Data {
    std::shared_ptr<const Entries> entries;
    std::shared_ptr<const std::vector<Column>> columns;
    Count rows, steps;
    int n = 0, m = 0;
    bool ratesApart = false, marked = false;
    std::vector<char> followed;
    std::shared_ptr<const Data> between;
    std::shared_ptr<const int> past = std::make_shared<const int>(); ///< its address counts

    std::uint64_t rowsOf(const Entry& e) const { return e.closed ? e.rows : rows - e.firstRow; }
    std::size_t entryOf(std::uint64_t row) const
    {
        const auto after = std::upper_bound(entries->begin(), entries->end(), row,
                                            [](std::uint64_t r, const Entry& e) { return r < e.firstRow; });
        return static_cast<std::size_t>(after - entries->begin()) - 1;
    }
    Row row(std::uint64_t r) const
    {
        const Entry& e = (*entries)[entryOf(r)];
        return {e.chunk.get(), r - e.firstRow};
    }
    double at(std::uint64_t row, int chunkColumn) const
    {
        const Entry& e = (*entries)[entryOf(row)];
        return chunkColumn < e.chunk->columns ? e.chunk->at(row - e.firstRow, chunkColumn) : kNaN;
    }
    /// Number of rows with time < t (or <= t when inclusive).
    std::uint64_t countBefore(double t, bool inclusive) const
    {
        const auto before = [t, inclusive](double time) { return inclusive ? time <= t : time < t; };
        const auto after = std::partition_point(entries->begin(), entries->end(), [&](const Entry& e) {
            return e.firstRow < rows && before(e.closed ? e.firstTime : e.chunk->at(0, 0));
        });
        if (after == entries->begin())
            return 0;
        const Entry& e = *(after - 1);
        return e.firstRow + e.chunk->firstNot(rowsOf(e), before);
    }
    MinMax extremes(int column, std::uint64_t from, std::uint64_t to) const;
    int rateColumn(int i) const { return ratesApart ? 2 * n + m + i : n + i; } ///< of position i
    bool isFollowed(int i) const
    {
        return static_cast<std::size_t>(i) < followed.size() && followed[static_cast<std::size_t>(i)];
    }
};

MinMax RecordingView::Data::extremes(int column, std::uint64_t from, std::uint64_t to) const
{
    MinMax all = kNothing;
    if (from >= to)
        return all;
    for (std::size_t i = entryOf(from); i < entries->size() && (*entries)[i].firstRow < to; ++i) {
        const Entry& e = (*entries)[i];
        if (column >= e.chunk->columns)
            continue;
        const std::uint64_t size = rowsOf(e);
        std::uint64_t r = from > e.firstRow ? from - e.firstRow : 0;
        const std::uint64_t end = std::min(size, to - e.firstRow);
        if (r == 0 && end == size && e.closed) {
            widen(all, e.chunk->totals[static_cast<std::size_t>(column)]);
            continue;
        }
        const MinMax* blocks = e.chunk->blocksOf(column);
        while (r < end) {
            if (r % kBlock == 0 && r + kBlock <= end) {
                widen(all, blocks[r / kBlock]);
                r += kBlock;
            } else {
                widen(all, e.chunk->at(r++, column));
            }
        }
    }
    return all;
}

RecordingView::RecordingView(std::shared_ptr<const Data> data) : data_(std::move(data))
{
    if (data_)
        return;
    auto none = std::make_shared<Data>();
    none->entries = std::make_shared<Entries>();
    none->columns = std::make_shared<std::vector<Column>>();
    data_ = std::move(none);
}

std::uint64_t RecordingView::rowCount() const { return data_->rows; }
std::uint64_t RecordingView::stepCount() const { return data_->steps; }
double RecordingView::firstTime() const { return empty() ? kNaN : time(0); }
double RecordingView::lastTime() const { return empty() ? kNaN : time(rowCount() - 1); }
int RecordingView::columnCount() const { return static_cast<int>(data_->columns->size()); }
const std::vector<Column>& RecordingView::columns() const { return *data_->columns; }
int RecordingView::n() const { return data_->n; }
int RecordingView::m() const { return data_->m; }
int RecordingView::metrics() const { return (data_->ratesApart ? 3 : 2) * data_->n + data_->m; }
RecordingView RecordingView::between() const { return RecordingView(data_->between); }
std::shared_ptr<const void> RecordingView::past() const { return data_->past; }
double RecordingView::time(std::uint64_t row) const { return data_->at(row, 0); }
double RecordingView::value(std::uint64_t row, int column) const { return data_->at(row, column + 1); }

int RecordingView::findColumn(std::string_view name) const
{
    const auto& all = columns();
    const auto found = std::find_if(all.begin(), all.end(), [name](const Column& c) { return c.name == name; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

std::uint64_t RecordingView::rowAt(double t) const
{
    const std::uint64_t count = data_->countBefore(t, true);
    return count == 0 ? 0 : count - 1;
}

std::uint64_t RecordingView::stepsAt(double t) const
{
    if (empty())
        return 0;
    const Row row = data_->row(rowAt(t));
    return row.chunk->steps[row.at];
}

bool RecordingView::stateAt(double t, double* q, double* v, double* lambda) const
{
    if (empty())
        return false;
    const std::uint64_t r = rowAt(t);
    const int n = data_->n, m = data_->m;
    const Row from = data_->row(r);
    const double t0 = from(-1);
    if (t <= t0 || r + 1 >= rowCount()) {
        for (int i = 0; i < n; ++i) {
            q[i] = from(i);
            v[i] = from(n + i);
        }
        for (int i = 0; i < m; ++i)
            lambda[i] = from(2 * n + i);
        return true;
    }
    const Row to = data_->row(r + 1);
    if (const auto nearest = NearestStates<Row>::around(*data_, t, from, to); nearest.count > 0) {
        nearest.stateAt(t, *data_, q, v, lambda);
        const NeighbourRows<Row> near(*data_, r, from, to);
        for (int i = 0; i < m; ++i)
            if (std::isnan(lambda[i])) // multipliers that the method does not hold
                lambda[i] = near.at(t, 2 * n + i);
        return true;
    }
    const double h = to(-1) - t0;
    const double s = (t - t0) / h;
    const NeighbourRows<Row> near(*data_, r, from, to);
    const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s) * h;
    const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1) * h;
    for (int i = 0; i < n; ++i) {
        const int rate = data_->rateColumn(i);
        q[i] = h00 * from(i) + h10 * from(rate) + h01 * to(i) + h11 * to(rate);
        v[i] = near.at(t, n + i);
    }
    for (int i = 0; i < m; ++i) {
        const int c = 2 * n + i;
        lambda[i] = data_->isFollowed(i) ? h00 * from(c) + h10 * from(c + 1) + h01 * to(c) + h11 * to(c + 1) : near.at(t, c);
    }
    return true;
}

void RecordingView::envelope(int column, double t0, double t1, int buckets, std::vector<double>& t,
                             std::vector<MinMax>& values) const
{
    t.clear();
    values.clear();
    if (empty() || column < 0 || column >= columnCount() || buckets < 1 || !(t1 >= t0))
        return;
    std::uint64_t from = data_->countBefore(t0, false);
    std::uint64_t to = data_->countBefore(t1, true);
    if (to - from <= 2 * static_cast<std::uint64_t>(buckets)) {
        // One neighbour on either side, so that a curve reaches the edges of the plot.
        from = from > 0 ? from - 1 : 0;
        to = std::min(to + 1, rowCount());
        for (std::uint64_t r = from; r < to; ++r) {
            const double x = value(r, column);
            if (std::isnan(x))
                continue;
            t.push_back(time(r));
            values.push_back({x, x});
        }
        return;
    }
    const double width = (t1 - t0) / buckets;
    for (int b = 0; b < buckets; ++b) {
        const double start = t0 + b * width;
        const std::uint64_t end = b + 1 == buckets ? to : data_->countBefore(t0 + (b + 1) * width, false);
        const MinMax found = data_->extremes(column + 1, from, end);
        from = std::max(from, end);
        if (found.minimum > found.maximum)
            continue;
        t.push_back(start);
        values.push_back(found);
    }
}

MinMax RecordingView::range(int column, double t0, double t1) const
{
    if (empty() || column < 0 || column >= columnCount())
        return {kNaN, kNaN};
    const MinMax found = data_->extremes(column + 1, data_->countBefore(t0, false), data_->countBefore(t1, true));
    return found.minimum > found.maximum ? MinMax{kNaN, kNaN} : found;
}

struct Recording::Impl {
    std::uint64_t budget;
    mutable std::mutex mutex; ///< guards what a view copies but for its counts: the fields of now, and between
    std::shared_ptr<RecordingView::Data> now = std::make_shared<RecordingView::Data>();
    std::unique_ptr<Recording> between;

    // The writer's own.
    std::shared_ptr<Chunk> open;
    int openRows = 0;
    std::uint64_t closedBytes = 0;
    std::uint64_t steps = 0; ///< accepted up to the last row

    std::vector<double> marked; ///< scratch

    int width() const { return static_cast<int>(now->columns->size()) + 1 + (now->marked ? 1 : 0); }
    int rowsPerChunk() const
    {
        int r = kMaxChunkRows;
        while (r > kBlock && static_cast<std::size_t>(r) * static_cast<std::size_t>(width()) * sizeof(double) > kChunkBytes)
            r /= 2;
        return r;
    }
    Entries closedEntries();
    void publish(Entries next);
    void endPast();
    void startChunk();
    void closeChunk();
    void thin(Entries& list);
};

/// A copy of the list with the open chunk, if it has rows, closed.
Entries Recording::Impl::closedEntries()
{
    Entries next = *now->entries;
    if (!open)
        return next;
    if (openRows == 0) {
        next.pop_back();
    } else {
        open->close(openRows);
        Entry& last = next.back();
        last.rows = static_cast<std::uint64_t>(openRows);
        last.firstTime = open->at(0, 0);
        last.closed = true;
        closedBytes += open->bytes();
    }
    open.reset();
    openRows = 0;
    return next;
}

void Recording::Impl::publish(Entries next)
{
    std::uint64_t row = 0;
    for (Entry& e : next) {
        e.firstRow = row;
        row += e.closed ? e.rows : 0;
    }
    auto shared = std::make_shared<const Entries>(std::move(next));
    const std::lock_guard lock(mutex);
    now->entries = std::move(shared);
    now->rows.set(row + static_cast<std::uint64_t>(openRows));
}

/// After the rows that stay are published, and before the next one is appended: a view never has a past that is longer than its
/// rows.
void Recording::Impl::endPast()
{
    auto next = std::make_shared<const int>();
    const std::lock_guard lock(mutex);
    now->past = std::move(next);
}

void Recording::Impl::startChunk()
{
    Entries next = closedEntries();
    thin(next);
    open = std::make_shared<Chunk>(rowsPerChunk(), width());
    Entry e;
    e.chunk = open;
    next.push_back(std::move(e));
    publish(std::move(next));
}

namespace {

/// Both chunks in one, every second row dropped; the two rows of a jump stay.
std::shared_ptr<Chunk> mergeThinned(const Entry& a, const Entry& b, std::uint64_t& rowsKept)
{
    const auto total = a.rows + b.rows;
    const auto at = [&](std::uint64_t r, int c) {
        const Entry& e = r < a.rows ? a : b;
        const std::uint64_t row = r < a.rows ? r : r - a.rows;
        return c < e.chunk->columns ? e.chunk->at(row, c) : kNaN;
    };
    std::vector<std::uint64_t> kept;
    for (std::uint64_t r = 0; r < total; ++r) {
        const double t = at(r, 0);
        const bool jump = (r > 0 && at(r - 1, 0) == t) || (r + 1 < total && at(r + 1, 0) == t);
        if (r % 2 == 0 || jump)
            kept.push_back(r);
    }
    auto merged = std::make_shared<Chunk>(static_cast<int>(kept.size()), std::max(a.chunk->columns, b.chunk->columns));
    for (int c = 0; c < merged->columns; ++c)
        for (std::size_t r = 0; r < kept.size(); ++r)
            merged->at(r, c) = at(kept[r], c);
    for (std::size_t r = 0; r < kept.size(); ++r)
        merged->steps[r] = kept[r] < a.rows ? a.chunk->steps[kept[r]] : b.chunk->steps[kept[r] - a.rows];
    const int rows = static_cast<int>(kept.size());
    for (int block = 0; (block + 1) * kBlock <= rows; ++block)
        merged->finishBlock(block, (block + 1) * kBlock);
    merged->close(rows);
    rowsKept = kept.size();
    return merged;
}

} // namespace

/// Merges the oldest pair of chunks of the lowest thinning until the budget holds.
void Recording::Impl::thin(Entries& list)
{
    while (closedBytes > budget) {
        const std::size_t free = list.size() - list.size() / kProtectedShare;
        std::size_t best = list.size();
        for (std::size_t i = 0; i + 1 < free; ++i)
            if (list[i].thinning == list[i + 1].thinning && (best == list.size() || list[i].thinning < list[best].thinning))
                best = i;
        if (best == list.size()) {
            if (list.size() < 2)
                return;
            best = 0;
        }
        Entry& a = list[best];
        const Entry& b = list[best + 1];
        closedBytes -= a.chunk->bytes() + b.chunk->bytes();
        std::uint64_t kept = 0;
        auto merged = mergeThinned(a, b, kept);
        closedBytes += merged->bytes();
        a.chunk = std::move(merged);
        a.rows = kept;
        a.thinning = std::max(a.thinning, b.thinning) + 1;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
}

Recording::Recording(int n, int m, std::vector<Column> columns, std::uint64_t budgetBytes, bool ratesApart,
                     std::vector<char> followed, bool marked)
    : impl_(std::make_unique<Impl>())
{
    RecordingView::Data& now = *impl_->now;
    now.n = n;
    now.m = m;
    now.ratesApart = ratesApart;
    now.marked = marked;
    now.followed = std::move(followed);
    now.entries = std::make_shared<Entries>();
    now.columns = std::make_shared<const std::vector<Column>>(std::move(columns));
    impl_->budget = budgetBytes;
    impl_->startChunk();
}

Recording::~Recording() = default;

void Recording::append(double t, std::span<const double> values, std::uint64_t steps)
{
    Impl& d = *impl_;
    assert(static_cast<int>(values.size()) + 1 == d.width());
    if (!d.open || d.openRows == d.open->capacity)
        d.startChunk();
    Chunk& chunk = *d.open;
    double* to = chunk.values.get() + static_cast<std::size_t>(d.openRows) * chunk.rowStride;
    *to = t;
    for (const double value : values)
        *(to += chunk.columnStride) = value;
    chunk.steps[static_cast<std::size_t>(d.openRows)] = d.steps += steps;
    ++d.openRows;
    if (d.openRows % kBlock == 0)
        chunk.finishBlock(d.openRows / kBlock - 1, d.openRows);
    d.now->rows.raise();
    d.now->steps.raise();
}

void Recording::appendBetween(double t, std::span<const double> values, bool followed)
{
    Impl& d = *impl_;
    if (!d.between) {
        const std::uint64_t share = d.budget / kBetweenShare;
        const RecordingView::Data& now = *d.now;
        std::vector<Column> states(now.columns->begin(), now.columns->begin() + static_cast<std::ptrdiff_t>(values.size()));
        auto made = std::make_unique<Recording>(now.n, now.m, std::move(states), share, now.ratesApart, now.followed, true);
        d.budget -= share;
        const std::lock_guard lock(d.mutex);
        d.between = std::move(made);
    }
    d.marked.assign(values.begin(), values.end());
    d.marked.push_back(followed ? 1 : 0);
    d.between->append(t, d.marked);
}

int Recording::addColumn(Column column)
{
    Impl& d = *impl_;
    auto next = std::make_shared<std::vector<Column>>(*d.now->columns);
    next->push_back(std::move(column));
    const int index = static_cast<int>(next->size()) - 1;
    {
        const std::lock_guard lock(d.mutex);
        d.now->columns = std::move(next);
    }
    d.startChunk();
    return index;
}

void Recording::truncateAfter(double t)
{
    Impl& d = *impl_;
    if (d.between)
        d.between->truncateAfter(t);
    Entries list = d.closedEntries();
    while (!list.empty() && list.back().firstTime > t) {
        d.closedBytes -= list.back().chunk->bytes();
        list.pop_back();
    }
    if (!list.empty()) {
        Entry& last = list.back();
        const std::uint64_t keep = last.chunk->firstNot(last.rows, [t](double time) { return time <= t; });
        if (keep < last.rows) {
            // Older views still read the whole chunk: what stays is copied.
            auto cut = std::make_shared<Chunk>(static_cast<int>(keep), last.chunk->columns);
            for (int c = 0; c < cut->columns; ++c)
                for (std::uint64_t r = 0; r < keep; ++r)
                    cut->at(r, c) = last.chunk->at(r, c);
            std::copy_n(last.chunk->steps.get(), keep, cut->steps.get());
            for (int b = 0; (b + 1) * kBlock <= static_cast<int>(keep); ++b)
                cut->finishBlock(b, (b + 1) * kBlock);
            cut->close(static_cast<int>(keep));
            d.closedBytes = d.closedBytes - last.chunk->bytes() + cut->bytes();
            last.chunk = std::move(cut);
            last.rows = keep;
        }
    }
    d.steps = list.empty() || list.back().rows == 0 ? 0 : list.back().chunk->steps[list.back().rows - 1];
    d.publish(std::move(list));
    d.endPast();
    d.startChunk();
}

void Recording::clear()
{
    Impl& d = *impl_;
    if (d.between)
        d.between->clear();
    d.open.reset();
    d.openRows = 0;
    d.closedBytes = d.steps = 0;
    d.publish({});
    d.endPast();
    {
        const std::lock_guard lock(d.mutex);
        d.now->steps.set(0);
    }
    d.startChunk();
}

RecordingView Recording::view() const
{
    const std::lock_guard lock(impl_->mutex);
    auto data = std::make_shared<RecordingView::Data>(*impl_->now);
    if (impl_->between)
        data->between = impl_->between->view().data_;
    return RecordingView(std::move(data));
}

RecordingView Recording::written() const { return RecordingView(impl_->now); }

} // namespace driftless::run
