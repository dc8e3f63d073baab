// One plot of the window: residuals, errors, a quantity, a phase portrait ... of all runs.
//
// The only file pair that knows QCustomPlot. The window hands in fresh recordings and calls refresh() in turn at about
// 20 Hz; between refreshes only the line at the displayed time moves. Wheel zooms time at the pointer (with Shift the
// ordinate), dragging pans, double click follows the time again.
#pragma once

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

#include "ui/views/PlotData.h"

namespace driftless::ui {

class PlotView : public QWidget {
    Q_OBJECT

public:
    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    void setKind(PlotKind kind);
    PlotKind kind() const;
    /// Replaces the runs (with fresh views); shown at the next refresh().
    void setRuns(std::vector<PlotRun> runs);
    /// Index of the reference run among the runs.
    void setReference(int run);
    /// Column of PlotKind::Quantity, e.g. "bob.x".
    void setQuantity(const QString& column);
    /// Columns of PlotKind::Phase.
    void setPhase(const QString& x, const QString& y);
    const PlotSpec& spec() const;

    /// Fixes the visible time [s] and stops following. Emits nothing.
    void setTimeRange(double t0, double t1);
    /// The same while another plot is dragged: whoever drags refreshes now and then, and this plot itself once it is over.
    void followRange(double t0, double t1);
    /// The range ends at the displayed time: the last span seconds, or everything from the start when span is 0.
    void followTime(double span = 0);
    /// What is shown from the start is at least as long [s].
    void setShortest(double span);
    bool following() const;
    double timeStart() const;
    double timeEnd() const;
    /// Displayed time [s]; cheap, may come with every frame.
    void setTimeCursor(double t);
    double timeCursor() const;
    /// Reads the recordings and draws; the expensive call, a few milliseconds at most whatever the length.
    void refresh();

    void setDark(bool dark);
    /// 1, or 1.4 in presentation mode.
    void setScale(double scale);
    /// A widget in place of the title (a chooser); the plot takes ownership.
    void setTitleWidget(QWidget* widget);

    /// Widget position of a point of the plot, (t, y) or (x, y); for read-outs and tests.
    QPointF pointOnScreen(double x, double y) const;
    QRectF plotRect() const;
    PlotRange ordinate() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The user panned or zoomed time: the other plots follow.
    void timeRangeChanged(double t0, double t1);
    /// The user asked to follow the time again (double click).
    void followRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::ui
