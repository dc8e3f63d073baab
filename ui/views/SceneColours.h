// The theme's colours as the scene takes them.
#pragma once

#include "ui/scene/SceneTypes.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

inline scene::Rgb rgb(const QColor& c) { return {c.redF(), c.greenF(), c.blueF()}; }

inline scene::Colours coloursOf(const Theme& theme)
{
    scene::Colours colours = theme.dark ? scene::Colours::dark() : scene::Colours::light();
    colours.window = rgb(theme.window);
    colours.surface = rgb(theme.surface);
    colours.text = rgb(theme.text);
    colours.secondary = rgb(theme.secondary);
    colours.line = rgb(theme.line);
    for (std::size_t i = 0; i < colours.runs.size(); ++i)
        colours.runs[i] = rgb(theme.runs[i]);
    return colours;
}

} // namespace driftless::ui
