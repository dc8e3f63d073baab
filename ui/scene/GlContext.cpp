#include "ui/scene/GlContext.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace driftless::scene {

namespace {

Diagnostic refusal(const char* step)
{
    char code[16];
    std::snprintf(code, sizeof code, "0x%04X", static_cast<unsigned>(eglGetError()));
    return {.what = "There is no OpenGL to draw with off the screen",
            .where = "EGL surfaceless",
            .why = std::string(step) + " failed with EGL error " + code,
            .remedy = "install Mesa's drivers (libgl1-mesa-dri, libegl1), or run where a display is available"};
}

class SurfacelessContext final : public GlContext {
public:
    SurfacelessContext(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
    ~SurfacelessContext() override
    {
        if (isCurrent())
            doneCurrent();
        // The display is shared by the process and stays initialised.
        eglDestroyContext(display_, context_);
    }
    bool makeCurrent() override
    {
        eglBindAPI(EGL_OPENGL_API);
        return eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
    }
    bool isCurrent() const override { return eglGetCurrentContext() == context_; }
    void doneCurrent() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }
    std::string name() const override { return "EGL surfaceless"; }

private:
    EGLDisplay display_;
    EGLContext context_;
};

} // namespace

void GlContext::version(int& major, int& minor) const
{
    major = minor = 0;
    if (const auto* text = reinterpret_cast<const char*>(glGetString(GL_VERSION)))
        std::sscanf(text, "%d.%d", &major, &minor);
}

void GlContext::flush() const { glFlush(); }

bool GlContext::readTopDown() const
{
    constexpr GLenum kPackInvert = 0x8758; // GL_MESA_pack_invert
    while (glGetError() != GL_NO_ERROR) {}
    glPixelStorei(kPackInvert, GL_TRUE);
    return glGetError() == GL_NO_ERROR;
}

void boundRasterThreads()
{
    const unsigned cores = std::thread::hardware_concurrency();
    ::setenv("LP_NUM_THREADS", std::to_string(std::max(1u, cores / 2)).c_str(), 0);
}

Result<std::unique_ptr<GlContext>> makeSurfacelessContext()
{
    ::setenv("EGL_LOG_LEVEL", "fatal", 0); // what it says on its own would stand beside our message
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !std::strstr(extensions, "EGL_MESA_platform_surfaceless"))
        return refusal("asking for EGL_MESA_platform_surfaceless");
    const auto getDisplay = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!getDisplay)
        return refusal("eglGetPlatformDisplayEXT");
    const EGLDisplay display = getDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        return refusal("eglInitialize");
    if (!eglBindAPI(EGL_OPENGL_API))
        return refusal("eglBindAPI");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
        return refusal("eglChooseConfig");
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT)
        return refusal("eglCreateContext");
    return std::unique_ptr<GlContext>(std::make_unique<SurfacelessContext>(display, context));
}

} // namespace driftless::scene
