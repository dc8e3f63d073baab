#include "core/expr/Lexer.h"

#include <charconv>
#include <cmath>

#include "core/text/Utf8.h"

namespace driftless::expr {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool startsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

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
        return broken(token, "This is no number");
    const std::string shown(token.text.substr(0, 24));
    if (status == std::errc::result_out_of_range || !std::isfinite(value))
        return broken(token, "The number " + shown + (token.text.size() > 24 ? "..." : "") + " does not fit into a double");
    if (stop != end && (startsName(*stop) || *stop == '.'))
        return broken(token, "The number " + shown + " runs into '" + std::string(1, *stop) + "'; a product needs '*'");
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
    const std::size_t length = text::characterLength(rest);
    if (length == 0)
        return broken(token, "The byte " + hexByte(c) + " is no UTF-8 text");
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        return broken(token, "The control character " + hexByte(c) + " does not belong into an expression");
    const bool equality = equality_ && (rest.starts_with("==") || rest.starts_with("<>"));
    token.text = rest.substr(0, equality || rest.starts_with("<=") || rest.starts_with(">=") ? 2 : length);
    if (equality_ && c == '=' && !equality)
        return broken(token, "'=' states an equation; what compares is '=='");
    if (!equality && std::string_view("+-*/^(),<>").find(c) == std::string_view::npos)
        return broken(token, "The character '" + std::string(token.text) + "' does not belong into an expression");
    token.kind = TokenKind::Sign;
    advance(token.text.size());
    return token;
}

} // namespace driftless::expr
