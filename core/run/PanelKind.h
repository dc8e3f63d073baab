// What a panel shows, in one vocabulary for studies, lessons, figures and the window.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::run {

enum class PanelKind {
    Residuals,   ///< max norms of g, dg/dt, d²g/dt²
    EnergyError, ///< of E(t) - E(0) - W(t)
    Difference,  ///< of positions (and velocities) from another run
    Curve,       ///< an expression against time
    Phase,       ///< one expression against another
    Step,        ///< accepted steps
    Order,
    Multipliers,
    Pivots,  ///< which derivatives are dummies
    Scatter, ///< one measure of each run against another
    Strobe   ///< pictures of the scene
};

/// "energy-error"
std::string_view panelWord(PanelKind kind);
/// By its word or an earlier one ("energy", "deviation", "error", "quantity", "step-size"); none where there is no such panel.
std::optional<PanelKind> findPanel(std::string_view word);
/// The words of some kinds, for messages.
std::vector<std::string> panelWords(const std::vector<PanelKind>& kinds);

/// Kinds that a study draws, and those that a window shows while its runs go on.
const std::vector<PanelKind>& studyPanels();
const std::vector<PanelKind>& livePanels();

} // namespace driftless::run
