// Preloaded into the program: one of the system calls that write below the folder FAULT_UNDER goes wrong.
//
// Counted are calls that make, change, finish, rename or link a file or folder there, those of C++ streams among them; not what
// glibc's own streams write. At the FAULT_ATth
//   FAULT_MODE=refuse   the call fails: the disk is full
//   FAULT_MODE=full     so do all after it
//   FAULT_MODE=short    half of the bytes are written, and the call says so; other calls than writes pass
//   FAULT_MODE=kill     the program is killed, half of the bytes written
//   FAULT_MODE=slow     no call fails, but each takes FAULT_AT milliseconds, and a write takes half of the bytes: so that
//                       a kill from outside comes while a file is written
// With FAULT_AT=0 nothing goes wrong. FAULT_COUNT names a file that gets one byte for each call counted, so that a killed
// program tells it, too. Removing a file is counted, and may be the moment of a kill; it needs no room and passes otherwise. A
// program that goes on after a fault asks for the next one with faultyWritesArm(mode, at), which starts counting again, and
// reads faultyWritesCalls().
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr std::size_t kDescriptors = 4096;
std::array<std::atomic<bool>, kDescriptors> followed{};
std::atomic<long> calls{0};

enum class Fault { None, Refuse, Short, Kill, Slow };

std::atomic<long> faultAt{0};
std::atomic<bool> faultLasts{false};
std::atomic<Fault> faultKind{Fault::None};

void arm(const std::string& mode, long at)
{
    faultAt = 0;
    faultLasts = mode == "full";
    faultKind = Fault::Refuse;
    if (mode == "kill")
        faultKind = Fault::Kill;
    else if (mode == "short")
        faultKind = Fault::Short;
    else if (mode == "slow")
        faultKind = Fault::Slow;
    calls = 0;
    faultAt = at;
}

struct Settings {
    std::string under;
    int count = -1;
};

template <class F>
F original(const char* name)
{
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

const Settings& settings()
{
    static const Settings all = [] {
        Settings s;
        const auto text = [](const char* name) {
            const char* value = std::getenv(name);
            return std::string(value ? value : "");
        };
        s.under = text("FAULT_UNDER");
        arm(text("FAULT_MODE"), std::atol(text("FAULT_AT").c_str()));
        if (const std::string file = text("FAULT_COUNT"); !file.empty())
            s.count =
                original<int (*)(const char*, int, ...)>("open")(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        return s;
    }();
    return all;
}

bool below(int folder, const char* path)
{
    const std::string& under = settings().under;
    if (under.empty() || !path)
        return false;
    char place[PATH_MAX] = "";
    if (path[0] != '/') {
        const std::string link = "/proc/self/fd/" + std::to_string(folder);
        if (folder == AT_FDCWD ? !::getcwd(place, sizeof place) : ::readlink(link.c_str(), place, sizeof place - 1) < 0)
            return false;
    }
    const std::string full = path[0] == '/' ? path : std::string(place) + '/' + path;
    return full.compare(0, under.size(), under) == 0;
}

/// What is to happen to this call.
Fault next()
{
    const Settings& s = settings();
    const long now = ++calls;
    if (s.count >= 0) [[maybe_unused]]
        const auto told = original<ssize_t (*)(int, const void*, std::size_t)>("write")(s.count, ".", 1);
    const long at = faultAt;
    if (at > 0 && faultKind == Fault::Slow) {
        ::usleep(static_cast<useconds_t>(1000 * at));
        return Fault::Slow;
    }
    return at > 0 && (now == at || (faultLasts && now > at)) ? faultKind.load() : Fault::None;
}

/// Of a call that needs no room on the disk.
void mayBeTheLast()
{
    if (next() == Fault::Kill)
        ::raise(SIGKILL);
}

/// Of a call that cannot be done by halves: whether it fails.
bool fails()
{
    const Fault fault = next();
    if (fault == Fault::Kill)
        ::raise(SIGKILL);
    errno = fault == Fault::Refuse ? ENOSPC : errno;
    return fault == Fault::Refuse;
}

bool isFollowed(int descriptor)
{
    return descriptor >= 0 && static_cast<std::size_t>(descriptor) < kDescriptors
           && followed[static_cast<std::size_t>(descriptor)];
}

int follow(int descriptor, bool writes)
{
    if (descriptor >= 0 && static_cast<std::size_t>(descriptor) < kDescriptors)
        followed[static_cast<std::size_t>(descriptor)] = writes;
    return descriptor;
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0; }

template <class Open>
int opened(int folder, const char* path, int flags, Open open)
{
    const bool counts = writes(flags) && below(folder, path);
    if (counts && fails())
        return -1;
    return follow(open(), counts);
}

/// size: of the bytes; put(n) writes the first n of them.
template <class Put>
ssize_t written(int descriptor, std::size_t size, Put put)
{
    if (!isFollowed(descriptor))
        return put(size);
    const Fault fault = next();
    if (fault == Fault::Refuse) {
        errno = ENOSPC;
        return -1;
    }
    if (fault == Fault::None)
        return put(size);
    const ssize_t half = size > 1 ? put(size / 2) : 0;
    if (fault == Fault::Kill)
        ::raise(SIGKILL);
    return half > 0 ? half : put(size);
}

mode_t modeOf(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? static_cast<mode_t>(va_arg(list, int)) : 0; }

} // namespace

#define FAULTY_OPEN(name)                                                                                                      \
    int name(const char* path, int flags, ...)                                                                                 \
    {                                                                                                                          \
        va_list list;                                                                                                          \
        va_start(list, flags);                                                                                                 \
        const mode_t mode = modeOf(flags, list);                                                                               \
        va_end(list);                                                                                                          \
        return opened(AT_FDCWD, path, flags,                                                                                   \
                      [&] { return original<int (*)(const char*, int, ...)>(#name)(path, flags, mode); });                     \
    }
#define FAULTY_OPENAT(name)                                                                                                    \
    int name(int folder, const char* path, int flags, ...)                                                                     \
    {                                                                                                                          \
        va_list list;                                                                                                          \
        va_start(list, flags);                                                                                                 \
        const mode_t mode = modeOf(flags, list);                                                                               \
        va_end(list);                                                                                                          \
        return opened(folder, path, flags,                                                                                     \
                      [&] { return original<int (*)(int, const char*, int, ...)>(#name)(folder, path, flags, mode); });        \
    }
#define FAULTY_CALL(name, counts, parameters, arguments)                                                                       \
    int name parameters                                                                                                        \
    {                                                                                                                          \
        if ((counts) && fails())                                                                                               \
            return -1;                                                                                                         \
        return original<int(*) parameters>(#name) arguments;                                                                   \
    }

#define FAULTY_REMOVAL(name, folder, parameters, arguments)                                                                    \
    int name parameters                                                                                                        \
    {                                                                                                                          \
        if (below(folder, path))                                                                                               \
            mayBeTheLast();                                                                                                    \
        return original<int(*) parameters>(#name) arguments;                                                                   \
    }

extern "C" {

void faultyWritesArm(const char* mode, long at)
{
    settings();
    arm(mode, at);
}
long faultyWritesCalls() { return calls; }

FAULTY_OPEN(open)
FAULTY_OPEN(open64)
FAULTY_OPENAT(openat)
FAULTY_OPENAT(openat64)

FILE* fopen(const char* path, const char* mode)
{
    const bool counts = std::strpbrk(mode, "wa+") && below(AT_FDCWD, path);
    if (counts && fails())
        return nullptr;
    FILE* file = original<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
    if (file)
        follow(::fileno(file), counts);
    return file;
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

int close(int descriptor)
{
    follow(descriptor, false);
    return original<int (*)(int)>("close")(descriptor);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size)
{
    return written(descriptor, size, [&](std::size_t n) {
        return original<ssize_t (*)(int, const void*, std::size_t)>("write")(descriptor, bytes, n);
    });
}
ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t at)
{
    return written(descriptor, size, [&](std::size_t n) {
        return original<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(descriptor, bytes, n, at);
    });
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t at)
{
    return pwrite(descriptor, bytes, size, at);
}
/// By halves: the first piece alone.
ssize_t writev(int descriptor, const iovec* pieces, int count)
{
    return written(descriptor, static_cast<std::size_t>(count), [&](std::size_t n) {
        return original<ssize_t (*)(int, const iovec*, int)>("writev")(descriptor, pieces, static_cast<int>(n));
    });
}

FAULTY_CALL(fsync, isFollowed(descriptor), (int descriptor), (descriptor))
FAULTY_CALL(fdatasync, isFollowed(descriptor), (int descriptor), (descriptor))
FAULTY_CALL(ftruncate, isFollowed(descriptor), (int descriptor, off_t size), (descriptor, size))
FAULTY_CALL(rename, below(AT_FDCWD, to), (const char* from, const char* to), (from, to))
FAULTY_CALL(renameat, below(toFolder, to), (int fromFolder, const char* from, int toFolder, const char* to),
            (fromFolder, from, toFolder, to))
FAULTY_CALL(renameat2, below(toFolder, to), (int fromFolder, const char* from, int toFolder, const char* to, unsigned flags),
            (fromFolder, from, toFolder, to, flags))
FAULTY_CALL(link, below(AT_FDCWD, to), (const char* from, const char* to), (from, to))
FAULTY_CALL(symlink, below(AT_FDCWD, to), (const char* from, const char* to), (from, to))
FAULTY_CALL(mkdir, below(AT_FDCWD, path), (const char* path, mode_t mode), (path, mode))
FAULTY_CALL(mkdirat, below(folder, path), (int folder, const char* path, mode_t mode), (folder, path, mode))
FAULTY_REMOVAL(unlink, AT_FDCWD, (const char* path), (path))
FAULTY_REMOVAL(unlinkat, folder, (int folder, const char* path, int flags), (folder, path, flags))
FAULTY_REMOVAL(remove, AT_FDCWD, (const char* path), (path))
}
