// The bar at the top: time control, files, export, looks. Its buttons show the window's actions.
#pragma once

#include <QFrame>

#include <vector>

#include "ui/panels/Icons.h"
#include "ui/views/Theme.h"

class QAction;
class QComboBox;
class QLabel;
class QToolButton;

namespace driftless::ui {

/// Everything a person can do with a key or a button; owned by the window.
struct WindowActions {
    QAction *play, *step, *reset, *undo, *redo, *open, *gallery, *save, *saveAs, *exportFigure, *copyFigure, *exportCsv,
        *exportScene, *exportNow, *arrangeFigure, *theme, *presentation, *drawer, *lessons, *addRun, *fit, *arrows, *fan,
        *deviation, *everyStep, *memory, *pencil, *methods, *precision, *lineariseHere, *notation, *edit, *newMechanism,
        *saveModel, *quit;
};

class TopBar : public QFrame {
    Q_OBJECT
public:
    static constexpr int kHeight = 44;

    explicit TopBar(const WindowActions& actions, QWidget* parent = nullptr);
    void setTheme(const Theme& theme, double scale);
    void setPlaying(bool playing);
    void setTime(double t);
    void setTitle(const QString& title);
    void setSpeed(double speed);
    void showRecent(const QStringList& files);

signals:
    void speedChosen(double speed);
    void recentChosen(const QString& path);

private:
    QToolButton* add(QAction* action, Glyph glyph, const QString& name);
    QFrame* separator();

    WindowActions actions_;
    struct Button {
        QAction* action;
        Glyph glyph;
    };
    std::vector<Button> buttons_;
    Theme theme_ = Theme::light();
    bool playing_ = false;
    QComboBox* speed_;
    QLabel *time_, *title_;
    QToolButton *open_, *export_, *save_, *view_;
};

} // namespace driftless::ui
