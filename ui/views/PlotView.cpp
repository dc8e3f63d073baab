#include "ui/views/PlotView.h"
namespace driftless::ui {
struct PlotView::Impl {};
PlotView::PlotView(QWidget* parent) : QWidget(parent) {}
PlotView::~PlotView() = default;
void PlotView::paintEvent(QPaintEvent*) {}
void PlotView::resizeEvent(QResizeEvent*) {}
bool PlotView::eventFilter(QObject*, QEvent*) { return false; }
QSize PlotView::sizeHint() const { return {448, 260}; }
QSize PlotView::minimumSizeHint() const { return {260, 150}; }
} // namespace driftless::ui
