#include "core/text/WholeFile.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text/PartFile.h"

namespace driftless {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGathered = 64 << 10; ///< [bytes]
constexpr int kMostLinks = 40;              ///< as the system allows

Diagnostic refusal(const std::string& path, const std::string& why, const std::string& remedy)
{
    return {.what = "The file could not be written", .where = path, .why = why, .remedy = remedy};
}

/// In words that help; the system's own for the rest.
Diagnostic refusal(const std::string& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        return refusal(path, "the disk is full", "make room, or choose another folder");
    if (error == EFBIG)
        return refusal(path, "a file may not be that large here", "a smaller file, or another folder");
    if (error == EACCES || error == EPERM || error == EROFS)
        return refusal(path, "it may not be written: " + std::generic_category().message(error), "another folder");
    if (error == ENAMETOOLONG)
        return refusal(path, "its name is too long for this disk", "a shorter name");
    return refusal(path, std::generic_category().message(error), "another folder");
}

/// The file that a chain of symbolic links ends at; it need not exist.
Result<fs::path> behindLinks(const std::string& path)
{
    fs::path place(path);
    std::error_code error;
    for (int i = 0; i < kMostLinks; ++i) {
        if (!fs::is_symlink(fs::symlink_status(place, error)))
            return place;
        const fs::path next = fs::read_symlink(place, error);
        if (error)
            return refusal(path, error.value());
        place = next.is_absolute() ? next : place.parent_path() / next;
    }
    return refusal(path, ELOOP);
}

std::string folderOf(const fs::path& file) { return file.has_parent_path() ? file.parent_path().string() : "."; }

/// What stands in the way of writing there, before anything is opened.
Result<void> checkPlace(const std::string& path, const fs::path& target)
{
    if (path.empty() || !target.has_filename())
        return refusal(path, "a file name is needed to write to", "name a file, not a folder");
    struct stat old = {};
    if (::stat(target.c_str(), &old) != 0) {
        struct stat folder = {};
        const std::string name = folderOf(target);
        if (::stat(name.c_str(), &folder) == 0 && S_ISDIR(folder.st_mode))
            return {};
        return Diagnostic{.what = "The folder to write into does not exist",
                          .where = path,
                          .why = "there is no folder " + name,
                          .remedy = "create it first"};
    }
    if (!S_ISREG(old.st_mode))
        return refusal(path, "only regular files are written; a folder, device or pipe is in the way", "another name");
    if (::access(target.c_str(), W_OK) != 0)
        return refusal(path, errno);
    return {};
}

/// Permissions and, where that is allowed, owner and group of the file that is replaced.
void keepAttributes(int descriptor, const struct stat& old)
{
    // Who may not give a file away keeps it, but may often keep its group: each by itself. The bits that lend an identity are
    // never kept.
    const bool group = ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
    [[maybe_unused]] const int owner = ::fchown(descriptor, old.st_uid, static_cast<gid_t>(-1));
    // What the old group was allowed says nothing of another one: that may what everybody may.
    const mode_t others = old.st_mode & 0007, ofGroup = group ? old.st_mode & 0070 : others << 3 & old.st_mode;
    [[maybe_unused]] const int mode = ::fchmod(descriptor, (old.st_mode & 0700) | ofGroup | others);
}

int synchronise(int descriptor)
{
    int done = 0;
    do {
        done = ::fsync(descriptor);
    } while (done != 0 && errno == EINTR);
    // Some file systems cannot; that is no failure of the writing.
    return done == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ? 0 : errno;
}

constexpr int kMostExchanges = 20; ///< with others who write the same file all the time

enum class Replaced { Moved, Exchanged, AnothersStays, Stranded, Again, Failed };

/// One try to put ours, which lies at temporary, in the place of a file that is known.
Replaced replaceKnown(const std::string& temporary, const std::string& target, const struct stat& ours, const KnownFile& known)
{
    const auto renamed = [](const std::string& from, const std::string& to, unsigned flags) {
        return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
    };
    struct stat there = {};
    const bool exists = ::stat(target.c_str(), &there) == 0;
    if (exists && !known(target))
        return Replaced::AnothersStays;
    if (renamed(temporary, target, exists ? RENAME_EXCHANGE : RENAME_NOREPLACE)) {
        if (!exists)
            return Replaced::Moved;
        if (known(temporary))
            return Replaced::Exchanged;
        // Somebody wrote it since the look: it goes back. What comes out then is ours, or what somebody wrote in its place.
        if (!renamed(temporary, target, RENAME_EXCHANGE))
            return Replaced::Stranded;
        if (::stat(temporary.c_str(), &there) == 0 && (there.st_ino != ours.st_ino || there.st_dev != ours.st_dev))
            (void)renamed(temporary, target, RENAME_EXCHANGE);
        return Replaced::AnothersStays;
    }
    if (errno == ENOENT || errno == EEXIST)
        return Replaced::Again; // it went, or came, in between
    const bool cannot = errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
    return cannot && ::rename(temporary.c_str(), target.c_str()) == 0 ? Replaced::Moved : Replaced::Failed;
}

} // namespace

Result<WholeFile> WholeFile::create(const std::string& path)
{
    const auto target = behindLinks(path);
    if (!target)
        return target.error();
    if (auto allowed = checkPlace(path, *target); !allowed)
        return allowed.error();
    WholeFile file(path, target->string());
    if (auto opened = file.open(); !opened)
        return opened.error();
    return file;
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)), target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})),
      gathered_(std::move(other.gathered_)), descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_)
{
}

WholeFile::~WholeFile() { discard(); }

void WholeFile::discard()
{
    if (descriptor_ >= 0)
        ::close(std::exchange(descriptor_, -1));
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
    temporary_.clear();
}

Result<void> WholeFile::open()
{
    static std::atomic<unsigned> made{0};
    constexpr int kTries = 100; // names that a process of the same number left behind
    const fs::path target(target_);
    removeLeftParts(folderOf(target)); // first: it may be what fills the disk
    struct stat old = {};
    const bool replaces = ::stat(target_.c_str(), &old) == 0;
    for (int i = 0; i < kTries; ++i) {
        std::string place = (target.parent_path() / partName(target.filename().string(), made++)).string();
        descriptor_ = ::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
        if (descriptor_ >= 0) {
            temporary_ = std::move(place);
            claimPart(descriptor_);
            if (replaces)
                keepAttributes(descriptor_, old);
            return {};
        }
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    return failed(errno);
}

Result<void> WholeFile::failed(int error)
{
    error_ = error;
    gathered_ = {};
    return refusal(path_, error);
}

Result<void> WholeFile::write(std::string_view bytes)
{
    if (error_ != 0)
        return refusal(path_, error_);
    gathered_.append(bytes);
    return gathered_.size() < kGathered ? Result<void>{} : flush();
}

Result<void> WholeFile::flush()
{
    std::string_view left = gathered_;
    while (!left.empty()) {
        const ssize_t count = ::write(descriptor_, left.data(), left.size());
        if (count < 0 && errno != EINTR)
            return failed(errno);
        if (count == 0)
            return failed(EIO);
        if (count > 0)
            left.remove_prefix(static_cast<std::size_t>(count));
    }
    gathered_.clear();
    return {};
}

Result<void> WholeFile::toDisk()
{
    if (error_ != 0)
        return refusal(path_, error_);
    if (auto flushed = flush(); !flushed)
        return flushed;
    // Its time is now: between letting go and renaming nobody takes it for left behind.
    [[maybe_unused]] const int renewed = ::futimens(descriptor_, nullptr);
    if (const int error = synchronise(descriptor_))
        return failed(error);
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        return failed(errno);
    return {};
}

void WholeFile::synchroniseFolder() const
{
    // The name is on the disk, too. A folder that cannot be opened for that has the file all the same.
    if (const int folder = ::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        synchronise(folder);
        ::close(folder);
    }
}

Result<void> WholeFile::commit()
{
    if (auto done = toDisk(); !done)
        return done;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
        return failed(errno);
    temporary_.clear();
    synchroniseFolder();
    return {};
}

Result<bool> WholeFile::commitOver(const KnownFile& known)
{
    if (auto done = toDisk(); !done)
        return done.error();
    // Another's file may have this name for a moment: from now on it is none that is removed where it was left behind.
    const std::string under = temporary_ + ".replaced";
    if (::rename(temporary_.c_str(), under.c_str()) != 0)
        return failed(errno).error();
    temporary_ = under;
    struct stat ours = {};
    if (::stat(temporary_.c_str(), &ours) != 0)
        return failed(errno).error();
    Replaced outcome = Replaced::Again;
    for (int i = 0; i < kMostExchanges && outcome == Replaced::Again; ++i)
        outcome = replaceKnown(temporary_, target_, ours, known);
    if (outcome == Replaced::Stranded) // it is nobody's to remove
        return refusal(path_,
                       "what another program wrote there meanwhile could not be put back; it is in "
                           + std::exchange(temporary_, {}),
                       "look at both files");
    if (outcome == Replaced::Again)
        errno = EBUSY;
    if (outcome == Replaced::Again || outcome == Replaced::Failed)
        return failed(errno).error();
    if (outcome == Replaced::Moved)
        temporary_.clear(); // else the file that gave way has its name, and goes with it
    else
        discard();
    synchroniseFolder();
    return outcome != Replaced::AnothersStays;
}

Result<void> writeWholeFile(const std::string& path, std::string_view bytes)
{
    auto file = WholeFile::create(path);
    if (!file)
        return file.error();
    if (auto written = file->write(bytes); !written)
        return written;
    return file->commit();
}

Result<bool> writeWholeFileOver(const std::string& path, std::string_view bytes, const KnownFile& known)
{
    std::error_code error;
    if (fs::exists(path, error) && !known(path))
        return false;
    auto file = WholeFile::create(path);
    if (!file)
        return file.error();
    if (auto written = file->write(bytes); !written)
        return written.error();
    return file->commitOver(known);
}

Result<void> checkWritable(const std::string& path)
{
    const auto file = WholeFile::create(path);
    return file ? Result<void>{} : Result<void>{file.error()};
}

} // namespace driftless
