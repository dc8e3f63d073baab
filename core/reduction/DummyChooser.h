// Which derivatives are dummies, block by block, from the numbers at the present point: by condition, or as pinned.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/reduction/Reduced.h"
#include "core/structure/DummySelection.h"

namespace driftless::reduction {

/// A stage of the index reduction that leaves a choice, with what is chosen: derivatives as places among the values.
struct StageChoice {
    int block = 0, stage = 1;
    std::vector<int> candidates; ///< columns of H
    std::vector<int> selected;   ///< columns of M
    double kappa = 1;            ///< ||H|| ||M^-1|| (2-norms): 1 is best; infinite where M is singular
};
/// A single exchange in a stage: `leaves` is a dummy no longer, `enters` becomes one. Places among the values.
struct StageExchange {
    int leaves = 0, enters = 0;
    double kappa = 1;
};

class DummyChooser {
public:
    explicit DummyChooser(std::shared_ptr<const Reduced> reduced);

    /// Takes the values of ReducedEvaluator::jacobian, judged in units of the usual sizes of the values (empty: as they stand).
    void load(std::span<const double> jacobian, std::span<const double> sizes = {});
    /// The best conditioned selection; false where some stage has none (a singular point).
    bool chooseBest(structure::DummySelection& out) const;
    /// The selection that has these derivatives (places among the values) among its dummies. Refuses, and says what could be
    /// pinned, where the columns are dependent or the derivatives cannot be dummies together.
    Result<structure::DummySelection> choosePinned(const std::vector<int>& places) const;
    /// kappa of the stages in force; `out` keeps its size while the selection does.
    void judge(const structure::DummySelection& selection, std::vector<StageChoice>& out) const;
    /// Every single exchange of every stage that leaves a choice, as judge() lists the stages.
    std::vector<std::vector<StageExchange>> exchanges(const structure::DummySelection& selection) const;
    /// Whether some stage has a selection that lowers kappa by the factor.
    bool due(const structure::DummySelection& selection, double factor) const;
    /// Sorted places of the dummies.
    static std::vector<int> places(const Reduced& reduced, const structure::DummySelection& selection);
    std::vector<int> places(const structure::DummySelection& selection) const { return places(*reduced_, selection); }

private:
    struct Leading {
        int column;
        std::size_t entry;
    };
    std::vector<int> bestColumns(std::span<const int> rows, std::span<const int> columns) const;
    std::vector<double> dense(std::span<const int> rows, std::span<const int> columns) const;
    double kappa(std::span<const int> rows, std::span<const int> all, std::span<const int> chosen) const;
    structure::DummySelection select(const structure::ColumnChooser& chooser) const;

    std::shared_ptr<const Reduced> reduced_;
    std::vector<std::vector<Leading>> leading_; ///< of each equation: entries dF_i^(c_i) / dx_j^(d_j)
    std::vector<double> rowSizes_;              ///< of the first values that were loaded: powers of two
    std::vector<double> values_;
};

} // namespace driftless::reduction
