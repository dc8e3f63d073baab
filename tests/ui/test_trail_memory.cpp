// Trails that are kept from frame to frame are those that are taken anew.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"
#include "ui/scene/ModelScene.h"

using namespace driftless;
using namespace driftless::scene;

namespace {

constexpr double kStep = 0.02; // [s]

/// A pendulum that swings as somebody else likes: rows of q, v, lambda.
void record(run::Recording& recording, double from, double to, double rate)
{
    const auto width = recording.view().columns().size();
    for (double t = from; t < to; t += kStep) {
        std::vector<double> row(width, 0.0);
        const double angle = 0.8 * std::sin(rate * t), turns = 0.8 * rate * std::cos(rate * t);
        row[0] = std::sin(angle);
        row[1] = -std::cos(angle);
        row[2] = turns * std::cos(angle);
        row[3] = turns * std::sin(angle);
        recording.append(t, row);
    }
}

std::unique_ptr<run::Recording> swing(double until, double rate)
{
    std::vector<run::Column> columns(5);
    auto made = std::make_unique<run::Recording>(2, 1, columns);
    record(*made, 0, until, rate);
    return made;
}

std::vector<double> trailOf(ModelScene& scene, double t, const run::Recording& recording, std::vector<double> parameters = {})
{
    const RecordedRun run{.colour = 0, .selected = true, .recording = recording.view(), .parameters = std::move(parameters)};
    return scene.at(t, {run}, true, false).front().trail;
}

/// No number is a gap in both.
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

} // namespace

class TestTrailMemory : public QObject {
    Q_OBJECT

    std::shared_ptr<const model::CompiledSystem> system_ = test::compiled("pendulum");

    std::unique_ptr<ModelScene> fresh() const { return std::move(ModelScene::create(system_).value()); }

private slots:
    /// Frames in any order, while the recording grows, is cut and goes on differently, and other parameters hold.
    void aKeptTrailIsTheOneTakenAnew()
    {
        const std::uint64_t seed = test::seedOr(41);
        qInfo("DRIFTLESS_SEED=%llu", static_cast<unsigned long long>(seed));
        test::Draw draw(seed);
        for (int count = 0; count < test::countOr(20); ++count) {
            const auto kept = fresh();
            auto recording = swing(2, 3);
            double end = 2;
            std::vector<double> parameters = system_->defaultParameters();
            for (int act = 0; act < 30; ++act) {
                switch (draw.upTo(0, 4)) {
                case 0: // goes on
                    record(*recording, end, end + 1, draw.between(1, 6));
                    end = recording->view().lastTime() + kStep;
                    break;
                case 1: // is cut, and goes on differently
                    recording->truncateAfter(draw.between(0, end));
                    record(*recording, recording->view().lastTime() + kStep, end, draw.between(1, 6));
                    break;
                case 2:
                    parameters = system_->defaultParameters();
                    parameters[0] = draw.between(1, 2);
                    break;
                case 3: // another run in its place
                    recording = swing(end, draw.between(1, 6));
                    break;
                default:
                    break;
                }
                const double t = draw.between(0, recording->view().lastTime());
                const auto trail = trailOf(*kept, t, *recording, parameters);
                QVERIFY(trail.size() > 0);
                QVERIFY(std::ranges::equal(trail, trailOf(*fresh(), t, *recording, parameters), same));
            }
        }
    }

    /// What lies before a change of a length is drawn with the length of then.
    void aTrailHasTheParametersOfItsTime()
    {
        constexpr double kChanged = 2.5, kNow = 3;
        const auto system = test::compiled("crank-rocker");
        const auto run = test::started("crank-rocker", {}, test::settings("dummy-derivatives", "radau-iia-5", 0.02));
        QVERIFY(run->advanceTo(kNow));
        const auto fresh = [&] { return std::move(ModelScene::create(system).value()); };
        const auto before = system->defaultParameters();
        std::vector<double> longer = before;
        for (double& value : longer)
            value *= 1.2;
        const auto trail = [&](const std::vector<double>& parameters, std::vector<run::ParametersUntil> earlier) {
            const RecordedRun one{.colour = 0,
                                  .selected = true,
                                  .recording = run->recording(),
                                  .parameters = parameters,
                                  .earlier = std::move(earlier)};
            return fresh()->at(kNow, {one}, true, false).front().trail;
        };
        const auto mixed = trail(longer, {{.until = kChanged, .values = before}}), old = trail(before, {}),
                   young = trail(longer, {});
        QVERIFY(!same(old.front(), young.front()) || !same(old[1], young[1]));
        QVERIFY(same(mixed.front(), old.front()) && same(mixed[1], old[1]));
        QVERIFY(same(mixed.back(), young.back()) && same(mixed[mixed.size() - 2], young[young.size() - 2]));
    }

    void aFrameTakesTheSamplesThatAreNew()
    {
        const auto recording = swing(8, 3);
        TrailMemory memory;
        const auto take = [](double t, double* out) {
            *out = t;
            return true;
        };
        const auto frame = [&](double t) {
            const std::size_t before = memory.taken();
            memory.begin(recording->view(), {}, t - 1, t);
            double out = 0;
            for (double at = std::ceil(t / kStep - 50); at < t / kStep; ++at)
                memory.at(kStep * at, &out, 1, take);
            return memory.taken() - before;
        };
        QVERIFY(frame(4) >= 49);
        QCOMPARE(frame(4), std::size_t{0});
        QVERIFY(frame(4 + kStep) <= 2);
    }

    /// What is recorded next may change the state at the end: two rows of one time are a jump.
    void theEndOfARecordingIsNotKept()
    {
        const auto recording = swing(1, 3);
        TrailMemory memory;
        const double end = recording->view().lastTime();
        const auto take = [](double, double*) { return true; };
        double out = 0;
        for (int i = 0; i < 2; ++i) {
            memory.begin(recording->view(), {}, 0, end);
            memory.at(end, &out, 1, take);
        }
        QCOMPARE(memory.taken(), std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(TestTrailMemory)
#include "test_trail_memory.moc"
