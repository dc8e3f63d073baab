// Names as a reader of mechanics expects them: bob.lambda0' is λ̇ with the subscript "0,bob".
#include <array>
#include <cctype>

#include "core/expr/Node.h"
#include "core/expr/PrintMarked.h"
#include "core/text/Escapes.h"

namespace driftless::expr {
namespace {

struct Letter {
    std::string_view name;
    std::string_view unicode;
};

constexpr Letter kGreek[] = {
    {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},   {"epsilon", "ε"}, {"zeta", "ζ"}, {"eta", "η"},
    {"theta", "θ"}, {"iota", "ι"},  {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},      {"nu", "ν"},   {"xi", "ξ"},
    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},     {"chi", "χ"},  {"psi", "ψ"},
    {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"},   {"Lambda", "Λ"},  {"Xi", "Ξ"},   {"Pi", "Π"},
    {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},   {"Omega", "Ω"}};

/// Letters that Unicode has ready-made with one and two dots; the others take a combining mark.
struct Dotted {
    std::string_view letter, one, two;
};
constexpr Dotted kDotted[] = {{"x", "ẋ", "ẍ"}, {"y", "ẏ", "ÿ"}, {"z", "ż", ""},  {"a", "ȧ", "ä"}, {"e", "ė", "ë"},
                              {"w", "ẇ", "ẅ"}, {"u", "", "ü"},  {"h", "ḣ", "ḧ"}, {"o", "ȯ", "ö"}, {"X", "Ẋ", "Ẍ"},
                              {"c", "ċ", ""},  {"r", "ṙ", ""},  {"s", "ṡ", ""},  {"p", "ṗ", ""},  {"m", "ṁ", ""}};
constexpr std::string_view kOneDot = "\u0307";
constexpr std::string_view kTwoDots = "\u0308";

std::string_view greek(std::string_view name)
{
    for (const Letter& l : kGreek)
        if (l.name == name)
            return l.unicode;
    return {};
}

/// A name taken apart: the letter that carries the dots, and its subscripts.
struct Parts {
    std::string base;
    std::string subscript;
};

Parts takeApart(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    std::string_view own = dot == std::string_view::npos ? name : name.substr(dot + 1);
    const std::string_view body = dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
    std::string_view index;
    const std::size_t underscore = own.find('_');
    if (underscore != std::string_view::npos && underscore > 0 && underscore + 1 < own.size()) {
        index = own.substr(underscore + 1);
        own = own.substr(0, underscore);
    } else {
        std::size_t cut = own.size();
        while (cut > 1 && std::isdigit(static_cast<unsigned char>(own[cut - 1])))
            --cut;
        index = own.substr(cut);
        own = own.substr(0, cut);
    }
    Parts parts{std::string(own), std::string(index)};
    if (!body.empty())
        parts.subscript += (parts.subscript.empty() ? "" : ",") + std::string(body);
    return parts;
}

bool isOneLetter(std::string_view base) { return base.size() == 1 || !greek(base).empty(); }

std::string dottedHtml(std::string_view letter, int order)
{
    for (const Dotted& d : kDotted)
        if (d.letter == letter && !(order == 1 ? d.one : d.two).empty())
            return std::string(order == 1 ? d.one : d.two);
    return std::string(letter) + std::string(order == 1 ? kOneDot : kTwoDots);
}

/// A dot over one letter of a word seems to belong to that letter, and i and j have one already: these carry primes.
bool takesDots(std::string_view base) { return isOneLetter(base) && base != "i" && base != "j"; }

std::string html(const Parts& parts, int order)
{
    const std::string_view letter = greek(parts.base);
    const std::string base = letter.empty() ? text::html(parts.base) : std::string(letter);
    std::string out = base;
    if (order == 1 || order == 2)
        out = takesDots(parts.base) ? dottedHtml(base, order) : base + (order == 1 ? "′" : "″");
    if (!parts.subscript.empty())
        out += "<sub>" + text::html(parts.subscript) + "</sub>";
    if (order > 2)
        out += "<sup>(" + std::to_string(order) + ")</sup>";
    return out;
}

std::string latex(const Parts& parts, int order)
{
    std::string out = text::latex(parts.base);
    if (!greek(parts.base).empty())
        out = "\\" + out;
    else if (parts.base.size() > 1)
        out = "\\mathrm{" + out + "}";
    constexpr std::array<std::string_view, 4> kAccent{"", "\\dot", "\\ddot", "\\dddot"};
    if (order > 0 && order < static_cast<int>(kAccent.size()))
        out = std::string(kAccent[static_cast<std::size_t>(order)]) + "{" + out + "}";
    if (!parts.subscript.empty())
        out += "_{" + text::latex(parts.subscript) + "}";
    if (order >= static_cast<int>(kAccent.size()))
        out += "^{(" + std::to_string(order) + ")}";
    return out;
}

} // namespace

std::string print(const Symbol& s, Format format)
{
    if (format == Format::Text)
        return s.text();
    if (s.name.find(' ') != std::string::npos) // a condition of an event, named as it is written: "0 < x"
        return format == Format::Latex ? "\\mathrm{" + text::latex(s.name) + "}" : text::html(s.name);
    const Parts parts = takeApart(s.name);
    const std::string plain = format == Format::Latex ? latex(parts, s.order) : html(parts, s.order);
    if (s.kind != SymbolKind::Rate)
        return plain;
    return format == Format::Latex ? "\\frac{d}{dt}" + plain : "d" + plain + "/dt";
}

std::string printDummy(const Symbol& s, Format format)
{
    const std::string plain = print(s, format);
    switch (format) {
    case Format::Text:
        return "[" + plain + "]";
    case Format::Latex:
        return "\\boxed{" + plain + "}";
    case Format::Html:
        return "<span class=\"dummy\">" + plain + "</span>";
    }
    return plain;
}

} // namespace driftless::expr
