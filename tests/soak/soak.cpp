// Plays random sessions for a given time and prints, each minute, what the process holds: memory, open handles, sessions
// played.
//
//   soak [SECONDS [SEED]]    an hour by default; the seed is printed
//
// It fails where memory or handles grow steadily. Memory is what the allocator has handed out and not got back (mallinfo2:
// uordblks + hblkhd) with no session open, which a leak cannot hide from; the resident size is printed beside it, but pages
// that the allocator keeps make it no measure. The first quarter of the time is not judged: catalogues, shipped files and
// caches are read once. The rest has two halves; memory grows steadily where the least of the second half exceeds the greatest
// of the first by more than kSlack. One session with all that it computes takes some MiB, so that a leak of a tenth of one
// session in every session would be seen after a hundred of them. Threads and handles must be as many as at the beginning.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/properties/SessionWalk.h"

#include "core/system/ShippedModels.h"

using namespace driftless;
using namespace driftless::test;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kMiB = 1 << 20, kSlack = 2; ///< [MiB]
constexpr int kMostHandles = 4;              ///< more than at the beginning

struct Sample {
    double seconds = 0, used = 0, resident = 0; ///< [s], [MiB]
    long handles = 0, threads = 0;
};

long entriesOf(const char* folder)
{
    std::error_code error;
    const std::filesystem::directory_iterator entries(folder, error);
    return error ? 0 : std::distance(begin(entries), end(entries));
}

Sample sampleAt(double seconds)
{
    ::malloc_trim(0);
    const auto info = ::mallinfo2();
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return {.seconds = seconds,
            .used = static_cast<double>(info.uordblks + info.hblkhd) / kMiB,
            .resident = static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / kMiB,
            .handles = entriesOf("/proc/self/fd"),
            .threads = entriesOf("/proc/self/task")};
}

/// Empty where nothing grows.
std::string growth(const std::vector<Sample>& samples, double end)
{
    double first = 0, second = 1e300;
    for (const Sample& s : samples) {
        if (s.seconds < end / 4)
            continue;
        if (s.seconds < end * 5 / 8)
            first = std::max(first, s.used);
        else
            second = std::min(second, s.used);
    }
    char text[200] = "";
    if (first == 0 || second == 1e300)
        return "there are too few samples to tell whether memory grows: play for longer";
    if (second > first + kSlack)
        std::snprintf(text, sizeof text,
                      "memory grows steadily: at most %.2f MiB in use in the first half, at least %.2f in the second", first,
                      second);
    else if (samples.back().handles > samples.front().handles + kMostHandles
             || samples.back().threads > samples.front().threads)
        std::snprintf(text, sizeof text, "handles or threads are left: %ld and %ld at the end, %ld and %ld at the beginning",
                      samples.back().handles, samples.back().threads, samples.front().handles, samples.front().threads);
    return text;
}

} // namespace

int main(int argc, char** argv)
{
    const double end = argc > 1 ? std::atof(argv[1]) : 3600;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : seedOr(17'401);
    // Twenty samples at least, each minute in an hour.
    const double every = std::min(60.0, end / 20);
    std::vector<std::string> models;
    for (const auto& list : {model::shippedModels(), reduction::shippedEquations()})
        for (const auto& shipped : list)
            models.push_back(shipped.id);
    if (models.empty() || end <= 0) {
        std::fprintf(stderr, "usage: soak [SECONDS [SEED]]; DRIFTLESS_RESOURCES names the shipped models\n");
        return 2;
    }
    std::printf("seed %llu, %.0f s\n%8s %10s %12s %12s %8s %8s\n", static_cast<unsigned long long>(seed), end, "time [s]",
                "sessions", "in use [MiB]", "held [MiB]", "handles", "threads");
    const auto begin = Clock::now();
    const auto now = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    std::vector<Sample> samples;
    std::uint64_t played = 0;
    int faults = 0;
    for (double next = 0; now() < end;) {
        const LiveSession session = drawSession(seed + played++, models);
        if (const std::string fault = judgeSession(session); !fault.empty() && ++faults <= 5)
            std::fprintf(stderr, "DRIFTLESS_SEED=%llu, %s: %s\n", static_cast<unsigned long long>(session.seed),
                         session.model.c_str(), fault.c_str());
        if (now() < next)
            continue;
        samples.push_back(sampleAt(now()));
        const Sample& s = samples.back();
        std::printf("%8.0f %10llu %12.2f %12.1f %8ld %8ld\n", s.seconds, static_cast<unsigned long long>(played), s.used,
                    s.resident, s.handles, s.threads);
        std::fflush(stdout);
        next = s.seconds + every;
    }
    const std::string grown = growth(samples, end);
    std::printf("%llu sessions, %d with a fault; %s\n", static_cast<unsigned long long>(played), faults,
                grown.empty() ? "nothing grows" : grown.c_str());
    return grown.empty() && faults == 0 ? 0 : 1;
}
