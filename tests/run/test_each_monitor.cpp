// Every monitor alone, fed with numbers and without a run: where it speaks, and where it must not.
#include <QtTest>

#include <cmath>

#include "core/run/DriftMonitor.h"
#include "core/run/EnergyMonitor.h"
#include "core/run/ExplosionMonitor.h"
#include "core/run/PinnedPivotMonitor.h"
#include "core/run/ProgressMonitor.h"
#include "core/run/RateMonitor.h"
#include "core/run/SetAsideMonitor.h"

using namespace driftless;
using namespace driftless::run;

namespace {

/// One coordinate of nominal size 1 with one constraint g whose derivative is 1; what a monitor asks for is what was put here.
struct Bench final : MonitorProbe {
    std::vector<double> q{0}, v{0}, a{0}, qBefore{0}, vBefore{0}, aBefore{0};
    std::vector<double> g{0}, jacobian{1};
    double rateBefore = 0, rate = 0;
    Rates found{.known = true, .ratio = 1, .orientation = 1};
    model::NominalScales scales;
    Observation row;

    Bench()
    {
        scales.positions = scales.velocities = {1};
        row.q = q;
        row.v = v;
        row.a = a;
        row.qBefore = qBefore;
        row.vBefore = vBefore;
        row.aBefore = aBefore;
        row.scales = &scales;
        row.usualEnd = 10;
        row.formulation = "form";
        row.adaptive = true;
        row.relativeTolerance = 1e-6;
    }
    bool positionRows(std::span<const double>& out) override
    {
        out = g;
        return true;
    }
    bool positionJacobian(std::span<const double>& out) override
    {
        out = jacobian;
        return true;
    }
    bool coordinateRates(std::span<double> before, std::span<double> now) override
    {
        before[0] = rateBefore;
        now[0] = rate;
        return true;
    }
    Rates rates() override { return found; }
    std::vector<std::string> dummies() override { return {"x"}; }

    /// The next row, h [s] and so many failed attempts later.
    Verdict after(Monitor& monitor, double h, std::uint64_t failed = 0)
    {
        row.tBefore = row.t;
        row.t += h;
        ++row.accepted;
        row.rejected += failed;
        return monitor.judge(row, *this);
    }
};

bool silent(const Verdict& verdict) { return std::holds_alternative<std::monostate>(verdict); }
template <class Detail>
const Detail* warned(const Verdict& verdict)
{
    const auto* detail = std::get_if<EventDetail>(&verdict);
    return detail ? std::get_if<Detail>(detail) : nullptr;
}
template <class Cause>
const Cause* stopped(const Verdict& verdict)
{
    const auto* cause = std::get_if<StopCause>(&verdict);
    return cause ? std::get_if<Cause>(cause) : nullptr;
}

/// Rows of one length until the monitor speaks; none: it does not within so many.
template <class Cause>
std::optional<int> rowsUntil(Bench& bench, Monitor& monitor, double h, std::uint64_t failedEach, int most)
{
    for (int k = 1; k <= most; ++k) {
        const Verdict verdict = bench.after(monitor, h, failedEach);
        if (stopped<Cause>(verdict))
            return k;
        if (!silent(verdict))
            return -1;
    }
    return std::nullopt;
}

} // namespace

class TestEachMonitor : public QObject {
    Q_OBJECT

private slots:
    void pinnedPivot_warnsOnce_andStopsAtTheLimit()
    {
        Bench bench;
        PinnedPivotMonitor monitor;
        monitor.begin(bench.row, bench);
        bench.row.kappa = 1e6; // of a selection that nobody pinned
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.row.pinned = true;
        bench.row.kappa = 99;
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.row.kappa = 101;
        const Verdict first = bench.after(monitor, 0.1);
        QVERIFY(warned<PinnedNearSingular>(first) && warned<PinnedNearSingular>(first)->kappa == 101);
        QVERIFY(silent(bench.after(monitor, 0.1)));
        monitor.begin(bench.row, bench);
        QVERIFY(warned<PinnedNearSingular>(bench.after(monitor, 0.1)));
        for (const double kappa : {1e4, std::numeric_limits<double>::infinity(), std::nan("")}) {
            bench.row.kappa = kappa;
            QVERIFY(stopped<PinnedSingular>(bench.after(monitor, 0.1)));
        }
    }

    void progress_stopsAHundredTinySteps_notFewer()
    {
        Bench bench;
        ProgressMonitor monitor;
        monitor.begin(bench.row, bench);
        QVERIFY(!rowsUntil<Standstill>(bench, monitor, 0.01, 0, 2500));
        QVERIFY(!rowsUntil<Standstill>(bench, monitor, 0.9e-11, 0, 99));
        QVERIFY(silent(bench.after(monitor, 0.01))); // it has recovered
        QCOMPARE(rowsUntil<Standstill>(bench, monitor, 0.9e-11, 0, 200), std::optional(100));
    }

    void progress_stopsAWindowThatBringsNothing()
    {
        Bench bench;
        ProgressMonitor monitor;
        monitor.begin(bench.row, bench);
        QVERIFY(!rowsUntil<Standstill>(bench, monitor, 0.01, 0, 1000));
        // 1e-7 of the best window, but no step below 1e-9 of the longest: told where the next window of a thousand ends.
        QCOMPARE(rowsUntil<Standstill>(bench, monitor, 1e-9, 0, 2000), std::optional(1000));
    }

    void progress_tellsCreepingByItsFailedAttempts()
    {
        for (const bool fails : {true, false}) {
            Bench bench;
            ProgressMonitor monitor;
            monitor.begin(bench.row, bench);
            QVERIFY(silent(bench.after(monitor, 1)));
            const auto found = rowsUntil<Standstill>(bench, monitor, 5e-6, fails ? 1 : 0, 5000);
            QCOMPARE(found, fails ? std::optional(2999 + 1000) : std::nullopt); // the first window holds the long step
        }
    }

    void explosion_isAMillionTimesTheScale()
    {
        Bench bench;
        ExplosionMonitor monitor;
        bench.row.energy = 3; // [J], above the nominal 1
        monitor.begin(bench.row, bench);
        bench.row.energyError = -2.9e6;
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.row.energyError = -3.1e6;
        const Verdict lost = bench.after(monitor, 0.1);
        QVERIFY(stopped<EnergyExploded>(lost) && stopped<EnergyExploded>(lost)->error == -3.1e6);
        bench.row.work = 1;
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.row.relativePosition = 1.1e6;
        QVERIFY(stopped<ConstraintsExploded>(bench.after(monitor, 0.1)));
        bench.q[0] = 1100; // a mechanism that has gone so far has such residuals by round-off
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.q[0] = 0;
        bench.row.general = true;
        bench.row.energyError = std::nan("");
        QVERIFY(silent(bench.after(monitor, 0.1)));
    }

    void energy_ofFixedSteps_isLostBeyondAllThereIs()
    {
        Bench bench;
        bench.row.adaptive = false;
        bench.row.step = 0.1;
        EnergyMonitor monitor;
        bench.row.energy = bench.row.kinetic = 2;
        monitor.begin(bench.row, bench);
        bench.row.energyError = -1.9; // it damps
        for (int k = 0; k < 50; ++k)
            QVERIFY(silent(bench.after(monitor, 0.1)));
        QVERIFY(!monitor.lost());
        bench.row.energyError = -2.1;
        int rows = 0;
        Verdict said;
        while (silent(said) && rows++ < 20)
            said = bench.after(monitor, 0.1);
        QVERIFY(warned<EnergyDrifted>(said));
        QCOMPARE(warned<EnergyDrifted>(said)->exchanged, 2.0);
        QCOMPARE(warned<EnergyDrifted>(said)->fixedStep, std::optional(0.1));
        QVERIFY(rows >= 5 && rows <= 8); // a tenth of the time: of 5 s and a little more
        QVERIFY(monitor.lost());
        QVERIFY(silent(bench.after(monitor, 0.1))); // once a run
    }

    void energy_ofChosenSteps_isLostAtOnceInAStretch()
    {
        Bench bench;
        EnergyMonitor monitor;
        bench.row.energy = bench.row.kinetic = 1;
        bench.v[0] = 1;
        monitor.begin(bench.row, bench);
        for (int k = 0; k < 100; ++k)
            QVERIFY(silent(bench.after(monitor, 0.01)));
        bench.row.energyError = 0.02; // two per cent in a step; a hundred steps of 4e-5 explain 0.4 % of 1 J
        Verdict said;
        int rows = 0;
        while (silent(said) && rows++ < 50)
            said = bench.after(monitor, 0.01);
        QVERIFY(warned<EnergyDrifted>(said));
        QVERIFY(rows > 5 && rows < 20); // it has to last for a tenth of the time
    }

    /// A mode begins with the error that the run has, and is judged by what it adds.
    void energy_lostBefore_isNoLossOfWhatComesNext()
    {
        Bench bench;
        EnergyMonitor monitor;
        bench.row.adaptive = false;
        bench.row.step = 0.01;
        bench.row.energy = 1; // at rest, so high up
        bench.row.energyError = bench.row.work = 0.5;
        monitor.begin(bench.row, bench);
        bench.row.kinetic = 0.01; // a hundredth of a joule of height is all that it exchanges
        for (int k = 0; k < 100; ++k)
            QVERIFY(silent(bench.after(monitor, 0.01)));
        bench.row.energyError = 0.53; // 0.03 J out of 0.01 J of height
        Verdict said;
        int rows = 0;
        while (silent(said) && rows++ < 50)
            said = bench.after(monitor, 0.01);
        const auto* drifted = warned<EnergyDrifted>(said);
        QVERIFY(drifted && drifted->withinSteps.value_or(0) > 100);
        QVERIFY(std::abs(drifted->error - 0.03) < 1e-15); // round-off of 0.53 - 0.5
    }

    /// Each event begins a new watch: what appears there is added up. In other modes the error may have changed by itself.
    void energy_thatAppearsAtEvents_isSaid_andWhatOtherModesLostIsNot()
    {
        for (const std::uint64_t apart : {1, 100}) {
            Bench bench;
            EnergyMonitor monitor;
            bench.row.kinetic = bench.row.energy = 1; // as usual
            monitor.begin(bench.row, bench);
            Verdict said;
            for (int event = 0; event < 4 && silent(said); ++event) {
                bench.row.energyError += 0.4;
                bench.row.accepted += apart - 1;
                monitor.begin(bench.row, bench);
                said = bench.after(monitor, 1e-6);
            }
            const auto* drifted = warned<EnergyDrifted>(said);
            QCOMPARE(drifted != nullptr, apart == 1);
            QVERIFY(!drifted || std::abs(drifted->error - 1.2) < 1e-12); // round-off of sums: the third 0.4 J pass 1 J
        }
    }

    /// A mode that begins at rest exchanges round-off, and errs by round-off.
    void energy_ofAModeAtRest_isNothing()
    {
        for (const double error : {1e-9, 1e-7}) {
            Bench bench;
            EnergyMonitor monitor;
            bench.row.adaptive = false;
            bench.row.step = 0.01;
            monitor.begin(bench.row, bench);
            bench.row.kinetic = 1e-30;
            bench.row.energyError = error; // of 1 J that is usual; a hundred-millionth is nothing
            Verdict said;
            for (int k = 0; k < 50 && silent(said); ++k)
                said = bench.after(monitor, 0.01);
            QCOMPARE(warned<EnergyDrifted>(said) != nullptr, error > 1e-8);
        }
    }

    /// A rod that has grown by 1e-4 m under 50 N: 5 mJ are its weight. What differs from that is lost or gained.
    void energy_ofADrift_isNoError()
    {
        for (const double error : {-0.005, -0.0052, 0.0, -0.01}) {
            Bench bench;
            bench.scales.energy = 1;
            bench.scales.energies = {1};
            std::vector<double> lambda{50};
            bench.row.constraints = bench.g;
            bench.row.multipliers = lambda;
            EnergyMonitor monitor;
            monitor.begin(bench.row, bench);
            bench.row.kinetic = 0.1;
            bench.q[0] = bench.v[0] = 1;
            bench.g[0] = bench.row.relativePosition = 1e-4;
            bench.row.energyError = error;
            Verdict said;
            for (int k = 0; k < 100 && silent(said); ++k)
                said = bench.after(monitor, 0.01);
            const auto* found = warned<EnergyDrifted>(said); // 1 % of 0.1 J is granted
            QCOMPARE(found != nullptr, std::abs(error + 0.005) > 0.001);
            QVERIFY(!found || (found->withoutDrift && std::abs(found->error - error - 0.005) < 1e-15));
        }
    }

    /// A bar that has turned on and on is no further from where it was than by two of its radii.
    void drift_ofWhatTurns_isAShareOfTwoRadii()
    {
        for (const char* unit : {"rad", "m"}) {
            Bench bench;
            const solve::MatrixPlace place{0, 0};
            DriftMonitor monitor({"pin"}, {unit}, {&place, 1});
            monitor.begin(bench.row, bench);
            bench.g[0] = 0.11; // of a radius of 1
            Verdict said;
            for (int k = 0; k < 100 && silent(said); ++k) {
                bench.q[0] = 240;
                said = bench.after(monitor, 0.1);
            }
            const auto* found = warned<PositionsDrifted>(said);
            QCOMPARE(found != nullptr, std::string(unit) == "rad");
            QVERIFY(!found || std::abs(found->share - 0.055) < 1e-12);
        }
    }

    /// Springs give 0.1 in the mean, whatever their swing: 5 % of the usual size are 0.05.
    void drift_ofSprings_isTheirMean()
    {
        for (const double mean : {0.04, 0.1})
            for (const double swing : {0.0, 0.5, 1.0}) {
                Bench bench;
                bench.row.yields = true;
                const solve::MatrixPlace place{0, 0};
                DriftMonitor monitor({"rod"}, {"m"}, {&place, 1});
                monitor.begin(bench.row, bench);
                bench.q[0] = 1;
                Verdict said;
                for (int k = 0; k < 400 && silent(said); ++k) {
                    bench.g[0] = mean * (1 - swing * std::cos(k));
                    said = bench.after(monitor, 0.1);
                }
                const auto* found = warned<PositionsDrifted>(said);
                QCOMPARE(found != nullptr, mean > 0.05);
                QVERIFY(!found || (found->yields && found->share > 0.05 && found->share == found->residual));
            }
    }

    void drift_ofAFormThatDoesNotHold_isFivePerCentOfTheWay()
    {
        for (const bool held : {false, true}) {
            Bench bench;
            bench.row.holdsPositions = held;
            const solve::MatrixPlace place{0, 0};
            DriftMonitor monitor({"rod"}, {"m"}, {&place, 1});
            monitor.begin(bench.row, bench);
            bench.q[0] = 2;
            bench.g[0] = held ? 0.019 : 0.099;
            for (int k = 0; k < 20; ++k)
                QVERIFY(silent(bench.after(monitor, 0.1)));
            bench.g[0] = held ? 0.021 : 0.101; // above 1 % and 5 % of the way
            Verdict said;
            int rows = 0;
            while (silent(said) && rows++ < 20)
                said = bench.after(monitor, 0.1);
            const auto* found = warned<PositionsDrifted>(said);
            QVERIFY(found && found->held == held && found->constraint == "rod" && found->formulation == "form");
            QVERIFY(std::abs(found->share - bench.g[0] / 2) < 1e-12); // two round-offs
            QVERIFY(rows >= 3 && rows <= 4);                          // a tenth of the time so far
            QVERIFY(monitor.lost());
            QVERIFY(silent(bench.after(monitor, 0.1)));
        }
    }

    void rates_warnNearSingular_andStopAtAJump()
    {
        Bench bench;
        bench.row.needsRateRank = true;
        RateMonitor monitor(1);
        monitor.begin(bench.row, bench);
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.found.ratio = 0.005;
        const Verdict near = bench.after(monitor, 0.1);
        QVERIFY(warned<RatesNearSingular>(near) && warned<RatesNearSingular>(near)->ratio == 0.005
                && !warned<RatesNearSingular>(near)->singularSince);
        QVERIFY(silent(bench.after(monitor, 0.1))); // until it is clear of it again
        bench.q[0] = 0.5;                           // at rest before and after, without an acceleration
        const Verdict jump = bench.after(monitor, 0.1);
        QVERIFY(stopped<RatesJumped>(jump) && stopped<RatesJumped>(jump)->ofPositions);
        QCOMPARE(stopped<RatesJumped>(jump)->away, 0.5);
        bench.qBefore[0] = 0.5;
        bench.found.ratio = 0.5;
        QVERIFY(silent(bench.after(monitor, 0.1)));
        bench.found.orientation = -1; // what lies between was not seen
        const Verdict turned = bench.after(monitor, 0.1);
        QVERIFY(warned<RatesNearSingular>(turned));
        QCOMPARE(warned<RatesNearSingular>(turned)->singularSince, std::optional(bench.row.tBefore));
        bench.row.needsRateRank = false;
        bench.found.ratio = 0;
        QVERIFY(silent(bench.after(monitor, 0.1)));
    }

    /// Half a thousandth of the position: left to the warning, but where the matrix is singular as good as exactly.
    void rates_smallJumpsCountWhereTheMatrixIsSingular()
    {
        for (const double ratio : {0.005, 1e-10}) {
            Bench bench;
            bench.row.needsRateRank = true;
            bench.q[0] = bench.qBefore[0] = 1;
            RateMonitor monitor(1);
            bench.found.ratio = ratio;
            monitor.begin(bench.row, bench);
            QVERIFY(silent(bench.after(monitor, 0.1)));
            bench.q[0] = 1 + 4e-4; // twenty times what the tolerances let pass in a step
            const Verdict jump = bench.after(monitor, 0.1);
            QCOMPARE(stopped<RatesJumped>(jump) != nullptr, ratio < 0.001);
        }
    }

    void setAsideRows_mayMissByAHundredTimesTheOthers()
    {
        Bench bench;
        std::vector<double> aside{0, 1e-3};
        bench.row.setAside = aside;
        SetAsideMonitor monitor(1, 2, {0.5, 1, 2}); // scales of the row kept and of those set aside
        bench.g[0] = 1e-5;                          // 2e-5 of its scale: 2e-3 is allowed
        QVERIFY(silent(bench.after(monitor, 0.1))); // 5e-4 of its scale
        aside[1] = -5e-3;
        const Verdict left = bench.after(monitor, 0.1);
        QVERIFY(stopped<LeftSetAside>(left));
        QCOMPARE(stopped<LeftSetAside>(left)->row, std::size_t{1});
        QCOMPARE(stopped<LeftSetAside>(left)->residual, -5e-3);
        QCOMPARE(stopped<LeftSetAside>(left)->share, 2.5e-3);
        aside[1] = std::nan("");
        QVERIFY(stopped<LeftSetAside>(bench.after(monitor, 0.1)));
        aside = {1e-9, 1e-9};
        bench.g[0] = 0;
        QVERIFY(silent(bench.after(monitor, 0.1))); // round-off
    }
};

QTEST_APPLESS_MAIN(TestEachMonitor)
#include "test_each_monitor.moc"
