// Pictures against those that are kept in tests/images/baselines, and how much two pictures may differ.
//
// On one machine a picture is the same to the last bit. Mesa and FreeType may cover the pixels along an edge in another way
// from version to version: by up to a quarter of a pixel, which is up to 64 of 255 where black meets white, on lines one pixel
// wide. So differences are taken after a mean over 3 x 3 pixels, where such a line weighs a third (21); an edge that moved by
// one pixel weighs 85.
//   largest difference of such a mean, per channel: kLargest = 48 (twice the first, about half the second)
//   mean of the absolute differences of all pixels and channels: kMean = 0.5 (edges are 1 to 2 % of a picture and half of them
//   differ by a quarter at most; a background or a light that is one step of 255 brighter everywhere exceeds it)
#pragma once

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QtTest>

#include <algorithm>
#include <cstdlib>

namespace driftless::images {

constexpr double kMean = 0.5;
constexpr int kLargest = 48;
constexpr int kWidth = 480, kHeight = 300; ///< of a scene [pixels]
constexpr int kMostFiles = 60;
constexpr qint64 kMostBytes = 4 << 20; ///< of all baselines

struct Difference {
    double mean = 0;   ///< of 255
    int largest = 0;   ///< of 255, of a mean over 3 x 3 pixels
    QPoint where{};    ///< its centre
    bool sizes = true; ///< whether the pictures have one size at all

    bool within() const { return sizes && mean <= kMean && largest <= kLargest; }
    QByteArray text() const
    {
        if (!sizes)
            return "the pictures have different sizes";
        return "mean difference " + QByteArray::number(mean) + " (at most " + QByteArray::number(kMean) + "), largest "
               + QByteArray::number(largest) + " (at most " + QByteArray::number(kLargest) + ") at "
               + QByteArray::number(where.x()) + ", " + QByteArray::number(where.y());
    }
};

inline int channel(const QImage& picture, int x, int y, int shift)
{
    return static_cast<int>(picture.pixel(x, y) >> static_cast<unsigned>(shift) & 255u);
}

inline Difference differenceOf(const QImage& a, const QImage& b)
{
    Difference out;
    if (a.isNull() || a.size() != b.size()) {
        out.sizes = false;
        return out;
    }
    const int width = a.width(), height = a.height();
    double sum = 0;
    std::vector<int> apart(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (const int shift : {0, 8, 16}) {
        const auto at = [&](int x, int y) -> int& {
            return apart[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
        };
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                at(x, y) = channel(a, x, y, shift) - channel(b, x, y, shift);
                sum += std::abs(at(x, y));
            }
        for (int y = 1; y + 1 < height; ++y)
            for (int x = 1; x + 1 < width; ++x) {
                int nine = 0;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx)
                        nine += at(x + dx, y + dy);
                if (std::abs(nine) / 9 > out.largest) {
                    out.largest = std::abs(nine) / 9;
                    out.where = {x, y};
                }
            }
    }
    out.mean = sum / (3.0 * width * height);
    return out;
}

inline QString baselineFolder() { return QStringLiteral(DRIFTLESS_SOURCE_DIR "/tests/images/baselines"); }
inline QString baselinePath(const QString& name) { return baselineFolder() + '/' + name + QStringLiteral(".png"); }
inline bool renewing() { return qEnvironmentVariableIsSet("DRIFTLESS_WRITE"); }

/// The picture is the one that is kept; with DRIFTLESS_WRITE it becomes the one that is kept. Where they differ, the picture
/// and what differs lie in the build's folder scratch.
inline void compareWithBaseline(const QString& name, const QImage& picture)
{
    if (renewing()) {
        QVERIFY(QDir().mkpath(QFileInfo(baselinePath(name)).path()));
        QVERIFY(picture.convertToFormat(QImage::Format_RGB888).save(baselinePath(name), "PNG", 0)); // 0: as small as it can be
        return;
    }
    const QImage kept(baselinePath(name));
    QVERIFY2(!kept.isNull(), qPrintable(baselinePath(name) + " cannot be read; DRIFTLESS_WRITE=1 makes it"));
    const Difference difference = differenceOf(picture, kept);
    if (difference.within())
        return;
    const QString file = QStringLiteral(DRIFTLESS_SCRATCH_DIR "/") + QString(name).replace('/', '-');
    picture.save(file + QStringLiteral("-now.png"));
    QFAIL(qPrintable(name + ": " + difference.text() + "; the picture is " + file + "-now.png"));
}

} // namespace driftless::images
