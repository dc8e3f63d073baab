#include "core/equations/EquationText.h"

#include <algorithm>
#include <cctype>

#include "core/text/TableReader.h"

namespace driftless::model {

using std::string_view;

namespace {

bool beginsWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isWhite(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A word of Modelica that is known and not read.
struct Unsupported {
    string_view word;
    const char *why, *remedy;
};

const std::vector<Unsupported>& unsupportedStatements()
{
    static const char* const inside = "it is a part of another statement";
    static const std::vector<Unsupported> all{
        {"elsewhen", inside, "write it behind a 'when'"},
        {"elseif", inside, "write it behind an 'if'"},
        {"else", inside, "write it behind an 'if'"},
        {"reinit", "it acts at an event", "write when CONDITION then reinit(x, value); end when;"},
        {"terminate", "it acts at an event", "write when CONDITION then terminate(\"why\"); end when;"},
        {"for", "there are no arrays to run over", "write one equation for each"},
        {"connect", "there are no connectors", "write that potentials are equal and flows sum to zero"},
        {"algorithm", "the order of equations says nothing", "write equations of the form a = b;"}};
    return all;
}

/// Functions of Modelica that depend on the past, or on what is not part of the language.
const std::vector<Unsupported>& unsupportedFunctions()
{
    static const char* const kJumps = "its jumps are events, and an Integer that counts them states them";
    static const char* const kCounts =
        "write Integer n; when x >= pre(n) + 1 then n = pre(n) + 1; elsewhen x < pre(n) then n = pre(n) - 1; end when;";
    static const char* const kRemains =
        "write x - n*y, where n counts how often y is in x: when x >= (pre(n) + 1)*y then n = pre(n) + 1; ...";
    static const std::vector<Unsupported> all{
        {"terminal", "a run has no end of its own", "leave it out"},
        {"delay", "the equations would depend on their past and be no DAE", "a chain of first-order lags is near to it"},
        {"spatialDistribution", "it is a partial differential equation", "write its differences in space"},
        {"homotopy", "starts are found without it", "write its first argument"},
        {"floor", kJumps, kCounts},
        {"integer", kJumps, kCounts},
        {"ceil", kJumps, "write -n, where n counts for -x: when -x >= pre(n) + 1 then n = pre(n) + 1; ..."},
        {"mod", kJumps, kRemains},
        {"rem", kJumps, kRemains},
        {"div", kJumps, "count how often y is in x: when x >= (pre(n) + 1)*y then n = pre(n) + 1; ..."},
        {"semiLinear", "it is two branches", "write if x >= 0 then a*x else b*x"},
        {"inStream", "there are no connectors", "write the equation out"},
        {"actualStream", "there are no connectors", "write the equation out"}};
    return all;
}

} // namespace

EquationText::EquationText(string_view text, const std::string& file, const EquationLimits& limits)
    : text_(text), file_(file), limits_(limits)
{
    blankOut();
    replaceDerivatives();
}

string_view EquationText::original() const { return given_.empty() ? string_view(text_) : string_view(given_); }

SourcePosition EquationText::position(std::size_t at) const
{
    SourcePosition p{file_, 1, 1};
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), at);
    p.line = static_cast<int>(line - lines_.begin());
    p.column = static_cast<int>(at - *(line - 1)) + 1;
    return p;
}

void EquationText::fail(std::size_t at, std::string what, std::string why, std::string remedy) const
{
    refuse(position(std::min(at, text_.size())), std::move(what), {}, std::move(why), std::move(remedy));
}

void EquationText::blankOut()
{
    given_ = text_;
    lines_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n')
            lines_.push_back(i + 1);
        else if (static_cast<unsigned char>(text_[i]) < ' ' && text_[i] != '\t' && text_[i] != '\r')
            fail(i, "The text has a control character", "an equation model is plain text");
    }
    quoted_.assign(text_.size() + 1, 0);
    const auto blank = [this](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k)
            if (text_[k] != '\n')
                text_[k] = ' ';
    };
    for (std::size_t i = 0; i < text_.size();) {
        if (text_.compare(i, 2, "//") == 0) {
            const std::size_t end = std::min(text_.find('\n', i), text_.size());
            blank(i, end);
            i = end;
        } else if (text_.compare(i, 2, "/*") == 0) {
            const std::size_t end = text_.find("*/", i + 2);
            if (end == std::string::npos)
                fail(i, "This comment is not closed", "", "close it with */");
            blank(i, end + 2);
            i = end + 2;
        } else if (text_[i] == '"') {
            std::size_t end = i + 1;
            while (end < text_.size() && text_[end] != '"')
                end += text_[end] == '\\' ? 2 : 1;
            if (end >= text_.size())
                fail(i, "This string is not closed", "", "close it with a quotation mark");
            std::fill(quoted_.begin() + static_cast<std::ptrdiff_t>(i), quoted_.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                      1);
            i = end + 1;
        } else {
            if (text_[i] == '\'')
                fail(i, "Primes are not part of the language", "derivatives are written with der",
                     "write der(x), or der(x, 2) for the second derivative");
            ++i;
        }
    }
}

std::size_t EquationText::skipBlanks(std::size_t at) const
{
    while (at < text_.size() && isWhite(text_[at]))
        ++at;
    return at;
}

std::size_t EquationText::nameEnd(std::size_t at) const
{
    if (at < text_.size() && beginsWord(text_[at]))
        while (at < text_.size() && continuesWord(text_[at]))
            ++at;
    return at;
}

bool EquationText::wordAt(std::size_t at, string_view word) const
{
    return text_.compare(at, word.size(), word) == 0 && !quoted_[at]
           && (at == 0 || (!continuesWord(text_[at - 1]) && text_[at - 1] != '.'))
           && (at + word.size() >= text_.size() || !continuesWord(text_[at + word.size()]));
}

void EquationText::replaceDerivatives()
{
    for (std::size_t i = 0; i + 3 < text_.size(); ++i) {
        if (!wordAt(i, "der"))
            continue;
        std::size_t at = skipBlanks(i + 3);
        if (at >= text_.size() || text_[at] != '(')
            fail(i, "'der' needs a variable in parentheses", "", "write der(x)");
        const std::size_t name = skipBlanks(at + 1), end = nameEnd(name);
        if (end == name)
            fail(name, "'der' needs the name of a variable", "derivatives of expressions are not part of the language",
                 "give the expression a variable of its own");
        int order = 1;
        at = skipBlanks(end);
        if (at < text_.size() && text_[at] == ',') {
            at = skipBlanks(at + 1);
            const std::size_t digits = at;
            order = 0;
            while (at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) && order <= limits_.maxOrder)
                order = 10 * order + (text_[at++] - '0');
            if (at == digits || order < 1 || order > limits_.maxOrder)
                fail(digits, "The order of a derivative is a whole number from 1 to " + std::to_string(limits_.maxOrder), "",
                     "write der(x, 2)");
            at = skipBlanks(at);
        }
        if (at < text_.size() && text_[at] != ')' && text_[at] != ';')
            fail(at, "'der' takes the name of a variable alone", "derivatives of expressions are not part of the language",
                 "give the expression a variable of its own, and write der(x), or der(x, 2)");
        if (at >= text_.size() || text_[at] != ')')
            fail(std::min(at, text_.size()), "This 'der' is not closed", "", "write der(x), or der(x, 2)");
        std::string replacement = text_.substr(name, end - name) + std::string(static_cast<std::size_t>(order), '\'');
        for (std::size_t k = i; k <= at; ++k) {
            const bool filled = k - i < replacement.size();
            if (text_[k] == '\n')
                fail(k, "'der' and its parentheses must stand in one line");
            text_[k] = filled ? replacement[k - i] : ' ';
        }
        i = at;
    }
}

void EquationText::refuseFunctions(const std::set<std::string>& names) const
{
    for (const Unsupported& one : unsupportedFunctions())
        for (std::size_t at = text_.find(one.word, at_); at != std::string::npos && !names.count(std::string(one.word));
             at = text_.find(one.word, at + 1)) {
            const std::size_t behind = skipBlanks(at + one.word.size());
            if (wordAt(at, one.word) && behind < text_.size() && text_[behind] == '(')
                fail(at, "'" + std::string(one.word) + "' is not part of the language", one.why, one.remedy);
        }
}

EquationText::Span EquationText::statement()
{
    if (++statements_ > limits_.maxStatements)
        fail(at_, "The model has more than " + std::to_string(limits_.maxStatements) + " statements");
    const std::size_t begin = skipBlanks(at_);
    std::size_t end = begin;
    while (end < text_.size() && (text_[end] != ';' || quoted_[end]))
        ++end;
    if (end == text_.size())
        fail(begin, begin == end ? "The text ends before the model does" : "This statement has no semicolon", "",
             "end it with ;, and the model with end NAME;");
    at_ = end + 1;
    return {begin, end};
}

std::string EquationText::readName(std::size_t& at, const char* of) const
{
    at = skipBlanks(at);
    const std::size_t end = nameEnd(at);
    if (end == at)
        fail(at, std::string("The name of ") + of + " is missing here");
    std::string name = text_.substr(at, end - at);
    constexpr std::size_t kLongest = 200;
    if (name.size() > kLongest)
        fail(at, "This name is too long");
    at = end;
    return name;
}

std::string EquationText::readString(std::size_t& at, std::size_t end) const
{
    const std::size_t begin = skipBlanks(at);
    if (begin >= end || text_[begin] != '"')
        return {};
    std::size_t close = begin + 1;
    while (quoted_[close] && close < end && (text_[close] != '"' || text_[close - 1] == '\\'))
        ++close;
    at = close + 1;
    return std::string(original().substr(begin + 1, close - begin - 1));
}

std::size_t EquationText::pieceEnd(std::size_t at, std::size_t end) const
{
    int depth = 0;
    for (; at < end; ++at) {
        if (quoted_[at])
            continue;
        depth += (text_[at] == '(') - (text_[at] == ')');
        if (depth < 0 || (depth == 0 && text_[at] == ','))
            break;
    }
    return at;
}

void EquationText::refuseStatement(std::size_t at, const std::set<std::string>& names) const
{
    for (const Unsupported& one : unsupportedStatements())
        if (wordAt(at, one.word) && !names.count(std::string(one.word)))
            fail(at, "'" + std::string(one.word) + "' is not part of the language here", one.why, one.remedy);
}

EquationText::Sides EquationText::sidesOf(Span s) const
{
    std::size_t stop = s.begin, equals = std::string::npos;
    for (; stop < s.end && !quoted_[stop]; ++stop) {
        if (text_[stop] != '=')
            continue;
        const char before = stop > s.begin ? text_[stop - 1] : ' ';
        if (before == '<' || before == '>' || before == ':' || before == '=' || text_[stop + 1] == '=')
            continue;
        if (equals != std::string::npos)
            fail(stop, "This equation has two equals signs");
        equals = stop;
    }
    if (equals == std::string::npos)
        fail(s.begin, "This is no equation", "an equals sign is missing", "write left = right;");
    std::size_t at = stop;
    Sides out{.left = {s.begin, equals}, .right = {equals + 1, stop}, .description = readString(at, s.end)};
    if (stop < s.end && skipBlanks(at) < s.end)
        fail(skipBlanks(at), "Expected a semicolon behind the description");
    return out;
}

} // namespace driftless::model
