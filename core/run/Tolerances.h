// The absolute tolerance of each quantity of a run, and which statement it follows from (docs/models.md, "How large things are,
// and how exact").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/NominalScales.h"

namespace driftless::run {

/// One place where the tolerance of an unknown may be stated: by this name in the settings of the run, or in the file; times
/// factor.
struct ToleranceSource {
    std::string name;
    double inFile = 0, factor = 1;
};
using ToleranceSources = std::vector<ToleranceSource>;

/// Of every unknown the places, the nearest first. A coordinate's tolerance is that of its velocity, too, divided by the
/// model's time T, and so on for its acceleration, unless these have their own.
std::map<std::string, ToleranceSources> toleranceSources(const model::ConstrainedSystem& system, double T);

enum class ToleranceFrom {
    Run,         ///< stated by the run's settings for this quantity, or for the one that it follows from
    File,        ///< the same by the model's file
    Multipliers, ///< the run's tolerance of all multipliers
    AllAlike,    ///< the run's one absolute tolerance
    Nominal      ///< relative tolerance times nominal value
};

struct AppliedTolerance {
    double value = 0; ///< in the unit of the quantity; NaN: of a quantity whose nominal value only the equations know
    ToleranceFrom from = ToleranceFrom::Nominal;
    const ToleranceSource* source = nullptr; ///< of Run and File
};

/// What an unknown is besides its name.
struct ToleratedUnknown {
    bool multiplier = false;
    bool general = false; ///< a value of a general DAE: there the one absolute tolerance counts in nominal values
    double usual = 0;     ///< nominal value
};
AppliedTolerance appliedTolerance(const ToleranceSources& sources, const ToleratedUnknown& unknown,
                                  const integrate::IntegratorOptions& options);

/// Those of the positions alone [m or rad], n.
std::vector<double> placeTolerances(const model::ConstrainedSystem& system, const model::NominalScales& scales,
                                    const integrate::IntegratorOptions& options);

struct QuantityTolerance {
    std::string name, unit;
    double value = 0; ///< as in AppliedTolerance
    ToleranceFrom from = ToleranceFrom::Nominal;
    std::string source; ///< of Run and File: the quantity that it is stated for
};

/// Of positions, velocities, chart coordinates, multipliers, dynamic variables, efforts and values of equations, in this order.
std::vector<QuantityTolerance> quantityTolerances(const model::ConstrainedSystem& system, const model::NominalScales& scales,
                                                  const integrate::IntegratorOptions& options);

} // namespace driftless::run
