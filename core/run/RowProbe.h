// What monitors ask of a row beside its numbers, computed from the model at that row and the one before.
#pragma once

#include <vector>

#include "core/run/ConstraintMatrices.h"
#include "core/run/Monitor.h"
#include "core/run/Selector.h"

namespace driftless::run {

class RowProbe final : public MonitorProbe {
public:
    /// All of it is borrowed; before and now change from row to row.
    RowProbe(ConstraintMatrices& matrices, const model::ModelState& before, const model::ModelState& now);
    /// Whose dummies are named.
    void follow(const Selector& selector, const Core& core);

    bool positionRows(std::span<const double>& g) override;
    bool positionJacobian(std::span<const double>& values) override;
    bool coordinateRates(std::span<double> before, std::span<double> now) override;
    Rates rates() override;
    std::vector<std::string> dummies() override;

private:
    ConstraintMatrices& matrices_;
    const model::ModelState &before_, &now_;
    const Selector* selector_ = nullptr;
    const Core* core_ = nullptr;
    std::vector<double> rows_, jacobian_;
};

} // namespace driftless::run
