// Equation models on disk.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/equations/EquationModel.h"
#include "core/system/ShippedModels.h"
#include "core/text/RegularFile.h"

namespace driftless::model {

namespace {

namespace fs = std::filesystem;

/// Where a shipped file of this kind lies; empty when there is none.
std::string shippedPath(const std::string& name, const char* extension)
{
    const std::string folder = resourceFolder();
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    });
    if (folder.empty() || !plain)
        return {};
    const fs::path path = fs::path(folder) / "models" / (name + extension);
    std::error_code error;
    return fs::is_regular_file(path, error) ? path.string() : std::string();
}

} // namespace

bool namesEquationModel(const std::string& pathOrName)
{
    return fs::path(pathOrName).extension() == ".mo"
           || (shippedPath(pathOrName, ".toml").empty() && !shippedPath(pathOrName, ".mo").empty());
}

Result<std::shared_ptr<const EquationModel>> openEquationModel(const std::string& pathOrName)
{
    const std::string shipped = shippedPath(pathOrName, ".mo");
    const std::string& path = shipped.empty() ? pathOrName : shipped;
    const EquationLimits limits;
    const auto text = readRegularFile(path, limits.maxBytes);
    if (!text)
        return text.error();
    auto model = readEquationModel(*text, path, limits);
    if (!model)
        return model.error();
    auto placed = std::make_shared<EquationModel>(**model);
    placed->path = path;
    return std::shared_ptr<const EquationModel>(std::move(placed));
}

std::vector<std::string> shippedEquationModels()
{
    std::vector<std::string> out;
    const std::string folder = resourceFolder();
    std::error_code error;
    if (!folder.empty())
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / "models", error))
            if (entry.path().extension() == ".mo")
                out.push_back(entry.path().stem().string());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace driftless::model
