// Mechanisms on disk: only regular files of bounded size are read, shipped ones are found by name.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "core/mechanism/ReadModel.h"
#include "core/system/ShippedModels.h"
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

Diagnostic unknownModel(const std::string& name)
{
    const std::vector<std::string> known = shippedModelNames();
    const std::string near = text::nearestName(name, known);
    return {"There is no model \"" + name.substr(0, 80) + "\"",
            "",
            known.empty() ? "no shipped models were found" : "shipped are " + text::firstOf(known),
            near.empty() ? "name one of these or the path of a file" : "did you mean \"" + near + "\"?",
            {name, 0, 0}};
}

} // namespace

Result<std::shared_ptr<const Model>> openModel(const std::string& pathOrName)
{
    std::string path = pathOrName;
    std::error_code error;
    if (pathOrName.empty() || pathOrName.find('\0') != std::string::npos)
        return Diagnostic{.what = "No model is named", .remedy = "name a shipped model or a file"};
    if (isShippedName(pathOrName)) {
        const std::string folder = resourceFolder();
        const fs::path shipped = fs::path(folder) / "models" / (pathOrName + ".toml");
        if (!folder.empty() && fs::is_regular_file(shipped, error))
            path = shipped.string();
        else if (!fs::exists(pathOrName, error))
            return unknownModel(pathOrName);
    }
    if (fs::path(path).extension() == ".mo")
        return Diagnostic{.what = "An equation model (.mo) is not a mechanism",
                          .why = "this command works on mechanisms (.toml)",
                          .remedy = "driftless run or driftless analyze",
                          .position = {path, 0, 0}};
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
