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
} // namespace

void setLessonText(QTextDocument& document, const QString& markdown, double pixels)
{
    QFont font(interfaceFamily());
    font.setPixelSize(qRound(pixels));
    document.setDefaultFont(font);
    // Raw HTML is not read: texts may come from strangers.
    document.setMarkdown(markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub)
                                       | QTextDocument::MarkdownNoHTML);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        format.setBottomMargin(block.textList() && block.next().textList() ? kGap / 3 * pixels : kGap * pixels);
        if (format.intProperty(QTextFormat::BlockQuoteLevel) > 0)
            format.setLeftMargin(kFormulaMargin * pixels);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

} // namespace driftless::ui
