#include "ui/views/LessonText.h"

#include <QColor>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {
constexpr double kLineHeight = 125; ///< per cent
constexpr double kTextGap = 0.6;    ///< between paragraphs, of the text's size
constexpr double kFormulaMargin = 1.6;
const QColor kDummyGround(70, 110, 240, 72); ///< that of dummyGround(), see-through: these texts stand on light, dark and paper
/// Lines of a quotation are formulas: each becomes a paragraph of its own, where Markdown would join them.
QString apart(const QString& markdown)
{
    QStringList lines;
    for (const QString& line : markdown.split('\n')) {
        if (line.startsWith('>') && !lines.isEmpty() && lines.back().startsWith('>') && lines.back() != QLatin1String(">"))
            lines << QStringLiteral(">");
        lines << line;
    }
    return lines.join('\n');
}

/// A picture would be loaded from wherever the text says, a device or a pipe: the words that stand for it are shown.
QString withoutPictures(QString markdown)
{
    while (markdown.contains(QLatin1String("!["))) // again: what is left of "!![" is one, too
        markdown.replace(QLatin1String("!["), QLatin1String("["));
    return markdown;
}

/// Links to pages stay; one that names a file of the reader's computer, or a program, is text.
void keepWebLinksOnly(QTextDocument& document)
{
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment part = it.fragment();
            const QString href = part.charFormat().anchorHref();
            if (!part.charFormat().isAnchor() || href.startsWith(QLatin1String("https://"))
                || href.startsWith(QLatin1String("http://")))
                continue;
            cursor.setPosition(part.position());
            cursor.setPosition(part.position() + part.length(), QTextCursor::KeepAnchor);
            QTextCharFormat format = part.charFormat();
            format.setAnchor(false);
            format.setAnchorHref({});
            format.clearForeground();
            format.setFontUnderline(false);
            cursor.setCharFormat(format);
            it = block.begin(); // fragments have changed
        }
}

/// ⟦ẍ⟧ is a dummy: its ground is coloured, and the brackets, which stand for that in plain text, go.
void colourDummies(QTextDocument& document)
{
    static const QRegularExpression marked(QStringLiteral("⟦([^⟦⟧\\x{2029}]*)⟧"));
    for (QTextCursor found = document.find(marked); !found.isNull(); found = document.find(marked, found)) {
        QTextCharFormat format = found.charFormat();
        format.setBackground(kDummyGround);
        const QString symbol = found.selectedText();
        found.insertText(QChar(0x2009) + symbol.mid(1, symbol.size() - 2) + QChar(0x2009), format);
    }
}

bool isFormula(const QTextBlock& block)
{
    return block.isValid() && block.blockFormat().intProperty(QTextFormat::BlockQuoteLevel) > 0;
}
} // namespace

QString harmlessMarkdown(const QString& markdown)
{
    // An invisible character keeps what follows from being read as HTML.
    static const QRegularExpression tag(QStringLiteral("<(?=[A-Za-z/!?])"));
    return withoutPictures(markdown).replace(tag, QStringLiteral("<\u2060"));
}

void setLessonText(QTextDocument& document, const QString& markdown, double pixels)
{
    QFont font(interfaceFamily());
    font.setPixelSize(qRound(pixels));
    document.setDefaultFont(font);
    // Neither raw HTML nor pictures are read: texts may come from strangers.
    document.setMarkdown(apart(withoutPictures(markdown)),
                         QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
    keepWebLinksOnly(document);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        const bool close = (block.textList() && block.next().textList()) || (isFormula(block) && isFormula(block.next()));
        format.setBottomMargin((close ? kTextGap / 4 : kTextGap) * pixels);
        if (isFormula(block))
            format.setLeftMargin(kFormulaMargin * pixels);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
    colourDummies(document);
}

} // namespace driftless::ui
