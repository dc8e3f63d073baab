#include "app/Progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace driftless::app {

Progress::Progress(std::string title)
    : title_(std::move(title)), visible_(::isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now())
{
}

Progress::~Progress()
{
    if (drawn_)
        std::fputs("\r\033[K", stderr);
}

void Progress::show(double t, double end)
{
    constexpr auto kInterval = std::chrono::milliseconds(100);
    if (!visible_)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_)
        return;
    next_ = now + kInterval;
    drawn_ = true;
    constexpr int kCells = 30;
    const double share = end > 0 ? std::clamp(t / end, 0.0, 1.0) : 1.0;
    const int full = static_cast<int>(share * kCells);
    std::fprintf(stderr, "\r%s [%s%s] t = %.4g of %.4g s\033[K", title_.c_str(),
                 std::string(static_cast<std::size_t>(full), '#').c_str(),
                 std::string(static_cast<std::size_t>(kCells - full), '.').c_str(), t, end);
    std::fflush(stderr);
}

} // namespace driftless::app
