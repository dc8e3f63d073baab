#include "core/expr/Tape.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/expr/AllFinite.h"
#include "core/expr/Node.h"
#include "core/expr/Operators.h"
#include "core/expr/Print.h"
#include "core/expr/TapeApply.h"
#include "core/expr/TapeNative.h"
#include "core/text/Numbers.h"

namespace driftless::expr {

TapeWorkspace Tape::workspace() const
{
    TapeWorkspace w;
    w.cells = constants_;
    w.cells.resize(firstResult_ + code_.size());
    return w;
}

int Tape::operandCount(Code code) noexcept
{
    switch (code) {
    case Code::Select:
        return 3;
    case Code::Add:
    case Code::Sub:
    case Code::Mul:
    case Code::Div:
    case Code::Pow:
    case Code::Atan2:
    case Code::Min:
    case Code::Max:
    case Code::Less:
    case Code::LessEqual:
        return 2;
    default:
        return 1;
    }
}

void Tape::load(const double* const* banks, double* cells) const noexcept
{
    double* at = cells + constants_.size();
    for (std::size_t k = 0; k < bankSizes_.size(); ++k) // banks are short: a call to the library would take longer
        for (const double *from = banks[k], *const end = from + bankSizes_[k]; from != end;)
            *at++ = *from++;
}

void Tape::runInterpreted(const double* const* banks, double* outputs, TapeWorkspace& workspace) const noexcept
{
    double* const s = workspace.cells.data();
    load(banks, s);
    if (!steps_.empty())
        interpret(steps_, s);
    for (const std::uint32_t slot : outputSlots_)
        *outputs++ = s[slot];
}

std::vector<Tape::PlainRead> Tape::plainReads() const
{
    std::vector<PlainRead> out;
    for (const std::uint32_t slot : outputSlots_) {
        std::uint32_t first = static_cast<std::uint32_t>(constants_.size()), bank = 0;
        while (bank < bankSizes_.size() && slot >= first + bankSizes_[bank])
            first += bankSizes_[bank++];
        if (slot < constants_.size() || bank == bankSizes_.size())
            return {};
        out.push_back({.bank = bank, .place = slot - first});
    }
    return out;
}

bool Tape::evaluate(std::span<const double* const> banks, double* outputs, TapeWorkspace& workspace) const noexcept
{
    assert(banks.size() == bankSizes_.size());
    assert(workspace.cells.size() == firstResult_ + code_.size());
    run(banks.data(), outputs, workspace);
    return allFinite(outputs, outputSlots_.size());
}

Tape Tape::interpreted() const
{
    Tape copy = *this;
    copy.native_ = nullptr;
    copy.function_ = nullptr;
    copy.steps_ = stepsOf(code_);
    return copy;
}

double Tape::applyOne(int code, double a, double b, double c) noexcept
{
    const double cells[] = {a, b, c};
    return execute({static_cast<Code>(code), 0, 1, 2}, cells);
}

/// Finds the operation that spoiled an output, from the whole workspace.
class Tape::Locator {
public:
    Locator(const Tape& tape, const std::vector<double>& cells) : tape_(tape), cells_(cells), needed_(cells.size(), false) {}

    std::optional<DomainError> find()
    {
        for (const std::uint32_t slot : tape_.outputSlots_)
            if (!std::isfinite(cells_[slot]))
                needed_[slot] = true;
        const std::uint32_t first = tape_.firstResult_;
        for (std::size_t i = tape_.code_.size(); i-- > 0;)
            if (needed_[first + i])
                forOperands(tape_.code_[i], [this](std::uint32_t slot) { needed_[slot] = true; });
        for (std::uint32_t slot = 0; slot < first; ++slot)
            if (needed_[slot] && !std::isfinite(cells_[slot]))
                return spoiledInput(slot);
        for (std::size_t i = 0; i < tape_.code_.size(); ++i)
            if (needed_[first + i] && !std::isfinite(cells_[first + i]))
                return DomainError{printShort(originOf(first + static_cast<std::uint32_t>(i), kDepth)), reason(tape_.code_[i])};
        return std::nullopt;
    }

private:
    template <typename Visit>
    void forOperands(const Instruction& i, const Visit& visit) const
    {
        visit(i.a);
        if (i.code == Code::Select) {
            visit(cells_[i.a] == 0 ? i.c : i.b);
            return;
        }
        if (operandCount(i.code) > 1)
            visit(i.b);
    }

    DomainError spoiledInput(std::uint32_t slot) const
    {
        const std::size_t constants = tape_.constants_.size();
        if (slot < constants)
            return {text::exact(cells_[slot]), "not a finite number"};
        return {printShort(originOf(slot, 0)), "the value given is not a finite number"};
    }

    static constexpr int kDepth = 6; ///< of operations in a message

    /// What a value was compiled from. Where a long tape does not remember, as its operations say.
    Expr originOf(std::uint32_t slot, int depth) const
    {
        const auto constants = static_cast<std::uint32_t>(tape_.constants_.size());
        const std::size_t inputs = tape_.firstResult_ - constants, operations = tape_.origins_->size() - inputs;
        if (slot < constants)
            return Expr(tape_.constants_[slot]);
        if (slot < tape_.firstResult_)
            return (*tape_.origins_)[operations + slot - constants];
        const std::size_t i = slot - tape_.firstResult_;
        if (i < operations)
            return (*tape_.origins_)[i];
        if (depth == 0)
            return parameter("...");
        const Instruction& code = tape_.code_[i];
        std::vector<Expr> args{originOf(code.a, depth - 1)};
        if (operandCount(code.code) > 1)
            args.push_back(originOf(code.b, depth - 1));
        if (operandCount(code.code) > 2)
            args.push_back(originOf(code.c, depth - 1));
        return applied(code.code, args);
    }

    static Expr applied(Code code, const std::vector<Expr>& args)
    {
        switch (code) {
        case Code::Add:
            return args[0] + args[1];
        case Code::Sub:
            return args[0] - args[1];
        case Code::Mul:
            return args[0] * args[1];
        case Code::Div:
            return args[0] / args[1];
        case Code::Neg:
            return -args[0];
        case Code::Sqrt:
            return sqrt(args[0]);
        case Code::Pow:
            return pow(args[0], args[1]);
        default: // in the order of the operators
            return applyFunction(
                static_cast<Op>(static_cast<int>(Op::Abs) + static_cast<int>(code) - static_cast<int>(Code::Abs)), args);
        }
    }

    std::string reason(const Instruction& i) const
    {
        const double operands[] = {cells_[i.a], cells_[i.b], cells_[i.c]};
        if (i.code == Code::Div && operands[1] == 0)
            return "division by zero";
        if (i.code == Code::Sqrt && operands[0] < 0)
            return "square root of " + text::exact(operands[0]);
        std::string words;
        if (i.code == Code::Pow)
            words = powerDomain(operands[0], operands[1]);
        else if (i.code >= Code::Abs) {
            const auto op = static_cast<Op>(static_cast<int>(Op::Abs) + static_cast<int>(i.code) - static_cast<int>(Code::Abs));
            if (const auto domain = operatorRow(op).domain)
                words = domain(operands);
        }
        return words.empty() ? "overflow: the result is too large for a number" : words;
    }

    const Tape& tape_;
    const std::vector<double>& cells_;
    std::vector<bool> needed_;
};

std::optional<DomainError> Tape::locate(std::span<const double* const> banks) const
{
    TapeWorkspace w = workspace();
    assert(banks.size() == bankSizes_.size());
    load(banks.data(), w.cells.data());
    interpret(stepsOf(code_), w.cells.data());
    if (std::all_of(outputSlots_.begin(), outputSlots_.end(),
                    [&w](std::uint32_t slot) { return std::isfinite(w.cells[slot]); }))
        return std::nullopt;
    return Locator(*this, w.cells).find();
}

} // namespace driftless::expr
