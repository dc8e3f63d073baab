#include "app/LastWords.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>

#include "app/Commands.h"

namespace driftless::app {

namespace {

constexpr std::string_view kNoMemory = "driftless: not enough memory for this request\n";
constexpr std::string_view kMistake = "driftless: a mistake inside of the program ended it\n";
constexpr std::size_t kToHandleIt = 256 << 10; ///< [bytes] that messages and unwinding need at most

void say(std::string_view text)
{
    [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void leave()
{
    say(kNoMemory);
    std::_Exit(kExitBadInput);
}

std::atomic<bool> refused{false}; ///< an allocation, at any time

/// Where little pieces are still to be had, only the request was too large: it is refused like any other.
void onRefusedAllocation()
{
    refused = true;
    void* volatile probe = std::malloc(kToHandleIt);
    if (!probe)
        leave();
    std::free(probe);
    throw std::bad_alloc();
}

/// An exception that nobody caught, or one where none may pass: libraries have functions that allocate and may not throw.
[[noreturn]] void onTerminate()
{
    if (refused)
        leave();
    if (const auto pending = std::current_exception()) {
        try {
            std::rethrow_exception(pending);
        } catch (const std::bad_alloc&) {
            leave();
        } catch (...) {
        }
    }
    say(kMistake);
    std::abort();
}

// GMP's own answer is to abort.
void* allocateForNumbers(std::size_t size)
{
    if (void* piece = std::malloc(size))
        return piece;
    leave();
}

void* reallocateForNumbers(void* piece, std::size_t, std::size_t size)
{
    if (void* larger = std::realloc(piece, size))
        return larger;
    leave();
}

} // namespace

void prepareLastWords()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) == -1) // the lowest free number is taken; what is written to standard output still fails
            [[maybe_unused]] const int taken = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    std::signal(SIGXFSZ, SIG_IGN);
    std::set_new_handler(onRefusedAllocation);
    std::set_terminate(onTerminate);
    ::mp_set_memory_functions(allocateForNumbers, reallocateForNumbers, nullptr);
}

} // namespace driftless::app
