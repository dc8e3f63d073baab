#include "core/structure/DummySelection.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/Index.h"

namespace driftless::structure {

namespace {

/// Matches the rows with columns of the leading incidence; columns that come first are preferred, because augmenting paths
/// never give up a matched column.
std::vector<int> structuralChoice(const Incidence& leading, std::span<const int> equations, std::span<const int> columns)
{
    std::unordered_map<int, int> place;
    for (std::size_t k = 0; k < columns.size(); ++k)
        place.emplace(columns[k], static_cast<int>(k));
    // Transposed: columns look for rows one after the other.
    Incidence byColumn{static_cast<int>(equations.size()), std::vector<std::vector<int>>(columns.size())};
    for (std::size_t r = 0; r < equations.size(); ++r)
        for (const int j : leading.rows[at(equations[r])])
            if (const auto found = place.find(j); found != place.end())
                byColumn.rows[at(found->second)].push_back(static_cast<int>(r));
    std::vector<int> owner(equations.size(), -1), seen(equations.size(), -1), out;
    std::vector<std::pair<int, std::size_t>> stack;
    for (int root = 0; root < static_cast<int>(columns.size()) && out.size() < equations.size(); ++root) {
        stack.assign(1, {root, 0});
        std::vector<int> taken;
        bool found = false;
        while (!stack.empty() && !found) {
            auto& [column, next] = stack.back();
            const auto& rows = byColumn.rows[at(column)];
            if (next == rows.size()) {
                stack.pop_back();
                if (!taken.empty())
                    taken.pop_back();
                continue;
            }
            const int r = rows[next++];
            if (seen[at(r)] == root)
                continue;
            seen[at(r)] = root;
            taken.push_back(r);
            if (owner[at(r)] < 0)
                found = true;
            else
                stack.emplace_back(owner[at(r)], 0);
        }
        if (!found)
            continue;
        for (std::size_t k = 0; k < stack.size(); ++k)
            owner[at(taken[k])] = stack[k].first;
        out.push_back(root);
    }
    return out.size() == equations.size() ? out : std::vector<int>{};
}

} // namespace

std::vector<DerivativeRef> expand(const std::vector<DummyRange>& ranges, std::size_t most)
{
    std::vector<DerivativeRef> out;
    for (const DummyRange& r : ranges)
        for (int order = r.lowest; order <= r.highest && out.size() < most; ++order)
            out.push_back({r.unknown, order});
    return out;
}

long countOf(const std::vector<DummyRange>& ranges)
{
    long count = 0;
    for (const DummyRange& r : ranges)
        count += r.highest - r.lowest + 1;
    return count;
}

namespace {

/// Steps 1-6 on one block.
class BlockReduction {
public:
    BlockReduction(const Incidence& leading, const std::vector<int>& c, const std::vector<int>& d, const ColumnChooser& chooser,
                   DummySelection& out)
        : leading_(leading), c_(c), d_(d), chooser_(chooser), out_(out), lowest_(d.size())
    {
    }

    void run(int block, std::vector<int> equations, std::vector<int> unknowns)
    {
        std::stable_sort(equations.begin(), equations.end(), [this](int p, int q) { return c_[at(p)] > c_[at(q)]; }); // A2
        std::sort(unknowns.begin(), unknowns.end());
        const std::vector<int> all = unknowns;
        for (const int k : all)
            lowest_[at(k)] = d_[at(k)] + 1;
        const bool noAlgebraic = std::all_of(unknowns.begin(), unknowns.end(), [this](int k) { return d_[at(k)] > 0; });
        for (int j = 1;;) {
            SelectionStage stage = stageOf(block, j, equations, unknowns);
            const bool last = stage.m == 0;
            if (j == 1 && noAlgebraic)
                out_.superfluous.insert(out_.superfluous.end(), stage.g.begin(), stage.g.begin() + stage.m);
            if (!last && !choose(stage, equations, unknowns))
                out_.complete = false;
            const bool stop = last || !stage.chosen;
            j += stage.repeats;
            out_.stages.push_back(std::move(stage));
            if (stop)
                break;
        }
        for (const int k : all) {
            if (lowest_[at(k)] > d_[at(k)])
                continue;
            out_.dummies.push_back({k, lowest_[at(k)], d_[at(k)]});
            const int highest = d_[at(k)] - (noAlgebraic ? 1 : 0);
            if (lowest_[at(k)] <= highest)
                out_.reducedDummies.push_back({k, lowest_[at(k)], highest});
        }
    }

private:
    SelectionStage stageOf(int block, int j, const std::vector<int>& equations, const std::vector<int>& unknowns) const
    {
        SelectionStage stage;
        stage.block = block;
        stage.stage = j;
        for (const int i : equations) {
            stage.g.push_back({i, c_[at(i)] - (j - 1)});
            stage.m += stage.g.back().differentiations > 0;
        }
        for (const int k : unknowns)
            stage.z.push_back({k, d_[at(k)] - (j - 1)});
        return stage;
    }

    /// Step 4; equations and unknowns become those of the next stage (Step 5).
    bool choose(SelectionStage& stage, std::vector<int>& equations, std::vector<int>& unknowns)
    {
        const bool whole = stage.m == static_cast<int>(equations.size());
        equations.resize(at(stage.m));
        std::vector<int> columns; // only derivatives can be replaced
        for (const DerivativeRef& z : stage.z)
            if (z.order > 0)
                columns.push_back(z.unknown);
        std::vector<int> picked;
        if (chooser_)
            picked = chooser_(equations, columns);
        else {
            std::stable_sort(columns.begin(), columns.end(), [this](int p, int q) { return d_[at(p)] < d_[at(q)]; });
            picked = structuralChoice(leading_, equations, columns);
        }
        stage.chosen = picked.size() == equations.size();
        if (!stage.chosen)
            return false;
        unknowns.clear();
        for (const int p : picked)
            unknowns.push_back(columns[at(p)]);
        std::sort(unknowns.begin(), unknowns.end());
        if (whole) // the least differentiated equation is the last one
            stage.repeats = stage.g.back().differentiations;
        for (const int k : unknowns) {
            const int order = d_[at(k)] - (stage.stage - 1);
            stage.selected.push_back({k, order});
            lowest_[at(k)] = order - (stage.repeats - 1);
        }
        return true;
    }

    const Incidence& leading_;
    const std::vector<int>& c_;
    const std::vector<int>& d_;
    const ColumnChooser& chooser_;
    DummySelection& out_;
    std::vector<int> lowest_;
};

} // namespace

DummySelection selectDummies(const Signature& signature, const std::vector<int>& c, const std::vector<int>& d,
                             const std::vector<Block>& blocks, const ColumnChooser& chooser)
{
    const Incidence leading = signature.leading(c, d);
    DummySelection out;
    out.augmentedEquations = signature.size();
    for (const int times : c)
        out.augmentedEquations += times;
    BlockReduction reduction(leading, c, d, chooser, out);
    for (std::size_t b = 0; b < blocks.size(); ++b)
        reduction.run(static_cast<int>(b), blocks[b].equations, blocks[b].unknowns);
    const auto byUnknown = [](const DummyRange& p, const DummyRange& q) { return p.unknown < q.unknown; };
    std::sort(out.dummies.begin(), out.dummies.end(), byUnknown);
    std::sort(out.reducedDummies.begin(), out.reducedDummies.end(), byUnknown);
    out.reducedEquations = out.augmentedEquations - static_cast<long>(out.superfluous.size());
    return out;
}

} // namespace driftless::structure
