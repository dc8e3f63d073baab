#include "app/PictureOptions.h"

#include <charconv>

namespace driftless::app {

Result<PictureSize> parseSize(const std::string& text)
{
    constexpr int kSmallestSide = 16, kLargestSide = 8192;
    PictureSize size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    if (width.ec == std::errc() && width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X')) {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        const auto fits = [](int side) { return side >= kSmallestSide && side <= kLargestSide; };
        if (height.ec == std::errc() && height.ptr == end && fits(size.width) && fits(size.height))
            return size;
    }
    return Diagnostic{.what = "'" + text.substr(0, 40) + "' is no picture size",
                      .where = "--size",
                      .why = "each side has 16 to 8192 pixels",
                      .remedy = "--size 1280x720"};
}

} // namespace driftless::app
