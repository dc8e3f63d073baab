// The menu bar: every entry of the registry of actions in the menu of its group, greyed with its reason where it is impossible.
#pragma once

#include <QMenuBar>

#include <vector>

#include "ui/panels/Actions.h"

namespace driftless::ui {

class MenuBar : public QMenuBar {
    Q_OBJECT
public:
    /// The registry is complete by now.
    explicit MenuBar(Actions& actions, QWidget* parent = nullptr);
    void showRecent(const QStringList& files);
    /// Where a row of buttons stands beside it: what does not fit is behind an arrow.
    QSize minimumSizeHint() const override;

protected:
    /// Its entries in another font take another room.
    void changeEvent(QEvent* event) override;

signals:
    void recentChosen(const QString& path);

private:
    void greyOut(ActionGroup group);
    void restore();

    /// An action that is greyed while its menu is open; its key goes on to say why it is impossible.
    struct Greyed {
        QAction* action;
        QString tip;
    };
    Actions& actions_;
    QMenu* recent_;
    std::vector<Greyed> greyed_;
};

} // namespace driftless::ui
