// The exchanges of dummies that a panel may offer, judged at a state: the last row of a run, or one that is looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/formulation/Dae.h"
#include "core/run/ConstraintMatrices.h"
#include "core/run/Published.h"

namespace driftless::run {

struct OfferedAt {
    double t = 0;              ///< [s]
    const double* q = nullptr; ///< n
    double kappa = 1;          ///< of the selection in force, for systems too large to try exchanges
};
/// Whether exchanges are tried for a panel: of larger systems the selection itself is judged.
constexpr bool triesExchanges(int n, int m)
{
    constexpr std::int64_t kMostWork = 4096;
    return std::int64_t{n} * m * m <= kMostWork;
}
/// now: the selection in force, or the one that is followed. The matrices are loaded for it.
Published::Exchanges exchangesAt(ConstraintMatrices& matrices, const formulation::Dae& form, const formulation::Dummies& now,
                                 const OfferedAt& at);
/// The same from nothing: dearer.
Published::Exchanges exchangesAt(const std::shared_ptr<const model::CompiledSystem>& system, std::span<const double> parameters,
                                 const formulation::Dae& form, const formulation::Dummies& now, const OfferedAt& at);
/// Whether positions and velocities are selected apart.
bool selectsApart(const model::CompiledSystem& system, const formulation::Dae& form);

} // namespace driftless::run
