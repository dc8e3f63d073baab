// A run that goes back to an earlier time and on from there has the events that it had: nothing of the time that was left
// counts in what follows.
#include <QtTest>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::vector<double> eventTimes(const run::Run& run)
{
    std::vector<double> out;
    for (const run::Event& event : run.events())
        if (event.kind() == run::EventKind::Mode || event.kind() == run::EventKind::Impact)
            if (out.empty() || event.t - out.back() > 1e-6) // an impact and the mode behind it
                out.push_back(event.t);
    return out;
}

} // namespace

class TestBranchEvents : public QObject {
    Q_OBJECT

private slots:
    void goingBack_hasTheSameEvents()
    {
        constexpr std::array<const char*, 4> kModels{"bouncing-ball-equations", "bouncing-ball", "backlash", "billiard"};
        constexpr std::array<const char*, 4> kMethods{"radau", "dop853", "ida", "bdf"};
        const std::uint64_t seed = seedOr(5);
        int compared = 0;
        for (int k = 0, count = countOr(24); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const std::string name = kModels[static_cast<std::size_t>(k) % kModels.size()];
            const auto model = reduction::openModel(name);
            QVERIFY2(model.ok(), name.c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), name.c_str());
            const auto asked = settings("dummy-derivatives", draw.among(kMethods), 1e-3, 1e-8);
            const double end = 2.3, far = draw.between(0.8, end), back = draw.between(0.2, 0.95) * far;
            std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + name + ", "
                               + asked.integrator + ", from " + text::exact(far) + " to " + text::exact(back);
            auto still = run::Run::create(*system, {}, asked), made = run::Run::create(*system, {}, asked);
            QVERIFY2(still.ok() && made.ok(), told.c_str());
            QVERIFY2((*still)->advanceTo(end) && (*made)->advanceTo(far), told.c_str());
            QVERIFY2((*made)->apply((*made)->t(), run::Branch{.to = back}), told.c_str());
            QVERIFY2((*made)->advanceTo(end), told.c_str());
            const auto expected = eventTimes(**still), found = eventTimes(**made);
            told += "; found";
            for (const double t : found)
                told += ' ' + text::exact(t);
            // A run is cut between two rows, and goes on from the row before: backlash with dop853 is 1.3e-4 s late there.
            const auto allIn = [&](const std::vector<double>& ones, const std::vector<double>& others, const char* wrong) {
                for (const double t : ones) // what is nearer to the end than this may be seen on one side of it alone
                    if (t < end - 1e-3 && std::ranges::none_of(others, [t](double x) { return std::abs(x - t) < 1e-3; }))
                        return told + wrong + text::exact(t);
                return std::string();
            };
            compared += static_cast<int>(expected.size());
            const std::string missing = allIn(expected, found, ", no event at "), phantom = allIn(found, expected, ", one at ");
            QVERIFY2(missing.empty() && phantom.empty(), (missing + phantom).c_str());
        }
        QVERIFY(compared > 0);
    }
};

QTEST_GUILESS_MAIN(TestBranchEvents)
#include "test_branch_events.moc"
