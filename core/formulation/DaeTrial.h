// Other numbers and other dummies on an instance, for as long as it is asked what they would lead to.
#pragma once

#include "core/formulation/CompiledDae.h"

namespace driftless::formulation {

/// While it lives, parameters, gains, bases and dummies of the instance may be set and the instance be evaluated; when it goes,
/// all of them are as they were, and an integrator that stands on the instance goes on as if nothing had been tried.
class DaeTrial {
public:
    explicit DaeTrial(DaeInstance& instance);
    ~DaeTrial();
    DaeTrial(const DaeTrial&) = delete;
    DaeTrial& operator=(const DaeTrial&) = delete;

private:
    /// Exchanges what the instance has with what is kept: the vectors themselves, so that nothing that refers to them moves.
    void exchange();

    DaeInstance& instance_;
    std::vector<double> parameters_;
    std::optional<BasisValues> bases_;
    Dummies dummies_;
    std::vector<int> places_, active_, unknown_, entryPlace_;
    std::vector<solve::UnknownRole> roles_;
    solve::SparsePattern pattern_;
    std::uint64_t revision_;
};

} // namespace driftless::formulation
