// The workspace of studies: a list to choose from, and of the chosen one title, source and summary, its claims with the numbers
// that decide them, its tables and its figures. These are computed on request, by the command `driftless study` in a process of
// its own, into a folder of the cache: what is there already is shown at once, and a computation that was stopped goes on.
#pragma once

#include <QJsonObject>
#include <QTimer>
#include <QWidget>

#include <optional>

#include "core/study/Study.h"
#include "ui/views/Theme.h"

class QLabel;
class QListWidget;
class QProcess;
class QPushButton;
class QTextBrowser;

namespace driftless::ui {

class StudyShare;

class StudyPage : public QWidget {
    Q_OBJECT
public:
    explicit StudyPage(QWidget* parent = nullptr);
    ~StudyPage() override;

    void setTheme(const Theme& theme, double scale);
    /// A shipped study's name or a file.
    Result<void> open(const QString& pathOrName);
    /// The one that was chosen last; the first of the list where none was.
    void showOpened();
    const study::Study* current() const { return study_ ? &*study_ : nullptr; }
    /// Whether claims, tables and figures of the one on display are there.
    bool computed() const { return !result_.isEmpty(); }
    bool busy() const { return process_ != nullptr; }
    StudyShare& sharing() { return *sharing_; }
    /// The executable that computes; at first the one that runs.
    void setProgram(const QString& path);

signals:
    /// Its runs are wanted as ghosts in the scene.
    void runsAsked(const QString& path);
    /// The study as a page is wanted: somebody has to ask for the file.
    void shareAsked();
    void refused(const driftless::Diagnostic& why);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeList();
    void fitList();
    QWidget* makeHeader();
    void chosen();
    void showPage();
    void addFigures();
    QString claimsText() const;
    QString tablesText() const;
    QString folder() const;
    void readResult();
    void compute();
    void finished(int exitCode, bool crashed);
    void showState();

    std::optional<study::Study> study_;
    QJsonObject result_; ///< empty: not computed
    QProcess* process_ = nullptr;
    StudyShare* sharing_;
    QString program_, asked_; ///< asked_: the folder that is computed into
    bool stopped_ = false;
    QTimer look_, relayout_;
    Theme theme_ = Theme::light();
    double scale_ = 1;
    QListWidget* list_;
    QLabel *title_, *state_;
    QPushButton *runs_, *compute_, *share_;
    QTextBrowser* page_;
};

} // namespace driftless::ui
