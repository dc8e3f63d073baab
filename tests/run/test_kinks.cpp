// Forces whose higher derivatives jump: no jump of the right-hand side, and no method may take them for one. The motion is a
// polynomial on either side of the kink, and known.
#include <QtTest>

#include <array>
#include <cmath>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

class TestKinks : public QObject {
    Q_OBJECT

private slots:
    void noStepIsLostBehindAKink()
    {
        const std::uint64_t seed = test::seedOr(1);
        for (int i = 0, count = test::countOr(60); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const double mass = draw.decimal(0.3, 4), kink = draw.decimal(0.1, 1.6), size = draw.decimal(5, 200),
                         speed = draw.chance(0.5) ? 0 : draw.decimal(-2, 2), end = 2;
            const int power = draw.upTo(1, 3);
            const char* form = draw.among(std::array<const char*, 4>{"index-1", "dummy-derivatives", "underlying-ode", "ggl"});
            const char* method =
                draw.among(std::array<const char*, 6>{"bdf", "bdf", "ida", "adams", "radau", "dormand-prince"});
            const double tolerance = std::pow(10, -draw.upTo(5, 10));
            const std::string since = "(t - " + text::exact(kink) + ")";
            const std::string text = "format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = " + text::exact(mass)
                                     + ", x = { start = 0, velocity = " + text::exact(speed)
                                     + " } }]\nforce = [{ kind = \"force\", body = \"b\", x = \"if t < " + text::exact(kink)
                                     + " then 0 else " + text::exact(size) + "*" + since + "^" + std::to_string(power)
                                     + "\" }]\n";
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + form + ", "
                                     + method + ", " + text::exact(tolerance) + "\n" + text;
            auto model = model::readModel(text, "kink.toml");
            QVERIFY2(model.ok(), told.c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), told.c_str());
            run::RunSettings s;
            s.formulation = form;
            s.integrator = method;
            s.options.relativeTolerance = s.options.absoluteTolerance = tolerance;
            auto made = run::Run::create(*system, {}, s);
            if (!made.ok())
                continue; // a pair that is refused
            run::Run& run = **made;
            constexpr std::uint64_t kMost = 3000; // dozens of times what a polynomial takes, also at order one for a while
            for (int k = 1; k <= 40 && !run.failed() && run.acceptedSteps() < kMost; ++k)
                run.advanceTo(end * k / 40);
            const double t = end - kink, x = speed * end + size / mass * std::pow(t, power + 2) / ((power + 1) * (power + 2));
            double reached = 0;
            for (const auto& [name, value] : run.namedState())
                if (name == "b.x")
                    reached = value;
            const std::string ended = told + std::to_string(run.acceptedSteps()) + " steps to " + text::exact(run.t())
                                      + ", x = " + text::exact(reached) + " and not " + text::exact(x)
                                      + (run.failed() ? run.status().diagnostic->text() : std::string());
            QVERIFY2(!run.failed() && run.t() == end && run.acceptedSteps() < kMost, ended.c_str());
            // The jump of a derivative costs one step's accuracy; what is lost in the speed grows with the way behind it.
            QVERIFY2(std::abs(reached - x) < 3000 * tolerance * (1 + size / mass), ended.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestKinks)
#include "test_kinks.moc"
