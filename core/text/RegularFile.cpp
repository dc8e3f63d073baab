#include "core/text/RegularFile.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace driftless {

namespace fs = std::filesystem;

Result<std::string> readRegularFile(const std::string& path, std::size_t most)
{
    const SourcePosition place{path, 0, 0};
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        return Diagnostic{.what = "There is no such file", .remedy = "check the path", .position = place};
    if (fs::is_directory(status))
        return Diagnostic{.what = "This is a directory", .remedy = "name a file in it", .position = place};
    if (!fs::is_regular_file(status))
        return Diagnostic{.what = "This is not a regular file",
                          .why = "only regular files are read",
                          .remedy = "name a file",
                          .position = place};
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || size > most)
        return Diagnostic{.what = "The file is too large",
                          .why = "it has " + (error ? std::string("an unknown number of") : std::to_string(size))
                                 + " bytes, at most " + std::to_string(most) + " are read",
                          .remedy = "open a smaller file",
                          .position = place};
    std::ifstream in(path, std::ios::binary);
    std::string text;
    text.reserve(static_cast<std::size_t>(size));
    // The size is not believed: a file may grow, or not tell it.
    for (std::array<char, 64 << 10> piece; in && text.size() <= most;) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (!in.is_open() || in.bad())
        return Diagnostic{.what = "The file cannot be read", .remedy = "check its permissions", .position = place};
    if (text.size() > most)
        return Diagnostic{.what = "The file is too large",
                          .why = "at most " + std::to_string(most) + " bytes are read",
                          .remedy = "open a smaller file",
                          .position = place};
    return text;
}

} // namespace driftless
