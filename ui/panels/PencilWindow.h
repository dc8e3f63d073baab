// The linear DAE laboratory: a text with E, A and f on the left, what it is on the right, decided anew while one types and
// while the rank tolerance moves. The analysis runs on a thread of its own; a result that has been overtaken is dropped.
#pragma once

#include <QThreadPool>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

#include "core/pencil/Pencil.h"
#include "core/run/Linearise.h"
#include "ui/views/Theme.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSlider;
class QTextBrowser;

namespace driftless::ui {

class GapView;
class SolutionView;

class PencilWindow : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostUnknowns = 40; ///< that are analysed while one types
    static constexpr int kMostExact = 24;    ///< that are analysed in rational arithmetic: dense ones take half a second

    explicit PencilWindow(const Theme& theme, QWidget* parent = nullptr);
    ~PencilWindow() override;

    /// As one step that undo of the text takes back.
    void setText(const QString& text);
    /// As if a person had typed it in the place of all that is there.
    void typeText(const QString& text);
    QString text() const;
    /// Whether a person has typed what is there.
    bool isEdited() const { return text() != given_; }
    void setTheme(const Theme& theme);
    /// The last analysis that is on display; null while there is none.
    const pencil::Analysis* analysis() const { return analysis_ ? &*analysis_ : nullptr; }
    /// Whether what is on display belongs to the text and the tolerance.
    bool isUpToDate() const { return shown_ == asked_; }

    /// The text of a linearised motion: names as comments, matrices as numbers.
    static QString textOf(const run::LinearisedDae& linear, const QString& title);

signals:
    void analysed();

private:
    QWidget* makeLeft();
    QWidget* makeRight();
    void ask();
    void begin();
    void take(int generation, std::shared_ptr<Result<pencil::Analysis>> result);
    void say(const Diagnostic* problem);
    void rewrite();
    void moveStep(int by);
    double tolerance() const;

    Theme theme_;
    QString given_; ///< the text that was put there last
    QThreadPool worker_;
    QTimer soon_;               ///< one analysis for many key strokes
    int asked_ = 0, shown_ = 0; ///< generations
    bool busy_ = false;
    std::optional<pencil::Analysis> analysis_;
    int step_ = 0;
    QPlainTextEdit* text_;
    QComboBox* examples_;
    QLabel *problem_, *verdict_, *toleranceText_, *stepText_;
    QSlider* slider_;
    GapView* gaps_;
    SolutionView* solution_;
    QTextBrowser* page_;
    QPushButton *back_, *forward_;
};

} // namespace driftless::ui
