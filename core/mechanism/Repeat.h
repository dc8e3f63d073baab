// Repetition in model files: numbers that shape a model, and tables that stand for many.
//
// The table [structure] states whole numbers, such as N = 8 or N = { value = 8, min = 1, max = 1000, description = "links" }.
// A table of any list ([[body]], [[joint]], [[force]], [[constraint]], ...) with count = "N" stands for N copies: in its texts
// "bob[i]" and "bob[i-1]" become bob3 and bob2, and in its expressions the identifiers i and N become numbers, for i = 1 to N.
// first = { ... } and last = { ... } replace keys in the first and in the last copy. The tree is expanded before anything else
// is read, so readers, messages (with the line of the table) and limits see ordinary tables.
#pragma once

#include <map>

#include "core/mechanism/ReadModel.h"
#include "core/text/TomlValue.h"

namespace driftless::model {

/// Expands all repeated tables of a model file and takes [structure] and the keys count, first, last out of the tree. Throws a
/// ReadError.
std::vector<StructureNumber> expandRepeats(TomlValue& root, const ReadLimits& limits);

} // namespace driftless::model
