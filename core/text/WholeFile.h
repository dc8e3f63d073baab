// The one writer of files. What the program makes appears whole or not at all: it is written beside its place, checked at every
// write, at the flush to the disk and at the close, and renamed only then. A good older file survives every failure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/Result.h"

namespace driftless {

/// Whether the file at this path holds what somebody expects there.
using KnownFile = std::function<bool(const std::string& path)>;

/// A file under way. Permissions of an older file are kept; a symbolic link is written through; a device, a pipe, a folder or a
/// file that may not be written is refused. Without commit() nothing remains; what a killed program leaves in the folder is
/// removed (PartFile.h). Errors name the path and the system's reason.
class WholeFile {
public:
    static Result<WholeFile> create(const std::string& path);
    ~WholeFile();
    WholeFile(WholeFile&& other) noexcept;
    WholeFile& operator=(WholeFile&&) = delete;

    /// Adds bytes. Small pieces are gathered, so a full disk may be told some 64 KiB late; the first failure is told again by
    /// each later call and by commit().
    Result<void> write(std::string_view bytes);
    /// To the disk, and into place.
    Result<void> commit();
    /// The same where the file that is replaced is one that the caller knows: known is asked about the very file that gave way,
    /// under a name of its own, so that nobody can write between the look and the replacing. False: it is another's; it stays
    /// (or is back) in its place, and these bytes are dropped. Where no file stands there is nothing to ask about. On file
    /// systems that cannot exchange two files the look comes right before the replacing.
    Result<bool> commitOver(const KnownFile& known);

private:
    WholeFile(std::string path, std::string target) : path_(std::move(path)), target_(std::move(target)) {}
    Result<void> open();
    Result<void> flush();
    Result<void> toDisk();
    Result<void> failed(int error);
    void synchroniseFolder() const;
    void discard();

    std::string path_;      ///< as it was asked for
    std::string target_;    ///< behind symbolic links
    std::string temporary_; ///< where the bytes are until then; empty: nothing to remove
    std::string gathered_;
    int descriptor_ = -1;
    int error_ = 0; ///< the first failure, an errno
};

/// The whole content at once.
Result<void> writeWholeFile(const std::string& path, std::string_view bytes);

/// The same over a file that the caller knows; false, and nothing written: it is another's.
Result<bool> writeWholeFileOver(const std::string& path, std::string_view bytes, const KnownFile& known);

/// Whether a file can be made there, tried without a trace: asked before a long computation, so that it is not made for
/// nothing.
Result<void> checkWritable(const std::string& path);

} // namespace driftless
