// Processor time of threads that are not ours to ask: those in which a software OpenGL rasterises.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace driftless::bench {

/// [s] of all threads of this process whose names begin so (Linux; elsewhere 0). Mesa's software renderer calls its own
/// "llvmpipe-0" and so on.
inline double threadSecondsOf(std::string_view prefix)
{
    double all = 0;
    std::error_code none;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
        std::string name;
        double spent = 0; // [ns]
        if (std::ifstream(task.path() / "comm") >> name && name.starts_with(prefix)
            && std::ifstream(task.path() / "schedstat") >> spent)
            all += 1e-9 * spent;
    }
    return all;
}

inline double rasterSeconds() { return threadSecondsOf("llvmpipe"); }

} // namespace driftless::bench
