// Sums written term by term: "-2 a + b - c".
#pragma once

#include <string_view>

namespace driftless::text {

/// What stands before the size of a term: its sign, with blanks around it but for the first term, which has no plus.
constexpr std::string_view signOf(bool negative, bool first)
{
    if (first)
        return negative ? "-" : "";
    return negative ? " - " : " + ";
}

} // namespace driftless::text
