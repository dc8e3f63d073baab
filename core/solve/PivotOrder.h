// An order of pivots chosen once for all matrices of a pattern, so that their elimination can be written out in advance.
//
// Pivots are taken that cause little work (Markowitz 1957) among those that are no small share of their column in any of
// several sample matrices and keep their sign in all of them. An order is a guess: whoever follows it has to look at what comes
// out.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/solve/MatrixPlace.h"

namespace driftless::solve {

/// places: of the entries; samples: values on them, the first `usual` of them such as are to be expected: where no pivot suits
/// all samples, one is taken that suits these. Empty where some sample leaves no pivot, and where the elimination takes more
/// than mostWork multiplications.
std::vector<MatrixPlace> pivotOrder(int n, std::span<const MatrixPlace> places, std::span<const std::vector<double>> samples,
                                    std::size_t usual = 0, std::size_t mostWork = std::numeric_limits<std::size_t>::max());

} // namespace driftless::solve
