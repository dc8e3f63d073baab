// Tableaus of one's own: what is written reads back to the same bits, and what is taken for a method has its order.
#include <bit>
#include <cstring>

#include "core/integrate/RungeKutta.h"
#include "core/integrate/Stability.h"
#include "core/run/TableauFile.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void checkMethod(const integrate::RungeKuttaTableau& tableau, const std::string& written)
{
    const auto method = integrate::methodFrom(tableau);
    if (!method)
        return;
    double sum = 0, size = 1;
    for (const double b : tableau.b) {
        sum += b;
        size += std::abs(b);
    }
    // The first order condition, with the slack that a person who types digits is given (a thousandth is no slack of any
    // digits).
    check(std::abs(sum - 1) <= 1e-3 * size, "a method of order one has weights that sum to one", written);
    check(method->info.order >= 1, "a method has an order", written);
    // y' = 0: every method stays where it is.
    const auto r = integrate::stabilityFunction(tableau);
    const double atZero = std::abs(r({0, 0}));
    check(!std::isfinite(atZero) || std::abs(atZero - 1) < 1e-6, "R(0) is 1", written);
    (void)integrate::stabilityOf(r);
    (void)integrate::endRule(tableau);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto tableau = run::readTableau(textOf(data, size), "input.toml");
    if (!tableau)
        return 0;
    const std::string written = run::writeTableau(*tableau);
    const auto again = run::readTableau(written, "input.toml");
    check(again.ok(), "a tableau that is written is read", written + (again ? "" : again.error().text()));
    check(again->stages == tableau->stages && sameBits(again->a, tableau->a) && sameBits(again->b, tableau->b)
              && sameBits(again->c, tableau->c) && sameBits(again->embedded, tableau->embedded),
          "a tableau that is written reads back to the same bits", written + "becomes\n" + run::writeTableau(*again));
    check(run::writeTableau(*again) == written, "a tableau is written in one way",
          written + "becomes\n" + run::writeTableau(*again));
    checkMethod(*tableau, written);
    return 0;
}
