// The tape without machine code. Sums, differences, products, quotients and changed signs, which tapes consist of, are executed
// two at a time: getting from one step to the next costs as much as an operation. The order, and with it every bit, is that of
// the tape.
#include <cmath>
#include <iterator>

#include "core/expr/TapeApply.h"

namespace driftless::expr {
namespace {

constexpr std::uint32_t kPlain = 5;                ///< codes that are executed in pairs: +, -, *, / and the changed sign
constexpr std::uint32_t kSingle = kPlain * kPlain; ///< after the pairs, those codes by themselves
constexpr std::uint32_t kSine = kSingle + kPlain;  ///< frequent enough in mechanics to have a place of its own
constexpr std::uint32_t kCosine = kSine + 1;
constexpr std::uint32_t kRoot = kCosine + 1;
constexpr std::uint32_t kOther = kRoot + 1; ///< whatever goes through the switch
constexpr std::uint32_t kEnd = kOther + 1;

} // namespace

std::vector<Tape::Step> Tape::stepsOf(const std::vector<Instruction>& code)
{
    static_assert(Code::Add == Code{0} && Code::Sub == Code{1} && Code::Mul == Code{2} && Code::Div == Code{3}
                  && Code::Neg == Code{4});
    const auto number = [](const Instruction& i) { return static_cast<std::uint32_t>(i.code); };
    std::vector<Step> steps;
    for (std::size_t k = 0; k < code.size(); ++k) {
        const Instruction& one = code[k];
        if (one.code == Code::Sin)
            steps.push_back({.what = kSine, .a = one.a});
        else if (one.code == Code::Cos)
            steps.push_back({.what = kCosine, .a = one.a});
        else if (one.code == Code::Sqrt)
            steps.push_back({.what = kRoot, .a = one.a});
        else if (number(one) >= kPlain)
            steps.push_back({.what = kOther, .a = number(one), .b = one.a, .c = one.b, .d = one.c});
        else if (k + 1 < code.size() && number(code[k + 1]) < kPlain) {
            const Instruction& two = code[++k];
            steps.push_back({.what = kPlain * number(one) + number(two), .a = one.a, .b = one.b, .c = two.a, .d = two.b});
        } else
            steps.push_back({.what = kSingle + number(one), .a = one.a, .b = one.b});
    }
    steps.push_back({.what = kEnd});
    return steps;
}

// Places to jump to; the language has no other way to write them than one by one.
#define ADD(a, b) cells[a] + cells[b]
#define SUB(a, b) cells[a] - cells[b]
#define MUL(a, b) cells[a] * cells[b]
#define DIV(a, b) cells[a] / cells[b]
#define NEG(a, b) -cells[a]
#define SIN(a, b) std::sin(cells[a])
#define COS(a, b) std::cos(cells[a])
#define ROOT(a, b) std::sqrt(cells[a])
#define NEXT                                                                                                                   \
    ++i;                                                                                                                       \
    goto* places[i->what];
#define SINGLE(first)                                                                                                          \
    first:                                                                                                                     \
    *out++ = first(i->a, i->b);                                                                                                \
    NEXT
#define PAIR(first, second)                                                                                                    \
    first##second : out[0] = first(i->a, i->b);                                                                                \
    out[1] = second(i->c, i->d);                                                                                               \
    out += 2;                                                                                                                  \
    NEXT
#define PAIRS(first) PAIR(first, ADD) PAIR(first, SUB) PAIR(first, MUL) PAIR(first, DIV) PAIR(first, NEG)
#define PLACES(first) &&first##ADD, &&first##SUB, &&first##MUL, &&first##DIV, &&first##NEG

void Tape::interpret(const std::vector<Step>& steps, double* cells) const noexcept
{
    static const void* const places[] = {PLACES(ADD), PLACES(SUB), PLACES(MUL), PLACES(DIV), PLACES(NEG), &&ADD,   &&SUB, &&MUL,
                                         &&DIV,       &&NEG,       &&SIN,       &&COS,       &&ROOT,      &&other, &&end};
    static_assert(std::size(places) == kEnd + 1);
    double* out = cells + firstResult_;
    const Step* i = steps.data();
    goto* places[i->what];
    PAIRS(ADD)
    PAIRS(SUB)
    PAIRS(MUL)
    PAIRS(DIV)
    PAIRS(NEG)
    SINGLE(ADD)
    SINGLE(SUB)
    SINGLE(MUL)
    SINGLE(DIV)
    SINGLE(NEG)
    SINGLE(SIN)
    SINGLE(COS)
    SINGLE(ROOT)
other:
    *out++ = execute({static_cast<Code>(i->a), i->b, i->c, i->d}, cells);
    NEXT end : return;
}

#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef NEG
#undef SIN
#undef COS
#undef ROOT
#undef NEXT
#undef SINGLE
#undef PAIR
#undef PAIRS
#undef PLACES

} // namespace driftless::expr
