// Marks bodies and joints in the scene: a clear sheet over the scene view that draws halos where its parts were last drawn.
#pragma once

#include <QWidget>

#include <memory>
#include <string>
#include <vector>

#include "core/system/CompiledSystem.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class SceneView;

class SceneHighlight : public QWidget {
    Q_OBJECT
public:
    explicit SceneHighlight(SceneView* scene);

    /// Another model: nothing is marked.
    void setModel(std::shared_ptr<const model::CompiledSystem> system);
    /// Bodies and joints by name; empty: none.
    void setOwners(const std::vector<std::string>& owners);
    const std::vector<std::string>& owners() const { return owners_; }
    /// Of the runs in the scene the one whose parts are marked, -1: none.
    void setRun(int run);
    void setTheme(const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    SceneView* scene_;
    std::shared_ptr<const model::CompiledSystem> system_;
    std::vector<std::string> owners_;
    const Theme* theme_ = &Theme::light();
    int run_ = -1;
};

} // namespace driftless::ui
