// The switch of the tape, inline for the evaluation loop and for the folding of constants. Forced inline: a call per
// instruction would cost as much as the instruction.
#pragma once

#include <cmath>

#include "core/expr/Operators.h"
#include "core/expr/Tape.h"

namespace driftless::expr {

[[gnu::always_inline]] inline double Tape::execute(const Instruction& i, const double* cells) noexcept
{
    const auto a = [&] { return cells[i.a]; };
    const auto b = [&] { return cells[i.b]; };
    switch (i.code) {
    case Code::Add:
        return a() + b();
    case Code::Sub:
        return a() - b();
    case Code::Mul:
        return a() * b();
    case Code::Div:
        return a() / b();
    case Code::Neg:
        return -a();
    case Code::Sqrt:
        return std::sqrt(a());
    case Code::Pow:
        return std::pow(a(), b());
    case Code::Abs:
        return std::abs(a());
    case Code::Sign:
        return signValue(a());
    case Code::Sin:
        return std::sin(a());
    case Code::Cos:
        return std::cos(a());
    case Code::Tan:
        return std::tan(a());
    case Code::Asin:
        return std::asin(a());
    case Code::Acos:
        return std::acos(a());
    case Code::Atan:
        return std::atan(a());
    case Code::Atan2:
        return std::atan2(a(), b());
    case Code::Sinh:
        return std::sinh(a());
    case Code::Cosh:
        return std::cosh(a());
    case Code::Tanh:
        return std::tanh(a());
    case Code::Exp:
        return std::exp(a());
    case Code::Log:
        return std::log(a());
    case Code::Min:
        return minValue(a(), b());
    case Code::Max:
        return maxValue(a(), b());
    case Code::Less:
        return lessValue(a(), b());
    case Code::LessEqual:
        return lessEqualValue(a(), b());
    case Code::Select:
        return chosenValue(a(), b(), cells[i.c]);
    }
    __builtin_unreachable(); // the compiler tests no range: every code has its case
}

} // namespace driftless::expr
