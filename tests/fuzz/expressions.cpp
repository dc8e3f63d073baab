// Texts of expressions. What is printed parses back to the same structure, machine code and interpreter give the same bits, and
// a derivative is the limit of difference quotients.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <vector>

#include "core/expr/Node.h"
#include "core/expr/Parse.h"
#include "core/expr/Print.h"
#include "core/expr/Size.h"
#include "core/expr/Tape.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

std::optional<expr::Expr> known(std::string_view name, int primes)
{
    if (name == "t")
        return primes == 0 ? std::optional(expr::time()) : std::nullopt;
    for (const std::string_view p : {"L", "m", "g"})
        if (name == p)
            return primes == 0 ? std::optional(expr::parameter(std::string(name))) : std::nullopt;
    for (const std::string_view v : {"x", "y", "bob.x"})
        if (name == v)
            return primes <= 3 ? std::optional(expr::variable(std::string(name), primes)) : std::nullopt;
    return std::nullopt;
}

/// Twelve digits in a row, or a number with fewer digits than doubles have, below 1e-307.
bool holdsLongNumber(const std::string& text)
{
    int digits = 0;
    return text.find("e-32") != std::string::npos || text.find("e-31") != std::string::npos
           || text.find("e-308") != std::string::npos || std::any_of(text.begin(), text.end(), [&digits](char c) {
                  digits = c >= '0' && c <= '9' ? digits + 1 : 0;
                  return digits >= 12;
              });
}

void checkPrinting(const expr::Expr& e)
{
    if (expr::writtenSize(e) > Budget::kTerms)
        return;
    const std::string text = expr::print(e);
    constexpr expr::ParseLimits kOwn{1u << 20,
                                     1000}; // what the program prints may have more brackets than what a person may write
    const auto again = expr::parse(text, known, {}, {}, kOwn);
    check(again.ok(), "what is printed parses", text + (again ? "" : "\n" + again.error().text()));
    // Denominators whose common multiple fits into no number leave a sum without its content, and a multiple of it is another
    // sum: such a text becomes one that stays.
    const auto lasting = holdsLongNumber(text) ? expr::parse(expr::print(*again), known, {}, {}, kOwn) : again;
    check(lasting && lasting->sameAs(holdsLongNumber(text) ? *again : e), "what is printed parses to the same structure",
          text + "\nbecomes\n" + expr::print(*again));
    const std::string latex = expr::print(e, expr::Format::Latex);
    int open = 0;
    for (const char c : latex) {
        if (c == '{')
            ++open;
        else if (c == '}')
            --open;
        check(open >= 0, "braces of LaTeX match", latex);
    }
    check(open == 0, "braces of LaTeX match", latex);
    (void)expr::print(e, expr::Format::Html);
    (void)expr::printShort(e);
}

bool sameBits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

void checkTape(const std::vector<expr::Expr>& outputs, const std::vector<expr::Symbol>& symbols, Drawn drawn)
{
    const auto tape = expr::Tape::compile(outputs, {symbols});
    check(tape.ok(), "an expression of known symbols compiles", tape ? "" : tape.error().text());
    const expr::Tape slow = tape->interpreted();
    for (int point = 0; point < 4; ++point) {
        constexpr double kSpecial[] = {0, -0.0, 1, -1, 0.5, 2, 1e-300, 1e300, -1e155, 5e-324, 3};
        std::vector<double> values(symbols.size());
        for (double& v : values)
            v = point < 2 ? drawn.between(-3, 3) : kSpecial[drawn.next() % std::size(kSpecial)];
        std::vector<double> fast(outputs.size()), plain(outputs.size());
        auto work = tape->workspace(), slowWork = slow.workspace();
        const bool a = tape->evaluate({values.data()}, fast.data(), work),
                   b = slow.evaluate({values.data()}, plain.data(), slowWork);
        check(a == b, "machine code and interpreter agree on the domain", expr::print(outputs[0]));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            check(sameBits(fast[i], plain[i]), "machine code and interpreter give the same bits",
                  expr::printShort(outputs[i]) + ": " + std::to_string(fast[i]) + " and " + std::to_string(plain[i]));
        if (!a)
            (void)tape->locate({values.data()});
    }
}

/// Whether e has a sum on the way in which a shift of s by 2.5e-4 is lost or falls onto a coarse grid, as in x*sin(x + 1e300),
/// cos(m - (x/y)^90)*m or tan(1/(4444444*t) - 5333040); or a part whose square, by which the slope of 1/x divides, is no
/// number. evaluate: a part of e, with s shifted.
template <class Evaluate>
bool losesShift(const expr::Expr& e, const expr::Symbol& s, const Evaluate& evaluate)
{
    constexpr double kDigits = 1e-11; // of the sum that the shift has to change
    constexpr double kLarge = 1e140;
    std::unordered_set<const expr::Node*> seen;
    std::vector<expr::Expr> open{e};
    while (!open.empty()) {
        const expr::Expr part = open.back();
        const expr::Node& node = part.node();
        open.pop_back();
        if (!seen.insert(&node).second || !expr::dependsOn(part, s))
            continue;
        if (const double size = std::abs(evaluate(part, 0)); !(size < kLarge) || (size < 1 / kLarge && size > 0))
            return true;
        double largest = std::abs(node.number.value);
        for (std::size_t i = 0; i < node.args.size(); ++i) {
            open.push_back(node.args[i]);
            if (node.op == expr::Op::Add)
                largest = std::max(largest, std::abs(node.weights[i].value * evaluate(node.args[i], 0)));
        }
        if (node.op == expr::Op::Add && !(std::abs(evaluate(part, 2.5e-4) - evaluate(part, 0)) > kDigits * largest))
            return true;
    }
    return false;
}

/// Where three difference quotients agree, the derivative has to be near them. Kinks and round-off make them disagree.
void checkDerivative(const expr::Expr& e, const expr::Expr& slope, const expr::Symbol& s,
                     const std::vector<expr::Symbol>& symbols, Drawn drawn)
{
    std::vector<double> point(symbols.size());
    for (double& v : point)
        v = drawn.between(0.3, 1.7);
    const auto at = [&](const expr::Expr& of, double shift) {
        return expr::evaluate(of,
                              [&](const expr::Symbol& wanted) -> std::optional<double> {
                                  for (std::size_t i = 0; i < symbols.size(); ++i)
                                      if (symbols[i] == wanted)
                                          return point[i] + (wanted == s ? shift : 0);
                                  return std::nullopt;
                              })
            .value_or(NAN);
    };
    double quotient[3], most = 0;
    for (int k = 0; k < 3; ++k) {
        const double h = std::ldexp(1e-3, -k), above = at(e, h), below = at(e, -h);
        quotient[k] = (above - below) / (2 * h);
        most = std::max({most, std::abs(above), std::abs(below)});
    }
    const double noise = 1e3 * 2.3e-16 * most / 2.5e-4, size = std::abs(quotient[2]);
    if (most < 1e-140)
        return; // the slope of 1/x divides by x^2, which may be beyond the largest number where x is not
    if (at(e, 1) == at(e, 0) && at(e, -1) == at(e, 0))
        return; // a number that is far larger swallows it, as in sin(x + 1e300)
    const double found = at(slope, 0);
    for (const double q : quotient)
        if (!std::isfinite(q) || std::abs(q - quotient[2]) > 1e-5 * size + noise)
            return;
    if (!std::isfinite(found))
        return; // 0 * infinity on the way; locate() tells
    const bool near = std::abs(found - quotient[2]) <= 1e-3 * std::max(size, std::abs(found)) + noise;
    check(near || losesShift(e, s, at), "a derivative is the limit of difference quotients",
          expr::print(e) + "\nd/d" + s.text() + " = " + expr::printShort(slope) + " = " + std::to_string(found)
              + ", differences " + std::to_string(quotient[2]));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = textOf(data, size);
    const auto parsed = expr::parse(text, known, {"input", 1, 1}, {"t", "L", "m", "g", "x", "y", "bob.x"});
    if (!parsed) {
        check(!parsed.error().what.empty() && parsed.error().position.line > 0, "a refusal says what and where",
              parsed.error().text());
        return 0;
    }
    const expr::Expr& e = *parsed;
    checkPrinting(e);
    const auto symbols = expr::symbolsOf(e);
    std::vector<expr::Expr> outputs{e};
    if (expr::derivativeSize(e, 1) < Budget::kTerms && expr::nodeCount(e) < static_cast<std::size_t>(Budget::kTerms))
        for (const expr::Symbol& s : symbols) {
            outputs.push_back(expr::derivative(e, s));
            checkDerivative(e, outputs.back(), s, symbols, Drawn(text));
            if (outputs.size() == 3)
                break;
        }
    checkTape(outputs, symbols, Drawn(text));
    if (expr::expandedTerms(e) < Budget::kTerms) {
        checkPrinting(expr::expand(e));
        checkPrinting(expr::simplified(e));
    }
    return 0;
}
