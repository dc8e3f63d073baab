#include "ui/panels/Actions.h"

#include <QSignalBlocker>
#include <QWidget>

#include <utility>

namespace driftless::ui {

Actions::Actions(QWidget& window) : QObject(&window), window_(window) {}

QAction* Actions::add(ActionEntry entry)
{
    auto* made = new QAction(entry.words, this);
    made->setObjectName(entry.id);
    made->setShortcut(entry.key);
    made->setCheckable(entry.checkable);
    const QString tip = entry.tip.isEmpty() ? entry.words : entry.tip;
    made->setToolTip(entry.key.isEmpty() ? tip
                                         : QStringLiteral("%1 (%2)").arg(tip, entry.key.toString(QKeySequence::NativeText)));
    connect(made, &QAction::triggered, this, [this, place = entries_.size()] { trigger(place); });
    window_.addAction(made);
    entries_.push_back(std::move(entry));
    return made;
}

QAction& Actions::at(const QString& id) const
{
    auto* found = findChild<QAction*>(id, Qt::FindDirectChildrenOnly);
    Q_ASSERT(found);
    return *found;
}

void Actions::show(const QString& id, bool checked)
{
    QAction& action = at(id);
    const QSignalBlocker quiet(action);
    action.setChecked(checked);
}

QString Actions::whyNot(const ActionEntry& entry) { return entry.whyNot ? entry.whyNot() : QString(); }

void Actions::trigger(std::size_t place)
{
    const ActionEntry& entry = entries_[place];
    const QString why = whyNot(entry);
    if (why.isEmpty()) {
        entry.act();
        return;
    }
    if (entry.checkable)
        show(entry.id, !isChecked(entry.id));
    emit refused(at(entry.id).text(), why);
}

QString Actions::title(ActionGroup group)
{
    switch (group) {
    case ActionGroup::File:
        return tr("&File");
    case ActionGroup::Edit:
        return tr("&Edit");
    case ActionGroup::Run:
        return tr("&Run");
    case ActionGroup::View:
        return tr("&View");
    case ActionGroup::Laboratory:
        return tr("&Laboratory");
    case ActionGroup::Help:
        break;
    }
    return tr("&Help");
}

} // namespace driftless::ui
