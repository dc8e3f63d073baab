// What the tables of a mechanism hold, for forms that are generated from it: the fields of each kind with meaning and unit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace driftless::model {

enum class FieldType {
    Name,     ///< of the table itself
    Value,    ///< a number, or an expression in quotes
    Values,   ///< an array of them
    Flag,     ///< true or false
    Choice,   ///< one of FieldInfo::choices
    BodyName, ///< a body or "ground"
    JointName,
    Text ///< as written in the file
};

struct FieldInfo {
    std::string path; ///< as ModelText::field takes it: "x.start"
    std::string label;
    std::string unit; ///< SI; "" when there is none
    FieldType type = FieldType::Value;
    std::vector<std::string> choices{};
    bool needed = false; ///< cannot be left out
};

/// The fields of a table [[table]] of this kind; those that every file may have even where the kind is unknown, else.
/// dimensions: 2 or 3.
std::vector<FieldInfo> fieldsOf(std::string_view table, std::string_view kind, int dimensions);

} // namespace driftless::model
