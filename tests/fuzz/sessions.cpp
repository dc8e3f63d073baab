// Recorded sessions. What is read of a log is written as it was; a session replays twice to the same bits; one that replays
// becomes a study that can be read.
#include <bit>

#include "core/study/SessionStudy.h"
#include "core/study/Study.h"
#include "tests/fuzz/SmallSession.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

/// Entries of the log, one by one: read, written, read and written again.
void checkCodec(const std::string& session)
{
    const auto j = run::codec::Json::parse(session, nullptr, false);
    if (!j.is_object() || !j.contains("log") || !j["log"].is_array())
        return;
    for (const auto& entry : j["log"]) {
        std::string once, twice;
        try {
            once = run::codec::toJson(run::codec::logEntry(entry)).dump();
        } catch (const std::exception&) {
            continue; // refused in words
        }
        try {
            twice = run::codec::toJson(run::codec::logEntry(run::codec::Json::parse(once))).dump();
        } catch (const std::exception& e) {
            fail("an entry that is written is read", once + "\n" + e.what());
        }
        check(once == twice, "an entry is written as it was read", once + "\nbecomes\n" + twice);
    }
}

std::string stateOf(const run::ReplayedSession& s)
{
    std::string out;
    for (const auto& r : s.runs) {
        out += std::to_string(r->acceptedSteps()) + ' ' + std::to_string(std::bit_cast<std::uint64_t>(r->t())) + '\n';
        for (const auto& [name, value] : r->namedState())
            out += name + ' ' + std::to_string(std::bit_cast<std::uint64_t>(value)) + '\n';
    }
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = textOf(data, size);
    const auto session = smallSession(text);
    if (!session) { // refused or too costly: the reader's first look at it at least
        if (!nlohmann::ordered_json::accept(text))
            check(!run::replaySession(std::string(text), "input").ok(), "what is no JSON is no session", std::string(text));
        return 0;
    }
    checkCodec(*session);
    constexpr std::uint64_t kBudget = 16u << 20;
    Patience patience;
    const auto replayed = run::replaySession(*session, "input", &patience.watch, kBudget);
    const auto study = study::studyFromSession(*session, "input", "fuzz");
    if (!replayed) {
        check(!replayed.error().what.empty(), "a refusal says what is wrong", *session);
        return 0;
    }
    const auto again = run::replaySession(*session, "input", &patience.watch, kBudget);
    if (patience.watch.stop)
        return 0;
    check(again.ok() && stateOf(*again) == stateOf(*replayed), "a session replays to the same bits", *session);
    if (!study)
        return 0; // no run has made a step
    const auto read = study::readStudy(*study, "session.toml");
    check(read.ok(), "a session becomes a study that can be read", *study + (read ? "" : "\n" + read.error().text()));
    return 0;
}
