// The family of formulations: each rewrites a constrained system as a DAE.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/formulation/Dae.h"
#include "core/model/Model.h"

namespace driftless::formulation {

struct FormulationInfo {
    std::string id;
    std::string title;
    std::string source;    ///< citation with equation numbers
    int index = 0;
    std::string requirements; ///< in words: "a chart", "full rank of G"
    std::string keeps;     ///< one sentence: what it keeps and what it loses
    bool needsChart = false;
    bool pivots = false;
};

class Formulation {
public:
    virtual ~Formulation() = default;
    virtual const FormulationInfo& info() const = 0;
    /// Refuses a model it cannot carry with the reason.
    virtual Result<Dae> build(const model::Model& model) const = 0;
};

/// All formulations in the order they are listed.
std::span<const std::unique_ptr<const Formulation>> formulations();
const Formulation* findFormulation(std::string_view id);
/// findFormulation with a diagnostic that suggests the nearest id.
Result<const Formulation*> requireFormulation(std::string_view id);

} // namespace driftless::formulation
