#include "core/base/PathText.h"

#include <cstddef>

namespace driftless {

namespace {

constexpr char32_t kStray = 0xdc00; ///< a byte from 0x80 on is added
constexpr char32_t kFirstSurrogate = 0xd800, kLowSurrogate = 0xdc00, kLastSurrogate = 0xdfff;

struct Decoded {
    char32_t code;
    std::size_t length; ///< 0: no character begins here
};

/// One character of UTF-8 in its shortest form.
Decoded decode(std::string_view bytes)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const char32_t first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xc2 && first < 0xe0 ? 2
                                                               : 0;
    if (length == 0 || bytes.size() < length)
        return {0, 0};
    char32_t code = first & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return {0, 0};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr char32_t kLeast[]{0, 0, 0x80, 0x800, 0x10000};
    const bool real = code >= kLeast[length] && code <= 0x10ffff && !(code >= kFirstSurrogate && code <= kLastSurrogate);
    return {code, real ? length : 0};
}

void encode(char32_t code, std::string& out)
{
    const auto add = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

} // namespace

std::u16string pathToText(std::string_view bytes)
{
    std::u16string out;
    while (!bytes.empty()) {
        const Decoded next = decode(bytes);
        if (next.length == 0) {
            out += static_cast<char16_t>(kStray + static_cast<unsigned char>(bytes[0]));
        } else if (next.code >= 0x10000) {
            out += static_cast<char16_t>(kFirstSurrogate + ((next.code - 0x10000) >> 10));
            out += static_cast<char16_t>(kLowSurrogate + ((next.code - 0x10000) & 0x3ff));
        } else {
            out += static_cast<char16_t>(next.code);
        }
        bytes.remove_prefix(next.length == 0 ? 1 : next.length);
    }
    return out;
}

std::string textToPath(std::u16string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char32_t unit = text[i];
        const char32_t next = i + 1 < text.size() ? text[i + 1] : 0;
        if (unit >= kFirstSurrogate && unit < kLowSurrogate && next >= kLowSurrogate && next <= kLastSurrogate) {
            encode(0x10000 + ((unit - kFirstSurrogate) << 10) + (next - kLowSurrogate), out);
            ++i;
        } else if (unit >= kStray + 0x80 && unit <= kStray + 0xff) {
            out += static_cast<char>(static_cast<unsigned char>(unit - kStray));
        } else {
            encode(unit, out);
        }
    }
    return out;
}

} // namespace driftless
