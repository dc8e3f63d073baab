#include "core/text/PartFile.h"

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <mutex>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace driftless {

namespace {

constexpr std::string_view kPart = ".part";
constexpr std::size_t kLongestStem = 150, kLongestExtension = 32; ///< [bytes]: names have 255 at most
constexpr int kMostEntries = 10'000;                              ///< of a folder: some milliseconds
/// A folder with more entries is not looked through for every file that is written into it: a sweep writes thousands.
constexpr int kManyEntries = 200;
constexpr std::chrono::seconds kLookAgain(60); ///< a tenth of kLeftSeconds

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Moves at before the digits that end there; whether there are any.
bool passDigits(std::string_view name, std::size_t& at)
{
    const std::size_t end = at;
    while (at > 0 && isDigit(name[at - 1]))
        --at;
    return at < end;
}

/// A regular file of this user with one name that was not written lately.
bool mayBeLeft(const struct stat& file)
{
    return S_ISREG(file.st_mode) && file.st_uid == ::geteuid() && file.st_nlink == 1
           && std::time(nullptr) - file.st_mtime >= kLeftSeconds;
}

void removeIfLeft(int folder, const char* name)
{
    struct stat named = {}, opened = {};
    if (::fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) != 0 || !mayBeLeft(named))
        return;
    const int descriptor = ::openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    // Asked again under the lock: another process may have removed it meanwhile, and made one of the same name.
    const bool left = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &opened) == 0 && mayBeLeft(opened)
                      && ::fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == opened.st_ino
                      && named.st_dev == opened.st_dev;
    if (left)
        ::unlinkat(folder, name, 0);
    ::close(descriptor);
}

/// The large folders that this process looked through lately.
class LookedThrough {
public:
    bool lately(const struct stat& folder)
    {
        const std::scoped_lock lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        for (const Look& look : looks_)
            if (look.inode == folder.st_ino && look.device == folder.st_dev && now - look.when < kLookAgain)
                return true;
        return false;
    }
    void note(const struct stat& folder)
    {
        const std::scoped_lock lock(mutex_);
        looks_[next_++ % looks_.size()] = {folder.st_dev, folder.st_ino, std::chrono::steady_clock::now()};
    }

private:
    struct Look {
        dev_t device = 0;
        ino_t inode = 0;
        std::chrono::steady_clock::time_point when{};
    };
    std::mutex mutex_;
    std::array<Look, 16> looks_; ///< the parts of a sweep that are put together
    std::size_t next_ = 0;
};

} // namespace

std::string partName(const std::string& target, unsigned number)
{
    const std::filesystem::path name(target);
    return "." + name.stem().string().substr(0, kLongestStem) + "." + std::to_string(::getpid()) + "-" + std::to_string(number)
           + std::string(kPart) + name.extension().string().substr(0, kLongestExtension);
}

bool isPartName(std::string_view name)
{
    if (name.empty() || name[0] != '.')
        return false;
    for (std::size_t found = name.find(kPart); found != std::string_view::npos; found = name.find(kPart, found + 1)) {
        const std::size_t end = found + kPart.size();
        const bool ends = end == name.size() || (name[end] == '.' && name.find('.', end + 1) == std::string_view::npos);
        std::size_t at = found;
        if (!ends || !passDigits(name, at) || name[at - 1] != '-')
            continue;
        --at;
        if (passDigits(name, at) && at > 2 && name[at - 1] == '.') // a dot, a letter at least, a dot
            return true;
    }
    return false;
}

void claimPart(int descriptor) { [[maybe_unused]] const int done = ::flock(descriptor, LOCK_EX | LOCK_NB); }

void removeLeftParts(const std::string& folder)
{
    static LookedThrough looked;
    DIR* const list = ::opendir(folder.c_str());
    if (!list)
        return;
    struct stat itself = {};
    const bool known = ::fstat(::dirfd(list), &itself) == 0;
    if (known && looked.lately(itself)) {
        ::closedir(list);
        return;
    }
    int i = 0;
    for (; i < kMostEntries; ++i) {
        const dirent* const entry = ::readdir(list);
        if (!entry)
            break;
        if (isPartName(entry->d_name))
            removeIfLeft(::dirfd(list), entry->d_name);
    }
    if (known && i > kManyEntries)
        looked.note(itself);
    ::closedir(list);
}

} // namespace driftless
