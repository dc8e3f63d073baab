// Systems beyond holonomic joints against exact motions, or against their own small equations integrated here by hand-written
// Runge-Kutta: moving constraints, velocity constraints, dynamic variables and efforts, a velocity basis.
#include <QtTest>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/formulation/Formulation.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/system/CompiledSystem.h"

using namespace driftless;

namespace {

/// Classical Runge-Kutta with a step a hundred times smaller than the program's: error below 1e-12 on these motions.
template <std::size_t N>
std::array<double, N> integrated(std::array<double, N> y, double end,
                                 const std::function<std::array<double, N>(double, const std::array<double, N>&)>& f)
{
    const int steps = static_cast<int>(std::lround(end / 1e-4));
    const double h = end / steps;
    for (int k = 0; k < steps; ++k) {
        const double t = k * h;
        const auto moved = [&](double c, const std::array<double, N>& d) {
            std::array<double, N> out = y;
            for (std::size_t i = 0; i < N; ++i)
                out[i] += c * d[i];
            return out;
        };
        const auto k1 = f(t, y), k2 = f(t + h / 2, moved(h / 2, k1)), k3 = f(t + h / 2, moved(h / 2, k2)),
                   k4 = f(t + h, moved(h, k3));
        for (std::size_t i = 0; i < N; ++i)
            y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return y;
}

constexpr double kEnd = 2;
/// Radau IIA of order 5 with h = 0.01 on motions of frequency below ten: (h w)^5 w t / 7200 stays below 1e-7; the forms of
/// index 2 and 3 hold the positions to h^3 ... h^5 as well, with constants of the motion's own size.
constexpr double kTolerance = 2e-6;
/// On the index-3 form the velocities are of order 3 only: a hundred times the positions' error at this step.
constexpr double kIndexThreeTolerance = 1e-4;
/// Penalty springs yield by lambda / k and ring; against velocity constraints there are dampers only, and the blade slips by
/// mu / c, a tenth of a metre per second for a force of 1 N.
constexpr double kSpringTolerance = 2e-2, kSlipTolerance = 0.5;

std::vector<std::pair<std::string, double>> reached(const std::string& name, const std::string& form)
{
    const auto opened = model::openModel(name);
    if (!opened)
        qFatal("%s", opened.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*opened);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = "radau-iia-5";
    settings.options.step = 0.01;
    auto made = run::Run::create(*system, {}, settings);
    if (!made)
        return {};
    if (!(*made)->advanceTo(kEnd))
        return {};
    return (*made)->namedState();
}

double valueOf(const std::vector<std::pair<std::string, double>>& state, const std::string& name)
{
    for (const auto& [key, value] : state)
        if (key == name)
            return value;
    qFatal("no quantity %s", name.c_str());
}

using Exact = std::vector<std::pair<std::string, double>>;

/// Every formulation that carries the model reaches the same state.
int compareAll(const std::string& name, const Exact& exact, double penalty = kSpringTolerance)
{
    int compared = 0;
    for (const auto& form : formulation::formulations()) {
        const std::string& id = form->info().id;
        const auto state = reached(name, id);
        if (state.empty())
            continue; // the table of outcomes says which are refused or stop, and why
        ++compared;
        double tolerance = kTolerance;
        if (id == "penalty")
            tolerance = penalty;
        else if (id == "index-3")
            tolerance = kIndexThreeTolerance;
        for (const auto& [key, value] : exact) {
            const double error = std::abs(valueOf(state, key) - value);
            const double allowed = tolerance * (1 + std::abs(value));
            if (!(error <= allowed))
                qCritical("%s of %s: %s is off by %g (%.12g, not %.12g)", id.c_str(), name.c_str(), key.c_str(), error,
                          valueOf(state, key), value);
            if (!(error <= allowed))
                return -1;
        }
    }
    return compared;
}

} // namespace

class TestMechanics : public QObject {
    Q_OBJECT
private slots:
    void aKnifeEdgeRunsItsCycloid()
    {
        // u' = s cos(w t) along the blade, so u = s/w sin(w t): x = s (1 - cos 2wt) / (4 w^2), y = s (2wt - sin 2wt) / (4 w^2)
        const double s = 2, w = 1, a = 2 * w * kEnd;
        QVERIFY(compareAll("knife-edge",
                           {{"plate.angle", w * kEnd},
                            {"plate.x", s * (1 - std::cos(a)) / (4 * w * w)},
                            {"plate.y", s * (a - std::sin(a)) / (4 * w * w)}},
                           kSlipTolerance)
                >= 14);
    }

    void aDiscRollsWithTwoThirdsOfTheSlope()
    {
        // x'' = (g sin a) / (1 + J / (m r^2)) = 2/3 g sin a; friction at the contact holds back a third: mu = m g sin a / 3
        const double slope = 0.1, r = 0.25, x = slope * kEnd * kEnd / 3;
        QVERIFY(compareAll("rolling-disc", {{"disc.x", x}, {"disc.angle", -x / r}, {"rolling.mu", slope / 3}}) >= 14);
    }

    void aMovingSupportShakesItsPendulum()
    {
        const double A = 0.2, W = 2, g = 9.81;
        const auto y = integrated<2>({0.5, 0}, kEnd, [&](double t, const std::array<double, 2>& z) {
            return std::array<double, 2>{z[1], -g * std::sin(z[0]) + A * W * W * std::sin(W * t) * std::cos(z[0])};
        });
        QVERIFY(compareAll("moving-support", {{"bob.x", A * std::sin(W * kEnd) + std::sin(y[0])},
                                              {"bob.y", -std::cos(y[0])},
                                              {"bob.y'", std::sin(y[0]) * y[1]}})
                >= 16);
    }

    void aBeadOnAHoopFeelsTheCentrifugalForce()
    {
        const double W = 4, g = 9.81;
        const auto y = integrated<2>({0.3, 0}, kEnd, [&](double, const std::array<double, 2>& z) {
            return std::array<double, 2>{z[1], std::sin(z[0]) * (W * W * std::cos(z[0]) - g)};
        });
        QVERIFY(compareAll("rotating-hoop", {{"bead.y", -std::cos(y[0])},
                                             {"bead.x", std::sin(y[0]) * std::cos(W * kEnd)},
                                             {"bead.z", std::sin(y[0]) * std::sin(W * kEnd)}})
                >= 15);
    }

    void aMotorDrivesItsPendulum()
    {
        const double g = 9.81, U = 12, W = 2, R = 2, L = 0.2, k = 1, J = 1.0 / 3; // rod of length 1 about its end
        const auto y = integrated<3>({0.3, 0, 0}, kEnd, [&](double t, const std::array<double, 3>& z) {
            return std::array<double, 3>{z[1], (k * z[2] - g / 2 * std::sin(z[0])) / J,
                                         (U * std::sin(W * t) - R * z[2] - k * z[1]) / L};
        });
        QVERIFY(
            compareAll("motor-pendulum", {{"rod.angle", y[0]}, {"rod.angle'", y[1]}, {"current", y[2]}, {"torque", k * y[2]}})
            >= 16);
    }

    void aChaplyginSleighStraightensItself()
    {
        // v along the blade's line, w the rate: v' = a w^2, w' = -m a v w / (J + m a^2); the centre moves with (v, a w) in the
        // body
        const double a = 0.2, I = 0.1 + a * a;
        const auto y = integrated<5>({0.2, 0, 0, 0.2, 2}, kEnd, [&](double, const std::array<double, 5>& z) {
            const double c = std::cos(z[2]), s = std::sin(z[2]);
            return std::array<double, 5>{z[3] * c - a * z[4] * s, z[3] * s + a * z[4] * c, z[4], a * z[4] * z[4],
                                         -a * z[3] * z[4] / I};
        });
        QVERIFY(compareAll("chaplygin-sleigh",
                           {{"sleigh.x", y[0]}, {"sleigh.y", y[1]}, {"sleigh.angle", y[2]}, {"sleigh.angle'", y[4]}},
                           kSlipTolerance)
                >= 14);
    }

    void aVelocityBasisChangesNothingButTheVelocities()
    {
        const auto y = integrated<2>({std::numbers::pi / 2, -1}, kEnd, [](double, const std::array<double, 2>& z) {
            return std::array<double, 2>{z[1], -std::sin(z[0])};
        });
        QVERIFY(compareAll("polar-pendulum", {{"bob.x", std::sin(y[0])}, {"bob.y", -std::cos(y[0])}, {"w", y[1]}, {"u", 0}})
                >= 17);
    }
};

QTEST_GUILESS_MAIN(TestMechanics)
#include "test_mechanics.moc"
