// Values of parameters where some are set: what follows from others does so until it is set itself. A value that is just the
// one of its binding follows, whoever gave it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/system/ConstrainedSystem.h"

namespace driftless::model {

/// The file's values with those that are set in their places, by name; names that are none of a parameter do not count.
std::vector<double> parameterValues(const ConstrainedSystem& system, const std::map<std::string, double>& set);
/// The fewest values that are set where parameterValues() gives these; values beyond the last one are those of the file.
std::map<std::string, double> statedValues(const ConstrainedSystem& system, std::vector<double> values);
/// Sets one of the values. A parameter that had the value of its binding follows to the new one; another one was set itself.
void setParameter(const ConstrainedSystem& system, std::vector<double>& values, std::size_t index, double value);
/// A parameter by its index, and what it is set to.
using ParameterSetting = std::pair<std::size_t, double>;
/// These in an order in which setParameter() leads from the values to where all of them hold and the others follow as if all
/// were set at one time: as given, or what others follow from first, or last, whichever passes through values that are allowed.
std::vector<ParameterSetting> inOrderToSet(const ConstrainedSystem& system, const std::vector<double>& values,
                                           const std::vector<ParameterSetting>& settings,
                                           const std::function<bool(std::span<const double>)>& allowed);

} // namespace driftless::model
