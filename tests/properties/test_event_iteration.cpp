// What several `when` and discrete variables make of an event, against Modelica's event iteration: see EventIteration.h.
#include <QtTest>

#include <cstdio>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "tests/properties/EventIteration.h"

using namespace driftless;
using namespace driftless::test;

namespace {

/// Empty where the run ends as the oracle does.
std::string fault(const DrawnEvents& drawn, const EventOracle& expected)
{
    const auto model = reduction::readModel(drawn.text(), "drawn.mo");
    const auto system = model ? model::CompiledSystem::compile(*model) : model.error();
    if (!system)
        return system.error().text();
    run::RunSettings settings;
    settings.formulation = "dummy-derivatives";
    settings.integrator = "dormand-prince";
    settings.options.step = 0;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-9;
    const auto run = run::Run::create(*system, {}, settings);
    if (!run)
        return run.error().text();
    if (!(*run)->advanceTo(expected.t))
        return (*run)->status().diagnostic ? (*run)->status().diagnostic->text() : "it did not get on";
    for (const auto& [name, value] : (*run)->namedState()) {
        const auto place = static_cast<std::size_t>(name[1] - '0');
        double should = 0;
        if (name.size() != 2)
            continue;
        if (name[0] == 'x')
            should = expected.x[place];
        else if (name[0] == 'b')
            should = expected.booleans[place];
        else
            should = expected.integers[place];
        if (!(std::abs(value - should) < 1e-6)) // lines: each event errs by round-off of its time
            return name + " = " + std::to_string(value) + " in place of " + std::to_string(should);
    }
    return {};
}

} // namespace

class TestEventIteration : public QObject {
    Q_OBJECT
private slots:
    void whensThatFeedEachOther_endAsModelicasEventIterationDoes()
    {
        const std::uint64_t seed = seedOr(71'001);
        int compared = 0, events = 0;
        std::string missed;
        for (int k = 0; k < countOr(300); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            DrawnEvents drawn(draw);
            if (EventOracle start(drawn); start.rest())
                drawn.startsTrue = start.booleans;
            else
                continue;
            EventOracle expected(drawn);
            if (!expected.advance(5))
                continue;
            ++compared;
            events += expected.events;
            const std::string wrong = fault(drawn, expected);
            if (wrong.empty())
                continue;
            missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ": " + wrong + "\n";
            std::fprintf(stderr, "seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed) + static_cast<unsigned>(k),
                         wrong.c_str(), drawn.text().c_str()); // Qt Test cuts long messages
        }
        QVERIFY2(missed.empty(), missed.c_str());
        QVERIFY(compared > 0 && events > compared);
    }
};

QTEST_GUILESS_MAIN(TestEventIteration)
#include "test_event_iteration.moc"
