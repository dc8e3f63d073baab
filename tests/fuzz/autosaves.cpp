// Sessions as the window saves them by itself: with what it shows beside the laboratory's own. Opened and saved again they are
// the same bytes. (What the window makes of "presentation" is read by ui/document with Qt's own reader of JSON.)
#include "tests/fuzz/SmallSession.h"

using namespace driftless;
using namespace driftless::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto session = smallSession(textOf(data, size));
    if (!session)
        return 0;
    Patience patience;
    const auto opened = run::Laboratory::open(*session, "input", 1, &patience.watch);
    if (!opened) {
        check(!opened.error().what.empty(), "a refusal says what is wrong", *session);
        return 0;
    }
    for (const run::RunId id : (*opened)->runs())
        if (const auto status = (*opened)->status(id); status.t < (*opened)->clock().t && status.state != run::RunState::Failed)
            return 0; // still catching up with the clock: what is saved depends on when
    const std::string saved = (*opened)->sessionJson();
    const auto again = run::Laboratory::open(saved, "saved", 1, &patience.watch);
    if (patience.watch.stop)
        return 0;
    check(again.ok(), "a session that is saved opens", saved + (again ? "" : "\n" + again.error().text()));
    check((*again)->sessionJson() == saved, "a session that is opened and saved is the same",
          saved + "\nbecomes\n" + (*again)->sessionJson());
    return 0;
}
