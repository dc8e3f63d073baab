// Sentences of lessons, studies and tooltips, and what in them has to be proved: decimal numbers, powers of ten, and laws.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <cmath>
#include <vector>

namespace driftless::test {

inline QString plain(const std::string& text) { return QString::fromStdString(text).simplified(); }

/// The sentences of a Markdown text: formulas (lines that begin with >) and items of lists stand for themselves.
inline QStringList sentencesOf(const std::string& markdown)
{
    static const QRegularExpression sentenceEnd(QStringLiteral("(?<=[.?!])[*)]*\\s+(?=[*`(\"]*[A-Z0-9λκρωφΔĤ|])"));
    QStringList blocks{QString()};
    for (const QString& line : QString::fromStdString(markdown).split('\n')) {
        const QString text = line.trimmed();
        const bool alone = text.startsWith('>') || text.startsWith(QLatin1String("- "));
        if (alone || text.isEmpty() || blocks.back().startsWith('>'))
            blocks << QString();
        blocks.back() += ' ' + text;
        blocks.back() = blocks.back().simplified();
    }
    QStringList out;
    for (const QString& block : blocks)
        for (const QString& sentence : block.split(sentenceEnd, Qt::SkipEmptyParts))
            out << sentence;
    return out;
}

/// What names a place in a source and is no number of its own: [DN] 4.1, (4.12), Figure 4.1, Tables 2.3 and 6.1.
inline QString withoutPlaces(QString sentence)
{
    static const QRegularExpression places(QStringLiteral(
        "\\((?:[A-Z]\\.)?\\d{1,2}\\.\\d{1,2}[a-z]?\\)|"
        "(?:\\[\\w+\\]|[Ff]igures?|[Tt]ables?|[Cc]hapters?|[Ss]ections?|[Tt]heorems?|[Ll]emmas?|[Ee]quations?|IV|II)[ .]"
        "(?:[A-Z]\\.)?\\d+(?:\\.\\d+)*(?:(?:, | and | to |-|–)(?:IV\\.)?\\d+(?:\\.\\d+)*)*"));
    static const QRegularExpression code(QStringLiteral("`[^`]*`"));
    return sentence.remove(places).remove(code);
}

/// Decimals and powers of ten: 0.05, 1.7·10⁻⁵, 10⁻⁹, 3e-4.
inline std::vector<double> numbersIn(const QString& sentence)
{
    static const QRegularExpression pattern(
        QStringLiteral("(?<![\\w.])(?:(\\d[\\d,]*(?:\\.\\d+)?)\\s?[·×]\\s?)?10([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?<![\\w.])\\d+(?:\\.\\d+)?e["
                       "-+]?\\d+|(?<![\\w.])\\d[\\d,]*\\.\\d+"));
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    std::vector<double> out;
    auto found = pattern.globalMatch(withoutPlaces(sentence));
    while (found.hasNext()) {
        const auto match = found.next();
        if (match.captured(2).isEmpty()) {
            out.push_back(match.captured(0).remove(',').toDouble());
            continue;
        }
        int exponent = 0;
        for (const QChar c : match.captured(2))
            if (const auto digit = digits.indexOf(c); digit >= 0)
                exponent = 10 * exponent + static_cast<int>(digit);
        if (match.captured(2).startsWith(QChar(0x207B)))
            exponent = -exponent;
        const double factor = match.captured(1).isEmpty() ? 1 : match.captured(1).remove(',').toDouble();
        out.push_back(factor * std::pow(10, exponent));
    }
    return out;
}

/// A sentence that says how something grows or converges, or how many times it is another.
inline bool statesLaw(const QString& sentence)
{
    static const QRegularExpression words(QStringLiteral(
        "quadratic(?!ally convergent)|\\b(?:drifts?|grows?) linearly|cubic|in proportion|proportional|"
        "order (?:zero|one|two|three|four|five|six|seven|\\d|p\\b|\\*p)|1/h|h[²³⁴⁵ᵖ]|2[ᵖ⁰⁴⁵]|\\bhalves|\\bdoubles|twice "
        "as|quarter as|"
        "times (?:as |larger|smaller|better|worse|faster|longer)|without bound"));
    return words.match(withoutPlaces(sentence)).hasMatch();
}

inline bool sameNumber(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

} // namespace driftless::test
