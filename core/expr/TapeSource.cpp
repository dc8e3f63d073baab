// A tape as the body of a C function, one line per operation.
#include <cmath>

#include "core/expr/Operators.h"
#include "core/expr/Tape.h"
#include "core/text/Numbers.h"

namespace driftless::expr {
namespace {

std::string exactNumber(double v)
{
    std::string out = text::rounded(v, 17);
    if (out.find_first_of(".en") == std::string::npos)
        out += ".0";
    return v < 0 ? "(" + out + ")" : out;
}

} // namespace

std::string Tape::sourceOf(const Instruction& i, const std::vector<std::string>& names)
{
    const std::string &a = names[i.a], &b = names[i.b], &c = names[i.c];
    const auto call = [&](const char* function) {
        return std::string(function) + "(" + a + (operandCount(i.code) > 1 ? ", " + b : "") + ")";
    };
    switch (i.code) {
    case Code::Add:
        return a + " + " + b;
    case Code::Sub:
        return a + " - " + b;
    case Code::Mul:
        return a + " * " + b;
    case Code::Div:
        return a + " / " + b;
    case Code::Neg:
        return "-" + a;
    case Code::Sqrt:
        return call("sqrt");
    case Code::Pow:
        return call("pow");
    case Code::Abs:
        return call("fabs");
    case Code::Sign:
        return "(" + a + " > 0) - (" + a + " < 0)";
    case Code::Sin:
        return call("sin");
    case Code::Cos:
        return call("cos");
    case Code::Tan:
        return call("tan");
    case Code::Asin:
        return call("asin");
    case Code::Acos:
        return call("acos");
    case Code::Atan:
        return call("atan");
    case Code::Atan2:
        return call("atan2");
    case Code::Sinh:
        return call("sinh");
    case Code::Cosh:
        return call("cosh");
    case Code::Tanh:
        return call("tanh");
    case Code::Exp:
        return call("exp");
    case Code::Log:
        return call("log");
    case Code::Min:
        return call("fmin");
    case Code::Max:
        return call("fmax");
    case Code::Less:
        return a + " < " + b + " ? 1.0 : 0.0";
    case Code::LessEqual:
        return a + " <= " + b + " ? 1.0 : 0.0";
    case Code::Select:
        return a + " != 0 ? " + b + " : " + c;
    }
    return {};
}

std::string Tape::source(std::span<const std::string> banks, const std::string& output) const
{
    std::vector<std::string> names;
    for (const double v : constants_)
        names.push_back(exactNumber(v));
    for (std::size_t k = 0; k < bankSizes_.size(); ++k)
        for (std::uint32_t i = 0; i < bankSizes_[k]; ++i)
            names.push_back(banks[k] + "[" + std::to_string(i) + "]");
    std::string text;
    for (const Instruction& i : code_) {
        const std::string name = "s" + std::to_string(names.size() - firstResult_);
        text += "    const double " + name + " = " + sourceOf(i, names) + ";\n";
        names.push_back(name);
    }
    for (std::size_t k = 0; k < outputSlots_.size(); ++k)
        text += "    " + output + "[" + std::to_string(k) + "] = " + names[outputSlots_[k]] + ";\n";
    return text;
}

} // namespace driftless::expr
