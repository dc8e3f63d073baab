#include "ui/figures/MathParse.h"

namespace driftless::figures {

namespace {

struct Command {
    const char* name;
    const char16_t* text;
    Atom::Kind kind;
};

using Kind = Atom::Kind;

// Greek small letters are italic, capitals upright, as LaTeX sets them.
constexpr Command kCommands[] = {
    {"alpha", u"α", Kind::Italic},    {"beta", u"β", Kind::Italic},     {"gamma", u"γ", Kind::Italic},
    {"delta", u"δ", Kind::Italic},    {"epsilon", u"ε", Kind::Italic},  {"varepsilon", u"ε", Kind::Italic},
    {"zeta", u"ζ", Kind::Italic},     {"eta", u"η", Kind::Italic},      {"theta", u"θ", Kind::Italic},
    {"iota", u"ι", Kind::Italic},     {"kappa", u"κ", Kind::Italic},    {"lambda", u"λ", Kind::Italic},
    {"mu", u"μ", Kind::Italic},       {"nu", u"ν", Kind::Italic},       {"xi", u"ξ", Kind::Italic},
    {"pi", u"π", Kind::Italic},       {"rho", u"ρ", Kind::Italic},      {"sigma", u"σ", Kind::Italic},
    {"tau", u"τ", Kind::Italic},      {"upsilon", u"υ", Kind::Italic},  {"phi", u"φ", Kind::Italic},
    {"varphi", u"φ", Kind::Italic},   {"chi", u"χ", Kind::Italic},      {"psi", u"ψ", Kind::Italic},
    {"omega", u"ω", Kind::Italic},    {"Gamma", u"Γ", Kind::Upright},   {"Delta", u"Δ", Kind::Upright},
    {"Theta", u"Θ", Kind::Upright},   {"Lambda", u"Λ", Kind::Upright},  {"Xi", u"Ξ", Kind::Upright},
    {"Pi", u"Π", Kind::Upright},      {"Sigma", u"Σ", Kind::Upright},   {"Phi", u"Φ", Kind::Upright},
    {"Psi", u"Ψ", Kind::Upright},     {"Omega", u"Ω", Kind::Upright},   {"infty", u"∞", Kind::Upright},
    {"partial", u"∂", Kind::Upright}, {"|", u"‖", Kind::Upright},       {"prime", u"′", Kind::Upright},
    {"cdot", u"·", Kind::Binary},     {"times", u"×", Kind::Binary},    {"pm", u"±", Kind::Binary},
    {"leq", u"≤", Kind::Relation},    {"le", u"≤", Kind::Relation},     {"geq", u"≥", Kind::Relation},
    {"ge", u"≥", Kind::Relation},     {"approx", u"≈", Kind::Relation}, {"sim", u"~", Kind::Relation},
    {"land", u"∧", Kind::Binary},     {"lor", u"∨", Kind::Binary},      {"lnot", u"¬", Kind::Upright},
    {"to", u"→", Kind::Relation},     {"max", u"max", Kind::Upright},   {"min", u"min", Kind::Upright},
    {"log", u"log", Kind::Upright},   {"sin", u"sin", Kind::Upright},   {"cos", u"cos", Kind::Upright},
    {"tan", u"tan", Kind::Upright},   {"exp", u"exp", Kind::Upright},   {"circ", u"°", Kind::Upright},
    {",", u"\u2009", Kind::Space},    {" ", u" ", Kind::Space},         {"quad", u"\u2003", Kind::Space},
    {"$", u"$", Kind::Upright},       {"%", u"%", Kind::Upright},       {"_", u"_", Kind::Upright},
    {"{", u"{", Kind::Upright},       {"}", u"}", Kind::Upright},       {"&", u"&", Kind::Upright},
    {"#", u"#", Kind::Upright},       {"\\", u"\\", Kind::Upright}};

QChar accentOf(const QString& command)
{
    if (command == QLatin1String("dot"))
        return QChar(0x02D9);
    if (command == QLatin1String("ddot"))
        return QChar(0x00A8);
    if (command == QLatin1String("hat"))
        return QChar(0x02C6);
    if (command == QLatin1String("tilde"))
        return QChar(0x02DC);
    return command == QLatin1String("bar") ? QChar(0x00AF) : QChar();
}

/// Recursive descent over one stretch of mathematics; the depth of scripts is bounded.
class Parser {
public:
    Parser(const QString& text, int depth) : text_(text), depth_(depth) {}

    std::vector<Atom> all()
    {
        std::vector<Atom> atoms;
        while (at_ < text_.size())
            next(atoms);
        return atoms;
    }

private:
    QString group()
    {
        while (at_ < text_.size() && text_[at_].isSpace())
            ++at_;
        if (at_ >= text_.size())
            return {};
        if (text_[at_] == '\\') {
            const qsizetype from = at_;
            ++at_;
            commandName();
            return text_.mid(from, at_ - from);
        }
        if (text_[at_] != '{')
            return text_.mid(at_++, 1);
        const qsizetype from = ++at_;
        int open = 1;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\\')
                ++at_;
            else if (text_[at_] == '{')
                ++open;
            else if (text_[at_] == '}' && --open == 0)
                break;
        }
        const QString inner = text_.mid(from, at_ - from);
        ++at_;
        return inner;
    }

    QString commandName()
    {
        const qsizetype from = at_;
        while (at_ < text_.size() && text_[at_].unicode() < 128 && text_[at_].isLetter())
            ++at_;
        if (at_ == from && at_ < text_.size())
            ++at_;
        return text_.mid(from, at_ - from);
    }

    std::vector<Atom> nested(const QString& inner)
    {
        if (depth_ >= kDeepestScript)
            return {Atom{Kind::Upright, inner, {}, {}, {}}};
        return Parser(inner, depth_ + 1).all();
    }

    void script(std::vector<Atom>& atoms, bool up)
    {
        if (atoms.empty())
            atoms.push_back({Kind::Upright, {}, {}, {}, {}});
        auto scripts = nested(group());
        auto& target = up ? atoms.back().sup : atoms.back().sub;
        target.insert(target.end(), scripts.begin(), scripts.end());
    }

    void command(std::vector<Atom>& atoms)
    {
        const QString name = commandName();
        if (const QChar accent = accentOf(name); !accent.isNull()) {
            auto inner = nested(group());
            if (!inner.empty())
                inner.front().accent = accent;
            atoms.insert(atoms.end(), inner.begin(), inner.end());
            return;
        }
        if (name == QLatin1String("mathrm") || name == QLatin1String("text") || name == QLatin1String("mathbf")) {
            atoms.push_back({Kind::Upright, group(), {}, {}, {}});
            return;
        }
        for (const Command& known : kCommands)
            if (name == QLatin1String(known.name)) {
                atoms.push_back({known.kind, QString::fromUtf16(known.text), {}, {}, {}});
                return;
            }
        atoms.push_back({Kind::Upright, name, {}, {}, {}});
    }

    void next(std::vector<Atom>& atoms)
    {
        const QChar c = text_[at_++];
        if (c.isSpace() || c == '{' || c == '}')
            return;
        if (c == '_' || c == '^')
            return script(atoms, c == '^');
        if (c == '\\')
            return command(atoms);
        if (c == '\'') {
            if (atoms.empty())
                atoms.push_back({Kind::Upright, {}, {}, {}, {}});
            atoms.back().sup.push_back({Kind::Upright, QStringLiteral("′"), {}, {}, {}});
            return;
        }
        const bool first = atoms.empty() || atoms.back().kind == Kind::Relation || atoms.back().kind == Kind::Binary;
        if (c == '-' || c == QChar(0x2212))
            atoms.push_back({first ? Kind::Upright : Kind::Binary, QStringLiteral("−"), {}, {}, {}});
        else if (c == '+')
            atoms.push_back({first ? Kind::Upright : Kind::Binary, c, {}, {}, {}});
        else if (c == '=' || c == '<' || c == '>')
            atoms.push_back({Kind::Relation, c, {}, {}, {}});
        else if (c.isHighSurrogate() && at_ < text_.size())
            atoms.push_back({Kind::Upright, text_.mid(at_++ - 1, 2), {}, {}, {}});
        else if (c.isDigit() && !atoms.empty() && atoms.back().kind == Kind::Upright && atoms.back().sup.empty()
                 && atoms.back().sub.empty() && !atoms.back().text.isEmpty()
                 && (atoms.back().text.back().isDigit() || atoms.back().text.back() == '.'))
            atoms.back().text += c;
        else if (c == '.' && !atoms.empty() && !atoms.back().text.isEmpty() && atoms.back().text.back().isDigit()
                 && atoms.back().sup.empty())
            atoms.back().text += c;
        else
            atoms.push_back({c.isLetter() && !(c.unicode() >= 0x391 && c.unicode() <= 0x3A9) ? Kind::Italic : Kind::Upright,
                             c,
                             {},
                             {},
                             {}});
    }

    const QString& text_;
    int depth_;
    qsizetype at_ = 0;
};

QString unescaped(const QString& text)
{
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '$' || text[i + 1] == '\\'))
            ++i;
        out += text[i];
    }
    return out;
}

} // namespace

std::vector<QString> splitAtDollars(const QString& markup)
{
    std::vector<QString> parts(1);
    for (qsizetype i = 0; i < markup.size(); ++i) {
        if (markup[i] == '\\' && i + 1 < markup.size()) {
            parts.back() += markup[i];
            parts.back() += markup[++i];
        } else if (markup[i] == '$') {
            parts.emplace_back();
        } else {
            parts.back() += markup[i];
        }
    }
    if (parts.size() % 2 == 0) { // the last dollar has no partner
        const QString rest = parts.back();
        parts.pop_back();
        parts.back() += QStringLiteral("\\$") + rest;
    }
    return parts;
}

std::vector<Atom> parseMarkup(const QString& markup)
{
    std::vector<Atom> atoms;
    const auto parts = splitAtDollars(markup);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i % 2 == 0) {
            if (!parts[i].isEmpty())
                atoms.push_back({Kind::Text, unescaped(parts[i]), {}, {}, {}});
            continue;
        }
        auto math = Parser(parts[i], 0).all();
        atoms.insert(atoms.end(), math.begin(), math.end());
    }
    return atoms;
}

} // namespace driftless::figures
