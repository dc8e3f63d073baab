#include "ui/figures/MathText.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/figures/MathParse.h"

namespace driftless::figures {

namespace {

// Shares of the text's size, close to what TeX does with Computer Modern.
constexpr double kScriptScale = 0.72, kScriptUp = 0.38, kScriptDown = 0.17;
constexpr double kRelationSpace = 5.0 / 18, kBinarySpace = 4.0 / 18; // thick and medium space [em]
constexpr double kItalicLean = 0.08; // an accent over a slanted letter stands this much to the right
constexpr double kSmallestScale = 0.4;

/// Sets atoms one after the other.
class Typesetter {
public:
    Typesetter(Font font, double size, bool bold) : font_(font), size_(size), bold_(bold) {}

    void set(const std::vector<Atom>& atoms, double scale, double y)
    {
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const Atom& atom = atoms[i];
            const bool script = scale < 1;
            double space = 0;
            if (!script && atom.kind == Atom::Kind::Relation)
                space = kRelationSpace;
            else if (!script && atom.kind == Atom::Kind::Binary)
                space = kBinarySpace;
            x_ += space * size_;
            setAtom(atom, scale, y);
            x_ += space * size_;
        }
    }

    std::vector<MathText::Piece> pieces;
    double ascent = 0, descent = 0;
    double width() const { return x_; }

private:
    QFontMetricsF metrics(bool italic, double scale) const
    {
        return QFontMetricsF(figureFont(font_, size_ * scale, bold_, italic));
    }

    void place(const QString& text, bool italic, double scale, double x, double y)
    {
        const QFontMetricsF measure = metrics(italic, scale);
        pieces.push_back({text, italic, scale, x, y});
        ascent = std::max(ascent, measure.capHeight() * 1.06 - y);
        descent = std::max(descent, measure.descent() * 0.9 + y);
    }

    void setAtom(const Atom& atom, double scale, double y)
    {
        const bool italic = atom.kind == Atom::Kind::Italic;
        const QFontMetricsF measure = metrics(italic, scale);
        const double left = x_, advance = measure.horizontalAdvance(atom.text);
        if (!atom.text.isEmpty())
            place(atom.text, italic, scale, left, y);
        x_ += advance;
        if (!atom.accent.isNull())
            setAccent(atom, scale, left + advance / 2, y);
        const double scriptScale = std::max(kSmallestScale, scale * kScriptScale);
        const double afterBase = x_;
        double end = x_;
        if (!atom.sup.empty()) {
            x_ = afterBase + (italic ? 0.06 * size_ * scale : 0);
            set(atom.sup, scriptScale, y - kScriptUp * size_ * scale);
            end = std::max(end, x_);
        }
        if (!atom.sub.empty()) {
            x_ = afterBase;
            set(atom.sub, scriptScale, y + kScriptDown * size_ * scale);
            end = std::max(end, x_);
        }
        x_ = end;
        if (!atom.sup.empty() || !atom.sub.empty())
            x_ += 0.04 * size_;
    }

    void setAccent(const Atom& atom, double scale, double centre, double y)
    {
        const bool italic = atom.kind == Atom::Kind::Italic;
        const QFontMetricsF letter = metrics(italic, scale), mark = metrics(false, scale);
        const QString text(atom.accent);
        const QRectF over = letter.tightBoundingRect(atom.text), shape = mark.tightBoundingRect(text);
        // Accents are drawn for small letters; over taller ones they rise.
        const double lift = std::max(0.0, -over.top() - 1.05 * letter.xHeight());
        const double lean = italic ? kItalicLean * size_ * scale : 0;
        const double before = ascent;
        place(text, false, scale, centre + lean - shape.center().x(), y - lift);
        ascent = std::max(before, lift - shape.top() - y);
    }

    Font font_;
    double size_;
    bool bold_;
    double x_ = 0;
};

} // namespace

QFont figureFont(Font font, double size, bool bold, bool italic)
{
    QFont out;
    out.setFamilies(font == Font::Serif ? QStringList{QStringLiteral("CMU Serif"), QStringLiteral("DejaVu Serif")}
                                        : QStringList{QStringLiteral("Inter"), QStringLiteral("DejaVu Sans")});
    out.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    const QFont::Weight heavy = font == Font::Serif ? QFont::Bold : QFont::DemiBold;
    out.setWeight(bold ? heavy : QFont::Normal);
    out.setItalic(italic);
    out.setHintingPreference(QFont::PreferNoHinting);
    return out;
}

MathText::MathText(const QString& markup, Font font, double size, bool bold) : font_(font), size_(size), bold_(bold)
{
    Typesetter setter(font, size, bold);
    setter.set(parseMarkup(markup), 1, 0);
    pieces_ = std::move(setter.pieces);
    width_ = setter.width();
    ascent_ = setter.ascent;
    descent_ = setter.descent;
}

namespace {

/// A sign beside a digit has a shape of its own in Inter, of which a PDF does not know which character it is: who copies the
/// text would lose every minus. Set alone it has the usual one.
void drawSignsApart(QPainter& painter, const QPointF& from, const QString& text)
{
    static const QString signs = QStringLiteral("−=+×÷±<>()[]{}|·-–—→~@:");
    const QFontMetricsF measure(painter.font());
    for (qsizetype first = 0, end = 0; first < text.size(); first = end) {
        end = first + 1;
        while (!signs.contains(text[first]) && end < text.size() && !signs.contains(text[end]))
            ++end;
        painter.drawText(from + QPointF(measure.horizontalAdvance(text.left(first)), 0), text.mid(first, end - first));
    }
}

} // namespace

void MathText::draw(QPainter& painter, const QPointF& baseline, const QColor& colour) const
{
    painter.setPen(colour);
    const bool pdf = painter.paintEngine()->type() == QPaintEngine::Pdf;
    for (const Piece& piece : pieces_) {
        painter.setFont(figureFont(font_, size_ * piece.scale, bold_, piece.italic));
        const QPointF from = baseline + QPointF(piece.x, piece.y);
        if (pdf)
            drawSignsApart(painter, from, piece.text);
        else
            painter.drawText(from, piece.text);
    }
}

namespace {

/// Words of a mark-up; a stretch of mathematics belongs to the word it touches.
QStringList wordsOf(const QString& markup)
{
    QStringList words;
    QString word;
    bool inside = false;
    for (qsizetype i = 0; i < markup.size(); ++i) {
        const QChar c = markup[i];
        if (c == '\\' && i + 1 < markup.size()) {
            word += c;
            word += markup[++i];
            continue;
        }
        inside ^= c == '$';
        if (c.isSpace() && !inside) {
            if (!word.isEmpty())
                words << word;
            word.clear();
        } else {
            word += c;
        }
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

} // namespace

std::vector<MathText> wrapped(const QString& markup, Font font, double size, double width)
{
    std::vector<MathText> lines;
    QString line;
    for (const QString& word : wordsOf(markup)) {
        const QString longer = line.isEmpty() ? word : line + ' ' + word;
        if (!line.isEmpty() && MathText(longer, font, size).width() > width) {
            lines.emplace_back(line, font, size);
            line = word;
        } else {
            line = longer;
        }
    }
    if (!line.isEmpty())
        lines.emplace_back(line, font, size);
    return lines;
}

MathText fitted(const QString& markup, Font font, double size, double width, bool bold)
{
    MathText whole(markup, font, size, bold);
    if (whole.width() <= width)
        return whole;
    QStringList words = wordsOf(markup);
    while (words.size() > 1) {
        words.removeLast();
        MathText shorter(words.join(' ') + QStringLiteral(" …"), font, size, bold);
        if (shorter.width() <= width)
            return shorter;
    }
    QString text = words.isEmpty() ? QString() : toPlainText(words.front());
    while (text.size() > 1) {
        text.chop(1);
        MathText shorter(plain(text) + QStringLiteral("…"), font, size, bold);
        if (shorter.width() <= width)
            return shorter;
    }
    return MathText(QStringLiteral("…"), font, size, bold);
}

} // namespace driftless::figures
