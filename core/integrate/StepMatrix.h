// The matrix of an implicit step on constrained motion. Large ones are eliminated by their structure where that suits the
// numbers (solve::SaddleElimination), and by a general solver where it does not, or where its corrections shrink too slowly: in
// the same step. What decides follows from the steps since the last restart alone.
#pragma once

#include <memory>

#include "core/solve/LinearSolver.h"
#include "core/solve/SaddleElimination.h"

namespace driftless::integrate {

class StepMatrix {
public:
    /// The first `rates` columns belong to rates of differential unknowns. pattern stays as it is. Allocates.
    void analyse(const solve::SparsePattern& pattern, int rates)
    {
        if (!general_ || size_ != pattern.columns)
            general_ = solve::makeLinearSolver(pattern.columns);
        size_ = pattern.columns;
        pattern_ = &pattern;
        eliminates_ = size_ > solve::kDenseLimit && saddle_.analyse(pattern, rates);
        analysed_ = bySaddle_ = false;
        forget();
        if (!eliminates_)
            analyseGeneral();
    }
    void forget() { unsuited_ = 0; }
    /// Another system of equations, whose iteration may begin with the elimination by structure.
    void begin()
    {
        if (bySaddle_)
            unsuited_ = 0;
        tried_ = false;
    }
    /// Corrections at which an iteration is taken to be slow (solve::NewtonControl::patience): a further one costs a fifth of a
    /// general factorisation.
    int patience(int usual) const { return eliminates_ ? usual + 2 : usual; }

    solve::Factorization factor(const double* values)
    {
        unsuited_ += tried_ && bySaddle_;
        bySaddle_ = eliminates_ && !tried_ && unsuited_ < kGiveUp && saddle_.factor(values);
        tried_ = true;
        if (bySaddle_)
            return {.ok = true, .pivotRatio = saddle_.pivotRatio()};
        analyseGeneral();
        return general_->factor(values);
    }
    void solve(double* b)
    {
        if (bySaddle_)
            saddle_.solve(b);
        else
            general_->solve(b);
    }

private:
    static constexpr int kGiveUp = 3; ///< solutions in a row that took a second matrix

    /// Of a large matrix the order of elimination takes longer than many steps, and may never be needed.
    void analyseGeneral()
    {
        if (!analysed_)
            general_->analyse(*pattern_);
        analysed_ = true;
    }

    const solve::SparsePattern* pattern_ = nullptr;
    std::unique_ptr<solve::LinearSolver> general_;
    solve::SaddleElimination saddle_;
    int size_ = 0, unsuited_ = 0;
    bool eliminates_ = false, analysed_ = false;
    bool bySaddle_ = false, tried_ = false; ///< how the matrix stands factorised; in the iteration under way
};

} // namespace driftless::integrate
