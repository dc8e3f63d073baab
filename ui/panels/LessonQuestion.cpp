#include "ui/panels/LessonQuestion.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QRadioButton>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"
#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

/// The words of an option: they wrap, which a radio button's do not, and a click on them chooses it.
class OptionText final : public QLabel {
public:
    OptionText(const QString& text, QRadioButton* button) : QLabel(harmlessMarkdown(text)), button_(button)
    {
        setTextFormat(Qt::MarkdownText);
        setWordWrap(true);
    }

protected:
    void mousePressEvent(QMouseEvent*) override { button_->click(); }

private:
    QRadioButton* button_;
};

QLabel* wrapped(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::MarkdownText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

LessonQuestion::LessonQuestion(QWidget* parent) : QWidget(parent)
{
    setObjectName("lessonQuestionBox");
    setAttribute(Qt::WA_StyledBackground);
    rows_ = new QVBoxLayout(this);
    rows_->setContentsMargins(12, 8, 12, 4);
    rows_->setSpacing(5);
    task_ = wrapped("lessonTask");
    question_ = wrapped("lessonQuestion");
    options_ = new QWidget;
    optionRows_ = new QVBoxLayout(options_);
    optionRows_->setContentsMargins(0, 0, 0, 0);
    optionRows_->setSpacing(4);
    field_ = new QWidget;
    auto* line = new QHBoxLayout(field_);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    number_ = new QLineEdit;
    number_->setObjectName("lessonAnswer");
    number_->setAccessibleName(tr("Your answer"));
    number_->setPlaceholderText(tr("a number, such as 0.25 or 3e-4"));
    unit_ = new QLabel;
    line->addWidget(number_, 1);
    line->addWidget(unit_);
    check_ = new QPushButton(tr("Check"));
    check_->setObjectName("lessonCheck");
    check_->setProperty("role", "primary");
    feedback_ = wrapped("lessonFeedback");
    for (QWidget* part : {static_cast<QWidget*>(task_), static_cast<QWidget*>(question_), options_, field_})
        rows_->addWidget(part);
    rows_->addWidget(check_, 0, Qt::AlignLeft);
    rows_->addWidget(feedback_);
    connect(check_, &QPushButton::clicked, this, &LessonQuestion::checkAsked);
    connect(number_, &QLineEdit::returnPressed, this, &LessonQuestion::checkAsked);
}

void LessonQuestion::addOptions(const lesson::Question& question, const std::vector<std::size_t>& order)
{
    delete group_;
    group_ = new QButtonGroup(this);
    while (auto* item = optionRows_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const std::size_t place : order) {
        const auto& option = question.options[place];
        const int number = static_cast<int>(place);
        auto* row = new QWidget;
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        auto* button = new QRadioButton;
        button->setObjectName(QStringLiteral("lessonOption_%1").arg(number + 1));
        auto* text = new OptionText(QString::fromStdString(option.text), button);
        button->setAccessibleName(QString::fromStdString(option.text));
        line->addWidget(button, 0, Qt::AlignTop);
        line->addWidget(text, 1);
        optionRows_->addWidget(row);
        group_->addButton(button, number);
    }
}

void LessonQuestion::show(const lesson::Step& step, const std::vector<std::size_t>& order)
{
    using Kind = lesson::Question::Kind;
    task_->setText(harmlessMarkdown(QString::fromStdString(step.task)));
    task_->setVisible(!step.task.empty());
    const auto* question = step.question ? &*step.question : nullptr;
    question_->setText(question ? harmlessMarkdown(QString::fromStdString(question->text)) : QString());
    question_->setVisible(question && !question->text.empty());
    options_->setVisible(question && question->kind == Kind::Choice);
    field_->setVisible(question && question->kind == Kind::Number);
    check_->setVisible(question != nullptr);
    check_->setText(question && question->kind == Kind::Action ? tr("Check what I did") : tr("Check"));
    number_->clear();
    unit_->setText(question ? QString::fromStdString(question->unit) : QString());
    if (question)
        addOptions(*question, order);
    say({}, Tone::Plain);
}

int LessonQuestion::chosen() const { return group_ ? group_->checkedId() : -1; }

void LessonQuestion::choose(int option)
{
    if (auto* button = group_ ? group_->button(option) : nullptr)
        button->setChecked(true);
}

std::optional<double> LessonQuestion::number() const
{
    // A decimal comma is what many people type.
    QString text = number_->text().trimmed().replace(',', '.');
    const QString unit = unit_->text();
    const auto value = typedNumber(text);
    if (value || unit.isEmpty() || !text.endsWith(unit))
        return value;
    text.chop(unit.size());
    return typedNumber(text);
}

void LessonQuestion::setNumber(double value) { number_->setText(numberText(value, 4)); }

QString LessonQuestion::answer() const { return number_->text(); }

void LessonQuestion::setAnswer(const QString& text) { number_->setText(text); }

void LessonQuestion::say(const QString& text, Tone tone)
{
    const char* verdict = tone == Tone::Right ? "right" : "wrong";
    feedback_->setProperty("tone", tone == Tone::Plain ? "plain" : verdict);
    feedback_->style()->unpolish(feedback_);
    feedback_->style()->polish(feedback_);
    feedback_->setText(harmlessMarkdown(text));
    feedback_->setVisible(!text.isEmpty());
    said_ = text;
    tone_ = tone;
    emit said();
}

} // namespace driftless::ui
