#include "ui/views/SceneLooks.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr int kCorner = 8; // [px] from the edges of the scene

} // namespace

SceneLooks::SceneLooks(SceneView& scene) : QWidget(&scene), scene_(scene)
{
    setObjectName(QStringLiteral("sceneLooks"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    const struct {
        const char* name;
        QString words, tip;
        SceneView::Look look;
    } looks[] = {
        {"sceneLookHome", tr("Home"), tr("The first look, with everything in sight (Ctrl+Alt+0)"), SceneView::Look::Home},
        {"sceneLookFront", tr("Front"), tr("Seen from the front: x to the right, z up (Ctrl+Alt+1)"), SceneView::Look::Front},
        {"sceneLookSide", tr("Side"), tr("Seen from the side: y to the right, z up (Ctrl+Alt+2)"), SceneView::Look::Side},
        {"sceneLookTop", tr("Top"), tr("Seen from above: x to the right, y up (Ctrl+Alt+3)"), SceneView::Look::Top}};
    for (const auto& entry : looks) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(entry.name));
        button->setText(entry.words);
        button->setToolTip(entry.tip);
        button->setAccessibleName(entry.tip);
        button->setProperty("role", "small");
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, [this, look = entry.look] { scene_.lookFrom(look); });
        row->addWidget(button);
    }
    hide();
}

void SceneLooks::place()
{
    adjustSize();
    move(scene_.width() - width() - kCorner, kCorner);
    raise();
}

void SceneLooks::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    place();
}

} // namespace driftless::ui
