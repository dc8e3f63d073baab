// A model's text cut into tables, statements and values, with their bytes. TOML itself is judged by parseToml; this scan only
// has to agree with it on texts that it accepts.
#include <cctype>
#include <map>

#include "core/mechanism/ModelText.h"

namespace driftless::model {

namespace {

class Scan {
public:
    explicit Scan(std::string_view text, std::size_t at = 0, std::size_t end = std::string_view::npos)
        : text_(text), at_(at), end_(std::min(end, text.size()))
    {
    }

    bool atEnd() const { return at_ >= end_; }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
    std::size_t at() const { return at_; }
    void step() { ++at_; }
    void jump(std::size_t to) { at_ = to; }

    void blanks()
    {
        while (peek() == ' ' || peek() == '\t')
            ++at_;
    }
    void line()
    {
        while (!atEnd() && peek() != '\n')
            ++at_;
    }
    /// Blanks, ends of lines, comments.
    void space()
    {
        while (!atEnd()) {
            if (peek() == '#')
                line();
            else if (std::isspace(static_cast<unsigned char>(peek())))
                ++at_;
            else
                return;
        }
    }

    /// Behind the string that begins here; inner: its bytes without quotes.
    void quoted(TextSpan& inner)
    {
        const char quote = peek();
        const bool three = peek(1) == quote && peek(2) == quote;
        at_ += three ? 3 : 1;
        inner.begin = inner.end = at_;
        while (!atEnd()) {
            if (quote == '"' && peek() == '\\') {
                at_ = std::min(at_ + 2, end_);
                continue;
            }
            if (!three && peek() == '\n')
                break;
            if (peek() == quote && (!three || (peek(1) == quote && peek(2) == quote))) {
                inner.end = at_;
                at_ += three ? 3 : 1;
                while (three && peek() == quote) { // quotes that belong to the text
                    ++inner.end;
                    ++at_;
                }
                return;
            }
            ++at_;
        }
        inner.end = at_;
    }

    std::vector<std::string> key(TextSpan& span)
    {
        std::vector<std::string> parts;
        span.begin = span.end = at_;
        while (!atEnd()) {
            blanks();
            if (peek() == '"' || peek() == '\'') {
                TextSpan inner;
                quoted(inner);
                parts.emplace_back(text_.substr(inner.begin, inner.end - inner.begin));
            } else {
                const std::size_t begin = at_;
                while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '-')
                    ++at_;
                if (at_ == begin)
                    break;
                parts.emplace_back(text_.substr(begin, at_ - begin));
            }
            span.end = at_;
            blanks();
            if (peek() != '.')
                break;
            ++at_;
        }
        return parts;
    }

    /// A value that begins here, up to where it ends.
    TextSpan value(std::vector<TextSpan>* strings = nullptr)
    {
        TextSpan out{at_, at_};
        int depth = 0;
        while (!atEnd()) {
            const char c = peek();
            if (c == '"' || c == '\'') {
                TextSpan inner;
                quoted(inner);
                if (strings)
                    strings->push_back(inner);
                out.end = at_;
                if (depth == 0)
                    return out;
                continue;
            }
            if (c == '#') {
                if (depth == 0)
                    return out;
                line();
                continue;
            }
            if (depth == 0 && (c == '\n' || c == ',' || c == ']' || c == '}'))
                return out;
            if (c == '[' || c == '{')
                ++depth;
            if (c == ']' || c == '}')
                --depth;
            ++at_;
            if (!std::isspace(static_cast<unsigned char>(c)))
                out.end = at_;
            if (depth == 0 && (c == ']' || c == '}'))
                return out;
        }
        return out;
    }

private:
    std::string_view text_;
    std::size_t at_, end_;
};

} // namespace

std::vector<TextTable> scanTables(std::string_view text)
{
    std::vector<TextTable> out(1);
    std::map<std::vector<std::string>, int> counted;
    Scan scan(text);
    for (scan.space(); !scan.atEnd(); scan.space()) {
        if (scan.peek() == '[') {
            TextTable table;
            table.header.begin = scan.at();
            scan.step();
            table.array = scan.peek() == '[';
            if (table.array)
                scan.step();
            TextSpan span;
            table.path = scan.key(span);
            scan.line();
            table.header.end = table.end = scan.at();
            if (table.array)
                table.number = counted[table.path]++;
            out.push_back(std::move(table));
            continue;
        }
        TextStatement statement;
        statement.key = scan.key(statement.keySpan);
        scan.blanks();
        if (statement.key.empty() || scan.peek() != '=') { // no TOML: the parser says so
            scan.line();
            continue;
        }
        scan.step();
        scan.blanks();
        statement.value = scan.value();
        scan.line();
        out.back().statements.push_back(std::move(statement));
        out.back().end = scan.at();
    }
    return out;
}

std::vector<TextStatement> scanInline(std::string_view text, TextSpan value)
{
    std::vector<TextStatement> out;
    if (value.end <= value.begin + 1 || text[value.begin] != '{')
        return out;
    Scan scan(text, value.begin + 1, value.end - 1);
    for (scan.space(); !scan.atEnd(); scan.space()) {
        if (scan.peek() == ',') {
            scan.step();
            continue;
        }
        TextStatement statement;
        statement.key = scan.key(statement.keySpan);
        scan.blanks();
        if (statement.key.empty() || scan.peek() != '=')
            return out;
        scan.step();
        scan.blanks();
        statement.value = scan.value();
        out.push_back(std::move(statement));
    }
    return out;
}

std::vector<TextSpan> scanStrings(std::string_view text, TextSpan value)
{
    std::vector<TextSpan> out;
    Scan(text, value.begin, value.end).value(&out);
    return out;
}

} // namespace driftless::model
