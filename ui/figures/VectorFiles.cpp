#include "ui/figures/VectorFiles.h"

#include <QBuffer>
#include <QHashSeed>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <cmath>

#include "ui/figures/Sheet.h"

namespace driftless::figures {

namespace {

constexpr int kUnitsPerInchRounded = 2540; // Qt wants whole dots per inch: one dot is one unit, 0.01 mm

/// Qt's PDF writer keeps the fonts of a page in a hash and embeds them in its order: with a seed of its own per process the
/// same figure would give other bytes. Hashes made before keep their seed.
class SteadyHashes {
public:
    SteadyHashes() { QHashSeed::setDeterministicGlobalSeed(); }
    ~SteadyHashes() { QHashSeed::resetRandomGlobalSeed(); }
    SteadyHashes(const SteadyHashes&) = delete;
    SteadyHashes& operator=(const SteadyHashes&) = delete;
};

/// The time of writing becomes a fixed one of the same length, so that no offset in the file changes.
void forgetDates(QByteArray& pdf)
{
    static const QByteArray key = "/CreationDate (D:";
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        qsizetype i = at + key.size();
        for (int digits = 0; digits < 14 && i < pdf.size() && pdf[i] >= '0' && pdf[i] <= '9'; ++digits, ++i)
            pdf[i] = "20000101000000"[digits];
        for (; i < pdf.size() && pdf[i] != ')'; ++i)
            if (pdf[i] >= '0' && pdf[i] <= '9')
                pdf[i] = '0';
            else if (pdf[i] == '-')
                pdf[i] = '+';
    }
}

/// Qt knows pages of whole points only. The drawing starts at the upper edge of such a page; the box that a viewer shows, and
/// LaTeX includes, is made as large as the figure, in the bytes that Qt's numbers took.
void trimPages(QByteArray& pdf, const QSizeF& points, int wholeHeight)
{
    static const QByteArray key = "/MediaBox [0 ";
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        const qsizetype from = at + key.size(), end = pdf.indexOf(']', from);
        const QByteArray box = QByteArray::number(wholeHeight - points.height(), 'f', 4) + ' '
                               + QByteArray::number(points.width(), 'f', 4) + ' ' + QByteArray::number(wholeHeight);
        if (end > from && box.size() <= end - from)
            pdf.replace(from, end - from, box.leftJustified(end - from, ' '));
    }
}

/// A browser without the figure's font takes a like one. Stronger than the attributes that name the font alone, which drawing
/// programs read.
QByteArray fallbacks(Font font)
{
    return font == Font::Serif
               ? "\n<style>text { font-family: 'CMU Serif', 'Latin Modern Roman', 'STIX Two Text', 'Times New Roman', serif "
                 "}</style>"
               : "\n<style>text { font-family: Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif }</style>";
}

} // namespace

QByteArray svgBytes(const QSizeF& size, const QString& title, Font font, const Paint& paint)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kUnitsPerInchRounded);
    generator.setSize(QSize(static_cast<int>(std::lround(size.width())), static_cast<int>(std::lround(size.height()))));
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    QString written = title.toHtmlEscaped(); // the generator writes it as it stands
    for (QChar& c : written)
        c = c.category() == QChar::Other_Control || c.isNonCharacter() ? QChar(' ') : c;
    generator.setTitle(written);
    generator.setDescription(QStringLiteral("Made with Driftless"));
    QPainter painter;
    if (!painter.begin(&generator))
        return {};
    paint(painter);
    painter.end();
    const qsizetype definitions = bytes.indexOf("<defs>");
    if (definitions >= 0)
        bytes.insert(definitions + 6, fallbacks(font));
    return bytes;
}

QByteArray pdfPages(const QSizeF& size, const QString& title, const std::vector<Paint>& pages)
{
    const SteadyHashes steady;
    const QSizeF points = size * (72.0 / kUnitsPerInch);
    const QSize whole(static_cast<int>(std::ceil(points.width() - 1e-9)), static_cast<int>(std::ceil(points.height() - 1e-9)));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (pages.empty() || !buffer.open(QIODevice::WriteOnly))
        return {};
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kUnitsPerInchRounded);
        writer.setPageSize(QPageSize(whole, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setTitle(title);
        writer.setCreator(QStringLiteral("Driftless"));
        QPainter painter;
        if (!painter.begin(&writer))
            return {};
        for (std::size_t i = 0; i < pages.size(); ++i) {
            if (i > 0)
                writer.newPage();
            pages[i](painter);
        }
    }
    forgetDates(bytes);
    trimPages(bytes, points, whole.height());
    return bytes;
}

QByteArray pdfBytes(const QSizeF& size, const QString& title, const Paint& paint) { return pdfPages(size, title, {paint}); }

} // namespace driftless::figures
