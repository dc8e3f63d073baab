#include "ui/views/FormulaView.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace driftless::ui {

namespace {

constexpr double kSize = 19, kSmallest = 0.45; ///< [pixels] before scaling; least factor
constexpr int kHeight = 52;

} // namespace

FormulaView::FormulaView(QWidget* parent) : QWidget(parent)
{
    setObjectName("formulaPreview");
    setAccessibleName(tr("Preview of the equation"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize FormulaView::sizeHint() const { return {200, static_cast<int>(std::lround(kHeight * scale_))}; }

void FormulaView::setFormula(const QString& latex)
{
    if (latex == latex_)
        return;
    latex_ = latex;
    set();
}

void FormulaView::setHint(const QString& hint)
{
    hint_ = hint;
    update();
}

void FormulaView::setLook(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    set();
    updateGeometry();
}

void FormulaView::set()
{
    formula_ = latex_.isEmpty() ? figures::Formula() : figures::Formula(latex_, figures::Font::Serif, kSize * scale_);
    setToolTip(latex_);
    update();
}

void FormulaView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme_->surface);
    painter.setRenderHint(QPainter::Antialiasing);
    if (formula_.isEmpty()) {
        painter.setPen(theme_->secondary);
        painter.setFont(uiFont(static_cast<int>(std::lround(kTickPixels * scale_))));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, hint_);
        return;
    }
    const double high = formula_.ascent() + formula_.descent();
    const double factor = std::clamp(std::min((width() - 8) / formula_.width(), (height() - 4) / high), kSmallest, 1.0);
    painter.translate(4, (height() - high * factor) / 2);
    painter.scale(factor, factor);
    formula_.draw(painter, QPointF(0, formula_.ascent()), theme_->text);
}

} // namespace driftless::ui
