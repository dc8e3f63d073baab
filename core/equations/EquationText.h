// The text of an equation model before it is read: brought into a form of the same length that the parser of expressions
// understands, so that every message points into the file as it is.
//
//   comments become blanks; der(x, k) becomes x with k primes
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/equations/EquationModel.h"

namespace driftless::model {

/// Functions throw a ReadError.
class EquationText {
protected:
    EquationText(std::string_view text, const std::string& file, const EquationLimits& limits);

    /// A piece of the text.
    struct Span {
        std::size_t begin = 0, end = 0;
    };

    std::string_view original() const;
    SourcePosition position(std::size_t at) const;
    [[noreturn]] void fail(std::size_t at, std::string what, std::string why = {}, std::string remedy = {}) const;
    std::size_t skipBlanks(std::size_t at) const;
    std::size_t nameEnd(std::size_t at) const;
    bool wordAt(std::size_t at, std::string_view word) const;
    void refuseFunctions(const std::set<std::string>& names) const;
    /// The next statement, up to its semicolon.
    Span statement();
    std::string readName(std::size_t& at, const char* of) const;
    /// A string at this place, without its quotation marks; empty when there is none.
    std::string readString(std::size_t& at, std::size_t end) const;
    /// End of the piece from `at` to a comma or the end of the span, outside parentheses and strings.
    std::size_t pieceEnd(std::size_t at, std::size_t end) const;
    void refuseStatement(std::size_t at, const std::set<std::string>& names) const;
    /// An equation, taken apart at its equals sign.
    struct Sides {
        Span left, right;
        std::string description;
    };
    Sides sidesOf(Span s) const;

    std::string text_;  ///< as it is parsed
    std::string given_; ///< as it was
    std::string file_;
    EquationLimits limits_;
    std::vector<std::size_t> lines_; ///< where each begins
    std::vector<char> quoted_;       ///< bytes of strings
    std::size_t at_ = 0;             ///< what is before is read
    std::size_t statements_ = 0;

private:
    /// Comments to blanks; strings stay, but their places are remembered so that nothing in them is taken for code.
    void blankOut();
    void replaceDerivatives();
};

} // namespace driftless::model
