#include "core/study/Fingerprint.h"

#include <cstdio>

namespace driftless::study {

Fingerprint& Fingerprint::add(std::string_view text)
{
    for (const char c : text)
        hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return *this;
}

std::string Fingerprint::text() const
{
    char out[17];
    std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(hash_));
    return out;
}

} // namespace driftless::study
