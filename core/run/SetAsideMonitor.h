// Whether constraints that were set aside, because they follow from the others, still do.
//
// Their |g^| without dimensions (ConstraintRows.h) may be a hundred times that of the rows kept, plus 1e-8: a row set aside is
// a combination of the others with weights of some units, up to what is quadratic in their residuals, and a hundred times
// theirs covers both. Round-off of a consistent start leaves 1e-12. Rows on velocities count against their terms at the usual
// velocities, and what is left of the others in nominal sizes.
#pragma once

#include "core/run/Monitor.h"

namespace driftless::run {

class SetAsideMonitor final : public Monitor {
public:
    /// scale: what g is measured in, of the rows kept, then of those set aside [units of g]; residuals count as they are where
    /// it has another size. velocities: rows on velocities were set aside, too.
    SetAsideMonitor(std::size_t kept, std::size_t aside, std::vector<double> scale, bool velocities = false);

    /// Whether rows set aside are further off than those kept allow.
    std::optional<LeftSetAside> leaves(std::span<const double> kept, std::span<const double> aside) const;

private:
    void restart(const Observation&, MonitorProbe&) override {}
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    static std::optional<LeftSetAside> velocitiesLeave(const Observation& row);
    bool concerns(const Observation&) const override { return any_; }

    bool any_ = false;                           ///< rows that were set aside
    std::vector<double> keptScale_, asideScale_; ///< empty: 1
};

} // namespace driftless::run
