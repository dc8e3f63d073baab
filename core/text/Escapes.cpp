#include "core/text/Escapes.h"

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
