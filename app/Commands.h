// The commands; each file pair adds one to the command line.
//
// A command's callback does the work and stores the exit code: 0 done, 1 the run failed numerically, 2 bad usage, bad input
// or a refusal. Standard output carries the command's result and nothing else; people are spoken to on standard error.
#pragma once

namespace CLI {
class App;
}

namespace driftless::app {

constexpr int kExitDone = 0;
constexpr int kExitNumericalFailure = 1;
constexpr int kExitBadInput = 2;

void addRunCommand(CLI::App& root, int& exitCode);
void addEquationsCommand(CLI::App& root, int& exitCode);
void addStartCommand(CLI::App& root, int& exitCode);
void addAnalyzeCommand(CLI::App& root, int& exitCode);
void addPencilCommand(CLI::App& root, int& exitCode);
void addListCommand(CLI::App& root, int& exitCode);
void addTableauCommand(CLI::App& root, int& exitCode);
void addStudyCommand(CLI::App& root, int& exitCode);
void addPageCommand(CLI::App& root, int& exitCode);
void addExportCommand(CLI::App& root, int& exitCode);

// Only in the executable with the window (DRIFTLESS_WITH_UI).
void addRenderCommand(CLI::App& root, int& exitCode);
void addScreenshotCommand(CLI::App& root, int& exitCode);
void addFigureCommand(CLI::App& root, int& exitCode);
void addLessonCommand(CLI::App& root, int& exitCode);

} // namespace driftless::app
