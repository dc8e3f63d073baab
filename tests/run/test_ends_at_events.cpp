// Runs that end where something happens, or a rounding error beside it: each comes to its end, in a bounded number of steps.
#include <QtTest>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/reduction/Reduced.h"
#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

/// A model in which something happens at the time T that is a decimal number.
struct Case {
    std::string what, file, text;
    double happens = 0; ///< [s]
};

Case drawnCase(Draw& draw)
{
    // Numbers of two decimals whose quotient need not be one: an event at 3 s may be found on either side of it.
    const double T = draw.upTo(1, 12) * 0.25, speed = draw.upTo(1, 20) * 0.1;
    const std::string v = text::exact(speed), way = text::exact(speed * T);
    switch (draw.upTo(0, 4)) {
    case 0:
        return {
            "impact", "m.toml",
            "format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 1, x = { start = 0, velocity = 1 }, y = { start = "
                + way + ", velocity = -" + v
                + " } }]\njoint = [{ name = \"f\", kind = \"wall\", from = \"ground\", to = \"b\", restitution = 0.5 }]\n",
            T};
    case 1:
        return {
            "friction that stops", "m.toml",
            "format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 1, x = { start = 0, velocity = " + way
                + " } }]\njoint = [{ name = \"r\", kind = \"slider\", from = \"ground\", to = \"b\" }, { name = \"f\", kind = "
                  "\"dry-friction\", joint = \"r\", sticking = "
                + v + " }]\n",
            T};
    case 2:
        return {"reinit", "m.mo",
                "model m\n Real x(start = " + way + ", fixed = true), v(start = -" + v
                    + ", fixed = true);\nequation\n der(x) = v;\n der(v) = 0;\n when x <= 0 then reinit(v, -0.5*pre(v)); end "
                      "when;\nend m;\n",
                T};
    case 3:
        return {"sampler", "m.mo",
                "model m\n Real x(start = 0, fixed = true); Integer n(start = 0);\nequation\n der(x) = 1;\n when sample(0, "
                    + text::exact(T / draw.upTo(3, 10)) + ") then n = pre(n) + 1; end when;\nend m;\n",
                T};
    default:
        return {"corner of an input", "m.toml",
                "format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 1 }]\ninput = [{ name = \"u\", table = [[0, 0], ["
                    + text::exact(T) + ", 1], [20, 0]] }]\nforce = [{ kind = \"force\", body = \"b\", x = \"u\" }]\n",
                T};
    }
}

Result<std::shared_ptr<const model::CompiledSystem>> compiledFrom(const std::string& text, const std::string& file)
{
    auto model = file.ends_with(".mo") ? reduction::readModel(text, file) : model::readModel(text, file);
    if (!model)
        return model.error();
    return model::CompiledSystem::compile(*model);
}

} // namespace

class TestEndsAtEvents : public QObject {
    Q_OBJECT
private slots:
    void everyRunComesToItsEnd()
    {
        constexpr std::array<std::array<const char*, 2>, 12> pairs{{{"index-1", "dop853"},
                                                                    {"index-1", "rk4"},
                                                                    {"index-1", "odex"},
                                                                    {"index-1", "adams"},
                                                                    {"ggl", "radau"},
                                                                    {"index-3", "generalized-alpha"},
                                                                    {"dummy-derivatives", "radau-9"},
                                                                    {"dummy-derivatives", "dop853"},
                                                                    {"dummy-derivatives", "ida"},
                                                                    {"dummy-derivatives", "bdf"},
                                                                    {"projection", "dormand-prince"},
                                                                    {"index-3", "rattle"}}};
        const std::uint64_t seed = seedOr(7);
        int came = 0;
        for (int i = 0, count = countOr(120); i < count; ++i) {
            Draw draw(seed + static_cast<std::uint64_t>(i));
            const Case one = drawnCase(draw);
            const auto& pair = draw.among(pairs);
            double end = one.happens;
            for (int k = draw.upTo(-2, 2); k != 0; k += k < 0 ? 1 : -1)
                end = std::nextafter(end, k < 0 ? 0.0 : 100.0);
            const auto system = compiledFrom(one.text, one.file);
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + one.what + ", "
                                     + pair[0] + " with " + pair[1] + " to " + text::exact(end);
            QVERIFY2(system.ok(), system ? "" : (told + ": " + system.error().text()).c_str());
            auto run = run::Run::create(*system, {}, settings(pair[0], pair[1], 0.01, 1e-8));
            if (!run)
                continue; // no form of equations, or no method of this form
            int steps = 0;
            while ((*run)->t() < end && steps < 20000 && (*run)->step(end)) // as the command line steps
                ++steps;
            QVERIFY2(steps < 20000 && !(*run)->failed(), told.c_str());
            QVERIFY2((*run)->t() >= end && (*run)->t() <= std::nextafter(end, 100.0), told.c_str());
            QVERIFY2((*run)->advanceTo(end) && (*run)->advanceTo(end + 0.1), told.c_str()); // and goes on from there
            ++came;
        }
        QVERIFY(came > countOr(120) / 2);
    }
};

QTEST_APPLESS_MAIN(TestEndsAtEvents)
#include "test_ends_at_events.moc"
