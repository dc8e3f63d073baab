// Counts every allocation of the executable that includes this, in one source file of it: operator new in all its forms,
// and malloc, which Eigen and C libraries call.
//
// The count comes from replacing malloc itself. Under a sanitizer malloc belongs to the sanitizer, so nothing is counted
// there and a test that counts has to be skipped: `if (!countsAllocations()) QSKIP(...)`.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#ifdef DRIFTLESS_SANITIZED // from CMake: the test may be compiled without the sanitizer that the program is linked with
#define DRIFTLESS_COUNTS_ALLOCATIONS 0
#else
#define DRIFTLESS_COUNTS_ALLOCATIONS 1
#endif

namespace driftless::test {

inline std::atomic<long> allocationCounter{0};

/// Allocations of all threads since the program began.
inline long allocationCount() { return allocationCounter.load(); }

/// False under a sanitizer, where nothing is counted.
constexpr bool countsAllocations() { return DRIFTLESS_COUNTS_ALLOCATIONS != 0; }

} // namespace driftless::test

#if DRIFTLESS_COUNTS_ALLOCATIONS
// What glibc itself calls its allocator by; free needs no replacement, since all of it is glibc's memory.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept
{
    ++driftless::test::allocationCounter;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept
{
    ++driftless::test::allocationCounter;
    return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) noexcept
{
    ++driftless::test::allocationCounter;
    return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept
{
    ++driftless::test::allocationCounter;
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    ++driftless::test::allocationCounter;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) noexcept
{
    ++driftless::test::allocationCounter;
    *p = __libc_memalign(alignment, size);
    return *p ? 0 : ENOMEM;
}
}
#endif
