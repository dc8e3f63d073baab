// The stage: what a lecture hall looks at. The full screen belongs to the scene and one plot, with the runs in one line above,
// the step of a lesson as a caption, time and rod in the scene. It borrows all of this from the window and gives it back as it
// was; nothing is drawn twice. On a second screen, where there is one: the guide stays on the first.
//
// Keys: Page Down, Right, Page Up, Left: the steps of the lesson; 1 to 9: the formulation of the selected run; "." blanks the
// stage; Space plays; Escape or F5 leaves.
#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QFrame;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QScreen;

namespace driftless::ui {

class Actions;
class ElidedLabel;
class LessonPanel;
class PlotColumn;
class StageCaption;
class StageKeys;
class StageReadout;

/// The formulations of the keys 1 to 9.
const std::vector<QString>& stageFormulations();

class StageWindow : public QWidget {
    Q_OBJECT
public:
    /// What the stage shows as long as it is open; all of it has a place in a layout of the window.
    struct Borrowed {
        QWidget* chips;    ///< of the runs
        QWidget* scene;    ///< with all that lies over it
        PlotColumn* plots; ///< one of them is shown
    };

    StageWindow(Document& document, Actions& actions, LessonPanel& lessons, QWidget* window);

    /// Takes what it borrows and fills the screen.
    void open(const Borrowed& borrowed, QScreen* screen);
    /// Gives back what it borrowed, each to its place, and is gone.
    void leave();
    bool isOpen() const { return borrowed_.scene != nullptr; }
    /// Where the stage is set up: a screen that the window is not on, else its own.
    static QScreen* screenFor(const QWidget& window);

    void setTheme(const Theme& theme);
    /// With every frame.
    void setTime(double t, int decimals);
    /// How much larger than in the window everything is written.
    double scale() const { return scale_; }
    bool isBlank() const;

signals:
    /// It wants to be closed.
    void left();
    /// Everything on it is written in this size.
    void scaled(double scale);
    /// Pixels of the scene that the caption takes.
    void covers(int pixels);
    /// The same at its top, of clock and runs.
    void coversTop(int pixels);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeBar();
    void makeKeys();
    void makeOverlays();
    void applySheet();
    void applyScale();
    void showStep();
    void chooseFormulation(int number);
    void blank(bool on);

    Document& document_;
    Actions& actions_;
    LessonPanel& lessons_;
    Borrowed borrowed_{};
    std::vector<QWidget*> places_; ///< of chips, scene and plots in the window
    Theme theme_ = Theme::light();
    double scale_ = 1;
    QFrame* bar_;
    QHBoxLayout *barRow_, *body_;
    ElidedLabel* step_;
    QPushButton *window_, *back_, *show_, *next_;
    QPointer<StageCaption> caption_; ///< these three lie over the scene, and only while it is here
    QPointer<StageReadout> readout_;
    QPointer<StageKeys> keys_;
    QWidget* blank_;
};

} // namespace driftless::ui
