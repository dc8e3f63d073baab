#include "ui/views/SceneEditor.h"

#include <QEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr double kLeastGridPixels = 6;                    // between two places of the grid
constexpr double kDragPixels = 4;                         // less is a click
constexpr double kTurnStep = 3.14159265358979323846 / 36; // [rad] 5 degrees

} // namespace

SceneEditor::SceneEditor(SceneView* scene, MechanismEditor& editor) : QWidget(scene), scene_(scene), editor_(editor)
{
    setObjectName("sceneEditor");
    setAttribute(Qt::WA_NoSystemBackground);
    setStyleSheet(QStringLiteral("#sceneEditor { background: transparent; }"));
    setMouseTracking(true);
    setGeometry(scene->rect());
    scene->installEventFilter(this);
    connect(&editor_, &MechanismEditor::changed, this, [this] {
        hold_ = Hold::Nothing;
        pulled_.reset();
        hovered_.clear();
        if (active_)
            showStart();
    });
    connect(&editor_, &MechanismEditor::selectionChanged, this, qOverload<>(&QWidget::update));
    hide();
}

void SceneEditor::setActive(bool on)
{
    active_ = on;
    cancel();
    setVisible(on);
    if (on)
        showStart();
    else
        scene_->clearPose();
}

void SceneEditor::setTool(EditTool tool)
{
    if (tool == tool_)
        return;
    tool_ = tool;
    hold_ = Hold::Nothing;
    setCursor(tool == EditTool::Select ? Qt::ArrowCursor : Qt::CrossCursor);
    emit toolChanged();
    update();
}

void SceneEditor::cancel()
{
    if (hold_ != Hold::Nothing) {
        hold_ = Hold::Nothing;
        editor_.pull().cancelPull();
        pulled_.reset();
        if (active_)
            showStart();
        return;
    }
    setTool(EditTool::Select);
}

void SceneEditor::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void SceneEditor::setColour(int colour) { colour_ = colour; }

void SceneEditor::showStart()
{
    if (editor_.mechanism().editable())
        scene_->setPose(editor_.mechanism().state(), editor_.mechanism().parameters(), colour_);
    update();
}

QString SceneEditor::hint() const
{
    if (!editor_.mechanism().plane())
        return editor_.mechanism().editable() ? tr("In space: change it in the tree, its fields or the text.")
                                              : tr("No mechanism is open; Ctrl+N begins a new one.");
    switch (tool_) {
    case EditTool::Select:
        return tr("Click to select (Shift adds), drag to move: the rest follows.");
    case EditTool::Point:
        return tr("Click where a point mass is to be.");
    case EditTool::Bar:
        return tr("Press at one end of the bar, release at the other.");
    case EditTool::Disc:
        return tr("Press at the centre of the disc, release at its rim.");
    case EditTool::Block:
        return tr("Press at one corner of the block, release at the opposite one.");
    case EditTool::Pin:
        return tr("Click where bodies meet, or on one to pin it to the ground; or drag.");
    case EditTool::Rod:
        return tr("Press at one point, release at another: their distance is kept.");
    case EditTool::Rail:
        return tr("Press on a point of a body and pull along its rail.");
    case EditTool::Weld:
        return tr("Click where bodies meet, or on one to hold it fast; or drag.");
    case EditTool::Spring:
    case EditTool::Damper:
        return tr("Press at one point, release at another.");
    case EditTool::String:
        return tr("Press at one point, release at another: their distance stays below.");
    case EditTool::Wall:
        return tr("Press on a point of a body and pull to where a wall is to hold it back.");
    case EditTool::Stop:
        return tr("Click on a pin or a slider: its travel ends on both sides.");
    case EditTool::Motor:
        return tr("Click on a pin or a slider: its motion is stated from here on.");
    case EditTool::Clutch:
        return tr("Press on a body that turns, release on another one; or click on one: a brake.");
    case EditTool::Ratchet:
        return tr("Click on a pin or a slider: from here on it moves one way alone.");
    case EditTool::Delete:
        return tr("Click an object to delete it. Objects that depend on it are deleted too.");
    }
    return {};
}

// --- places ---

double SceneEditor::reach() const { return kSnapPixels / std::max(1e-9, scene_->pixelsPerMetre()); }
QPointF SceneEditor::screen(QPointF place) const { return scene_->toScreen(place); }

double SceneEditor::gridStep() const
{
    const double unit = scene_->gridUnit(), pixels = unit * scene_->pixelsPerMetre();
    for (const double part : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0})
        if (part * pixels >= kLeastGridPixels)
            return part * unit;
    return 1000 * unit;
}

QPointF SceneEditor::grid(QPointF place) const
{
    const double step = gridStep();
    return {std::round(place.x() / step) * step, std::round(place.y() / step) * step};
}

QPointF SceneEditor::snapped(QPointF pointer) const
{
    const QPointF place = scene_->toPlane(pointer);
    QPointF best;
    double least = reach();
    for (const auto& spot : editor_.mechanism().geometry().spots())
        if (const double d = length(spot.at - place); d < least) {
            least = d;
            best = spot.at;
        }
    return least < reach() ? best : grid(place);
}

EditEnd SceneEditor::endUnder(QPointF pointer) const
{
    EditEnd end = editor_.mechanism().geometry().endAt(scene_->toPlane(pointer), reach());
    if (end.onGround())
        end.at = snapped(pointer);
    return end;
}

/// A rail guides what slides on it rather than the rod that is pinned there.
EditEnd SceneEditor::railEndUnder(QPointF pointer) const
{
    const auto near = editor_.mechanism().geometry().endsAt(scene_->toPlane(pointer), reach());
    for (const EditShape wanted : {EditShape::Block, EditShape::Point, EditShape::Disc})
        for (const EditEnd& end : near)
            if (const EditBody* body = editor_.mechanism().geometry().body(end.body); body && body->shape == wanted)
                return end;
    return endUnder(pointer);
}

std::string SceneEditor::idUnder(QPointF pointer) const
{
    const QPointF place = scene_->toPlane(pointer);
    const EditGeometry& g = editor_.mechanism().geometry();
    const EditBody* body = g.bodyAt(place, reach());
    if (const EditLink* link = g.linkAt(place, reach())) {
        const bool point = link->isPoint();
        const double centre = std::min(length(g.place(link->from) - place), length(g.place(link->to) - place));
        if (!body || (point && centre < reach())
            || (link->isRail() && length(g.place(link->to) - place) > reach() && body->distance(place) > 0.3 * reach()))
            return EditedMechanism::idOf(link->place);
    }
    return body ? body->name : std::string();
}

std::string SceneEditor::jointUnder(QPointF pointer) const
{
    const EditLink* link = editor_.mechanism().geometry().linkAt(scene_->toPlane(pointer), reach(), false);
    return link ? link->place.name : std::string();
}

// --- mouse ---

void SceneEditor::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !editor_.mechanism().plane() || !scene_->isPlane()) {
        event->ignore(); // the scene moves the view
        return;
    }
    event->accept();
    scene_->setFocus();
    pressed_ = pointer_ = event->position();
    moved_ = false;
    more_ = event->modifiers() & Qt::ShiftModifier;
    hold_ = Hold::Tool;
    if (tool_ == EditTool::Select)
        pressSelect(pressed_, more_);
    update();
}

void SceneEditor::pressSelect(QPointF pointer, bool more)
{
    hold_ = Hold::Band;
    if (!more) {
        const auto all = handles();
        if (const Handle* handle = handleUnder(all, pointer)) {
            hold_ = handle->kind;
            end_ = handle->end;
            body_ = editor_.selection().ids().front();
            quantity_ = handle->quantity;
            grip_ = handle->at;
            return;
        }
    }
    const QPointF place = scene_->toPlane(pointer);
    const EditBody* body = editor_.mechanism().geometry().bodyAt(place, reach());
    if (!body)
        return;
    body_ = body->name;
    hold_ = editor_.selection().contains(body_) && editor_.selection().ids().size() > 1 ? Hold::Bodies : Hold::Body;
    local_ = body->toLocal(place);
    reference_ = place;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& spot : editor_.mechanism().geometry().spots())
        if (const double d = length(spot.at - place); spot.end.body == body_ && d < least) {
            least = d;
            reference_ = spot.at; // of what it offers to the grid
        }
    if (least < reach())
        local_ = body->toLocal(reference_);
}

void SceneEditor::beginDrag()
{
    moved_ = true;
    bool held = true;
    if (hold_ == Hold::Body) {
        held = editor_.pull().beginPull(body_, local_);
    } else if (hold_ == Hold::Bodies) {
        held = editor_.pull().beginMove(editor_.selection().ids());
    } else if (hold_ == Hold::Turn) {
        held = editor_.pull().beginTurn(body_);
    } else if (hold_ == Hold::Quantity) {
        held = editor_.handles().canSet(*quantity_);
    }
    if (!held)
        hold_ = Hold::Nothing;
}

void SceneEditor::showPulled(const model::ModelState* state)
{
    if (!state || !editor_.mechanism().text())
        return;
    scene_->setPose(*state, editor_.mechanism().parameters(), colour_);
    pulled_ = editor_.mechanism().geometryAt(*state);
}

void SceneEditor::drag(QPointF pointer)
{
    const EditBody* body = editor_.mechanism().geometry().body(body_);
    const QPointF place = scene_->toPlane(pointer), from = scene_->toPlane(pressed_);
    if (hold_ == Hold::Body && body) {
        const QPointF grabbed = body->toPlane(local_);
        const bool point = length(grabbed - reference_) < 1e-12 || editor_.pull().pullsFreely();
        const QPointF way = point ? grid(reference_ + (place - from)) - reference_ : place - from;
        showPulled(editor_.pull().moveBy(way));
    } else if (hold_ == Hold::Bodies) {
        showPulled(editor_.pull().moveBy(grid(place - from)));
    } else if (hold_ == Hold::Turn && body) {
        const QPointF arm = place - body->centre;
        const double angle = std::atan2(arm.y(), arm.x()) - 1.57079632679489661923,
                     near = body->angle + std::remainder(angle - body->angle, 6.28318530717958647692);
        showPulled(editor_.pull().turnTo(std::round(near / kTurnStep) * kTurnStep));
    }
}

void SceneEditor::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & (Qt::MiddleButton | Qt::RightButton)) {
        event->ignore();
        return;
    }
    event->accept();
    pointer_ = event->position();
    inside_ = true;
    if (hold_ != Hold::Nothing && !moved_ && length(pointer_ - pressed_) >= kDragPixels)
        beginDrag();
    if (hold_ != Hold::Nothing && moved_)
        drag(pointer_);
    if (hold_ == Hold::Nothing && editor_.mechanism().plane())
        hovered_ = tool_ == EditTool::Select || tool_ == EditTool::Delete ? idUnder(pointer_) : std::string();
    if (tool_ == EditTool::Select && hold_ == Hold::Nothing) {
        const Qt::CursorShape overPart = hovered_.empty() ? Qt::ArrowCursor : Qt::OpenHandCursor;
        setCursor(handleUnder(handles(), pointer_) ? Qt::SizeAllCursor : overPart);
    }
    update();
}

void SceneEditor::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    event->accept();
    pointer_ = event->position();
    if (hold_ != Hold::Nothing && !moved_ && length(pointer_ - pressed_) >= kDragPixels) {
        beginDrag(); // a quick hand leaves no move between
        drag(pointer_);
    }
    const Hold held = hold_;
    if (held == Hold::Tool) {
        hold_ = Hold::Nothing;
        useTool(pressed_, pointer_, moved_);
    } else if (held != Hold::Nothing) {
        releaseSelect(pointer_, more_);
    }
    hold_ = Hold::Nothing;
    if (pulled_) {
        pulled_.reset();
        showStart();
    }
    update();
}

void SceneEditor::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void SceneEditor::releaseSelect(QPointF pointer, bool more)
{
    const Hold held = hold_;
    hold_ = Hold::Nothing;
    if (!moved_) {
        const std::string id = idUnder(pointer);
        auto chosen = more ? editor_.selection().ids() : std::vector<std::string>{};
        if (const auto known = std::find(chosen.begin(), chosen.end(), id); known != chosen.end())
            chosen.erase(known);
        else if (!id.empty())
            chosen.push_back(id);
        editor_.selection().select(std::move(chosen));
        return;
    }
    if (held == Hold::Body || held == Hold::Bodies || held == Hold::Turn) {
        editor_.pull().endPull();
    } else if (held == Hold::End) {
        editor_.handles().moveEnd(body_, end_, snapped(pointer));
    } else if (held == Hold::Rim) {
        if (const EditBody* body = editor_.mechanism().geometry().body(body_))
            editor_.handles().setRadius(
                body_,
                std::max(gridStep(), std::round(length(scene_->toPlane(pointer) - body->centre) / gridStep()) * gridStep()));
    } else if (held == Hold::Quantity) {
        editor_.handles().setQuantity(*quantity_, pulledValue(pointer));
    } else if (held == Hold::Band) {
        const QRectF band = QRectF(pressed_, pointer).normalized();
        auto chosen = more ? editor_.selection().ids() : std::vector<std::string>{};
        for (const EditBody& body : editor_.mechanism().geometry().bodies)
            if (band.contains(screen(body.centre)) && std::find(chosen.begin(), chosen.end(), body.name) == chosen.end())
                chosen.push_back(body.name);
        editor_.selection().select(std::move(chosen));
    }
}

bool SceneEditor::useOnJoints(QPointF from, QPointF to)
{
    MechanismBuilder& builder = editor_.builder();
    switch (tool_) {
    case EditTool::Rod:
        builder.addRod(endUnder(from), endUnder(to));
        return true;
    case EditTool::Spring:
        builder.addSpring(endUnder(from), endUnder(to));
        return true;
    case EditTool::Damper:
        builder.addDamper(endUnder(from), endUnder(to));
        return true;
    case EditTool::String:
        builder.addString(endUnder(from), endUnder(to));
        return true;
    case EditTool::Clutch:
        builder.addClutch(endUnder(from), endUnder(to));
        return true;
    case EditTool::Stop:
        builder.addStop(jointUnder(to));
        return true;
    case EditTool::Motor:
        builder.addMotor(jointUnder(to));
        return true;
    case EditTool::Ratchet:
        builder.addRatchet(jointUnder(to));
        return true;
    default:
        return false;
    }
}

void SceneEditor::useTool(QPointF from, QPointF to, bool moved)
{
    if (useOnJoints(from, to))
        return;
    const QPointF place = snapped(from), target = snapped(to);
    switch (tool_) {
    case EditTool::Point:
        editor_.builder().addPoint(target);
        break;
    case EditTool::Bar:
        editor_.builder().addBar(place, target);
        break;
    case EditTool::Disc:
        editor_.builder().addDisc(place, target);
        break;
    case EditTool::Block:
        editor_.builder().addBlock(place, target);
        break;
    case EditTool::Pin:
    case EditTool::Weld: {
        const std::string kind = tool_ == EditTool::Pin ? "pin" : "weld";
        if (moved)
            editor_.builder().addJoint(kind, endUnder(from), endUnder(to));
        else
            editor_.builder().joinAt(kind, scene_->toPlane(to), reach());
        break;
    }
    case EditTool::Wall:
        editor_.builder().addWall(railEndUnder(from), grid(scene_->toPlane(to)));
        break;
    case EditTool::Rail: {
        const EditEnd end = railEndUnder(from);
        editor_.builder().addRail(end, moved ? grid(scene_->toPlane(to)) : editor_.mechanism().geometry().place(end));
        break;
    }
    case EditTool::Delete:
        if (const std::string id = idUnder(to); !id.empty())
            editor_.builder().remove({id});
        break;
    default:
        break;
    }
}

void SceneEditor::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    inside_ = false;
    hovered_.clear();
    update();
}

bool SceneEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == scene_ && event->type() == QEvent::Resize)
        setGeometry(scene_->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace driftless::ui
