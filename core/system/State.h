// The state of a model, whatever formulation produced it.
#pragma once

#include <vector>

namespace driftless::model {

/// q, v, a: n numbers each; lambda: the m multipliers, then the dynamic variables and the efforts where the model has
/// any, then the idle and the held ones (ConstrainedSystem::w() numbers). a and lambda may be estimates (see who fills them).
struct ModelState {
    double t = 0;
    std::vector<double> q, v, a, lambda;

    void resize(int n, int w)
    {
        q.assign(static_cast<std::size_t>(n), 0.0);
        v = a = q;
        lambda.assign(static_cast<std::size_t>(w), 0.0);
    }
};

} // namespace driftless::model
