#include "ui/views/BandFill.h"

#include <cmath>

namespace driftless::ui {

namespace {

/// The first pixel whose middle is not before a place, within 0 and size; 0 where the place is no number.
int pixelFrom(double place, int size) { return static_cast<int>(std::fmin(std::fmax(std::ceil(place - 0.5), 0.0), size)); }

/// Source over what is there, both premultiplied.
quint32 over(quint32 source, quint32 below)
{
    const quint32 rest = 255 - (source >> 24);
    const auto part = [rest](quint32 two) { // two channels of eight bits, 16 apart
        const quint32 t = two * rest + 0x00800080u;
        return ((t + ((t >> 8) & 0x00ff00ffu)) >> 8) & 0x00ff00ffu;
    };
    return source + (part((below >> 8) & 0x00ff00ffu) << 8) + part(below & 0x00ff00ffu);
}

} // namespace

void fillBand(QImage& picture, const QColor& colour, std::span<const BandEdge> band)
{
    Q_ASSERT(picture.format() == QImage::Format_ARGB32_Premultiplied);
    const quint32 source = qPremultiply(colour.rgba());
    const auto stride = picture.bytesPerLine() / static_cast<qsizetype>(sizeof(quint32));
    auto* pixels = reinterpret_cast<quint32*>(picture.bits());
    for (std::size_t i = 0; i + 1 < band.size(); ++i) {
        const BandEdge &a = band[i], &b = band[i + 1];
        for (int x = pixelFrom(a.x, picture.width()), end = pixelFrom(b.x, picture.width()); x < end; ++x) {
            const double share = (x + 0.5 - a.x) / (b.x - a.x);
            const int top = pixelFrom(std::lerp(a.top, b.top, share), picture.height());
            const int bottom = pixelFrom(std::lerp(a.bottom, b.bottom, share), picture.height());
            quint32* pixel = pixels + top * stride + x;
            for (int y = top; y < bottom; ++y, pixel += stride)
                *pixel = over(source, *pixel);
        }
    }
}

} // namespace driftless::ui
