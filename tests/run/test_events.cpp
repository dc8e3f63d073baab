// Events are data; what people read is made from them in one place, and nothing is decided by it.
#include <QtTest>

#include <nlohmann/json.hpp>

#include <set>

#include "core/base/Index.h"
#include "core/run/EventWords.h"
#include "core/run/RunJson.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

model::Dependent setAsideRow(const std::string& name, std::vector<std::string> follows)
{
    model::Dependent out;
    out.constraint.name = name;
    out.follows = std::move(follows);
    return out;
}

std::vector<std::string> numbered(const char* name, int count)
{
    std::vector<std::string> out;
    for (int i = 1; i <= count; ++i)
        out.push_back(name + std::to_string(i));
    return out;
}

struct Said {
    EventDetail detail;
    EventKind kind;
    const char* words;
};

const std::vector<Said>& sayings()
{
    static const std::vector<Said> all{
        {Started{"index-1", "rk4"}, EventKind::Start, "index-1 with rk4"},
        {StartCorrected{0.0123456}, EventKind::Correction, "start values made consistent: moved by 0.0123"},
        {CommandDone{SetFormulation{"ggl"}}, EventKind::Command, "formulation -> ggl"},
        {CommandDone{.payload = SetParameter{"L", 1.25}, .energyJump = -0.5}, EventKind::Command,
         "L -> 1.25; the energy jumps by -0.5 J and its balance starts afresh"},
        {Restarted{}, EventKind::Restart, "integrator restarted"},
        {Restarted{RestartCause::StepInterrupted}, EventKind::Restart,
         "integrator restarted: a step under way was interrupted"},
        {Restarted{RestartCause::AfterFailure}, EventKind::Restart, "integrator restarted: the run goes on after a failure"},
        {PivotChange{.from = {"a.x", "b.y"}, .to = {"a.x", "b.x"}, .kappaBefore = 2.25, .kappa = 1}, EventKind::Pivot,
         "dummies a.x, b.y -> a.x, b.x (kappa 2.25 -> 1)"},
        {BasisRenewed{2.006}, EventKind::Pivot, "basis renewed (kappa 2.01 -> 1)"},
        {Correction{.positions = 1e-3, .velocities = 0}, EventKind::Correction,
         "made consistent: positions moved by 0.001, velocities by 0"},
        {ValuesCorrected{.missed = {{.name = "bob.x", .became = 0.5, .asked = 2}, {.name = "bob.y", .became = -1, .asked = 1}},
                         .positions = ValuesCorrected::Move{"bob.x", 0.25},
                         .velocities = ValuesCorrected::Move{"bob.x'", 3}},
         EventKind::Correction,
         "bob.x = 0.5 in place of 2, bob.y = -1 in place of 1; positions moved by up to 0.25 (bob.x), velocities moved by up "
         "to 3 "
         "(bob.x')"},
        {ValuesCorrected{.missed = {}, .velocities = ValuesCorrected::Move{"bob.x'", 3}}, EventKind::Correction,
         "velocities moved by up to 3 (bob.x')"},
        {PinnedNearSingular{{"bob.x"}, 123.4}, EventKind::Warning,
         "the pinned pivot bob.x comes close to a singular point (kappa 123)"},
        {RatesNearSingular{.ratio = 0.00512, .singularSince = {}}, EventKind::Warning,
         "the matrix (3.24) of [PP92] is close to singular: the smallest singular value of [G; L] is 0.00512 of the largest, "
         "so "
         "that mu and tau, or the ssf-solution, are hardly determined and a step may lead to another solution"},
        {RatesNearSingular{.ratio = 0.5, .singularSince = 1.5}, EventKind::Warning,
         "the matrix (3.24) of [PP92] is close to singular, and was singular since t = 1.5: the smallest singular value of [G; "
         "L] is 0.5 of the largest, so that mu and tau, or the ssf-solution, are hardly determined and a step may lead to "
         "another solution"},
        {RankLost{0.75, numbered("rod", 10)}, EventKind::Warning,
         "a singular configuration was passed at t = 0.75: rod1, rod2, rod3, rod4, rod5, rod6, rod7, rod8 and 2 more lost "
         "their "
         "independence there, so that their forces were not determined and the motion had more than one continuation"},
        {EnergyDrifted{.error = -1.5, .exchanged = 10}, EventKind::Warning,
         "the energy error is -1.5 J, 15 % of the 10 J that the motion has exchanged: more than the tolerances explain, and "
         "the "
         "motion shown is not that of the model"},
        {EnergyDrifted{.error = 120, .exchanged = 10, .withinSteps = 16, .fixedStep = 0.01}, EventKind::Warning,
         "the energy error has changed by 120 J within 16 steps, 12 times the 10 J that the motion has exchanged: the step of "
         "0.01 s is too long, and the motion shown is not that of the model"},
        {PositionsDrifted{.formulation = "index-1", .constraint = "rod", .held = false, .residual = 0.1, .share = 0.06},
         EventKind::Warning,
         "index-1 does not hold the positions, and they have drifted: the constraint rod is violated by 0.1, 6 % of the way "
         "that "
         "the mechanism has moved"},
        {PositionsDrifted{.formulation = "ggl", .constraint = "rod", .held = true, .residual = 0.1, .share = 0.06},
         EventKind::Warning,
         "the constraint rod is violated by 0.1, 6 % of the way that the mechanism has moved, although ggl holds the "
         "positions: "
         "the motion shown is not that of the model"},
        {PositionsDrifted{.formulation = "penalty", .constraint = "rod", .yields = true, .residual = 0.1, .share = 0.06},
         EventKind::Warning,
         "penalty has springs in place of constraints, and they give: the constraint rod is violated by 0.1, 6 % of what its "
         "coordinates usually are. A larger k makes them stiffer"},
        {RedundantConstraints{.among = 3, .names = {"middle"}, .explained = {}, .undetermined = {"left", "middle"}},
         EventKind::Warning,
         "1 of the 3 constraints follow from the others here: middle. None is dropped; the motion is determined, but the "
         "multipliers of left, middle are not, one by one: those shown are one of many sets with the same effect"},
        {RedundantConstraints{.among = 5,
                              .names = {"c", "d"},
                              .explained = {{.name = "c", .bodies = {"ground", "bar"}, .follows = {{"a", "b"}}},
                                            {.name = "d", .bodies = {}, .follows = std::vector<std::string>{}},
                                            {.name = "e", .bodies = {}, .follows = std::nullopt}},
                              .undetermined = {"a"}},
         EventKind::Warning,
         "2 of the 5 constraints follow from the others here: c (between ground and bar) follows from a and b; d binds nothing "
         "here: its gradient vanishes; e follows from others. None is dropped; the motion is determined, but the multipliers "
         "of "
         "a are not, one by one: those shown are one of many sets with the same effect"},
        {ConstraintsSetAside{.rows = {setAsideRow("D.y", {"A.y", "B.y"})}, .confirmed = true, .moves = true, .places = 12},
         EventKind::Warning,
         "1 constraint follows from the others and is set aside: D.y follows from A.y and B.y. The motion is the same without "
         "(confirmed at 12 places along it). The forces of this joint are not determined one by one: those shown belong to a "
         "multiplier of zero for D.y"},
        {ConstraintsSetAside{.rows = {setAsideRow("D.y", {"A.y"}), setAsideRow("D.z", {})}, .confirmed = false},
         EventKind::Warning,
         "2 constraints follow from the others and are set aside: D.y follows from A.y; D.z is met anywhere. With these values "
         "that could not be confirmed along the motion: watch the residual of the rows set aside. The forces of these joints "
         "are "
         "not determined one by one: those shown belong to multipliers of zero for D.y and D.z"},
        {NoFreedom{.coordinates = 2, .rank = 2}, EventKind::Warning,
         "the constraints leave no degree of freedom here (2 coordinates, rank 2): nothing moves"},
        {ImpactEvent{
             .contacts = {"floor", "wall"}, .bodies = {"ball"}, .impulse = 2.5, .energy = -1.25, .impacts = 2, .speed = 3},
         EventKind::Impact, "impact at floor, wall with 3 m/s, impulse 2.5 N s, energy -1.25 J; 2 impacts one after the other"},
        {ModeChange{.from = "free", .to = "string", .index = 1}, EventKind::Mode, "mode: free -> string"},
        {Switched{.switched = {{.name = "x > 1", .before = 0, .after = 1, .logical = true}},
                  .set = {{.name = "b", .before = 1, .after = 0, .logical = true}, {.name = "n", .before = 1, .after = 2}},
                  .reinit = {{.name = "v", .before = -2, .after = 1.5}},
                  .conditions = {"x > 1"}},
         EventKind::Mode, "x > 1 begins to hold, b = false, n = 2, v = 1.5 (was -2)"},
        {AssertionBroken{"too warm"}, EventKind::Warning, "too warm"},
        {LimitsTooFine{{"y > 1e-10"}}, EventKind::Warning,
         "y > 1e-10: the limit cannot be told from zero. What is nearer to zero than a thousand-millionth of the usual size of "
         "a "
         "value counts as zero, and that size is 1 where no nominal is stated. Try: Real x(nominal = 1e-6), for the values "
         "that are "
         "small"},
        {Failure{.diagnostic = {"there", {}, {}, {}, {}}, .stuck = true, .asked = true}, EventKind::Finished, "there"},
        {Crossing{{"floor"}}, EventKind::Crossing, "floor came to zero and nothing followed"},
        {Failure{{"The run is stuck", "t = 1", "its steps have shrunk", "another start", {}}, true}, EventKind::Stuck,
         "The run is stuck (t = 1): its steps have shrunk. Try: another start"},
        {Failure{{"The state is no number", {}, {}, {}, {}}}, EventKind::Failure, "The state is no number"}};
    return all;
}

/// Everything that a run has recorded, to the bit.
std::string bitsOf(const RecordingView& view)
{
    std::string out;
    const auto put = [&out](double x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); };
    for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
        put(view.time(r));
        for (int c = 0; c < view.columnCount(); ++c)
            put(view.value(r, c));
    }
    return out;
}

/// A pendulum that changes its pivots, is lengthened, set by hand, switched, pinned until it is stuck, and goes on.
std::unique_ptr<Run> eventful()
{
    auto run = started("pendulum", largeSwing(), settings("dummy-derivatives", "radau-iia-5", 0.02));
    const auto apply = [&](double t, const CommandPayload& payload) {
        if (auto done = run->apply(t, payload); !done)
            qFatal("%s", done.error().text().c_str());
    };
    apply(2, SetParameter{"L", 1.2});
    apply(2.5, SetState{{{"bob.x", 3.0}}});
    apply(3, SetFormulation{"tangent-plane"});
    apply(6, SetFormulation{"dummy-derivatives"});
    apply(6, SetPivot{{false, {"bob.x"}}});
    run->advanceTo(10);
    apply(10, SetPivot{});
    run->advanceTo(12);
    return run;
}

} // namespace

class TestEvents : public QObject {
    Q_OBJECT

private slots:
    void everyDetail_hasItsKindAndItsWords()
    {
        std::set<std::size_t> seen;
        for (const Said& said : sayings()) {
            QCOMPARE(words(said.detail), said.words);
            QCOMPARE((Event{1, said.detail}.kind()), said.kind);
            seen.insert(said.detail.index());
        }
        QCOMPARE(seen.size(), std::variant_size_v<EventDetail>);
    }

    void json_holdsTimeKindAndWords()
    {
        const auto run = eventful();
        const auto json = nlohmann::json::parse(runJson(*run)).at("events");
        const auto events = run->events();
        QCOMPARE(json.size(), events.size());
        std::set<EventKind> kinds;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const nlohmann::json expected{
                {"t", events[i].t}, {"kind", eventKindName(events[i].kind())}, {"text", words(events[i])}};
            QCOMPARE(json[i], expected);
            kinds.insert(events[i].kind());
        }
        for (const EventKind kind : {EventKind::Start, EventKind::Command, EventKind::Pivot, EventKind::Correction,
                                     EventKind::Warning, EventKind::Stuck, EventKind::Restart})
            QVERIFY2(kinds.contains(kind), eventKindName(kind).c_str());
    }

    /// The same run, told in nothing but X: it records the same bits, and its events are the same but for the words.
    void wordsReplaced_changeNothingElse()
    {
        const auto told = eventful();
        const auto json = nlohmann::json::parse(runJson(*told));
        const WordsReplaced replaced;
        const auto untold = eventful();
        QVERIFY(bitsOf(told->recording()) == bitsOf(untold->recording()));
        auto expected = json;
        for (auto& event : expected.at("events"))
            event["text"] = "X";
        auto found = nlohmann::json::parse(runJson(*untold));
        for (auto* report : {&expected, &found})
            report->at("stats").erase("wall_seconds");
        QCOMPARE(found, expected);
    }

    void pivots_areToldByName()
    {
        const auto run = started("pendulum", largeSwing(), settings("dummy-derivatives", "radau-iia-5", 0.02));
        QVERIFY(run->advanceTo(5));
        std::vector<std::string> now;
        int changes = 0;
        for (const Event& event : run->events())
            if (const auto* pivot = event.as<PivotChange>()) {
                QVERIFY(now.empty() || pivot->from == now);
                QVERIFY(pivot->kappaBefore > 2 * pivot->kappa && pivot->kappa >= 1); // the hysteresis
                now = pivot->to;
                ++changes;
            }
        QVERIFY(changes >= 2);
        const auto dummies = run->status().dummies;
        QCOMPARE(dummies.size(), std::size_t{1});
        QCOMPARE(now, (std::vector<std::string>{run->system().system().coordinates[at(dummies[0])].name}));
    }

    void valuesThatMiss_areDataOfTheCorrection()
    {
        const auto run = started("pendulum", {}, settings("index-1", "radau-iia-5", 0.02));
        QVERIFY(run->apply(0.5, SetState{{{"bob.x", 3.0}}}).ok());
        const auto events = run->events();
        const auto* corrected = events.back().as<ValuesCorrected>();
        QVERIFY(corrected);
        QCOMPARE(corrected->missed.size(), std::size_t{1});
        QCOMPARE(corrected->missed[0].name, std::string("bob.x"));
        QCOMPARE(corrected->missed[0].asked, 3.0);
        QCOMPARE(corrected->missed[0].became, valueOf(*run, "bob.x"));
    }
};

QTEST_APPLESS_MAIN(TestEvents)
#include "test_events.moc"
