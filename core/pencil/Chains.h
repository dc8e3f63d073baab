// Jordan chains of a nilpotent matrix in graded coordinates; private to this room.
#pragma once

#include <algorithm>
#include <vector>

#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

template <typename Dense>
struct GradedChains {
    Dense columns;           ///< M columns = columns * (upper Jordan blocks)
    std::vector<int> blocks; ///< largest first
};

/// M is strictly block upper triangular with blocks of sizes s_1 >= s_2 >= ..., and the blocks beside the diagonal have full
/// column rank: the first s_1 + ... + s_k coordinates span the kernel of M^k. Each level keeps what the longer chains have
/// become and is completed by an orthogonal basis of the rest.
template <typename Dense>
GradedChains<Dense> gradedChains(const Dense& M, const std::vector<int>& sizes)
{
    const Eigen::Index n = M.rows();
    std::vector<std::vector<Dense>> chains;
    GradedChains<Dense> out;
    Eigen::Index end = n;
    for (std::size_t level = sizes.size(); level-- > 0;) {
        const Eigen::Index size = sizes[level], begin = end - size;
        Dense carried(n, static_cast<Eigen::Index>(chains.size()));
        for (std::size_t c = 0; c < chains.size(); ++c) {
            chains[c].push_back(M * chains[c].back());
            carried.col(static_cast<Eigen::Index>(c)) = chains[c].back();
        }
        Dense complement = Dense::Identity(size, size);
        if (carried.cols() > 0) {
            const Dense part = carried.middleRows(begin, size);
            complement = Dense(Eigen::HouseholderQR<Dense>(part).householderQ());
        }
        for (Eigen::Index k = carried.cols(); k < size; ++k) {
            Dense top = Dense::Zero(n, 1);
            top.middleRows(begin, size) = complement.col(k);
            chains.push_back({top});
            out.blocks.push_back(static_cast<int>(level) + 1);
        }
        end = begin;
    }
    out.columns = Dense(n, n);
    Eigen::Index at = 0;
    for (const auto& chain : chains)
        for (std::size_t i = chain.size(); i-- > 0;)
            out.columns.col(at++) = chain[i];
    return out;
}

} // namespace driftless::pencil
