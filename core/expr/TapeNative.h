// A tape as machine code: the same operations in the same order as the interpreter's, so that both give the same bits.
#pragma once

#include <memory>

#include "core/expr/Tape.h"

namespace driftless::expr {

class Tape::Native {
public:
    /// Evaluates: banks as the tape's, cells of a workspace (constants in place; the results' part is scratch), outputs
    /// written.
    using Function = void (*)(const double* const* banks, double* cells, double* outputs);

    /// nullptr where there is no code to be had: another processor, no memory that may be executed, a tape too large for it.
    static std::shared_ptr<const Native> make(const Tape& tape);
    ~Native();
    Native(const Native&) = delete;
    Native& operator=(const Native&) = delete;

    Function function() const { return function_; }

private:
    explicit Native(Function entry) : function_(entry) {}
    class Writer;
    Function function_;
};

} // namespace driftless::expr
