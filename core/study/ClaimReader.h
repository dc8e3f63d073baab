// What stands beside a sentence of a study or a lesson: a claim that is measured, a citation, or the reason why neither is
// needed.
#pragma once

#include "core/study/Study.h"
#include "core/text/TableReader.h"

namespace driftless::study {

/// Keys of a claim that say what is measured and how it has to come out.
const model::KeyList& relationKeys();
/// Reads them: exactly one relation. A `value` with `digits` holds where the measure rounds to it. Throws model::ReadError.
void readRelation(const model::TableReader& table, Claim& claim);

/// A text as it is, a number as the shortest digits that read back. Others are refused: expected says what was.
std::string asWord(const model::TomlValue& value, const model::TableReader& table, const std::string& key,
                   const std::string& expected);

/// Whether one of the texts has the sentence; blanks and ends of lines count alike, since a sentence may be broken where the
/// text is not. No text has a sentence of blanks.
bool hasSentence(const std::vector<std::string>& texts, const std::string& sentence);

/// sentence, author, year, number, checked. Throws model::ReadError.
Citation readCitation(const model::TomlValue& entry, const std::string& where);
/// sentence, reason. Throws model::ReadError.
Exemption readExemption(const model::TomlValue& entry, const std::string& where);

} // namespace driftless::study
