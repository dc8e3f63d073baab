// Bodies that turn about one axis in space, wherever it points: what comes out is known, and so is that it takes few steps. The
// entries of their matrices that are zero with exact numbers are round-off here.
#include <QtTest>

#include <array>
#include <cmath>
#include <string>

#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

class TestTurningBodies : public QObject {
    Q_OBJECT
private slots:
    /// (cos, axis sin) of half the angle w t. The first methods took thousands of steps for one axis in ten, as stages that
    /// were eliminated by pivots of round-off failed every test of the error.
    void aTurnAtAConstantRateTakesFewSteps()
    {
        constexpr std::array<const char*, 6> methods{"dop853", "odex", "dormand-prince", "adams", "radau", "ida"};
        constexpr std::array<const char*, 4> forms{"index-1", "projection", "baumgarte", "dummy-derivatives"};
        constexpr double kEnd = 2.5, kTolerance = 1e-9;
        const std::uint64_t seed = seedOr(31);
        int came = 0;
        for (int i = 0, count = countOr(150); i < count; ++i) {
            Draw draw(seed + static_cast<std::uint64_t>(i));
            std::array<double, 3> axis{draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1)};
            if (draw.chance(0.3))
                axis[static_cast<std::size_t>(draw.upTo(0, 2))] = 0;
            const double length = std::hypot(axis[0], axis[1], axis[2]), speed = draw.between(-1, 1);
            const auto list = [&](double factor) {
                return "[" + text::exact(axis[0] * factor) + ", " + text::exact(axis[1] * factor) + ", "
                       + text::exact(axis[2] * factor) + "]";
            };
            const auto model = model::readModel(
                "format = 1\ndimensions = 3\nbody = [{ name = \"b\", kind = \"rigid\", mass = 1, inertia = [1, "
                    + text::exact(draw.decimal(0.6, 1.4)) + ", 1], angular_velocity = " + list(speed / length)
                    + " }]\njoint = [{ name = \"r\", kind = \"revolute\", from = \"ground\", to = \"b\", axis = " + list(1)
                    + " }]\n",
                "b.toml");
            const std::string method = draw.among(methods), form = draw.among(forms),
                              told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + form + " with "
                                     + method;
            QVERIFY2(model.ok(), model ? "" : (told + ": " + model.error().text()).c_str());
            auto run = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings(form, method, 0.01, kTolerance));
            if (!run)
                continue; // a form that this method does not carry
            (*run)->advanceTo(kEnd);
            QVERIFY2(!(*run)->failed(), told.c_str());
            const double half = 0.5 * speed * kEnd;
            const std::array<double, 4> exact{std::cos(half), std::sin(half) * axis[0] / length,
                                              std::sin(half) * axis[1] / length, std::sin(half) * axis[2] / length};
            for (int k = 0; k < 4; ++k)
                QVERIFY2(std::abs(valueOf(**run, "b.e" + std::to_string(k)) - exact[static_cast<std::size_t>(k)])
                             < 1e3 * kTolerance,
                         told.c_str());
            const auto steps = (*run)->acceptedSteps();
            QVERIFY2(steps < 400, (told + ": " + std::to_string(steps) + " steps").c_str());
            ++came;
        }
        QVERIFY(came > countOr(150) / 2);
    }
};

QTEST_APPLESS_MAIN(TestTurningBodies)
#include "test_turning_bodies.moc"
