// An editor for model texts: line numbers, colours of the language, mistakes underlined, names completed.
#pragma once

#include <QPlainTextEdit>

#include <memory>

#include "ui/document/TextCheck.h"
#include "ui/views/Theme.h"

class QCompleter;
class QStringListModel;
class QSyntaxHighlighter;

namespace driftless::ui {

class CodeEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeEditor(QWidget* parent = nullptr);
    ~CodeEditor() override;

    void setLook(const Theme& theme, double scale);
    /// Which language the colours and the completion follow.
    void setKind(TextKind kind);
    TextKind kind() const { return kind_; }
    /// Names that completion offers beside the words of the language.
    void setNames(const std::vector<std::string>& names);
    /// Underlines the word at a place, line and column from 1; line 0 takes the mark away.
    void setProblem(int line, int column, const QString& message);
    /// The cursor goes there.
    void showPlace(int line, int column);
    /// Underlined text; empty without a problem.
    QString underlined() const;
    QCompleter& completer() { return *completer_; }
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString wordBefore() const;
    void complete(bool asked);
    void insertCompletion(const QString& word);
    void mark();
    void layOutGutter();
    QTextCursor placeAt(int line, int column) const;

    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
    TextKind kind_ = TextKind::Mechanism;
    std::vector<std::string> names_;
    QSyntaxHighlighter* highlighter_;
    QCompleter* completer_;
    QStringListModel* words_;
    QWidget* gutter_;
    QTextCursor problem_; ///< its selection is underlined
    QString message_;
};

} // namespace driftless::ui
