// How a figure is to look, as typed: the options that commands which draw figures share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "ui/figures/Figure.h"
#include "ui/views/FigureExport.h"

namespace CLI {
class App;
}

namespace driftless::app {

struct FigureLook {
    std::string font = "sans", size = "page", theme = "light", layout = "overlay";
    double points = 0; ///< 0: what the size brings along
    int columns = 0;
    bool bare = false, events = false;
    std::vector<std::string> panels;
};

/// --font, --size, --points, --theme, --layout, --columns, --panel, --bare, --events.
void addFigureLook(CLI::App& command, FigureLook& look);

/// "column", "page" or "slide".
std::optional<figures::SizePreset> sizePreset(const std::string& name);
/// "column", "page", "slide", "120mm" or "120x80mm" (width by height; without a height as high as needed).
Result<figures::Style> figureStyle(const FigureLook& look);

/// Fills looks and panels of the request; names of columns are those of the runs' recordings. Without --panel: residuals,
/// energy, and the first coordinate against time.
Result<void> applyLook(const FigureLook& look, ui::ExportRequest& request);

} // namespace driftless::app
