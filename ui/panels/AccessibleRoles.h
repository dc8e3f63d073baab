// What the widgets that draw themselves are to a screen reader.
#pragma once

namespace driftless::ui {

/// Once for the application; more often does nothing.
void installAccessibleRoles();

} // namespace driftless::ui
