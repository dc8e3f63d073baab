// How commands answer: JSON on standard output, messages on standard error, files that appear whole or not at all.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

#include "core/base/Result.h"

namespace driftless::app {

/// One object on standard output, members in the order they were added. False when it could not be written.
bool printJson(const nlohmann::ordered_json& value);

/// The number, null where it is none or infinite.
nlohmann::ordered_json finiteJson(double x);

/// One message on standard error; returns the exit code of bad input.
int complain(const Diagnostic& diagnostic);

/// A file that could not be written to its end.
Diagnostic unwritten(const std::string& path);

/// Whether a file may be written there: the folder exists and takes a file, and what is there already is a regular file. Asked
/// before a long run, so that the run is not made for nothing.
Result<void> checkDestination(const std::string& path);

/// Writes a temporary file in the same folder and renames it, so that nobody ever sees half of it.
Result<void> writeAtomically(const std::string& path, std::string_view bytes);

/// For writers that insist on opening the file themselves: they get a temporary name with the same extension, and
/// commit() renames it; without commit() nothing remains.
class PendingFile {
public:
    explicit PendingFile(std::string path);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::string& temporaryPath() const { return temporary_; }
    Result<void> commit();

private:
    std::string path_, temporary_;
    bool committed_ = false;
};

/// The bytes of a regular file of at most limit bytes.
Result<std::string> readRegularFile(const std::string& path, std::size_t limit);

} // namespace driftless::app
