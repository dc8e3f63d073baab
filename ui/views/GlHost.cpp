#include "ui/views/GlHost.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>

namespace driftless::ui {

namespace {

class QtContext final : public scene::GlContext {
public:
    static Result<std::unique_ptr<scene::GlContext>> create()
    {
        auto made = std::make_unique<QtContext>();
        QSurfaceFormat format;
        format.setRenderableType(QSurfaceFormat::OpenGL);
        format.setProfile(QSurfaceFormat::CoreProfile);
        format.setVersion(3, 2);
        made->context_.setFormat(format);
        if (!made->context_.create())
            return refusal("could not create a context");
        made->surface_.setFormat(made->context_.format());
        made->surface_.create();
        if (!made->surface_.isValid() || !made->makeCurrent())
            return refusal("could not use its surface");
        made->doneCurrent();
        return std::unique_ptr<scene::GlContext>(std::move(made));
    }

    bool makeCurrent() override { return context_.makeCurrent(&surface_); }
    bool isCurrent() const override { return QOpenGLContext::currentContext() == &context_; }
    void doneCurrent() override { context_.doneCurrent(); }
    std::string name() const override { return "Qt off-screen surface"; }

private:
    static Diagnostic refusal(const std::string& what)
    {
        const std::string platform = "platform " + QGuiApplication::platformName().toStdString();
        return {.what = "There is no OpenGL to draw with off the screen",
                .where = "Qt " + platform,
                .why = "Qt's " + platform + ' ' + what,
                .remedy = {},
                .position = {}};
    }

    QOffscreenSurface surface_;
    QOpenGLContext context_;
};

} // namespace

Result<std::unique_ptr<scene::GlContext>> makeGlContext()
{
    scene::boundRasterThreads();
    const QByteArray asked = qgetenv("DRIFTLESS_GL");
    std::string refusals;
    if (asked != "qt") {
        auto egl = scene::makeSurfacelessContext();
        if (egl || asked == "egl")
            return egl;
        refusals = egl.error().why + ", and ";
    }
    // Qt's offscreen and minimal platforms have no OpenGL; some of their versions crash when asked.
    const QString platform = QGuiApplication::platformName();
    if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal"))
        refusals += "Qt's platform " + platform.toStdString() + " has no OpenGL of its own";
    else {
        auto qt = QtContext::create();
        if (qt)
            return qt;
        refusals += qt.error().why;
    }
    return Diagnostic{
        .what = "The scene cannot be drawn without OpenGL 3.2",
        .why = refusals,
        .remedy = "install Mesa's drivers (libgl1-mesa-dri, libegl1), or run where a display is available; everything but "
                  "the scene works without"};
}

} // namespace driftless::ui
