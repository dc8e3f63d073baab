// The strip under the scene: how far every run has come, what happened when, which derivatives were dummies, in which mode a
// mechanism with events was, and the handle that scrubs the displayed time.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

#include "core/run/Event.h"
#include "ui/document/PivotStretch.h"

class QPainter;

namespace driftless::ui {

/// A stretch of time over which one selection of dummies held.
struct PivotSegment {
    double from = 0, to = 0; ///< [s]
    QString dummies;         ///< "bob.x", or several separated by ", "
};

/// The segments of a run from its start to reached: where its form chose, as its changes of pivot tell. Between two stretches
/// that choose there may be none.
std::vector<PivotSegment> pivotSegments(const std::vector<run::Event>& events, const std::vector<PivotStretch>& stretches,
                                        double reached);

/// A stretch of time over which one mode was in force.
struct ModeSegment {
    double from = 0, to = 0; ///< [s]
    QString mode;            ///< rows in force, as the event says it
};

/// The modes of a run from its start to reached. current: the mode now; empty: the model has one mode, and no segment.
std::vector<ModeSegment> modeSegments(const std::vector<run::Event>& events, const QString& current, double reached);

struct Theme;
/// Grounds of the strip of modes: those of the runs, mixed with the surface so that words on them can be read.
std::vector<QColor> modeColours(const Theme& theme);

struct TimeLineRun {
    int colour = 0; ///< index into Theme::runs
    QString name;
    double reached = 0; ///< last recorded time [s]
    bool failed = false;
    bool selected = false; ///< its pivots fill the strip
    std::vector<run::Event> events;
    std::vector<PivotStretch> pivots; ///< empty: it never chose
    QString mode{};                   ///< in force now, "" when the model has one mode
};

/// Words that are shown beside a mark.
struct EventLabel {
    int run = 0, event = 0; ///< whose
    QString text;
    QRectF box; ///< [px] in the widget
};

class TimeLine : public QWidget {
    Q_OBJECT

public:
    explicit TimeLine(QWidget* parent = nullptr);

    void setRuns(std::vector<TimeLineRun> runs);
    /// Displayed time [s].
    void setTime(double t);
    double time() const { return time_; }
    /// Visible range of the plots, drawn as a bracket; none when t1 <= t0.
    void setVisibleRange(double t0, double t1);
    void setDark(bool dark);
    void setScale(double scale);

    /// Horizontal position of t in the widget, and back (clamped to what can be shown).
    double xOf(double t) const;
    double timeAt(double x) const;
    /// Latest time that any run has reached [s].
    double reached() const;
    /// Ends of the strip's time axis [s]: 0 to at least reached().
    double span() const { return span_; }
    /// The axis is at least as long [s].
    void setShortest(double span);
    /// Those for which there is room. Where there is none the mark stays, and its tool tip has the sentence.
    const std::vector<EventLabel>& labels();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void scrubStarted();
    /// A time within what has been recorded [s].
    void scrubbed(double t);
    void scrubFinished();
    /// An event mark was clicked; scrubbed(t) comes with it.
    void eventClicked(int run, double t);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Mark {
        int run;
        int event;
        double x;
        bool pivot; ///< shown by the strip: it has words or nothing
    };
    void updateSpan();
    void layOutMarks();
    void layOutLabels();
    QFont labelFont() const;
    const run::Event& eventOf(const Mark& mark) const;
    const Mark* markAt(const QPointF& position) const;
    QRectF axisRect() const;
    double markRow(const Mark& mark) const;
    void scrubTo(double t);
    QString tipAt(const QPointF& position) const;
    void paintAxis(QPainter& painter, const QRectF& dirty) const;
    void paintReached(QPainter& painter) const;
    void paintPivots(QPainter& painter, const QRectF& dirty) const;
    void paintModes(QPainter& painter, const QRectF& dirty) const;
    double axisTop() const; ///< [px] below the strips
    void paintMarks(QPainter& painter) const;
    void paintLabels(QPainter& painter, const QRectF& dirty) const;
    void paintHandle(QPainter& painter) const;

    std::vector<TimeLineRun> runs_;
    std::vector<PivotSegment> pivots_;
    std::vector<ModeSegment> modes_;
    std::vector<Mark> marks_;
    std::vector<EventLabel> labels_;
    bool labelsStale_ = true;
    double shortest_ = 10; ///< [s] that the axis shows at least
    double time_ = 0, span_ = 10, scale_ = 1;
    double shownX_ = -1; ///< where the handle was painted last [px]
    double visibleFrom_ = 0, visibleTo_ = 0;
    bool dark_ = false, scrubbing_ = false;
    int hovered_ = -1;
};

} // namespace driftless::ui
