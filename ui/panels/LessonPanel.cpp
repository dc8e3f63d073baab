#include "ui/panels/LessonPanel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRandomGenerator>
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
#include "ui/panels/FileDialog.h"
#include "ui/panels/LessonProgress.h"
#include "ui/panels/TitleList.h"
#include "ui/views/LessonHandout.h"
#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

constexpr int kSeeds = 10'000;             ///< few digits: a hand-out prints its own
constexpr double kAtStop = 1e-9;           ///< [s] the sum of many frames' times ends this near the time that was asked for
constexpr int kSide = 12, kLeastText = 48; ///< [px]
enum LessonPage { ListPage, StepPage };

QPushButton* button(const QString& text, const QString& name, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setObjectName(name);
    made->setToolTip(tip);
    return made;
}

QTextBrowser* browser(const QString& name, const QString& spoken)
{
    auto* made = new QTextBrowser;
    made->setObjectName(name);
    made->setAccessibleName(spoken);
    made->setOpenLinks(false); // texts may come from strangers
    made->setFrameShape(QFrame::NoFrame);
    made->document()->setDocumentMargin(10);
    return made;
}

/// What should be known before a lesson, and its place in the afternoon, as a paragraph of Markdown; empty where there is
/// neither.
QString placeOf(const lesson::ShippedLesson& shown, const std::vector<lesson::ShippedLesson>& all)
{
    QStringList before;
    for (const std::string& id : shown.place.after)
        for (const auto& other : all)
            if (other.id == id)
                before << QString::fromStdString(other.title);
    QString text;
    if (!before.isEmpty())
        text += "\n\n" + LessonPanel::tr("Before it: %1.").arg(before.join(QStringLiteral("; ")));
    const auto path = std::ranges::count_if(all, [](const auto& one) { return one.place.afternoon > 0; });
    if (shown.place.afternoon > 0)
        text += "\n\n" + LessonPanel::tr("One afternoon: lesson %1 of %2.").arg(shown.place.afternoon).arg(path);
    return text;
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
    connect(&watch_, &FileWatch::changed, this, &LessonPanel::readAgain);
}

QWidget* LessonPanel::makeList()
{
    auto* page = new QWidget;
    page->setObjectName("lessonListPage");
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(kSide, 8, kSide, 8);
    rows->setSpacing(6);
    auto* heading = new QLabel(tr("Lessons"));
    heading->setProperty("role", "heading");
    rows->addWidget(heading);
    list_ = new TitleList;
    list_->setObjectName("lessonList");
    list_->setAccessibleName(tr("Lessons"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    rows->addWidget(list_, 6);
    summary_ = browser("lessonSummary", tr("What the lesson is about"));
    rows->addWidget(summary_, 4);
    start_ = button(tr("Start"), "lessonStart", tr("Open this lesson; it sets the bench up"));
    start_->setProperty("role", "primary");
    handout_ = button(tr("Hand-out…"), "lessonHandout", tr("Print this lesson as a PDF with its figures"));
    auto* file = button(tr("Open a file…"), "lessonFile", tr("A lesson of your own (.toml)"));
    auto* notation = button(tr("Notation"), "lessonNotation", tr("What dots, boxes and letters mean (Shift+F1)"));
    connect(notation, &QPushButton::clicked, this, &LessonPanel::notationAsked);
    const auto line = [rows](QPushButton* left, QPushButton* right) {
        auto* made = new QHBoxLayout;
        made->setSpacing(6);
        made->addWidget(left);
        made->addStretch(1);
        made->addWidget(right);
        rows->addLayout(made);
    };
    line(start_, notation);
    line(handout_, file);
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

/// The text scrolls; task, question, answer, verdict and Next stay below it.
QWidget* LessonPanel::makeStep()
{
    auto* page = new QWidget;
    page->setObjectName("lessonStepPage");
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(1, 6, 0, 8); // the line at the left
    rows->setSpacing(4);
    const auto line = [rows](std::initializer_list<QWidget*> left, std::initializer_list<QWidget*> right) {
        auto* made = new QHBoxLayout;
        made->setContentsMargins(kSide, 0, kSide, 0);
        made->setSpacing(4);
        for (QWidget* part : left)
            made->addWidget(part);
        made->addStretch(1);
        for (QWidget* part : right)
            made->addWidget(part);
        rows->addLayout(made);
    };
    auto* all = button(tr("All lessons"), "lessonAll", tr("Back to the list"));
    auto* notation = button(tr("Notation"), "stepNotation", tr("What dots, boxes and letters mean (Shift+F1)"));
    connect(notation, &QPushButton::clicked, this, &LessonPanel::notationAsked);
    line({all}, {notation});
    place_ = new QLabel;
    place_->setObjectName("lessonPlace");
    place_->setProperty("role", "secondary");
    title_ = new QLabel;
    title_->setObjectName("lessonTitle");
    title_->setProperty("role", "heading");
    for (QLabel* label : {place_, title_}) {
        label->setContentsMargins(kSide, 0, kSide, 0);
        label->setWordWrap(true);
        rows->addWidget(label);
    }
    text_ = browser("lessonText", tr("Text of the step"));
    text_->setMinimumHeight(kLeastText);
    rows->addWidget(text_, 1);
    question_ = new LessonQuestion;
    rows->addWidget(question_);
    show_ = button(tr("Show me"), "lessonShow", tr("Do it for me, or give the answer"));
    reset_ = button(tr("Reset step"), "lessonReset", tr("The bench as this step found it"));
    back_ = button(tr("Back"), "lessonBack", tr("The step before"));
    next_ = button(tr("Next"), "lessonNext", tr("The next step"));
    figure_ = button(tr("Export the figure…"), "lessonFigure", tr("What the exercise asks you to hand in (Ctrl+E)"));
    record_ = button(tr("Save the record…"), "lessonRecord",
                     tr("What you answered, with the sessions: driftless lesson --verify repeats them"));
    line({figure_}, {record_});
    line({back_, reset_, show_}, {next_});
    connectStep(all);
    return page;
}

void LessonPanel::connectStep(const QPushButton* all)
{
    connect(all, &QPushButton::clicked, this, &LessonPanel::showList);
    connect(back_, &QPushButton::clicked, this, &LessonPanel::back);
    connect(next_, &QPushButton::clicked, this, &LessonPanel::next);
    connect(reset_, &QPushButton::clicked, this, [this] { goTo(step_); });
    connect(show_, &QPushButton::clicked, this, &LessonPanel::showMe);
    connect(figure_, &QPushButton::clicked, this, &LessonPanel::figureAsked);
    connect(record_, &QPushButton::clicked, this, &LessonPanel::saveRecord);
    connect(question_, &LessonQuestion::checkAsked, this, &LessonPanel::check);
}

void LessonPanel::next()
{
    if (!lesson_)
        return;
    if (!now().question) {
        LessonProgress::markDone(QString::fromStdString(lesson_->id), step_);
        note();
    }
    if (step_ + 1 < static_cast<int>(lesson_->steps.size()))
        goTo(step_ + 1, now().show.empty());
    else
        showList();
}

void LessonPanel::back()
{
    if (lesson_ && step_ > 0)
        goTo(step_ - 1);
}

std::vector<std::size_t> LessonPanel::order() const
{
    return lesson_ ? lesson::optionOrder(*lesson_, static_cast<std::size_t>(step_), seed_) : std::vector<std::size_t>();
}

// --- the list ---

void LessonPanel::showList()
{
    const QString before = lesson_ ? QString::fromStdString(lesson_->id) : QString();
    lesson_.reset();
    watch_.watch({});
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
        item->setData(TitleList::kTitleRole, QString::fromStdString(shipped.title));
        if (id == before)
            chosen = list_->count();
        list_->addItem(item);
    }
    list_->setCurrentRow(chosen);
    setCurrentIndex(ListPage);
    showSummary();
    emit stepShown();
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
                text = QStringLiteral("**%1**\n\n%2\n\n*%3 · %4 · %5*%6")
                           .arg(QString::fromStdString(shipped.title), QString::fromStdString(shipped.summary),
                                QString::fromStdString(lesson::levelName(shipped.level)), tr("%1 steps").arg(shipped.steps),
                                QString::fromStdString(shipped.source), placeOf(shipped, shipped_));
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
    watch_.watch(QFileInfo(pathOrId).isFile() ? pathOrId : QString());
    const QString id = QString::fromStdString(lesson_->id);
    const int steps = static_cast<int>(lesson_->steps.size());
    const int last = LessonProgress::last(id);
    const bool finished = LessonProgress::done(id).size() >= lesson_->steps.size();
    done_.open(*lesson_);
    setCurrentIndex(StepPage);
    goTo(finished ? 0 : std::clamp(last, 0, steps - 1));
    return {};
}

/// The step on display as it is written now. With a mistake in it, the last one that had none stays.
void LessonPanel::readAgain(const QString& path)
{
    auto read = lesson::openLesson(textToPath(path.toStdU16String()));
    if (!read) {
        emit refused(read.error());
        return;
    }
    lesson_ = std::move(read).value();
    done_.open(*lesson_);
    goTo(std::min(step_, static_cast<int>(lesson_->steps.size()) - 1));
}

void LessonPanel::openFile()
{
    QFileDialog* dialog =
        newFileDialog(this, QStringLiteral("lessonOpenDialog"), tr("Open a lesson"), tr("Lessons (*.toml);;All files (*)"));
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
    QFileDialog* dialog = newSaveDialog(this, QStringLiteral("lessonHandoutDialog"), tr("Save the hand-out"),
                                        tr("Pages (*.pdf)"), QStringLiteral("pdf"));
    dialog->selectFile(QFileInfo(id).completeBaseName() + QStringLiteral(".pdf"));
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

void LessonPanel::saveRecord()
{
    QFileDialog* dialog = newSaveDialog(this, QStringLiteral("lessonRecordDialog"), tr("Save the record"),
                                        tr("Records of lessons (*.json)"), QStringLiteral("json"));
    dialog->selectFile(QString::fromStdString(lesson_->id) + QStringLiteral(".json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (!lesson_)
            return;
        if (const auto saved = done_.handOver(*lesson_, path); !saved)
            emit refused(saved.error());
    });
    dialog->open();
}

/// What was done in the step on display, with the session in which it was.
void LessonPanel::note()
{
    lesson::DoneStep done{
        .step = step_ + 1, .option = {}, .answer = {}, .t = 0, .wrong = wrongAnswers_, .shown = asked_, .session = {}};
    if (const auto& question = now().question) {
        using Kind = lesson::Question::Kind;
        if (question->kind == Kind::Choice)
            done.option = question_->chosen() + 1;
        if (question->kind == Kind::Number)
            done.answer = question_->number();
        done.t = question->kind == Kind::Number ? answerTime() : document_.laboratory().clock().t;
        if (question->kind != Kind::Choice)
            done.session = document_.files().sessionBytes().toStdString();
    }
    done_.note(*lesson_, done);
    record_->setVisible(step_ + 1 == static_cast<int>(lesson_->steps.size()) && done_.complete(*lesson_));
}

// --- a step ---

void LessonPanel::goTo(int step, bool freshBench)
{
    step_ = step;
    wrongAnswers_ = 0;
    asked_ = false;
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
    question_->show(now(), order());
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
    record_->setVisible(last && done_.complete(*lesson_));
    emit stepShown();
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
        if (verdict.early) // who only has to wait has done nothing wrong: no hint, and no try
            return question_->say(QStringLiteral("**%1** %2").arg(tr("Not yet."), verdict.problem),
                                  LessonQuestion::Tone::Plain);
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
    note();
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
               ? tr("The program measures %1.")
                     .arg((numberText(*value.number, 4) + ' ' + QString::fromStdString(question.unit)).trimmed())
               : value.problem;
}

// --- show me ---

void LessonPanel::showMe()
{
    if (!lesson_ || !show_->isEnabled())
        return;
    left_.assign(now().show.begin(), now().show.end());
    showing_ = true;
    asked_ = true;
    const bool action = now().question && now().question->kind == lesson::Question::Kind::Action;
    if (action && !left_.empty())
        question_->say(tr("Watch the runs and the time line."), LessonQuestion::Tone::Plain);
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
