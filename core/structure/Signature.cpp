#include "core/structure/Signature.h"

#include <algorithm>
#include <limits>

#include "core/base/Index.h"

namespace driftless::structure {

Incidence Signature::incidence() const
{
    Incidence out{columns, {}};
    out.rows.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const SignatureEntry& e : rows[i])
            out.rows[i].push_back(e.column);
    return out;
}

Incidence Signature::leading(const std::vector<int>& c, const std::vector<int>& d) const
{
    Incidence out{columns, {}};
    out.rows.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const SignatureEntry& e : rows[i])
            if (e.order + c[i] == d[at(e.column)])
                out.rows[i].push_back(e.column);
    return out;
}

std::vector<int> Signature::highestOrders(const std::vector<int>& c) const
{
    std::vector<int> d(at(columns), -1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const SignatureEntry& e : rows[i])
            d[at(e.column)] = std::max(d[at(e.column)], e.order + c[i]);
    return d;
}

Matching maximumMatching(const Incidence& incidence)
{
    const int n = static_cast<int>(incidence.rows.size());
    constexpr int kUnreached = std::numeric_limits<int>::max();
    Matching m{std::vector<int>(at(n), -1), std::vector<int>(at(incidence.columns), -1), 0};
    std::vector<int> level(at(n)), queue, stack;
    std::vector<std::size_t> next(at(n));
    for (;;) {
        queue.clear();
        for (int i = 0; i < n; ++i) {
            level[at(i)] = m.columnOfRow[at(i)] < 0 ? 0 : kUnreached;
            if (level[at(i)] == 0)
                queue.push_back(i);
        }
        bool reached = false;
        for (std::size_t head = 0; head < queue.size(); ++head)
            for (const int j : incidence.rows[at(queue[head])]) {
                const int owner = m.rowOfColumn[at(j)];
                if (owner < 0)
                    reached = true;
                else if (level[at(owner)] == kUnreached) {
                    level[at(owner)] = level[at(queue[head])] + 1;
                    queue.push_back(owner);
                }
            }
        if (!reached)
            return m;
        std::fill(next.begin(), next.end(), 0);
        for (int root = 0; root < n; ++root) {
            if (m.columnOfRow[at(root)] >= 0)
                continue;
            stack.assign(1, root);
            while (!stack.empty()) {
                const int i = stack.back();
                const auto& row = incidence.rows[at(i)];
                if (next[at(i)] == row.size()) {
                    level[at(i)] = kUnreached;
                    stack.pop_back();
                    if (!stack.empty())
                        ++next[at(stack.back())];
                    continue;
                }
                const int owner = m.rowOfColumn[at(row[next[at(i)]])];
                if (owner < 0) { // the path is on the stack: every row on it takes the column it points at
                    for (const int r : stack) {
                        const int j = incidence.rows[at(r)][next[at(r)]];
                        m.columnOfRow[at(r)] = j;
                        m.rowOfColumn[at(j)] = r;
                        level[at(r)] = kUnreached;
                    }
                    ++m.size;
                    break;
                }
                if (level[at(owner)] != kUnreached && level[at(owner)] == level[at(i)] + 1)
                    stack.push_back(owner);
                else
                    ++next[at(i)];
            }
        }
    }
}

DulmageMendelsohn dulmageMendelsohn(const Incidence& incidence, const Matching& matching)
{
    const std::size_t n = incidence.rows.size(), columns = at(incidence.columns);
    std::vector<std::vector<int>> rowsOf(columns);
    for (std::size_t i = 0; i < n; ++i)
        for (const int j : incidence.rows[i])
            rowsOf[at(j)].push_back(static_cast<int>(i));
    std::vector<char> overRow(n), overColumn(columns), underRow(n), underColumn(columns);
    std::vector<int> queue;
    for (std::size_t i = 0; i < n; ++i)
        if (matching.columnOfRow[i] < 0) {
            overRow[i] = 1;
            queue.push_back(static_cast<int>(i));
        }
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (const int j : incidence.rows[at(queue[head])]) {
            overColumn[at(j)] = 1;
            const int owner = matching.rowOfColumn[at(j)];
            if (owner >= 0 && !overRow[at(owner)]) {
                overRow[at(owner)] = 1;
                queue.push_back(owner);
            }
        }
    queue.clear();
    for (std::size_t j = 0; j < columns; ++j)
        if (matching.rowOfColumn[j] < 0) {
            underColumn[j] = 1;
            queue.push_back(static_cast<int>(j));
        }
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (const int i : rowsOf[at(queue[head])]) {
            underRow[at(i)] = 1;
            const int column = matching.columnOfRow[at(i)];
            if (column >= 0 && !underColumn[at(column)]) {
                underColumn[at(column)] = 1;
                queue.push_back(column);
            }
        }
    DulmageMendelsohn out;
    // Where index i belongs: to the part with too many equations, to that with too few, or to the square one.
    const auto place = [](int i, bool over, bool under, std::vector<int>& ofOver, std::vector<int>& ofUnder,
                          std::vector<int>& rest) {
        if (over)
            ofOver.push_back(i);
        else if (under)
            ofUnder.push_back(i);
        else
            rest.push_back(i);
    };
    for (int i = 0; i < static_cast<int>(n); ++i)
        place(i, overRow[at(i)], underRow[at(i)], out.overRows, out.underRows, out.squareRows);
    for (int j = 0; j < static_cast<int>(columns); ++j)
        place(j, overColumn[at(j)], underColumn[at(j)], out.overColumns, out.underColumns, out.squareColumns);
    return out;
}

std::vector<Block> blockTriangular(const Incidence& incidence, const Matching& matching)
{
    // Vertices are equations; an edge i -> k says that i needs the unknown which k determines. Tarjan's algorithm emits a
    // component after everything it needs.
    const int n = static_cast<int>(incidence.rows.size());
    std::vector<int> index(at(n), -1), low(at(n)), component, path;
    std::vector<std::size_t> next(at(n));
    std::vector<char> open(at(n));
    std::vector<Block> out;
    int count = 0;
    for (int root = 0; root < n; ++root) {
        if (index[at(root)] >= 0)
            continue;
        path.assign(1, root);
        while (!path.empty()) {
            const int i = path.back();
            if (index[at(i)] < 0) {
                index[at(i)] = low[at(i)] = count++;
                component.push_back(i);
                open[at(i)] = 1;
            }
            const auto& row = incidence.rows[at(i)];
            if (next[at(i)] < row.size()) {
                const int k = matching.rowOfColumn[at(row[next[at(i)]++])];
                if (index[at(k)] < 0)
                    path.push_back(k);
                else if (open[at(k)])
                    low[at(i)] = std::min(low[at(i)], index[at(k)]);
                continue;
            }
            path.pop_back();
            if (!path.empty())
                low[at(path.back())] = std::min(low[at(path.back())], low[at(i)]);
            if (low[at(i)] != index[at(i)])
                continue;
            Block block;
            for (int k = -1; k != i;) {
                k = component.back();
                component.pop_back();
                open[at(k)] = 0;
                block.equations.push_back(k);
            }
            std::sort(block.equations.begin(), block.equations.end());
            for (const int k : block.equations)
                block.unknowns.push_back(matching.columnOfRow[at(k)]);
            out.push_back(std::move(block));
        }
    }
    return out;
}

} // namespace driftless::structure
