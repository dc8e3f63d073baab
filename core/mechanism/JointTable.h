// One table [[joint]] with the entry of its kind: its keys are read as the entry states them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/mechanism/JointEntry.h"
#include "core/mechanism/MechanismContext.h"

namespace driftless::model {

class JointTable {
public:
    JointTable(const MechanismContext& context, const TableReader& table, const JointEntry& entry)
        : context_(context), table_(table), entry_(entry)
    {
    }

    const MechanismContext& context() const { return context_; }
    const TableReader& reader() const { return table_; }
    const std::string& where() const { return table_.where(); }
    bool states(std::string_view key) const { return table_.find(key) != nullptr; }
    const SourcePosition& keyPosition(std::string_view key) const { return table_.keyPosition(key); }
    [[noreturn]] void refuseAt(std::string_view key, std::string what, std::string why, std::string remedy) const
    {
        refuse(keyPosition(key), std::move(what), where(), std::move(why), std::move(remedy));
    }

    /// Over parameters. A key that the kind has not, or that is left out, is zero.
    expr::Expr constant(std::string_view key) const { return placed(key, context_.parameters).value; }
    /// Over parameters and t.
    expr::Expr moving(std::string_view key) const { return placed(key, context_.prescribed).value; }
    PlacedExpr placed(std::string_view key, const Scope& scope) const;
    const TomlValue& need(std::string_view key) const;
    bool flag(std::string_view key) const { return table_.flag(key, false); }
    /// Ends of the drawn rail along its direction [m].
    std::array<double, 2> rail() const;
    /// Made one long.
    std::array<double, 3> axis(std::string_view key, const std::array<double, 3>& fallback) const;
    void needRigid(const Attachment& end, std::string_view key, const std::string& why) const;
    void needBothRigid(const Joint& joint, const std::string& why) const;

private:
    const MechanismContext& context_;
    const TableReader& table_;
    const JointEntry& entry_;
};

} // namespace driftless::model
