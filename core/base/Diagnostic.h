// What the program says when a model, a request or a numerical run cannot go on.
// Every message answers four questions: what is wrong, where, why, and what to try.
#pragma once

#include <string>

namespace driftless {

/// A place in a text file; line and column count from 1, 0 means unknown.
struct SourcePosition {
    std::string file{};
    int line = 0;
    int column = 0;

    /// "file:line:column" with the unknown parts left out; empty when nothing is known.
    std::string text() const;
    bool known() const { return line > 0 || !file.empty(); }
};

/// One message to a person. All parts are plain sentences without markup.
struct Diagnostic {
    std::string what{};   ///< what is wrong
    std::string where{};  ///< file, body, joint, equation or time; may be empty
    std::string why{};    ///< the reason in the field's terms; may be empty
    std::string remedy{}; ///< what to try; may be empty
    SourcePosition position{};

    /// All parts as one message, starting with the position like a compiler's.
    std::string text() const;
};

} // namespace driftless
