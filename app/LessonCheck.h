// The options of `driftless lesson`, and the part of it that draws nothing:
// what the author of a lesson has to mend, and records that are verified.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace driftless::app {

struct LessonOptions {
    std::string lesson, pdf, record;
    bool answers = false, check = false;
    std::uint64_t seed = 1;
};

/// print: writes the hand-out and returns the exit code.
void addLessonCommand(CLI::App& root, int& exitCode, const std::function<int(const LessonOptions&)>& print);

} // namespace driftless::app
