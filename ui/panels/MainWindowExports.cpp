// What leaves the window as a file: figures, numbers, pictures of the scene, pages for a browser.
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "ui/document/NumberText.h"
#include "ui/panels/Actions.h"
#include "ui/panels/Exports.h"
#include "ui/panels/FileDialogs.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/StudyPage.h"
#include "ui/panels/StudyShare.h"

namespace driftless::ui {

namespace {

struct Sharing {
    std::function<void()> page, lesson, study;
    std::function<QString()> needsRun, needsLesson, needsStudy; ///< why not, as ActionEntry::whyNot says it
};

void addShareActions(Actions& actions, const Sharing& sharing)
{
    actions.add(
        {.id = "sharePage",
         .words = MainWindow::tr("Share as a page…"),
         .group = ActionGroup::File,
         .act = sharing.page,
         .whyNot = sharing.needsRun,
         .tip = MainWindow::tr("Scene, plots, equations and events of the runs as one file that any browser plays, on a "
                               "telephone too")});
    actions.add({.id = "shareLesson",
                 .words = MainWindow::tr("Share the lesson as a page…"),
                 .group = ActionGroup::File,
                 .act = sharing.lesson,
                 .whyNot = sharing.needsLesson,
                 .tip = MainWindow::tr("Texts, questions and benches of the lesson as one file that any browser shows")});
    actions.add(
        {.id = "shareStudy",
         .words = MainWindow::tr("Share the study as a page…"),
         .group = ActionGroup::File,
         .act = sharing.study,
         .whyNot = sharing.needsStudy,
         .tip = MainWindow::tr("The study is computed, and its runs, claims and tables are one file that any browser shows")});
}

void shareStudy(FileDialogs& dialogs, StudyPage& studies)
{
    dialogs.ask({.title = MainWindow::tr("Share the study as a page"),
                 .filter = MainWindow::tr("Page for a browser (*.html)"),
                 .suffix = QStringLiteral("html"),
                 .name = QStringLiteral("exportDialog"),
                 .proposed = QString::fromStdString(studies.current()->id)},
                [&studies](const QString& path) { return studies.sharing().write(*studies.current(), path); });
}

void addMeasuredActions(Actions& actions, std::function<void()> ask, Document& document, std::function<QString()> needsModel)
{
    actions.add({.id = "showMeasured",
                 .words = MainWindow::tr("Show measured data…"),
                 .group = ActionGroup::File,
                 .act = std::move(ask),
                 .whyNot = std::move(needsModel),
                 .tip = MainWindow::tr("A CSV file with the columns t and what the model records, as dots in the plots")});
    actions.add({.id = "hideMeasured",
                 .words = MainWindow::tr("Take the measured data away"),
                 .group = ActionGroup::File,
                 .act = [&document] { document.files().hideMeasured(); },
                 .whyNot =
                     [&document] {
                         return document.bench().measured().empty()
                                    ? MainWindow::tr("There is no measured data beside the runs.")
                                    : QString();
                     }});
}

void shareLesson(FileDialogs& dialogs, Exports& exports, const lesson::Lesson& lesson)
{
    dialogs.ask({.title = MainWindow::tr("Share the lesson as a page"),
                 .filter = MainWindow::tr("Page for a browser (*.html)"),
                 .suffix = QStringLiteral("html"),
                 .name = QStringLiteral("exportDialog"),
                 .proposed = QString::fromStdString(lesson.id)},
                [&exports, lesson](const QString& path) { return exports.lesson(lesson, path); });
}

/// Writes, and says where.
struct Written {
    Exports& exports;
    MessageCard& card;
    Result<void> (Exports::*write)(const QString&);

    Result<void> operator()(const QString& path) const
    {
        auto done = (exports.*write)(path);
        if (done)
            card.say(MainWindow::tr("The file is written."), path);
        return done;
    }
};

QString wordsOf(const CsvWritten& written)
{
    if (written.rows == 0)
        return MainWindow::tr("The file is written: no row lies in the visible time.");
    return MainWindow::tr("The file is written: %1 rows from t = %2 s to %3 s.")
        .arg(written.rows)
        .arg(numberText(written.from, 5), numberText(written.to, 5));
}

} // namespace

void MainWindow::addExportActions()
{
    const ActionGroup group = ActionGroup::File;
    const auto ask = [this](const QString& title, const QString& filter, const QString& suffix,
                            Result<void> (Exports::*write)(const QString&)) {
        dialogs_->ask({.title = title, .filter = filter, .suffix = suffix, .name = QStringLiteral("exportDialog")},
                      Written{*exports_, *card_, write});
    };
    actions_->add({.id = "exportFigure",
                   .words = tr("Comparison picture…"),
                   .key = Qt::CTRL | Qt::Key_E,
                   .group = group,
                   .act = [this] { exports_->compare(); },
                   .whyNot = needsModel(),
                   .apart = true,
                   .tip = tr("Scene, plots, runs and settings as one figure: Enter saves it, or copy it")});
    actions_->add({.id = "arrangeFigure",
                   .words = tr("Arrange a figure…"),
                   .key = Qt::CTRL | Qt::SHIFT | Qt::Key_E,
                   .group = group,
                   .act = [this] { exports_->arrange(); },
                   .whyNot = needsRun()});
    actions_->add({.id = "exportNow",
                   .words = tr("Export what is on screen"),
                   .key = Qt::Key_F8,
                   .group = group,
                   .act = [this] { exportToPictures(); },
                   .whyNot = needsRun()});
    actions_->add({.id = "copyFigure",
                   .words = tr("Copy the figure"),
                   .key = QKeySequence::Copy,
                   .group = group,
                   .act = [this] { exports_->copy(); },
                   .whyNot = whileWatching(needsRun()),
                   .during = tr("while watching")});
    actions_->add({.id = "exportCsv",
                   .words = tr("Export the visible numbers…"),
                   .group = group,
                   .act =
                       [this] {
                           dialogs_->ask({.title = tr("Export the visible numbers"),
                                          .filter = tr("Table (*.csv)"),
                                          .suffix = QStringLiteral("csv"),
                                          .name = QStringLiteral("exportDialog")},
                                         [this](const QString& path) -> Result<void> {
                                             const auto done = exports_->csv(path);
                                             if (!done)
                                                 return done.error();
                                             card_->say(wordsOf(*done), path);
                                             return {};
                                         });
                       },
                   .whyNot = needsRun()});
    actions_->add({.id = "exportScene",
                   .words = tr("Export the scene…"),
                   .group = group,
                   .act = [ask] { ask(tr("Export the scene"), tr("Picture (*.png)"), "png", &Exports::scene); },
                   .whyNot = needsModel()});
    addMeasuredActions(
        *actions_, [this] { dialogs_->openMeasured(); }, document_, needsModel());
    addShareActions(
        *actions_,
        {.page = [ask] { ask(tr("Share as a page"), tr("Page for a browser (*.html)"), "html", &Exports::page); },
         .lesson = [this] { shareLesson(*dialogs_, *exports_, *lessons_->current()); },
         .study = [this] { shareStudy(*dialogs_, *studies_); },
         .needsRun = needsRun(),
         .needsLesson = [this] { return lessons_->current() ? QString() : tr("No lesson is open: press F1 to choose one."); },
         .needsStudy = [this] { return studies_->sharing().whyNot(studies_->current()); }});
    actions_->add({.id = "quit",
                   .words = tr("Quit"),
                   .key = Qt::CTRL | Qt::Key_Q,
                   .group = group,
                   .act = [this] { close(); },
                   .apart = true});
}

void MainWindow::exportToPictures()
{
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    if (const auto written = exports_->now(QFileInfo(pictures).isDir() ? pictures : QDir::homePath()); written)
        card_->say(tr("The figure is written."), tr("%1 with the endings pdf, png, svg, tex and txt").arg(*written));
    else
        card_->say(written.error());
}

} // namespace driftless::ui
