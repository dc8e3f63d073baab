// One typeset formula, shrunk where it is wider than its room.
#pragma once

#include <QWidget>

#include "ui/figures/Formula.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class FormulaView : public QWidget {
    Q_OBJECT
public:
    explicit FormulaView(QWidget* parent = nullptr);
    /// LaTeX as expr::print writes it; empty shows the hint.
    void setFormula(const QString& latex);
    QString latex() const { return latex_; }
    void setHint(const QString& hint);
    void setLook(const Theme& theme, double scale);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void set();
    QString latex_, hint_;
    figures::Formula formula_;
    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
};

} // namespace driftless::ui
