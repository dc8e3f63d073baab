// driftless: without a command the window, else one command (see Commands.h). Compiled twice: into `driftless`, which draws
// nothing and hands over where it must, and with DRIFTLESS_WITH_UI into `driftless-window`.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/Commands.h"
#include "app/HandOver.h"
#include "app/LastWords.h"
#include "app/LessonCheck.h"
#include "app/Manual.h"
#include "app/Output.h"
#include "core/system/ShippedModels.h"
#include "core/text/Names.h"
#ifdef DRIFTLESS_WITH_UI
#include "ui/panels/WindowMain.h"
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

using namespace driftless::app;

#ifdef DRIFTLESS_WITH_UI
/// The executable and up to one model: `driftless MODEL` opens the window with it.
int openWindow(int argc, char** argv, const std::string& model)
{
    return driftless::ui::runWindow(argc, argv, model, DRIFTLESS_VERSION);
}

void addDrawingCommands(CLI::App& root, int& exitCode)
{
    addRenderCommand(root, exitCode);
    addScreenshotCommand(root, exitCode);
    addFigureCommand(root, exitCode);
    addLessonCommand(root, exitCode);
}
#else
/// Reached where handing over found nobody: this installation has no window.
int refuseToDraw(const std::string& what)
{
    std::cerr << "driftless: " << what
              << " needs the executable with the window, which is not installed; try: driftless --help, or install the package"
                 " driftless\n";
    return kExitBadInput;
}

int openWindow(int, char**, const std::string&) { return refuseToDraw("the window"); }

/// Named, so that help shows them.
void addDrawingCommands(CLI::App& root, int& exitCode)
{
    for (const DrawingCommand& drawing : kDrawingCommands) {
        if (std::string_view(drawing.name) == kLesson.name) { // one that checks a lesson draws nothing
            addLessonCommand(root, exitCode, [](const LessonOptions&) { return refuseToDraw(kLesson.name); });
            continue;
        }
        CLI::App* command = root.add_subcommand(drawing.name, drawing.does);
        command->set_help_flag();
        command->prefix_command();
        command->callback([&exitCode, name = std::string(drawing.name)] { exitCode = refuseToDraw(name); });
    }
}

/// Help shows the drawing commands too; the others are carried out here.
std::vector<std::string> headlessCommands(const CLI::App& root)
{
    std::vector<std::string> names;
    for (const CLI::App* command : root.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); }))
        names.push_back(command->get_name());
    std::erase_if(names, [](const std::string& name) {
        return std::any_of(kDrawingCommands.begin(), kDrawingCommands.end(), [&](const auto& c) { return name == c.name; });
    });
    return names;
}

/// The arguments to go on with where this executable carries out the command. None: it was refused.
std::optional<std::vector<std::string>> handOverIfNeeded(const CLI::App& root, int argc, char** argv)
{
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const Wanted wanted = wantedBy({argv + std::min(argc, 1), argv + argc}, headlessCommands(root));
    if (wanted == Wanted::Headless)
        return arguments;
    handOver(argv);
    if (wanted != Wanted::Figures)
        return arguments; // its command, or the window, refuses
    if (std::ranges::any_of(arguments, [](const std::string& a) { return a.starts_with("--contact-sheet"); })) {
        refuseToDraw("a sheet of figures");
        return std::nullopt;
    }
    std::cerr << "driftless: the figures are left out: they need the executable with the window, which is not installed\n";
    arguments.insert(std::ranges::find(arguments, "study") + 1, "--no-figures");
    return arguments;
}
#endif

void addCommands(CLI::App& root, int& exitCode)
{
    addRunCommand(root, exitCode);
    addEquationsCommand(root, exitCode);
    addStartCommand(root, exitCode);
    addAnalyzeCommand(root, exitCode);
    addPencilCommand(root, exitCode);
    addListCommand(root, exitCode);
    addTableauCommand(root, exitCode);
    addStudyCommand(root, exitCode);
    addPageCommand(root, exitCode);
    addExportCommand(root, exitCode);
    addDrawingCommands(root, exitCode);
    addManualCommand(root, exitCode);
}

/// What to say where the first word is no command, no model and no file; empty where it may be one that is missing.
std::string unknownWord(const CLI::App& root, const std::vector<std::string>& arguments)
{
    constexpr std::size_t kShown = 80;
    if (arguments.empty() || arguments.front().empty() || arguments.front().starts_with('-')
        || std::filesystem::exists(arguments.front()))
        return {};
    const std::string& word = arguments.front();
    const std::vector<std::string> models = driftless::model::shippedModelNames();
    std::vector<std::string> commands;
    bool known = std::ranges::find(models, word) != models.end();
    for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
        known = known || command->get_name() == word;
        if (!command->get_group().empty()) // help lists it
            commands.push_back(command->get_name());
    }
    if (known)
        return {};
    const std::string shown = "'" + printable(word.substr(0, kShown)) + "'";
    if (const std::string meant = driftless::text::nearestName(word, commands); !meant.empty())
        return "there is no command " + shown + "; did you mean " + meant + "?";
    if (word.find_first_of("./:") != std::string::npos)
        return {}; // the window says that there is no such file
    const std::string meant = driftless::text::nearestName(word, models);
    return "there is no command, shipped model or file " + shown
           + (meant.empty() ? "" : "; did you mean the model " + meant + "?");
}

int parseAndRun(int argc, char** argv)
{
    CLI::App root("Driftless: an interactive laboratory for the differential-algebraic equations of constrained mechanics.\n"
                  "Without a command it opens the window.",
                  "driftless");
    root.set_version_flag("--version", "driftless " DRIFTLESS_VERSION);
    root.require_subcommand(0, 1);
    std::string model;
    root.add_option("model", model, "Model or session file, or the name of a shipped model, to open in the window");
    int exitCode = kExitDone;
    addCommands(root, exitCode);
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    if (const std::string wrong = unknownWord(root, arguments); !wrong.empty()) {
        std::cerr << "driftless: " << wrong << " (try: driftless --help)\n";
        return kExitBadInput;
    }
#ifndef DRIFTLESS_WITH_UI
    auto kept = handOverIfNeeded(root, argc, argv);
    if (!kept)
        return kExitBadInput;
    arguments = *std::move(kept);
#endif

    try {
        std::ranges::reverse(arguments); // as CLI11 takes them
        root.parse(std::move(arguments));
    } catch (const CLI::Success& request) { // --help, --version
        return root.exit(request, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
        std::cerr << "driftless: " << printable(error.what()) << " (try: driftless --help)\n";
        return kExitBadInput;
    }
    if (root.get_subcommands().empty())
        return openWindow(argc, argv, model);
    return exitCode;
}

/// What was printed has arrived: lists, tables and help are not checked where they are made.
int checkPrinted(int exitCode)
{
    std::cout.flush();
    if (std::cout || exitCode == kExitBadInput)
        return exitCode;
    std::cerr << "driftless: standard output could not be written\n";
    return kExitBadInput;
}

/// The largest arrays of a long chain go back to the system when they are released. Else the C library keeps them among small
/// blocks, which hold the room between them: of 10,000 links that is an eighth of the memory.
void mapLargeArrays()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    // Twice that, as the C library keeps it by itself: else each small release at the end of the heap goes back, too.
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

} // namespace

int main(int argc, char** argv)
{
    prepareLastWords();
    mapLargeArrays();
#ifdef DRIFTLESS_WITH_UI
    driftless::ui::answerForQt();
#endif
    try {
        return checkPrinted(parseAndRun(argc, argv));
    } catch (const std::bad_alloc&) {
        std::cerr << "driftless: not enough memory for this request\n";
    } catch (const std::exception& error) {
        std::cerr << "driftless: " << printable(error.what()) << '\n';
    }
    return kExitBadInput;
}
