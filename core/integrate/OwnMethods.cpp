// Methods of one's own beside the catalogue, known to the whole program by an id that says which numbers they have.
#include <bit>
#include <cctype>
#include <cstdio>
#include <mutex>

#include "core/integrate/RungeKutta.h"

namespace driftless::integrate {
namespace {

constexpr std::size_t kLongestName = 24;
constexpr std::uint32_t kDigits = 0xffffff; ///< six of them

struct Known {
    std::mutex mutex;
    std::vector<std::shared_ptr<const RungeKuttaMethod>> methods;
};

Known& known()
{
    static Known all;
    return all;
}

/// Of all entries, by FNV-1a.
std::uint32_t digitsOf(const RungeKuttaTableau& t)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto mix = [&hash](std::uint64_t v) {
        for (int byte = 0; byte < 8; ++byte)
            hash = (hash ^ (v >> (8 * byte) & 0xff)) * 0x100000001b3u;
    };
    for (const auto* list : {&t.c, &t.a, &t.b, &t.embedded}) {
        mix(list->size());
        for (const double v : *list)
            mix(std::bit_cast<std::uint64_t>(v + 0.0)); // -0 is 0
    }
    return static_cast<std::uint32_t>(hash ^ hash >> 32) & kDigits;
}

std::string idOf(const RungeKuttaTableau& t)
{
    std::string name;
    for (const char c : t.name.substr(0, kLongestName)) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) && byte < 0x80)
            name += static_cast<char>(std::tolower(byte));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-')
        name.pop_back();
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06x", static_cast<unsigned>(digitsOf(t)));
    return "own-" + (name.empty() ? std::string() : name + "-") + digits;
}

} // namespace

std::shared_ptr<const RungeKuttaMethod> addOwnMethod(RungeKuttaMethod method)
{
    method.info.id = idOf(method.tableau);
    const std::lock_guard lock(known().mutex);
    for (const auto& one : known().methods)
        if (one->info.id == method.info.id)
            return one;
    return known().methods.emplace_back(std::make_shared<const RungeKuttaMethod>(std::move(method)));
}

std::vector<std::shared_ptr<const RungeKuttaMethod>> ownMethods()
{
    const std::lock_guard lock(known().mutex);
    return known().methods;
}

std::shared_ptr<const RungeKuttaMethod> findOwnMethod(std::string_view id)
{
    const std::lock_guard lock(known().mutex);
    for (const auto& one : known().methods)
        if (one->info.id == id)
            return one;
    return nullptr;
}

} // namespace driftless::integrate
