// What a name means in an expression of the rows of a run.
#pragma once

#include <optional>
#include <string>

#include "core/base/Result.h"

namespace driftless::measure {

/// Which of a run's names a word is; the leaves know them.
class NamesOfRows {
public:
    virtual ~NamesOfRows() = default;
    virtual bool isColumn(const std::string& name) const = 0; ///< by its name, or by its last part where that is unambiguous
    virtual bool isParameter(const std::string& name) const = 0;
};

struct Meaning {
    enum class Kind { Nothing, Time, Column, Parameter, Both };
    Kind kind = Kind::Nothing;
    std::string name; ///< of the column or parameter, without the prefix that says which it is
};

/// `state.NAME` is a column and `parameter.NAME` a parameter, where nothing has such a name of its own. A name of both means
/// neither by itself: the step of every run is called h, and so is many a height.
Meaning meaningOf(const std::string& word, const NamesOfRows& names);
/// What to say where a word is the name of both.
Diagnostic ambiguous(const std::string& name);

} // namespace driftless::measure
