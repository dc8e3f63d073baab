// The page of notation, read from resources/notation.md: the same text as docs/notation.md.
#pragma once

#include <QDialog>

#include "ui/views/Theme.h"

class QTextBrowser;

namespace driftless::ui {

class NotationWindow : public QDialog {
    Q_OBJECT
public:
    explicit NotationWindow(const Theme& theme, double scale, QWidget* parent = nullptr);
    void setTheme(const Theme& theme, double scale);

private:
    QTextBrowser* page_;
    QString text_;
};

} // namespace driftless::ui
