#include "app/LastWords.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>

#include "app/Commands.h"

namespace driftless::app {

namespace {

constexpr std::string_view kNoMemory = "driftless: not enough memory for this request\n";
constexpr std::string_view kMistake = "driftless: a mistake inside of the program ended it\n";
constexpr std::size_t kToHandleIt = 256 << 10; ///< [bytes] that messages and unwinding need at most

void say(std::string_view text) { [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size()); }

[[noreturn]] void leave()
{
    say(kNoMemory);
    std::_Exit(kExitBadInput);
}

thread_local bool refused = false; ///< an allocation of this thread, at any time

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

/// Whether an exception says that memory, or a thread, was refused.
bool isRefusal(const std::exception_ptr& exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const std::system_error& error) {
        return error.code() == std::errc::resource_unavailable_try_again || error.code() == std::errc::not_enough_memory;
    } catch (...) {
        return false;
    }
}

/// An exception that nobody caught, or one where none may pass: libraries have functions that allocate and may not throw. The
/// exception decides, not a refusal of long ago; where none is at hand, but one is on its way past what had to end first, the
/// last refusal does.
[[noreturn]] void onTerminate()
{
    const auto pending = std::current_exception();
    if (pending ? isRefusal(pending) : refused && std::uncaught_exceptions() > 0)
        leave();
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
            [[maybe_unused]]
            const int taken = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    std::signal(SIGXFSZ, SIG_IGN);
    std::set_new_handler(onRefusedAllocation);
    std::set_terminate(onTerminate);
    ::mp_set_memory_functions(allocateForNumbers, reallocateForNumbers, nullptr);
}

} // namespace driftless::app
