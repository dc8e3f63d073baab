// Long chains of point masses, whose equations are eliminated by structure: the forces of the rods, drift and motion are those
// of the general solvers, and the far end of a chain that is long does not end a run.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/formulation/CompiledDae.h"
#include "core/formulation/Formulation.h"
#include "tests/run/RunFixture.h"

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
