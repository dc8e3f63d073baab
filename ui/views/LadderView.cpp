#include "ui/views/LadderView.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "ui/views/SignatureMatrix.h"

namespace driftless::ui {

namespace {

constexpr int kMargin = 8, kRails = 34, kGap = 7; ///< [pixels] before scaling
constexpr double kMostName = 132;

} // namespace

LadderView::LadderView(QWidget* parent) : QWidget(parent)
{
    setObjectName("ladder");
    setAccessibleName(tr("Equations with their derivatives"));
    setFocusPolicy(Qt::StrongFocus);
}

LadderView::~LadderView() = default;

void LadderView::setModel(std::shared_ptr<const StructureModel> model)
{
    model_ = std::move(model);
    selected_ = -1;
    lit_.clear();
    dummies_.clear();
    write();
}

void LadderView::setLook(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    write();
}

void LadderView::setDummies(const std::vector<structure::DerivativeRef>& dummies)
{
    if (dummies == dummies_)
        return;
    dummies_ = dummies;
    write();
}

void LadderView::setHighlight(const std::vector<structure::EquationRef>& rungs)
{
    lit_ = rungs;
    for (Line& line : lines_)
        line.lit = std::find(lit_.begin(), lit_.end(), model_->rungs()[line.rung].at) != lit_.end();
    update();
}

void LadderView::setSelected(int equation)
{
    selected_ = equation;
    update();
}

void LadderView::write()
{
    lines_.clear();
    const QFont small = uiFont(static_cast<int>(std::lround(kTickPixels * scale_)));
    const QFontMetricsF metrics(small);
    const auto px = [this](double n) { return static_cast<int>(std::lround(n * scale_)); };
    int y = px(kMargin), widest = 0;
    double names = 0;
    if (model_) {
        const QString style = QStringLiteral(".dummy { background-color: %1; }").arg(pillColour().name());
        const auto& rungs = model_->rungs();
        for (std::size_t k = 0; k < rungs.size(); ++k) {
            if (k > 0 && rungs[k].at.equation != rungs[k - 1].at.equation)
                y += px(kGap);
            Line line;
            line.rung = k;
            line.formula = std::make_unique<QTextDocument>();
            line.formula->setDocumentMargin(2);
            line.formula->setDefaultStyleSheet(style);
            line.formula->setDefaultFont(uiFont(px(kTextPixels + 1)));
            const QString body = rungs[k].html.empty() ? QStringLiteral("<span style='color:%1'>%2</span>")
                                                             .arg(theme_->secondary.name(), tr("too long to be shown"))
                                                       : QString::fromStdString(model_->rungHtml(rungs[k], dummies_));
            line.formula->setHtml(
                QStringLiteral("<div style='color:%1; white-space:pre'>%2</div>").arg(theme_->text.name(), body));
            line.y = y;
            line.height = std::max(px(22), static_cast<int>(std::ceil(line.formula->size().height())));
            line.lit = std::find(lit_.begin(), lit_.end(), rungs[k].at) != lit_.end();
            widest = std::max(widest, static_cast<int>(std::ceil(line.formula->idealWidth())));
            names = std::max(names, metrics.horizontalAdvance(model_->equationName(rungs[k].at.equation)));
            y += line.height;
            lines_.push_back(std::move(line));
        }
    }
    names_ = px(kMargin) + static_cast<int>(std::ceil(std::min(names, kMostName * scale_)));
    formulas_ = names_ + px(kRails) + px(8);
    setMinimumSize(formulas_ + widest + px(kMargin), y + px(kMargin));
    updateGeometry();
    update();
}

QColor LadderView::pillColour() const { return dummyGround(*theme_); }

/// The ground of a line and its piece of the rails, which go from the first rung of an equation to its last.
void LadderView::paintRails(QPainter& painter, std::size_t k, const QRectF& row, double left, double right) const
{
    const auto& rungs = model_->rungs();
    const Rung& rung = rungs[lines_[k].rung];
    const int block =
        at(rung.at.equation) < model_->blockOfEquation().size() ? model_->blockOfEquation()[at(rung.at.equation)] : -1;
    const bool first = rung.at.differentiations == 0;
    const bool last = k + 1 == lines_.size() || rungs[lines_[k + 1].rung].at.equation != rung.at.equation;
    QColor light = theme_->accent;
    light.setAlpha(theme_->dark ? 46 : 30);
    if (lines_[k].lit)
        painter.fillRect(row, light);
    if (rung.at.equation == selected_)
        painter.fillRect(QRectF(0, row.top(), 3 * scale_, row.height()), theme_->accent);
    if (block >= 0)
        painter.fillRect(QRectF(left, row.top(), right - left, row.height()), blockTint(*theme_, block));
    painter.setPen(QPen(theme_->secondary, 1.5 * scale_));
    const double middle = row.center().y(), top = first ? middle : row.top(), bottom = last ? middle : row.bottom();
    for (const double x : {left, right})
        painter.drawLine(QPointF(x, first ? top - 5 * scale_ : top), QPointF(x, last ? bottom + 5 * scale_ : bottom));
    painter.drawLine(QPointF(left, middle), QPointF(right, middle));
}

void LadderView::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), theme_->surface);
    if (!model_)
        return;
    const QFont small = uiFont(static_cast<int>(std::lround(kTickPixels * scale_)));
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    const double left = names_ + 8 * scale_, right = names_ + kRails * scale_;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
        const Line& line = lines_[k];
        const Rung& rung = model_->rungs()[line.rung];
        const QRectF row(0, line.y, width(), line.height);
        if (!row.intersects(event->rect()))
            continue;
        paintRails(painter, k, row, left, right);
        const bool first = rung.at.differentiations == 0;
        const double middle = row.center().y();
        if (first) {
            painter.setPen(rung.at.equation == selected_ ? theme_->accent : theme_->secondary);
            painter.drawText(
                QRectF(kMargin * scale_, row.top(), names_ - kMargin * scale_, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                metrics.elidedText(model_->equationName(rung.at.equation), Qt::ElideLeft, names_ - kMargin * scale_));
        } else {
            // as many dots as derivatives
            const QString dots = rung.at.differentiations <= 3 ? QString(rung.at.differentiations, QChar(0x2022))
                                                               : QStringLiteral("(%1)").arg(rung.at.differentiations);
            const double w = metrics.horizontalAdvance(dots) + 6 * scale_;
            const QRectF knot((left + right - w) / 2, middle - 8 * scale_, w, 16 * scale_);
            painter.setPen(QPen(theme_->secondary, 1));
            painter.setBrush(theme_->surface);
            painter.drawRoundedRect(knot, 5 * scale_, 5 * scale_);
            painter.setPen(theme_->text);
            painter.drawText(knot, Qt::AlignCenter, dots);
        }
        painter.save();
        painter.translate(formulas_, row.top() + (row.height() - line.formula->size().height()) / 2);
        line.formula->drawContents(&painter);
        painter.restore();
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QRect LadderView::rungRect(const structure::EquationRef& rung) const
{
    for (const Line& line : lines_)
        if (model_->rungs()[line.rung].at == rung)
            return {0, line.y, width(), line.height};
    return {};
}

const LadderView::Line* LadderView::lineAt(const QPointF& point) const
{
    for (const Line& line : lines_)
        if (point.y() >= line.y && point.y() < line.y + line.height)
            return &line;
    return nullptr;
}

void LadderView::mousePressEvent(QMouseEvent* event)
{
    if (const Line* line = lineAt(event->position()))
        emit equationClicked(model_->rungs()[line->rung].at.equation);
}

void LadderView::keyPressEvent(QKeyEvent* event)
{
    const int step = (event->key() == Qt::Key_Down) - (event->key() == Qt::Key_Up);
    if (!model_ || lines_.empty() || step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int last = model_->size() - 1;
    const int outer = step > 0 ? 0 : last;
    emit equationClicked(selected_ < 0 ? outer : std::clamp(selected_ + step, 0, last));
}

bool LadderView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && model_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Line* line = lineAt(help->pos());
        if (!line) {
            QToolTip::hideText();
            return true;
        }
        const Rung& rung = model_->rungs()[line->rung];
        QString text =
            QStringLiteral("<b>%1</b>")
                .arg(QString::fromStdString(structure::derivativeName(model_->equationName(rung.at.equation).toStdString(),
                                                                      rung.at.differentiations))
                         .toHtmlEscaped());
        text += rung.at.differentiations == 0 ? tr("<br>as the model states it")
                                              : tr("<br>differentiated %1 times").arg(rung.at.differentiations);
        if (const auto& block = model_->blockOfEquation();
            at(rung.at.equation) < block.size() && block[at(rung.at.equation)] >= 0)
            text += tr("<br>block %1").arg(block[at(rung.at.equation)] + 1);
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace driftless::ui
