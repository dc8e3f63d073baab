// The scene of the window: all runs of a model at one time, in one picture.
//
// A plain raster widget. It owns an off-screen OpenGL context, lets the scene renderer draw into it, reads the picture
// back and paints it; so it can be grabbed, printed and tested like any other widget, with or without a display.
// Left drag on a body of the selected run moves it (where grabbing is on), else orbits, and pans what lies in a plane; middle
// or Shift + left drag pans, wheel zooms at the pointer, double click or F fits.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <QWidget>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/run/Event.h"
#include "core/run/Past.h"
#include "core/run/Recording.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"

namespace driftless::ui {

/// One run as the scene needs it. Cheap to copy; hand in fresh ones (with fresh views) before every setTime.
struct SceneRun {
    int colour = 0;        ///< index into Theme::runs
    QString name;          ///< shown where runs have to be told apart
    bool selected = false; ///< drawn solid; the others are rings
    run::RecordingView recording;
    std::vector<double> parameters;              ///< at the displayed time; empty: the model's own
    std::vector<run::Event> impacts{};           ///< that are shown: of the last kImpactSeconds
    std::vector<run::ParametersUntil> earlier{}; ///< parameters before, for the trail
};

class SceneView : public QWidget {
    Q_OBJECT

public:
    static constexpr double kImpactSeconds = 0.25; ///< of the displayed time, over which an impact fades

    explicit SceneView(QWidget* parent = nullptr);
    ~SceneView() override;

    /// Nothing is drawn until a model is set; null clears. Fits the view.
    void setModel(std::shared_ptr<const model::CompiledSystem> system);
    /// Replaces the runs; without a run (or while a recording is empty) the model's start is drawn in the accent colour.
    void setRuns(std::vector<SceneRun> runs);
    /// Shows every run at t [s]; this is the only call that has to come with every frame.
    void setTime(double t);

    /// Start values as entered and as corrected, drawn over the runs as two ghosts with arrows between them, the corrected one
    /// in the colour of the selected run; null: no correction exists. Until clearCorrection().
    void setCorrection(const model::ModelState& before, const model::ModelState* after, const std::vector<double>& parameters);
    void clearCorrection();
    bool hasCorrection() const;

    /// One state of the model in place of the runs, in a run's colour: what is being edited. Until clearPose() or another
    /// model.
    void setPose(const model::ModelState& state, const std::vector<double>& parameters, int colour);
    void clearPose();
    /// While on, another model is looked at from where the last one was: an edit does not move the view.
    void keepView(bool on);

    void setDark(bool dark);
    void setArrowsVisible(bool visible);
    void setTrailsVisible(bool visible);
    /// Distance between neighbouring runs along z as a fraction of the model's size; 0 = all in one plane. The view tilts
    /// so that the offsets show, and returns to the front when it goes back to 0, unless it was turned by hand.
    void setFanOut(double fraction);
    /// Draws every run at reference + 10^exponent * (run - reference); exponent 0 shows things as they are.
    void setDeviation(int exponent, int referenceRun);
    /// The exponent with which the largest difference of the shown runs from one of them is well seen now, at least 1; 2 where
    /// there is no difference.
    int suitedDeviation(int referenceRun) const;
    /// Pixels at the bottom that something covers: a plane mechanism is fitted above them.
    void setCovered(int pixels);
    /// The same at its top left corner: names of runs stand below that.
    void setCoveredAbove(int pixels);
    /// Draws with twice the resolution (calm pictures while paused); slower.
    void setFine(bool fine);

    /// Whether bodies of the selected run can be taken with the pointer. Off at first; never in a magnified deviation.
    void setGrabbing(bool on);

    void fit();
    /// From where a space model is seen; plane models are always seen from the front.
    enum class Look { Home, Front, Side, Top };
    void lookFrom(Look look);
    bool isSpace() const;
    /// The scene alone as it stands, in any size (logical pixels) and supersampling factor (1 to 4).
    QImage grabImage(QSize size, int supersample = 2);

    /// Widget position of point index (in the order of the model's visuals) of run index as last drawn.
    QPointF pointOnScreen(int run, int point) const;
    /// A plane model that is not seen from its edge: only then is there a place under the pointer.
    bool isPlane() const;
    QPointF toScreen(QPointF place) const;  ///< [m] in the plane z = 0, to widget pixels
    QPointF toPlane(QPointF pointer) const; ///< the other way round
    double pixelsPerMetre() const;
    double gridUnit() const; ///< [m] one cell of the grid
    /// Empty when all is well; otherwise why no scene can be shown.
    QString problem() const;

signals:
    void fitted();
    void bodyGrabbed(const QString& body);
    /// Where the pointer wants the centre of the held body: full names and values [m].
    void bodyDragged(const QString& body, const std::map<std::string, double>& values);
    void bodyReleased(const QString& body);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::ui
