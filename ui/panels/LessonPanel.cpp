#include "ui/panels/LessonPanel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "core/text/PathText.h"
#include "ui/document/Document.h"
#include "ui/document/LessonBench.h"
#include "ui/document/NumberText.h"
#include "ui/panels/LessonProgress.h"
#include "ui/views/LessonHandout.h"
#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

constexpr int kSeeds = 10'000;   ///< few digits: a hand-out prints its own
constexpr double kAtStop = 1e-9; ///< [s] the sum of many frames' times ends this near the time that was asked for
enum LessonPage { ListPage, StepPage };

QPushButton* button(const QString& text, const QString& name, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setObjectName(name);
    made->setToolTip(tip);
    return made;
}

QTextBrowser* browser(const QString& name)
{
    auto* made = new QTextBrowser;
    made->setObjectName(name);
    made->setOpenLinks(false); // texts may come from strangers
    made->setFrameShape(QFrame::NoFrame);
    made->document()->setDocumentMargin(10);
    return made;
}

} // namespace

LessonPanel::LessonPanel(Document& document, QWidget* parent)
    : QStackedWidget(parent), document_(document),
      seed_(static_cast<std::uint64_t>(QRandomGenerator::global()->bounded(1, kSeeds)))
{
    setObjectName("lessonPanel");
    addWidget(makeList());
    addWidget(makeStep());
    showList();
}

QWidget* LessonPanel::makeList()
{
    auto* page = new QWidget;
    page->setObjectName("lessonListPage");
    auto* columns = new QHBoxLayout(page);
    columns->setContentsMargins(8, 6, 0, 6);
    columns->setSpacing(8);
    list_ = new QListWidget;
    list_->setObjectName("lessonList");
    list_->setAccessibleName(tr("Lessons"));
    columns->addWidget(list_, 5);
    auto* side = new QWidget;
    side->setObjectName("lessonSummarySide");
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, 12, 4);
    rows->setSpacing(6);
    summary_ = browser("lessonSummary");
    rows->addWidget(summary_, 1);
    start_ = button(tr("Start"), "lessonStart", tr("Open this lesson; it sets the bench up"));
    start_->setProperty("role", "primary");
    handout_ = button(tr("Hand-out…"), "lessonHandout", tr("Print this lesson as a PDF with its figures"));
    auto* file = button(tr("Open a file…"), "lessonFile", tr("A lesson of your own (.toml)"));
    auto* notation = button(tr("Notation"), "lessonNotation", tr("What dots, boxes and letters mean (Shift+F1)"));
    connect(notation, &QPushButton::clicked, this, &LessonPanel::notationAsked);
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(start_);
    line->addStretch(1);
    line->addWidget(notation);
    line->addWidget(handout_);
    line->addWidget(file);
    rows->addLayout(line);
    columns->addWidget(side, 6);
    connect(list_, &QListWidget::currentRowChanged, this, &LessonPanel::showSummary);
    const auto openChosen = [this] {
        if (const auto* item = list_->currentItem())
            if (const auto opened = open(item->data(Qt::UserRole).toString()); !opened)
                emit refused(opened.error());
    };
    connect(list_, &QListWidget::itemActivated, this, openChosen);
    connect(start_, &QPushButton::clicked, this, openChosen);
    connect(handout_, &QPushButton::clicked, this, &LessonPanel::saveHandout);
    connect(file, &QPushButton::clicked, this, &LessonPanel::openFile);
    return page;
}

QWidget* LessonPanel::makeStep()
{
    auto* page = new QWidget;
    page->setObjectName("lessonStepPage");
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 6, 12, 2);
    bar->setSpacing(6);
    auto* all = button(tr("All lessons"), "lessonAll", tr("Back to the list"));
    auto* notation = button(tr("Notation"), "stepNotation", tr("What dots, boxes and letters mean (Shift+F1)"));
    connect(notation, &QPushButton::clicked, this, &LessonPanel::notationAsked);
    title_ = new QLabel;
    title_->setObjectName("lessonTitle");
    title_->setProperty("role", "heading");
    place_ = new QLabel;
    place_->setObjectName("lessonPlace");
    place_->setProperty("role", "secondary");
    show_ = button(tr("Show me"), "lessonShow", tr("Do it for me, or give the answer"));
    reset_ = button(tr("Reset step"), "lessonReset", tr("The bench as this step found it"));
    back_ = button(tr("Back"), "lessonBack", tr("The step before"));
    next_ = button(tr("Next"), "lessonNext", tr("The next step"));
    figure_ = button(tr("Export the figure…"), "lessonFigure", tr("What the exercise asks you to hand in (Ctrl+E)"));
    bar->addWidget(all);
    bar->addSpacing(6);
    bar->addWidget(place_);
    bar->addStretch(1);
    for (auto* b : {notation, figure_, show_, reset_, back_, next_})
        bar->addWidget(b);
    rows->addLayout(bar);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(0);
    text_ = browser("lessonText");
    auto* scroll = new QScrollArea;
    scroll->setObjectName("lessonQuestionScroll");
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    question_ = new LessonQuestion;
    scroll->setWidget(question_);
    // The verdict comes below what was clicked: it has to be seen.
    connect(scroll->verticalScrollBar(), &QScrollBar::rangeChanged, scroll, [this, scroll](int, int most) {
        if (question_->answered())
            scroll->verticalScrollBar()->setValue(most);
    });
    auto* left = new QVBoxLayout;
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(0);
    title_->setContentsMargins(12, 4, 12, 0);
    title_->setWordWrap(true);
    left->addWidget(title_);
    left->addWidget(text_, 1);
    columns->addLayout(left, 5);
    columns->addWidget(scroll, 4);
    rows->addLayout(columns, 1);
    connect(all, &QPushButton::clicked, this, &LessonPanel::showList);
    connect(back_, &QPushButton::clicked, this, [this] { goTo(step_ - 1); });
    connect(next_, &QPushButton::clicked, this, [this] {
        if (!now().question)
            LessonProgress::markDone(QString::fromStdString(lesson_->id), step_);
        if (step_ + 1 < static_cast<int>(lesson_->steps.size()))
            goTo(step_ + 1, now().show.empty());
        else
            showList();
    });
    connect(reset_, &QPushButton::clicked, this, [this] { goTo(step_); });
    connect(show_, &QPushButton::clicked, this, &LessonPanel::showMe);
    connect(figure_, &QPushButton::clicked, this, &LessonPanel::figureAsked);
    connect(question_, &LessonQuestion::checkAsked, this, &LessonPanel::check);
    return page;
}

// --- the list ---

void LessonPanel::showList()
{
    const QString before = lesson_ ? QString::fromStdString(lesson_->id) : QString();
    lesson_.reset();
    stop_.reset();
    showing_ = false;
    const QSignalBlocker quiet(list_);
    list_->clear();
    int chosen = 0;
    shipped_ = lesson::shippedLessons();
    for (const auto& shipped : shipped_) {
        const QString id = QString::fromStdString(shipped.id);
        const auto done = LessonProgress::done(id).size();
        const QString mark = done >= shipped.steps ? QStringLiteral("✓") : QStringLiteral("%1/%2").arg(done).arg(shipped.steps);
        auto* item = new QListWidgetItem(QStringLiteral("%1   %2").arg(mark, QString::fromStdString(shipped.title)));
        item->setData(Qt::UserRole, id);
        if (id == before)
            chosen = list_->count();
        list_->addItem(item);
    }
    list_->setCurrentRow(chosen);
    setCurrentIndex(ListPage);
    showSummary();
}

void LessonPanel::showSummary()
{
    const auto* item = list_->currentItem();
    start_->setEnabled(item);
    handout_->setEnabled(item);
    QString text = tr("No lessons were found.");
    if (item) {
        const QString id = item->data(Qt::UserRole).toString();
        for (const auto& shipped : shipped_)
            if (QString::fromStdString(shipped.id) == id)
                text = QStringLiteral("**%1**\n\n%2\n\n*%3 · %4 · %5*")
                           .arg(QString::fromStdString(shipped.title), QString::fromStdString(shipped.summary),
                                QString::fromStdString(lesson::levelName(shipped.level)), tr("%1 steps").arg(shipped.steps),
                                QString::fromStdString(shipped.source));
        const auto done = LessonProgress::done(id);
        start_->setText(done.empty() ? tr("Start") : tr("Continue"));
    }
    setLessonText(*summary_->document(), text, kTextPixels * scale_);
}

Result<void> LessonPanel::open(const QString& pathOrId)
{
    auto read = lesson::openLesson(textToPath(pathOrId.toStdU16String()));
    if (!read)
        return read.error();
    lesson_ = std::move(read).value();
    const QString id = QString::fromStdString(lesson_->id);
    const int steps = static_cast<int>(lesson_->steps.size());
    const int last = LessonProgress::last(id);
    const bool finished = LessonProgress::done(id).size() >= lesson_->steps.size();
    setCurrentIndex(StepPage);
    goTo(finished ? 0 : std::clamp(last, 0, steps - 1));
    return {};
}

void LessonPanel::openFile()
{
    auto* dialog = new QFileDialog(this, tr("Open a lesson"), {}, tr("Lessons (*.toml);;All files (*)"));
    dialog->setObjectName("lessonOpenDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto opened = open(path); !opened)
            emit notOpened(path, opened.error());
    });
    dialog->open();
}

void LessonPanel::saveHandout()
{
    const QString id = list_->currentItem()->data(Qt::UserRole).toString();
    auto* dialog = new QFileDialog(this, tr("Save the hand-out"), {}, tr("Pages (*.pdf)"));
    dialog->setObjectName("lessonHandoutDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(QStringLiteral("pdf"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, id](const QString& path) {
        const auto read = lesson::openLesson(textToPath(id.toStdU16String()));
        if (!read) {
            emit refused(read.error());
            return;
        }
        if (const auto written = writeHandout(*read, path, false, seed_); !written)
            emit refused(written.error());
    });
    dialog->open();
}

// --- a step ---

void LessonPanel::goTo(int step, bool freshBench)
{
    step_ = step;
    wrongAnswers_ = 0;
    showing_ = false;
    const bool fresh = freshBench || now().setup;
    if (fresh)
        stop_.reset();
    LessonProgress::setLast(QString::fromStdString(lesson_->id), step_);
    showStep();
    if (fresh)
        setBench();
}

bool LessonPanel::setBench()
{
    const auto& setup = lesson_->setupOf(static_cast<std::size_t>(step_));
    const QString what = tr("lesson: %1, step %2").arg(QString::fromStdString(lesson_->title)).arg(step_ + 1);
    if (const auto done = document_.opener().setUp(setup, what); !done) {
        emit refused(done.error());
        question_->say(tr("The bench of this step could not be set up: %1").arg(QString::fromStdString(done.error().text())),
                       LessonQuestion::Tone::Wrong);
        return false;
    }
    emit benchSet(setup);
    if (setup.until > 0)
        stop_ = setup.until;
    if (setup.play)
        document_.playback().play();
    return true;
}

void LessonPanel::showStep()
{
    title_->setText(QString::fromStdString(now().title));
    place_->setText(
        tr("%1 · step %2 of %3").arg(QString::fromStdString(lesson_->title)).arg(step_ + 1).arg(lesson_->steps.size()));
    question_->show(now(), lesson::optionOrder(*lesson_, static_cast<std::size_t>(step_), seed_));
    setTexts();
    // Once the text has its place, too: a page that was never shown is laid out later.
    QMetaObject::invokeMethod(
        text_, [this] { text_->verticalScrollBar()->setValue(0); }, Qt::QueuedConnection);
    text_->verticalScrollBar()->setValue(0);
    back_->setEnabled(step_ > 0);
    const bool last = step_ + 1 == static_cast<int>(lesson_->steps.size());
    next_->setText(last ? tr("Finish") : tr("Next"));
    next_->setProperty("role", now().question ? "" : "primary");
    next_->style()->unpolish(next_);
    next_->style()->polish(next_);
    show_->setEnabled(now().question || !now().show.empty());
    figure_->setVisible(now().exercise);
}

void LessonPanel::setTexts() { setLessonText(*text_->document(), QString::fromStdString(now().text), kTextPixels * scale_); }

void LessonPanel::setTheme(const Theme& theme, double scale)
{
    theme_ = theme;
    scale_ = scale;
    if (lesson_)
        setTexts();
    showSummary();
}

double LessonPanel::answerTime() const
{
    const double stop = lesson_->setupOf(static_cast<std::size_t>(step_)).until;
    return stop > 0 ? stop : document_.laboratory().clock().t;
}

void LessonPanel::check()
{
    if (!lesson_ || !now().question || !document_.hasModel())
        return;
    const auto& question = *now().question;
    using Kind = lesson::Question::Kind;
    Verdict verdict;
    QString hint; // of the option, or why nothing can be judged
    if (question.kind == Kind::Choice) {
        const int chosen = question_->chosen();
        if (chosen < 0)
            return question_->say(tr("Choose one of the answers first."), LessonQuestion::Tone::Plain);
        const auto& option = question.options[static_cast<std::size_t>(chosen)];
        verdict.right = option.right;
        hint = QString::fromStdString(option.hint);
    } else if (question.kind == Kind::Number) {
        const auto number = question_->number();
        if (!number)
            return question_->say(tr("This is not a number. Write it as 0.25 or 3e-4."), LessonQuestion::Tone::Plain);
        verdict = judgeNumber(document_, question, *number, answerTime());
        if (!verdict.problem.isEmpty())
            return question_->say(verdict.problem, LessonQuestion::Tone::Plain);
    } else {
        verdict = judgeAction(document_, question, document_.laboratory().clock().t);
        if (!verdict.problem.isEmpty())
            hint = verdict.problem;
    }
    if (verdict.right)
        right();
    else
        wrong(hint);
}

void LessonPanel::right()
{
    showing_ = false; // what is still being shown says nothing more
    const QString explanation = QString::fromStdString(now().question->explanation);
    question_->say(QStringLiteral("**%1** %2").arg(tr("Right."), explanation), LessonQuestion::Tone::Right);
    LessonProgress::markDone(QString::fromStdString(lesson_->id), step_);
    next_->setProperty("role", "primary");
    next_->style()->unpolish(next_);
    next_->style()->polish(next_);
}

/// Every wrong answer gets the next hint; a wrong option its own before that. The answer comes after the last try: when all
/// hints were given and did not help.
void LessonPanel::wrong(const QString& ofOption)
{
    ++wrongAnswers_;
    const auto& question = *now().question;
    const auto& hints = question.hints;
    const bool choice = question.kind == lesson::Question::Kind::Choice;
    const int given = wrongAnswers_ - (choice ? 1 : 0); // hints, with this one
    QStringList parts;
    if (!ofOption.isEmpty())
        parts << ofOption;
    if (given > 0)
        parts << QString::fromStdString(hints[std::min(static_cast<std::size_t>(given), hints.size()) - 1]);
    if (given > static_cast<int>(hints.size()))
        parts << answer();
    parts.removeDuplicates();
    question_->say(QStringLiteral("**%1** %2").arg(tr("Not yet."), parts.join(QStringLiteral("\n\n"))),
                   LessonQuestion::Tone::Wrong);
}

QString LessonPanel::answer() const
{
    const auto& question = *now().question;
    if (question.kind == lesson::Question::Kind::Action)
        return tr("*Show me* does it.");
    if (question.kind == lesson::Question::Kind::Choice) {
        const auto right = std::ranges::find_if(question.options, &lesson::Option::right);
        return tr("The right answer is: %1").arg(QString::fromStdString(right->text));
    }
    const auto value = rightAnswer(document_, question, answerTime());
    return value.number && std::isfinite(*value.number)
               ? tr("The program measures %1 %2.").arg(numberText(*value.number, 4), QString::fromStdString(question.unit))
               : value.problem;
}

// --- show me ---

void LessonPanel::showMe()
{
    left_.assign(now().show.begin(), now().show.end());
    showing_ = true;
    const bool action = now().question && now().question->kind == lesson::Question::Kind::Action;
    if (action && !left_.empty())
        question_->say(tr("Watch the run cards and the time line."), LessonQuestion::Tone::Plain);
    showNext();
}

void LessonPanel::showNext()
{
    while (!left_.empty()) {
        const lesson::Action action = left_.front();
        left_.pop_front();
        if (!perform(document_, action)) {
            showing_ = false;
            return; // the document said why
        }
        if (action.until && *action.until > document_.laboratory().clock().t + kAtStop) {
            stop_ = *action.until;
            document_.playback().play();
            return; // clockMoved() goes on
        }
    }
    const bool stopped = std::ranges::all_of(
        document_.runs(), [this](const RunEntry& run) { return document_.status(run.key).state == run::RunState::Failed; });
    if (!stopped && now().question && now().question->kind == lesson::Question::Kind::Number
        && latestMeasured() > document_.laboratory().clock().t + kAtStop) {
        stop_ = latestMeasured(); // there is no value yet: it is played so far first
        question_->say(tr("Playing to %1 s, where the answer is measured.").arg(*stop_), LessonQuestion::Tone::Plain);
        document_.playback().play();
        return;
    }
    showing_ = false;
    giveAnswer();
}

double LessonPanel::latestMeasured() const
{
    const auto& question = *now().question;
    const double own = question.measure.at.value_or(answerTime());
    return question.over ? std::max(own, question.over->at.value_or(answerTime())) : own;
}

void LessonPanel::giveAnswer()
{
    if (!now().question)
        return;
    const auto& question = *now().question;
    if (question.kind == lesson::Question::Kind::Choice) {
        for (std::size_t i = 0; i < question.options.size(); ++i)
            if (question.options[i].right)
                question_->choose(static_cast<int>(i));
        question_->say(tr("This is the right answer; Check tells why."), LessonQuestion::Tone::Plain);
    } else if (question.kind == lesson::Question::Kind::Number) {
        const auto value = rightAnswer(document_, question, answerTime());
        if (!value.number || !std::isfinite(*value.number))
            return question_->say(value.problem, LessonQuestion::Tone::Plain);
        question_->setNumber(*value.number);
        question_->say(tr("This is what the program measures; Check tells why."), LessonQuestion::Tone::Plain);
    } else {
        question_->say(tr("Done. Check what was done."), LessonQuestion::Tone::Plain);
    }
}

// --- the clock ---

double LessonPanel::allowed(double wallSeconds) const
{
    if (!stop_ || !document_.hasModel())
        return wallSeconds;
    const auto clock = document_.laboratory().clock();
    return clock.t >= *stop_ ? wallSeconds : std::min(wallSeconds, (*stop_ - clock.t) / clock.speed);
}

run::ClockStatus LessonPanel::clockMoved(const run::ClockStatus& clock)
{
    if (!stop_)
        return clock;
    const bool there = clock.t >= *stop_ - kAtStop;
    const auto stopped = [this](const RunEntry& run) { return document_.status(run.key).state == run::RunState::Failed; };
    const bool ended = showing_ && !clock.playing && std::ranges::all_of(document_.runs(), stopped);
    if (!there && !ended)
        return clock;
    stop_.reset(); // once: who plays on is not held up again
    if (clock.playing)
        document_.playback().pause();
    if (showing_)
        showNext();
    return document_.laboratory().clock();
}

} // namespace driftless::ui
