#include "ui/panels/MenuBar.h"

#include <QEvent>
#include <QFileInfo>

#include <utility>

namespace driftless::ui {

MenuBar::MenuBar(Actions& actions, QWidget* parent) : QMenuBar(parent), actions_(actions)
{
    setObjectName("menuBar");
    setNativeMenuBar(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    recent_ = new QMenu(tr("Open recent"), this);
    recent_->setObjectName("recentMenu");
    for (const ActionGroup group : kActionGroups) {
        auto* menu = addMenu(Actions::title(group));
        menu->setObjectName("menu_" + QString(Actions::title(group)).remove(u'&').toLower());
        menu->setToolTipsVisible(true);
        for (const ActionEntry& entry : actions_.entries()) {
            if (entry.group != group)
                continue;
            if (entry.apart)
                menu->addSeparator();
            menu->addAction(&actions_.at(entry.id));
            if (entry.id == QStringLiteral("open"))
                menu->addMenu(recent_);
        }
        connect(menu, &QMenu::aboutToShow, this, [this, group] { greyOut(group); });
        // The action that was chosen is triggered after this.
        connect(menu, &QMenu::aboutToHide, this, &MenuBar::restore, Qt::QueuedConnection);
    }
    showRecent({});
}

QSize MenuBar::minimumSizeHint() const
{
    constexpr int kArrow = 40;
    return {kArrow, QMenuBar::minimumSizeHint().height()};
}

void MenuBar::changeEvent(QEvent* event)
{
    QMenuBar::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateGeometry();
}

void MenuBar::greyOut(ActionGroup group)
{
    restore();
    for (const ActionEntry& entry : actions_.entries()) {
        if (entry.group != group)
            continue;
        QAction& action = actions_.at(entry.id);
        const QString why = Actions::whyNot(entry);
        if (why.isEmpty() || !action.isEnabled())
            continue;
        greyed_.push_back({&action, action.toolTip()});
        action.setToolTip(why);
        action.setEnabled(false);
    }
}

void MenuBar::restore()
{
    for (const Greyed& greyed : std::exchange(greyed_, {})) {
        greyed.action->setToolTip(greyed.tip);
        greyed.action->setEnabled(true);
    }
}

void MenuBar::showRecent(const QStringList& files)
{
    recent_->clear();
    recent_->setEnabled(!files.isEmpty());
    for (const QString& file : files)
        connect(recent_->addAction(QFileInfo(file).fileName()), &QAction::triggered, this,
                [this, file] { emit recentChosen(file); });
}

} // namespace driftless::ui
