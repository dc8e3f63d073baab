// The numbers of a form's bases: orthonormal kernels of G and W, gradients, multipliers carried over.
//
//   reference kernel A      columns orthonormal, spanning ker G at the point of the last refresh
//   continuous kernel A(q)  (I - G^T (G G^T)^-1 G) A: spans ker G(q), and is smooth in q near the reference, where a basis
//                           computed afresh would turn by an arbitrary rotation
//   kappa                   1 / cos of the largest principal angle between ker W and its reference: 1 when up to date,
//                           infinite where a direction of motion has turned out of the basis
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/formulation/Dae.h"
#include "core/system/CompiledSystem.h"

namespace driftless::formulation {

class BasisValues {
public:
    BasisValues(std::shared_ptr<const model::CompiledSystem> system, const std::vector<Basis>& bases);
    ~BasisValues();
    BasisValues(const BasisValues& other);
    BasisValues(BasisValues&&) noexcept;
    BasisValues& operator=(BasisValues&&) noexcept;

    void setParameters(std::span<const double> values);
    /// All entries, basis after basis.
    std::span<const double> values() const;
    /// New reference at (t, q); lambda gives carried multipliers. False: G cannot be computed or has lost rank, see message().
    bool refresh(double t, const double* q, const double* lambda);
    /// The continuous kernels at (t, q). Does not allocate.
    bool follow(double t, const double* q);
    /// Only the carried multipliers.
    void carry(const double* lambda);
    double kappa(double t, const double* q);
    const std::string& message() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::formulation
