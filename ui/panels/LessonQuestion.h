// The lower half of a lesson's step: what to do, the question, the answer, and what comes back.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "core/lesson/Lesson.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace driftless::ui {

/// Object names: lessonOption_1 ... (counted as in the file, wherever it is shown), lessonAnswer, lessonCheck, lessonFeedback.
class LessonQuestion : public QWidget {
    Q_OBJECT
public:
    explicit LessonQuestion(QWidget* parent = nullptr);

    /// The task and the question of a step, unanswered; its options in this order (places in Question::options).
    void show(const lesson::Step& step, const std::vector<std::size_t>& order);
    /// The option that is chosen, -1: none.
    int chosen() const;
    void choose(int option);
    /// The number in the field, if it is one; or a constant expression, with the unit of the question or without.
    std::optional<double> number() const;
    void setNumber(double value);
    /// What stands in the field, whether it is a number or not.
    QString answer() const;
    void setAnswer(const QString& text);

    enum class Tone { Plain, Right, Wrong };
    void say(const QString& text, Tone tone);
    /// What was said last.
    const QString& feedback() const { return said_; }
    /// Whether it was that the answer is right.
    bool answered() const { return tone_ == Tone::Right; }

signals:
    void checkAsked();
    /// Something came back, or is gone.
    void said();

private:
    void addOptions(const lesson::Question& question, const std::vector<std::size_t>& order);

    QVBoxLayout* rows_;
    QLabel *task_, *question_, *feedback_, *unit_;
    QWidget *options_, *field_;
    QVBoxLayout* optionRows_;
    QButtonGroup* group_ = nullptr;
    QLineEdit* number_;
    QString said_;
    Tone tone_ = Tone::Plain;
    QPushButton* check_;
};

} // namespace driftless::ui
