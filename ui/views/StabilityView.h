// The region of absolute stability of a method in the complex plane of z = h lambda, with the eigenvalues of a motion in it.
#pragma once

#include <QImage>
#include <QWidget>

#include <complex>
#include <functional>
#include <vector>

#include "ui/views/Theme.h"

namespace driftless::ui {

class StabilityView : public QWidget {
    Q_OBJECT
public:
    using Amplification = std::function<double(std::complex<double>)>;

    explicit StabilityView(const Theme& theme, QWidget* parent = nullptr);

    /// |R(z)|, or what takes its place; cell: side of the squares in which it is sampled, in pixels (more where it costs more).
    void setMethod(Amplification amplification, int cell);
    /// Points z, and what they are in one line.
    void setPoints(std::vector<std::complex<double>> points, const QString& caption);
    void setTheme(const Theme& theme);
    /// The whole default window of the plane.
    void resetView();

    const std::vector<std::complex<double>>& points() const { return points_; }
    QPointF placeOf(std::complex<double> z) const;
    std::complex<double> valueAt(QPointF place) const;
    QSize sizeHint() const override { return {520, 400}; }

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override { image_ = {}; }
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override { resetView(); }
    void leaveEvent(QEvent*) override;

private:
    void sample();
    void drawAxes(QPainter& painter) const;
    void drawPoints(QPainter& painter) const;

    Theme theme_;
    Amplification amplification_;
    int cell_ = 1;
    std::vector<std::complex<double>> points_;
    QString caption_, under_;
    std::complex<double> centre_;
    double perPixel_ = 0; ///< units of z; 0: to be chosen for the size
    QImage image_;
    QPoint grabbed_;
};

} // namespace driftless::ui
