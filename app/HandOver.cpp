#include "app/HandOver.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include "core/text/OwnPath.h"

namespace driftless::app {

namespace {

bool isOption(std::string_view argument) { return argument.size() > 1 && argument.front() == '-'; }

/// --check, --no-figures and a shard draw nothing.
bool drawsFigures(std::span<const char* const> arguments)
{
    return std::none_of(arguments.begin(), arguments.end(), [](std::string_view a) {
        return a == "--check" || a == "--no-figures" || a == "--help" || a == "-h" || a.starts_with("--shard");
    });
}

} // namespace

Wanted wantedBy(std::span<const char* const> arguments, const std::vector<std::string>& headlessCommands)
{
    const auto word =
        std::find_if(arguments.begin(), arguments.end(), [](std::string_view argument) { return !isOption(argument); });
    if (word == arguments.end()) {
        const bool answered = std::any_of(arguments.begin(), arguments.end(), [](std::string_view a) { return a != "--"; });
        return answered ? Wanted::Headless : Wanted::Drawing; // --help, --version, or the window alone
    }
    const std::string_view name = *word;
    if (std::find(arguments.begin(), word, std::string_view("--")) != word)
        return Wanted::Drawing;
    const auto asksFor = [&](std::string_view option) {
        return std::find(arguments.begin(), arguments.end(), option) != arguments.end();
    };
    if (name == kLesson.name && asksFor("--check") && !asksFor("--"))
        return Wanted::Headless;
    if (name == "study" && drawsFigures(arguments))
        return Wanted::Figures;
    const bool headless = std::find(headlessCommands.begin(), headlessCommands.end(), name) != headlessCommands.end();
    return headless ? Wanted::Headless : Wanted::Drawing;
}

void handOver(char** argv)
{
    const std::filesystem::path self = ownPath();
    if (self.empty())
        return;
    for (const char* place : {"driftless-window", "../libexec/driftless/driftless-window"})
        ::execv((self.parent_path() / place).c_str(), argv);
}

} // namespace driftless::app
