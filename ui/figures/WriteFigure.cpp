#include "ui/figures/WriteFigure.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>

#include <cmath>
#include <string>

#include "ui/figures/FigurePlan.h"
#include "ui/figures/SaveFile.h"
#include "ui/figures/VectorFiles.h"

namespace driftless::figures {

namespace {

constexpr double kSmallestSide = 20, kLargestSide = 1200; // [mm]
constexpr double kSmallestText = 4, kLargestText = 72;    // [pt]
constexpr int kMostPixels = 16384;                        // [pixels]
constexpr std::size_t kMostPanels = 64, kMostSeries = 512;
constexpr qsizetype kLongestText = 4096;

Diagnostic refusedFigure(const std::string& why, const std::string& remedy, const std::string& where = {})
{
    return {.what = "The figure cannot be drawn", .where = where, .why = why, .remedy = remedy};
}

Result<void> checkSeries(const Panel& panel, const Series& series)
{
    const std::string where = toPlainText(panel.title).toStdString();
    if (series.x.size() != series.y.size())
        return refusedFigure("a curve has " + std::to_string(series.x.size()) + " abscissae and "
                                 + std::to_string(series.y.size()) + " ordinates",
                             "columns of one length", where);
    if (series.kind == SeriesKind::Band && series.upper.size() != series.x.size())
        return refusedFigure("a band has no upper edge for every abscissa", "columns of one length", where);
    return {};
}

Result<void> checkPanel(const Panel& panel)
{
    if (panel.series.size() > kMostSeries)
        return refusedFigure("a panel has " + std::to_string(panel.series.size()) + " curves, and 512 is the limit",
                             "fewer curves");
    for (const Series& series : panel.series)
        if (auto ok = checkSeries(panel, series); !ok)
            return ok;
    if (!panel.guides.empty() && !(panel.x.logarithmic && panel.y.logarithmic))
        return refusedFigure("a guide of order p is a straight line on two logarithmic axes only",
                             "logarithmic axes, or no guide", toPlainText(panel.title).toStdString());
    for (const QString* text : {&panel.title, &panel.x.title, &panel.y.title, &panel.empty})
        if (text->size() > kLongestText)
            return refusedFigure("a text is longer than 4096 characters", "a shorter one");
    return {};
}

QString endingOf(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    for (const char* known : {"png", "svg", "pdf"})
        if (ending == QLatin1String(known))
            return ending;
    return {};
}

/// A name that promises another format is not given three more endings.
bool isOtherPicture(const QString& path)
{
    static const QStringList others{"tif",  "tiff", "jpg", "jpeg", "eps", "ps",  "gif", "bmp",
                                    "webp", "emf",  "wmf", "svgz", "txt", "tex", "csv"};
    return others.contains(QFileInfo(path).suffix().toLower());
}

QByteArray pngBytes(const QImage& image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (image.isNull() || !buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return {};
    return bytes;
}

QImage imageOf(const Figure& figure, const FigurePlan& plan, double dpi)
{
    const double scale = dpi / kUnitsPerInch;
    const QSize pixels(static_cast<int>(std::lround(plan.size.width() * scale)),
                       static_cast<int>(std::lround(plan.size.height() * scale)));
    if (pixels.width() < 1 || pixels.height() < 1 || pixels.width() > kMostPixels || pixels.height() > kMostPixels)
        return {};
    QImage image(pixels, QImage::Format_RGB32);
    if (image.isNull())
        return image;
    // A viewer that knows the resolution shows the picture in its printed size.
    image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(plan.sheet.inks.paper);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintPlan(painter, figure, plan);
    return image;
}

} // namespace

Result<void> checkFigure(const Figure& figure)
{
    const Style& style = figure.style;
    const auto within = [](double v, double low, double high) { return v >= low && v <= high; };
    if (!within(style.millimetres.width(), kSmallestSide, kLargestSide)
        || (style.millimetres.height() != 0 && !within(style.millimetres.height(), kSmallestSide, kLargestSide)))
        return refusedFigure("its sides must measure 20 to 1200 mm", "for example 85 x 60 mm");
    if (!within(style.points, kSmallestText, kLargestText))
        return refusedFigure("its text must have 4 to 72 pt", "for example 8 pt");
    if (figure.panels.empty() || figure.panels.size() > kMostPanels)
        return refusedFigure("it has " + std::to_string(figure.panels.size()) + " panels", "1 to 64 panels");
    if (figure.columns < 0 || figure.columns > 16)
        return refusedFigure("it has " + std::to_string(figure.columns) + " columns",
                             "1 to 16 columns, or 0 for what the width allows");
    if (figure.legend.size() > kMostPanels)
        return refusedFigure("its legend has " + std::to_string(figure.legend.size()) + " entries", "at most 64");
    for (const Panel& panel : figure.panels)
        if (auto ok = checkPanel(panel); !ok)
            return ok;
    return {};
}

QSizeF figureSize(const Figure& figure)
{
    if (!checkFigure(figure))
        return {};
    const auto plan = planFigure(figure);
    return plan ? plan.value()->size / kUnitsPerMillimetre : QSizeF();
}

void paintFigure(QPainter& painter, const Figure& figure, double unitsPerMillimetre)
{
    if (!checkFigure(figure))
        return;
    const auto plan = planFigure(figure);
    if (!plan)
        return;
    painter.save();
    painter.scale(unitsPerMillimetre / kUnitsPerMillimetre, unitsPerMillimetre / kUnitsPerMillimetre);
    paintPlan(painter, figure, *plan.value());
    painter.restore();
}

QImage figureImage(const Figure& figure, double dpi)
{
    if (!checkFigure(figure))
        return {};
    const auto plan = planFigure(figure);
    return plan ? imageOf(figure, *plan.value(), dpi) : QImage();
}

Result<QStringList> writeFigure(const Figure& figure, const QString& path)
{
    if (auto ok = checkFigure(figure); !ok)
        return ok.error();
    const auto planned = planFigure(figure);
    if (!planned)
        return planned.error();
    const FigurePlan& plan = *planned.value();
    const QString ending = endingOf(path);
    if (ending.isEmpty() && isOtherPicture(path))
        return Diagnostic{.what = "This kind of figure is not known",
                          .where = path.toStdString(),
                          .why = "the file's name ends in ." + QFileInfo(path).suffix().toStdString(),
                          .remedy = "a name that ends in .png, .svg or .pdf"};
    QStringList files;
    for (const QString& kind : ending.isEmpty() ? QStringList{"png", "svg", "pdf"} : QStringList{ending}) {
        const QString file = ending.isEmpty() ? path + '.' + kind : path;
        const auto paint = [&](QPainter& painter) { paintPlan(painter, figure, plan); };
        QByteArray bytes;
        if (kind == QLatin1String("png"))
            bytes = pngBytes(imageOf(figure, plan, kPrintDpi));
        else if (kind == QLatin1String("svg"))
            bytes = svgBytes(plan.size, toPlainText(figure.title), figure.style.font, paint);
        else
            bytes = pdfBytes(plan.size, toPlainText(figure.title), paint);
        if (bytes.isEmpty())
            return refusedFigure("the picture does not fit into memory", "a smaller page, or .svg or .pdf", file.toStdString());
        if (auto saved = saveFile(file, bytes); !saved)
            return saved.error();
        files << file;
    }
    return files;
}

} // namespace driftless::figures
