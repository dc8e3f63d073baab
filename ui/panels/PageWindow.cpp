#include "ui/panels/PageWindow.h"

#include <QScrollBar>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

constexpr int kWidth = 860, kHeight = 620;
constexpr int kPageMargin = 16, kCell = 4;

} // namespace

void drawTables(QTextDocument& document, const Theme& theme, double scale)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setCellPadding(kCell * scale);
            format.setCellSpacing(0);
            format.setBorder(1);
            format.setBorderCollapse(true);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(theme.line);
            table->setFormat(format);
        }
}

PageWindow::PageWindow(Page page, const Theme& theme, double scale, QWidget* parent) : QDialog(parent), page_(std::move(page))
{
    setObjectName(page_.name + "Window");
    setWindowTitle(page_.title);
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    view_ = new QTextBrowser;
    view_->setObjectName(page_.name + "Page");
    view_->setFrameShape(QFrame::NoFrame);
    view_->setOpenLinks(false);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(view_);
    resize(static_cast<int>(std::lround(kWidth * scale)), static_cast<int>(std::lround(kHeight * scale)));
    setTheme(theme, scale);
}

void PageWindow::setTheme(const Theme& theme, double scale)
{
    const int read = view_->verticalScrollBar()->value(); // another theme leaves the reader where they were
    view_->document()->setDocumentMargin(kPageMargin * scale);
    setLessonText(*view_->document(), page_.text, kTextPixels * scale);
    drawTables(*view_->document(), theme, scale);
    view_->moveCursor(QTextCursor::Start); // filling it left the cursor, and with it the view, at the end
    view_->verticalScrollBar()->setValue(read);
}

} // namespace driftless::ui
