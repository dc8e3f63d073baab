// Plays lessons as a student does: answers wrongly first, sees the hints, then rightly; does what is asked with the
// window's own controls. Waits by conditions, never by fixed times.
#pragma once

#include <QDir>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QTextBrowser>

#include <map>

#include "core/lesson/Lesson.h"
#include "tests/ui/WindowFixture.h"
#include "ui/document/LessonBench.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/LessonPanel.h"

namespace driftless::ui::test {

class LessonPlayer {
public:
    explicit LessonPlayer(Fixture& fixture) : f_(fixture), panel_(*fixture.find<LessonPanel>("lessonPanel")) {}

    /// What went wrong first; empty when the whole lesson was played.
    QString play(const QString& id)
    {
        if (const auto opened = panel_.open(id); !opened)
            return QString::fromStdString(opened.error().text());
        const int steps = static_cast<int>(panel_.current()->steps.size());
        for (int i = 0; i < steps; ++i) {
            if (panel_.step() != i)
                return QStringLiteral("%1: step %2 is shown instead of %3").arg(id).arg(panel_.step()).arg(i);
            if (const QString problem = playStep(); !problem.isEmpty())
                return QStringLiteral("%1, step %2: %3").arg(id).arg(i + 1).arg(problem);
            picture(id, i);
            if (!press("lessonNext"))
                return QStringLiteral("%1: there is no Next").arg(id);
        }
        return panel_.current() ? QStringLiteral("%1 does not end").arg(id) : QString();
    }

private:
    const lesson::Step& step() const { return panel_.current()->steps[static_cast<std::size_t>(panel_.step())]; }
    QString feedback() const { return f_.find<QLabel>("lessonFeedback")->text(); }
    bool rightNow() const { return f_.find<QLabel>("lessonFeedback")->property("tone").toString() == "right"; }
    bool wrongNow() const { return f_.find<QLabel>("lessonFeedback")->property("tone").toString() == "wrong"; }

    bool press(const QString& name) const
    {
        auto* button = f_.find<QAbstractButton>(name);
        if (!button || !button->isEnabled() || !button->isVisible())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        QApplication::processEvents();
        return true;
    }

    /// The clock has stopped where the step wants it, or nothing runs any more.
    bool settled()
    {
        // A student may choose a faster speed, too. Runs are computed ahead of the clock by a time in proportion to it, and
        // what is done acts there: where something is to be done, the speed stays near the lesson's own.
        const bool acts = step().question && step().question->kind == lesson::Question::Kind::Action;
        const auto& setup = panel_.current()->setupOf(static_cast<std::size_t>(panel_.step()));
        f_.document.playback().setSpeed(acts ? 3 * setup.speed : 100);
        return QTest::qWaitFor(
            [this] {
                const auto clock = f_.document.laboratory().clock();
                return !clock.playing;
            },
            60000);
    }

    QString playStep()
    {
        if (step().text.empty() || f_.find<QTextBrowser>("lessonText")->toPlainText().size() < 40)
            return "no text is shown";
        if (!settled())
            return "the clock does not stop";
        const auto& setup = panel_.current()->setupOf(static_cast<std::size_t>(panel_.step()));
        if (step().setup && f_.document.runs().size() != setup.runs.size())
            return "the bench is not that of the step";
        if (!step().question)
            return {};
        using Kind = lesson::Question::Kind;
        switch (step().question->kind) {
        case Kind::Choice:
            return answerChoice();
        case Kind::Number:
            return answerNumber();
        case Kind::Action:
            return act();
        }
        return {};
    }

    QString answerChoice()
    {
        const auto& question = *step().question;
        int wrongs = 0, rightOne = -1;
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            const auto& option = question.options[i];
            if (option.right) {
                rightOne = static_cast<int>(i);
                continue;
            }
            if (!choose(static_cast<int>(i)) || !press("lessonCheck"))
                return "an option cannot be chosen";
            ++wrongs;
            if (!wrongNow() || !feedback().contains(QString::fromStdString(option.hint)))
                return QStringLiteral("the wrong option %1 gets no hint of its own").arg(i + 1);
            if (wrongs == 2 && !feedback().contains(QString::fromStdString(question.hints.front())))
                return "the second wrong answer gets no stronger hint";
        }
        if (shownOrder() != lesson::optionOrder(*panel_.current(), static_cast<std::size_t>(panel_.step()), panel_.seed()))
            return "the options do not stand in the order of the seed";
        if (!choose(rightOne) || !press("lessonCheck") || !rightNow())
            return "the right option is not accepted";
        return feedback().contains(QString::fromStdString(question.explanation)) ? QString()
                                                                                 : "the right answer is not explained";
    }

    /// From top to bottom, as places in the file.
    std::vector<std::size_t> shownOrder() const
    {
        std::map<int, std::size_t> byHeight;
        for (std::size_t i = 0; i < step().question->options.size(); ++i) {
            auto* button = f_.find<QRadioButton>(QStringLiteral("lessonOption_%1").arg(i + 1));
            byHeight[button->mapTo(&f_.window, QPoint()).y()] = i;
        }
        std::vector<std::size_t> order;
        for (const auto& [height, option] : byHeight)
            order.push_back(option);
        return order;
    }

    /// The first number in a text that would be accepted as the answer.
    static QString rightNumberIn(const QString& text, const Document& document, const lesson::Question& question, double t)
    {
        // A single digit is a run, a time or a factor of a formula.
        static const QRegularExpression literal(QStringLiteral("[-−]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?"));
        for (auto match = literal.globalMatch(text); match.hasNext();) {
            const QString found = match.next().captured().replace(QChar(0x2212), '-');
            if (found.size() > 1 && judgeNumber(document, question, found.toDouble(), t).right)
                return found;
        }
        return {};
    }

    bool choose(int option)
    {
        auto* button = f_.find<QRadioButton>(QStringLiteral("lessonOption_%1").arg(option + 1));
        if (!button)
            return false;
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(8, button->height() / 2));
        return button->isChecked();
    }

    void type(const QString& text)
    {
        auto* field = f_.find<QLineEdit>("lessonAnswer");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }

    /// Whole numbers are counted, not read off a curve.
    static bool isCount(const lesson::Question& question)
    {
        const std::string& name = question.measure.what.text;
        return !question.over
               && (name == "pivots" || name == "steps" || name == "equations" || name == "rejected" || name == "order")
               && question.absolute < 1;
    }

    QString answerNumber()
    {
        const auto& question = *step().question;
        for (const auto& action : step().show)
            if (const QString problem = perform(action); !problem.isEmpty())
                return problem;
        const auto& setup = panel_.current()->setupOf(static_cast<std::size_t>(panel_.step()));
        const double t = setup.until > 0 ? setup.until : f_.time();
        const auto value = rightAnswer(f_.document, question, t);
        if (!value.number || !std::isfinite(*value.number))
            return "the live state gives no answer: " + value.problem;
        type("something");
        press("lessonCheck");
        if (wrongNow() || rightNow() || feedback().isEmpty())
            return "a word is taken for a number";
        const double width = std::max(question.absolute / std::abs(*value.number), question.relative);
        if (width > lesson::kWidestReading && question.reason.empty() && !isCount(question))
            return QStringLiteral("the tolerance is %1 of the answer %2, without a reason").arg(width).arg(*value.number);
        const QString wrong = QString::number(2 * *value.number + 1e3 * std::max(question.absolute, 1e-9) + 1e-30);
        for (const std::string& hint : question.hints) {
            type(wrong);
            press("lessonCheck");
            if (!wrongNow() || !feedback().contains(QString::fromStdString(hint)))
                return QStringLiteral("the wrong answer %1 gets no hint: %2").arg(wrong, feedback());
            if (const QString told = rightNumberIn(feedback(), f_.document, question, t); !told.isEmpty())
                return QStringLiteral("a hint prints the answer %1: %2").arg(told, feedback());
        }
        press("lessonCheck"); // the last try
        if (!wrongNow() || !feedback().contains(QString::number(*value.number, 'g', 4)))
            return QStringLiteral("after the last try there is no answer: %1").arg(feedback());
        // What a person can read off the screen: three digits.
        type(QString::number(*value.number, 'g', 3));
        press("lessonCheck");
        return rightNow() ? QString() : QStringLiteral("%1 is not accepted: %2").arg(*value.number).arg(feedback());
    }

    QString act()
    {
        const auto& question = *step().question;
        for (int i = 0; i < 2; ++i) {
            press("lessonCheck");
            if (!wrongNow() && !rightNow() && feedback().contains("has only reached"))
                break; // it cannot be judged yet: hints come once it can
            if (!wrongNow())
                return "nothing was done, and yet the action counts";
            if (!feedback().contains(QString::fromStdString(question.hints[static_cast<std::size_t>(i)])))
                return "no hint for an action that was not done";
        }
        for (const auto& action : step().show)
            if (const QString problem = perform(action); !problem.isEmpty())
                return problem;
        press("lessonCheck");
        if (!rightNow())
            return QStringLiteral("what was done does not count: %1 %2 (t = %3)").arg(feedback(), values()).arg(f_.time());
        return {};
    }

    QString values() const
    {
        QString out;
        for (const auto& check : step().question->checks) {
            const auto v = measure(f_.document, check.measure, f_.time());
            out += QStringLiteral("[%1 of run %2: %3%4%5] ")
                       .arg(QString::fromStdString(check.measure.what.text))
                       .arg(check.measure.run)
                       .arg(v.number ? QString::number(*v.number) : QString(), v.text, v.problem);
        }
        return out;
    }

    /// The real control where there is one; start values and added runs come from "Show me" of the same step.
    QString perform(const lesson::Action& action)
    {
        const QString number = QString::number(action.run);
        if (action.add || !action.start.empty()) {
            if (!press("lessonShow"))
                return "there is no Show me";
            if (action.until && f_.time() < *action.until - 1e-6 && !f_.document.laboratory().clock().playing)
                return "what is shown does not play";
            return settled() ? QString() : "what is shown does not end";
        }
        if (action.run != 1 || action.pivot || !action.gains.empty())
            f_.document.bench().select(f_.key(action.run - 1));
        QApplication::processEvents();
        if (action.reset && !press("resetButton"))
            return "the reset button";
        if (!f_.openColumn())
            return "the column of runs";
        if ((action.formulation || action.integrator || action.step || action.tolerance) && !f_.openRun(action.run))
            return "the run's line";
        if (action.formulation && !f_.choose("formulation_" + number, QString::fromStdString(*action.formulation)))
            return "the list of formulations";
        if (action.integrator && !f_.choose("integrator_" + number, QString::fromStdString(*action.integrator)))
            return "the list of integrators";
        for (const auto& [name, value] : action.choices)
            if (!f_.openDetails(action.run)
                || !f_.choose(QStringLiteral("option_%1_%2").arg(QString::fromStdString(name), number),
                              QString::fromStdString(value)))
                return "the list of an option";
        for (const auto& [name, value] : action.gains)
            if (!f_.enter("value_" + QString::fromStdString(name), QString::number(value)))
                return "the field of a gain";
        for (const auto& [name, value] : action.parameters)
            if (!f_.enter("value_" + QString::fromStdString(name), QString::number(value)))
                return "the field of a parameter";
        if (action.step && !f_.enter("step_" + number, QString::number(*action.step)))
            return "the field of the step";
        if (action.tolerance) { // of a method that chooses its steps, the field says the tolerance
            if (!f_.enter("step_" + number, QString::number(*action.tolerance)))
                return "the field of the tolerance";
            if (f_.status(action.run - 1).settings.options.relativeTolerance != *action.tolerance)
                return QStringLiteral("the tolerance %1 is not taken").arg(*action.tolerance);
        }
        if (action.pivot && !press("pivot_" + QString::fromStdString(action.pivot->dummies.front())))
            return "the panel of pivots";
        if (action.until) {
            f_.document.playback().setSpeed(100);
            if (!press("playButton"))
                return "the play button";
            const double end = *action.until;
            if (!QTest::qWaitFor([this, end] { return f_.time() >= end || !f_.document.laboratory().clock().playing; }, 60000))
                return "the clock does not come so far";
            f_.document.playback().pause();
        }
        return {};
    }

    /// Pictures to look at, where DRIFTLESS_LESSON_PICTURES names a folder.
    void picture(const QString& id, int step)
    {
        const QString folder = qEnvironmentVariable("DRIFTLESS_LESSON_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(250);
        f_.window.grab().save(QDir(folder).filePath(QStringLiteral("%1-%2.png").arg(id).arg(step + 1)));
    }

    Fixture& f_;
    LessonPanel& panel_;
};

} // namespace driftless::ui::test
