#include "ui/panels/AccessibleRoles.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>

#include "ui/panels/RunRow.h"
#include "ui/views/LadderView.h"
#include "ui/views/PlotView.h"
#include "ui/views/SceneView.h"
#include "ui/views/SignatureMatrix.h"
#include "ui/views/TimeLine.h"

namespace driftless::ui {

namespace {

/// A list to choose from says what is chosen with it: by itself it would say the choice alone.
class SpokenCombo final : public QAccessibleWidget {
public:
    explicit SpokenCombo(QComboBox* combo) : QAccessibleWidget(combo, QAccessible::ComboBox), combo_(combo) {}

    QString text(QAccessible::Text which) const override
    {
        if (which == QAccessible::Value)
            return combo_->currentText();
        if (which != QAccessible::Name || combo_->accessibleName().isEmpty())
            return QAccessibleWidget::text(which);
        return combo_->currentText().isEmpty() ? combo_->accessibleName()
                                               : QStringLiteral("%1: %2").arg(combo_->accessibleName(), combo_->currentText());
    }
    QAccessible::State state() const override
    {
        QAccessible::State all = QAccessibleWidget::state();
        all.expandable = true;
        all.expanded = isOpen();
        all.collapsed = !all.expanded;
        return all;
    }
    QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }
    void doAction(const QString& action) override
    {
        if (action != showMenuAction() && action != pressAction())
            return;
        if (isOpen())
            combo_->hidePopup();
        else
            combo_->showPopup();
    }

private:
    bool isOpen() const // without making the list
    {
        const auto* list = combo_->findChild<QAbstractItemView*>();
        return list && list->isVisible();
    }

    QComboBox* combo_;
};

/// A button that is pressed as with the mouse. By itself one that stays down would only change its look when a screen reader
/// turns it, and its action would not be carried out.
class SpokenButton final : public QAccessibleWidget {
public:
    explicit SpokenButton(QAbstractButton* button) : QAccessibleWidget(button), button_(button) {}

    QAccessible::Role role() const override
    {
        if (button_->isCheckable())
            return QAccessible::CheckBox;
        return menu() ? QAccessible::ButtonMenu : QAccessible::Button;
    }
    QString text(QAccessible::Text which) const override
    {
        const QString said = QAccessibleWidget::text(which);
        return which == QAccessible::Name && said.isEmpty() ? button_->text().remove(u'&') : said;
    }
    QAccessible::State state() const override
    {
        QAccessible::State all = QAccessibleWidget::state();
        all.checkable = button_->isCheckable();
        all.checked = button_->isChecked();
        all.pressed = button_->isDown();
        all.hasPopup = menu() != nullptr;
        return all;
    }
    QStringList actionNames() const override
    {
        if (!button_->isEnabled())
            return {};
        QStringList all{button_->isCheckable() ? toggleAction() : pressAction()};
        if (menu())
            all << showMenuAction();
        return all << setFocusAction();
    }
    void doAction(const QString& action) override
    {
        if (action == toggleAction() || action == pressAction())
            QMetaObject::invokeMethod(button_, &QAbstractButton::click, Qt::QueuedConnection); // who asked does not wait for it
        else if (action == showMenuAction())
            QMetaObject::invokeMethod(button_, "showMenu", Qt::QueuedConnection);
        else
            QAccessibleWidget::doAction(action);
    }

private:
    QMenu* menu() const
    {
        const auto* tool = qobject_cast<const QToolButton*>(button_);
        const auto* push = qobject_cast<const QPushButton*>(button_);
        if (tool)
            return tool->menu();
        return push ? push->menu() : nullptr;
    }

    QAbstractButton* button_;
};

/// Pages with tabs: their bar takes the keys, they themselves do not.
class SpokenPages final : public QAccessibleWidget {
public:
    explicit SpokenPages(QTabWidget* pages) : QAccessibleWidget(pages, QAccessible::Grouping) {}

    QAccessible::State state() const override
    {
        QAccessible::State all = QAccessibleWidget::state();
        all.focusable = all.focused = false;
        return all;
    }
};

/// A figure is said with what it is of.
class SpokenFigure final : public QAccessibleWidget {
public:
    explicit SpokenFigure(QLabel* label) : QAccessibleWidget(label, QAccessible::StaticText), label_(label) {}

    QString text(QAccessible::Text which) const override
    {
        if (which == QAccessible::Name)
            return QStringLiteral("%1: %2").arg(label_->accessibleName(), label_->text());
        return QAccessibleWidget::text(which);
    }

private:
    QLabel* label_;
};

/// A name is set on the widget itself; null: not one of ours.
QAccessibleInterface* spokenAs(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    if (!widget)
        return nullptr;
    if (auto* combo = qobject_cast<QComboBox*>(widget); combo && !combo->isEditable())
        return new SpokenCombo(combo);
    if (qobject_cast<QToolButton*>(widget)
        || qobject_cast<QPushButton*>(widget)) // boxes and radio buttons say all by themselves
        return new SpokenButton(static_cast<QAbstractButton*>(widget));
    if (auto* pages = qobject_cast<QTabWidget*>(widget))
        return new SpokenPages(pages);
    if (qobject_cast<RunRow*>(widget))
        return new QAccessibleWidget(widget, QAccessible::ListItem);
    if (auto* label = qobject_cast<QLabel*>(widget);
        label && label->property("role") == QStringLiteral("cell") && !label->accessibleName().isEmpty())
        return new SpokenFigure(label);
    if (qobject_cast<SceneView*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Canvas);
    if (qobject_cast<TimeLine*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Slider);
    if (qobject_cast<PlotView*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Chart);
    if (qobject_cast<SignatureMatrix*>(widget) || qobject_cast<LadderView*>(widget))
        return new QAccessibleWidget(widget, QAccessible::Graphic);
    return nullptr;
}

} // namespace

void installAccessibleRoles()
{
    static const bool done = [] {
        QAccessible::installFactory(spokenAs);
        return true;
    }();
    (void)done;
}

} // namespace driftless::ui
