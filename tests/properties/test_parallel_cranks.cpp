// A platform on two to four parallel cranks, and now and then a rod beside them, under gravity: one or more rows follow from
// the others, and each of them is a bad one to set aside somewhere. The motion is that of one angle.
//
//   I phi'' = -g r (sum m_i/2 + m_b) cos(phi),   I = sum (J_i + m_i r^2/4) + m_b r^2
#include <QtTest>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

struct Platform {
    double radius, angle, rate, mass, inertia = 0, weight, middle = 0;
    std::string text;

    explicit Platform(Draw& draw)
        : radius(draw.decimal(0.5, 1.5)), angle(draw.decimal(0.3, 2.8) * (draw.chance(0.5) ? 1 : -1)),
          rate(draw.decimal(-2, 2)), mass(draw.decimal(0.5, 3)), weight(mass)
    {
        const auto n = [](double x) { return text::exact(x); };
        std::vector<double> pins{draw.decimal(0, 1)};
        for (int k = draw.upTo(1, 3); k > 0; --k)
            pins.push_back(pins.back() + draw.decimal(0.4, 1));
        for (const double x : pins)
            middle += x / static_cast<double>(pins.size());
        const double c = std::cos(angle), s = std::sin(angle), half = radius / 2;
        const auto body = [&](const std::string& name, double m, double J, double x, double y, double arm, double turn,
                              double w) {
            text += "[[body]]\nname = \"" + name + "\"\nkind = \"rigid\"\nmass = " + n(m) + "\ninertia = " + n(J)
                    + "\nx = { start = " + n(x) + ", velocity = " + n(-arm * s * rate) + " }\ny = { start = " + n(y)
                    + ", velocity = " + n(arm * c * rate) + " }\nangle = { start = " + n(turn) + ", velocity = " + n(w)
                    + " }\n";
        };
        const auto joint = [&](const std::string& name, const std::string& kind, const std::string& from, double x,
                               const std::string& to, double at) {
            text += "[[joint]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\nfrom = { body = \"" + from + "\", at = ["
                    + n(x) + ", 0] }\nto = { body = \"" + to + "\", at = [" + n(at) + ", 0] }\n";
        };
        text = "format = 1\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
        inertia = mass * radius * radius;
        for (std::size_t k = 0; k < pins.size(); ++k) {
            const double m = draw.decimal(0.5, 2), J = draw.decimal(0.05, 0.3);
            inertia += J + m * half * half;
            weight += m / 2;
            body("c" + std::to_string(k), m, J, pins[k] + half * c, half * s, half, angle, rate);
        }
        body("b", mass, draw.decimal(0.1, 1), middle + radius * c, radius * s, radius, 0, 0);
        for (std::size_t k = 0; k < pins.size(); ++k) {
            const std::string i = std::to_string(k);
            joint("a" + i, "pin", "ground", pins[k], "c" + i, -half);
            joint("d" + i, "pin", "c" + i, half, "b", pins[k] - middle);
        }
        if (draw.chance(0.3)) {
            const double x = draw.decimal(0.2, 0.8);
            joint("rod", "rod", "ground", x, "b", x - middle);
            text += "length = " + n(radius) + "\n";
        }
    }

    /// By Runge's and Kutta's method; until 1.5 s, or where all pins come close to one line.
    std::pair<double, double> end() const
    {
        constexpr double kStep = 1e-4, kFlat = 0.15;
        const double pull = 9.81 * radius * weight / inertia;
        const auto bend = [&](double x) { return -pull * std::cos(x); };
        double t = 0, x = angle, v = rate;
        while (t < 1.5 && std::abs(std::sin(x)) > kFlat) {
            const double k1 = bend(x), k2 = bend(x + kStep / 2 * v), k3 = bend(x + kStep / 2 * (v + kStep / 2 * k1)),
                         k4 = bend(x + kStep * (v + kStep / 2 * k2));
            x += kStep * v + kStep * kStep / 6 * (k1 + k2 + k3);
            v += kStep / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
            t += kStep;
        }
        return {t, x};
    }
};

/// Empty where the platform ends where it should.
std::string fault(const Platform& platform, const std::string& form, const std::string& method)
{
    const auto model = model::readModel(platform.text, "platform.toml");
    const auto system = model ? model::CompiledSystem::compile(*model) : model.error();
    if (!system)
        return system.error().text();
    if ((*system)->n() - (*system)->m() != 1)
        return "its degrees of freedom are " + std::to_string((*system)->n() - (*system)->m());
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    settings.options.step = 0;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-9;
    const auto run = run::Run::create(*system, {}, settings);
    if (!run)
        return run.error().text();
    const auto [t, angle] = platform.end();
    if (!(*run)->advanceTo(t))
        return (*run)->status().diagnostic ? (*run)->status().diagnostic->text() : "it did not get on";
    for (const auto& [name, value] : (*run)->namedState())
        if (name == "b.y" && !(std::abs(value - platform.radius * std::sin(angle)) < 1e-5)) // some hundred steps at 1e-9
            return "b.y = " + text::exact(value) + " in place of " + text::exact(platform.radius * std::sin(angle));
    return {};
}

} // namespace

class TestParallelCranks : public QObject {
    Q_OBJECT
private slots:
    void whatIsSetAside_isNeededNowhereOnTheWay()
    {
        const std::uint64_t seed = seedOr(4'720);
        int moved = 0;
        std::string missed;
        for (int k = 0; k < countOr(120); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const Platform platform(draw);
            const auto [form, method] = draw.among(std::array<std::pair<const char*, const char*>, 4>{
                {{"dummy-derivatives", "ida"}, {"dummy-derivatives", "radau"}, {"ggl", "radau"}, {"index-1", "dop853"}}});
            if (platform.end().first < 0.05)
                continue;
            ++moved;
            const std::string wrong = fault(platform, form, method);
            if (!wrong.empty())
                missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + form + ", " + method + ": "
                          + wrong + "\n";
        }
        QVERIFY2(missed.empty(), missed.c_str());
        QVERIFY(2 * moved > countOr(120));
    }
};

QTEST_GUILESS_MAIN(TestParallelCranks)
#include "test_parallel_cranks.moc"
