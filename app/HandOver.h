// Two executables: `driftless` links the core alone, so that headless commands load neither Qt nor VTK; what draws stands in
// `driftless-window`, and `driftless` becomes that one where a picture or the window is asked for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::app {

/// A command that only the executable with the window carries out.
struct DrawingCommand {
    const char* name;
    const char* does; ///< in one line
};

inline constexpr DrawingCommand kRender{"render", "The scene of a model: a picture, positions at equal times, or a film"};
inline constexpr DrawingCommand kScreenshot{"screenshot", "A picture of the whole window, without a display"};
inline constexpr DrawingCommand kFigure{"figure", "Several runs compared in one figure and one table"};
inline constexpr DrawingCommand kLesson{"lesson", "A lesson as a printable hand-out"};
inline constexpr std::array kDrawingCommands{kRender, kScreenshot, kFigure, kLesson};

/// What of the program the arguments behind its name ask for, where the core carries out these commands; any other word means
/// the window.
enum class Wanted {
    Headless, ///< the core is enough
    Figures,  ///< a study: its figures need the window's executable, all else of it does not
    Drawing   ///< a drawing command, or the window itself
};
Wanted wantedBy(std::span<const char* const> arguments, const std::vector<std::string>& headlessCommands);

/// Becomes `driftless-window`, which stands beside this executable or in ../libexec/driftless, with the same arguments. Returns
/// only where there is none.
void handOver(char** argv);

} // namespace driftless::app
