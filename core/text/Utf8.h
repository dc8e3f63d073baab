// Characters of UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <string_view>

namespace driftless::text {

/// Bytes of the well-formed character at the start of the text, 0 where none begins: no overlong forms, no surrogates, nothing
/// above U+10FFFF.
std::size_t characterLength(std::string_view text);

} // namespace driftless::text
