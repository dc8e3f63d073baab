#include "ui/panels/NotationWindow.h"

#include <QDir>
#include <QFile>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>
#include <QVBoxLayout>

#include <cmath>

#include "core/system/Model.h"
#include "core/system/ShippedModels.h"
#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

constexpr int kWidth = 860, kHeight = 620;
constexpr int kPageMargin = 16, kCell = 4;

QString notationText()
{
    QFile file(QDir(QString::fromStdString(model::resourceFolder())).filePath(QStringLiteral("notation.md")));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll())
                                          : QObject::tr("The page %1 is missing.").arg(file.fileName());
}

} // namespace

NotationWindow::NotationWindow(const Theme& theme, double scale, QWidget* parent) : QDialog(parent), text_(notationText())
{
    setObjectName("notationWindow");
    setWindowTitle(tr("Notation"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    page_ = new QTextBrowser;
    page_->setObjectName("notationPage");
    page_->setFrameShape(QFrame::NoFrame);
    page_->setOpenLinks(false);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(page_);
    resize(static_cast<int>(std::lround(kWidth * scale)), static_cast<int>(std::lround(kHeight * scale)));
    setTheme(theme, scale);
}

void NotationWindow::setTheme(const Theme& theme, double scale)
{
    const int read = page_->verticalScrollBar()->value(); // another theme leaves the reader where they were
    page_->document()->setDocumentMargin(kPageMargin * scale);
    setLessonText(*page_->document(), text_, kTextPixels * scale);
    for (QTextFrame* frame : page_->document()->rootFrame()->childFrames())
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
    page_->moveCursor(QTextCursor::Start); // filling it left the cursor, and with it the view, at the end
    page_->verticalScrollBar()->setValue(read);
}

} // namespace driftless::ui
