// driftless: without a command the window, else one headless command (see Commands.h).
#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "app/Commands.h"
#include "app/LastWords.h"
#include "app/Output.h"
#ifdef DRIFTLESS_WITH_UI
#include "ui/panels/WindowMain.h"
#endif

namespace {

using namespace driftless::app;

/// The executable and up to one model: `driftless MODEL` opens the window with it.
int openWindow([[maybe_unused]] int argc, [[maybe_unused]] char** argv, [[maybe_unused]] const std::string& model)
{
#ifdef DRIFTLESS_WITH_UI
    return driftless::ui::runWindow(argc, argv, model, DRIFTLESS_VERSION);
#else
    std::cerr << "driftless: this build has no window; try: driftless --help\n";
    return kExitBadInput;
#endif
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
    addRunCommand(root, exitCode);
    addEquationsCommand(root, exitCode);
    addStartCommand(root, exitCode);
    addAnalyzeCommand(root, exitCode);
    addPencilCommand(root, exitCode);
    addListCommand(root, exitCode);
    addTableauCommand(root, exitCode);
    addStudyCommand(root, exitCode);
#ifdef DRIFTLESS_WITH_UI
    addRenderCommand(root, exitCode);
    addScreenshotCommand(root, exitCode);
    addFigureCommand(root, exitCode);
    addLessonCommand(root, exitCode);
#endif

    try {
        root.parse(argc, argv);
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

} // namespace

int main(int argc, char** argv)
{
    prepareLastWords();
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
