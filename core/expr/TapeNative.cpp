// Values live in the sixteen vector registers as long as they are needed again; the one whose next use is farthest gives way
// (Belady: in straight code the future is known) and is stored only then. Square roots and arithmetic are instructions;
// everything else calls what the interpreter calls, with all live values stored before, for no vector register survives a call.
#include "core/expr/TapeNative.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/expr/TapeApply.h"

#if defined(__x86_64__) && defined(__linux__)
#include <asmjit/x86.h>
#endif

namespace driftless::expr {

#if defined(__x86_64__) && defined(__linux__)

namespace {

constexpr std::size_t kMostOperations = 500'000;
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// Each page is mapped twice, to be written through the one and run through the other: none is writable and executable. Where
/// the system does not allow that, there is no machine code, and the interpreter computes the same.
asmjit::JitRuntime& runtime()
{
    static asmjit::JitRuntime instance = [] {
        asmjit::JitAllocator::CreateParams pages{};
        pages.options = asmjit::JitAllocatorOptions::kUseDualMapping;
        return asmjit::JitRuntime(&pages);
    }();
    return instance;
}

/// The same functions that the interpreter's switch reaches, by code.
template <int kCode>
double apply(double a, double b, double c)
{
    return Tape::applyOne(kCode, a, b, c);
}

using Apply = double (*)(double, double, double);

template <int... kCodes>
Apply applyOf(int code, std::integer_sequence<int, kCodes...>)
{
    static constexpr Apply table[] = {apply<kCodes>...};
    return table[code];
}

} // namespace

class Tape::Native::Writer {
public:
    Writer(const Tape& tape, asmjit::CodeHolder& code)
        : tape_(tape), a_(&code),
          calls_(std::any_of(tape.code_.begin(), tape.code_.end(), [](const Instruction& i) { return isCalled(i.code); }))
    {
    }

    bool write()
    {
        using namespace asmjit::x86;
        prepareUses();
        signMask_ = a_.newLabel();
        magnitudeMask_ = a_.newLabel();
        if (calls_)
            enter();
        for (std::uint32_t k = 0; k < tape_.bankSizes_.size() && k < kBankRegisters; ++k)
            if (tape_.bankSizes_[k] > 0)
                a_.mov(bankRegister(k), ptr(rdi, static_cast<int>(8 * k)));
        // Outputs that are constants or inputs.
        for (std::uint32_t k = 0; k < tape_.outputSlots_.size(); ++k)
            if (const std::uint32_t slot = tape_.outputSlots_[k]; slot < tape_.firstResult_) {
                a_.vmovsd(xmm0, memory(slot));
                a_.vmovsd(output(k), xmm0);
            }
        for (now_ = 0; now_ < tape_.code_.size(); ++now_)
            operation(tape_.code_[now_]);
        if (calls_)
            leave();
        a_.ret();
        a_.align(asmjit::AlignMode::kData, 16);
        const std::uint64_t sign[2] = {0x8000000000000000u, 0x8000000000000000u};
        const std::uint64_t magnitude[2] = {0x7fffffffffffffffu, 0x7fffffffffffffffu};
        a_.bind(signMask_);
        a_.embed(sign, sizeof sign);
        a_.bind(magnitudeMask_);
        a_.embed(magnitude, sizeof magnitude);
        return !failed_;
    }

private:
    static constexpr asmjit::x86::Gp kSaved[] = {asmjit::x86::rbx, asmjit::x86::rbp, asmjit::x86::r12,
                                                 asmjit::x86::r13, asmjit::x86::r14, asmjit::x86::r15};
    static constexpr std::uint32_t kBankRegisters = 4;
    static constexpr int kRegisters = 16;
    static constexpr int kNone = -1;

    // Without calls everything stays in registers that need not be saved.
    const asmjit::x86::Gp& bankRegister(std::uint32_t bank) const
    {
        static constexpr asmjit::x86::Gp saved[] = {asmjit::x86::rbp, asmjit::x86::r13, asmjit::x86::r14, asmjit::x86::r15};
        static constexpr asmjit::x86::Gp passing[] = {asmjit::x86::rcx, asmjit::x86::r8, asmjit::x86::r9, asmjit::x86::r10};
        return calls_ ? saved[bank] : passing[bank];
    }
    const asmjit::x86::Gp& cells() const { return calls_ ? asmjit::x86::rbx : asmjit::x86::rsi; }
    const asmjit::x86::Gp& outputs() const { return calls_ ? asmjit::x86::r12 : asmjit::x86::rdx; }

    void enter()
    {
        using namespace asmjit::x86;
        for (const Gp& r : kSaved)
            a_.push(r);
        a_.sub(rsp, 24); // keeps the banks, and the stack aligned for calls
        a_.mov(rbx, rsi);
        a_.mov(r12, rdx);
        a_.mov(ptr(rsp), rdi);
    }
    void leave()
    {
        a_.add(asmjit::x86::rsp, 24);
        for (std::size_t k = std::size(kSaved); k-- > 0;)
            a_.pop(kSaved[k]);
    }
    static bool isCalled(Code code) { return code > Code::Sqrt && code != Code::Abs; }
    static asmjit::x86::Xmm xmm(int r) { return asmjit::x86::xmm(static_cast<std::uint32_t>(r)); }

    void check(asmjit::Error error) { failed_ = failed_ || error != asmjit::kErrorOk; }

    /// Of each use its next one, and of each slot its first.
    void prepareUses()
    {
        const auto& code = tape_.code_;
        next_.assign(tape_.firstResult_ + code.size(), kNever);
        after_.resize(code.size());
        for (std::size_t i = code.size(); i-- > 0;) {
            const std::uint32_t slots[] = {code[i].a, code[i].b, code[i].c};
            const int count = Tape::operandCount(code[i].code);
            for (int k = 0; k < count; ++k)
                after_[i][static_cast<std::size_t>(k)] = next_[slots[k]];
            for (int k = 0; k < count; ++k)
                next_[slots[k]] = static_cast<std::uint32_t>(i);
        }
        registerOf_.assign(next_.size(), kNone);
        outputsOf_.assign(code.size(), kNever);
        nextOutput_.assign(tape_.outputSlots_.size(), kNever);
        for (std::uint32_t k = 0; k < tape_.outputSlots_.size(); ++k)
            if (const std::uint32_t slot = tape_.outputSlots_[k]; slot >= tape_.firstResult_) {
                nextOutput_[k] = outputsOf_[slot - tape_.firstResult_];
                outputsOf_[slot - tape_.firstResult_] = k;
            }
    }

    /// Where a value is when it is in no register: a constant or result in the cells, an input in its bank.
    asmjit::x86::Mem memory(std::uint32_t slot)
    {
        using namespace asmjit::x86;
        if (slot < tape_.constants_.size() || slot >= tape_.firstResult_)
            return ptr(cells(), static_cast<int>(8 * slot), 8);
        std::uint32_t place = slot - static_cast<std::uint32_t>(tape_.constants_.size()), bank = 0;
        while (place >= tape_.bankSizes_[bank])
            place -= tape_.bankSizes_[bank++];
        if (bank < kBankRegisters)
            return ptr(bankRegister(bank), static_cast<int>(8 * place), 8);
        if (calls_)
            check(a_.mov(rax, ptr(rsp)));
        check(a_.mov(rax, ptr(calls_ ? rax : rdi, static_cast<int>(8 * bank))));
        return ptr(rax, static_cast<int>(8 * place), 8);
    }
    asmjit::x86::Mem output(std::uint32_t k) const { return asmjit::x86::ptr(outputs(), static_cast<int>(8 * k), 8); }

    /// Stores a value that is needed again and only lives in a register.
    void save(int r)
    {
        const std::uint32_t slot = slotOf_[r];
        if (dirty_[r] && next_[slot] != kNever)
            check(a_.vmovsd(memory(slot), xmm(r)));
        dirty_[r] = false;
    }

    void release(int r)
    {
        if (slotOf_[r] != kNever)
            registerOf_[slotOf_[r]] = kNone;
        slotOf_[r] = kNever;
        dirty_[r] = false;
    }

    int freeRegister(int keep1, int keep2)
    {
        int farthest = kNone;
        for (int r = 0; r < kRegisters; ++r) {
            if (r == keep1 || r == keep2)
                continue;
            if (slotOf_[r] == kNever)
                return r;
            if (farthest == kNone || next_[slotOf_[r]] > next_[slotOf_[farthest]])
                farthest = r;
        }
        save(farthest);
        release(farthest);
        return farthest;
    }

    int load(std::uint32_t slot, int keep)
    {
        if (registerOf_[slot] != kNone)
            return registerOf_[slot];
        const int r = freeRegister(keep, kNone);
        check(a_.vmovsd(xmm(r), memory(slot)));
        slotOf_[r] = slot;
        registerOf_[slot] = r;
        return r;
    }

    /// This use is over; a value without another one frees its register.
    void used(std::uint32_t slot, std::uint32_t next)
    {
        next_[slot] = next;
        if (next == kNever && registerOf_[slot] != kNone)
            release(registerOf_[slot]);
    }

    void operation(const Instruction& i)
    {
        switch (i.code) {
        case Code::Add:
        case Code::Sub:
        case Code::Mul:
        case Code::Div:
            binary(i);
            break;
        case Code::Neg:
        case Code::Abs:
        case Code::Sqrt:
            unary(i);
            break;
        default:
            call(i);
        }
    }

    void result(int r)
    {
        const std::uint32_t slot = tape_.firstResult_ + static_cast<std::uint32_t>(now_);
        for (std::uint32_t k = outputsOf_[now_]; k != kNever; k = nextOutput_[k])
            check(a_.vmovsd(output(k), xmm(r)));
        if (next_[slot] == kNever)
            return;
        slotOf_[r] = slot;
        registerOf_[slot] = r;
        dirty_[r] = true;
    }

    void binary(const Instruction& i)
    {
        const int ra = load(i.a, kNone);
        // An operand that is needed only here is read where it is.
        const bool fromMemory = registerOf_[i.b] == kNone && after_[now_][1] == kNever;
        const int rb = fromMemory ? kNone : load(i.b, ra);
        asmjit::x86::Mem m = fromMemory ? memory(i.b) : asmjit::x86::Mem();
        used(i.a, after_[now_][0]);
        used(i.b, after_[now_][1]);
        const int r = destination(ra, rb);
        const auto emit = [&](const auto& b) {
            switch (i.code) {
            case Code::Add:
                return a_.vaddsd(xmm(r), xmm(ra), b);
            case Code::Sub:
                return a_.vsubsd(xmm(r), xmm(ra), b);
            case Code::Mul:
                return a_.vmulsd(xmm(r), xmm(ra), b);
            default:
                return a_.vdivsd(xmm(r), xmm(ra), b);
            }
        };
        check(fromMemory ? emit(m) : emit(xmm(rb)));
        result(r);
    }

    /// A register for a result: that of an operand that is done with, else one whose value must not be an operand's.
    int destination(int ra, int rb)
    {
        if (slotOf_[ra] == kNever)
            return ra;
        if (rb != kNone && slotOf_[rb] == kNever)
            return rb;
        return freeRegister(ra, rb);
    }

    void unary(const Instruction& i)
    {
        using namespace asmjit::x86;
        const int ra = load(i.a, kNone);
        used(i.a, after_[now_][0]);
        const int r = destination(ra, kNone);
        if (i.code == Code::Sqrt)
            check(a_.vsqrtsd(xmm(r), xmm(ra), xmm(ra)));
        else if (i.code == Code::Neg)
            check(a_.vxorpd(xmm(r), xmm(ra), ptr(signMask_)));
        else
            check(a_.vandpd(xmm(r), xmm(ra), ptr(magnitudeMask_)));
        result(r);
    }

    /// No vector register survives a call.
    void empty()
    {
        for (int r = 0; r < kRegisters; ++r)
            if (slotOf_[r] != kNever) {
                save(r);
                registerOf_[slotOf_[r]] = kNone;
                slotOf_[r] = kNever;
            }
    }

    /// Where the next operation is the cosine of this one's sine, or the other way round, one call gives both, with the bits
    /// that two calls give.
    bool bothOfAngle(const Instruction& i)
    {
#ifdef __GLIBC__
        if (now_ + 1 == tape_.code_.size())
            return false;
        const Instruction& next = tape_.code_[now_ + 1];
        const bool sineFirst = i.code == Code::Sin && next.code == Code::Cos;
        if (next.a != i.a || !(sineFirst || (i.code == Code::Cos && next.code == Code::Sin)))
            return false;
        using namespace asmjit::x86;
        empty();
        const std::uint32_t here = tape_.firstResult_ + static_cast<std::uint32_t>(now_);
        check(a_.vmovsd(xmm0, memory(i.a)));
        used(i.a, after_[now_ + 1][0]);
        check(a_.lea(rdi, memory(sineFirst ? here : here + 1)));
        check(a_.lea(rsi, memory(sineFirst ? here + 1 : here)));
        check(a_.mov(rax, reinterpret_cast<std::uint64_t>(static_cast<void (*)(double, double*, double*)>(::sincos))));
        check(a_.call(rax));
        for (const std::uint32_t k : {here, here + 1})
            for (std::uint32_t o = outputsOf_[k - tape_.firstResult_]; o != kNever; o = nextOutput_[o]) {
                check(a_.vmovsd(xmm0, memory(k)));
                check(a_.vmovsd(output(o), xmm0));
            }
        ++now_;
        return true;
#else
        return false;
#endif
    }

    static std::uint64_t addressOf(Code code)
    {
        using OfOne = double (*)(double);
        if (code == Code::Sin || code == Code::Cos)
            return reinterpret_cast<std::uint64_t>(code == Code::Sin ? static_cast<OfOne>(std::sin)
                                                                     : static_cast<OfOne>(std::cos));
        return reinterpret_cast<std::uint64_t>(
            applyOf(static_cast<int>(code), std::make_integer_sequence<int, static_cast<int>(Code::Select) + 1>()));
    }

    void call(const Instruction& i)
    {
        using namespace asmjit::x86;
        if (bothOfAngle(i))
            return;
        const std::uint32_t slots[] = {i.a, i.b, i.c};
        const int count = Tape::operandCount(i.code);
        empty();
        for (int k = 0; k < count; ++k)
            check(a_.vmovsd(xmm(k), memory(slots[k])));
        for (int k = 0; k < count; ++k)
            used(slots[k], after_[now_][static_cast<std::size_t>(k)]);
        check(a_.mov(rax, addressOf(i.code)));
        check(a_.call(rax));
        result(0);
    }

    const Tape& tape_;
    asmjit::x86::Assembler a_;
    asmjit::Label signMask_, magnitudeMask_;
    std::size_t now_ = 0;
    std::vector<std::uint32_t> next_;                 ///< of each slot: the next operation that reads it
    std::vector<std::array<std::uint32_t, 3>> after_; ///< of each operation: what next_ becomes of its operands
    std::vector<int> registerOf_;
    std::vector<std::uint32_t> outputsOf_, nextOutput_; ///< of each operation the outputs that it is, as chains
    std::array<std::uint32_t, kRegisters> slotOf_ = [] {
        std::array<std::uint32_t, kRegisters> none{};
        none.fill(kNever);
        return none;
    }();
    std::array<bool, kRegisters> dirty_{};
    bool failed_ = false;
    const bool calls_; ///< something that is no instruction
};

std::shared_ptr<const Tape::Native> Tape::Native::make(const Tape& tape)
{
    if (tape.outputSlots_.empty() || tape.code_.size() > kMostOperations || !asmjit::CpuInfo::host().features().x86().hasAVX())
        return nullptr;
    asmjit::CodeHolder code;
    if (code.init(runtime().environment()) != asmjit::kErrorOk || !Writer(tape, code).write())
        return nullptr;
    Function function = nullptr;
    if (runtime().add(&function, &code) != asmjit::kErrorOk)
        return nullptr;
    return std::shared_ptr<const Native>(new Native(function));
}

Tape::Native::~Native() { runtime().release(function_); }

#else

std::shared_ptr<const Tape::Native> Tape::Native::make(const Tape&) { return nullptr; }
Tape::Native::~Native() = default;

#endif

} // namespace driftless::expr
