// Where the window's scene gets its OpenGL from.
#pragma once

#include <memory>

#include "core/base/Result.h"
#include "ui/scene/GlContext.h"

namespace driftless::ui {

/// An off-screen context, by the first way that works: EGL without a surface (Mesa; needs no display at all), then Qt's own
/// off-screen surface (any platform plugin with OpenGL, real graphics cards). DRIFTLESS_GL=egl or =qt asks for one of them.
/// The Diagnostic names both refusals.
Result<std::unique_ptr<scene::GlContext>> makeGlContext();

} // namespace driftless::ui
