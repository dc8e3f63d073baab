#include "core/expr/Lexer.h"

#include <charconv>
#include <cmath>

namespace driftless::expr {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool startsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Length of the well-formed UTF-8 sequence at the start of s, 0 if there is none.
std::size_t utf8Length(std::string_view s)
{
    const auto byte = [s](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || length > s.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF0 && byte(1) < 0x90)
        || (lead == 0xF4 && byte(1) > 0x8F))
        return 0;
    return length;
}

std::string hexByte(char c)
{
    constexpr char kDigits[] = "0123456789abcdef";
    const auto b = static_cast<unsigned char>(c);
    return std::string("0x") + kDigits[b >> 4] + kDigits[b & 15];
}

} // namespace

void Lexer::advance(std::size_t bytes)
{
    at_ += bytes;
    column_ += static_cast<int>(bytes);
}

void Lexer::skipBlanks()
{
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++at_;
            ++line_;
            column_ = 1;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            advance(1);
        } else {
            return;
        }
    }
}

Token Lexer::broken(Token token, std::string why)
{
    token.kind = TokenKind::Broken;
    error_ = std::move(why);
    return token;
}

Token Lexer::next()
{
    skipBlanks();
    Token token;
    token.line = line_;
    token.column = column_;
    if (at_ == text_.size())
        return token;
    const char c = text_[at_];
    if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1])))
        return readNumber(token);
    if (startsName(c))
        return readName(token);
    return readSign(token);
}

Token Lexer::readNumber(Token token)
{
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    double value = 0;
    const auto [stop, status] = std::from_chars(begin, end, value);
    token.text = std::string_view(begin, static_cast<std::size_t>(stop - begin));
    if (token.text.empty() || status == std::errc::invalid_argument)
        return broken(token, "this is no number");
    const std::string shown(token.text.substr(0, 24));
    if (status == std::errc::result_out_of_range || !std::isfinite(value))
        return broken(token, "the number " + shown + (token.text.size() > 24 ? "..." : "") + " does not fit into a double");
    if (stop != end && (startsName(*stop) || *stop == '.'))
        return broken(token, "the number " + shown + " runs into '" + std::string(1, *stop) + "'; a product needs '*'");
    std::int64_t whole = 0;
    const auto exact = std::from_chars(begin, stop, whole);
    token.number = exact.ec == std::errc() && exact.ptr == stop ? Number::integer(whole) : Number::fromDouble(value);
    token.kind = TokenKind::Number;
    advance(token.text.size());
    return token;
}

Token Lexer::readName(Token token)
{
    std::size_t end = at_;
    const auto inName = [this](std::size_t i) { return i < text_.size() && (startsName(text_[i]) || isDigit(text_[i])); };
    while (inName(end) || (end < text_.size() && text_[end] == '.' && end + 1 < text_.size() && startsName(text_[end + 1])))
        ++end;
    token.kind = TokenKind::Name;
    token.text = text_.substr(at_, end - at_);
    while (end < text_.size() && text_[end] == '\'') {
        ++end;
        ++token.primes;
    }
    advance(end - at_);
    return token;
}

Token Lexer::readSign(Token token)
{
    const char c = text_[at_];
    const std::string_view rest = text_.substr(at_);
    const std::size_t length = utf8Length(rest);
    if (length == 0)
        return broken(token, "the byte " + hexByte(c) + " is no UTF-8 text");
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        return broken(token, "the control character " + hexByte(c) + " does not belong into an expression");
    token.text = rest.substr(0, rest.starts_with("<=") || rest.starts_with(">=") ? 2 : length);
    if (std::string_view("+-*/^(),<>").find(c) == std::string_view::npos)
        return broken(token, "the character '" + std::string(token.text) + "' does not belong into an expression");
    token.kind = TokenKind::Sign;
    advance(token.text.size());
    return token;
}

} // namespace driftless::expr
