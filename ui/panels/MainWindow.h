// The window: layout, frame loop, and the actions on the document.
//
// One timer at display rate advances the shared clock by the wall time that passed and shows every run at the clock's
// time: the scene with every frame, one plot at a time, the panels ten times a second; what did not change is not drawn.
#pragma once

#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "ui/document/Document.h"
#include "ui/panels/Actions.h"
#include "ui/panels/TopBar.h"
#include "ui/panels/Workspaces.h"

class QBoxLayout;
class QLabel;
class QScrollArea;
class QStatusBar;

namespace driftless::ui {

class Drawer;
class EditPanel;
class EditStatusLine;
class EditStrip;
class ElidedLabel;
class Exports;
class FileDialogs;
class Help;
class Laboratories;
class LessonPanel;
class MechanismEditor;
class MessageCard;
class ParameterPanel;
class PivotPanel;
class PlotColumn;
class RunBoard;
class SceneEditor;
class SceneHighlight;
class SceneView;
class StageWindow;
class StudyPage;
class TimeLine;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Document& document, bool dark = false, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// The first start: two runs playing, and a question at t = 40.
    Result<void> openFirstStart();
    /// The frame timer; a window without it is only drawn by showAt().
    void startFrames();
    /// Shows t at once, everything drawn (screenshots).
    void showAt(double t);
    void setDark(bool dark);
    /// Everything written larger.
    void setPresenting(bool on);
    /// The full screen for scene and one plot: on a second screen, where there is one.
    void setStaged(bool on);
    bool isStaged() const;
    /// Building by hand: tools over the scene, tree and properties at the left; pauses, and shows the start.
    void setEditing(bool on);
    bool isEditing() const;
    /// Build is editing, and leaving it ends that. The one that a person goes to is kept for the next start.
    void setWorkspace(Workspace wanted);
    Workspace workspace() const { return workspace_; }
    /// The one that the window was last used with.
    void restoreWorkspace();
    /// A page of the drawer: equations, structure, model, messages or start; the guide: lessons; or a workspace by the name of
    /// its action: workspace_methods. False when there is no such page.
    bool openPage(const QString& id);

    /// A model, study, lesson or session. One that cannot be opened is shown as text, at what is wrong with it.
    Result<void> openPath(const QString& path);
    /// The same for one that a person named: a study brings its page along.
    Result<void> openByHand(const QString& path);
    /// Whether the drawer shows the text of such a file.
    bool showsBroken() const;
    /// The guide with a lesson, or with the list of lessons when it is empty.
    Result<void> openLesson(const QString& pathOrId);
    enum class Offer { Restore, Later, Delete }; ///< of what a window left behind that did not end properly
    void offerRestore(const QString& title, const QString& text, std::function<void(Offer answer)> answer);

    Actions& actionRegistry() { return *actions_; }
    Exports& exports() { return *exports_; }
    SceneView& scene() { return *scene_; }
    MechanismEditor& editor() { return *editor_; }
    SceneEditor& sceneEditor() { return *sceneEditor_; }
    PlotColumn& plots() { return *plots_; }
    TimeLine& timeLine() { return *timeLine_; }

    static constexpr double kQuestionTime = 40; ///< [s] of the first start

signals:
    /// After every frame that drew something.
    void frameShown();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // The registry of actions, menu by menu (MainWindowActions.cpp).
    void makeActions();
    void addFileActions();
    void addExportActions();
    void addEditActions();
    void addRunActions();
    void addViewActions();
    void addLaboratoryActions();
    void addHelpActions();
    // When they are possible: answers as ActionEntry::whyNot does.
    std::function<QString()> needsModel();
    std::function<QString()> needsRun();
    std::function<QString()> whileWatching(std::function<QString()> also);
    void openGallery();
    void openPalette();
    void exportToPictures();
    void recordEveryStep(bool on);
    void askForMemory();

    void makeHelpers();
    void connectDocument();
    void applyLook();

    // The workspaces (MainWindowWorkspace.cpp).
    enum class DrawerPlace { Below, Beside, Centre };
    struct Arrangement {
        Workspace workspace = Workspace::Watch;
        bool side = false; ///< a small scene over the column
        DrawerPlace drawer = DrawerPlace::Below;
        bool operator==(const Arrangement&) const = default;
    };
    void addWorkspaceActions();
    void enterWorkspace(Workspace wanted);
    QWidget* centreOf(Workspace workspace);
    void arrange(const Arrangement& wanted);
    void placeCard();

    // Where everything stands (MainWindowLayout.cpp).
    void makeLayout();
    QWidget* makeLeft();
    QWidget* makeHost();
    QWidget* makeStatus();
    void fitHeights();
    void layOut();
    void placeColumn(bool chips, int width);
    void placePlots(int room);
    void placeSide(int width);
    double drawerScale() const;
    bool drawerOpened(bool beside) const;

    void frame();
    void showScene(double t);
    void showTimeLine(double t);
    void showPanels(double t);
    void rebuildCards();
    void rebuildAll();
    void askAboutTheRod();

    // A body taken hold of in the scene (MainWindowDrag.cpp). Time stands still as long as it is held.
    void connectGrabbing();
    void applyDrag();
    void releaseBody();
    void showCorrection();

    // The editor of mechanisms (MainWindowEdit.cpp).
    void makeEditor();
    void connectEditor();
    void refreshEditor();
    void showSelectedText();
    void newMechanism();
    void copySelection();

    // The stage (MainWindowStage.cpp).
    void makeStageWindow();
    void showStageTime(double t);
    void coverScene();

    void connectReplay();
    bool showBroken(const QString& path, const Diagnostic& problem);
    void openChosen(const QString& path);
    void showRows(); ///< what all runs record, which a session brings along; without runs, what is preferred
    void addDefaultRun();
    void connectLessons();
    void showLessons(bool on);
    void showDrawer(bool on);
    void setFan(bool on);
    void setDeviation(bool on);

    Document& document_;
    Actions* actions_ = nullptr;
    TopBar* topBar_ = nullptr;
    QScrollArea* left_ = nullptr;
    RunBoard* board_ = nullptr;
    PivotPanel* pivots_ = nullptr;
    ParameterPanel* parameters_ = nullptr;
    QWidget* host_ = nullptr; ///< of the scene, or of the portrait in its place
    SceneView* scene_ = nullptr;
    StageWindow* stage_ = nullptr;
    int cardCovers_ = 0, captionCovers_ = 0, readoutCovers_ = 0; ///< [px] of the scene: its bottom, and its top
    SceneHighlight* highlight_ = nullptr;
    MechanismEditor* editor_ = nullptr;
    SceneEditor* sceneEditor_ = nullptr;
    EditStrip* strip_ = nullptr;
    EditStatusLine* editLine_ = nullptr;
    EditPanel* editPanel_ = nullptr;
    std::vector<QAction*> editActions_; ///< that only act while editing
    TimeLine* timeLine_ = nullptr;
    PlotColumn *plots_ = nullptr, *portrait_ = nullptr;
    /// Of the window; column; right of it; scene and plots; scene and time line.
    QBoxLayout *columns_ = nullptr, *side_ = nullptr, *right_ = nullptr, *upper_ = nullptr, *middle_ = nullptr;
    WorkspaceRail* rail_ = nullptr;
    Workspace workspace_ = Workspace::Watch;
    Arrangement arranged_;
    QWidget* centre_ = nullptr; ///< what the middle belongs to
    StudyPage* studies_ = nullptr;
    Drawer* drawer_ = nullptr;
    LessonPanel* lessons_ = nullptr;
    MessageCard* card_ = nullptr;
    FileDialogs* dialogs_ = nullptr;
    Exports* exports_ = nullptr;
    Laboratories* laboratories_ = nullptr;
    Help* help_ = nullptr;
    QStatusBar* statusLine_ = nullptr;
    QLabel* status_ = nullptr;
    ElidedLabel* keeps_ = nullptr;

    struct Drag {
        QString body, gesture;
        std::map<std::string, double> wanted;
        bool pending = false; ///< a wanted point that no frame has taken up yet
        bool playing = false; ///< before it was taken
    };
    std::optional<Drag> drag_;
    int gestures_ = 0;

    QTimer frameTimer_;
    QElapsedTimer wall_;
    qint64 lastFrame_ = 0;
    std::uint64_t frames_ = 0;
    double shownTime_ = -1;
    int shownDocument_ = 0; ///< its number, as History counts them
    double shownReached_ = -1;
    bool stale_ = true, dark_ = false; ///< stale: runs or looks changed, so draw even when the time stands still
    double scale_ = 1;
    bool firstStart_ = false;                ///< the question is still to come
    bool replayCancelled_ = false;           ///< of the session that is being opened
    bool floating_ = false;                  ///< the column lies over the scene, where chips stand for it
    bool columnOpen_ = false;                ///< and is in sight there
    std::map<Workspace, bool> drawerChosen_; ///< where a person opened or closed the drawer
};

} // namespace driftless::ui
