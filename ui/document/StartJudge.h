// What is to be said of a mechanism at its start while it is edited: degrees of freedom, redundant constraints, index, and the
// joint that does not fit.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/mechanism/ModelText.h"
#include "core/system/State.h"
#include "ui/document/OpenBench.h"

namespace driftless::ui {

/// What holds at the start of the present text.
struct EditStatus {
    bool known = false; ///< false: too large to be judged while editing, or no mechanism
    int bodies = 0, freedom = 0, velocityFreedom = 0, index = 0;
    std::vector<std::string> redundant; ///< one sentence each, with names
    std::set<std::string> repeated;     ///< joints that hold redundant constraints
    std::set<std::string> defects;      ///< joints and bodies that a problem names
    std::optional<Diagnostic> problem;  ///< why the mechanism does not fit together or cannot start
};

class StartJudge {
public:
    static constexpr int kLargestJudged = 10'000; ///< coordinates, for the live line: tenths of a second

    /// state: the start as it is written; it becomes the consistent one where there is one.
    EditStatus judge(const OpenBench& open, const model::ModelText& text, model::ModelState& state);
    /// Another mechanism: which joints fitted together before says nothing of it.
    void forget() { sound_.clear(); }

private:
    /// The joints that a conflict names; where one of them is new or was changed since all fitted together, it is the one.
    void nameDefects(const model::ModelText& text, EditStatus& status);

    std::map<std::string, std::string> sound_; ///< joints and their tables as they last fitted together
};

} // namespace driftless::ui
