// A figure on a desk, as large as it fits: what dialogs show before it is written.
#pragma once

#include <QImage>
#include <QWidget>

#include "ui/figures/Figure.h"

namespace driftless::ui {

class FigurePreview : public QWidget {
public:
    explicit FigurePreview(QWidget* parent = nullptr);
    void show(figures::Figure figure);
    /// Empty where its panels do not fit the page.
    QSizeF millimetres() const { return size_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    figures::Figure figure_;
    QSizeF size_;
    QImage picture_;
    double dpi_ = 0;
};

} // namespace driftless::ui
