// A mechanism in motion on its card in Home: integrated as its file says, a little in each frame, for as long as it is pointed
// at.
#pragma once

#include <QImage>
#include <QObject>
#include <QTimer>

#include <memory>

#include "core/system/CompiledSystem.h"

namespace driftless::run {
class Run;
}

namespace driftless::ui {

class SceneView;

class HomeMotion : public QObject {
    Q_OBJECT
public:
    /// The pictures are drawn by a view that is never shown.
    explicit HomeMotion(QWidget& parent);
    ~HomeMotion() override;

    /// From its start, at the size [pixels of the device]; quietly nothing where the model cannot be integrated as it is.
    void play(const std::shared_ptr<const model::CompiledSystem>& system, QSize size, bool dark);
    void stop();
    bool isPlaying() const { return timer_.isActive(); }

signals:
    void drawn(const QImage& picture);

private:
    void frame();

    QWidget& parent_;
    std::unique_ptr<run::Run> run_;
    SceneView* view_ = nullptr;
    QSize size_;
    double t_ = 0, end_ = 0; ///< [s]
    double rate_ = 1;        ///< seconds of motion in a second
    QTimer timer_;
};

} // namespace driftless::ui
