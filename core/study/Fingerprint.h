// Tells bytes apart that accident made different; not against forgery.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace driftless::study {

/// FNV-1a, 64 bits, of one text after another, as 16 hexadecimal digits.
class Fingerprint {
public:
    Fingerprint& add(std::string_view text);
    std::string text() const;

private:
    std::uint64_t hash_ = 14695981039346656037ull;
};

} // namespace driftless::study
