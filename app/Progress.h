// A progress bar on standard error, drawn only when somebody is looking.
#pragma once

#include <chrono>
#include <string>

namespace driftless::app {

class Progress {
public:
    explicit Progress(std::string title);
    ~Progress(); ///< clears the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// t of end [s]; redraws at most ten times a second.
    void show(double t, double end);

private:
    std::string title_;
    bool visible_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point next_;
};

} // namespace driftless::app
