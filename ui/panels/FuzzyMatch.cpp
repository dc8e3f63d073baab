#include "ui/panels/FuzzyMatch.h"

#include <QStringList>

#include <algorithm>

namespace driftless::ui {

namespace {

// Each way of being found is worth more than any place can cost.
constexpr int kWholeName = 1000; ///< more than any words of a longer one
constexpr int kWholeWord = 400, kWordStart = 300, kWithin = 200, kScattered = 100;
constexpr int kMostPlace = 90;

/// Lower case, without accents.
QString plain(const QString& text)
{
    QString out;
    for (const QChar c : text.toLower().normalized(QString::NormalizationForm_KD))
        if (c.category() != QChar::Mark_NonSpacing)
            out += c;
    return out;
}

bool startsWord(const QString& text, qsizetype place)
{
    return place == 0 || (!text[place - 1].isLetterOrNumber() && text[place].isLetterOrNumber());
}

bool endsWord(const QString& text, qsizetype end) { return end >= text.size() || !text[end].isLetterOrNumber(); }

/// The letters of the word in this order from a place on; the number of letters passed over, or -1.
int passedOver(const QString& word, const QString& text, qsizetype from)
{
    int passed = 0;
    qsizetype at = from;
    for (const QChar letter : word) {
        const qsizetype next = text.indexOf(letter, at);
        if (next < 0)
            return -1;
        passed += static_cast<int>(next - at);
        at = next + 1;
    }
    return passed;
}

int wordScore(const QString& word, const QString& text)
{
    int best = -1;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        int worth = kWithin;
        if (startsWord(text, at))
            worth = endsWord(text, at + word.size()) ? kWholeWord : kWordStart;
        best = std::max(best, worth - std::min(kMostPlace, static_cast<int>(at)));
    }
    if (best >= 0 || word.size() < 2)
        return best;
    for (qsizetype at = 0; at < text.size(); ++at)
        if (startsWord(text, at) && text[at] == word[0])
            // As many letters as are written may be passed over three times: beyond that the letters are there by chance.
            if (const int passed = passedOver(word, text, at); passed >= 0 && passed <= 3 * word.size())
                best = std::max(best, kScattered - std::min(kMostPlace, passed));
    return best;
}

} // namespace

int fuzzyScore(const QString& typed, const QString& text)
{
    const QString where = plain(text);
    int sum = plain(typed).trimmed() == where.trimmed() && !where.isEmpty() ? kWholeName : 0;
    for (const QString& word : plain(typed).split(u' ', Qt::SkipEmptyParts)) {
        const int score = wordScore(word, where);
        if (score < 0)
            return -1;
        sum += score;
    }
    return sum;
}

} // namespace driftless::ui
