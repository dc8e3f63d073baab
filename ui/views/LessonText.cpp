#include "ui/views/LessonText.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {
constexpr double kLineHeight = 125; ///< per cent
constexpr double kGap = 0.6;        ///< between paragraphs, of the text's size
constexpr double kFormulaMargin = 1.6;
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

bool isFormula(const QTextBlock& block)
{
    return block.isValid() && block.blockFormat().intProperty(QTextFormat::BlockQuoteLevel) > 0;
}
} // namespace

void setLessonText(QTextDocument& document, const QString& markdown, double pixels)
{
    QFont font(interfaceFamily());
    font.setPixelSize(qRound(pixels));
    document.setDefaultFont(font);
    // Raw HTML is not read: texts may come from strangers.
    document.setMarkdown(apart(markdown), QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub)
                                       | QTextDocument::MarkdownNoHTML);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        const bool close = (block.textList() && block.next().textList()) || (isFormula(block) && isFormula(block.next()));
        format.setBottomMargin((close ? kGap / 4 : kGap) * pixels);
        if (isFormula(block))
            format.setLeftMargin(kFormulaMargin * pixels);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

} // namespace driftless::ui
