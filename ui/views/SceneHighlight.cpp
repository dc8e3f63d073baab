#include "ui/views/SceneHighlight.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr double kRing = 17, kBand = 15; ///< radius of a ring, width of a band [pixels]

} // namespace

SceneHighlight::SceneHighlight(SceneView* scene) : QWidget(scene), scene_(scene)
{
    setObjectName("sceneHighlight");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setStyleSheet(QStringLiteral("background: transparent;"));
    setGeometry(scene->rect());
    scene->installEventFilter(this);
    hide();
}

void SceneHighlight::setModel(std::shared_ptr<const model::CompiledSystem> system)
{
    system_ = std::move(system);
    setOwners({});
}

void SceneHighlight::setOwners(const std::vector<std::string>& owners)
{
    owners_ = owners;
    setVisible(!owners_.empty());
    update();
}

void SceneHighlight::setRun(int run) { run_ = run; }

void SceneHighlight::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void SceneHighlight::paintEvent(QPaintEvent*)
{
    if (!system_ || run_ < 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor glow = theme_->accent;
    glow.setAlpha(theme_->dark ? 110 : 80);
    int point = 0;
    for (const model::Visual& visual : system_->system().visuals) {
        const int first = point;
        point += static_cast<int>(visual.points.size());
        if (visual.points.empty() || std::find(owners_.begin(), owners_.end(), visual.owner) == owners_.end())
            continue;
        const QPointF a = scene_->pointOnScreen(run_, first);
        if (a.isNull())
            continue;
        const bool line = visual.points.size() > 1 && visual.kind != model::VisualKind::RigidDisc
                          && visual.kind != model::VisualKind::RigidBlock && visual.kind != model::VisualKind::RigidSphere;
        if (line) {
            painter.setPen(QPen(glow, kBand, Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(a, scene_->pointOnScreen(run_, first + 1));
        } else {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(glow, kBand / 2));
            painter.drawEllipse(a, kRing, kRing);
        }
    }
}

bool SceneHighlight::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == scene_ && event->type() == QEvent::Resize)
        setGeometry(scene_->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace driftless::ui
