// The Sigma-method.
//
// Assignment: minimise -sum sigma over transversals with dual variables u_i + v_j <= -sigma_ij, equal on the matching, by
// augmenting paths along tight entries, between steps that raise the duals by shortest distances. The duals are feasible
// offsets c = u, d = -v up to their size; the smallest non-negative ones are then shortest distances again: with k the owner of
// column j, c_k >= c_i + sigma_ij - sigma_kj, which in e_k = u_k - c_k reads e_k <= e_i + (u_k - u_i - sigma_ij + sigma_kj),
// all lengths non-negative, and e_k <= u_k.
#include "core/structure/Offsets.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "core/base/Index.h"

namespace driftless::structure {

namespace {

using Item = std::pair<long, int>; // distance, vertex
using Heap = std::priority_queue<Item, std::vector<Item>, std::greater<Item>>;

constexpr long kFar = std::numeric_limits<long>::max();

class Assignment {
public:
    explicit Assignment(const Signature& s)
        : signature(s), u(s.rows.size()), v(at(s.columns)), column(s.rows.size(), -1), owner(at(s.columns), -1)
    {
        // v_j = min_i -sigma_ij, then u_i = min_j -sigma_ij - v_j >= 0, and every tight entry with both sides free is taken.
        const std::vector<int> d = s.highestOrders(std::vector<int>(s.rows.size(), 0));
        for (std::size_t j = 0; j < v.size(); ++j)
            v[j] = -d[j];
        for (int i = 0; i < s.size(); ++i) {
            long best = kFar;
            for (const SignatureEntry& e : s.rows[at(i)])
                best = std::min(best, -e.order - v[at(e.column)]);
            u[at(i)] = best;
            for (const SignatureEntry& e : s.rows[at(i)])
                if (column[at(i)] < 0 && owner[at(e.column)] < 0 && reduced(i, e) == 0)
                    match(i, e.column);
        }
        distance.assign(v.size(), kFar);
        from.resize(v.size());
        std::vector<int> roots;
        for (int i = 0; i < s.size(); ++i)
            if (column[at(i)] < 0)
                roots.push_back(i);
        for (augmentAll(roots); !roots.empty(); augmentAll(roots))
            raise(roots);
    }

    const Signature& signature;
    std::vector<long> u, v;
    std::vector<int> column, owner;

private:
    long reduced(int i, const SignatureEntry& e) const { return -e.order - u[at(i)] - v[at(e.column)]; }
    void match(int i, int j)
    {
        column[at(i)] = j;
        owner[at(j)] = i;
    }

    /// Raises the duals by the shortest distance from all rows that are free to a column that is: Dijkstra's algorithm from all
    /// of them at once, so that a large system takes as many of these as there are lengths, and not one for each row.
    void raise(const std::vector<int>& roots)
    {
        Heap heap;
        touched.clear();
        settled.clear();
        for (const int i : roots)
            relax(i, 0, heap);
        long reach = 0;
        for (bool reached = false; !reached;) {
            const auto [length, j] = heap.top(); // never empty: a perfect matching exists
            heap.pop();
            if (length > distance[at(j)])
                continue;
            reach = length;
            reached = owner[at(j)] < 0;
            if (!reached) {
                settled.push_back(j);
                relax(owner[at(j)], length, heap);
            }
        }
        for (const int i : roots)
            u[at(i)] += reach;
        for (const int j : settled) {
            v[at(j)] -= reach - distance[at(j)];
            u[at(owner[at(j)])] += reach - distance[at(j)];
        }
        for (const int j : touched)
            distance[at(j)] = kFar;
    }

    /// One augmenting path of tight entries from a free row, over columns that this round has not seen yet.
    bool augment(int root, std::vector<char>& seen)
    {
        path.assign(1, {root, 0});
        while (!path.empty()) {
            auto& [i, next] = path.back();
            const auto& row = signature.rows[at(i)];
            bool deeper = false;
            while (!deeper && next < row.size()) { // once deeper, next is gone
                const SignatureEntry& e = row[next++];
                if (seen[at(e.column)] || reduced(i, e) != 0)
                    continue;
                seen[at(e.column)] = 1;
                from[at(e.column)] = i;
                if (owner[at(e.column)] < 0) {
                    turn(root, e.column);
                    return true;
                }
                path.emplace_back(owner[at(e.column)], 0);
                deeper = true;
            }
            if (!deeper)
                path.pop_back();
        }
        return false;
    }

    void turn(int root, int end)
    {
        for (int j = end;;) {
            const int i = from[at(j)], before = column[at(i)];
            match(i, j);
            if (i == root)
                break;
            j = before;
        }
    }

    /// Rounds of disjoint paths until no tight one is left.
    void augmentAll(std::vector<int>& roots)
    {
        for (bool found = true; found && !roots.empty();) {
            std::vector<char> seen(v.size());
            const std::size_t before = roots.size();
            std::erase_if(roots, [&](int i) { return augment(i, seen); });
            found = roots.size() < before;
        }
    }

    void relax(int i, long base, Heap& heap)
    {
        for (const SignatureEntry& e : signature.rows[at(i)]) {
            const long length = base + reduced(i, e);
            if (length >= distance[at(e.column)])
                continue;
            if (distance[at(e.column)] == kFar)
                touched.push_back(e.column);
            distance[at(e.column)] = length;
            heap.emplace(length, e.column);
        }
    }

    std::vector<long> distance;
    std::vector<int> from, touched, settled;
    std::vector<std::pair<int, std::size_t>> path; ///< rows, and how far their entries have been looked at
};

} // namespace

int structuralIndex(const std::vector<int>& c, const std::vector<int>& d)
{
    const int most = c.empty() ? 0 : *std::max_element(c.begin(), c.end());
    return most + (std::find(d.begin(), d.end(), 0) != d.end() ? 1 : 0);
}

SigmaResult sigmaMethod(const Signature& signature)
{
    const Assignment best(signature);
    const std::size_t n = signature.rows.size();
    SigmaResult out;
    out.transversal = best.column;
    std::vector<int> matchedOrder(n);
    for (std::size_t i = 0; i < n; ++i)
        for (const SignatureEntry& e : signature.rows[i])
            if (e.column == best.column[i])
                matchedOrder[i] = e.order;
    for (const int order : matchedOrder)
        out.value += order;
    std::vector<long> e(best.u);
    Heap heap;
    for (std::size_t i = 0; i < n; ++i)
        heap.emplace(e[i], static_cast<int>(i));
    while (!heap.empty()) {
        const auto [length, i] = heap.top();
        heap.pop();
        if (length > e[at(i)])
            continue;
        for (const SignatureEntry& entry : signature.rows[at(i)]) {
            const int k = best.owner[at(entry.column)];
            const long through = length + best.u[at(k)] - best.u[at(i)] - entry.order + matchedOrder[at(k)];
            if (through < e[at(k)]) {
                e[at(k)] = through;
                heap.emplace(through, k);
            }
        }
    }
    out.c.resize(n);
    out.d.resize(at(signature.columns));
    for (std::size_t i = 0; i < n; ++i) {
        out.c[i] = static_cast<int>(best.u[i] - e[i]);
        out.d[at(best.column[i])] = out.c[i] + matchedOrder[i];
    }
    out.structuralIndex = structuralIndex(out.c, out.d);
    return out;
}

} // namespace driftless::structure
