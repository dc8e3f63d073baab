// What a person can do with the window, one entry each: the menu bar, the command palette and the page of shortcuts are made
// from this list, and buttons show its actions.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>

#include <functional>
#include <vector>

namespace driftless::ui {

/// The menus, in the order of the bar.
enum class ActionGroup { File, Edit, Run, View, Laboratory, Help };
inline constexpr ActionGroup kActionGroups[] = {ActionGroup::File, ActionGroup::Edit,       ActionGroup::Run,
                                                ActionGroup::View, ActionGroup::Laboratory, ActionGroup::Help};

struct ActionEntry {
    QString id; ///< the object name of its QAction
    QString words;
    QKeySequence key{};
    ActionGroup group = ActionGroup::File;
    std::function<void()> act;
    /// A sentence that says why it is impossible at present; where there is no function, or it answers nothing, it is possible.
    std::function<QString()> whyNot{};
    bool checkable = false;
    bool apart = false; ///< begins a part of its menu
    QString tip{};      ///< empty: the words
    QString during{};   ///< "while building": where the key means something else at another time
};

class Actions : public QObject {
    Q_OBJECT
public:
    /// Keys act in this window.
    explicit Actions(QWidget& window);

    /// The id is new.
    QAction* add(ActionEntry entry);
    /// There is such an entry.
    QAction& at(const QString& id) const;
    bool isChecked(const QString& id) const { return at(id).isChecked(); }
    /// Shows a state that came about otherwise: nothing is done.
    void show(const QString& id, bool checked);
    const std::vector<ActionEntry>& entries() const { return entries_; }
    /// Empty: it is possible.
    static QString whyNot(const ActionEntry& entry);
    /// "&File", ... with the letter that opens the menu.
    static QString title(ActionGroup group);

signals:
    /// Somebody wanted what is impossible at present.
    void refused(const QString& words, const QString& why);

private:
    void trigger(std::size_t place);

    QWidget& window_;
    std::vector<ActionEntry> entries_;
};

} // namespace driftless::ui
