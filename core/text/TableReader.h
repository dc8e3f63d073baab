// Reads one table of a model file; the first defect ends the reading.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/TomlValue.h"

namespace driftless::model {

/// Thrown inside the reader only; readModel turns it into the error of its Result.
struct ReadError {
    Diagnostic diagnostic;
};

[[noreturn]] void refuse(const SourcePosition& position, std::string what, std::string where = {}, std::string why = {},
                         std::string remedy = {});

using KeyList = std::vector<std::string>;

class TableReader {
public:
    /// where names the table for messages ("body bob"); a key outside the list is refused at once.
    TableReader(const TomlValue& table, const SourcePosition& position, std::string where, const KeyList& allowed);

    const std::string& where() const { return where_; }
    const SourcePosition& position() const { return position_; }
    const TomlValue* find(std::string_view key) const;
    const SourcePosition& keyPosition(std::string_view key) const; ///< of the table when the key is absent
    /// Refuses when the key is missing; remedy shows how to write it.
    const TomlValue& need(std::string_view key, const std::string& remedy) const;

    std::string text(std::string_view key, std::string fallback = {}, std::size_t longest = 200) const;
    std::string needText(std::string_view key, const std::string& remedy) const;
    bool flag(std::string_view key, bool fallback) const;
    std::optional<double> number(std::string_view key) const;         ///< finite
    std::optional<double> positiveNumber(std::string_view key) const; ///< finite, above zero
    /// Exactly count finite numbers.
    std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count) const;
    /// The items of an array of tables, empty when absent.
    static const std::vector<TomlValue>& tables(const TomlValue* value, const std::string& key, const std::string& where);

    [[noreturn]] void wrongKind(const TomlValue& value, std::string_view key, const std::string& expected) const;

private:
    const TomlValue& table_;
    SourcePosition position_;
    std::string where_;
};

/// A plain name: a letter or _, then letters, digits, _ or -; refused otherwise. words says what it names ("body").
void checkName(const std::string& name, const SourcePosition& position, const std::string& words, bool hyphen = false);
/// A finite number, else refused.
double finiteNumber(const TomlValue& value, const std::string& where);

} // namespace driftless::model
