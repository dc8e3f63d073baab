// Changes of a mechanism's text that an edit brings with it: start values, the chart that states them, and the assembly of what
// was joined. Text and numbers in, text out.
#pragma once

#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/mechanism/ModelText.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/State.h"
#include "ui/document/EditGeometry.h"

namespace driftless::ui {

constexpr int kLargestAssembled = 1000; ///< coordinates, for pulling and for assembling what is joined

/// The start values of bodies that are written where to differs from from, or all of them with their velocities. Coordinates
/// whose table the text does not have are left out.
std::vector<model::ModelText::FieldChange> startChanges(const model::ModelText& text,
                                                        const std::vector<model::Coordinate>& coordinates,
                                                        const model::ModelState& to, const model::ModelState& from, bool all);

/// Leaves out the chart of minimal coordinates; a start that it states is written to the bodies.
Result<void> releaseChart(model::ModelText& text, const std::vector<model::Coordinate>& coordinates,
                          const model::ModelState& state);

/// The text to build on: a chart that states the start is replaced by start values of the bodies.
model::ModelText draftOf(const model::ModelText& text, const std::vector<model::Coordinate>& coordinates,
                         const model::ModelState& state);

/// Starts moved to where the joints of the text fit together, at these values of parameters. Where they do not the text stays.
void assemble(model::ModelText& text, const std::map<std::string, double>& parameters);

/// As a table writes the end of a joint or force.
std::string endText(const EditEnd& end);
inline constexpr double kRailPart = std::numbers::pi / 12; ///< rails and walls lie at multiples of 15 degrees
/// A multiple of 15 degrees as it is written by hand: "pi/6".
std::string railAngle(int parts);
/// An angle [rad] as it is written: a multiple of 15 degrees exactly, so that a right angle is one; else to twelve decimals.
/// slack [rad]: what may be missing to a multiple.
std::string angleText(double angle, double slack = 1e-9);

} // namespace driftless::ui
