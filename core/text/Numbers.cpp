#include "core/text/Numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace driftless::text {

namespace {

constexpr int kMostDigits = 40;
constexpr std::size_t kLongest = 400; ///< characters: 309 digits before the point, kMostDigits behind it

std::string written(double value, std::chars_format format, int digits)
{
    char buffer[kLongest];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format, std::clamp(digits, 0, kMostDigits)).ptr};
}

} // namespace

std::string exact(double value)
{
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string rounded(double value, int digits) { return written(value, std::chars_format::general, digits); }
std::string fixed(double value, int decimals) { return written(value, std::chars_format::fixed, decimals); }
std::string scientific(double value, int decimals) { return written(value, std::chars_format::scientific, decimals); }

std::string csvNumber(double value) { return std::isnan(value) ? std::string() : exact(value); }

std::string tomlFloat(double value)
{
    const std::string out = exact(value);
    return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

std::optional<double> readNumber(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

} // namespace driftless::text
