#include "ui/panels/StageCaption.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/panels/LessonPanel.h"
#include "ui/views/FlowLayout.h"
#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

// Sizes of the words [px]: before scaling as wanted and as the last row of a hall reads them; the least on any screen.
constexpr int kWantedPixels = 17, kHallPixels = 13, kLeastPixels = 13;
constexpr double kFormulaShare = 1.35; ///< of the size of the words
constexpr int kCaptionSide = 12, kCaptionTop = 5, kCaptionGap = 3;
constexpr int kCaptionLine = 1; ///< [px] the border at the top, which the layout does not count

/// Names in the letters of the words around them: a label would set them in another size.
QString withoutCode(QString markdown)
{
    static const QRegularExpression code(QStringLiteral("`([^`]*)`")), special(QStringLiteral("([*_\\[\\]])"));
    for (auto found = code.match(markdown); found.hasMatch(); found = code.match(markdown, found.capturedStart()))
        markdown.replace(found.capturedStart(), found.capturedLength(),
                         found.captured(1).replace(special, QStringLiteral("\\\\1")));
    return markdown;
}

} // namespace

QStringList formulaLines(const QString& markdown)
{
    QStringList out;
    for (QString line : markdown.split('\n')) {
        if (!line.startsWith('>'))
            continue;
        line = line.mid(1).remove(QStringLiteral("**")).remove(QChar(0x27E6)).remove(QChar(0x27E7)).remove('`').trimmed();
        if (!line.isEmpty())
            out << line;
    }
    return out;
}

StageCaption::StageCaption(LessonPanel& lessons, QWidget* over) : QFrame(over), lessons_(lessons)
{
    setObjectName("stageCaption");
    setProperty("role", "dock");
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(kCaptionSide, kCaptionTop, kCaptionSide, kCaptionTop);
    rows->setSpacing(kCaptionGap);
    formula_ = new QLabel;
    formula_->setObjectName("stageFormula");
    formula_->setTextFormat(Qt::PlainText);
    formula_->setWordWrap(true);
    text_ = new QLabel;
    text_->setObjectName("stageText");
    text_->setTextFormat(Qt::MarkdownText);
    text_->setWordWrap(true);
    rows->addWidget(formula_);
    rows->addWidget(text_);
    makeAnswers();
    rows->addWidget(answers_);
    hide();
    over->installEventFilter(this);
    connect(&lessons_, &LessonPanel::stepShown, this, &StageCaption::refresh);
    connect(&lessons_.question(), &LessonQuestion::said, this, &StageCaption::refresh);
}

void StageCaption::makeAnswers()
{
    answers_ = new QWidget;
    auto* flow = new FlowLayout(answers_, 6);
    number_ = new QLineEdit;
    number_->setObjectName("stageAnswer");
    number_->setAccessibleName(tr("Your answer"));
    number_->setPlaceholderText(tr("a number"));
    unit_ = new QLabel;
    check_ = new QPushButton;
    check_->setObjectName("stageCheck");
    check_->setProperty("role", "primary");
    for (QWidget* part : {static_cast<QWidget*>(number_), static_cast<QWidget*>(unit_), static_cast<QWidget*>(check_)})
        flow->addWidget(part);
    const auto answer = [this] {
        if (number_->isVisibleTo(this))
            lessons_.question().setAnswer(number_->text());
        lessons_.check();
    };
    connect(check_, &QPushButton::clicked, this, answer);
    connect(number_, &QLineEdit::returnPressed, this, answer);
}

void StageCaption::setScale(double scale)
{
    scale_ = scale;
    refresh();
}

void StageCaption::refresh()
{
    showAnswers();
    place();
}

/// One button for each option, in the order of the guide, with its words.
void StageCaption::fillOptions()
{
    for (QPushButton* old : options_) {
        answers_->layout()->removeWidget(old); // it takes no room any more
        old->hide();
        old->deleteLater(); // a click on it may be what brought us here
    }
    options_.clear();
    if (!lessons_.current()->steps[static_cast<std::size_t>(lessons_.step())].question)
        return;
    const auto& question = *lessons_.current()->steps[static_cast<std::size_t>(lessons_.step())].question;
    if (question.kind != lesson::Question::Kind::Choice)
        return;
    auto* flow = static_cast<FlowLayout*>(answers_->layout());
    flow->removeWidget(check_);
    for (const std::size_t place : lessons_.order()) {
        const QString words = QString::fromStdString(question.options[place].text).remove('*').remove('`');
        auto* button = new QPushButton(QString(words).replace('&', QStringLiteral("&&")));
        button->setObjectName(QStringLiteral("stageOption_%1").arg(place + 1));
        button->setAccessibleName(words);
        button->setCheckable(true);
        connect(button, &QPushButton::clicked, this, [this, place] {
            lessons_.question().choose(static_cast<int>(place));
            showAnswers();
        });
        flow->addWidget(button);
        button->show();
        options_.push_back(button);
    }
    flow->addWidget(check_);
}

void StageCaption::showAnswers()
{
    const lesson::Lesson* lesson = lessons_.current();
    if (!lesson) {
        shownStep_.clear();
        return;
    }
    const QString step = QStringLiteral("%1/%2").arg(QString::fromStdString(lesson->id)).arg(lessons_.step());
    if (step != shownStep_) {
        shownStep_ = step;
        fillOptions();
    }
    const auto& question = lesson->steps[static_cast<std::size_t>(lessons_.step())].question;
    const bool number = question && question->kind == lesson::Question::Kind::Number;
    const bool act = question && question->kind == lesson::Question::Kind::Action;
    number_->setVisible(number);
    unit_->setVisible(number && !question->unit.empty());
    unit_->setText(question ? QString::fromStdString(question->unit) : QString());
    if (number && number_->text() != lessons_.question().answer())
        number_->setText(lessons_.question().answer());
    check_->setVisible(question.has_value());
    check_->setText(act ? tr("Check what I did") : tr("Check"));
    answers_->setVisible(question && !lessons_.question().answered());
    const QString chosen = QStringLiteral("stageOption_%1").arg(lessons_.question().chosen() + 1);
    for (QPushButton* option : options_)
        option->setChecked(option->objectName() == chosen);
}

/// What the strip can say, the longest first. What came back stands in place of the question.
std::vector<QString> StageCaption::wordings() const
{
    const auto& step = lessons_.current()->steps[static_cast<std::size_t>(lessons_.step())];
    const QString said = lessons_.question().feedback();
    if (!said.isEmpty())
        return {said};
    const QString task = QString::fromStdString(step.task);
    const QString question = step.question ? QString::fromStdString(step.question->text) : QString();
    if (task.isEmpty() && question.isEmpty())
        return {QString::fromStdString(step.title)};
    if (task.isEmpty() || question.isEmpty())
        return {task + question};
    // What is to be done, not how it looks when it is done.
    const bool act = step.question->kind == lesson::Question::Kind::Action;
    return {task + ' ' + question, act ? task : question};
}

bool StageCaption::fitsAt(int pixels, const QSize& room)
{
    if (pixels != std::exchange(pixels_, pixels))
        setStyleSheet(
            QStringLiteral("#stageCaption QLabel, #stageCaption QPushButton, #stageCaption QLineEdit { font-size: %1px; } "
                           "#stageCaption QPushButton, #stageCaption QLineEdit { padding: 1px %3px; min-height: 0; } "
                           "#stageCaption QLineEdit { min-width: %4px; max-width: %4px; } "
                           "#stageCaption QLabel#stageFormula { font-size: %2px; }")
                .arg(pixels)
                .arg(qRound(kFormulaShare * pixels))
                .arg(pixels / 2)
                .arg(8 * pixels));
    for (QWidget* part : findChildren<QWidget*>())
        part->ensurePolished();
    answers_->layout()->invalidate();
    layout()->invalidate();
    return layout()->heightForWidth(room.width()) + kCaptionLine <= static_cast<int>(kMostShare * room.height());
}

/// The largest words with which everything fits, up to those that are wanted; false: not even the least do.
bool StageCaption::fit(int wanted, int least, const QSize& room)
{
    if (fitsAt(wanted, room))
        return true;
    int good = least, bad = wanted;
    if (!fitsAt(good, room))
        return false;
    while (bad - good > 1) {
        const int middle = (good + bad) / 2;
        (fitsAt(middle, room) ? good : bad) = middle;
    }
    return fitsAt(good, room);
}

/// As large as possible. Where there is no room for everything in letters that the last row reads, the formulas are left out
/// first, then words are smaller, and the task goes last: the guide has all of it, and the lecturer says it.
void StageCaption::place()
{
    const bool shown = !lessons_.isHidden() && lessons_.step() >= 0;
    setVisible(shown);
    if (!shown) {
        emit covers(0);
        return;
    }
    const auto& step = lessons_.current()->steps[static_cast<std::size_t>(lessons_.step())];
    const QSize room = parentWidget()->size();
    formula_->setText(formulaLines(QString::fromStdString(step.text)).join(QStringLiteral("      ")));
    complete_ = fitLargest(room);
    const int height =
        std::min(static_cast<int>(kMostShare * room.height()), layout()->heightForWidth(room.width()) + kCaptionLine);
    setGeometry(0, room.height() - height, room.width(), height);
    layout()->activate();
    raise();
    emit covers(height);
}

bool StageCaption::fitLargest(const QSize& room)
{
    const int wanted = qRound(kWantedPixels * scale_);
    for (const QString& words : wordings()) {
        text_->setText(harmlessMarkdown(withoutCode(words)));
        for (const int least : {qRound(kHallPixels * scale_), kLeastPixels})
            for (const bool formulas : {true, false}) {
                if (formulas && formula_->text().isEmpty())
                    continue;
                formula_->setVisible(formulas);
                if (fit(wanted, least, room))
                    return true;
            }
    }
    return false;
}

bool StageCaption::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parent())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace driftless::ui
