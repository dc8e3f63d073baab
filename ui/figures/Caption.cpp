// Mark-up of a figure as plain text and as LaTeX, and the caption files made of them.
#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/figures/MathParse.h"
#include "ui/figures/MathText.h"
#include "ui/figures/SaveFile.h"
#include "ui/figures/WriteFigure.h"

namespace driftless::figures {

namespace {

/// Characters beyond ASCII that LaTeX does not know without packages, and those that mean something to it.
struct Escape {
    char16_t character;
    const char* latex;
};
constexpr Escape kEscapes[] = {{u'\\', "\\textbackslash{}"},
                               {u'{', "\\{"},
                               {u'}', "\\}"},
                               {u'$', "\\$"},
                               {u'&', "\\&"},
                               {u'#', "\\#"},
                               {u'^', "\\textasciicircum{}"},
                               {u'_', "\\_"},
                               {u'~', "\\textasciitilde{}"},
                               {u'%', "\\%"},
                               {u'<', "\\textless{}"},
                               {u'>', "\\textgreater{}"},
                               {u'|', "\\textbar{}"},
                               {u'"', "''"},
                               {u'−', "$-$"},
                               {u'·', "$\\cdot$"},
                               {u'×', "$\\times$"},
                               {u'±', "$\\pm$"},
                               {u'°', "$^{\\circ}$"},
                               {u'∞', "$\\infty$"},
                               {u'≤', "$\\leq$"},
                               {u'≥', "$\\geq$"},
                               {u'≈', "$\\approx$"},
                               {u'→', "$\\to$"},
                               {u'′', "$'$"},
                               {u'″', "$''$"},
                               {u'‖', "$\\|$"},
                               {u'∂', "$\\partial$"},
                               {u'…', "\\ldots{}"},
                               {u'–', "--"},
                               {u'—', "---"},
                               {u'’', "'"},
                               {u'“', "``"},
                               {u'”', "''"},
                               {u'\u2009', "\\,"},
                               {u'²', "$^{2}$"},
                               {u'³', "$^{3}$"},
                               {u'¹', "$^{1}$"},
                               {u'⁰', "$^{0}$"},
                               {u'⁴', "$^{4}$"},
                               {u'⁵', "$^{5}$"},
                               {u'⁶', "$^{6}$"},
                               {u'⁷', "$^{7}$"},
                               {u'⁸', "$^{8}$"},
                               {u'⁹', "$^{9}$"},
                               {u'⁻', "$^{-}$"},
                               {u'₀', "$_{0}$"},
                               {u'₁', "$_{1}$"},
                               {u'₂', "$_{2}$"},
                               {u'ġ', "$\\dot g$"},
                               {u'α', "$\\alpha$"},
                               {u'β', "$\\beta$"},
                               {u'γ', "$\\gamma$"},
                               {u'δ', "$\\delta$"},
                               {u'ε', "$\\varepsilon$"},
                               {u'ζ', "$\\zeta$"},
                               {u'η', "$\\eta$"},
                               {u'θ', "$\\theta$"},
                               {u'κ', "$\\kappa$"},
                               {u'λ', "$\\lambda$"},
                               {u'μ', "$\\mu$"},
                               {u'ν', "$\\nu$"},
                               {u'ξ', "$\\xi$"},
                               {u'π', "$\\pi$"},
                               {u'ρ', "$\\rho$"},
                               {u'σ', "$\\sigma$"},
                               {u'τ', "$\\tau$"},
                               {u'φ', "$\\varphi$"},
                               {u'ψ', "$\\psi$"},
                               {u'ω', "$\\omega$"},
                               {u'Δ', "$\\Delta$"},
                               {u'Φ', "$\\Phi$"},
                               {u'Ω', "$\\Omega$"},
                               {u'Σ', "$\\Sigma$"},
                               {u'Λ', "$\\Lambda$"}};

QString escaped(const QString& text)
{
    QString out;
    for (const QChar c : text) {
        const char* found = nullptr;
        for (const Escape& escape : kEscapes)
            if (c == QChar(escape.character))
                found = escape.latex;
        if (found)
            out += QLatin1String(found);
        else if (c.isPrint() || c.isSpace() || c.isSurrogate())
            out += c.isSpace() ? QChar(' ') : c;
    }
    return out;
}

/// Signs inside of mathematics: the same commands, without dollars around them.
QString escapedMath(const QString& text)
{
    QString out;
    for (const QChar c : text) {
        const auto found = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                        [c](const Escape& e) { return c.unicode() > 127 && c == QChar(e.character); });
        if (found == std::end(kEscapes)) {
            out += c;
            continue;
        }
        const QString command = QString(QLatin1String(found->latex)).remove('$');
        out += command.startsWith('\\') && command.back().isLetter() ? command + ' ' : command;
    }
    return out;
}

/// Letters and digits that have raised or lowered forms of their own; empty when one has none.
QString raised(const QString& text, bool up)
{
    static const QString from = QStringLiteral("0123456789+−=()"), high = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾"),
                         low = QStringLiteral("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎");
    QString out;
    for (const QChar c : text) {
        if (up && (c == QChar(0x2032) || c == QChar(0x00B0))) {
            out += c;
            continue;
        }
        const qsizetype at = from.indexOf(c);
        if (at < 0)
            return {};
        out += (up ? high : low)[at];
    }
    return out;
}

/// The mark that stands above the letter before it.
QChar combining(QChar accent)
{
    switch (accent.unicode()) {
    case 0x02D9:
        return QChar(0x0307); // dot
    case 0x00A8:
        return QChar(0x0308); // diaeresis
    case 0x02C6:
        return QChar(0x0302); // circumflex
    case 0x02DC:
        return QChar(0x0303); // tilde
    default:
        return QChar(0x0304); // macron
    }
}

QString plainAtoms(const std::vector<Atom>& atoms)
{
    QString out;
    for (const Atom& atom : atoms) {
        const bool spaced =
            atom.kind == Atom::Kind::Relation || (atom.kind == Atom::Kind::Binary && atom.text != QStringLiteral("·"));
        QString text = atom.text;
        if (!atom.accent.isNull()) {
            text = (text + combining(atom.accent)).normalized(QString::NormalizationForm_C);
        }
        out += spaced ? ' ' + text + ' ' : text;
        for (const bool up : {false, true}) {
            const auto& script = up ? atom.sup : atom.sub;
            if (script.empty())
                continue;
            const QString inner = plainAtoms(script).remove(' '), small = raised(inner, up);
            const QString plain = (up ? '^' : '_') + inner;
            out += small.isEmpty() ? plain : small;
        }
    }
    return out;
}

QString latexFigure(const Figure& figure, const QString& graphic)
{
    // Wider than a column: the starred environment, which spans both columns of a two-column page.
    constexpr double kColumn = 100; // [mm]
    const double width = figure.style.millimetres.width();
    const QString environment = width > kColumn ? QStringLiteral("figure*") : QStringLiteral("figure");
    QString file = graphic; // a percent sign would begin a comment there; LaTeX has a character for the name of a file
    file.replace('%', QLatin1String("\\csname @percentchar\\endcsname "));
    QString out = QStringLiteral("\\begin{%1}\n  \\centering\n  \\includegraphics[width=%2mm]{%3}\n  \\caption{%4}\n")
                      .arg(environment, QString::number(width, 'g', 6), file, toLatex(figure.caption));
    if (!figure.label.isEmpty()) {
        QString label;
        for (const QChar c : figure.label)
            if ((c.unicode() < 128 && c.isLetterOrNumber()) || c == ':' || c == '-' || c == '.')
                label += c;
        out += QStringLiteral("  \\label{%1}\n").arg(label);
    }
    return out + QStringLiteral("\\end{%1}\n").arg(environment);
}

} // namespace

QString toLatex(const QString& markup)
{
    QString out;
    const auto parts = splitAtDollars(markup);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i % 2 == 1) {
            out += '$' + escapedMath(parts[i]) + '$';
            continue;
        }
        QString text;
        for (qsizetype k = 0; k < parts[i].size(); ++k) {
            if (parts[i][k] == '\\' && k + 1 < parts[i].size() && (parts[i][k + 1] == '$' || parts[i][k + 1] == '\\'))
                ++k;
            text += parts[i][k];
        }
        out += escaped(text);
    }
    return out;
}

QString toPlainText(const QString& markup) { return plainAtoms(parseMarkup(markup)); }

Result<void> writeCaption(const Figure& figure, const QString& path, const QString& graphic)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("txt"))
        return saveFile(path, (toPlainText(figure.caption) + '\n').toUtf8());
    if (ending == QLatin1String("tex"))
        return saveFile(path, latexFigure(figure, graphic.isEmpty() ? QFileInfo(path).completeBaseName() : graphic).toUtf8());
    return Diagnostic{.what = "This kind of caption is not known",
                      .where = path.toStdString(),
                      .why = "the file's name ends in ." + ending.toStdString(),
                      .remedy = "a name that ends in .txt or .tex"};
}

} // namespace driftless::figures
