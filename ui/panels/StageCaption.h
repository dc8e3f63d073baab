// The step of a lesson as a strip over the bottom of the scene: its formulas in large letters, its task and question, the
// answer, and what comes back. It takes at most kMostShare of what it lies over; its words are as large as that allows.
#pragma once

#include <QFrame>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace driftless::ui {

class LessonPanel;

/// The lines of a text that are formulas, without their marks.
QStringList formulaLines(const QString& markdown);

/// Object names: stageOption_1 ... (counted as in the file), stageAnswer, stageCheck, stageFormula, stageText. All of it acts
/// on the guide: there is one answer, wherever it is given.
class StageCaption : public QFrame {
    Q_OBJECT
public:
    static constexpr double kMostShare = 0.15;

    StageCaption(LessonPanel& lessons, QWidget* over);
    /// Of the words, where there is room.
    void setScale(double scale);
    /// Another step, an answer, what comes back; nothing in sight where no step is.
    void refresh();
    /// Whether all words of the step have room.
    bool complete() const { return complete_; }

signals:
    /// Pixels at the bottom that it takes.
    void covers(int pixels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeAnswers();
    void showAnswers();
    void fillOptions();
    void place();
    bool fitLargest(const QSize& room);
    bool fit(int wanted, int least, const QSize& room);
    bool fitsAt(int pixels, const QSize& room);
    std::vector<QString> wordings() const;

    LessonPanel& lessons_;
    QLabel *formula_, *text_, *unit_;
    QWidget* answers_;
    QLineEdit* number_;
    QPushButton* check_;
    std::vector<QPushButton*> options_;
    QString shownStep_; ///< lesson and step that the options are of
    double scale_ = 1;
    int pixels_ = 0; ///< of the words, as they are now
    bool complete_ = true;
};

} // namespace driftless::ui
