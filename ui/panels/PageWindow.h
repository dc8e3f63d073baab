// A page of text in a window of its own: notation, glossary, shortcuts, what the program is.
#pragma once

#include <QDialog>

#include "ui/views/Theme.h"

class QTextBrowser;
class QTextDocument;

namespace driftless::ui {

struct Page {
    QString name; ///< the window is called "notationWindow", its text "notationPage" where this is "notation"
    QString title;
    QString text; ///< as a lesson's text: Markdown with formulas
};

/// Lines between the cells of all tables of a text.
void drawTables(QTextDocument& document, const Theme& theme, double scale);

class PageWindow : public QDialog {
    Q_OBJECT
public:
    PageWindow(Page page, const Theme& theme, double scale, QWidget* parent = nullptr);
    void setTheme(const Theme& theme, double scale);

private:
    Page page_;
    QTextBrowser* view_;
};

} // namespace driftless::ui
