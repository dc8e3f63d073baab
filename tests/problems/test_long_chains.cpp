// Long chains of point masses, whose equations are eliminated by structure: the forces of the rods, drift and motion are those
// of the general solvers, and the far end of a chain that is long does not end a run.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "core/formulation/CompiledDae.h"
#include "core/formulation/Formulation.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

std::shared_ptr<const model::CompiledSystem> chain(int n)
{
    auto longer = model::withStructure(*model::openModel("pendulum-chain"), {{"N", static_cast<double>(n)}});
    if (!longer)
        qFatal("%s", longer.error().text().c_str());
    auto system = model::CompiledSystem::compile(*longer);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

std::unique_ptr<formulation::DaeInstance> instanceOf(int n, const std::string& form)
{
    const auto system = chain(n);
    auto dae = formulation::findFormulation(form)->build(system->model(), {});
    auto compiled = formulation::CompiledDae::compile(std::move(*dae), system);
    return std::make_unique<formulation::DaeInstance>(*compiled, system->defaultParameters());
}

std::unique_ptr<run::Run> ran(int n, const char* form, const char* method, double step, double end)
{
    auto made = run::Run::create(chain(n), {}, settings(form, method, step));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    if (!(*made)->advanceTo(end))
        qFatal("%s", (*made)->status().diagnostic->text().c_str());
    return std::move(*made);
}

double apart(const run::Run& a, const run::Run& b, int n)
{
    std::vector<double> q(static_cast<std::size_t>(2 * n)), v(q), lambda(static_cast<std::size_t>(n)), p(q);
    a.recording().stateAt(a.reached(), q.data(), v.data(), lambda.data());
    b.recording().stateAt(b.reached(), p.data(), v.data(), lambda.data());
    double out = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
        out = std::max(out, std::abs(q[i] - p[i]));
    return out;
}

/// Links of 1 m from the ground on, released horizontally, the first of them at an angle; bodies and rods in this order.
std::string chainText(const std::vector<int>& order)
{
    std::string text = "format = 1\n";
    for (const int i : order)
        text += "[[body]]\nname = \"b" + std::to_string(i)
                + "\"\nkind = \"point\"\nmass = 1.0\nx = { start = " + std::to_string(i) + ".0 }\ny = { start = 0.0 }\n";
    for (const int i : order)
        text += "[[joint]]\nname = \"r" + std::to_string(i) + "\"\nkind = \"rod\"\nfrom = \""
                + (i == 1 ? std::string("ground") : "b" + std::to_string(i - 1)) + "\"\nto = \"b" + std::to_string(i)
                + "\"\nlength = 1.0\n";
    return text + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n[run]\nend = 1\n";
}

/// A chain between two points of the ground, zigzag by a little.
std::string tightText(int links, double zigzag)
{
    std::string text = "format = 1\n";
    const auto number = [](double value) {
        char out[32];
        std::snprintf(out, sizeof out, "%.17g", value);
        const std::string digits = out;
        return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
    };
    for (int i = 1; i < links; ++i)
        text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nkind = \"point\"\nmass = 1.0\nx = { start = " + number(i)
                + " }\ny = { start = " + number(i % 2 == 0 ? 0.0 : zigzag) + " }\n";
    for (int i = 1; i <= links; ++i) {
        const std::string from = i == 1 ? "ground" : "b" + std::to_string(i - 1);
        const std::string to =
            i == links ? "{ body = \"ground\", at = [" + number(links) + ", " + number(links % 2 == 0 ? 0.0 : zigzag) + "] }"
                       : "\"b" + std::to_string(i) + "\"";
        text += "[[joint]]\nname = \"r" + std::to_string(i) + "\"\nkind = \"rod\"\nfrom = \"" + from + "\"\nto = " + to
                + "\nlength = " + number(std::hypot(1.0, zigzag)) + "\n";
    }
    return text + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n[run]\nend = 1\n";
}

} // namespace

class TestLongChains : public QObject {
    Q_OBJECT
private slots:
    /// Which forms and sizes have an elimination by structure.
    void rates_solveTheRowsOfTheForm()
    {
        constexpr int kLinks = 60;
        for (const char* form : {"index-1", "projection"}) {
            const auto instance = instanceOf(kLinks, form);
            QVERIFY(instance->solvesRates());
            const auto size = static_cast<std::size_t>(instance->size());
            std::vector<double> y(size), yp(size), F(size);
            for (std::size_t i = 0; i < size; ++i) // a chain that hangs along a wave, and moves
                y[i] = i % 2 == 0 ? 0.5 * static_cast<double>(i) : std::sin(0.3 * static_cast<double>(i));
            QVERIFY(instance->solvedRates(0, y.data(), yp.data()));
            QVERIFY(instance->residual(0, y.data(), yp.data(), F.data()));
            double largest = 0, numbers = 1;
            for (std::size_t i = 0; i < size; ++i) {
                largest = std::max(largest, std::abs(F[i]));
                numbers = std::max({numbers, std::abs(y[i]), std::abs(yp[i])});
            }
            // Rows hold products of multipliers or rates with differences of positions, and hand their round-off on from link
            // to link.
            QVERIFY2(largest <= 10 * kLinks * kEps * numbers * kLinks, qPrintable(QString::number(largest)));
        }
        QVERIFY(!instanceOf(60, "baumgarte")->solvesRates()); // whose rows hold more
        QVERIFY(!instanceOf(60, "index-3")->solvesRates());
        QVERIFY(!instanceOf(8, "index-1")->solvesRates()); // a dense solver does as well
    }

    /// Against a method that takes the general solver at a tolerance far below. shake and rattle are of order two: the error of
    /// 0.2 s with steps of h goes with h^2, and rk4 has next to none.
    void motion_isThatOfTheGeneralSolver()
    {
        constexpr int kLinks = 40;
        constexpr double kStep = 1e-3, kEnd = 0.2;
        const auto exact = ran(kLinks, "index-1", "rk4", kStep / 2, kEnd);
        const auto general = ran(kLinks, "baumgarte", "rk4", kStep / 2, kEnd);
        // Of order 4 with h = 5e-4: 6e-14 times high powers of frequencies of some 10 / s.
        QVERIFY2(apart(*exact, *general, kLinks) <= 1e-9, qPrintable(QString::number(apart(*exact, *general, kLinks))));
        for (const char* method : {"shake", "rattle", "variational-midpoint"}) {
            const auto at = [&](double h) { return apart(*ran(kLinks, "index-3", method, h, kEnd), *exact, kLinks); };
            const double coarse = at(2 * kStep), fine = at(kStep), ratio = coarse / fine;
            QVERIFY2(ratio > 3 && ratio < 5, qPrintable(QStringLiteral("%1: %2 %3").arg(method).arg(coarse).arg(fine)));
        }
    }

    /// Positions at 0.5 s by steps of 1 ms against rk4 with an eighth of the step, which errs by less than a thousandth of what
    /// is told apart here. The numbers are those that the methods had with general solvers, to the digits that a last iteration
    /// more or less changes: what is left out of a matrix, or a weight of round-off, is not to show.
    void positions_areAsGoodAsWithGeneralSolvers()
    {
        struct Row {
            const char *form, *method;
            double error; ///< [m]
        };
        constexpr int kLinks = 100;
        constexpr double kEnd = 0.5;
        const auto exact = ran(kLinks, "index-1", "rk4", 1.25e-4, kEnd);
        for (const Row& row : {Row{"index-3", "shake", 2.0887e-6}, Row{"index-3", "rattle", 2.0887e-6},
                               Row{"index-3", "generalized-alpha", 4.4087e-6}, Row{"index-3", "bdf2", 1.6586e-5},
                               Row{"index-1", "rk4", 9.935e-11}}) {
            const double error = apart(*ran(kLinks, row.form, row.method, 1e-3, kEnd), *exact, kLinks);
            QVERIFY2(error <= 1.001 * row.error, qPrintable(QStringLiteral("%1: %2").arg(row.method).arg(error)));
        }
    }

    /// Forces that depend on velocities stand in Newton's iteration, stiff ones are left to the general solver: the motion is
    /// that of rk4, to the second order of these methods.
    void forcesOfVelocities_andStiffOnes_areSolvedFor()
    {
        std::vector<int> order(40);
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = static_cast<int>(i) + 1;
        for (const double stiffness : {0.0, 1e5}) { // h^2 k / m of 0.025 and more with steps of 1 ms: no small part of the mass
            std::string text = chainText(order);
            for (const int i : order)
                if (i % 3 == 0)
                    text += "[[force]]\nkind = \"spring-damper\"\nfrom = \"b" + std::to_string(i - 2) + "\"\nto = \"b"
                            + std::to_string(i) + "\"\nstiffness = " + std::to_string(stiffness)
                            + "\ndamping = 2.0\nlength = 2.0\n";
            auto model = model::readModel(text, "test");
            if (!model)
                qFatal("%s", model.error().text().c_str());
            const auto system = *model::CompiledSystem::compile(*model);
            const auto at = [&](const char* form, const char* method, double h) {
                auto made = run::Run::create(system, {}, settings(form, method, h));
                if (!made || !(*made)->advanceTo(0.1))
                    qFatal("%s: no run", method);
                return std::move(*made);
            };
            const auto exact = at("index-1", "rk4", 2.5e-4);
            for (const char* method : {"shake", "rattle", "generalized-alpha"}) {
                const double coarse = apart(*at("index-3", method, 1e-3), *exact, 40),
                             fine = apart(*at("index-3", method, 5e-4), *exact, 40);
                QVERIFY2(coarse / fine > 2.8 && coarse / fine < 6 && fine < 1e-4,
                         qPrintable(QStringLiteral("%1 %2: %3 %4").arg(method).arg(stiffness).arg(coarse).arg(fine)));
            }
        }
    }

    /// Bodies and rods in any order are the same chain: elimination takes other turns, and round-off that grows along the
    /// motion is all that differs.
    void linksInAnyOrder_moveAlike()
    {
        constexpr int kLinks = 40;
        const std::uint64_t seed = seedOr(20261124);
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        Draw draw(seed);
        std::vector<int> order(kLinks);
        for (int i = 0; i < kLinks; ++i)
            order[static_cast<std::size_t>(i)] = i + 1;
        const auto motion = [&](const char* method) {
            auto model = model::readModel(chainText(order), "test");
            if (!model)
                qFatal("%s", model.error().text().c_str());
            auto made = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings("index-3", method, 1e-3));
            if (!made || !(*made)->advanceTo(0.3))
                qFatal("no run");
            std::map<std::string, double> out;
            for (const auto& [name, value] : (*made)->namedState())
                if (name.ends_with(".x") || name.ends_with(".y"))
                    out.emplace(name, value);
            return out;
        };
        for (const char* method : {"shake", "rattle", "generalized-alpha", "variational-midpoint"}) {
            std::ranges::sort(order);
            const auto inOrder = motion(method);
            for (std::size_t k = order.size(); k > 1; --k)
                std::swap(order[k - 1], order[static_cast<std::size_t>(draw.upTo(0, static_cast<int>(k) - 1))]);
            for (const auto& [name, value] : motion(method))
                QVERIFY2(std::abs(value - inOrder.at(name)) <= 1e5 * kLinks * kEps, qPrintable(QString::fromStdString(name)));
        }
    }

    /// A chain between two points that are as far apart as it is long, but for a zigzag: with 3e-5 the pivots on the diagonal
    /// have lost half of their digits at times, and the general solver takes these steps. Rods are neither longer nor shorter
    /// then.
    void chainsDrawnTight_areKeptToRoundoff()
    {
        constexpr int kLinks = 50;
        constexpr double kStep = 1e-5; // forces are a hundred thousand times the weight
        for (const double zigzag : {3e-5, 1e-3})
            for (const char* method : {"shake", "rattle", "generalized-alpha"}) {
                auto model = model::readModel(tightText(kLinks, zigzag), "test");
                if (!model)
                    qFatal("%s", model.error().text().c_str());
                auto made = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings("index-3", method, kStep));
                QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
                QVERIFY2((*made)->advanceTo(50 * kStep),
                         (*made)->status().diagnostic ? (*made)->status().diagnostic->text().c_str() : "");
                QVERIFY2((*made)->status().maxResidual.position <= 10 * kLinks * kLinks * kEps,
                         qPrintable(QString::number((*made)->status().maxResidual.position)));
            }
    }

    void constraints_areKeptToRoundoff()
    {
        constexpr int kLinks = 60;
        for (const char* method : {"shake", "rattle"}) {
            const auto run = ran(kLinks, "index-3", method, 1e-3, 0.2);
            // Positions of kLinks metres, squared, and the amplification of Newton's last correction along the chain.
            QVERIFY2(run->status().maxResidual.position <= 10 * kLinks * kLinks * kEps,
                     qPrintable(QString::number(run->status().maxResidual.position)));
            if (std::string(method) == "rattle")
                QVERIFY2(run->status().maxResidual.velocity <= 10 * kLinks * kLinks * kEps,
                         qPrintable(QString::number(run->status().maxResidual.velocity)));
        }
    }
};

QTEST_APPLESS_MAIN(TestLongChains)
#include "test_long_chains.moc"
