#include "app/LatexText.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/text/Numbers.h"

namespace driftless::app {

namespace {

struct Sign {
    char32_t code;
    const char* command;
};

/// Beyond the Latin letters that pdflatex reads from UTF-8. Sorted.
constexpr std::array kSigns{
    Sign{0xB0, "$^\\circ$"},
    Sign{0xB1, "$\\pm$"},
    Sign{0xB2, "$^2$"},
    Sign{0xB3, "$^3$"},
    Sign{0xB7, "$\\cdot$"},
    Sign{0xD7, "$\\times$"},
    Sign{0x394, "$\\Delta$"},
    Sign{0x3A9, "$\\Omega$"},
    Sign{0x3B1, "$\\alpha$"},
    Sign{0x3B2, "$\\beta$"},
    Sign{0x3B3, "$\\gamma$"},
    Sign{0x3B4, "$\\delta$"},
    Sign{0x3B5, "$\\varepsilon$"},
    Sign{0x3B6, "$\\zeta$"},
    Sign{0x3B7, "$\\eta$"},
    Sign{0x3B8, "$\\theta$"},
    Sign{0x3BA, "$\\kappa$"},
    Sign{0x3BB, "$\\lambda$"},
    Sign{0x3BC, "$\\mu$"},
    Sign{0x3BD, "$\\nu$"},
    Sign{0x3BE, "$\\xi$"},
    Sign{0x3C0, "$\\pi$"},
    Sign{0x3C1, "$\\rho$"},
    Sign{0x3C3, "$\\sigma$"},
    Sign{0x3C4, "$\\tau$"},
    Sign{0x3C6, "$\\varphi$"},
    Sign{0x3C7, "$\\chi$"},
    Sign{0x3C8, "$\\psi$"},
    Sign{0x3C9, "$\\omega$"},
    Sign{0x2013, "--"},
    Sign{0x2014, "---"},
    Sign{0x2018, "`"},
    Sign{0x2019, "'"},
    Sign{0x201C, "``"},
    Sign{0x201D, "''"},
    Sign{0x2026, "\\dots{}"},
    Sign{0x2032, "$'$"},
    Sign{0x2033, "$''$"},
    Sign{0x2192, "$\\to$"},
    Sign{0x2202, "$\\partial$"},
    Sign{0x2212, "$-$"},
    Sign{0x221A, "$\\surd$"},
    Sign{0x221E, "$\\infty$"},
    Sign{0x2248, "$\\approx$"},
    Sign{0x2260, "$\\ne$"},
    Sign{0x2264, "$\\le$"},
    Sign{0x2265, "$\\ge$"},
};

/// The next letter of UTF-8 text, and how many bytes it takes; none where the bytes are no UTF-8.
std::optional<char32_t> letterAt(std::string_view text, std::size_t at, std::size_t& bytes)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    bytes = 1;
    if (byte(0) < 0x80)
        return byte(0);
    std::size_t count = 2;
    if (byte(0) >= 0xF0)
        count = 4;
    else if (byte(0) >= 0xE0)
        count = 3;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || at + count > text.size())
        return {};
    char32_t code = byte(0) & (0xFFU >> (count + 1));
    for (std::size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return {};
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    bytes = count;
    return code;
}

std::string asciiWord(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '<':
        return "$<$";
    case '>':
        return "$>$";
    case '|':
        return "$|$";
    case '"':
        return "''";
    case '_':
    case '{':
    case '}':
    case '#':
    case '$':
    case '%':
    case '&':
        return std::string("\\") + c;
    default:
        return std::string(1, static_cast<unsigned char>(c) < ' ' || c == 0x7F ? ' ' : c);
    }
}

} // namespace

std::string latexWords(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0, bytes = 1; at < text.size(); at += bytes) {
        const auto letter = letterAt(text, at, bytes);
        if (letter && *letter < 0x80) {
            out += asciiWord(text[at]);
            continue;
        }
        const auto known = letter ? std::ranges::lower_bound(kSigns, *letter, {}, &Sign::code) : kSigns.end();
        if (known != kSigns.end() && known->code == *letter)
            out += known->command;
        else if (letter && *letter >= 0xC0 && *letter <= 0x17F) // Latin letters with accents
            out += text.substr(at, bytes);
        else
            out += '?';
    }
    return out;
}

std::string latexUnit(std::string_view unit)
{
    if (unit.empty())
        return {};
    std::string out = "$\\mathrm{";
    for (std::size_t i = 0; i < unit.size(); ++i) {
        if (unit[i] == ' ' || unit[i] == '*') {
            out += "\\,";
        } else if (unit[i] == '^') {
            const std::size_t end = unit.find_first_not_of("+-0123456789", i + 1);
            out += "^{" + std::string(unit.substr(i + 1, end - i - 1)) + "}";
            i = std::min(end, unit.size()) - 1;
        } else if (std::isalnum(static_cast<unsigned char>(unit[i]))
                   || std::string_view("/.-()").find(unit[i]) != std::string_view::npos) {
            out += unit[i];
        } else {
            out += latexWords(unit.substr(i, 1));
        }
    }
    return out + "}$";
}

std::string latexNumber(double value)
{
    std::string digits = text::rounded(value, 6);
    const std::size_t e = digits.find('e');
    if (e == std::string::npos)
        return digits;
    return digits.substr(0, e) + "\\cdot 10^{" + std::to_string(std::stoi(digits.substr(e + 1))) + "}";
}

} // namespace driftless::app
