#include "core/text/TomlScan.h"

#include <cstdint>

namespace driftless::model {

namespace {

/// Length of the well-formed UTF-8 sequence at the start of text, 0 if it is malformed.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    std::size_t length = 0;
    std::uint32_t code = 0;
    if ((first & 0xE0) == 0xC0) {
        length = 2;
        code = first & 0x1Fu;
    } else if ((first & 0xF0) == 0xE0) {
        length = 3;
        code = first & 0x0Fu;
    } else if ((first & 0xF8) == 0xF0) {
        length = 4;
        code = first & 0x07u;
    }
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    return length;
}

/// Walks over text by characters and knows line and column.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) {}
    bool atEnd() const { return at_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    std::string_view rest() const { return text_.substr(at_); }
    bool startsWith(std::string_view what) const { return rest().starts_with(what); }
    void advance(std::size_t bytes)
    {
        if (peek() == '\n') {
            ++line_;
            column_ = 0;
        }
        ++column_;
        at_ += bytes;
    }
    SourcePosition position(const std::string& file) const { return {file, line_, column_}; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

std::optional<Diagnostic> scanBytes(std::string_view text, const std::string& file)
{
    for (Cursor cursor(text); !cursor.atEnd();) {
        const auto c = static_cast<unsigned char>(cursor.peek());
        if (c == 0)
            return Diagnostic{.what = "The file contains a NUL byte",
                              .why = "model files are text; this looks like a binary file",
                              .remedy = "open a model file (.toml)",
                              .position = cursor.position(file)};
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F)
            return Diagnostic{.what = "The file contains a control character",
                              .why = "model files are plain text",
                              .remedy = "remove the character",
                              .position = cursor.position(file)};
        const std::size_t length = sequenceLength(cursor.rest());
        if (length == 0)
            return Diagnostic{.what = "The file is not UTF-8 text",
                              .why = "a byte sequence here is not a character in UTF-8",
                              .remedy = "save the file with the encoding UTF-8",
                              .position = cursor.position(file)};
        cursor.advance(length);
    }
    return {};
}

/// Moves behind a string that starts here; an unterminated one ends at the line or the text.
void skipString(Cursor& cursor)
{
    const char quote = cursor.peek();
    const std::string triple(3, quote);
    const bool multiline = cursor.startsWith(triple);
    for (int i = 0; i < (multiline ? 3 : 1); ++i)
        cursor.advance(1);
    while (!cursor.atEnd()) {
        if (!multiline && cursor.peek() == '\n')
            return;
        if (quote == '"' && cursor.peek() == '\\')
            cursor.advance(1);
        else if (multiline && cursor.startsWith(triple)) {
            for (int i = 0; i < 3; ++i)
                cursor.advance(1);
            while (cursor.peek() == quote)
                cursor.advance(1);
            return;
        } else if (!multiline && cursor.peek() == quote) {
            cursor.advance(1);
            return;
        }
        if (!cursor.atEnd())
            cursor.advance(sequenceLength(cursor.rest()));
    }
}

std::optional<Diagnostic> scanShape(std::string_view text, const std::string& file, const TomlLimits& limits)
{
    int depth = 0, parts = 1;
    std::size_t separators = 0;
    for (Cursor cursor(text); !cursor.atEnd();) {
        const char c = cursor.peek();
        if (c == '"' || c == '\'') {
            skipString(cursor);
            continue;
        }
        if (c == '#') {
            while (!cursor.atEnd() && cursor.peek() != '\n')
                cursor.advance(sequenceLength(cursor.rest()));
            continue;
        }
        if (c == '[' || c == '{')
            ++depth;
        else if (c == ']' || c == '}')
            --depth;
        if (c == '.')
            ++parts;
        else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}')
            parts = 1;
        separators += c == ',' || c == '\n' ? 1 : 0;
        if (depth > limits.maxNesting)
            return Diagnostic{.what = "Arrays or tables are nested too deeply",
                              .why = "at most " + std::to_string(limits.maxNesting) + " levels are read",
                              .position = cursor.position(file)};
        if (parts > limits.maxKeyParts)
            return Diagnostic{.what = "A dotted key has too many parts",
                              .why = "at most " + std::to_string(limits.maxKeyParts) + " parts are read",
                              .position = cursor.position(file)};
        if (separators > limits.maxValues)
            return Diagnostic{.what = "The file has too many values",
                              .why = "at most " + std::to_string(limits.maxValues) + " are read",
                              .position = cursor.position(file)};
        cursor.advance(sequenceLength(cursor.rest()));
    }
    return {};
}

} // namespace

std::optional<Diagnostic> scanText(std::string_view text, const std::string& file, const TomlLimits& limits)
{
    if (auto bad = scanBytes(text, file))
        return bad;
    return scanShape(text, file, limits);
}

} // namespace driftless::model
