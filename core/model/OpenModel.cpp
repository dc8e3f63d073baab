// Model files on disk: only regular files of bounded size are read, shipped models are found by name.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/model/Model.h"
#include "core/model/TomlValue.h"
#include "core/text/Names.h"
#include "core/text/RegularFile.h"

namespace driftless::model {

namespace {

namespace fs = std::filesystem;

bool isShippedName(const std::string& name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    });
}

bool hasModels(const fs::path& folder)
{
    std::error_code error;
    return fs::is_directory(folder / "models", error);
}

Diagnostic unknownModel(const std::string& name)
{
    std::vector<std::string> known;
    for (const ShippedModel& m : shippedModels())
        known.push_back(m.id);
    const std::string near = text::nearestName(name, known);
    return {"There is no model \"" + name.substr(0, 80) + "\"",
            "",
            known.empty() ? "no shipped models were found" : "shipped are " + text::firstOf(known),
            near.empty() ? "name one of these or the path of a file" : "did you mean \"" + near + "\"?",
            {name, 0, 0}};
}

} // namespace

std::string resourceFolder()
{
    std::vector<fs::path> places;
    // What the user asks for comes first.
    if (const char* asked = std::getenv("DRIFTLESS_RESOURCES"); asked && *asked)
        places.emplace_back(asked);
    std::error_code error;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        const fs::path folder = executable.parent_path();
        places.push_back(folder / "../share/driftless");
        places.push_back(folder / "../../../resources");
        places.push_back(folder / "../../resources");
    }
#ifdef DRIFTLESS_SOURCE_RESOURCES
    places.emplace_back(DRIFTLESS_SOURCE_RESOURCES);
#endif
    for (const fs::path& place : places)
        if (hasModels(place))
            return place.lexically_normal().string();
    return {};
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
        const auto text = readRegularFile(path, ReadLimits{}.maxBytes);
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

Result<std::shared_ptr<const Model>> openModel(const std::string& pathOrName)
{
    std::string path = pathOrName;
    std::error_code error;
    if (pathOrName.empty() || pathOrName.find('\0') != std::string::npos)
        return Diagnostic{"No model is named", "", "", "name a shipped model or a file", {}};
    if (isShippedName(pathOrName)) {
        const std::string folder = resourceFolder();
        const fs::path shipped = fs::path(folder) / "models" / (pathOrName + ".toml");
        if (!folder.empty() && fs::is_regular_file(shipped, error))
            path = shipped.string();
        else if (!fs::exists(pathOrName, error))
            return unknownModel(pathOrName);
    }
    if (fs::path(path).extension() == ".mo")
        return Diagnostic{"An equation model (.mo) is not a mechanism",
                          "",
                          "this command works on mechanisms (.toml)",
                          "driftless run or driftless analyze",
                          {path, 0, 0}};
    const ReadLimits limits;
    const auto text = readRegularFile(path, limits.maxBytes);
    if (!text)
        return text.error();
    auto model = readModel(*text, path, limits);
    if (!model)
        return model.error();
    auto placed = std::make_shared<Model>(**model);
    placed->path = path;
    return std::shared_ptr<const Model>(std::move(placed));
}

} // namespace driftless::model
