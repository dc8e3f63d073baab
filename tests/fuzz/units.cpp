// Texts of units: what a dimension is written as reads back as the same dimension.
#include "core/expr/Units.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const auto dimension = expr::parseUnit(text);
    if (!dimension)
        return 0;
    constexpr double kMostRead = 99; // two digits
    for (const double exponent : *dimension) {
        fuzz::check(std::isfinite(exponent), "exponents are finite", std::string(text));
        if (std::abs(exponent) > kMostRead)
            return 0;
    }
    const std::string written = expr::unitText(*dimension);
    const auto again = expr::parseUnit(written);
    fuzz::check(again.has_value() && *again == *dimension, "a dimension that is written reads back",
                std::string(text) + " -> " + written);
    return 0;
}
