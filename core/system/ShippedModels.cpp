#include "core/system/ShippedModels.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/text/Budget.h"
#include "core/text/OwnPath.h"
#include "core/text/RegularFile.h"
#include "core/text/TomlValue.h"

namespace driftless::model {

namespace fs = std::filesystem;

namespace {

bool hasModels(const fs::path& folder)
{
    std::error_code error;
    return fs::is_directory(folder / "models", error);
}

} // namespace

std::string resourceFolder()
{
    std::vector<fs::path> places;
    // What the user asks for comes first.
    if (const char* asked = std::getenv("DRIFTLESS_RESOURCES"); asked && *asked)
        places.emplace_back(asked);
    if (const fs::path executable = ownPath(); !executable.empty()) {
        const fs::path folder = executable.parent_path();
        places.push_back(folder / "../share/driftless");    // bin; in a build tree the folder is a link to the sources
        places.push_back(folder / "../../share/driftless"); // libexec/driftless
    }
    for (const fs::path& place : places)
        if (hasModels(place))
            return place.lexically_normal().string();
    return {};
}

std::vector<std::string> shippedModelNames()
{
    std::vector<std::string> out;
    if (const std::string folder = resourceFolder(); !folder.empty()) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / "models", error))
            if (entry.path().extension() == ".toml" || entry.path().extension() == ".mo")
                out.push_back(entry.path().stem().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<ShippedModel> shippedModels()
{
    std::vector<ShippedModel> out;
    const std::string folder = resourceFolder();
    if (folder.empty())
        return out;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / "models", error)) {
        if (entry.path().extension() != ".toml")
            continue;
        const std::string path = entry.path().string();
        const auto text = readRegularFile(path, budget::kModelBytes);
        if (!text)
            continue;
        const auto root = parseToml(*text, path);
        if (!root)
            continue;
        const auto field = [&root](const char* key) {
            const TomlEntry* found = root->find(key);
            return found ? found->value.text : std::string();
        };
        out.push_back({entry.path().stem().string(), field("title"), field("source"), path});
    }
    std::sort(out.begin(), out.end(), [](const ShippedModel& a, const ShippedModel& b) { return a.id < b.id; });
    return out;
}

} // namespace driftless::model
