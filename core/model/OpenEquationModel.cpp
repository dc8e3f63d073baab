// Equation models on disk.
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "core/expr/Units.h"
#include "core/model/EquationModel.h"
#include "core/model/Model.h"
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

std::vector<Diagnostic> unitWarnings(const EquationSystem& system)
{
    std::unordered_map<std::string, expr::Dimension> parameters, unknowns;
    std::vector<Diagnostic> out;
    const auto note = [&out](const Quantity& quantity, std::unordered_map<std::string, expr::Dimension>& into) {
        if (quantity.unit.empty())
            return;
        if (const auto dimension = expr::parseUnit(quantity.unit))
            into.emplace(quantity.name, *dimension);
        else
            out.push_back({"The unit \"" + quantity.unit + "\" of " + quantity.name + " is not known", "", "it is not checked",
                           "a unit such as m/s2, kg.m2, N or rad", quantity.position});
    };
    for (const EquationParameter& p : system.parameters)
        note(p.quantity, parameters);
    for (const EquationUnknown& x : system.unknowns)
        note(x.quantity, unknowns);
    const auto dimensionOf = [&](const expr::Symbol& s) -> std::optional<expr::Dimension> {
        if (s.kind == expr::SymbolKind::Time)
            return expr::Dimension{0, 0, 1};
        const auto& known = s.kind == expr::SymbolKind::Parameter ? parameters : unknowns;
        const auto found = known.find(s.name);
        if (found == known.end())
            return std::nullopt;
        expr::Dimension out_ = found->second;
        out_[2] -= s.order; // a derivative per second
        return out_;
    };
    if (parameters.empty() && unknowns.empty())
        return out;
    for (const Equation& e : system.equations)
        if (std::string conflict = expr::dimensionConflict(e.residual, dimensionOf); !conflict.empty())
            out.push_back({"The units of " + e.name + " do not fit", "", std::move(conflict),
                           "correct the equation or the units of its quantities", e.position});
    return out;
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
