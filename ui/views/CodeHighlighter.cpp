#include "ui/views/CodeHighlighter.h"

#include <QStringList>

namespace driftless::ui {

namespace {

/// What goes on in the next line.
enum State { Plain = 0, InComment = 1, InText = 2 };

QRegularExpression anyOf(const std::vector<std::string>& words)
{
    QStringList all;
    for (const std::string& word : words)
        all << QRegularExpression::escape(QString::fromStdString(word));
    return QRegularExpression(QStringLiteral("\\b(?:%1)\\b").arg(all.join('|')));
}

} // namespace

CodeHighlighter::CodeHighlighter(QTextDocument* document) : QSyntaxHighlighter(document)
{
    functions_ = anyOf(functionWords());
    numbers_.setPattern(QStringLiteral("(?<![\\w.])\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?"));
    keys_.setPattern(QStringLiteral("[\\w.\"-]+(?=\\s*=)"));
    tables_.setPattern(QStringLiteral("^\\s*\\[\\[?[^\\]\"=]*\\]\\]?"));
}

void CodeHighlighter::set(TextKind kind, const Theme& theme)
{
    kind_ = kind;
    theme_ = &theme;
    words_ = anyOf(kind == TextKind::Equations ? languageWords(kind)
                                               : std::vector<std::string>{"true", "false", "if", "then", "else"});
    rehighlight();
}

void CodeHighlighter::paintWords(const QString& text)
{
    const auto paint = [&](const QRegularExpression& pattern, const QColor& colour, bool bold) {
        QTextCharFormat format;
        format.setForeground(colour);
        if (bold)
            format.setFontWeight(QFont::DemiBold);
        for (auto it = pattern.globalMatch(text); it.hasNext();) {
            const auto match = it.next();
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
        }
    };
    paint(numbers_, numberColour(*theme_), false);
    paint(functions_, functionColour(*theme_), false);
    if (kind_ == TextKind::Mechanism)
        paint(keys_, wordColour(*theme_), false);
    paint(words_, wordColour(*theme_), kind_ == TextKind::Equations);
    if (kind_ == TextKind::Mechanism)
        paint(tables_, wordColour(*theme_), true);
}

void CodeHighlighter::paintQuoted(const QString& text)
{
    QTextCharFormat comment, quoted;
    comment.setForeground(theme_->secondary);
    comment.setFontItalic(true);
    quoted.setForeground(textColour(*theme_));
    const QString longQuote = QStringLiteral("\"\"\"");
    int state = previousBlockState() < 0 ? Plain : previousBlockState();
    qsizetype begin = 0;
    const auto until = [&](const QString& end, const QTextCharFormat& format, qsizetype from) {
        const qsizetype stop = text.indexOf(end, from);
        const qsizetype past = stop < 0 ? text.size() : stop + end.size();
        setFormat(static_cast<int>(begin), static_cast<int>(past - begin), format);
        begin = past;
        return stop >= 0;
    };
    if (state == InComment)
        state = until(QStringLiteral("*/"), comment, 0) ? Plain : InComment;
    else if (state == InText)
        state = until(longQuote, quoted, 0) ? Plain : InText;
    while (state == Plain && begin < text.size()) {
        const auto at = [&](const QString& word) { return QStringView(text).mid(begin).startsWith(word); };
        if (kind_ == TextKind::Mechanism ? at(QStringLiteral("#")) : at(QStringLiteral("//"))) {
            setFormat(static_cast<int>(begin), static_cast<int>(text.size() - begin), comment);
            break;
        }
        if (kind_ == TextKind::Equations && at(QStringLiteral("/*")))
            state = until(QStringLiteral("*/"), comment, begin + 2) ? Plain : InComment;
        else if (kind_ == TextKind::Mechanism && at(longQuote))
            state = until(longQuote, quoted, begin + 3) ? Plain : InText;
        else if (text[begin] == u'"')
            until(QStringLiteral("\""), quoted, begin + 1);
        else
            ++begin;
    }
    setCurrentBlockState(state);
}

void CodeHighlighter::highlightBlock(const QString& text)
{
    constexpr qsizetype kLongest = 4000; // a line that nobody reads is not worth the time
    if (text.size() > kLongest) {
        setCurrentBlockState(Plain);
        return;
    }
    paintWords(text);
    paintQuoted(text);
}

} // namespace driftless::ui
