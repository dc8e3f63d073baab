// Text to tokens with positions; private to this room.
#pragma once

#include <string>
#include <string_view>

#include "core/base/Diagnostic.h"
#include "core/expr/Number.h"

namespace driftless::expr {

enum class TokenKind { End, Number, Name, Sign, Broken };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string_view text; ///< without primes
    int primes = 0;        ///< of a Name
    Number number;         ///< of a Number
    int line = 1;          ///< within the text, from 1
    int column = 1;        ///< in characters, from 1
};

/// Reads one token after the other. After a Broken token error() tells what is wrong there.
class Lexer {
public:
    /// equality: == and <> are signs, too.
    explicit Lexer(std::string_view text, bool equality = false) : text_(text), equality_(equality) {}
    Token next();
    const std::string& error() const { return error_; }

private:
    void skipBlanks();
    void advance(std::size_t bytes);
    Token readNumber(Token token);
    Token readName(Token token);
    Token readSign(Token token);
    Token broken(Token token, std::string why);

    std::string_view text_;
    bool equality_;
    std::size_t at_ = 0;
    int line_ = 1;
    int column_ = 1;
    std::string error_;
};

} // namespace driftless::expr
