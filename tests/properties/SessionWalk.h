// Walks over random sessions, for the quick test and the long one.
#pragma once

#include <cstdlib>
#include <fstream>

#include "core/reduction/Reduced.h"
#include "tests/properties/LiveSessions.h"

namespace driftless::test {

inline LiveSession drawSession(std::uint64_t seed, const std::vector<std::string>& models)
{
    Draw draw(seed);
    LiveSession out{seed, draw.among(models), {}};
    out.deeds.push_back({0, draw.bits()}); // a run to begin with
    for (int k = draw.upTo(3, 10); k > 0; --k)
        out.deeds.push_back({draw.upTo(0, kDeedKinds - 1), draw.bits()});
    return out;
}

inline std::vector<LiveSession> smallerSessions(const LiveSession& s)
{
    std::vector<LiveSession> out;
    for (std::size_t length = s.deeds.size() / 2; length > 0; length /= 2)
        for (std::size_t from = 1; from + length <= s.deeds.size(); from += length) {
            out.push_back(s);
            out.back().deeds.erase(out.back().deeds.begin() + static_cast<std::ptrdiff_t>(from),
                                   out.back().deeds.begin() + static_cast<std::ptrdiff_t>(from + length));
        }
    return out;
}

inline std::string judgeSession(const LiveSession& session, std::string* told = nullptr)
{
    const auto model = reduction::openModel(session.model);
    if (!model) // one is shipped to be refused
        return session.model == "modified-pendulum" ? std::string() : model.error().text();
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return system.error().text();
    SessionDriver driver(*system);
    const std::string fault = driver.judge(session);
    if (told)
        *told = driver.told;
    if (const char* folder = std::getenv("DRIFTLESS_KEEP_SESSIONS")) // as seeds of the fuzzers
        std::ofstream(std::string(folder) + "/" + session.model + "-" + std::to_string(session.seed)) << driver.json();
    return fault;
}

/// count sessions from a seed; what is wrong with the first that fails, made shorter.
inline std::string walkSessions(std::uint64_t seed, int count, const std::vector<std::string>& models)
{
    for (int k = 0; k < count; ++k) {
        const LiveSession session = drawSession(seed + static_cast<std::uint64_t>(k), models);
        if (judgeSession(session).empty())
            continue;
        const LiveSession least = shrunk(
            session, smallerSessions, [](const LiveSession& s) { return !judgeSession(s).empty(); }, 60);
        std::string told;
        const std::string fault = judgeSession(least, &told);
        return "DRIFTLESS_SEED=" + std::to_string(session.seed) + " DRIFTLESS_COUNT=1, " + session.model + ": " + fault + "\n"
               + told;
    }
    return {};
}

} // namespace driftless::test
