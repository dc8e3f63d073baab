// An off-screen OpenGL 3.2 core context: the scene renderer's only demand on the platform.
#pragma once

#include <memory>
#include <string>

#include "core/base/Result.h"

namespace driftless::scene {

class GlContext {
public:
    virtual ~GlContext() = default;
    virtual bool makeCurrent() = 0;
    virtual bool isCurrent() const = 0;
    virtual void doneCurrent() = 0;
    /// For messages: which way to OpenGL was taken.
    virtual std::string name() const = 0;
    /// OpenGL's version while current; 0.0 when it cannot be told.
    void version(int& major, int& minor) const;
    /// Lets OpenGL begin with what it has been given; while current.
    void flush() const;
    /// Asks that pictures are read from their upper row down from now on; while current. False where OpenGL cannot (Mesa's
    /// can): then they are read from the lowest row up.
    bool readTopDown() const;
};

/// Leaves a share of the cores to the runs that are computed beside the drawing: a software OpenGL rasterises with one thread
/// for each core unless it is told, before the first context, and on two cores their waiting for each other costs more than the
/// second one brings. A graphics card does not care. LP_NUM_THREADS in the environment wins.
void boundRasterThreads();

/// A context without any window system (EGL_PLATFORM_SURFACELESS_MESA), one per call. Fails with the step that did.
Result<std::unique_ptr<GlContext>> makeSurfacelessContext();

} // namespace driftless::scene
