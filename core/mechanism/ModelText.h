// The text of a mechanism, changed in place: comments, order and layout of everything that is not touched stay as they are.
//
// The text is cut into tables and statements once (ModelTextScan.cpp); a change rewrites the bytes of a value, a line or a
// table and cuts again. After every change the text is TOML, or nothing was changed and the Diagnostic says why. Whether it
// still is a model is for readModel to say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/text/TomlValue.h"

namespace driftless::model {

/// Bytes of the text.
struct TextSpan {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
};

/// key = value.
struct TextStatement {
    std::vector<std::string> key; ///< a.b.c has three parts
    TextSpan keySpan, value;
};

/// A header with the statements behind it; the first one of a text has no header.
struct TextTable {
    std::vector<std::string> path;
    bool array = false; ///< [[path]]
    int number = 0;     ///< of an array: counts from 0 among those of its name
    TextSpan header;
    std::vector<TextStatement> statements;
    std::size_t end = 0; ///< behind the last statement's line, or the header's
};

/// Never fails: a text that is no TOML gives what could be recognised.
std::vector<TextTable> scanTables(std::string_view text);
/// The statements of an inline table whose value is at span ("{ a = 1, b = 2 }").
std::vector<TextStatement> scanInline(std::string_view text, TextSpan value);
/// Every string literal in a value, without its quotes.
std::vector<TextSpan> scanStrings(std::string_view text, TextSpan value);

/// Numbers and texts as they are written in a file: at most six decimals, no exponent where it can be avoided.
std::string tomlNumber(double value);
/// Lengths [m] and angles [rad]: what is below their last decimal is zero.
std::string tomlPlace(double value);
/// A place that was solved for: the shortest number within two units of the sixth digit, so that what was meant as 0.6 is not
/// written as 0.599999.
std::string tomlSolvedPlace(double value);
std::string tomlPair(double u, double v);

class ModelText {
public:
    /// A place of the text in words: "joint pin1".
    struct Place {
        std::string kind; ///< "body", "joint", "force", "constraint", ..., "chart"
        int number = 0;   ///< among the tables of its kind
        std::string name; ///< may be empty
        std::string words() const { return name.empty() ? kind + " " + std::to_string(number + 1) : kind + " " + name; }
    };
    using Fields = std::vector<std::pair<std::string, std::string>>; ///< key and value as written

    static Result<ModelText> read(std::string text, std::string file);

    const std::string& text() const { return text_; }
    const TomlValue& root() const { return root_; }

    // --- what is there ---
    int count(std::string_view kind) const;
    /// As parsed; null when there is none.
    const TomlValue* table(std::string_view kind, int number) const;
    /// The body, joint or force (or other table) of that name.
    const Place* find(std::string_view name) const;
    const std::vector<Place>& places() const { return places_; }
    /// Names that are taken: tables, parameters, "ground".
    bool taken(std::string_view name) const;
    /// "bar" -> "bar1", or the next number that is free.
    std::string freshName(std::string_view stem) const;
    /// Bytes of a table from its header to its last line; of a field's value. Empty when there is none. A field is "mass",
    /// "x.start", "from.at"; x = 1 counts as x.start, from = "bob" as from.body.
    TextSpan span(std::string_view kind, int number) const;
    TextSpan field(std::string_view kind, int number, std::string_view path) const;
    std::string fieldText(std::string_view kind, int number, std::string_view path) const;
    /// The table that the byte stands in; null between tables and at the top.
    const Place* placeAt(std::size_t byte) const;
    /// Bytes of the value of a parameter, without what else is stated of it. Empty when there is none.
    TextSpan parameter(std::string_view name) const;
    /// Tables in which the name stands for a body or a joint, as an end or in an expression.
    std::vector<Place> references(std::string_view name) const;

    // --- changes ---
    Result<void> setField(std::string_view kind, int number, std::string_view path, std::string_view value);
    struct FieldChange {
        std::string kind;
        int number = 0;
        std::string path, value;
    };
    /// Many at once: the text is read again once, and once more for each field of a table that is not there yet.
    Result<void> setFields(const std::vector<FieldChange>& changes);
    Result<void> setParameter(std::string_view name, std::string_view value);
    Result<void> removeField(std::string_view kind, int number, std::string_view path);
    /// Behind the last table of its kind, or where such tables belong.
    Result<void> addTable(std::string_view kind, const Fields& fields);
    /// Tables as they stand in another text.
    Result<void> addText(std::string_view kind, std::string_view table);
    /// With everything that refers to it: tells what went. Lists of bodies lose the name only.
    Result<std::vector<Place>> remove(std::string_view name);
    /// A table that nothing can refer to, by its place.
    Result<void> removeTable(std::string_view kind, int number);
    /// All tables whose path begins so: "chart".
    Result<void> removeSection(std::string_view section);
    /// With every reference. Of a table that stands for many the base changes ("bob" of "bob[i]"; to with its index or
    /// without), and so it does in tables that continue its numbers ("bob0").
    Result<void> rename(std::string_view name, std::string_view to);

private:
    struct Change {
        TextSpan span;
        std::string text;
    };
    struct Reference {
        std::size_t table;   ///< into tables_
        TextSpan name;       ///< the bytes of the name
        bool listed = false; ///< an item of a list that can do without it
        TextSpan item;       ///< listed: with quotes
    };

    std::optional<Diagnostic> whyNoField(std::string_view kind, int number, std::string_view path) const;
    std::optional<Change> changeOf(const FieldChange& wanted) const;
    Result<void> adopt(std::string text);
    Result<void> apply(std::vector<Change> changes);
    const TextTable* head(std::string_view kind, int number) const;
    /// The table and its subtables.
    std::vector<const TextTable*> parts(std::string_view kind, int number) const;
    TextSpan wholeLines(const TextTable& table) const;
    TextSpan mentionAt(std::size_t at, TextSpan in, std::string_view name, bool whole) const;
    std::vector<TextSpan> mentions(TextSpan in, std::string_view name) const;
    std::vector<Reference> referencesIn(std::size_t table, std::string_view name) const;
    void addReferences(std::size_t table, const TextStatement& statement, std::string_view name, int depth,
                       std::vector<Reference>& out) const;
    Place placeOf(std::size_t table) const;
    std::size_t insertionPoint(std::string_view kind) const;

    std::string text_, file_;
    TomlValue root_;
    std::vector<TextTable> tables_;
    std::vector<Place> places_;
    std::vector<std::size_t> placeTables_; ///< of each place its header's index in tables_
};

} // namespace driftless::model
