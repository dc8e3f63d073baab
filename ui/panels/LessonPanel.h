// The guide at the right of the window: the list of lessons with what was done, and the step that is being worked on.
//
// A step drives the document through its commands, so all of it can be undone; its clock stops where the step says.
#pragma once

#include <QStackedWidget>

#include <deque>
#include <optional>

#include "core/lesson/Lesson.h"
#include "core/run/Laboratory.h"
#include "ui/panels/FileWatch.h"
#include "ui/panels/LessonQuestion.h"
#include "ui/panels/LessonRecord.h"
#include "ui/views/Theme.h"

class QLabel;
class QListWidget;
class QPushButton;
class QTextBrowser;

namespace driftless::ui {

class Document;

class LessonPanel : public QStackedWidget {
    Q_OBJECT
public:
    explicit LessonPanel(Document& document, QWidget* parent = nullptr);

    void setTheme(const Theme& theme, double scale);
    /// A shipped lesson's id or a file: its first step, or the one that was open last. A file is read again whenever it was
    /// written.
    Result<void> open(const QString& pathOrId);
    /// The step on display, counted from 0; -1 in the list.
    int step() const { return lesson_ ? step_ : -1; }
    const lesson::Lesson* current() const { return lesson_ ? &*lesson_ : nullptr; }
    void goTo(int step, bool freshBench = true);
    /// What the buttons of the step do: the step after and before, the answer judged, the step done for one.
    void next();
    void back();
    void check();
    void showMe();
    /// What is asked and answered in the step on display, and the order in which its options stand.
    LessonQuestion& question() { return *question_; }
    std::vector<std::size_t> order() const;
    /// The order of all options (lesson::optionOrder): drawn once, so that it stays the same as long as the window lives.
    void setSeed(std::uint64_t seed) { seed_ = seed; }
    std::uint64_t seed() const { return seed_; }

    /// The wall time of a frame, cut so that the clock stops exactly where the step wants it.
    double allowed(double wallSeconds) const;
    /// After each frame: stops the clock where due and goes on with what is being shown. Returns the clock as it is then.
    run::ClockStatus clockMoved(const run::ClockStatus& clock);
    /// Where the clock is to stop, if it is [s].
    std::optional<double> stop() const { return stop_; }

signals:
    /// Another step is on display, or the list.
    void stepShown();
    /// A step set the bench up: its plots are to be shown.
    void benchSet(const driftless::lesson::Setup& setup);
    /// Something cannot be done.
    void refused(const driftless::Diagnostic& diagnostic);
    /// A file is no lesson that can be opened.
    void notOpened(const QString& path, const driftless::Diagnostic& diagnostic);
    /// The page of notation is wanted.
    void notationAsked();
    /// The last step asks for a figure.
    void figureAsked();

private:
    QWidget* makeList();
    QWidget* makeStep();
    void connectStep(const QPushButton* all);
    void showList();
    void showSummary();
    void showStep();
    void setTexts();
    void openFile();
    void readAgain(const QString& path);
    void saveHandout();
    void saveRecord();
    void note();
    bool setBench();
    void right();
    void wrong(const QString& ofOption);
    QString answer() const;
    void showNext();
    void giveAnswer();
    double answerTime() const;
    double latestMeasured() const; ///< [s] of what a number's answer is made from
    const lesson::Step& now() const { return lesson_->steps[static_cast<std::size_t>(step_)]; }

    Document& document_;
    std::optional<lesson::Lesson> lesson_;
    int step_ = 0;
    int wrongAnswers_ = 0;
    bool asked_ = false; ///< "Show me" was asked in this step
    LessonRecord done_;
    std::uint64_t seed_;
    std::optional<double> stop_;      ///< [s]
    bool showing_ = false;            ///< "Show me" is under way
    std::deque<lesson::Action> left_; ///< what is left of it
    std::vector<lesson::ShippedLesson> shipped_;
    double scale_ = 1;
    Theme theme_ = Theme::light();

    QListWidget* list_;
    QTextBrowser *summary_, *text_;
    QPushButton *start_, *handout_;
    QLabel *title_, *place_;
    QPushButton *back_, *next_, *reset_, *show_, *figure_, *record_;
    LessonQuestion* question_ = nullptr;
    FileWatch watch_; ///< a file that is being written shows as it is
};

} // namespace driftless::ui
