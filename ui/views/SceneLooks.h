// Buttons in a corner of the scene that turn a space model: home, front, side, top.
#pragma once

#include <QWidget>

namespace driftless::ui {

class SceneView;

class SceneLooks : public QWidget {
    Q_OBJECT
public:
    explicit SceneLooks(SceneView& scene);
    /// In the upper right corner of the scene.
    void place();

protected:
    void showEvent(QShowEvent* event) override;

private:
    SceneView& scene_;
};

} // namespace driftless::ui
