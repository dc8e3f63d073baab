// What a trial copies, and how it is put back.
#include "core/formulation/DaeTrial.h"

#include <utility>

namespace driftless::formulation {

DaeTrial::DaeTrial(DaeInstance& instance)
    : instance_(instance), parameters_(instance.parameters_), bases_(instance.bases_), dummies_(instance.dummies_),
      places_(instance.places_), active_(instance.active_), unknown_(instance.unknown_), entryPlace_(instance.entryPlace_),
      roles_(instance.roles_), pattern_(instance.pattern_), revision_(instance.revision_)
{
    exchange();
}

DaeTrial::~DaeTrial()
{
    exchange();
    instance_.revision_ = revision_;
    if (instance_.mechanical_)
        instance_.mechanical_->setParameters(
            std::span<const double>(instance_.parameters_).first(instance_.modelParameterCount_));
}

void DaeTrial::exchange()
{
    std::swap(parameters_, instance_.parameters_);
    std::swap(bases_, instance_.bases_);
    std::swap(dummies_, instance_.dummies_);
    std::swap(places_, instance_.places_);
    std::swap(active_, instance_.active_);
    std::swap(unknown_, instance_.unknown_);
    std::swap(entryPlace_, instance_.entryPlace_);
    std::swap(roles_, instance_.roles_);
    std::swap(pattern_, instance_.pattern_);
}

} // namespace driftless::formulation
