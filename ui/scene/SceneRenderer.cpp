#include "ui/scene/SceneRenderer.h"

#include <vtkActor.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCullerCollection.h>
#include <vtkFloatArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkIdTypeArray.h>
#include <vtkLight.h>
#include <vtkLightCollection.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLActor.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkOpenGLState.h>
#include <vtkOpenGLVertexBufferObject.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRect.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstring>

#include "ui/scene/Painter.h"

namespace driftless::scene {

namespace {

constexpr double kCorners = 0.5;                          // of the box of a space model that are fitted into the view
constexpr int kGlRgba = 0x1908, kGlUnsignedByte = 0x1401; // as the buffer is stored: anything else is converted bit by bit
constexpr int kGlDepthTest = 0x0B71;

/// The generic window with a door to the pixels of its own frame buffer, which prepares OpenGL once. Debian's GLEW looks
/// for GLX after loading every function, fails where there is none, and VTK would complain and load again every frame.
class ReadableWindow : public vtkGenericOpenGLRenderWindow {
public:
    static ReadableWindow* New();
    vtkTypeMacro(ReadableWindow, vtkGenericOpenGLRenderWindow);

    void OpenGLInitContext() override
    {
        if (Initialized)
            return;
        const int display = vtkObject::GetGlobalWarningDisplay();
        vtkObject::GlobalWarningDisplayOff();
        vtkGenericOpenGLRenderWindow::OpenGLInitContext();
        vtkObject::SetGlobalWarningDisplay(display);
        Initialized = GlewInitValid = true;
    }

    /// The picture is read from the buffer it was drawn in; copying it on towards a screen would be wasted.
    void Frame() override {}
    void CopyResultFrame() override {}

    bool readWords(int width, int height, std::uint32_t* words)
    {
        return ReadPixels(vtkRecti(0, 0, width, height), 0, kGlRgba, kGlUnsignedByte, words, 0) == VTK_OK;
    }
};
vtkStandardNewMacro(ReadableWindow);

/// Blends in the order of its triangles and leaves the depth buffer alone: paint over solid bodies. The depth test
/// still hides what lies behind a body, where there is one.
class PaintActor : public vtkOpenGLActor {
public:
    static PaintActor* New();
    vtkTypeMacro(PaintActor, vtkOpenGLActor);

    void Render(vtkRenderer* renderer, vtkMapper* mapper) override
    {
        auto* state = static_cast<vtkOpenGLRenderWindow*>(renderer->GetRenderWindow())->GetState();
        vtkOpenGLState::ScopedglDepthMask keepMask(state);
        vtkOpenGLState::ScopedglEnableDisable keepTest(state, kGlDepthTest);
        state->vtkglDepthMask(false);
        state->SetEnumState(kGlDepthTest, overBodies);
        mapper->Render(renderer, this);
    }

    bool overBodies = true; ///< else the depth buffer holds nothing that was drawn
};
vtkStandardNewMacro(PaintActor);

/// Everything is drawn with blue in red's place (lights are white, so that nothing else changes): the bytes of a pixel, red
/// first for OpenGL, are then a word 0xffRRGGBB, and the picture is as it is read.
void swapRedAndBlue(const std::vector<std::uint8_t>& rgba, std::uint8_t* bgra)
{
    for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
        bgra[i] = rgba[i + 2];
        bgra[i + 1] = rgba[i + 1];
        bgra[i + 2] = rgba[i];
        bgra[i + 3] = rgba[i + 3];
    }
}

/// A mesh as VTK draws it. The arrays are rewritten in place.
struct MeshPipeline {
    vtkNew<vtkPolyData> data;
    vtkNew<vtkFloatArray> xyz, normals;
    vtkNew<vtkUnsignedCharArray> bgra;
    vtkNew<vtkOpenGLPolyDataMapper> mapper;
    std::vector<int> triangles; // as last handed to VTK
    bool lit = false;

    void prepare(bool withNormals)
    {
        lit = withNormals;
        xyz->SetNumberOfComponents(3);
        normals->SetNumberOfComponents(3);
        normals->SetName("Normals");
        bgra->SetNumberOfComponents(4);
        bgra->SetName("Colours");
        vtkNew<vtkPoints> points;
        points->SetData(xyz);
        data->SetPoints(points);
        if (lit)
            data->GetPointData()->SetNormals(normals);
        data->GetPointData()->SetScalars(bgra);
        mapper->SetInputData(data);
        mapper->SetColorModeToDirectScalars();
        mapper->SetScalarModeToUsePointData();
        mapper->SetVBOShiftScaleMethod(vtkOpenGLVertexBufferObject::DISABLE_SHIFT_SCALE);
    }

    void upload(const Mesh& mesh)
    {
        const vtkIdType count = mesh.vertexCount();
        xyz->SetNumberOfTuples(count);
        bgra->SetNumberOfTuples(count);
        std::copy(mesh.xyz.begin(), mesh.xyz.end(), xyz->GetPointer(0));
        swapRedAndBlue(mesh.rgba, bgra->GetPointer(0));
        if (lit) {
            normals->SetNumberOfTuples(count);
            std::copy(mesh.normals.begin(), mesh.normals.end(), normals->GetPointer(0));
            normals->Modified();
        }
        xyz->Modified();
        bgra->Modified();
        data->GetPoints()->Modified();
        if (mesh.triangles != triangles)
            uploadTriangles(mesh);
        data->Modified();
    }

    void uploadTriangles(const Mesh& mesh)
    {
        triangles = mesh.triangles;
        vtkNew<vtkIdTypeArray> connectivity;
        connectivity->SetNumberOfValues(static_cast<vtkIdType>(triangles.size()));
        std::copy(triangles.begin(), triangles.end(), connectivity->GetPointer(0));
        vtkNew<vtkCellArray> cells;
        cells->SetData(3, connectivity);
        data->SetPolys(cells);
    }
};

} // namespace

struct SceneRenderer::Impl {
    std::unique_ptr<GlContext> context;
    vtkNew<ReadableWindow> window;
    vtkNew<vtkRenderer> renderer;
    MeshPipeline solid, flat;
    vtkNew<vtkActor> solidActor;
    vtkNew<PaintActor> flatActor;
    vtkNew<vtkCallbackCommand> answer;

    SceneModel model;
    Colours colours = Colours::light();
    Frame frame;
    OrbitCamera camera;
    Mesh solidMesh, flatMesh;
    Pixels picture, reduced; // kept: fresh pages cost more than the copy
    bool readsTopDown = false;
    int wide = 0, tall = 0, supersample = 1; // of the last draw

    static void onWindowEvent(vtkObject*, unsigned long event, void* self, void* call)
    {
        auto* impl = static_cast<Impl*>(self);
        if (event == vtkCommand::WindowMakeCurrentEvent && !impl->context->isCurrent())
            impl->context->makeCurrent();
        else if (event == vtkCommand::WindowIsCurrentEvent)
            *static_cast<bool*>(call) = impl->context->isCurrent();
    }

    void addLight(double x, double y, double z, double intensity)
    {
        vtkNew<vtkLight> light;
        light->SetLightTypeToCameraLight();
        light->SetPosition(x, y, z);
        light->SetFocalPoint(0, 0, 0);
        light->SetIntensity(intensity);
        renderer->AddLight(light);
    }

    void build();
    void placeCamera();
    void read(int width, int height);
};

void SceneRenderer::Impl::build()
{
    solid.prepare(true);
    flat.prepare(false);
    solidActor->SetMapper(solid.mapper);
    solidActor->ForceOpaqueOn();
    vtkProperty* body = solidActor->GetProperty();
    body->SetInterpolationToPhong();
    body->SetAmbient(0.25);
    body->SetDiffuse(1.0);
    body->SetSpecular(0.1);
    body->SetSpecularPower(24);
    flatActor->SetMapper(flat.mapper);
    flatActor->ForceOpaqueOn(); // keeps it out of VTK's order-independent pass: the order is ours
    flatActor->GetProperty()->LightingOff();

    renderer->GetCullers()->RemoveAllItems(); // two actors, both always in sight
    renderer->AddActor(solidActor);
    renderer->AddActor(flatActor);
    renderer->SetBackgroundAlpha(1);
    renderer->AutomaticLightCreationOff();
    renderer->LightFollowCameraOn();
    addLight(-0.5, 0.5, 0.7071, 0.75); // key: 45 degrees up and to the left
    addLight(0.6, -0.25, 0.76, 0.30);  // fill

    window->SetOwnContext(0);
    window->SetFrameBlitModeToNoBlit();
    window->SetMultiSamples(0);
    window->AddRenderer(renderer);
    answer->SetClientData(this);
    answer->SetCallback(&Impl::onWindowEvent);
    window->AddObserver(vtkCommand::WindowMakeCurrentEvent, answer);
    window->AddObserver(vtkCommand::WindowIsCurrentEvent, answer);
    window->SetReadyForRendering(true);
    window->SetIsDirect(1);
    window->SetSupportsOpenGL(1);
}

// The clipping planes keep the model, its fan and the wall of the grid, wherever the target was dragged to.
void SceneRenderer::Impl::placeCamera()
{
    vtkCamera* eye = renderer->GetActiveCamera();
    const Vec3 target = camera.target(), back = camera.toViewer(), up = camera.up();
    const double depth = length(model.extent.size()) + length(target - model.extent.center()) + 4 * camera.halfHeight()
                         + std::fabs(frame.fanOut) * static_cast<double>(frame.runs.size()) + 4 * model.characteristicLength();
    const double distance = camera.perspective() ? camera.distance() : 2 * depth;
    const Vec3 position = target + distance * back;
    eye->SetParallelProjection(camera.perspective() ? 0 : 1);
    eye->SetParallelScale(camera.halfHeight());
    eye->SetViewAngle(OrbitCamera::kViewAngle);
    eye->SetFocalPoint(target.x, target.y, target.z);
    eye->SetPosition(position.x, position.y, position.z);
    eye->SetViewUp(up.x, up.y, up.z);
    eye->SetClippingRange(std::max(distance - depth, 0.01 * distance), distance + depth);
}

void SceneRenderer::Impl::read(int width, int height)
{
    picture.width = width;
    picture.height = height;
    const auto row = static_cast<std::ptrdiff_t>(width);
    picture.argb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    if (!window->readWords(width, height, picture.argb.data()))
        std::ranges::fill(picture.argb, 0xff000000u);
    else if (!readsTopDown)
        for (auto top = picture.argb.begin(), bottom = picture.argb.end() - row; top < bottom; top += row, bottom -= row)
            std::swap_ranges(top, top + row, bottom);
}

SceneRenderer::SceneRenderer() : impl_(std::make_unique<Impl>()) {}

SceneRenderer::~SceneRenderer()
{
    if (!impl_->context)
        return;
    impl_->context->makeCurrent();
    impl_->window->Finalize();
    impl_->window->RemoveRenderer(impl_->renderer);
    impl_->window->RemoveAllObservers();
    impl_->context->doneCurrent();
}

Result<std::unique_ptr<SceneRenderer>> SceneRenderer::create(std::unique_ptr<GlContext> context)
{
    std::unique_ptr<SceneRenderer> made(new SceneRenderer);
    Impl& impl = *made->impl_;
    impl.context = std::move(context);
    if (!impl.context->makeCurrent())
        return Diagnostic{.what = "The OpenGL context could not be made current",
                          .where = impl.context->name(),
                          .remedy = "install Mesa's drivers (libgl1-mesa-dri)"};
    impl.build();
    int major = 0, minor = 0;
    impl.context->version(major, minor);
    if (major < 3 || (major == 3 && minor < 2))
        return Diagnostic{.what = "OpenGL 3.2 is needed, " + std::to_string(major) + "." + std::to_string(minor) + " was found",
                          .where = impl.context->name(),
                          .remedy = "install Mesa's software renderer (libgl1-mesa-dri)"};
    impl.window->OpenGLInitContext();
    impl.readsTopDown = impl.context->readTopDown();
    return made;
}

void SceneRenderer::setModel(SceneModel model)
{
    impl_->model = std::move(model);
    impl_->camera.setPerspective(!impl_->model.planar);
    impl_->frame = {};
}
const SceneModel& SceneRenderer::model() const { return impl_->model; }
void SceneRenderer::setColours(const Colours& colours) { impl_->colours = colours; }
void SceneRenderer::setFrame(Frame frame)
{
    impl_->frame = std::move(frame);
    SceneModel& model = impl_->model;
    if (model.planar || !(model.floor > model.deepFloor))
        return;
    // The floor gives way under what goes below it, by as much as it has to and never back: it does not leap.
    double lowest = model.floor;
    for (const RunFrame& run : impl_->frame.runs)
        for (std::size_t i = 1; i < run.points.size(); i += 3)
            lowest = std::min(lowest, run.points[i]); // not a number: none
    model.floor = std::max(model.deepFloor, std::min(model.floor, lowest + 0.02 * model.drawnLength()));
}
const Frame& SceneRenderer::frame() const { return impl_->frame; }
OrbitCamera& SceneRenderer::camera() { return impl_->camera; }
const OrbitCamera& SceneRenderer::camera() const { return impl_->camera; }

Bounds SceneRenderer::fitBounds() const
{
    Bounds box = impl_->model.extent;
    if (box.empty())
        box.include({}, 1);
    // Room for the bodies and their ghosts' rings around the points of the extent.
    const double rings =
        std::count_if(impl_->frame.runs.begin(), impl_->frame.runs.end(), [](const RunFrame& run) { return !run.selected; });
    const double room = Painter::ghostRadius(impl_->model.drawnLength(), static_cast<int>(std::max(1.0, rings)));
    const Vec3 around{room, room, impl_->model.planar ? 0 : room};
    box.low = box.low - around;
    box.high = box.high + around;
    const double depth = impl_->frame.fanOut * std::max<double>(0, static_cast<double>(impl_->frame.runs.size()) - 1);
    if (depth > 0) {
        box.include(box.low - Vec3{0, 0, depth});
        box.include(box.high - Vec3{0, 0, depth});
    }
    return box;
}

void SceneRenderer::fit() { fit(fitBounds()); }
void SceneRenderer::fit(const Bounds& box) { impl_->camera.fit(box, impl_->model.planar ? 1 : kCorners); }

void SceneRenderer::draw(int width, int height, int supersample)
{
    Impl& impl = *impl_;
    width = std::clamp(width, kSmallestSide, kLargestSide);
    height = std::clamp(height, kSmallestSide, kLargestSide);
    supersample = std::clamp(supersample, 1, std::max(1, kLargestSide / std::max(width, height)));
    const int wide = width * supersample, tall = height * supersample;
    if (!impl.context->isCurrent())
        impl.context->makeCurrent();

    impl.camera.setViewport(wide, tall);
    impl.solidMesh.clear();
    impl.flatMesh.clear();
    Painter(impl.model, impl.colours, impl.camera, impl.solidMesh, impl.flatMesh).paint(impl.frame);
    impl.solid.upload(impl.solidMesh);
    impl.flat.upload(impl.flatMesh);
    const bool bodies = !impl.solidMesh.triangles.empty();
    impl.solidActor->SetVisibility(bodies ? 1 : 0);
    impl.flatActor->SetVisibility(impl.flatMesh.triangles.empty() ? 0 : 1);
    impl.flatActor->overBodies = bodies;
    impl.renderer->SetPreserveDepthBuffer(bodies ? 0 : 1); // nobody asks it: clearing it takes a tenth of a frame in software
    impl.renderer->SetBackground(impl.colours.window.b, impl.colours.window.g, impl.colours.window.r);
    impl.placeCamera();
    if (impl.window->GetSize()[0] != wide || impl.window->GetSize()[1] != tall)
        impl.window->SetSize(wide, tall);
    impl.window->Render();
    impl.context->flush();
    impl.camera.setViewport(width, height);
    impl.wide = wide;
    impl.tall = tall;
    impl.supersample = supersample;
}

const Pixels& SceneRenderer::finePicture()
{
    Impl& impl = *impl_;
    if (!impl.context->isCurrent())
        impl.context->makeCurrent();
    impl.read(impl.wide, impl.tall);
    return impl.picture;
}

const Pixels& SceneRenderer::picture()
{
    Impl& impl = *impl_;
    finePicture();
    if (impl.supersample == 1)
        return impl.picture;
    reduceByBox(impl.picture, impl.supersample, impl.reduced);
    return impl.reduced;
}

const Pixels& SceneRenderer::render(int width, int height, int supersample)
{
    draw(width, height, supersample);
    return picture();
}

OrbitCamera::Pixel SceneRenderer::pointInPicture(int run, int point) const
{
    const Frame& frame = impl_->frame;
    return impl_->camera.project(frame.runs[static_cast<std::size_t>(run)].point(point) + Painter::fanOffset(frame, run));
}

SceneRenderer::Counts SceneRenderer::counts() const
{
    return {impl_->renderer->VisibleActorCount(), impl_->renderer->GetLights()->GetNumberOfItems(),
            impl_->solidMesh.vertexCount() + impl_->flatMesh.vertexCount()};
}

} // namespace driftless::scene
