// The mark-up of Figure.h as a list of atoms with scripts. Private to MathText.cpp and Caption.cpp.
#pragma once

#include <QString>

#include <vector>

namespace driftless::figures {

/// A stretch of text of one kind; in mathematics one symbol.
struct Atom {
    enum class Kind { Text, Italic, Upright, Relation, Binary, Space };
    Kind kind = Kind::Text;
    QString text;
    QChar accent;               ///< null, or what stands over it
    std::vector<Atom> sub, sup; ///< scripts
};

/// Nested at most this deep; deeper is read as text.
constexpr int kDeepestScript = 4;

std::vector<Atom> parseMarkup(const QString& markup);

/// Splits at unescaped dollars: pieces with odd place are mathematics. An unpaired dollar is text.
std::vector<QString> splitAtDollars(const QString& markup);

} // namespace driftless::figures
