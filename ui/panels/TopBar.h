// The bar at the top: menus, time control, files, export, looks. Its buttons show the window's actions.
#pragma once

#include <QFrame>

#include <vector>

#include "ui/document/SpeedMeter.h"
#include "ui/panels/Actions.h"
#include "ui/panels/Icons.h"
#include "ui/views/Theme.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace driftless::ui {

class ElidedLabel;
class MenuBar;

class TopBar : public QFrame {
    Q_OBJECT
public:
    static constexpr int kHeight = 44;

    explicit TopBar(Actions& actions, QWidget* parent = nullptr);
    void setTheme(const Theme& theme, double scale);
    void setPlaying(bool playing);
    bool showsPlaying() const { return playing_; }
    /// then: an earlier time than the latest.
    void setTime(double t, bool then = false);
    /// Digits behind the point of the displayed time.
    void setDecimals(int decimals);
    /// After each frame: says where the speed that was asked for is not kept.
    void showPace(double wallSeconds, const run::ClockStatus& clock);
    void setTitle(const QString& title);
    void setSpeed(double speed);
    /// To the next speed of the list, or the one before.
    void turnSpeed(int by);
    bool canTurnSpeed(int by) const;
    void showRecent(const QStringList& files);

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void speedChosen(double speed);
    void recentChosen(const QString& path);

private:
    QToolButton* add(QAction& action, Glyph glyph, const QString& name);
    QFrame* separator();

    Actions& actions_;
    struct Button {
        QAction* action;
        Glyph glyph;
    };
    std::vector<Button> buttons_;
    Theme theme_ = Theme::light();
    bool playing_ = false;
    QComboBox* speed_;
    int ownSpeed_ = -1; ///< place of one that is not in the usual list
    MenuBar* menu_;
    QLabel* time_;
    ElidedLabel* title_;
    QToolButton* then_;
    QLabel* behind_;
    SpeedMeter pace_;
    double sincePace_ = 0; ///< [s] of wall time since the figures were written
    int decimals_ = 2;
    QToolButton *open_, *export_, *save_, *view_;
};

} // namespace driftless::ui
