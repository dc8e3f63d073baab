// The drawer's page with the model's text: edited with its mistakes marked as they are typed, and, for a mechanism, its
// equations as a text of their own.
#pragma once

#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>
#include <utility>

#include "core/base/Result.h"
#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QPushButton;

namespace driftless::ui {

class CodeEditor;
class FormulaView;

class ModelPage : public QWidget {
    Q_OBJECT
public:
    static constexpr int kPause = 250; ///< [ms] after the last key before the text is read

    explicit ModelPage(Document& document, QWidget* parent = nullptr);

    void setTheme(const Theme& theme, double scale);
    /// The text of the open model.
    void rebuild();
    /// A file that cannot be opened, at what is wrong with it. A model's text is mended here and opened as a document of its
    /// own; a lesson, study or session is only shown, and read again from its file. False where the file has no text to show.
    bool showBroken(const QString& path, const Diagnostic& problem);
    bool showsBroken() const { return !broken_.isEmpty(); }
    /// Files that could not be opened and whose text was edited here since, and is in no file.
    QStringList editedFiles() const;
    /// Leaves such a file for the text of the open model; without one, what is being edited stays.
    void showModel();
    /// Text that is typed and is a model is applied after a pause, without the button.
    void setLive(bool on);
    /// Shows a part of the text (bytes), where it is the model's as it stands.
    void showPart(std::size_t begin, std::size_t end);
    /// Writes the equations of the mechanism; whole or not at all.
    Result<void> saveEquations(const QString& path) const;

signals:
    /// A person put the cursor there (a byte of the model's text as it stands).
    void cursorPlaced(std::size_t byte);
    /// A mended text was opened; a file is to be read again.
    void mended(const QString& path);
    void reopenAsked(const QString& path);

private:
    QWidget* makeButtons();
    void showText(const QString& text, bool readOnly);
    void typed();
    void keepTyped();
    void check();
    void report(const std::optional<Diagnostic>& problem, bool warning = false);
    void preview();
    void apply();
    void leaveBroken();
    void showEquations(bool on);
    void askForFile();

    Document& document_;
    CodeEditor* editor_;
    FormulaView* preview_;
    QPushButton *problem_, *equations_, *save_, *revert_, *apply_;
    QTimer pause_;
    QString stated_;                                        ///< the model's text as it was last shown
    QString draft_;                                         ///< the edited text while the equations are shown
    QString broken_;                                        ///< the file on display instead of the model, if any
    std::map<QString, std::pair<QString, QString>> mended_; ///< by file: its text as it was read, and as edited
    std::optional<Diagnostic> refused_;                     ///< why the text on display was not applied, though it can be read
    bool live_ = false;
    bool ours_ = false; ///< the text changes by program
    int generation_ = 0;
    int line_ = 0, column_ = 0;
};

} // namespace driftless::ui
