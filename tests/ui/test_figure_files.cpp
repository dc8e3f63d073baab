// Figures as files, read back by other programs than wrote them: SVG by Qt's renderer, PDF by poppler. They must hold vector
// text and show the curves of the PNG, and the same figure must give the same bytes.
#include <QtTest>

#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include <cmath>

#include "tests/ui/FigureSamples.h"
#include "ui/figures/ContactSheet.h"
#include "ui/figures/CurveStyle.h"
#include "ui/figures/WriteFigure.h"

using namespace driftless;
using namespace driftless::testing;

namespace {

constexpr double kDpi = 110;
// A rasteriser may put an edge into either of two neighbouring pixels, and dashes begin at rounded lengths: what is drawn in
// one picture must have its like within two pixels in the other.
constexpr int kReach = 2;
// Thin tips of dashes and marks that cover less than half a pixel get no colour of their own in one of the rasterisers.
constexpr double kLostShare = 0.03;

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool near(QRgb pixel, const QColor& colour, int distance)
{
    return std::abs(qRed(pixel) - colour.red()) <= distance && std::abs(qGreen(pixel) - colour.green()) <= distance
           && std::abs(qBlue(pixel) - colour.blue()) <= distance;
}

/// Share of the pixels of this colour in `from` without one like it nearby in `to`; counts them.
double lost(const QImage& from, const QImage& to, const QColor& colour, int& count)
{
    int missing = 0;
    count = 0;
    for (int y = 0; y < from.height(); ++y)
        for (int x = 0; x < from.width(); ++x) {
            if (!near(from.pixel(x, y), colour, 30))
                continue;
            ++count;
            bool found = false;
            for (int dy = -kReach; dy <= kReach && !found; ++dy)
                for (int dx = -kReach; dx <= kReach && !found; ++dx)
                    found = to.valid(x + dx, y + dy) && near(to.pixel(x + dx, y + dy), colour, 90);
            missing += found ? 0 : 1;
        }
    return count == 0 ? 0 : static_cast<double>(missing) / count;
}

/// The first curve colour whose pixels differ, with its share; empty when all agree. A colour near that of the text is left
/// out: the rasterisers smooth letters differently.
QString differing(const QImage& a, const QImage& b, const Figure& figure)
{
    constexpr int kLeast = 8; // pixels: the sample in the legend alone has more
    for (const LegendEntry& entry : figure.legend) {
        const QColor colour = curveColour(entry.style, figure.style.theme);
        if (figure.style.theme == Theme::Dark && near(inksOf(figure.style.theme).text.rgb(), colour, 60))
            continue;
        int there = 0, back = 0;
        const double share = std::max(lost(a, b, colour, there), lost(b, a, colour, back));
        if (there < kLeast || back < kLeast || share > kLostShare)
            return QStringLiteral("%1: %2 and %3 pixels, %4 without their like")
                .arg(entry.name)
                .arg(there)
                .arg(back)
                .arg(share);
    }
    return {};
}

QImage renderedSvg(const QByteArray& bytes, const QSize& size)
{
    QSvgRenderer renderer(bytes);
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

QByteArray output(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished() && process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

QImage renderedPdf(const QString& path)
{
    QImage image;
    image.loadFromData(output("pdftoppm", {"-r", QString::number(kDpi), "-png", path}), "PNG");
    return image;
}

struct Look {
    const char* name;
    SizePreset size;
    Font font;
    Theme theme;
};
constexpr Look kLooks[] = {{"column-serif", SizePreset::Column, Font::Serif, Theme::Light},
                           {"page-sans", SizePreset::Page, Font::Sans, Theme::Light},
                           {"slide-dark", SizePreset::Slide, Font::Sans, Theme::Dark},
                           {"column-grey", SizePreset::Column, Font::Serif, Theme::Grey}};

Figure looking(Figure figure, const Look& look)
{
    figure.style = styleFor(look.size);
    figure.style.font = look.font;
    figure.style.theme = look.theme;
    return figure;
}

} // namespace

class TestFigureFiles : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    QString folder_;
    bool poppler_ = false;

private slots:
    void initTestCase()
    {
        const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
        folder_ = kept.isEmpty() ? temporary_.path() : kept;
        poppler_ = !QStandardPaths::findExecutable("pdftoppm").isEmpty();
    }

    void everyFormatShowsTheSameCurves_data()
    {
        QTest::addColumn<int>("sample");
        QTest::addColumn<int>("look");
        const auto all = samples();
        // Every kind in one look, so that each look meets several kinds.
        for (int i = 0; i < static_cast<int>(all.size()); ++i)
            QTest::addRow("%s, %s", all[static_cast<std::size_t>(i)].name, kLooks[i % 4].name) << i << i % 4;
    }

    void everyFormatShowsTheSameCurves()
    {
        QFETCH(int, sample);
        QFETCH(int, look);
        const Sample chosen = samples()[static_cast<std::size_t>(sample)];
        Figure figure = looking(chosen.figure, kLooks[look]);
        // Greys of runs also occur in the smoothed edges of black text: there only black is compared.
        if (figure.style.theme == Theme::Grey)
            figure.legend.resize(1);
        const QString base = folder_ + QStringLiteral("/%1-%2").arg(chosen.name, kLooks[look].name);
        for (const char* ending : {".svg", ".pdf"}) {
            const auto written = writeFigure(figure, base + ending);
            QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
            QCOMPARE(*written, QStringList{base + ending});
        }
        const QImage picture = figureImage(figure, kDpi);
        const QImage svg = renderedSvg(contentOf(base + ".svg"), picture.size());
        const QString svgDiffers = differing(picture, svg, figure);
        QVERIFY2(svgDiffers.isEmpty(), qPrintable("SVG, " + svgDiffers));
        if (!poppler_)
            QSKIP("pdftoppm (poppler-utils) is not installed");
        const QImage pdf = renderedPdf(base + ".pdf");
        QVERIFY2(std::abs(pdf.width() - picture.width()) <= 1 && std::abs(pdf.height() - picture.height()) <= 1,
                 "the page is as large as the figure");
        const QString pdfDiffers = differing(picture, pdf, figure);
        QVERIFY2(pdfDiffers.isEmpty(), qPrintable("PDF, " + pdfDiffers));
    }

    void anotherCurveIsNoticed()
    {
        Figure figure = figureOf({energyPanel()}), other = figure;
        for (double& y : other.panels[0].series[1].y)
            y *= 1.6;
        other.panels[0].y.low = figure.panels[0].y.low = 1e-12;
        other.panels[0].y.high = figure.panels[0].y.high = 1e-2;
        QVERIFY(differing(figureImage(figure, kDpi), figureImage(figure, kDpi), figure).isEmpty());
        QVERIFY(!differing(figureImage(figure, kDpi), figureImage(other, kDpi), figure).isEmpty());
    }

    void textIsText()
    {
        for (const Look& look : {kLooks[0], kLooks[1]}) {
            const Figure figure = looking(figureOf({energyPanel(), pivotPanel()}), look);
            const QString base = folder_ + "/text-" + look.name;
            QVERIFY(writeFigure(figure, base + ".svg").ok() && writeFigure(figure, base + ".pdf").ok());
            const QByteArray svg = contentOf(base + ".svg");
            const QByteArray family = look.font == Font::Serif ? "CMU Serif" : "Inter";
            for (const QByteArray& word :
                 {QByteArray("Energy error"), QByteArray("dummy-derivatives, ida, rtol "), QByteArray("Run 3"), family})
                QVERIFY2(svg.contains(word), word.constData());
            if (!poppler_)
                QSKIP("poppler-utils is not installed");
            const QString text = QString::fromUtf8(output("pdftotext", {"-raw", base + ".pdf", "-"}));
            for (const char* word :
                 {"Energy error", "dummy-derivatives", "Variables chosen as dummies", "ω", "switched to projection"})
                QVERIFY2(text.contains(word), word);
            const QStringList fonts =
                QString::fromUtf8(output("pdffonts", {base + ".pdf"})).split('\n', Qt::SkipEmptyParts).mid(2);
            QVERIFY(!fonts.isEmpty());
            for (const QString& font : fonts) {
                QVERIFY2(font.contains(look.font == Font::Serif ? "CMUSerif" : "Inter"), qPrintable(font));
                // Columns emb, sub, uni: embedded, and with the characters' names.
                const QStringList columns = font.mid(54).simplified().split(' ');
                QVERIFY2(columns.contains("yes"), qPrintable(font));
                QVERIFY2(font.contains(QRegularExpression("Identity-H +yes +(yes|no) +yes")), qPrintable(font));
            }
        }
    }

    void pageIsTheFigure()
    {
        Figure figure = looking(figureOf({energyPanel()}), kLooks[0]);
        const QSizeF size = figureSize(figure);
        QCOMPARE(size.width(), 85.0);
        const QString base = folder_ + "/page";
        QVERIFY(writeFigure(figure, base).ok());
        const QByteArray svg = contentOf(base + ".svg");
        QVERIFY(svg.contains("<svg width=\"85mm\""));
        const QByteArray pdf = contentOf(base + ".pdf");
        const auto box = QRegularExpression("/MediaBox \\[0 ([0-9.]+) ([0-9.]+) ([0-9.]+)").match(QString::fromLatin1(pdf));
        QVERIFY(box.hasMatch());
        const double point = 25.4 / 72, written = 1e-4 * point; // [mm], four digits
        QVERIFY(std::abs(box.captured(2).toDouble() * point - 85) < 2 * written);
        QVERIFY(std::abs((box.captured(3).toDouble() - box.captured(1).toDouble()) * point - size.height()) < 3 * written);
        const QImage png(base + ".png");
        QCOMPARE(png.width(), qRound(85 / 25.4 * kPrintDpi));
    }

    void sameFigureGivesSameBytes()
    {
        const Figure figure = looking(samples()[9].figure, kLooks[0]);
        QStringList kinds{"png", "svg", "pdf"};
        QCOMPARE(writeFigure(figure, folder_ + "/once")->size(), 3);
        QTest::qSleep(1100); // a second later: a time of writing would differ
        QVERIFY(writeFigure(figure, folder_ + "/again").ok());
        for (const QString& kind : kinds) {
            const QByteArray bytes = contentOf(folder_ + "/once." + kind);
            QVERIFY(bytes.size() > 1000);
            QVERIFY2(bytes == contentOf(folder_ + "/again." + kind), qPrintable(kind));
        }
    }

    void contactSheetShowsEveryPicture()
    {
        std::vector<ContactEntry> entries;
        const QColor colours[] = {QColor(200, 30, 30), QColor(30, 160, 30), QColor(30, 30, 200), QColor(200, 160, 0),
                                  QColor(150, 0, 150)};
        for (int i = 0; i < 5; ++i) {
            QImage image(300, 200 + 60 * i, QImage::Format_RGB32);
            image.fill(colours[i]);
            const QString file = folder_ + QStringLiteral("/sheet-%1.png").arg(i);
            QVERIFY(image.save(file));
            entries.push_back({file, QStringLiteral("picture %1, $x_%1$").arg(i)});
        }
        ContactStyle style;
        style.title = "All of them";
        const auto sheet = makeContactSheet(entries, folder_ + "/sheet.png", style);
        QVERIFY2(sheet.ok(), sheet.ok() ? "" : sheet.error().text().c_str());
        QCOMPARE(sheet->size(), 1);
        const QImage page(sheet->front());
        for (const QColor& colour : colours) {
            int count = 0;
            for (int y = 0; y < page.height(); y += 3)
                for (int x = 0; x < page.width(); x += 3)
                    count += page.pixelColor(x, y) == colour ? 1 : 0;
            QVERIFY(count > 500);
        }
        style.millimetres = {100, 60};
        const auto many = makeContactSheet(entries, folder_ + "/pages.png", style);
        QVERIFY(many.ok() && many->size() > 1 && QFile::exists(folder_ + "/pages-2.png"));
        QVERIFY(makeContactSheet(entries, folder_ + "/sheet.pdf", style).ok());
        QCOMPARE(contentOf(folder_ + "/sheet.pdf").count("/Type /Page\n"), many->size());
        entries.push_back({folder_ + "/absent.png", ""});
        QVERIFY(!makeContactSheet(entries, folder_ + "/none.png", style).ok());
        QVERIFY(!QFile::exists(folder_ + "/none.png"));
    }
};

QTEST_MAIN(TestFigureFiles)
#include "test_figure_files.moc"
