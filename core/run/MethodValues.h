// The model's state inside of a step, from the polynomial of the method that took it.
#pragma once

#include <limits>
#include <vector>

#include "core/integrate/RateSolver.h"
#include "core/run/Interval.h"
#include "core/run/RunCore.h"

namespace driftless::run {

class MethodValues final : public DenseValues {
public:
    /// core: what took the step, for each call that of the last step. general: of a general DAE.
    explicit MethodValues(bool general) : general_(general) {}
    /// At the end of each step: the state there, borrowed until the next one.
    void follow(const Core& core, const model::ModelState& now, double h);

    bool known() const override;
    bool at(double t, double* lambda) override;
    bool solved(double t, double* lambda) override;
    int degree() const override;
    bool motion(double t, double* q, double* v) override;

private:
    bool read(double t);

    bool general_;
    const Core* core_ = nullptr;
    const model::ModelState* now_ = nullptr;
    double h_ = 0; ///< [s] of the step
    std::vector<double> y_, early_, late_, rates_;
    double t_ = std::numeric_limits<double>::quiet_NaN(); ///< [s] of state_, in this step
    model::ModelState state_;
    integrate::RateSolver solver_;
    bool prepared_ = false; ///< the solver, for this step
};

} // namespace driftless::run
