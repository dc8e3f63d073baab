#include "ui/views/SignatureMatrix.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/Index.h"

#include "ui/figures/BlendColours.h"

namespace driftless::ui {

namespace {

constexpr double kLargestCell = 28, kReadableCell = 15, kLabelledCell = 9; ///< [pixels] before scaling
constexpr int kMostScrolled = 40; ///< a larger matrix is shrunk to fit, a smaller one keeps its numbers readable
constexpr double kMostLabel = 128;

} // namespace

QColor blockTint(const Theme& theme, int index)
{
    constexpr std::array<int, 6> kTints{0, 1, 3,
                                        5, 7, 6}; // the black and the deep violet of the runs would read as shades of grey
    return figures::blended(theme.surface, theme.run(kTints[at(index) % kTints.size()]), theme.dark ? 0.32 : 0.2);
}

SignatureMatrix::SignatureMatrix(QWidget* parent) : QWidget(parent)
{
    setObjectName("signatureMatrix");
    setAccessibleName(tr("Signature matrix"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void SignatureMatrix::setModel(std::shared_ptr<const StructureModel> model)
{
    model_ = std::move(model);
    selected_ = selectedUnknown_ = -1;
    litRows_.assign(model_ ? at(model_->size()) : 0, false);
    litColumns_.assign(model_ ? at(model_->columns()) : 0, false);
    order();
    layOut();
}

void SignatureMatrix::order()
{
    rows_.clear();
    columns_.clear();
    if (!model_)
        return;
    rows_.resize(at(model_->size()));
    columns_.resize(at(model_->columns()));
    std::iota(rows_.begin(), rows_.end(), 0);
    std::iota(columns_.begin(), columns_.end(), 0);
    const auto& s = model_->analysis().structure;
    if (sorted_ && !s.singular) {
        rows_.clear();
        columns_.clear();
        for (const auto& block : s.blocks) {
            rows_.insert(rows_.end(), block.equations.begin(), block.equations.end());
            columns_.insert(columns_.end(), block.unknowns.begin(), block.unknowns.end());
        }
    } else if (sorted_) { // over-determined part first, under-determined last
        const auto part = [](const std::vector<int>& first, const std::vector<int>& last, int i) {
            if (std::count(first.begin(), first.end(), i))
                return 0;
            return std::count(last.begin(), last.end(), i) ? 2 : 1;
        };
        std::stable_sort(rows_.begin(), rows_.end(), [&](int p, int q) {
            return part(s.parts.overRows, s.parts.underRows, p) < part(s.parts.overRows, s.parts.underRows, q);
        });
        std::stable_sort(columns_.begin(), columns_.end(), [&](int p, int q) {
            return part(s.parts.overColumns, s.parts.underColumns, p) < part(s.parts.overColumns, s.parts.underColumns, q);
        });
    }
    const auto inverse = [](const std::vector<int>& of) {
        std::vector<int> out(of.size());
        for (std::size_t k = 0; k < of.size(); ++k)
            out[at(of[k])] = static_cast<int>(k);
        return out;
    };
    rowPlace_ = inverse(rows_);
    columnPlace_ = inverse(columns_);
}

void SignatureMatrix::setLook(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    layOut();
}

void SignatureMatrix::setSorted(bool sorted)
{
    sorted_ = sorted;
    order();
    update();
}

void SignatureMatrix::setHighlight(const std::vector<int>& equations, const std::vector<int>& unknowns, bool wrong)
{
    std::fill(litRows_.begin(), litRows_.end(), false);
    std::fill(litColumns_.begin(), litColumns_.end(), false);
    for (const int i : equations)
        litRows_[at(i)] = true;
    for (const int j : unknowns)
        litColumns_[at(j)] = true;
    wrong_ = wrong;
    update();
}

void SignatureMatrix::setSelected(int equation, int unknown)
{
    selected_ = equation;
    selectedUnknown_ = unknown;
    update();
}

void SignatureMatrix::setRoom(const QSize& room)
{
    if (room == room_)
        return;
    room_ = room;
    layOut();
}

QString SignatureMatrix::rowName(int equation) const { return model_->equationName(equation); }

QString SignatureMatrix::columnName(int unknown) const { return model_->derivativeName({unknown, 0}); }

void SignatureMatrix::layOut()
{
    const int n = static_cast<int>(rows_.size()), k = static_cast<int>(columns_.size());
    const QFontMetricsF metrics(uiFont(static_cast<int>(std::lround(kTickPixels * scale_))));
    left_ = top_ = 0;
    if (model_ && std::max(n, k) <= 2 * kMostScrolled) {
        for (int i = 0; i < n; ++i)
            left_ = std::max(left_, metrics.horizontalAdvance(rowName(i)));
        for (int j = 0; j < k; ++j)
            top_ = std::max(top_, metrics.horizontalAdvance(columnName(j)));
    }
    // Names give way before entries do: they begin alike, and their ends tell them apart. The tool tips have all of them.
    left_ = std::min({left_, kMostLabel * scale_, std::max(0.4 * room_.width(), 48 * scale_)}) + 8 * scale_;
    top_ = std::min({top_, 0.75 * kMostLabel * scale_, std::max(0.34 * room_.height(), 36 * scale_)}) + 6 * scale_;
    offsets_ = metrics.height() + 6 * scale_;
    const auto fitting = [&] {
        return std::min((room_.width() - left_ - offsets_ - 2) / std::max(1, k),
                        (room_.height() - top_ - offsets_ - 2) / std::max(1, n));
    };
    double fits = fitting();
    const bool shrinks = std::max(n, k) > kMostScrolled;
    if (shrinks && fits < kLabelledCell * scale_) { // too small for words: entries have their room
        left_ = top_ = offsets_ = 1;
        fits = fitting();
    }
    cell_ = std::clamp(fits, shrinks ? 0.25 : kReadableCell * scale_, kLargestCell * scale_);
    setMinimumSize(static_cast<int>(std::ceil(left_ + k * cell_ + offsets_ + 1)),
                   static_cast<int>(std::ceil(top_ + n * cell_ + offsets_ + 1)));
    updateGeometry();
    update();
}

QRectF SignatureMatrix::cellRect(int equation, int unknown) const
{
    return QRectF(left_ + columnPlace_[at(unknown)] * cell_, top_ + rowPlace_[at(equation)] * cell_, cell_, cell_);
}

std::pair<int, int> SignatureMatrix::under(const QPointF& point) const
{
    const int i = static_cast<int>(std::floor((point.y() - top_) / cell_)),
              j = static_cast<int>(std::floor((point.x() - left_) / cell_));
    const bool row = i >= 0 && i < static_cast<int>(rows_.size()), column = j >= 0 && j < static_cast<int>(columns_.size());
    return {row ? rows_[at(i)] : -1, column ? columns_[at(j)] : -1};
}

void SignatureMatrix::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme_->surface);
    if (!model_ || rows_.empty())
        return;
    paintGround(painter);
    paintGrid(painter);
    paintCells(painter);
    if (cell_ >= kLabelledCell * scale_) {
        paintLabels(painter);
        paintOffsets(painter);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void SignatureMatrix::paintGround(QPainter& painter) const
{
    const QRectF all(left_, top_, static_cast<double>(columns_.size()) * cell_, static_cast<double>(rows_.size()) * cell_);
    const auto& blocks = model_->analysis().structure.blocks;
    painter.setPen(Qt::NoPen);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        painter.setBrush(blockTint(*theme_, static_cast<int>(b)));
        if (sorted_)
            painter.drawRect(cellRect(blocks[b].equations.front(), blocks[b].unknowns.front())
                                 .united(cellRect(blocks[b].equations.back(), blocks[b].unknowns.back())));
        else
            for (const auto& cell : model_->cells())
                if (cell.block == static_cast<int>(b))
                    painter.drawRect(cellRect(cell.row, cell.column));
    }
    QColor light = wrong_ ? theme_->error : theme_->accent;
    light.setAlpha(theme_->dark ? 46 : 30);
    for (std::size_t p = 0; p < rows_.size(); ++p)
        if (litRows_[at(rows_[p])])
            painter.fillRect(QRectF(0, top_ + static_cast<double>(p) * cell_, all.right() + offsets_, cell_), light);
    for (std::size_t p = 0; p < columns_.size(); ++p)
        if (litColumns_[at(columns_[p])])
            painter.fillRect(QRectF(left_ + static_cast<double>(p) * cell_, 0, cell_, all.bottom() + offsets_), light);
}

void SignatureMatrix::paintGrid(QPainter& painter) const
{
    const QRectF all(left_, top_, static_cast<double>(columns_.size()) * cell_, static_cast<double>(rows_.size()) * cell_);
    if (cell_ >= kLabelledCell) {
        painter.setPen(QPen(theme_->line, 1));
        for (std::size_t p = 0; p <= rows_.size(); ++p)
            painter.drawLine(QPointF(all.left(), all.top() + static_cast<double>(p) * cell_),
                             QPointF(all.right(), all.top() + static_cast<double>(p) * cell_));
        for (std::size_t p = 0; p <= columns_.size(); ++p)
            painter.drawLine(QPointF(all.left() + static_cast<double>(p) * cell_, all.top()),
                             QPointF(all.left() + static_cast<double>(p) * cell_, all.bottom()));
    } else {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->line, 1));
        painter.drawRect(all);
    }
}

void SignatureMatrix::paintCells(QPainter& painter) const
{
    const double across = static_cast<double>(columns_.size()) * cell_, down = static_cast<double>(rows_.size()) * cell_;
    const bool readable = cell_ >= kReadableCell * scale_ * 0.99;
    painter.setFont(uiFont(static_cast<int>(std::lround(std::min(kTextPixels * scale_, 0.62 * cell_))), QFont::DemiBold));
    const QColor faint = figures::blended(theme_->surface, theme_->secondary, 0.7);
    for (const StructureCell& cell : model_->cells()) {
        const QRectF box = cellRect(cell.row, cell.column);
        const QColor ink = cell.leading || model_->c().empty() ? theme_->text : faint;
        if (!readable) {
            const double size = std::max(1.0, 0.7 * cell_);
            painter.fillRect(QRectF(box.center() - QPointF(size / 2, size / 2), QSizeF(size, size)),
                             cell.transversal ? theme_->accent : ink);
            continue;
        }
        painter.setPen(ink);
        painter.drawText(box, Qt::AlignCenter, QString::number(cell.order));
        if (cell.transversal) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme_->accent, 1.6 * scale_));
            const double r = 0.41 * cell_;
            painter.drawEllipse(box.center(), r, r);
        }
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme_->accent, 2));
    if (selected_ >= 0)
        painter.drawRect(QRectF(left_, top_ + rowPlace_[at(selected_)] * cell_, across, cell_));
    if (selectedUnknown_ >= 0)
        painter.drawRect(QRectF(left_ + columnPlace_[at(selectedUnknown_)] * cell_, top_, cell_, down));
}

void SignatureMatrix::paintLabels(QPainter& painter) const
{
    const QFont font = uiFont(static_cast<int>(std::lround(std::min(kTickPixels * scale_, 0.85 * cell_))));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (std::size_t p = 0; p < rows_.size(); ++p) {
        painter.setPen(rows_[p] == selected_ ? theme_->accent : theme_->text);
        const QRectF box(0, top_ + static_cast<double>(p) * cell_, left_ - 6 * scale_, cell_);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(rowName(rows_[p]), Qt::ElideLeft, box.width()));
    }
    for (std::size_t p = 0; p < columns_.size(); ++p) { // upright where the names are short
        const QString name = columnName(columns_[p]);
        painter.setPen(columns_[p] == selectedUnknown_ ? theme_->accent : theme_->text);
        painter.save();
        painter.translate(left_ + (static_cast<double>(p) + 0.5) * cell_, top_ - 4 * scale_);
        painter.rotate(-90);
        painter.drawText(QRectF(0, -cell_ / 2, top_ - 4 * scale_, cell_), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideMiddle, top_ - 4 * scale_));
        painter.restore();
    }
}

void SignatureMatrix::paintOffsets(QPainter& painter) const
{
    const auto& c = model_->c();
    const auto& d = model_->d();
    if (c.empty())
        return;
    const QFont font = uiFont(static_cast<int>(std::lround(std::min(kTickPixels * scale_, 0.85 * cell_))), QFont::DemiBold);
    painter.setFont(font);
    const double right = left_ + static_cast<double>(columns_.size()) * cell_,
                 bottom = top_ + static_cast<double>(rows_.size()) * cell_;
    painter.setPen(theme_->secondary);
    for (std::size_t p = 0; p < rows_.size(); ++p)
        painter.drawText(QRectF(right, top_ + static_cast<double>(p) * cell_, offsets_, cell_), Qt::AlignCenter,
                         QString::number(c[at(rows_[p])]));
    for (std::size_t p = 0; p < columns_.size(); ++p)
        painter.drawText(QRectF(left_ + static_cast<double>(p) * cell_, bottom, cell_, offsets_), Qt::AlignCenter,
                         QString::number(d[at(columns_[p])]));
    painter.setPen(theme_->accent);
    painter.drawText(QRectF(right, top_ - offsets_, offsets_, offsets_), Qt::AlignCenter, QStringLiteral("c"));
    painter.drawText(QRectF(left_ - offsets_, bottom, offsets_ - 4 * scale_, offsets_), Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("d"));
}

QString SignatureMatrix::tipAt(int equation, int unknown) const
{
    QStringList lines;
    if (equation >= 0) {
        lines << QStringLiteral("<b>%1</b>").arg(rowName(equation).toHtmlEscaped());
        if (!model_->c().empty())
            lines << tr("differentiated %n time(s)", nullptr, model_->c()[at(equation)]);
        for (const Rung& rung : model_->rungs())
            if (rung.at.equation == equation && rung.at.differentiations == 0 && !rung.html.empty())
                lines << QString::fromStdString(rung.html);
    }
    if (unknown >= 0)
        lines << QStringLiteral("<b>%1</b>").arg(columnName(unknown).toHtmlEscaped())
                     + (model_->d().empty()
                            ? QString()
                            : tr(": highest derivative %1")
                                  .arg(QString::fromStdString(model_->derivativeHtml({unknown, model_->d()[at(unknown)]}))));
    if (equation >= 0 && unknown >= 0)
        for (const StructureCell& cell : model_->cells())
            if (cell.row == equation && cell.column == unknown)
                lines << tr("σ = %1%2").arg(cell.order).arg(cell.transversal ? tr(", on the transversal") : QString());
    return lines.join(QStringLiteral("<br>"));
}

bool SignatureMatrix::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && model_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto [i, j] = under(help->pos());
        if (i < 0 && j < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tipAt(i, j), this);
        return true;
    }
    return QWidget::event(event);
}

void SignatureMatrix::mousePressEvent(QMouseEvent* event)
{
    if (!model_)
        return;
    const auto [i, j] = under(event->position());
    if (i >= 0)
        emit equationClicked(i);
    else if (j >= 0)
        emit unknownClicked(j);
}

void SignatureMatrix::keyPressEvent(QKeyEvent* event)
{
    const int step = (event->key() == Qt::Key_Down) - (event->key() == Qt::Key_Up);
    if (!model_ || rows_.empty() || step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int last = static_cast<int>(rows_.size()) - 1, outer = step > 0 ? 0 : last;
    const int place = selected_ < 0 ? outer : std::clamp(rowPlace_[at(selected_)] + step, 0, last);
    emit equationClicked(rows_[at(place)]);
}

} // namespace driftless::ui
