// What a person can do with the window: actions with their keys, files, export.
#include "ui/document/NumberText.h"
#include "ui/panels/MainWindow.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressDialog>
#include <QPushButton>
#include <QStandardPaths>
#include <QTextEdit>

#include <algorithm>

#include "core/text/PathText.h"
#include "ui/document/Preferences.h"
#include "ui/document/RecentFiles.h"
#include "ui/document/SessionReplay.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/FigureDialog.h"
#include "ui/panels/Gallery.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr QSize kScenePicture{1600, 1200};
constexpr double kFan = 0.25;      ///< of the model's size between neighbouring runs
constexpr int kDeviationPower = 2; ///< differences are drawn a hundred times as large
constexpr double kLookAhead = 1e-9;
constexpr int kMostFigures = 10000; ///< in one folder, then the last one is written again

bool takesText(const QWidget& widget)
{
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        return !line->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QTextEdit*>(&widget))
        return !text->isReadOnly();
    const auto* combo = qobject_cast<const QComboBox*>(&widget);
    return qobject_cast<const QAbstractSpinBox*>(&widget) || (combo && combo->isEditable());
}

Diagnostic nothingToExport()
{
    return {.what = "There is nothing to export", .why = "there is no run", .remedy = "add a run first"};
}

} // namespace

QAction* MainWindow::action(const QString& text, const QKeySequence& key, const QString& name, std::function<void()> act)
{
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setShortcut(key);
    made->setToolTip(key.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    connect(made, &QAction::triggered, this, std::move(act));
    addAction(made);
    return made;
}

void MainWindow::makeActions()
{
    auto& a = actions_;
    a.play = action(tr("Play"), Qt::Key_Space, "play", [this] {
        if (!document_.hasModel())
            return;
        if (document_.laboratory().clock().playing)
            document_.playback().pause();
        else
            document_.playback().play();
    });
    a.step = action(tr("One step"), Qt::Key_Period, "step", [this] {
        document_.playback().stepOnce();
        stale_ = true;
    });
    a.reset = action(tr("Back to the start"), Qt::Key_Home, "reset", [this] { document_.edits().reset(); });
    a.undo = action(tr("Undo"), QKeySequence::Undo, "undo", [this] { document_.undoStack().undo(); });
    a.redo = action(tr("Redo"), Qt::CTRL | Qt::SHIFT | Qt::Key_Z, "redo", [this] { document_.undoStack().redo(); });
    a.undo->setEnabled(false);
    a.redo->setEnabled(false);
    a.open = action(tr("Open…"), QKeySequence::Open, "open", [this] { openFile(); });
    a.gallery = action(tr("Shipped models…"), Qt::CTRL | Qt::Key_G, "gallery", [this] {
        auto* gallery = new Gallery(dark_, this);
        gallery->setAttribute(Qt::WA_DeleteOnClose);
        connect(
            gallery, &Gallery::chosen, this, [this](const QString& path) { (void)openPath(path); }, Qt::QueuedConnection);
        gallery->open();
    });
    a.save = action(tr("Save"), QKeySequence::Save, "save", [this] { save(false); });
    a.saveAs = action(tr("Save as…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S, "saveAs", [this] { save(true); });
    a.exportFigure = action(tr("Export the figure…"), Qt::CTRL | Qt::Key_E, "exportFigure", [this] {
        askPath(tr("Export the figure"), tr("Scalable (*.svg);;Pages (*.pdf);;Picture (*.png)"), "svg", "exportDialog",
                [this](const QString& path) { return exportFigure(path); });
    });
    a.arrangeFigure =
        action(tr("Arrange a figure…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, "arrangeFigure", [this] { arrangeFigure(); });
    a.exportNow = action(tr("Export what is on screen"), Qt::Key_F8, "exportNow", [this] {
        const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
        sayExported(exportNow(QFileInfo(pictures).isDir() ? pictures : QDir::homePath()));
    });
    a.copyFigure = action(tr("Copy the figure"), QKeySequence::Copy, "copyFigure", [this] {
        if (document_.runs().empty())
            card_->say(nothingToExport());
        else
            ui::copyFigure(composeFigure(exportRequest()));
    });
    a.exportCsv = action(tr("Export the visible numbers…"), {}, "exportCsv", [this] {
        askPath(tr("Export the visible numbers"), tr("Table (*.csv)"), "csv", "exportDialog",
                [this](const QString& path) { return exportCsv(path); });
    });
    a.exportScene = action(tr("Export the scene…"), {}, "exportScene", [this] {
        askPath(tr("Export the scene"), tr("Picture (*.png)"), "png", "exportDialog",
                [this](const QString& path) { return exportScene(path); });
    });
    a.theme = action(tr("Light or dark"), Qt::CTRL | Qt::Key_T, "theme", [this] { setDark(!dark_); });
    a.presentation = action(tr("Presentation mode"), Qt::Key_F5, "presentation", [this] { setPresenting(scale_ == 1); });
    a.lessons = action(tr("Lessons"), Qt::Key_F1, "lessons", [this] { showLessons(actions_.lessons->isChecked()); });
    a.lessons->setCheckable(true);
    a.notation = action(tr("Notation"), Qt::SHIFT | Qt::Key_F1, "notation", [this] { showNotation(); });
    a.drawer = action(tr("Equations, model, messages"), Qt::Key_F4, "drawer", [this] {
        drawerChosen_ = true;
        drawer_->setVisible(actions_.drawer->isChecked());
        drawer_->refreshEquations();
        const QSignalBlocker quiet(actions_.lessons);
        actions_.lessons->setChecked(drawer_->isVisibleTo(this) && drawer_->showsLessons());
        stale_ = true;
    });
    a.drawer->setCheckable(true);
    a.addRun = action(tr("Add run"), Qt::CTRL | Qt::Key_R, "addRun", [this] { addDefaultRun(); });
    a.fit = action(tr("Show everything"), Qt::Key_F, "fit", [this] { scene_->fit(); });
    a.fan = action(tr("Fan the runs out"), Qt::CTRL | Qt::Key_F, "fan", [this] { setFan(actions_.fan->isChecked()); });
    a.fan->setCheckable(true);
    a.deviation = action(tr("Differences × 100"), Qt::CTRL | Qt::Key_D, "deviation",
                         [this] { setDeviation(actions_.deviation->isChecked()); });
    a.deviation->setCheckable(true);
    a.arrows = action(tr("Constraint forces"), Qt::CTRL | Qt::SHIFT | Qt::Key_F, "arrows", [this] {
        scene_->setArrowsVisible(actions_.arrows->isChecked());
        stale_ = true;
    });
    a.arrows->setCheckable(true);
    a.everyStep = action(tr("Record every step"), {}, "everyStep", [this] {
        const run::Rows rows = actions_.everyStep->isChecked() ? run::Rows::EveryStep : run::Rows::AsCurvesNeed;
        preferRows(rows);
        if (document_.hasModel())
            (void)document_.laboratory().recordRows(rows); // which nothing refuses
        stale_ = true;
    });
    a.everyStep->setCheckable(true);
    showRows();
    a.everyStep->setToolTip(
        tr("Otherwise steps that no curve needs are neither measured nor recorded, which takes less time and memory"));
    a.memory = action(tr("Memory of a recording…"), {}, "memory", [this] {
        auto* dialog = new QInputDialog(this);
        dialog->setObjectName("memoryDialog");
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(tr("Memory of a recording"));
        dialog->setLabelText(tr("Of each run that is added or started again from a file [MiB].\nBeyond it, every second of the "
                                "older rows goes; curves keep their minima and maxima."));
        dialog->setInputMode(QInputDialog::IntInput);
        dialog->setIntRange(kLeastMemory, kMostMemory);
        dialog->setIntValue(preferredMemory());
        connect(dialog, &QInputDialog::intValueSelected, this, [this](int mebibytes) {
            preferMemory(mebibytes);
            if (document_.hasModel())
                document_.laboratory().setRecordingBudget(static_cast<std::uint64_t>(mebibytes) << 20);
        });
        dialog->open();
    });
    makePencilActions();
    makeEditActions();
    a.quit = action(tr("Quit"), Qt::CTRL | Qt::Key_Q, "quit", [this] { close(); });
}

void MainWindow::setFan(bool on)
{
    scene_->setFanOut(on ? kFan : 0);
    stale_ = true;
}

void MainWindow::setDeviation(bool on)
{
    int place = 0, reference = 0;
    for (const RunEntry& run : document_.runs()) {
        if (!run.visible)
            continue;
        if (run.key == document_.bench().reference())
            reference = place;
        ++place;
    }
    scene_->setDeviation(on ? kDeviationPower : 0, reference);
    stale_ = true;
}

void MainWindow::showRows()
{
    const auto& runs = document_.runs();
    const auto recordsEvery = [this](const RunEntry& run) {
        return document_.status(run.key).settings.rows == run::Rows::EveryStep;
    };
    actions_.everyStep->setChecked(runs.empty() ? preferredRows() == run::Rows::EveryStep
                                                : std::ranges::all_of(runs, recordsEvery));
}

void MainWindow::addDefaultRun()
{
    if (document_.find(document_.bench().selected()))
        document_.control().duplicateRun(document_.bench().selected());
    else if (document_.hasModel())
        document_.control().addRun(document_.bench().defaultSettings());
}

// --- files ---

Result<void> MainWindow::openPath(const QString& path)
{
    const bool busy = document_.files().isReplaying();
    if (!busy) {
        firstStart_ = false;
        card_->leave(); // what is said from here on is about this file
        replayCancelled_ = false;
    }
    const auto opened = lesson::isLesson(textToPath(path.toStdU16String())) ? openLesson(path) : document_.files().open(path);
    if (!opened) {
        if (busy) // nothing is wrong with the file
            card_->say(opened.error());
        else if (replayCancelled_)
            card_->say({.what = "The session was not opened",
                        .where = path.toStdString(),
                        .why = "it was cancelled; what was open before is still here"});
        else
            showBroken(path, opened.error());
        return opened;
    }
    drawer_->model().showModel();
    scene_->fit(); // an edit keeps the view, another file does not
    if (QFileInfo(path).isFile())
        rememberFile(path);
    topBar_->showRecent(recentFiles());
    return opened;
}

/// A session is repeated as long as it took: what is open stays in sight meanwhile, and the wait can be ended.
void MainWindow::connectReplay()
{
    constexpr int kParts = 1000, kPatience = 400; // [ms] before anything is shown
    connect(&document_, &Document::replaying, this, [this](SessionReplay* replay) {
        auto* wait = new QProgressDialog(tr("The session is repeated step by step."), tr("Cancel"), 0, kParts, this);
        wait->setObjectName("replayDialog");
        wait->setWindowModality(Qt::WindowModal);
        wait->setAutoReset(false);
        wait->setMinimumDuration(kPatience);
        wait->setValue(0);
        connect(wait, &QProgressDialog::canceled, replay, &SessionReplay::stop);
        connect(wait, &QProgressDialog::canceled, this, [this] { replayCancelled_ = true; });
        connect(replay, &SessionReplay::progressed, wait,
                [wait](double share) { wait->setValue(std::clamp(static_cast<int>(kParts * share), 0, kParts - 1)); });
        connect(replay, &QObject::destroyed, wait, &QObject::deleteLater);
    });
}

/// The mistake may be in another file than the one that was opened: in the model of a study or lesson.
bool MainWindow::showBroken(const QString& path, const Diagnostic& problem)
{
    card_->say(problem);
    const QString named = QString::fromStdString(problem.position.file);
    for (const QString& file : {named, QFileInfo(path).dir().filePath(named), path})
        if (!file.isEmpty() && drawer_->model().showBroken(file, problem))
            return openPage(QStringLiteral("model"));
    return false;
}

bool MainWindow::showsBroken() const { return drawer_->model().showsBroken(); }

void MainWindow::openFile()
{
    auto* dialog = new QFileDialog(this, tr("Open a model, a study, a lesson or a session"), {},
                                   tr("Models, studies, lessons and sessions (*.toml *.driftless);;All files (*)"));
    dialog->setObjectName("openDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    // The dialog is still at work when it says so, and a session is repeated in a loop of its own: open once it has closed.
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openChosen, Qt::QueuedConnection);
    dialog->open();
}

bool MainWindow::save(bool as)
{
    const auto write = [this](const QString& path) {
        return path.endsWith(QStringLiteral(".toml")) ? document_.files().saveStudy(path) : document_.files().saveSession(path);
    };
    if (as || document_.files().sessionPath().isEmpty()) {
        askPath(tr("Save the session, or as a study"), tr("Sessions (*.driftless);;Studies (*.toml)"), "driftless",
                "saveDialog", write);
        return false;
    }
    const auto saved = write(document_.files().sessionPath());
    if (!saved)
        card_->say(saved.error());
    return saved.ok();
}

void MainWindow::askPath(const QString& title, const QString& filter, const QString& suffix, const QString& name,
                         std::function<Result<void>(const QString&)> write)
{
    auto* dialog = new QFileDialog(this, title, {}, filter);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(suffix);
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& chosen) { dialog->setDefaultSuffix(chosen.section("*.", 1).section(')', 0, 0)); });
    connect(dialog, &QFileDialog::fileSelected, this, [this, write = std::move(write)](const QString& path) {
        if (const auto written = write(path); !written)
            card_->say(written.error());
        else
            topBar_->showRecent(recentFiles());
    });
    dialog->open();
}

/// Whether to go on, though edits would be lost: saves them, or lets them go.
bool MainWindow::askAboutEdits()
{
    const QStringList elsewhere = document_.files().editsElsewhere();
    if (!document_.files().isDirty() && elsewhere.isEmpty())
        return true;
    const bool here = document_.files().isDirty();
    QMessageBox question(QMessageBox::NoIcon, tr("Driftless"), here ? tr("Keep this session?") : tr("Leave without saving?"),
                         QMessageBox::Discard | QMessageBox::Cancel, this);
    if (here)
        question.addButton(QMessageBox::Save);
    question.setDefaultButton(here ? QMessageBox::Save : QMessageBox::Cancel);
    question.setObjectName("closeQuestion");
    QStringList why;
    if (here)
        why << tr("It has changes that were not saved.");
    if (!elsewhere.isEmpty())
        why << tr("Opened before, with changes that were not saved: %1. Undo goes back there.")
                   .arg(elsewhere.join(QStringLiteral(", ")));
    question.setInformativeText(why.join(u' '));
    const int answer = question.exec();
    if (answer == QMessageBox::Save)
        return save(false)
               && (elsewhere.isEmpty() || askAboutEdits()); // what is saved here leaves those elsewhere, which have no Save
    return answer == QMessageBox::Discard;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    // A person who only watched loses nothing; edits are asked about.
    event->setAccepted(askAboutEdits());
}

/// A file that a person chose. A session takes the place of all that is open, and undo does not bring that back.
void MainWindow::openChosen(const QString& path)
{
    if (document_.files().isReplaying() || !path.endsWith(QStringLiteral(".driftless")) || askAboutEdits())
        (void)openPath(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1
        && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) { openChosen(event->mimeData()->urls().front().toLocalFile()); }

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    // Space plays and pauses wherever the focus is, but where text is written; a button is pressed with Enter. Buttons, lists
    // and boxes would take Space for themselves: they are not asked.
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QMainWindow::eventFilter(watched, event);
    auto* widget = qobject_cast<QWidget*>(watched);
    auto* key = static_cast<QKeyEvent*>(event);
    if (!widget || widget->window() != this || QApplication::activePopupWidget() || key->modifiers() & ~Qt::KeypadModifier)
        return QMainWindow::eventFilter(watched, event);
    if (key->key() == Qt::Key_Space && event->type() == QEvent::ShortcutOverride && !takesText(*widget)) {
        event->ignore();
        return true;
    }
    auto* button = qobject_cast<QAbstractButton*>(widget);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (event->type() == QEvent::KeyPress && enter && button && button->isEnabled()) {
        if (!key->isAutoRepeat())
            button->click();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

// --- export ---

ExportRequest MainWindow::exportRequest()
{
    ExportRequest request;
    const auto& model = document_.compiled().model();
    request.model = QString::fromStdString(model.title.empty() ? model.name : model.title);
    const auto values = document_.bench().parameters();
    std::size_t i = 0;
    for (const auto& parameter : document_.system().parameters)
        request.parameters << QStringLiteral("%1 = %2 %3")
                                  .arg(QString::fromStdString(parameter.quantity.name), numberText(values[i++]),
                                       QString::fromStdString(parameter.quantity.unit))
                                  .trimmed();
    for (const RunEntry& run : document_.runs()) {
        if (!run.visible)
            continue;
        const auto status = document_.status(run.key);
        ExportRun exported;
        exported.plot = {run.colour, run.name, document_.laboratory().recording(run.id)};
        exported.settings = status.settings;
        exported.steps = status.statistics.steps;
        exported.events = document_.laboratory().events(run.id);
        exported.dummies = dummyNames(status, document_.compiled());
        if (status.state == run::RunState::Failed && status.diagnostic)
            exported.outcome = QString::fromStdString(status.diagnostic->what);
        request.runs.push_back(std::move(exported));
    }
    int reference = 0;
    plots_->runs(&reference);
    request.plots = plots_->specs();
    for (PlotSpec& spec : request.plots)
        spec.reference = reference;
    const double t = document_.laboratory().clock().t;
    request.t0 = std::max(0.0, plots_->timeStart());
    request.t1 = plots_->plot(0).following() ? std::max(t, request.t0 + kLookAhead) : plots_->timeEnd();
    request.scene = scene_->grabImage(QSize(600, 450), 2);
    request.sceneTime = t;
    request.style.theme = dark_ ? figures::Theme::Dark : figures::Theme::Light;
    return request;
}

void MainWindow::arrangeFigure()
{
    if (document_.runs().empty())
        return;
    auto* dialog = new FigureDialog(exportRequest(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &FigureDialog::written, this,
            [this](const QStringList& files) { sayExported(Result<QString>(files.join('\n'))); });
    dialog->open();
}

void MainWindow::sayExported(const Result<QString>& written)
{
    if (written)
        card_->say(tr("The figure is written."), *written);
    else
        card_->say(written.error());
}

Result<QString> MainWindow::exportNow(const QString& folder)
{
    if (document_.runs().empty())
        return nothingToExport();
    QString name = QString::fromStdString(document_.compiled().model().name);
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != '-' && c != '_')
            c = '-';
    const auto taken = [&](int number) {
        const QString base = QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
        return QFileInfo::exists(base + ".pdf") || QFileInfo::exists(base + ".svg") || QFileInfo::exists(base + ".png");
    };
    int number = 1;
    while (number < kMostFigures && taken(number))
        ++number;
    const QString base = QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
    const figures::Figure figure = composeFigure(exportRequest());
    if (auto done = figures::writeFigure(figure, base); !done)
        return done.error();
    for (const char* ending : {".txt", ".tex"})
        if (auto done = figures::writeCaption(figure, base + ending, QFileInfo(base).fileName()); !done)
            return done.error();
    return base;
}

Result<void> MainWindow::exportFigure(const QString& path)
{
    if (document_.runs().empty())
        return nothingToExport();
    const auto written = figures::writeFigure(composeFigure(exportRequest()), path);
    return written ? Result<void>() : written.error();
}

Result<void> MainWindow::exportCsv(const QString& path)
{
    if (document_.runs().empty())
        return nothingToExport();
    const auto request = exportRequest();
    return writeCsv(plots_->runs(), request.t0, request.t1, path);
}

Result<void> MainWindow::exportScene(const QString& path) { return writeImage(scene_->grabImage(kScenePicture, 2), path); }

} // namespace driftless::ui
