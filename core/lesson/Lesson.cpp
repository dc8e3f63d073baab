// Lessons on disk and the names that their files may use.
#include "core/lesson/Lesson.h"
#include "core/system/ShippedModels.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "core/system/Model.h"
#include "core/text/Names.h"
#include "core/text/RegularFile.h"

namespace driftless::lesson {

namespace fs = std::filesystem;

std::string levelName(Level level)
{
    switch (level) {
    case Level::Introductory:
        return "introductory";
    case Level::Intermediate:
        return "intermediate";
    case Level::Advanced:
        break;
    }
    return "advanced";
}

const Setup& Lesson::setupOf(std::size_t step) const
{
    while (step > 0 && !steps[step].setup)
        --step;
    return *steps[step].setup;
}

namespace {

/// A model named by a path is looked for beside the lesson.
void placeModels(Lesson& lesson)
{
    const fs::path folder = fs::path(lesson.path).parent_path();
    for (Step& step : lesson.steps)
        if (step.setup && fs::path(step.setup->model).extension() == ".toml" && fs::path(step.setup->model).is_relative())
            step.setup->model = (folder / step.setup->model).lexically_normal().string();
}

constexpr const char* kLessons = "lessons";
constexpr const char* kTries = "tries"; ///< a lesson of one step for each shipped model, under its name
constexpr std::string_view kTry = "try-";

std::vector<std::string> shippedPaths(const char* folderName)
{
    std::vector<std::string> paths;
    const std::string folder = model::resourceFolder();
    std::error_code error;
    if (!folder.empty())
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / folderName, error))
            if (entry.path().extension() == ".toml")
                paths.push_back(entry.path().string());
    std::ranges::sort(paths);
    return paths;
}

bool isName(const std::string& name)
{
    return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

} // namespace

bool isLesson(const std::string& path)
{
    constexpr int kMostLines = 400;
    std::error_code error;
    if (fs::path(path).extension() != ".toml" || !fs::is_regular_file(path, error))
        return false;
    std::ifstream in(path);
    std::string line(256, '\0');
    for (int i = 0; i < kMostLines && in; ++i) {
        in.getline(line.data(), static_cast<std::streamsize>(line.size()));
        if (std::string_view(line.data()).starts_with("[[step]]"))
            return true;
        if (in.fail() && !in.eof() && in.gcount() > 0) // a longer line: its rest is of no interest
            in.clear();
    }
    return false;
}

Result<Lesson> openLesson(const std::string& pathOrId)
{
    std::string path = pathOrId;
    if (pathOrId.empty() || pathOrId.find('\0') != std::string::npos)
        return Diagnostic{.what = "No lesson is named", .remedy = "name a shipped lesson or a file"};
    std::error_code error;
    if (isName(pathOrId)) {
        std::vector<std::string> known;
        const bool tries = pathOrId.starts_with(kTry);
        for (const std::string& shipped : shippedPaths(tries ? kTries : kLessons)) {
            known.push_back((tries ? std::string(kTry) : std::string()) + fs::path(shipped).stem().string());
            if (known.back() == pathOrId)
                path = shipped;
        }
        if (path == pathOrId && !fs::exists(path, error)) {
            const std::string near = text::nearestName(pathOrId, known);
            return Diagnostic{.what = "There is no lesson \"" + pathOrId.substr(0, 80) + '"',
                              .why = "shipped are " + text::firstOf(known),
                              .remedy =
                                  near.empty() ? "name one of these or the path of a file" : "did you mean \"" + near + "\"?"};
        }
    }
    const auto text = readRegularFile(path, ReadLimits{}.maxBytes);
    if (!text)
        return text.error();
    auto lesson = readLesson(*text, path);
    if (lesson)
        placeModels(*lesson);
    return lesson;
}

std::vector<ShippedLesson> shippedLessons()
{
    std::vector<ShippedLesson> out;
    for (const std::string& path : shippedPaths(kLessons))
        if (const auto lesson = openLesson(path))
            out.push_back({.id = lesson->id,
                           .title = lesson->title,
                           .summary = lesson->summary,
                           .source = lesson->source,
                           .path = path,
                           .level = lesson->level,
                           .order = lesson->order,
                           .steps = lesson->steps.size(),
                           .place = lesson->place});
    std::ranges::stable_sort(out, {}, &ShippedLesson::order);
    return out;
}

std::vector<Try> shippedTries()
{
    std::vector<Try> out;
    for (const std::string& path : shippedPaths(kTries))
        if (const auto lesson = openLesson(path)) {
            const Step& step = lesson->steps.front();
            out.push_back({.model = fs::path(path).stem().string(),
                           .lesson = lesson->id,
                           .shows = lesson->summary,
                           .does = step.task,
                           .sees = step.question ? step.question->explanation : std::string()});
        }
    return out;
}

} // namespace driftless::lesson
