// Reads what a model file states as equations: [[coordinate]], [[constraint]], [[potential]], [[dynamic]], [[effort]],
// [velocity], [[visual]], and forces of kind "generalized".
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "core/mechanism/ExpressionReader.h"
#include "core/mechanism/ReadModel.h"

namespace driftless::model {

struct GeneralScopes {
    const Scope& parameters;
    const Scope& position; ///< coordinates, t, parameters
    const Scope& motion;   ///< and velocities, dynamic variables, efforts
};

/// The keys of the file that this reader knows.
const KeyList& generalKeys();

/// First pass, before any expression over the motion can be read: coordinates, names of dynamic variables and efforts.
void readGeneralNames(const TomlValue& root, const ReadLimits& limits, const Scope& parameters,
                      std::unordered_set<std::string>& taken, const std::function<bool(const std::string&)>& isBody,
                      General& out);
/// Second pass: equations. coordinates are the full names of all; chart may be null.
void readGeneralEquations(const TomlValue& root, const ReadLimits& limits, const GeneralScopes& scopes,
                          std::unordered_set<std::string>& taken, const std::vector<std::string>& coordinates,
                          const Chart* chart, General& out);
/// One force of kind "generalized".
void readGeneralForce(const TableReader& table, const Scope& motion, const std::vector<std::string>& coordinates, General& out);

} // namespace driftless::model
