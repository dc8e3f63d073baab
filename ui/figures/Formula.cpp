#include "ui/figures/Formula.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figures/MathText.h"

namespace driftless::figures {

namespace {

constexpr int kDeepest = 40;
constexpr double kScript = 0.7, kSmallest = 0.5;

/// A piece of the formula with its origin at the left of the base line; y grows downwards.
struct Box {
    double width = 0, ascent = 0, descent = 0;
    std::vector<Formula::Glyph> glyphs;
    std::vector<Formula::Stroke> strokes;
    bool isScriptable = true;

    void add(const Box& other, double x, double y)
    {
        for (Formula::Glyph g : other.glyphs) {
            g.x += x;
            g.y += y;
            glyphs.push_back(std::move(g));
        }
        for (Formula::Stroke s : other.strokes) {
            for (QPointF& p : s.points)
                p += QPointF(x, y);
            strokes.push_back(std::move(s));
        }
        width = std::max(width, x + other.width);
        ascent = std::max(ascent, other.ascent - y);
        descent = std::max(descent, other.descent + y);
    }
};

struct Greek {
    const char* name;
    const char16_t* text;
};
constexpr Greek kGreek[] = {
    {"alpha", u"α"}, {"beta", u"β"},  {"gamma", u"γ"}, {"delta", u"δ"},  {"epsilon", u"ε"}, {"zeta", u"ζ"},   {"eta", u"η"},
    {"theta", u"θ"}, {"iota", u"ι"},  {"kappa", u"κ"}, {"lambda", u"λ"}, {"mu", u"μ"},      {"nu", u"ν"},     {"xi", u"ξ"},
    {"pi", u"π"},    {"rho", u"ρ"},   {"sigma", u"σ"}, {"tau", u"τ"},    {"upsilon", u"υ"}, {"phi", u"φ"},    {"chi", u"χ"},
    {"psi", u"ψ"},   {"omega", u"ω"}, {"Gamma", u"Γ"}, {"Delta", u"Δ"},  {"Theta", u"Θ"},   {"Lambda", u"Λ"}, {"Xi", u"Ξ"},
    {"Pi", u"Π"},    {"Sigma", u"Σ"}, {"Phi", u"Φ"},   {"Psi", u"Ψ"},    {"Omega", u"Ω"}};

class Setter {
public:
    Setter(const QString& text, Font font, double size) : text_(text), font_(font), size_(size) {}

    Box all() { return sequence(1, 0); }

private:
    double em(double scale) const { return size_ * scale; }
    QFontMetricsF metrics(bool italic, double scale) const
    {
        return QFontMetricsF(figureFont(font_, size_ * scale, false, italic));
    }

    Box glyph(const QString& text, bool italic, double scale) const
    {
        const QFontMetricsF m = metrics(italic, scale);
        Box box;
        box.width = m.horizontalAdvance(text);
        const QRectF ink = m.tightBoundingRect(text);
        box.ascent = std::max(-ink.top(), 0.45 * em(scale));
        box.descent = std::max(ink.bottom(), 0.0);
        box.glyphs.push_back({text, italic, scale, 1, 0, 0});
        return box;
    }
    Box spaced(const QString& text, double scale, double space) const
    {
        const Box inner = glyph(text, false, scale);
        Box box;
        box.add(inner, space * em(scale), 0);
        box.width += space * em(scale);
        box.isScriptable = false;
        return box;
    }

    bool ended() const { return at_ >= text_.size(); }
    bool takes(const char* word)
    {
        const QLatin1String latin(word);
        if (text_.mid(at_, latin.size()) != latin)
            return false;
        at_ += latin.size();
        return true;
    }
    bool atStop() const
    {
        const auto rest = QStringView(text_).mid(at_);
        return rest.startsWith(u'}') || rest.startsWith(u'&') || rest.startsWith(QLatin1String("\\\\"))
               || rest.startsWith(QLatin1String("\\right")) || rest.startsWith(QLatin1String("\\end"));
    }

    Box sequence(double scale, int depth)
    {
        Box row;
        while (!ended() && !atStop()) {
            if (text_[at_].isSpace()) {
                ++at_;
                continue;
            }
            Box box = atom(scale, depth);
            scripts(box, scale, depth);
            row.add(box, row.width, 0);
        }
        return row;
    }

    /// {...} or a single atom.
    Box group(double scale, int depth)
    {
        while (!ended() && text_[at_].isSpace())
            ++at_;
        if (ended())
            return {};
        if (text_[at_] != u'{')
            return atom(scale, depth + 1);
        ++at_;
        Box box = depth < kDeepest ? sequence(scale, depth + 1) : glyph(raw(), false, scale);
        if (!ended() && text_[at_] == u'}')
            ++at_;
        return box;
    }
    /// The text up to the closing brace, unread.
    QString raw()
    {
        QString out;
        for (int open = 0; !ended() && (open > 0 || text_[at_] != u'}'); ++at_) {
            open += (text_[at_] == u'{') - (text_[at_] == u'}');
            out += text_[at_];
        }
        return out;
    }
    QString words()
    {
        if (ended() || text_[at_] != u'{')
            return {};
        ++at_;
        QString out = raw();
        if (!ended())
            ++at_;
        return out.replace(QStringLiteral("\\_"), QStringLiteral("_"));
    }

    Box atom(double scale, int depth)
    {
        const QChar c = text_[at_];
        if (c == u'{')
            return group(scale, depth);
        if (c == u'\\')
            return command(scale, depth);
        if (c.isDigit() || c == u'.') {
            QString number;
            while (!ended() && (text_[at_].isDigit() || text_[at_] == u'.'))
                number += text_[at_++];
            return glyph(number, false, scale);
        }
        ++at_;
        if (c == u'=' || c == u'<' || c == u'>') {
            seen_ = false;
            return spaced(QString(c), scale, 0.28);
        }
        if (c == u'+' || c == u'-') {
            const bool binary = seen_;
            seen_ = false;
            const QString sign(c == u'-' ? QChar(0x2212) : c);
            return binary ? spaced(sign, scale, 0.22) : glyph(sign, false, scale);
        }
        seen_ = c != u'(' && c != u',';
        if (c == u',')
            return spaced(QStringLiteral(","), scale, 0.05);
        Box box = glyph(QString(c), c.isLetter(), scale);
        if (c.isLetter())
            box.width += 0.03 * em(scale);
        return box;
    }

    /// Of a command that stands for a sign with space around it; empty for others.
    static QString spacedSign(const QString& command)
    {
        if (command == QLatin1String("cdot"))
            return QStringLiteral("·");
        if (command == QLatin1String("le"))
            return QStringLiteral("≤");
        if (command == QLatin1String("ge"))
            return QStringLiteral("≥");
        if (command == QLatin1String("land"))
            return QStringLiteral("∧");
        if (command == QLatin1String("lor"))
            return QStringLiteral("∨");
        return {};
    }

    Box command(double scale, int depth)
    {
        ++at_;
        QString name;
        while (!ended() && text_[at_].isLetter())
            name += text_[at_++];
        if (name.isEmpty()) {
            const QChar c = ended() ? QChar(u' ') : text_[at_++];
            return c == u',' ? glyph(QString(QChar(0x2009)), false, scale) : glyph(QString(c), false, scale);
        }
        const bool before = std::exchange(seen_, true);
        if (name == QLatin1String("frac"))
            return fraction(scale, depth);
        if (name == QLatin1String("sqrt"))
            return root(scale, depth);
        if (name == QLatin1String("dot") || name == QLatin1String("ddot") || name == QLatin1String("dddot"))
            return dotted(static_cast<int>(name.size()) - 2, scale, depth);
        if (name == QLatin1String("mathrm") || name == QLatin1String("text"))
            return glyph(words(), false, scale);
        if (name == QLatin1String("operatorname"))
            return named(words(), scale);
        if (name == QLatin1String("left"))
            return bracketed(scale, depth);
        if (name == QLatin1String("begin") && takes("{cases}"))
            return cases(scale, depth);
        if (const QString sign = spacedSign(name); !sign.isEmpty()) {
            seen_ = false;
            return spaced(sign, scale, 0.14);
        }
        for (const Greek& g : kGreek)
            if (name == QLatin1String(g.name))
                return glyph(QString::fromUtf16(g.text), name[0].isLower(), scale);
        if (name == QLatin1String("lnot")) {
            seen_ = before;
            return glyph(QStringLiteral("¬"), false, scale);
        }
        seen_ = before;
        return named(name, scale);
    }
    Box named(const QString& name, double scale)
    {
        seen_ = true;
        Box box = glyph(name, false, scale);
        box.width += 0.08 * em(scale);
        return box;
    }

    void scripts(Box& box, double scale, int depth)
    {
        if (!box.isScriptable)
            return;
        const double small = std::max(kSmallest, scale * kScript), start = box.width;
        double end = box.width;
        for (int k = 0; k < 2 && !ended() && (text_[at_] == u'^' || text_[at_] == u'_'); ++k) {
            const bool up = text_[at_++] == u'^';
            const bool before = std::exchange(seen_, false);
            const Box script = group(small, depth + 1);
            seen_ = before || up;
            const double y = up ? -std::max(0.36 * em(scale), box.ascent - 0.28 * em(scale))
                                : std::max(0.16 * em(scale), box.descent + 0.02 * em(scale));
            box.add(script, start + 0.04 * em(scale), y);
            end = std::max(end, start + 0.06 * em(scale) + script.width);
            seen_ = true;
        }
        box.width = end;
    }

    Box fraction(double scale, int depth)
    {
        const double inner = depth > 2 ? std::max(kSmallest, scale * kScript) : scale * 0.92;
        seen_ = false;
        const Box top = group(inner, depth + 1);
        seen_ = false;
        const Box bottom = group(inner, depth + 1);
        seen_ = true;
        Box box;
        const double gap = 0.14 * em(scale), axis = -0.27 * em(scale), pad = 0.1 * em(scale),
                     width = std::max(top.width, bottom.width) + 2 * pad;
        box.add(top, pad + (width - 2 * pad - top.width) / 2, axis - gap - top.descent);
        box.add(bottom, pad + (width - 2 * pad - bottom.width) / 2, axis + gap + bottom.ascent);
        box.strokes.push_back({{QPointF(pad / 2, axis), QPointF(width - pad / 2, axis)}, 0.05 * em(scale)});
        box.width = width;
        return box;
    }

    Box root(double scale, int depth)
    {
        seen_ = false;
        const Box inner = group(scale, depth + 1);
        seen_ = true;
        Box box;
        const double hook = 0.6 * em(scale), top = -inner.ascent - 0.16 * em(scale), bottom = inner.descent + 0.05 * em(scale);
        box.add(inner, hook + 0.08 * em(scale), 0);
        box.width += 0.08 * em(scale);
        box.strokes.push_back(
            {{QPointF(0.05 * em(scale), bottom - 0.42 * em(scale)), QPointF(0.2 * em(scale), bottom - 0.5 * em(scale)),
              QPointF(0.36 * em(scale), bottom), QPointF(hook, top), QPointF(box.width, top)},
             0.05 * em(scale)});
        box.ascent = std::max(box.ascent, -top + 0.06 * em(scale));
        box.descent = std::max(box.descent, bottom);
        return box;
    }

    Box dotted(int dots, double scale, int depth)
    {
        Box box = group(scale, depth + 1);
        if (box.glyphs.size() == 1 && box.glyphs.front().text == QLatin1String("i"))
            box.glyphs.front().text = QChar(0x0131); // its own dot gives way
        const double width = box.width, y = -box.ascent - 0.1 * em(scale);
        const Box dot = glyph(QStringLiteral("."), false, scale);
        for (int k = 0; k < dots; ++k) {
            Box copy = dot;
            copy.ascent = 0.12 * em(scale);
            box.add(copy, (width - dot.width) / 2 + (k - (dots - 1) / 2.0) * 0.27 * em(scale) + 0.06 * em(scale), y);
        }
        box.width = width;
        return box;
    }

    Box delimiter(const QString& sign, const Box& around, double scale) const
    {
        Box box = glyph(sign, false, scale);
        const double stretch = std::max(1.0, (around.ascent + around.descent) / std::max(1.0, box.ascent + box.descent));
        if (stretch > 1.05) {
            box.glyphs.front().stretch = stretch;
            const double middle = (around.descent - around.ascent) / 2, own = (box.descent - box.ascent) / 2;
            box.glyphs.front().y = middle - own * stretch;
            box.ascent = around.ascent;
            box.descent = around.descent;
        }
        return box;
    }

    Box bracketed(double scale, int depth)
    {
        const QString open(ended() ? QChar(u'(') : text_[at_++]);
        seen_ = false;
        const Box inner = depth < kDeepest ? sequence(scale, depth + 1) : Box{};
        QString close;
        if (takes("\\right") && !ended())
            close = QString(text_[at_++]);
        Box box = open == u"." ? Box{} : delimiter(open, inner, scale);
        box.add(inner, box.width + 0.02 * em(scale), 0);
        if (!close.isEmpty() && close != u".")
            box.add(delimiter(close, inner, scale), box.width + 0.02 * em(scale), 0);
        seen_ = true;
        return box;
    }

    Box cases(double scale, int depth)
    {
        std::vector<std::pair<Box, Box>> rows;
        double first = 0;
        constexpr int kMostRows = 40;
        for (int k = 0; k < kMostRows && !ended() && depth < kDeepest; ++k) {
            seen_ = false;
            Box value = sequence(scale, depth + 1), condition;
            if (takes("&")) {
                seen_ = false;
                condition = sequence(scale, depth + 1);
            }
            first = std::max(first, value.width);
            rows.emplace_back(std::move(value), std::move(condition));
            if (!takes("\\\\"))
                break;
        }
        takes("\\end{cases}");
        Box table;
        double y = 0;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const auto& [value, condition] = rows[k];
            const double above = std::max(value.ascent, condition.ascent), below = std::max(value.descent, condition.descent);
            y += k > 0 ? above + 0.25 * em(scale) : 0;
            table.add(value, 0, y);
            table.add(condition, first + 0.8 * em(scale), y);
            y += below;
        }
        Box centred;
        centred.add(table, 0, (table.ascent - table.descent) / 2 - 0.27 * em(scale));
        Box box = delimiter(QStringLiteral("{"), centred, scale);
        box.add(centred, box.width + 0.1 * em(scale), 0);
        return box;
    }

    const QString& text_;
    Font font_;
    double size_;
    qsizetype at_ = 0;
    bool seen_ = false; ///< an operand stands before: a sign is binary
};

} // namespace

Formula::Formula(const QString& latex, Font font, double size) : font_(font), size_(size)
{
    Setter setter(latex, font, size);
    Box box = setter.all();
    width_ = box.width;
    ascent_ = box.ascent;
    descent_ = box.descent;
    glyphs_ = std::move(box.glyphs);
    strokes_ = std::move(box.strokes);
}

void Formula::draw(QPainter& painter, const QPointF& baseline, const QColor& colour) const
{
    painter.save();
    painter.translate(baseline);
    painter.setPen(colour);
    for (const Glyph& glyph : glyphs_) {
        painter.setFont(figureFont(font_, size_ * glyph.scale, false, glyph.italic));
        if (glyph.stretch == 1) {
            painter.drawText(QPointF(glyph.x, glyph.y), glyph.text);
            continue;
        }
        painter.save();
        painter.translate(glyph.x, glyph.y);
        painter.scale(1, glyph.stretch);
        painter.drawText(QPointF(0, 0), glyph.text);
        painter.restore();
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Stroke& stroke : strokes_) {
        painter.setPen(QPen(colour, std::max(1.0, stroke.width), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(stroke.points.data(), static_cast<int>(stroke.points.size()));
    }
    painter.restore();
}

} // namespace driftless::figures
