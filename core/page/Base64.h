// Bytes as text that JSON and HTML carry unchanged (RFC 4648).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace driftless::page {

std::string base64(std::span<const std::uint8_t> bytes);

} // namespace driftless::page
