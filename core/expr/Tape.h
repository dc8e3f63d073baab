// Expressions compiled to a flat list of tiny instructions with common subexpressions shared.
// A Tape is const and may be shared between threads; the memory it works in belongs to the caller.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Expr.h"

namespace driftless::expr {

/// The scratch memory of one evaluation; make one per thread with Tape::workspace().
struct TapeWorkspace {
    std::vector<double> cells; // (the window toolkit defines the word "slots" away)
};

/// Where evaluation left the domain: the operation in words and the values it was applied to.
struct DomainError {
    std::string expression; ///< "sqrt(L - x)", cut to a readable length
    std::string reason;     ///< "square root of -0.25", "division by zero", "not a finite number"
};

class Tape {
public:
    Tape() = default;

    /// banks[k] lists the symbols whose values bank k supplies, in order. An output that mentions a symbol of no
    /// bank is an error that names it.
    static Result<Tape> compile(std::span<const Expr> outputs, std::vector<std::vector<Symbol>> banks);

    /// A linear system whose numbers are outputs, solved on the tape: its elimination is operations like all others.
    struct LinearSystem {
        int size = 0;
        std::vector<std::pair<int, int>> places; ///< row and column of each entry
        std::vector<std::pair<int, int>> pivots; ///< in the order in which they are taken
        std::size_t movingBanks = 1;             ///< pivots that depend on none of the first banks need not be watched
        double widest = 0;                       ///< how far the round-off of other rows may enter one (Solution)
    };
    struct Solution;
    /// Of A x = b with outputs b, then the entries of A. Both tapes of the solution give the same bits for x.
    static Result<Solution> compileSolution(std::span<const Expr> outputs, std::vector<std::vector<Symbol>> banks,
                                            const LinearSystem& system, double tolerated);

    std::size_t outputCount() const { return outputSlots_.size(); }
    std::size_t operationCount() const { return code_.size(); }
    /// The same tape without machine code, to compare with.
    Tape interpreted() const;
    bool isNative() const { return native_ != nullptr; }
    /// Whether tapes that are compiled from now on get machine code where there is any; true at first. For measurements.
    static void preferNative(bool native);
    std::size_t bankCount() const { return bankSizes_.size(); }
    TapeWorkspace workspace() const;

    /// banks[k] points at the values of bank k (may be null if the bank is empty). Writes outputCount() numbers.
    /// False when an output is not finite; then locate() tells why. Does not allocate.
    bool evaluate(std::span<const double* const> banks, double* outputs, TapeWorkspace& workspace) const noexcept;
    bool evaluate(std::initializer_list<const double*> banks, double* outputs, TapeWorkspace& workspace) const noexcept
    {
        return evaluate(std::span<const double* const>(banks.begin(), banks.size()), outputs, workspace);
    }
    /// The same without a look at what comes out.
    void run(const double* const* banks, double* outputs, TapeWorkspace& workspace) const noexcept
    {
        if (function_)
            function_(banks, workspace.cells.data(), outputs);
        else
            runInterpreted(banks, outputs, workspace);
    }

    /// Where an output is read that is an input as it stands.
    struct PlainRead {
        std::uint32_t bank = 0, place = 0;
    };
    /// Of each output, where all of them are inputs as they stand; else nothing.
    std::vector<PlainRead> plainReads() const;

    /// The first operation, in evaluation order, that a non-finite output depends on and that left its domain.
    std::optional<DomainError> locate(std::span<const double* const> banks) const;
    std::optional<DomainError> locate(std::initializer_list<const double*> banks) const
    {
        return locate(std::span<const double* const>(banks.begin(), banks.size()));
    }

    /// Operation number code on its operands, for the machine code to call.
    static double applyOne(int code, double a, double b, double c) noexcept;
    /// The operations as statements of C, one a line: banks[k] names the array of bank k, output the one that is written.
    std::string source(std::span<const std::string> banks, const std::string& output) const;

private:
    enum class Code : std::uint8_t {
        Add,
        Sub,
        Mul,
        Div,
        Neg,
        Sqrt,
        Pow,
        Abs,
        Sign,
        Sin,
        Cos,
        Tan,
        Asin,
        Acos,
        Atan,
        Atan2,
        Sinh,
        Cosh,
        Tanh,
        Exp,
        Log,
        Min,
        Max,
        Less,
        LessEqual,
        Select
    };
    /// Its place in the workspace becomes code of places a, b, c.
    struct Instruction {
        Code code;
        std::uint32_t a, b, c;
    };
    class Compiler;
    class Locator;
    class Native;

    /// What the interpreter does at a time: two instructions whose results take the next two places, or one.
    struct Step {
        std::uint32_t what = 0, a = 0, b = 0, c = 0, d = 0;
    };
    static std::vector<Step> stepsOf(const std::vector<Instruction>& code);
    void interpret(const std::vector<Step>& steps, double* cells) const noexcept;
    static double execute(const Instruction& instruction, const double* cells) noexcept;
    static int operandCount(Code code) noexcept;
    static std::string sourceOf(const Instruction& instruction, const std::vector<std::string>& names);
    void load(const double* const* banks, double* cells) const noexcept;
    void runInterpreted(const double* const* banks, double* outputs, TapeWorkspace& workspace) const noexcept;

    // The workspace: constants, then the banks one after the other, then one place per instruction.
    std::vector<Instruction> code_;
    std::vector<double> constants_;
    std::vector<std::uint32_t> bankSizes_;
    std::uint32_t firstResult_ = 0;
    std::vector<std::uint32_t> outputSlots_;
    std::shared_ptr<const Native> native_;
    void (*function_)(const double* const* banks, double* cells, double* outputs) = nullptr; ///< its own
    std::vector<Step> steps_;                          // of the interpreter, where there is no machine code
    std::shared_ptr<const std::vector<Expr>> origins_; // of instructions, then of inputs, for messages
};

struct Tape::Solution {
    /// x, then the pivots that move with the numbers, in the order in which they are taken.
    Tape plain;
    /// x, then for each row that is more than x_j = b_i: |b - A x| less what round-off may leave of it, a share `tolerated` of
    /// |b| + |A| |x|. Where one of these is positive, or not a number, the pivots do not suit the numbers.
    /// Where LinearSystem::widest is not 0, an unknown whose pivot is an entry as it stands, and does not move, counts with all
    /// numbers of that row over its pivot in place of |x|; and one number more says the same of all other rows together, with
    /// |x| and the share `widest`.
    Tape judged;
};

/// The structurally nonzero partial derivatives of outputs, sorted by column, then row.
struct JacobianEntry {
    int row;
    int column;
    Expr value;
};
std::vector<JacobianEntry> sparseJacobian(std::span<const Expr> outputs, std::span<const Symbol> symbols);

} // namespace driftless::expr
