// How far [G; L] is from losing rank, L = d(W v + g_t)/dq: the matrix (3.24) of [PP92] is [G; L] [G; L]^T, and where it is
// singular mu and tau of (3.16) and the ssf-solution of (3.1) are not determined.
#pragma once

#include <memory>

#include "core/system/CompiledSystem.h"
#include "core/system/NominalScales.h"
#include "core/system/State.h"

namespace driftless::run {

class RateRank {
public:
    RateRank();
    ~RateRank();

    /// Whether a matrix was ever loaded: many runs never ask, and pay nothing.
    bool asked() const { return work_ != nullptr; }
    /// False where the matrix cannot be computed. No allocation up to kExactRows rows, but for the first time.
    bool load(model::SystemEvaluator& evaluator, const model::NominalScales& units, const model::ModelState& state);
    /// Smallest singular value of the loaded matrix against its largest, 0 to 1; beyond kExactRows estimated by pivots.
    double ratio() const;
    /// Sign of the determinant where the matrix is square, else 0: a change between two states means that it was singular
    /// between.
    int orientation() const;

    static constexpr int kExactRows = 64;

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

} // namespace driftless::run
