// Backward differentiation formulas from exact past values, from their own start, over a cut step, and against recursions
// written out by hand.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/integrate/Bdf.h"
#include "core/integrate/Integrator.h"
#include "tests/problems/Circle.h"
#include "tests/problems/Pendulum.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::StepStatus;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A quarter of an order: the next term of the error series at the steps taken here.
constexpr double kSlack = 0.25;

/// y' = z, z + y = 0: decay with its rate as an algebraic unknown.
struct Decay {
    static constexpr std::size_t kSize = 2;
    static constexpr int kIndex = 1;
    Roles roles() const { return {{true, 0, false}, {false, 1, false}}; }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[1];
        F[1] = y[1] + y[0];
    }
    static std::vector<double> exact(double t) { return {std::exp(-t), -std::exp(-t)}; }
};

/// x' = v, v' = -x.
struct Rotation {
    static constexpr std::size_t kSize = 2;
    static constexpr int kIndex = 0;
    Roles roles() const { return {{}, {}}; }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[1];
        F[1] = yp[1] + y[0];
    }
    static std::vector<double> exact(double t) { return {std::cos(t), -std::sin(t)}; }
};

/// y' = y^2.
struct Explosion {
    static constexpr std::size_t kSize = 1;
    static constexpr int kIndex = 0;
    Roles roles() const { return {{}}; }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[0] * y[0];
    }
    static std::vector<double> exact(double t) { return {1 / (1 - t)}; }
};

/// [St02] (35).
std::vector<double> circle(double t)
{
    const double s = std::sin(t), c = std::cos(t);
    return {s, c, c, -s, s * c};
}
std::vector<double> circleRate(double t)
{
    const double s = std::sin(t), c = std::cos(t);
    return {c, -s, -s, -c, c * c - s * s};
}

enum class Begin { History, OwnStart };

template <class Form>
struct Bench {
    HandCoded<Form> dae;
    std::unique_ptr<integrate::Integrator> method;
    bool begun = false;

    Bench(std::size_t order, double h)
    {
        method = std::move(integrate::makeIntegrator("bdf" + std::to_string(order))).value();
        integrate::IntegratorOptions options;
        options.step = h;
        begun = method->prepare(dae, options).ok();
    }
    template <class Exact>
    void history(std::size_t order, double h, Exact exact)
    {
        std::vector<double> times;
        std::vector<std::vector<double>> values;
        for (std::size_t i = 0; i < order; ++i) {
            times.push_back(static_cast<double>(i) * h);
            values.push_back(exact(times.back()));
        }
        begun = begun && door().restartWithHistory(times, values).ok();
    }
    integrate::HistoryStart& door() { return dynamic_cast<integrate::HistoryStart&>(*method); }
    bool stepOnce(double stop = kInfinity) { return method->step(stop).status == StepStatus::Accepted; }
};

struct Errors {
    double p = 0, v = 0, lambda = 0;
    bool ran = false;
};

/// On the circle to about t = 2 in whole steps, after a stop at 1 + cut * h if cut > 0.
template <int Index>
Errors onCircle(std::size_t order, double h, Begin begin, double cut = 0)
{
    Bench<Circle<Index>> bench(order, h);
    if (begin == Begin::History)
        bench.history(order, h, circle);
    else
        bench.begun = bench.begun && bench.method->restart(0, circle(0), circleRate(0)).ok();
    if (!bench.begun)
        return {};
    const auto& m = *bench.method;
    const double stop = 1 + cut * h;
    while (cut > 0 && m.t() < stop)
        if (!bench.stepOnce(stop))
            return {};
    while (m.t() < 2 - h / 2)
        if (!bench.stepOnce())
            return {};
    const auto y = m.y();
    const auto e = circle(m.t());
    return {std::hypot(y[0] - e[0], y[1] - e[1]), std::hypot(y[2] - e[2], y[3] - e[3]), std::abs(y[4] - e[4]), true};
}

/// The larger of two steps of which the smaller is still far above round-off (divided by h^2 in a multiplier of index 3).
double stepFor(std::size_t order) { return order == 6 ? 1.0 / 16 : 1.0 / 32; }

template <int Index>
void checkOrder(std::size_t order, Begin begin, double cut)
{
    const double h = stepFor(order), k = static_cast<double>(order);
    const auto coarse = onCircle<Index>(order, h, begin, cut), fine = onCircle<Index>(order, h / 2, begin, cut);
    QVERIFY(coarse.ran && fine.ran);
    const double p = std::log2(coarse.p / fine.p), v = std::log2(coarse.v / fine.v), l = std::log2(coarse.lambda / fine.lambda);
    const auto text = QString("index %1, bdf%2: %3 %4 %5").arg(Index).arg(order).arg(p).arg(v).arg(l);
    QVERIFY2(std::abs(p - k) < kSlack && std::abs(v - k) < kSlack && std::abs(l - k) < kSlack, qPrintable(text));
}

template <int Index>
void checkOwnStart(std::size_t order)
{
    for (double h : {stepFor(order), stepFor(order) / 2}) {
        const auto own = onCircle<Index>(order, h, Begin::OwnStart), exact = onCircle<Index>(order, h, Begin::History);
        QVERIFY(own.ran && exact.ran);
        // The start is one local error among 2 / h of them: it may at most double the whole. Below 1e-9 a multiplier is
        // round-off.
        const auto text = QString("index %1, bdf%2: %3 %4").arg(Index).arg(order).arg(own.p / exact.p).arg(own.v / exact.v);
        QVERIFY2(own.p < 2 * exact.p && own.v < 2 * exact.v && own.lambda < 2 * exact.lambda + 1e-9, qPrintable(text));
    }
}

} // namespace

class BdfTest : public QObject {
    Q_OBJECT
private slots:
    void coefficients_differentiatePolynomialsUpToTheOrder_andMissTheNextByAFactorial()
    {
        double factorial = 1;
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            factorial *= static_cast<double>(k);
            for (std::size_t degree = 0; degree <= k + 1; ++degree) {
                double sum = 0, size = 0;
                for (std::size_t i = 0; i <= k; ++i) {
                    const double power = std::pow(-static_cast<double>(i), static_cast<double>(degree));
                    sum += integrate::kBdf[k - 1][i] * power;
                    size += std::abs(integrate::kBdf[k - 1][i] * power);
                }
                // t^(k+1) minus its interpolant at 0, -1, ..., -k is t (t + 1) ... (t + k), with slope k! at 0.
                double expected = 0;
                if (degree == 1)
                    expected = 1;
                else if (degree == k + 1)
                    expected = -factorial;
                QVERIFY(std::abs(sum - expected) <= 8 * kEpsilon * size);
            }
        }
    }

    void weightsFromTimes_areTheRationalOnesAtEqualDistances()
    {
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            integrate::BdfWeights times{}, weights{};
            for (std::size_t i = 0; i <= k; ++i)
                times[i] = 5 - 0.25 * static_cast<double>(i);
            integrate::differentiationWeights(std::span(times).first(k + 1), weights);
            for (std::size_t i = 0; i <= k; ++i) // two operations for each other time
                QVERIFY(std::abs(0.25 * weights[i] - integrate::kBdf[k - 1][i])
                        <= 2 * 7 * kEpsilon * std::abs(integrate::kBdf[k - 1][i]));
        }
    }

    void weightsFromTimes_areExactForPolynomials_alsoAtUnequalDistances()
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> gap(0.2, 1);
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            integrate::BdfWeights times{}, slope{}, value{};
            times[0] = 1;
            for (std::size_t i = 1; i <= k; ++i)
                times[i] = times[i - 1] - gap(random);
            integrate::differentiationWeights(std::span(times).first(k + 1), slope);
            integrate::extrapolationWeights(1.5, std::span(times).first(k + 1), value);
            for (std::size_t degree = 0; degree <= k; ++degree) {
                const double d = static_cast<double>(degree);
                double dp = 0, p = 0, size = 1;
                for (std::size_t i = 0; i <= k; ++i) {
                    dp += slope[i] * std::pow(times[i], d);
                    p += value[i] * std::pow(times[i], d);
                    size += (std::abs(slope[i]) + std::abs(value[i])) * std::pow(std::abs(times[i]), d);
                }
                QVERIFY(std::abs(dp - d) <= 32 * kEpsilon * size);
                QVERIFY(std::abs(p - std::pow(1.5, d)) <= 32 * kEpsilon * size);
            }
        }
    }

    void bdf2FromAHistory_isTheRecursionWrittenOut()
    {
        const double h = 0.1;
        Bench<Decay> bench(2, h);
        bench.history(2, h, Decay::exact);
        QVERIFY(bench.begun);
        double before = 1, last = std::exp(-h);
        for (int n = 2; n < 100; ++n) {
            QVERIFY(bench.stepOnce());
            // 3/2 y_n - 2 y_{n-1} + 1/2 y_{n-2} = -h y_n.
            const double next = (2 * last - before / 2) / (1.5 + h);
            // A few operations a step, and Newton's 4 epsilon; the recursion forgets.
            QVERIFY(std::abs(bench.method->y()[0] - next) <= 16 * n * kEpsilon);
            // rho y_n divides that by h.
            QVERIFY(std::abs(bench.method->yp()[0] - (1.5 * next - 2 * last + before / 2) / h) <= 16 * n * kEpsilon / h);
            before = last;
            last = next;
        }
    }

    void error_isThatOfTheLeadingTerm()
    {
        // y' = -y: the principal root is e^z (1 + z^(k+1) / (k + 1) + ...), z = -h, so after n steps the relative error is
        // n z^(k+1) / (k + 1), up to a factor 1 + C h with C about k.
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            const double h = stepFor(k), order = static_cast<double>(k);
            Bench<Decay> bench(k, h);
            bench.history(k, h, Decay::exact);
            QVERIFY(bench.begun);
            int n = 0;
            for (; bench.method->t() < 4; ++n)
                QVERIFY(bench.stepOnce());
            const double y = Decay::exact(bench.method->t())[0];
            const double predicted = y * n * std::pow(-h, order + 1) / (order + 1);
            const double ratio = (bench.method->y()[0] - y) / predicted;
            QVERIFY2(std::abs(ratio - 1) < 2 * order * h, qPrintable(QString("bdf%1: %2").arg(k).arg(ratio)));
        }
    }

    void order_fromExactPastValues_isTheNominalOne_onIndexOneToThree()
    {
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            checkOrder<1>(k, Begin::History, 0);
            checkOrder<2>(k, Begin::History, 0);
            checkOrder<3>(k, Begin::History, 0);
        }
    }

    void ownStart_addsLessThanTheMethodsOwnError()
    {
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            checkOwnStart<1>(k);
            checkOwnStart<2>(k);
            checkOwnStart<3>(k);
        }
    }

    void stopTime_keepsTheOrder()
    {
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k)
            for (double cut : {0.05, 0.37}) { // below and above the distance at which a past value is passed over
                checkOrder<1>(k, Begin::History, cut);
                checkOrder<2>(k, Begin::History, cut);
                checkOrder<3>(k, Begin::History, cut);
            }
    }

    void stopTimeJustBehindAStep_doesNotSpoilIndexThree()
    {
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            const double h = stepFor(k);
            const auto cut = onCircle<3>(k, h, Begin::History, 1e-7), smooth = onCircle<3>(k, h, Begin::History);
            QVERIFY(cut.ran && smooth.ran);
            // One more step of no length: nothing divides by that length.
            QVERIFY(std::abs(cut.p / smooth.p - 1) < 2 * h && std::abs(cut.v / smooth.v - 1) < 2 * h);
            QVERIFY2(std::abs(cut.lambda / smooth.lambda - 1) < 2 * h, qPrintable(QString::number(cut.lambda / smooth.lambda)));
        }
    }

    void everyStepCut_stillMakesTheFormula()
    {
        // Stops four times and a hundred times as dense as the steps: all of the past is close together.
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k)
            for (double dense : {3.0, 10.0, 100.0}) {
                const double h = 1.0 / 16;
                Bench<Decay> bench(k, h);
                QVERIFY(bench.method->restart(0, Decay::exact(0), Decay::exact(0)));
                for (int n = 1; n <= static_cast<int>(dense * 16); ++n)
                    while (bench.method->t() < n * h / dense)
                        QVERIFY(bench.stepOnce(n * h / dense));
                // At most the error of whole steps, n z^(k+1) / (k + 1).
                const double order = static_cast<double>(k), whole = 16 * std::pow(h, order + 1) / (order + 1);
                const double error = std::abs(bench.method->y()[0] - std::exp(-1.0));
                QVERIFY2(error < whole, qPrintable(QString("bdf%1 %2: %3 of %4").arg(k).arg(dense).arg(error).arg(whole)));
            }
    }

    void changeOfRoles_needsNoRestart_andKeepsTheOrder()
    {
        std::array<double, 2> error{};
        std::array<int, 2> swaps{};
        for (std::size_t i : {0, 1}) {
            Bench<PendulumDummy> bench(4, 0.01 / static_cast<double>(1 + i));
            const auto start = PendulumDummy::start(kCase2Start);
            repivot(bench.dae, start.y);
            QVERIFY(bench.method->restart(0, start.y, start.yp));
            while (bench.method->t() < 10) {
                const auto before = bench.method->statistics();
                QVERIFY(bench.stepOnce(10));
                // A starting step would assemble three stages for each factorisation.
                const auto& now = bench.method->statistics();
                if (swaps[i] > 0)
                    QCOMPARE(now.jacobianEvaluations - before.jacobianEvaluations, now.factorizations - before.factorizations);
                swaps[i] += repivot(bench.dae, bench.method->y());
            }
            error[i] = std::hypot(bench.method->y()[0] - kCase2At10.x, bench.method->y()[1] - kCase2At10.y);
        }
        QVERIFY(swaps[0] > 2 && swaps[1] == swaps[0]);
        QVERIFY2(std::abs(std::log2(error[0] / error[1]) - 4) < kSlack,
                 qPrintable(QString::number(std::log2(error[0] / error[1]))));
    }

    void undampedOscillation_isDampedUpToOrderTwo_andMayGrowBeyond()
    {
        // On the imaginary axis, z = i: orders 1 and 2 are A-stable; 3 to 6 are not (angles of 86, 73, 52 and 18 degrees;
        // Hairer, Wanner, Solving ODEs II, table V.2.1).
        for (std::size_t k = 1; k <= integrate::kBdfHighestOrder; ++k) {
            Bench<Rotation> bench(k, 1);
            bench.history(k, 1, Rotation::exact);
            QVERIFY(bench.begun);
            for (int n = 0; n < 200; ++n)
                QVERIFY(bench.stepOnce());
            const double size = std::hypot(bench.method->y()[0], bench.method->y()[1]);
            QVERIFY2(k <= 2 ? size < 1e-3 : size > 1e3, qPrintable(QString("bdf%1: %2").arg(k).arg(size)));
        }
    }

    void stepWithoutASolution_failsWhereItStood_andIsNotHalved()
    {
        Bench<Explosion> bench(1, 10);
        const double time = 0;
        const std::vector<double> value{1};
        // One past value is all that bdf1 needs: y = 1 + 10 y^2 has no real solution.
        QVERIFY(bench.door().restartWithHistory({&time, 1}, {&value, 1}));
        const auto outcome = bench.method->step(kInfinity);
        QVERIFY(outcome.status == StepStatus::Failed && outcome.failure == integrate::StepFailure::NewtonDiverged);
        QVERIFY(bench.method->t() == 0 && bench.method->y()[0] == 1);
        QCOMPARE(outcome.h, 10.0);
        QCOMPARE(bench.method->statistics().steps, std::uint64_t{0});
        QCOMPARE(bench.method->statistics().rejected, std::uint64_t{1});
    }

    void badHistories_areRefused()
    {
        Bench<Decay> bench(3, 0.1);
        const std::vector<std::vector<double>> values{Decay::exact(0), Decay::exact(0.1), Decay::exact(0.2)};
        auto& door = bench.door();
        const auto refused = [&](std::vector<double> times, std::span<const std::vector<double>> states) {
            return !door.restartWithHistory(times, states).ok();
        };
        QVERIFY(!refused({0, 0.1, 0.2}, values));
        QVERIFY(refused({0, 0.1}, std::span(values).first(2)));
        QVERIFY(refused({0, 0.1}, values));
        QVERIFY(refused({0, 0.2, 0.1}, values));
        QVERIFY(refused({0, 0.1, std::nan("")}, values));
        auto wrong = values;
        wrong[0].pop_back();
        QVERIFY(refused({0, 0.1, 0.2}, wrong));
    }
};

QTEST_APPLESS_MAIN(BdfTest)
#include "test_bdf.moc"
