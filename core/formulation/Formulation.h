// The family of formulations: each rewrites a constrained system as a DAE.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/formulation/Dae.h"
#include "core/system/Model.h"

namespace driftless::formulation {

/// A choice that a formulation leaves to its user.
struct FormulationOption {
    std::string name; ///< "basis"
    std::string description;
    std::vector<std::string> choices; ///< the first is the default
    std::vector<Enforces> enforces{}; ///< of each choice, where it decides which levels are held; else empty
};
using OptionValues = std::map<std::string, std::string>;

/// A parameter of the formulation's own, live like the model's.
struct GainInfo {
    std::string name{}; ///< "xi"
    std::string unit{};
    std::string meaning{};
    double value = 0; ///< the default, in the units of the file
    double minimum = 0, maximum = 0;
    bool byModel = false; ///< only some models have it, or its unit follows from the model: Dae::gains has what is in force
};

struct FormulationInfo {
    std::string id;
    std::string title;
    std::string source; ///< citation with equation numbers
    int index = 0;
    std::string requirements; ///< in words: "a chart", "full rank of G"
    std::string keeps;        ///< one sentence: what it keeps and what it loses
    bool needsChart = false;
    bool pivots = false;
    std::vector<FormulationOption> options{};
    bool fullRank = true; ///< refuses redundant constraints
    bool general = false; ///< carries models of equations, too
    bool massAlone =
        false; ///< solves with M alone, not with M and the constraints together: refused where M is singular (quaternions)
    std::vector<GainInfo> gains{};
    Enforces enforces{}; ///< the levels of the constraints that it holds, unless an option decides it (enforcedBy)
};

/// The levels that the form holds with these options: what a switch to it restores, without a rewrite.
Enforces enforcedBy(const FormulationInfo& info, const OptionValues& options = {});

/// The chosen value of an option, or its default.
const std::string& optionOf(const FormulationInfo& info, const OptionValues& values, std::string_view name);
/// Refuses unknown options and choices.
Result<void> checkOptions(const FormulationInfo& info, const OptionValues& values);

class Formulation {
public:
    virtual ~Formulation() = default;
    virtual const FormulationInfo& info() const = 0;
    /// Refuses a model it cannot carry with the reason. Costs as much as reading the model: what info() says needs none.
    Result<Dae> build(const model::Model& model, const OptionValues& options = {}) const;

private:
    /// Rows, unknowns, choices and bases; what info() says (the levels that are held) is added by build().
    virtual Result<Dae> rewrite(const model::Model& model, const OptionValues& options) const = 0;
};

/// All formulations in the order they are listed.
std::span<const std::unique_ptr<const Formulation>> formulations();
const Formulation* findFormulation(std::string_view id);
/// findFormulation with a diagnostic that suggests the nearest id.
Result<const Formulation*> requireFormulation(std::string_view id);

} // namespace driftless::formulation
