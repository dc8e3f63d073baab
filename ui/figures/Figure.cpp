#include "ui/figures/Figure.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace driftless::figures {

Style styleFor(SizePreset preset)
{
    Style style;
    switch (preset) {
    case SizePreset::Column:
        style.millimetres = {85, 0};
        break;
    case SizePreset::Page:
        style.millimetres = {170, 0};
        break;
    case SizePreset::Slide:
        style.millimetres = {254, 143};
        style.points = 12;
        break;
    }
    return style;
}

QString plain(const QString& text)
{
    QString out;
    for (const QChar c : text) {
        if (c == '$' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

QString mathName(const QString& name)
{
    static const std::array<const char*, 25> greek{
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta",    "theta", "kappa", "lambda", "mu",  "nu",   "xi",
        "pi",    "rho",  "sigma", "tau",   "upsilon", "phi",  "varphi", "chi",   "psi",   "omega",  "Phi", "Omega"};
    static const QRegularExpression pattern(QStringLiteral("^(.*\\.)?([A-Za-z]+)_?([0-9]*)('{0,2})$"));
    const auto match = pattern.match(name);
    if (!match.hasMatch())
        return plain(name);
    const QString owner = match.captured(1), word = match.captured(2), index = match.captured(3), primes = match.captured(4);
    const bool letter =
        std::any_of(greek.begin(), greek.end(), [&](const char* known) { return word == QLatin1String(known); });
    const bool hasDot = word == QLatin1String("i") || word == QLatin1String("j"); // another one could not be told from it
    if ((!letter && word.size() > 1) || (hasDot && !primes.isEmpty()))
        return plain(name);
    QString symbol = letter ? '\\' + word : word;
    if (!primes.isEmpty())
        symbol = (primes.size() == 1 ? QStringLiteral("\\dot{") : QStringLiteral("\\ddot{")) + symbol + '}';
    if (!index.isEmpty())
        symbol += QStringLiteral("_{") + index + '}';
    return plain(owner) + '$' + symbol + '$';
}

} // namespace driftless::figures
