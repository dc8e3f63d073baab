#include "app/StudyProgress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

#include "core/text/Numbers.h"

namespace driftless::app {

StudyProgress::StudyProgress(std::size_t studies) : visible_(::isatty(STDERR_FILENO) == 1), studies_(studies) {}
StudyProgress::~StudyProgress() { clear(); }

void StudyProgress::begin(const std::string& study, std::size_t runs)
{
    name_ = study;
    runs_ = runs;
    done_ = 0;
    ++study_;
    under_.clear();
    begun_ = next_ = std::chrono::steady_clock::now();
    draw(true);
}

void StudyProgress::share(std::size_t run, double share)
{
    under_[run] = share;
    draw(false);
}

void StudyProgress::finished(std::size_t run)
{
    under_.erase(run);
    ++done_;
    draw(true);
}

void StudyProgress::clear()
{
    if (drawn_)
        std::fputs("\r\033[K", stderr);
    drawn_ = false;
}

void StudyProgress::draw(bool now)
{
    constexpr auto kInterval = std::chrono::milliseconds(100);
    constexpr int kCells = 30;
    const auto time = std::chrono::steady_clock::now();
    if (!visible_ || runs_ == 0 || (!now && time < next_))
        return;
    next_ = time + kInterval;
    drawn_ = true;
    double part = static_cast<double>(done_);
    for (const auto& [run, share] : under_)
        part += share;
    const double share = std::clamp(part / static_cast<double>(runs_), 0.0, 1.0);
    const double spent = std::chrono::duration<double>(time - begun_).count();
    std::string left;
    if (share > 0.02 && spent > 1)
        left = ", " + text::fixed(spent * (1 - share) / share, 0) + " s left";
    const int full = static_cast<int>(share * kCells);
    std::fprintf(stderr, "\r%zu/%zu %s [%s%s] %zu of %zu runs%s\033[K", study_, studies_, name_.c_str(),
                 std::string(static_cast<std::size_t>(full), '#').c_str(),
                 std::string(static_cast<std::size_t>(kCells - full), '.').c_str(), done_, runs_, left.c_str());
    std::fflush(stderr);
}

} // namespace driftless::app
