// Tools over the scene: a clear sheet that takes the mouse while a mechanism is edited, and draws handles, snaps and rubber
// bands.
//
// The scene below shows the mechanism at its start. Everything the tools do is a call of the MechanismEditor; wheel, middle and
// right button go through to the scene and move the view.
#pragma once

#include <QPointF>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

#include "ui/document/MechanismEditor.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class SceneView;

enum class EditTool {
    Select,
    Point,
    Bar,
    Disc,
    Block,
    Pin,
    Rod,
    Rail,
    Weld,
    Spring,
    Damper,
    String,
    Wall,
    Stop,
    Motor,
    Clutch,
    Ratchet,
    Delete
};

class SceneEditor : public QWidget {
    Q_OBJECT
public:
    static constexpr double kSnapPixels = 9, kHandlePixels = 9; ///< reach of points and of handles

    SceneEditor(SceneView* scene, MechanismEditor& editor);

    void setActive(bool on);
    bool isActive() const { return active_; }
    void setTool(EditTool tool);
    EditTool tool() const { return tool_; }
    void setTheme(const Theme& theme);
    /// The run's colour in which the mechanism is drawn.
    void setColour(int colour);
    /// The start of the mechanism in the scene; after every edit.
    void showStart();
    /// [m] Places of the mouse are rounded to this.
    double gridStep() const;
    /// What the present tool is for.
    QString hint() const;
    /// Escape: lets go, else back to selecting.
    void cancel();

signals:
    void toolChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Hold { Nothing, Tool, Band, Body, Bodies, End, Turn, Rim, Quantity };
    struct Handle {
        Hold kind = Hold::Nothing;
        int end = 0;
        QPointF at; ///< on the widget
        std::optional<EditQuantity> quantity;
    };
    /// A spring or rod on the widget.
    struct Axis {
        QPointF a, b, along, across;
    };

    double reach() const;
    QPointF grid(QPointF place) const;
    QPointF snapped(QPointF pointer) const;
    EditEnd endUnder(QPointF pointer) const;
    EditEnd railEndUnder(QPointF pointer) const;
    std::vector<Handle> handles() const;
    static const Handle* handleUnder(const std::vector<Handle>& all, QPointF pointer);
    Axis axisOf(const EditLink& link) const;
    QPointF quantityAt(const EditQuantity& quantity, double value) const;
    double pulledValue(QPointF pointer) const;
    QString handleWords() const;
    std::string idUnder(QPointF pointer) const;
    std::string jointUnder(QPointF pointer) const; ///< its name; empty: there is none
    void pressSelect(QPointF pointer, bool more);
    void beginDrag();
    void drag(QPointF pointer);
    void releaseSelect(QPointF pointer, bool more);
    bool useOnJoints(QPointF from, QPointF to); ///< tools between two ends, or of a joint; false: it is none of them
    void useTool(QPointF from, QPointF to, bool moved);
    void showPulled(const model::ModelState* state);

    void paintGrid(QPainter& painter) const;
    void paintBody(QPainter& painter, const EditBody& body, const QColor& colour, double width) const;
    void paintLink(QPainter& painter, const EditLink& link, const QColor& colour) const;
    void paintHandles(QPainter& painter) const;
    void paintQuantity(QPainter& painter, const EditQuantity& quantity, QPointF at) const;
    void paintPulledQuantity(QPainter& painter) const;
    void paintTool(QPainter& painter) const;
    void paintLabel(QPainter& painter, QPointF at, const QString& text, const QColor& colour) const;
    QPointF screen(QPointF place) const;

    SceneView* scene_;
    MechanismEditor& editor_;
    const Theme* theme_ = &Theme::light();
    EditTool tool_ = EditTool::Select;
    bool active_ = false;
    int colour_ = 0;

    Hold hold_ = Hold::Nothing;
    bool moved_ = false, more_ = false;
    int end_ = 0;
    QPointF pressed_, pointer_;
    bool inside_ = false;
    std::string body_;                     ///< that is held
    QPointF local_, reference_;            ///< pressed point in its coordinates; where the snapped point of it was
    std::optional<EditQuantity> quantity_; ///< whose handle is held
    QPointF grip_;                         ///< where that handle was taken
    std::string hovered_;
    std::optional<EditGeometry> pulled_; ///< while something is pulled
};

} // namespace driftless::ui
