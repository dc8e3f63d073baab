// A linkage that passes the place where all its bars lie on one line: there its constraints lose their rank, and that is said
// with every method, however long its steps are. One whose bars never line up is not spoken of.
#include <QtTest>

#include <array>
#include <cmath>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

class TestFlatLinkages : public QObject {
    Q_OBJECT

private slots:
    void whereBarsLineUpIsSaid()
    {
        const std::uint64_t seed = test::seedOr(1);
        int flat = 0, open = 0;
        for (int i = 0, count = test::countOr(40); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const double crank = draw.decimal(0.4, 1.5), base = crank * draw.decimal(1.3, 3), speed = draw.decimal(2, 6);
            const bool lines = draw.chance(0.6);
            // Of a quadrangle with these sides none lies flat: the shortest and the longest together are less than the others.
            const double coupler = lines ? base : base * 0.9, other = lines ? crank : crank * 1.3;
            const char* form = draw.among(std::array<const char*, 4>{"index-1", "projection", "baumgarte", "underlying-ode"});
            const char* method =
                draw.among(std::array<const char*, 6>{"dop853", "odex", "dop853", "dormand-prince", "rk4", "adams"});
            // The crank stands upright; the other end of the coupler follows from both lengths.
            const double d = std::hypot(base, crank), along = (d * d + coupler * coupler - other * other) / (2 * d),
                         across = std::sqrt(coupler * coupler - along * along);
            const double ux = base / d, uy = -crank / d;
            const double bx = lines ? base : along * ux - across * uy, by = lines ? crank : crank + along * uy + across * ux;
            const std::string text =
                "format = 1\nbody = [{ name = \"A\", kind = \"point\", mass = 1, x = { start = 0, velocity = "
                + text::exact(speed) + " }, y = " + text::exact(crank)
                + " }, { name = \"B\", kind = \"point\", mass = 1, x = { start = " + text::exact(bx)
                + ", velocity = " + text::exact(lines ? speed : 0) + " }, y = " + text::exact(by)
                + " }]\njoint = [{ name = \"a\", kind = \"rod\", from = \"ground\", to = \"A\", length = " + text::exact(crank)
                + " }, { name = \"b\", kind = \"rod\", from = \"A\", to = \"B\", length = " + text::exact(coupler)
                + " }, { name = \"c\", kind = \"rod\", from = { body = \"ground\", at = [" + text::exact(base)
                + ", 0] }, to = \"B\", length = " + text::exact(other) + " }]\n";
            const std::string told =
                "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + form + ", " + method + "\n" + text;
            auto model = model::readModel(text, "linkage.toml");
            QVERIFY2(model.ok(), told.c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), told.c_str());
            run::RunSettings s;
            s.formulation = form;
            s.integrator = method;
            s.options.relativeTolerance = s.options.absoluteTolerance = 1e-7;
            s.options.step = 1e-3;
            auto made = run::Run::create(*system, {}, s);
            QVERIFY2(made.ok(), told.c_str());
            run::Run& run = **made;
            run.advanceTo(lines ? 2.2 * M_PI / 2 * crank / speed
                                : 3); // a quarter of a turn and on to the next steps, or several turns
            const auto events = run.events();
            const bool said = std::ranges::any_of(events, [](const run::Event& e) { return e.as<run::RankLost>() != nullptr; });
            const bool stopped = run.failed(); // at the place itself, which it says then
            QVERIFY2(lines ? said || stopped : !said && !stopped, told.c_str());
            ++(lines ? flat : open);
        }
        QVERIFY(test::countOr(40) < 20 || (flat > 0 && open > 0));
    }

    /// Two equal links that hang folded at rest, where their constraints are singular: that is told where the motion comes
    /// there, and not again for every step of the rest.
    void whatRestsWhereBarsLineUp_isToldAFewTimes()
    {
        const std::uint64_t seed = test::seedOr(3);
        std::ptrdiff_t all = 0;
        for (int k = 0, count = test::countOr(6); k < count; ++k) {
            test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const double length = draw.decimal(0.5, 2), angle = draw.decimal(0.5, 1.1);
            const auto body = [](const char* name, double x, double y) {
                return std::string("[[body]]\nname = \"") + name + "\"\nkind = \"point\"\nmass = 1\nx = " + text::exact(x)
                       + "\ny = " + text::exact(y) + "\n";
            };
            const auto rod = [&](const char* from, const char* to) {
                return std::string("[[joint]]\nname = \"") + from + to + "\"\nkind = \"rod\"\nfrom = \"" + from + "\"\nto = \""
                       + to + "\"\nlength = " + text::exact(length) + "\n";
            };
            const std::string model =
                "format = 1\n" + body("p", length * std::sin(angle), -length * std::cos(angle))
                + body("q", 2 * length * std::sin(angle), 0) + rod("ground", "p") + rod("p", "q")
                + "[[joint]]\nname = \"rail\"\nkind = \"slider\"\nfrom = \"ground\"\nto = \"q\"\nangle = 0\n"
                  "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n[[force]]\nname = \"d\"\nkind = \"spring-damper\"\n"
                  "from = \"ground\"\nto = \"q\"\nstiffness = 0\ndamping = "
                + text::exact(draw.decimal(2, 5)) + "\nlength = 1\n";
            const auto read = model::readModel(model, "knee.toml");
            QVERIFY2(read.ok(), model.c_str());
            const auto system = model::CompiledSystem::compile(*read);
            QVERIFY2(system.ok(), model.c_str());
            run::RunSettings s;
            s.formulation = draw.chance(0.5) ? "index-2" : "index-1";
            s.integrator = "radau-iia-5";
            s.options.step = 0.01;
            s.options.relativeTolerance = s.options.absoluteTolerance = 1e-6;
            auto made = run::Run::create(*system, {}, s);
            QVERIFY2(made.ok(), model.c_str());
            (*made)->advanceTo(60);
            const auto events = (*made)->events();
            const auto told =
                std::ranges::count_if(events, [](const run::Event& e) { return e.as<run::RankLost>() != nullptr; });
            // Passes of the fold, two in each swing of some twenty.
            QVERIFY2(told <= 40, (model + std::to_string(told)).c_str());
            all += told;
        }
        QVERIFY(all > 0); // some knees come there at all
    }

    /// From rest the first step of Euler's method exchanges nothing that it does not make itself; a step that is too long for
    /// the motion is told all the same.
    void eulersFirstStepIsNoLoss()
    {
        auto model = model::readModel("format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 1, x = 1, y = 0 }]\n"
                                      "joint = [{ name = \"r\", kind = \"rod\", from = \"ground\", to = \"b\", length = 1 }]\n"
                                      "force = [{ kind = \"gravity\", acceleration = 9.81 }]\n",
                                      "falls.toml");
        QVERIFY(model.ok());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        for (const char* form : {"index-1", "projection", "underlying-ode", "dummy-derivatives"})
            for (const auto& [h, end, speaks] : {std::tuple(1e-5, 0.02, false), std::tuple(1e-4, 0.5, false),
                                                 std::tuple(1e-3, 0.5, false), std::tuple(0.1, 20.0, true)}) {
                run::RunSettings s;
                s.formulation = form;
                s.integrator = "euler";
                s.options.step = h;
                auto made = run::Run::create(*system, {}, s);
                QVERIFY2(made.ok(), form);
                (*made)->advanceTo(end);
                const auto events = (*made)->events();
                const bool said =
                    std::ranges::any_of(events, [](const run::Event& e) { return e.as<run::EnergyDrifted>() != nullptr; });
                QVERIFY2(said == speaks || (speaks && ((*made)->failed() || std::string(form) == "underlying-ode")),
                         (std::string(form) + ", h = " + text::exact(h)).c_str());
            }
    }
};

QTEST_APPLESS_MAIN(TestFlatLinkages)
#include "test_flat_linkages.moc"
