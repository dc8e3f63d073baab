// Preloaded into the program: refuses the REFUSE_ATth allocation after the start of main, and with REFUSE_FOREVER all that
// follow. With REFUSE_AT=0 none is refused, and their number is written to standard error at the end.
#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

using Allocate = void* (*)(std::size_t);
using Reallocate = void* (*)(void*, std::size_t, std::size_t);
using Release = void (*)(void*, std::size_t);
}

namespace {

std::atomic<bool> armed{false};
std::atomic<long> count{0};
long refusedAt = 0;
bool forever = false;

bool refuse()
{
    if (!armed)
        return false;
    const long now = ++count;
    const bool refused = refusedAt > 0 && (now == refusedAt || (forever && now > refusedAt));
    if (refused)
        errno = ENOMEM;
    return refused;
}

__attribute__((destructor)) void tell()
{
    armed = false;
    char text[40];
    if (refusedAt == 0 && count > 0) [[maybe_unused]]
        const auto written =
            ::write(2, text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "allocations %ld\n", count.load())));
}

} // namespace

extern "C" {

void* malloc(std::size_t size) { return refuse() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t number, std::size_t size) { return refuse() ? nullptr : __libc_calloc(number, size); }
void* realloc(void* piece, std::size_t size) { return refuse() ? nullptr : __libc_realloc(piece, size); }

/// The last thing that the program does before its work begins (app/LastWords.cpp).
void __gmp_set_memory_functions(Allocate allocate, Reallocate reallocate, Release release)
{
    using Set = void (*)(Allocate, Reallocate, Release);
    if (const auto real = reinterpret_cast<Set>(::dlsym(RTLD_NEXT, "__gmp_set_memory_functions")))
        real(allocate, reallocate, release);
    if (const char* at = std::getenv("REFUSE_AT")) {
        refusedAt = std::atol(at);
        forever = std::getenv("REFUSE_FOREVER") != nullptr;
        armed = true;
    }
}
}
