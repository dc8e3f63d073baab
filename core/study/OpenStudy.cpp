// Study files on disk, shipped studies by name, and the models that a study names.
#include <algorithm>
#include <filesystem>

#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"
#include "core/text/Names.h"
#include "core/text/RegularFile.h"

namespace driftless::study {

namespace {

namespace fs = std::filesystem;

fs::path studyFolder() { return fs::path(model::resourceFolder()) / "studies"; }

bool isPlainName(const std::string& name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    });
}

} // namespace

std::vector<ShippedStudy> shippedStudies()
{
    std::vector<ShippedStudy> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(studyFolder(), error)) {
        if (entry.path().extension() != ".toml")
            continue;
        const auto study = openStudy(entry.path().string());
        if (study)
            out.push_back({study->id, study->title, study->source, entry.path().string()});
        else
            out.push_back({entry.path().stem().string(), "cannot be read: " + study.error().text(), "", entry.path().string()});
    }
    std::sort(out.begin(), out.end(), [](const ShippedStudy& a, const ShippedStudy& b) { return a.id < b.id; });
    return out;
}

Result<Study> openStudy(const std::string& pathOrName)
{
    std::string path = pathOrName;
    std::error_code error;
    if (isPlainName(pathOrName) && !fs::is_regular_file(pathOrName, error)) {
        path = (studyFolder() / (pathOrName + ".toml")).string();
        if (!fs::is_regular_file(path, error)) {
            std::vector<std::string> known;
            for (const auto& entry : fs::directory_iterator(studyFolder(), error))
                if (entry.path().extension() == ".toml")
                    known.push_back(entry.path().stem().string());
            std::sort(known.begin(), known.end());
            const std::string near = text::nearestName(pathOrName, known);
            return Diagnostic{.what = "There is no study \"" + pathOrName.substr(0, 80) + "\"",
                              .why = known.empty() ? "no shipped studies were found" : "shipped are " + text::firstOf(known),
                              .remedy =
                                  near.empty() ? "name one of these or the path of a file" : "did you mean \"" + near + "\"?",
                              .position = {pathOrName, 0, 0}};
        }
    }
    const auto text = readRegularFile(path, StudyLimits{}.maxBytes);
    if (!text)
        return text.error();
    return readStudy(*text, path);
}

bool isModelName(const std::string& text) { return isPlainName(text); }

Result<std::shared_ptr<const model::Model>> modelOf(const Study& study, const run::RunRequest& request)
{
    const std::string& name = request.model;
    const reduction::Values near = run::numbersOf(request.set);
    if (!study.modelText.empty()) {
        auto own = reduction::readModel(study.modelText, study.path + ", model_text", near);
        if (!own || name.empty() || (*own)->name == name)
            return own;
        // A text without a name of its own has that of its file, as it had in the session that the study was made of.
        if (auto named = reduction::readModel(study.modelText, name + ".toml", near); named && (*named)->name == name)
            return named;
    }
    const fs::path folder = fs::path(study.path).parent_path();
    std::error_code error;
    if (isPlainName(name)) {
        for (const char* ending : {".toml", ".mo"})
            if (const fs::path beside = folder / "models" / (name + ending); fs::is_regular_file(beside, error))
                return reduction::openModel(beside.string(), near);
        return reduction::openModel(name, near);
    }
    const fs::path path(name);
    return reduction::openModel(path.is_absolute() ? name : (folder / path).string(), near);
}

} // namespace driftless::study
