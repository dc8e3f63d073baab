#include "core/text/PathText.h"

#include <cstddef>

#include "core/text/Utf8.h"

namespace driftless {

namespace {

constexpr char32_t kStray = 0xdc00; ///< a byte from 0x80 on is added
constexpr char32_t kFirstSurrogate = 0xd800, kLowSurrogate = 0xdc00, kLastSurrogate = 0xdfff;

struct Decoded {
    char32_t code;
    std::size_t length; ///< 0: no character begins here
};

/// One character of UTF-8.
Decoded decode(std::string_view bytes)
{
    const std::size_t length = text::characterLength(bytes);
    if (length == 0)
        return {0, 0};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (length == 1)
        return {byte(0), 1};
    char32_t code = byte(0) & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i)
        code = code << 6 | (byte(i) & 0x3fu);
    return {code, length};
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
