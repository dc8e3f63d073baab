// How well a name fits what somebody typed to find it.
#pragma once

#include <QString>

namespace driftless::ui {

/// Every word that was typed has to be found in the text: at the start of a word, best, within one, or letter by letter with
/// others between, beginning at the start of a word. Capitals and accents do not count. Larger is better; -1 where a word is
/// not found, 0 where nothing was typed.
int fuzzyScore(const QString& typed, const QString& text);

} // namespace driftless::ui
