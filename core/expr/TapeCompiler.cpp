// Expressions to instructions: value numbering shares equal operations, constants are folded, integer powers
// become chains of multiplications, and what no output needs is dropped.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "core/base/Counters.h"
#include "core/expr/FlatMap.h"
#include "core/expr/NodeMap.h"
#include "core/expr/Tape.h"
#include "core/expr/TapeApply.h"
#include "core/expr/TapeNative.h"
#include "core/expr/WrittenElimination.h"

namespace driftless::expr {
namespace {

/// A value while the number of constants is still growing: what it is in the top bits, which one below.
using Value = std::uint32_t;
constexpr Value kKindShift = 30;
constexpr Value kIndexMask = (1u << kKindShift) - 1;
enum class Kind : Value { Operation = 0, Constant = 1, Input = 2 };

constexpr std::size_t kPairedFactors = 8; ///< of a product, among which shared pairs are looked for
/// Operations of a tape that remember what they come from. Longer ones would keep all that was differentiated for them.
constexpr std::size_t kOrigins = 20'000;
constexpr std::int64_t kLongestChain = 64; ///< largest exponent written as multiplications

Kind kindOf(Value v) { return static_cast<Kind>(v >> kKindShift); }

Value makeValue(Kind kind, std::size_t index) { return (static_cast<Value>(kind) << kKindShift) | static_cast<Value>(index); }

struct Key {
    int code;
    Value a, b, c;
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key& k) const noexcept
    {
        std::uint64_t h = static_cast<std::uint64_t>(k.code);
        for (const Value v : {k.a, k.b, k.c})
            h = (h ^ v) * 0x9e3779b97f4a7c15ULL + (h >> 29);
        return static_cast<std::size_t>(h ^ (h >> 32));
    }
};

std::atomic<bool> nativePreferred{true};

/// Exponents written as square roots and multiplications: n or n + 1/2.
bool isChain(const Number& e) { return e.exact() && e.denominator <= 2 && std::abs(e.numerator) <= kLongestChain; }

} // namespace

class Tape::Compiler {
public:
    explicit Compiler(std::vector<std::vector<Symbol>> banks) : banks_(std::move(banks))
    {
        std::size_t count = 0;
        for (const auto& bank : banks_)
            count += bank.size();
        inputOf_.reserve(count);
        for (const auto& bank : banks_)
            for (const Symbol& s : bank)
                inputOf_.tryEmplace(&s, makeValue(Kind::Input, inputCount_++));
    }

    Result<Tape> compile(std::span<const Expr> outputs)
    {
        auto results = lowerAll(outputs);
        if (!results)
            return results.error();
        return finish(*results);
    }

    Result<Solution> compileSolution(std::span<const Expr> outputs, const LinearSystem& system, double tolerated)
    {
        addsAngles_ = true;
        const auto values = lowerAll(outputs);
        if (!values)
            return values.error();
        WrittenElimination<Compiler, Value> elimination(*this, system, *values);
        std::vector<Value> plain = elimination.solution(), judged = plain;
        const std::vector<char> moving = movingOperations(system.movingBanks);
        const auto isWatched = [&](Value pivot) { return isMoving(pivot, system.movingBanks, moving); };
        std::ranges::copy_if(elimination.pivots(), std::back_inserter(plain), isWatched);
        const std::vector<Value> rows =
            system.widest > 0 ? elimination.excessOfRows(isWatched, tolerated, system.widest) : elimination.excess(tolerated);
        judged.insert(judged.end(), rows.begin(), rows.end());
        callsFirst_ = true;
        return Solution{finish(plain), finish(judged)};
    }

private:
    friend class WrittenElimination<Compiler, Value>;

    Result<std::vector<Value>> lowerAll(std::span<const Expr> outputs)
    {
        const std::vector<const Expr*> nodes = postorder(outputs);
        countPairs(nodes);
        if (addsAngles_)
            for (const Expr* e : nodes)
                if (isTurned(e->node()))
                    angles_.insert(e->node().args[0].node().hash);
        for (const Expr* e : nodes) {
            current_ = e;
            const auto value = lower(e->node());
            if (!value)
                return Diagnostic{.what = "The expression mentions " + e->node().symbol.text() + ", which has no value here",
                                  .why = "it is neither an unknown, a parameter nor the time of this system",
                                  .remedy = "declare it or remove it"};
            valueOf_.emplace(&e->node(), *value);
            if (e->node().op == Op::Symbol)
                inputs_.push_back(e);
        }
        std::vector<Value> results;
        for (const Expr& e : outputs)
            results.push_back(valueOf_.at(&e.node()));
        return results;
    }

    bool isConstant(Value v, double number) const { return knownConstant(v) == number; }

    // What WrittenElimination writes with.
    Value sum(Value a, Value b) { return emit(Code::Add, a, b); }
    Value writtenDifference(Value a, Value b) { return emit(Code::Sub, a, b); }
    Value quotient(Value a, Value b) { return emit(Code::Div, a, b); }
    Value magnitude(Value v) { return emit(Code::Abs, v); }
    // Without operations on what is 0 or 1.
    Value productOf(Value a, Value b)
    {
        if (isConstant(a, 0) || isConstant(b, 0))
            return constantValue(0);
        if (isConstant(a, 1) || isConstant(b, 1))
            return isConstant(a, 1) ? b : a;
        return emit(Code::Mul, a, b);
    }
    Value differenceOf(Value a, Value b)
    {
        if (isConstant(b, 0))
            return a;
        return isConstant(a, 0) ? emit(Code::Neg, b) : emit(Code::Sub, a, b);
    }

    bool isMoving(Value v, std::size_t banks, const std::vector<char>& operations) const
    {
        if (kindOf(v) == Kind::Operation)
            return operations[v & kIndexMask];
        std::size_t inputs = 0;
        for (std::size_t k = 0; k < std::min(banks, banks_.size()); ++k)
            inputs += banks_[k].size();
        return kindOf(v) == Kind::Input && (v & kIndexMask) < inputs;
    }
    /// Which operations depend on one of the first banks.
    std::vector<char> movingOperations(std::size_t banks) const
    {
        std::vector<char> moving;
        for (const Instruction& i : code_) {
            bool any = false;
            for (const Value v : {i.a, i.b, i.c})
                any = any || isMoving(v, banks, moving);
            moving.push_back(any);
        }
        return moving;
    }

    /// A factor that is divided by becomes part of the denominator.
    static bool isBelow(const Node& f)
    {
        const Number* e = f.op == Op::Pow ? numberOf(f.args[1]) : nullptr;
        return e && e->negative() && isChain(*e);
    }

    static std::uint64_t pairOf(const Node& a, const Node& b)
    {
        return static_cast<std::uint64_t>(a.hash * b.hash + (a.hash ^ b.hash));
    }

    /// How often two factors meet in different products: l sin(phi) in forces, Jacobians and constraints is multiplied out
    /// once.
    void countPairs(const std::vector<const Expr*>& nodes)
    {
        FlatMap<std::size_t, char, std::hash<std::size_t>> seen;
        for (const Expr* e : nodes) {
            const Node& n = e->node();
            if (n.op != Op::Mul || n.args.size() > kPairedFactors || !seen.tryEmplace(n.hash, 1).second)
                continue;
            for (std::size_t i = 0; i < n.args.size(); ++i)
                for (std::size_t j = i + 1; j < n.args.size(); ++j)
                    if (!isBelow(n.args[i].node()) && !isBelow(n.args[j].node()))
                        ++*pairs_.tryEmplace(pairOf(n.args[i].node(), n.args[j].node()), 0).first;
        }
    }

    /// Factors of a product, multiplied: first those pairs that other products have, too.
    std::optional<Value> multiplied(std::vector<std::pair<const Node*, Value>>& factors)
    {
        std::optional<Value> out;
        const auto multiply = [&](Value v) { out = out ? emit(Code::Mul, *out, v) : v; };
        while (factors.size() >= 3 && factors.size() <= kPairedFactors) {
            int most = 1;
            std::size_t first = 0, second = 0;
            for (std::size_t i = 0; i < factors.size(); ++i)
                for (std::size_t j = i + 1; j < factors.size(); ++j)
                    if (const int* const often = pairs_.find(pairOf(*factors[i].first, *factors[j].first));
                        often && *often > most) {
                        most = *often;
                        first = i;
                        second = j;
                    }
            if (most == 1)
                break;
            multiply(emit(Code::Mul, factors[first].second, factors[second].second));
            factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(second));
            factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(first));
        }
        for (const auto& [node, value] : factors)
            multiply(value);
        return out;
    }

    std::optional<Value> lower(const Node& n)
    {
        switch (n.op) {
        case Op::Constant:
            return constantValue(n.number.value);
        case Op::Pi:
            return constantValue(*pi().constantValue());
        case Op::Symbol: {
            const Value* const input = inputOf_.find(&n.symbol);
            return input ? std::optional(*input) : std::nullopt;
        }
        case Op::Add:
            return lowerSum(n);
        case Op::Mul:
            return lowerProduct(n);
        case Op::Pow:
            return lowerPower(n);
        default:
            return lowerFunction(n);
        }
    }

    Value of(const Expr& e) const { return valueOf_.at(&e.node()); }

    /// A value without the sign that it was given: sums and products take the sign over, and what is shared is found whatever
    /// its sign.
    struct Unsigned {
        Value value;
        bool negative;
    };
    Unsigned withoutSign(Value v) const
    {
        const Value* const positive = positiveOf_.find(v);
        return positive ? Unsigned{*positive, true} : Unsigned{v, false};
    }
    Value negative(Value v, Value positive)
    {
        if (kindOf(v) != Kind::Constant)
            positiveOf_.tryEmplace(v, positive);
        return v;
    }

    Value lowerSum(const Node& n)
    {
        std::optional<Value> total;
        std::vector<bool> done(n.args.size(), false);
        const auto isNegative = [&](std::size_t i) { return n.weights[i].negative() != withoutSign(of(n.args[i])).negative; };
        double constantPart = n.number.value;
        for (std::size_t i = 0; i < n.args.size(); ++i)
            if (const auto v = knownConstant(of(n.args[i]))) {
                constantPart += n.weights[i].value * *v;
                done[i] = true;
            }
        for (std::size_t i = 0; i < n.args.size() && !total; ++i) // start with a term that needs no sign
            if (!done[i] && !isNegative(i)) {
                total = weighted(n, i);
                done[i] = true;
            }
        bool constantDone = constantPart == 0;
        if (!total && constantPart > 0) {
            total = constantValue(constantPart);
            constantDone = true;
        }
        const bool allNegative = !total;
        for (std::size_t i = 0; i < n.args.size(); ++i) {
            if (done[i])
                continue;
            if (!total)
                total = weighted(n, i);
            else
                total = emit(!allNegative && isNegative(i) ? Code::Sub : Code::Add, *total, weighted(n, i));
        }
        if (!total)
            return constantValue(constantPart);
        if (!constantDone)
            total =
                emit(!allNegative && constantPart < 0 ? Code::Sub : Code::Add, *total, constantValue(std::abs(constantPart)));
        return allNegative ? negative(emit(Code::Neg, *total), *total) : *total;
    }

    std::optional<double> knownConstant(Value v) const
    {
        return kindOf(v) == Kind::Constant ? std::optional(constants_[v & kIndexMask]) : std::nullopt;
    }

    /// |weight| * term
    Value weighted(const Node& n, std::size_t i)
    {
        const double w = std::abs(n.weights[i].value);
        const Value term = withoutSign(of(n.args[i])).value;
        return w == 1 ? term : emit(Code::Mul, term, constantValue(w));
    }

    Value lowerProduct(const Node& n)
    {
        std::vector<std::pair<const Node*, Value>> above;
        std::optional<Value> bottom;
        double coefficient = n.number.value;
        const auto multiply = [this](std::optional<Value>& into, Value v) { into = into ? emit(Code::Mul, *into, v) : v; };
        for (const Expr& a : n.args) {
            const Node& f = a.node();
            if (isBelow(f))
                multiply(bottom, chain(of(f.args[0]), -*numberOf(f.args[1])));
            else if (const auto v = knownConstant(of(a)))
                coefficient *= *v;
            else {
                const Unsigned factor = withoutSign(of(a));
                above.emplace_back(&f, factor.value);
                coefficient = factor.negative ? -coefficient : coefficient;
            }
        }
        const std::optional<Value> top = multiplied(above);
        const auto times = [&](double c) {
            std::optional<Value> product = top;
            if (!product || c != 1)
                multiply(product, constantValue(c));
            return bottom ? emit(Code::Div, *product, *bottom) : *product;
        };
        if (!(coefficient < 0))
            return times(coefficient);
        // Whoever takes the sign over has no use for the negative one, which then is left out in the end.
        const Value positive = times(-coefficient);
        return negative(top && coefficient == -1 ? emit(Code::Neg, positive) : times(coefficient), positive);
    }

    Value lowerPower(const Node& n)
    {
        const Number* e = numberOf(n.args[1]);
        const Value base = of(n.args[0]);
        if (!e || !isChain(*e))
            return emit(Code::Pow, base, of(n.args[1]));
        return e->negative() ? emit(Code::Div, constantValue(1), chain(base, -*e)) : chain(base, *e);
    }

    /// base^e for a positive chain exponent.
    Value chain(Value base, const Number& e)
    {
        return e.denominator == 2 ? chain(emit(Code::Sqrt, base), e.numerator) : chain(base, e.numerator);
    }

    Value chain(Value base, std::int64_t n)
    {
        if (n == 1)
            return base;
        if (n % 2 != 0)
            return emit(Code::Mul, chain(base, n - 1), base);
        const Value half = chain(base, n / 2);
        return emit(Code::Mul, half, half);
    }

    Value lowerFunction(const Node& n)
    {
        // Functions stand in one order in both enumerations.
        static_assert(static_cast<int>(Code::Select) - static_cast<int>(Code::Abs)
                      == static_cast<int>(Op::IfThenElse) - static_cast<int>(Op::Abs));
        const auto code = static_cast<Code>(static_cast<int>(Code::Abs) + static_cast<int>(n.op) - static_cast<int>(Op::Abs));
        if (addsAngles_ && isTurned(n))
            if (const auto value = ofBothAngles(n))
                return *value;
        const Value a = of(n.args[0]);
        const Value b = n.args.size() > 1 ? of(n.args[1]) : a;
        return emit(code, a, b, n.args.size() > 2 ? of(n.args[2]) : a);
    }

    static bool isTurned(const Node& n) { return n.op == Op::Sin || n.op == Op::Cos; }

    /// sin or cos of a sum or difference of two angles from those of either, where these are asked for anyway: four products in
    /// place of a call. In the angles this is no more than the round-off that they have themselves.
    std::optional<Value> ofBothAngles(const Node& n)
    {
        const Node& sum = n.args[0].node();
        if (sum.op != Op::Add || sum.args.size() != 2 || sum.number.value != 0)
            return std::nullopt;
        for (std::size_t i = 0; i < 2; ++i)
            if (std::abs(sum.weights[i].value) != 1 || !angles_.contains(sum.args[i].node().hash))
                return std::nullopt;
        const Value a = of(sum.args[0]), b = of(sum.args[1]);
        const bool minusA = sum.weights[0].negative(), minusB = sum.weights[1].negative();
        const Value sinA = emit(Code::Sin, a), cosA = emit(Code::Cos, a), sinB = emit(Code::Sin, b), cosB = emit(Code::Cos, b);
        if (n.op == Op::Cos)
            return emit(minusA == minusB ? Code::Sub : Code::Add, emit(Code::Mul, cosA, cosB), emit(Code::Mul, sinA, sinB));
        const Value ofA = emit(Code::Mul, sinA, cosB), ofB = emit(Code::Mul, cosA, sinB);
        if (minusA != minusB)
            return minusA ? emit(Code::Sub, ofB, ofA) : emit(Code::Sub, ofA, ofB);
        const Value both = emit(Code::Add, ofA, ofB);
        return minusA ? emit(Code::Neg, both) : both;
    }

    Value constantValue(double v)
    {
        const auto [at, isNew] =
            constantOf_.try_emplace(std::bit_cast<std::uint64_t>(v), makeValue(Kind::Constant, constants_.size()));
        if (isNew)
            constants_.push_back(v);
        return at->second;
    }

    Value emit(Code code, Value a) { return emit(code, a, a, a); }
    Value emit(Code code, Value a, Value b) { return emit(code, a, b, a); }

    Value emit(Code code, Value a, Value b, Value c)
    {
        if ((code == Code::Add || code == Code::Mul) && b < a) {
            std::swap(a, b);
            c = a;
        }
        const auto isConstant = [](Value v) { return kindOf(v) == Kind::Constant; };
        if (isConstant(a) && isConstant(b) && isConstant(c)) {
            const double v = execute({code, a & kIndexMask, b & kIndexMask, c & kIndexMask}, constants_.data());
            if (std::isfinite(v))
                return constantValue(v);
        }
        const auto [value, isNew] =
            known_.tryEmplace({static_cast<int>(code), a, b, c}, makeValue(Kind::Operation, code_.size()));
        if (isNew) {
            code_.push_back({code, a, b, c});
            origins_.push_back(current_);
        }
        return *value;
    }

    static bool isCalled(Code code) { return code > Code::Sqrt && code != Code::Abs; }

    /// The other one of sine and cosine of the same number, where that is needed, too.
    std::optional<std::size_t> partner(std::size_t i, const std::vector<bool>& needed) const
    {
        if (code_[i].code != Code::Sin && code_[i].code != Code::Cos)
            return std::nullopt;
        const Code other = code_[i].code == Code::Sin ? Code::Cos : Code::Sin;
        const Value* const value = known_.find({static_cast<int>(other), code_[i].a, code_[i].a, code_[i].a});
        if (!value || kindOf(*value) != Kind::Operation || !needed[*value & kIndexMask])
            return std::nullopt;
        return *value & kIndexMask;
    }

    /// The operations that are needed. Of a solution, what machine code calls comes first with all that it needs, for a call
    /// costs as many stores as there are values at hand, and sines stand beside their cosines.
    std::vector<std::size_t> orderOf(const std::vector<bool>& needed) const
    {
        std::vector<char> early(code_.size(), 0), taken(code_.size(), 0);
        for (std::size_t i = code_.size(); callsFirst_ && i-- > 0;) {
            if (!needed[i] || !(early[i] || isCalled(code_[i].code)))
                continue;
            early[i] = 1;
            for (const Value v : {code_[i].a, code_[i].b, code_[i].c})
                if (kindOf(v) == Kind::Operation)
                    early[v & kIndexMask] = 1;
        }
        std::vector<std::size_t> order;
        const auto take = [&](std::size_t i) {
            if (!taken[i])
                order.push_back(i);
            taken[i] = 1;
        };
        for (const char now : {1, 0})
            for (std::size_t i = 0; i < code_.size(); ++i)
                if (needed[i] && early[i] == now) {
                    take(i);
                    if (const auto other = partner(i, needed); callsFirst_ && other)
                        take(*other);
                }
        return order;
    }

    /// Drops unused operations and turns values into slots.
    Tape finish(const std::vector<Value>& results)
    {
        std::vector<bool> needed(code_.size(), false);
        const auto mark = [&needed](Value v) {
            if (kindOf(v) == Kind::Operation)
                needed[v & kIndexMask] = true;
        };
        for (const Value v : results)
            mark(v);
        for (std::size_t i = code_.size(); i-- > 0;)
            if (needed[i])
                for (const Value v : {code_[i].a, code_[i].b, code_[i].c})
                    mark(v);
        Tape tape;
        tape.constants_ = constants_;
        for (const auto& bank : banks_)
            tape.bankSizes_.push_back(static_cast<std::uint32_t>(bank.size()));
        const auto firstInput = static_cast<std::uint32_t>(tape.constants_.size());
        tape.firstResult_ = firstInput + static_cast<std::uint32_t>(inputCount_);
        std::vector<std::uint32_t> slotOf(code_.size());
        const auto slot = [&](Value v) {
            const Value index = v & kIndexMask;
            if (kindOf(v) == Kind::Constant)
                return index;
            return kindOf(v) == Kind::Input ? firstInput + index : slotOf[index];
        };
        std::vector<Expr> origins;
        const std::vector<std::size_t> order = orderOf(needed);
        const bool keepsOrigins = order.size() <= kOrigins;
        tape.code_.reserve(order.size());
        for (const std::size_t i : order) {
            slotOf[i] = tape.firstResult_ + static_cast<std::uint32_t>(tape.code_.size());
            tape.code_.push_back({code_[i].code, slot(code_[i].a), slot(code_[i].b), slot(code_[i].c)});
            if (keepsOrigins)
                origins.push_back(*origins_[i]);
        }
        for (const Value v : results)
            tape.outputSlots_.push_back(slot(v));
        const std::size_t operations = origins.size();
        origins.resize(operations + inputCount_);
        for (const Expr* e : inputs_)
            origins[operations + (*inputOf_.find(&e->node().symbol) & kIndexMask)] = *e;
        tape.origins_ = std::make_shared<const std::vector<Expr>>(std::move(origins));
        if (nativePreferred.load(std::memory_order_relaxed))
            tape.native_ = Native::make(tape);
        if (tape.native_)
            tape.function_ = tape.native_->function();
        else
            tape.steps_ = stepsOf(tape.code_);
        return tape;
    }

    std::vector<std::vector<Symbol>> banks_;
    struct SameSymbol {
        std::size_t operator()(const Symbol* s) const noexcept { return SymbolHash()(*s); }
        bool operator()(const Symbol* a, const Symbol* b) const noexcept { return *a == *b; }
    };
    FlatMap<const Symbol*, Value, SameSymbol, SameSymbol> inputOf_; ///< of symbols of the banks
    std::vector<const Expr*> inputs_;                               ///< those that occur
    std::size_t inputCount_ = 0;
    std::unordered_map<std::uint64_t, Value> constantOf_;
    std::vector<double> constants_;
    FlatMap<Key, Value, KeyHash> known_;
    NodeMap<Value> valueOf_;
    FlatMap<std::uint64_t, int, std::hash<std::uint64_t>> pairs_;
    FlatMap<Value, Value, std::hash<Value>> positiveOf_; ///< of a value that is another one with its sign changed
    std::vector<Instruction> code_;
    std::vector<const Expr*> origins_; ///< of the operations
    const Expr* current_ = nullptr;
    std::unordered_set<std::size_t> angles_; ///< hashes of what sines and cosines are taken of
    bool callsFirst_ = false, addsAngles_ = false;
};

void Tape::preferNative(bool native) { nativePreferred.store(native, std::memory_order_relaxed); }

Result<Tape> Tape::compile(std::span<const Expr> outputs, std::vector<std::vector<Symbol>> banks)
{
    count(counters().tapes);
    return Compiler(std::move(banks)).compile(outputs);
}

Result<Tape::Solution> Tape::compileSolution(std::span<const Expr> outputs, std::vector<std::vector<Symbol>> banks,
                                             const LinearSystem& system, double tolerated)
{
    count(counters().tapes);
    return Compiler(std::move(banks)).compileSolution(outputs, system, tolerated);
}

} // namespace driftless::expr
