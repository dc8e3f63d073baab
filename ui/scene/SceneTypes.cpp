#include "ui/scene/SceneTypes.h"

#include <algorithm>

namespace driftless::scene {

namespace {

constexpr Rgb hex(unsigned value)
{
    return {((value >> 16) & 255u) / 255.0, ((value >> 8) & 255u) / 255.0, (value & 255u) / 255.0};
}

} // namespace

Colours Colours::light()
{
    return {hex(0xF4F6F9),
            hex(0xFFFFFF),
            hex(0x14181D),
            hex(0x4E5866),
            hex(0xD5DBE3),
            {hex(0x1F55D6), hex(0xE04A00), hex(0x14181D), hex(0x2E9468), hex(0x3A0C78), hex(0xA0567F), hex(0x623600),
             hex(0x2487F2)},
            hex(0xC4007A),
            hex(0x6B7A00)};
}

Colours Colours::dark()
{
    return {hex(0x0F1318),
            hex(0x14181D),
            hex(0xE8ECF1),
            hex(0xA3AFBD),
            hex(0x2B333D),
            {hex(0x8FA8FF), hex(0xD9820F), hex(0xFFFFF0), hex(0x1FBA86), hex(0x7F60FF), hex(0xCC90B2), hex(0xF7C23A),
             hex(0xC4F0F8)},
            hex(0xFF6FB5),
            hex(0xC6E34A)};
}

double SceneModel::characteristicLength() const
{
    const Vec3 size = extent.size();
    const double larger = std::max(size.x, size.y);
    return larger > 0 ? larger / 2 : 1.0;
}

double SceneModel::drawnLength() const
{
    constexpr double kLinks = 6;
    return link > 0 ? std::min(characteristicLength(), kLinks * link) : characteristicLength();
}

void magnify(std::vector<double>& points, const std::vector<double>& reference, double factor)
{
    const std::size_t count = std::min(points.size(), reference.size());
    for (std::size_t i = 0; i < count; ++i)
        points[i] = reference[i] + factor * (points[i] - reference[i]);
}

void magnify(RunFrame& run, const RunFrame& reference, double factor)
{
    magnify(run.points, reference.points, factor);
    magnify(run.trail, reference.trail, factor);
    const auto move = [factor](std::vector<double>& arrows, const std::vector<double>& of) {
        for (std::size_t a = 0; a + 5 < arrows.size() && a + 5 < of.size(); a += 6)
            for (std::size_t c = 0; c < 3; ++c)
                arrows[a + c] = of[a + c] + factor * (arrows[a + c] - of[a + c]);
    };
    move(run.arrows, reference.arrows);
    move(run.velocities, reference.velocities);
}

void reduceByBox(const Pixels& fine, int factor, Pixels& out)
{
    out.width = fine.width / factor;
    out.height = fine.height / factor;
    out.argb.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
    const std::uint32_t area = static_cast<std::uint32_t>(factor * factor);
    std::uint32_t* target = out.argb.data();
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            // Red and blue share a word: 16 bits each hold up to 256 summands.
            std::uint32_t redBlue = 0, green = 0;
            for (int dy = 0; dy < factor; ++dy)
                for (int dx = 0; dx < factor; ++dx) {
                    const std::uint32_t word = fine.at(x * factor + dx, y * factor + dy);
                    redBlue += word & 0x00ff00ffu;
                    green += (word >> 8) & 0xffu;
                }
            const std::uint32_t red = ((redBlue >> 16) + area / 2) / area, blue = ((redBlue & 0xffffu) + area / 2) / area;
            *target++ = 0xff000000u | (red << 16) | (((green + area / 2) / area) << 8) | blue;
        }
}

} // namespace driftless::scene
