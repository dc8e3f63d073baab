#include "app/Output.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <unistd.h>

#include "app/Commands.h"

namespace fs = std::filesystem;

namespace driftless::app {

nlohmann::ordered_json finiteJson(double x) { return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(); }

bool printJson(const nlohmann::ordered_json& value)
{
    // Names from a stranger's file may hold bytes that are no UTF-8: replaced, never thrown at.
    std::cout << value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n' << std::flush;
    if (!std::cout)
        std::cerr << "driftless: standard output could not be written\n";
    return static_cast<bool>(std::cout);
}

namespace {

/// What a terminal can show safely: one line, of a length that somebody reads. Names may come from a stranger's file.
std::string printable(std::string text)
{
    constexpr std::size_t kLongest = 1500;
    if (text.size() > kLongest)
        text = text.substr(0, kLongest) + " ...";
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    return text;
}

} // namespace

int complain(const Diagnostic& diagnostic)
{
    std::string text = printable(diagnostic.text());
    if (text.empty() || (text.back() != '.' && text.back() != '?'))
        text += '.';
    std::cerr << "driftless: " << text << '\n';
    return kExitBadInput;
}

Diagnostic unwritten(const std::string& path)
{
    return {"the file could not be written", path, "no permission, or the disk is full", "another folder", {}};
}

Result<void> checkDestination(const std::string& path)
{
    std::error_code error;
    const fs::path file(path);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (path.empty() || !file.has_filename())
        return Diagnostic{"a file name is needed to write to", path, "", "name a file, not a folder", {}};
    if (!fs::is_directory(folder, error))
        return Diagnostic{"the folder to write into does not exist", folder.string(), "", "create it first", {}};
    const auto status = fs::status(file, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Diagnostic{"only regular files are written", path, "a folder, device or pipe is in the way", "another name", {}};
    // Permissions do not tell everything (an administrator's, a folder that is read-only or none of a disk): a file is tried.
    const PendingFile trial(path);
    if (!std::ofstream(trial.temporaryPath(), std::ios::binary))
        return unwritten(path);
    return {};
}

PendingFile::PendingFile(std::string path) : path_(std::move(path))
{
    const fs::path file(path_);
    // The extension stays, because writers of pictures choose their format by it.
    temporary_ = (file.parent_path() / ("." + file.stem().string() + "." + std::to_string(::getpid()) + ".part"
                                        + file.extension().string())).string();
}

PendingFile::~PendingFile()
{
    std::error_code ignored;
    if (!committed_)
        fs::remove(temporary_, ignored);
}

Result<void> PendingFile::commit()
{
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error)
        return Diagnostic{"the file could not be written", path_, error.message(), "", {}};
    committed_ = true;
    return {};
}

Result<void> writeAtomically(const std::string& path, std::string_view bytes)
{
    if (auto allowed = checkDestination(path); !allowed)
        return allowed;
    PendingFile pending(path);
    std::ofstream stream(pending.temporaryPath(), std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream)
        return unwritten(path);
    return pending.commit();
}

Result<std::string> readRegularFile(const std::string& path, std::size_t limit)
{
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status))
        return Diagnostic{"there is no such file", path, "", "", {}};
    if (!fs::is_regular_file(status))
        return Diagnostic{"only regular files are read", path, "this is a folder, device or pipe", "", {}};
    const auto size = fs::file_size(path, error);
    if (error || size > limit)
        return Diagnostic{"the file is too large", path, "at most " + std::to_string(limit >> 20) + " MiB are read", "", {}};
    std::ifstream stream(path, std::ios::binary);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    if (!stream.read(bytes.data(), static_cast<std::streamsize>(size)))
        return Diagnostic{"the file could not be read", path, "", "", {}};
    return bytes;
}

} // namespace driftless::app
