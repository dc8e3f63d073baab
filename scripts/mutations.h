// Operators that can be changed while a program runs: what scripts/mutations.py writes into a copy of the sources.
//
// "a < b" becomes "a < mutation::Tag<7, Op::Lt, Op::Le>() < b": what stands left of an operator binds to the tag as it bound to
// the operator, and the tag to what stands right of it. "a && b" becomes "a && first() || second() && b", which leaves b alone
// where it was left alone before. DRIFTLESS_MUTATION=7 makes the change 7; DRIFTLESS_MUTATIONS_REACHED=FILE lists at the end
// which changes could have been seen ("r 7"), and which cannot be made this way because the other operator has another type or
// none ("u 9").
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#if __has_include(<gmpxx.h>)
#include <gmpxx.h>
#endif

namespace mutation {

inline constexpr int kMost = 8192;
inline constinit unsigned char reached[kMost] = {}, unsupported[kMost] = {};

inline int chosen()
{
    static const int id = std::getenv("DRIFTLESS_MUTATION") ? std::atoi(std::getenv("DRIFTLESS_MUTATION")) : -1;
    return id;
}

struct Report {
    ~Report()
    {
        const char* name = std::getenv("DRIFTLESS_MUTATIONS_REACHED");
        std::FILE* file = name ? std::fopen(name, "w") : nullptr;
        for (int id = 0; file && id < kMost; ++id)
            if (reached[id] || unsupported[id])
                std::fprintf(file, "%c %d\n", unsupported[id] ? 'u' : 'r', id);
        if (file)
            std::fclose(file);
    }
};
inline Report report;

template <int Id>
struct Unsupported {
    static inline const bool marked = (unsupported[Id] = 1, true);
};

template <int Id>
constexpr bool on()
{
    if (std::is_constant_evaluated())
        return false;
    reached[Id] = 1;
    return chosen() == Id;
}

enum class Op { Lt, Le, Gt, Ge, Eq, Ne, Add, Sub, Mul, Div };

template <Op O, class A, class B>
constexpr decltype(auto) apply(const A& a, const B& b)
{
    if constexpr (O == Op::Lt)
        return a < b;
    else if constexpr (O == Op::Le)
        return a <= b;
    else if constexpr (O == Op::Gt)
        return a > b;
    else if constexpr (O == Op::Ge)
        return a >= b;
    else if constexpr (O == Op::Eq)
        return a == b;
    else if constexpr (O == Op::Ne)
        return a != b;
    else if constexpr (O == Op::Add)
        return a + b;
    else if constexpr (O == Op::Sub)
        return a - b;
    else if constexpr (O == Op::Mul)
        return a * b;
    else
        return a / b;
}
template <Op O, class A, class B>
constexpr bool exists()
{
    if constexpr (O == Op::Lt)
        return requires(const A& a, const B& b) { a < b; };
    else if constexpr (O == Op::Le)
        return requires(const A& a, const B& b) { a <= b; };
    else if constexpr (O == Op::Gt)
        return requires(const A& a, const B& b) { a > b; };
    else if constexpr (O == Op::Ge)
        return requires(const A& a, const B& b) { a >= b; };
    else if constexpr (O == Op::Eq)
        return requires(const A& a, const B& b) { a == b; };
    else if constexpr (O == Op::Ne)
        return requires(const A& a, const B& b) { a != b; };
    else if constexpr (O == Op::Add)
        return requires(const A& a, const B& b) { a + b; };
    else if constexpr (O == Op::Sub)
        return requires(const A& a, const B& b) { a - b; };
    else if constexpr (O == Op::Mul)
        return requires(const A& a, const B& b) { a* b; };
    else
        return requires(const A& a, const B& b) { a / b; };
}

/// What an expression is worth: of an expression template the matrix or number that it stands for.
template <class T>
struct Worth {
    using Type = T;
};
template <class T>
requires requires { typename T::PlainObject; }
struct Worth<T> {
    using Type = typename T::PlainObject;
};
#if __has_include(<gmpxx.h>)
template <class T, class U>
struct Worth<__gmp_expr<T, U>> {
    using Type = __gmp_expr<T, T>;
};
#endif
template <Op O, class A, class B>
using Result =
    typename Worth<std::remove_cvref_t<decltype(apply<O>(std::declval<const A&>(), std::declval<const B&>()))>>::Type;

template <int Id, Op From, Op To>
struct Tag {
};
template <class A, int Id, Op From, Op To>
struct Left {
    const A& a;
};

template <int Id, Op From, Op To, class A, class B>
constexpr decltype(auto) either(const A& a, const B& b)
{
    if constexpr (exists<To, A, B>()) {
        if constexpr (std::is_same_v<Result<From, A, B>, Result<To, A, B>>) {
            using R = Result<From, A, B>;
            if (on<Id>())
                return R(apply<To>(a, b));
            return R(apply<From>(a, b));
        } else {
            if (!std::is_constant_evaluated())
                (void)Unsupported<Id>::marked;
            return apply<From>(a, b);
        }
    } else {
        if (!std::is_constant_evaluated())
            (void)Unsupported<Id>::marked;
        return apply<From>(a, b);
    }
}

#define MUTATION_BINARY(sign, name)                                                                                            \
    template <class A, int Id, Op To>                                                                                          \
    constexpr Left<A, Id, Op::name, To> operator sign(const A& a, Tag<Id, Op::name, To>)                                       \
    {                                                                                                                          \
        return {a};                                                                                                            \
    }                                                                                                                          \
    template <class A, int Id, Op To, class B>                                                                                 \
    constexpr decltype(auto) operator sign(Left<A, Id, Op::name, To> left, const B& b)                                         \
    {                                                                                                                          \
        return either<Id, Op::name, To>(left.a, b);                                                                            \
    }
MUTATION_BINARY(<, Lt)
MUTATION_BINARY(<=, Le)
MUTATION_BINARY(>, Gt)
MUTATION_BINARY(>=, Ge)
MUTATION_BINARY(==, Eq)
MUTATION_BINARY(!=, Ne)
MUTATION_BINARY(+, Add)
MUTATION_BINARY(-, Sub)
MUTATION_BINARY(*, Mul)
MUTATION_BINARY(/, Div)
#undef MUTATION_BINARY

template <class B, int Id, Op From, Op To>
struct Right {
    const B& b;
};

#define MUTATION_ASSIGNS(sign, name, other, otherName)                                                                         \
    template <class B, int Id>                                                                                                 \
    constexpr Right<B, Id, Op::name, Op::otherName> operator sign(Tag<Id, Op::name, Op::otherName>, const B& b)                \
    {                                                                                                                          \
        return {b};                                                                                                            \
    }                                                                                                                          \
    template <class A, class B, int Id>                                                                                        \
    constexpr decltype(auto) operator sign(A&& a, Right<B, Id, Op::name, Op::otherName> right)                                 \
    {                                                                                                                          \
        if constexpr (requires { a other right.b; }) {                                                                         \
            if (on<Id>())                                                                                                      \
                a other right.b;                                                                                               \
            else                                                                                                               \
                a sign right.b;                                                                                                \
        } else {                                                                                                               \
            (void)Unsupported<Id>::marked;                                                                                     \
            a sign right.b;                                                                                                    \
        }                                                                                                                      \
        return static_cast<A&&>(a);                                                                                            \
    }
MUTATION_ASSIGNS(+=, Add, -=, Sub)
MUTATION_ASSIGNS(-=, Sub, +=, Add)
MUTATION_ASSIGNS(*=, Mul, /=, Div)
MUTATION_ASSIGNS(/=, Div, *=, Mul)
#undef MUTATION_ASSIGNS

template <int Id>
inline thread_local bool leftHeld = false;

/// a && b, or a || b where it is changed.
template <int Id>
bool firstOfAnd()
{
    leftHeld<Id> = true;
    return on<Id>();
}
template <int Id>
bool secondOfAnd()
{
    const bool held = std::exchange(leftHeld<Id>, false);
    return on<Id>() || held;
}
/// a || b, or a && b where it is changed.
template <int Id>
bool firstOfOr()
{
    leftHeld<Id> = true;
    return !on<Id>();
}
template <int Id>
bool secondOfOr()
{
    const bool held = std::exchange(leftHeld<Id>, false);
    return !on<Id>() || held;
}

} // namespace mutation
