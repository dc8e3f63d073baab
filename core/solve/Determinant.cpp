#include "core/solve/Determinant.h"

namespace driftless::solve {

int signOfDeterminant(const Eigen::PartialPivLU<Eigen::MatrixXd>& lu)
{
    // Inversions of the permutation: Eigen's determinant of it allocates, and a step does not.
    const auto& order = lu.permutationP().indices();
    int sign = 1;
    for (Eigen::Index i = 0; i < order.size(); ++i)
        for (Eigen::Index j = i + 1; j < order.size(); ++j)
            if (order(i) > order(j))
                sign = -sign;
    for (Eigen::Index i = 0; i < lu.matrixLU().rows(); ++i)
        sign *= (lu.matrixLU()(i, i) > 0) - (lu.matrixLU()(i, i) < 0);
    return sign;
}

} // namespace driftless::solve
