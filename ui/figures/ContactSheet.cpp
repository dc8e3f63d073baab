#include "ui/figures/ContactSheet.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QImageReader>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/figures/SaveFile.h"
#include "ui/figures/Sheet.h"
#include "ui/figures/VectorFiles.h"

namespace driftless::figures {

namespace {

constexpr std::size_t kMostEntries = 1000;
constexpr int kLargestPicture = 16384;
constexpr double kTallest = 1.25; // a picture is at most this many times as high as its cell is wide

struct Cell {
    std::size_t entry = 0;
    QRectF picture;
    double captionBase = 0;
};
using Page = std::vector<Cell>;

Diagnostic refused(const QString& file, const std::string& why)
{
    return {
        .what = "The contact sheet cannot be made", .where = file.toStdString(), .why = why, .remedy = "PNG files that exist"};
}

Result<QSize> sizeOf(const ContactEntry& entry)
{
    QImageReader reader(entry.file);
    const QSize size = reader.size();
    if (!size.isValid() || size.isEmpty())
        return refused(entry.file, reader.errorString().toStdString());
    if (std::max(size.width(), size.height()) > kLargestPicture)
        return refused(entry.file, "the picture is larger than 16384 pixels");
    return size;
}

/// Rows fill pages from the top; a row is as high as its highest picture.
class Arranger {
public:
    Arranger(const ContactStyle& style, const Sheet& sheet)
        : style_(style), s_(sheet), margin_(8 * kUnitsPerMillimetre), size_(style.millimetres * kUnitsPerMillimetre)
    {
        cell_ = (size_.width() - 2 * margin_ - gap() * (style.columns - 1)) / style.columns;
        y_ = top();
        pages_.emplace_back();
    }

    void addRow(std::size_t first, const std::vector<QSize>& sizes)
    {
        double height = 0;
        std::vector<QSizeF> fits;
        for (const QSize& size : sizes) {
            fits.push_back(QSizeF(size).scaled(QSizeF(cell_, std::min(kTallest * cell_, bottom() - top() - caption())),
                                               Qt::KeepAspectRatio));
            height = std::max(height, fits.back().height());
        }
        if (y_ + height + caption() > bottom() && !pages_.back().empty()) {
            pages_.emplace_back();
            y_ = margin_;
        }
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const double x = margin_ + static_cast<double>(i) * (cell_ + gap());
            pages_.back().push_back({first + i, QRectF(QPointF(x, y_), fits[i]), y_ + height + 1.1 * s_.em});
        }
        y_ += height + caption() + gap();
    }

    double margin() const { return margin_; }
    double cell() const { return cell_; }
    const std::vector<Page>& pages() const { return pages_; }

private:
    double gap() const { return 4 * kUnitsPerMillimetre; }
    double caption() const { return 1.5 * s_.em; }
    double top() const { return margin_ + (style_.title.isEmpty() ? 0 : 2.6 * s_.em); }
    double bottom() const { return size_.height() - margin_; }

    const ContactStyle& style_;
    const Sheet& s_;
    double margin_;
    QSizeF size_;
    double cell_ = 0, y_ = 0;
    std::vector<Page> pages_;
};

void paintPage(QPainter& painter, const ContactStyle& style, const Sheet& s, const std::vector<ContactEntry>& entries,
               const Arranger& arranger, std::size_t page)
{
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::SmoothPixmapTransform);
    painter.fillRect(QRectF(QPointF(0, 0), style.millimetres * kUnitsPerMillimetre), s.inks.paper);
    if (page == 0 && !style.title.isEmpty())
        s.text(style.title, 1.6 * s.em, true).draw(painter, {arranger.margin(), arranger.margin() + 1.3 * s.em}, s.inks.text);
    for (const Cell& cell : arranger.pages()[page]) {
        QImage picture(entries[cell.entry].file);
        const QSize fine = (cell.picture.size() * (style.dpi / kUnitsPerInch)).toSize().expandedTo({1, 1});
        if (picture.width() > fine.width())
            picture = picture.scaled(fine, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        painter.drawImage(cell.picture, picture);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(s.inks.grid, s.frame()));
        painter.drawRect(cell.picture);
        fitted(entries[cell.entry].caption, s.font, s.em, arranger.cell())
            .draw(painter, {cell.picture.left(), cell.captionBase}, s.inks.secondary);
    }
}

Result<QStringList> writePng(const QString& path, const ContactStyle& style, const std::vector<Paint>& pages)
{
    QStringList files;
    const QFileInfo info(path);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const double scale = style.dpi / kUnitsPerInch;
        QImage image((style.millimetres * kUnitsPerMillimetre * scale).toSize(), QImage::Format_RGB32);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        if (image.isNull() || !buffer.open(QIODevice::WriteOnly))
            return refused(path, "a page does not fit into memory");
        QPainter painter(&image);
        painter.scale(scale, scale);
        pages[i](painter);
        painter.end();
        if (!image.save(&buffer, "PNG"))
            return refused(path, "a page could not be encoded");
        const QString file =
            pages.size() == 1
                ? path
                : QStringLiteral("%1/%2-%3.%4").arg(info.path(), info.completeBaseName()).arg(i + 1).arg(info.suffix());
        if (auto saved = saveFile(file, bytes); !saved)
            return saved.error();
        files << file;
    }
    return files;
}

} // namespace

Result<QStringList> makeContactSheet(const std::vector<ContactEntry>& entries, const QString& path, const ContactStyle& style)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending != QLatin1String("pdf") && ending != QLatin1String("png"))
        return refused(path, "the file's name ends in neither .pdf nor .png");
    if (entries.empty() || entries.size() > kMostEntries || style.columns < 1 || style.columns > 12)
        return refused(path, "it takes 1 to 1000 pictures in 1 to 12 columns, and there are " + std::to_string(entries.size()));
    Style common;
    common.theme = style.theme;
    common.points = style.points;
    const Sheet sheet(common);
    Arranger arranger(style, sheet);
    std::vector<QSize> row;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto size = sizeOf(entries[i]);
        if (!size)
            return size.error();
        row.push_back(*size);
        if (static_cast<int>(row.size()) == style.columns || i + 1 == entries.size()) {
            arranger.addRow(i + 1 - row.size(), row);
            row.clear();
        }
    }
    std::vector<Paint> pages;
    for (std::size_t page = 0; page < arranger.pages().size(); ++page)
        pages.push_back([&, page](QPainter& painter) { paintPage(painter, style, sheet, entries, arranger, page); });
    if (ending == QLatin1String("png"))
        return writePng(path, style, pages);
    const QByteArray bytes = pdfPages(style.millimetres * kUnitsPerMillimetre, toPlainText(style.title), pages);
    if (bytes.isEmpty())
        return refused(path, "the page could not be drawn");
    if (auto saved = saveFile(path, bytes); !saved)
        return saved.error();
    return QStringList{path};
}

} // namespace driftless::figures
