// Values of a model file that may be numbers or expressions over the names in reach.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/expr/Parse.h"
#include "core/mechanism/Mechanism.h"
#include "core/text/TableReader.h"

namespace driftless::model {

/// The names an expression may use; key: name and number of primes.
class Scope {
public:
    /// hint says which names count, for messages ("parameters").
    explicit Scope(std::string hint);
    void add(const std::string& name, int primes, expr::Expr value);
    bool has(const std::string& name) const { return names_.contains({name, 0}); }
    const std::vector<std::string>& known() const { return known_; }
    const std::string& hint() const { return hint_; }
    std::optional<expr::Expr> find(std::string_view name, int primes) const;
    /// x' where a name stands for the variable x and x' is known as well.
    std::optional<expr::Expr> derivative(const expr::Symbol& variable) const;
    /// Expressions read with this scope and its copies are kept there.
    void keepIn(std::vector<WrittenExpression>* written) { written_ = written; }
    void keep(WrittenExpression&& expression) const
    {
        if (written_)
            written_->push_back(std::move(expression));
    }

private:
    struct Hash {
        std::size_t operator()(const std::pair<std::string, int>& key) const noexcept
        {
            return std::hash<std::string>{}(key.first) * 31 + static_cast<std::size_t>(key.second);
        }
    };
    std::string hint_;
    std::unordered_map<std::pair<std::string, int>, expr::Expr, Hash> names_;
    std::vector<std::string> known_;
    std::vector<WrittenExpression>* written_ = nullptr;
};

/// Words that mean something in expressions: functions, "if", "t".
bool isReservedWord(std::string_view name);

/// A number or an expression in quotes; where says whose it is, key which.
PlacedExpr readExpression(const TomlValue& value, const Scope& scope, const std::string& where, std::string_view key);
/// The same for an optional key of a table; absent: fallback at the table's place.
PlacedExpr readExpression(const TableReader& table, std::string_view key, const Scope& scope, const expr::Expr& fallback);
/// count expressions in an array.
std::vector<expr::Expr> readExpressions(const TomlValue& value, std::size_t count, const Scope& scope, const std::string& where,
                                        std::string_view key);

/// The [parameters] table: independent ones become parameters of the model; an expression over others stands for itself
/// wherever it is used, and is returned by name. A circle of definitions is refused and named.
std::vector<DerivedParameter> readParameters(const TomlValue& table, const SourcePosition& position, std::size_t most,
                                             std::vector<Parameter>& parameters, Scope& scope);

} // namespace driftless::model
