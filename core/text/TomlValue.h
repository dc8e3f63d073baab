// A TOML document as a plain tree that remembers where every key and value stands.
//
// Model, study and lesson files are read through this tree, so that messages can name line and column, keys keep the
// order of the file, and hostile input (binary, endless nesting, millions of values) is refused before it costs much.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/text/Budget.h"

namespace driftless::model {

enum class TomlKind { Boolean, Integer, Float, String, Array, Table, Date };

struct TomlEntry;

struct TomlValue {
    TomlKind kind = TomlKind::Table;
    bool boolean = false;
    double number = 0;              ///< Integer and Float
    std::string text;               ///< String
    std::vector<TomlValue> items;   ///< Array
    std::vector<TomlEntry> entries; ///< Table, in the order of the file
    SourcePosition position;        ///< first character of the value
    SourcePosition textPosition;    ///< String: first character behind the opening quotes

    bool isNumber() const { return kind == TomlKind::Integer || kind == TomlKind::Float; }
    const TomlEntry* find(std::string_view key) const;
};

struct TomlEntry {
    std::string key;
    SourcePosition position; ///< of the key
    TomlValue value;
};

struct TomlLimits {
    std::size_t maxItems = budget::kTableItems;   ///< in one array
    std::size_t maxValues = budget::kTableValues; ///< separators in the whole text
    int maxNesting = budget::kTableDepth;         ///< arrays and inline tables within one another
    int maxKeyParts = 16;                         ///< a.b.c has three
};

/// Parses UTF-8 text; file is the name for messages.
Result<TomlValue> parseToml(std::string_view text, const std::string& file, const TomlLimits& limits = {});

/// "a text", "a number", "a table": the kind in words.
std::string kindInWords(TomlKind kind);

} // namespace driftless::model
