// Pantelides' algorithm. Of the derivatives of an unknown only the highest one present is active: equation i, differentiated
// c_i times, meets x_j exactly where sigma_ij + c_i = d_j. For each equation an augmenting path is sought; where there
// is none, the equations and unknowns that the search has reached are differentiated, and the search goes on.
#include "core/structure/Offsets.h"

#include <algorithm>

#include "core/base/Index.h"

namespace driftless::structure {

namespace {

/// Members of all recorded steps together: what a person could still read, and a bound on memory.
constexpr std::size_t kMostRecorded = 200'000;

class Search {
public:
    explicit Search(const Signature& signature) : signature_(signature)
    {
        const auto n = signature.rows.size();
        result_.c.assign(n, 0);
        result_.d = signature.highestOrders(result_.c);
        result_.matching.columnOfRow.assign(n, -1);
        result_.matching.rowOfColumn.assign(at(signature.columns), -1);
        rowSeen_.assign(n, -1);
        columnSeen_.assign(at(signature.columns), -1);
        next_.resize(n);
    }

    PantelidesResult run()
    {
        for (int i = 0; i < signature_.size(); ++i)
            while (!augment(i))
                differentiate(i);
        return std::move(result_);
    }

private:
    bool active(int row, const SignatureEntry& e) const { return e.order + result_.c[at(row)] == result_.d[at(e.column)]; }

    /// A matched column was passed from row `from`: its owner is entered.
    void enter(int row)
    {
        rowSeen_[at(row)] = pass_;
        next_[at(row)] = 0;
        rows_.push_back(row);
        stack_.push_back(row);
        // A free column settles the row at once.
        for (const SignatureEntry& e : signature_.rows[at(row)])
            if (active(row, e) && result_.matching.rowOfColumn[at(e.column)] < 0)
                free_ = e.column;
    }

    bool augment(int root)
    {
        ++pass_;
        rows_.clear();
        columns_.clear();
        stack_.clear();
        taken_.clear();
        free_ = -1;
        enter(root);
        while (!stack_.empty() && free_ < 0) {
            const int i = stack_.back();
            const auto& row = signature_.rows[at(i)];
            std::size_t& k = next_[at(i)];
            while (k < row.size() && !(active(i, row[k]) && columnSeen_[at(row[k].column)] != pass_))
                ++k;
            if (k == row.size()) {
                stack_.pop_back();
                if (!taken_.empty())
                    taken_.pop_back();
                continue;
            }
            const int j = row[k++].column;
            columnSeen_[at(j)] = pass_;
            columns_.push_back(j);
            taken_.push_back(j);
            enter(result_.matching.rowOfColumn[at(j)]);
        }
        if (free_ < 0)
            return false;
        for (std::size_t k = stack_.size(); k-- > 0;) {
            const int j = k + 1 == stack_.size() ? free_ : taken_[k];
            result_.matching.columnOfRow[at(stack_[k])] = j;
            result_.matching.rowOfColumn[at(j)] = stack_[k];
        }
        ++result_.matching.size;
        return true;
    }

    void differentiate(int root)
    {
        for (const int i : rows_)
            ++result_.c[at(i)];
        for (const int j : columns_)
            ++result_.d[at(j)];
        result_.differentiations += static_cast<long>(rows_.size());
        recorded_ += rows_.size() + columns_.size();
        if (recorded_ > kMostRecorded) {
            result_.recordedAll = false;
            return;
        }
        PantelidesStep step{root, rows_, columns_};
        std::sort(step.equations.begin(), step.equations.end());
        std::sort(step.unknowns.begin(), step.unknowns.end());
        result_.steps.push_back(std::move(step));
    }

    const Signature& signature_;
    PantelidesResult result_;
    std::vector<int> rowSeen_, columnSeen_, rows_, columns_, stack_, taken_;
    std::vector<std::size_t> next_;
    int pass_ = 0, free_ = -1;
    std::size_t recorded_ = 0;
};

} // namespace

PantelidesResult pantelides(const Signature& signature) { return Search(signature).run(); }

} // namespace driftless::structure
