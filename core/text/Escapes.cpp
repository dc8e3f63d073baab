#include "core/text/Escapes.h"

#include <algorithm>

namespace driftless::text {

namespace {

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

} // namespace

std::string tomlString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += isControl(c) ? ' ' : c;
    }
    return out + '"';
}

std::string plainString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text)
        out += isControl(c) || c == '"' || c == '\\' ? ' ' : c;
    return out + '"';
}

std::string csvQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + '"';
}

std::string csvCell(std::string_view text)
{
    return text.find_first_of(",\"\n") == std::string_view::npos ? std::string(text) : csvQuoted(text);
}

std::string shellWord(std::string_view text)
{
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
               || std::string_view("_./=,:+@%-").find(c) != std::string_view::npos;
    };
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
    if (!text.empty() && std::ranges::all_of(text, isPlain))
        return std::string(text);
    const bool control = std::ranges::any_of(text, isControl);
    if (!control && text.find('\'') == std::string_view::npos)
        return "'" + std::string(text) + "'";
    if (!control && text.find_first_of("\"$`\\!") == std::string_view::npos)
        return '"' + std::string(text) + '"';
    if (!control) {
        std::string out = "'";
        for (const char c : text)
            out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return out + "'";
    }
    std::string out = "$'";
    for (const char c : text) {
        if (isControl(c)) { // three digits, so that a digit behind it is not taken in
            const auto code = static_cast<unsigned char>(c);
            out += {'\\', static_cast<char>('0' + code / 64), static_cast<char>('0' + code / 8 % 8),
                    static_cast<char>('0' + code % 8)};
            continue;
        }
        if (c == '\'' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "'";
}

std::string html(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    }
    return out;
}

std::string latex(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (std::string_view("_{}#$%&").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

} // namespace driftless::text
