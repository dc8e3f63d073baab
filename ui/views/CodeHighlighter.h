// Colours of the two languages of models: equations in the Modelica subset, mechanisms in TOML.
#pragma once

#include <QRegularExpression>
#include <QSyntaxHighlighter>

#include "ui/document/TextCheck.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class CodeHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    explicit CodeHighlighter(QTextDocument* document);
    void set(TextKind kind, const Theme& theme);

    static QColor wordColour(const Theme& theme) { return theme.accent; }
    static QColor numberColour(const Theme& theme) { return theme.run(1); }
    static QColor textColour(const Theme& theme) { return theme.run(3); }
    static QColor functionColour(const Theme& theme) { return theme.run(5); }

protected:
    void highlightBlock(const QString& text) override;

private:
    void paintWords(const QString& text);
    /// Comments and strings, which may go on over lines; answers nothing.
    void paintQuoted(const QString& text);

    TextKind kind_ = TextKind::Mechanism;
    const Theme* theme_ = &Theme::light();
    QRegularExpression words_, functions_, numbers_, keys_, tables_;
};

} // namespace driftless::ui
