// The explicit methods of high order, dop853, odex and adams, on problems with solutions in exponentials: orders that show,
// errors that follow the tolerance at the steps and between them, and dense output that changes nothing.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/integrate/Integrator.h"
#include "tests/problems/Generic.h"
#include "tests/problems/Pendulum.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::StepStatus;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::unique_ptr<integrate::Integrator> make(const QString& id)
{
    return std::move(integrate::makeIntegrator(id.toStdString())).value();
}

/// y' = 6 t^5, y = t^6.
struct SixthPower {
    static constexpr std::size_t kSize = 1;
    static constexpr int kIndex = 0;
    std::vector<solve::UnknownRole> roles() const { return {{}}; }
    template <class S>
    void residual(S t, const S*, const S* yp, S* F) const
    {
        F[0] = yp[0] - S(6) * t * t * t * t * t;
    }
};

struct Errors {
    double ends = 0, between = 0; ///< the largest
    integrate::Statistics work{};
    int highest = 0; ///< order
    bool ran = false;
};

double worst(std::span<const double> y, const std::vector<double>& exact)
{
    double out = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        out = std::max(out, std::abs(y[i] - exact[i]));
    return out;
}

/// To t = 1; fixedStep: of that many steps of one length, where every error passes.
template <class Form>
Errors driven(const QString& id, double tolerance, int fixedSteps = 0)
{
    HandCoded<Form> dae;
    auto method = make(id);
    integrate::IntegratorOptions options;
    options.step = 0;
    options.relativeTolerance = options.absoluteTolerance = tolerance;
    if (fixedSteps > 0) {
        options.step = options.maxStep = 1.0 / fixedSteps;
        options.relativeTolerance = 1e-12;
        options.absoluteTolerance = 1e9;
    }
    if (!method->prepare(dae, options) || !method->restart(0, Form::at(0), Form::ratesAt(0)))
        return {};
    Errors out;
    std::vector<double> at(Form::kSize);
    for (int k = 1; method->t() < 1; ++k) {
        const double before = method->t();
        if (method->step(fixedSteps > 0 ? static_cast<double>(k) / fixedSteps : 1).status != StepStatus::Accepted)
            return {};
        out.ends = std::max(out.ends, worst(method->y(), Form::at(method->t())));
        for (const double share : {0.15, 0.5, 0.85}) {
            const double t = before + share * (method->t() - before);
            method->interpolate(t, at);
            out.between = std::max(out.between, worst(at, Form::at(t)));
        }
        out.highest = std::max(out.highest, method->currentOrder());
    }
    out.work = method->statistics();
    out.ran = true;
    return out;
}

} // namespace

class TestHighOrder : public QObject {
    Q_OBJECT
private slots:
    void dop853_hasItsOrder_atTheStepsAndBetween()
    {
        // Orders are whole numbers: a third of one is the next term of the error series at these steps.
        constexpr double kSlack = 0.34;
        const auto check = [](const Errors& coarse, const Errors& fine) {
            QVERIFY(coarse.ran && fine.ran);
            QVERIFY2(std::abs(std::log2(coarse.ends / fine.ends) - 8) < kSlack,
                     qPrintable(QString("ends %1").arg(std::log2(coarse.ends / fine.ends))));
            const double between = std::log2(coarse.between / fine.between); // order 7: errors of h^8 in one step
            QVERIFY2(between > 8 - kSlack, qPrintable(QString("between %1").arg(between)));
        };
        check(driven<GenericOde>("dop853", 0, 8), driven<GenericOde>("dop853", 0, 16));
        check(driven<GenericHessenberg<1>>("dop853", 0, 8), driven<GenericHessenberg<1>>("dop853", 0, 16));
    }

    void errors_followTheTolerance_atTheStepsAndBetween_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"dop853", "odex", "adams"})
            QTest::newRow(id) << id;
    }
    void errors_followTheTolerance_atTheStepsAndBetween()
    {
        QFETCH(QString, id);
        double last = kInfinity;
        for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
            for (const Errors& e : {driven<GenericOde>(id, tolerance), driven<GenericHessenberg<1>>(id, tolerance)}) {
                QVERIFY(e.ran);
                // Local errors add up over the steps; the solutions grow to 7 and errors with them.
                QVERIFY2(e.ends < 300 * tolerance, qPrintable(QString("%1 at %2").arg(e.ends).arg(tolerance)));
                QVERIFY2(e.between < 1000 * tolerance, qPrintable(QString("%1 between, %2").arg(e.between).arg(tolerance)));
            }
            const double ends = driven<GenericOde>(id, tolerance).ends;
            QVERIFY(ends < last);
            last = ends;
        }
    }

    void highOrders_takeFewerEvaluations_atSmallTolerances()
    {
        const auto usual = driven<GenericOde>("dormand-prince", 1e-11).work.residualEvaluations;
        for (const char* id : {"dop853", "odex", "adams"}) {
            const Errors e = driven<GenericOde>(id, 1e-11);
            // Newton's iteration solves for the rates of this form: three evaluations each, of dense output, too.
            QVERIFY2(2 * e.work.residualEvaluations < 3 * usual, id);
        }
    }

    void orders_riseWithTheDigits()
    {
        for (const char* id : {"odex", "adams"}) {
            const int coarse = driven<GenericOde>(id, 1e-3).highest, fine = driven<GenericOde>(id, 1e-12).highest;
            QVERIFY2(coarse < fine && fine >= 8, qPrintable(QString("%1: %2, %3").arg(id).arg(coarse).arg(fine)));
            QVERIFY(fine <= (QString(id) == "adams" ? 12 : 18));
        }
    }

    /// A predictor of order k has a corrector that is exact for y = t^(k+1), whatever the past steps were.
    void adams_isExactForPolynomials_onceItsOrderIsThere()
    {
        HandCoded<SixthPower> dae;
        auto method = make("adams");
        integrate::IntegratorOptions options;
        options.step = 0;
        options.relativeTolerance = options.absoluteTolerance = 1e-3;
        QVERIFY(method->prepare(dae, options));
        const double y0 = 1, yp0 = 6;
        QVERIFY(method->restart(1, {&y0, 1}, {&yp0, 1}));
        int exact = 0, wrong = 0;
        double value = 1;
        for (int k = 0; k < 200 && method->t() < 2; ++k) {
            const double before = method->t();
            // Stop times make the steps uneven.
            QVERIFY(method->step(k % 3 ? kInfinity : before + 0.7 * std::max(1e-6, method->nextStep())).status
                    == StepStatus::Accepted);
            const double grown = std::pow(method->t(), 6) - std::pow(before, 6);
            const double off = std::abs(method->y()[0] - value - grown);
            value = method->y()[0];
            // Of the powers and sums; a difference of order k has 2^k that of the rates, and uneven steps make it as much
            // larger again.
            const double roundoff = 64 * 2.3e-16 * value * std::pow(4.0, method->currentOrder());
            if (method->currentOrder() >= 5) {
                QVERIFY2(off <= roundoff, qPrintable(QString("%1 at order %2").arg(off).arg(method->currentOrder())));
                double middle = 0;
                const double t = before + 0.4 * (method->t() - before);
                method->interpolate(t, {&middle, 1});
                QVERIFY(std::abs(middle - std::pow(t, 6) - (value - std::pow(method->t(), 6))) <= 4 * roundoff);
                ++exact;
            } else {
                wrong += off > roundoff;
            }
        }
        QVERIFY2(exact > 5 && wrong > 0, qPrintable(QString("%1 %2").arg(exact).arg(wrong)));
    }

    void denseOutput_changesNoStep()
    {
        for (const char* id : {"dop853", "odex", "adams", "dormand-prince"}) {
            HandCoded<PendulumLambda<1>> one, two;
            auto a = make(id), b = make(id);
            const auto start = PendulumLambda<1>::start(kCase2Start);
            integrate::IntegratorOptions options;
            options.step = 0;
            options.relativeTolerance = options.absoluteTolerance = 1e-7;
            QVERIFY(a->prepare(one, options) && b->prepare(two, options));
            QVERIFY(a->restart(0, start.y, start.yp) && b->restart(0, start.y, start.yp));
            std::vector<double> at(a->y().size()), again(at.size());
            for (int i = 0; i < 100; ++i) {
                QVERIFY(a->step(kInfinity).status == StepStatus::Accepted);
                QVERIFY(b->step(kInfinity).status == StepStatus::Accepted);
                QVERIFY2(a->t() == b->t() && std::equal(a->y().begin(), a->y().end(), b->y().begin()), id);
                b->interpolate(b->t() - 0.3 * b->lastStep(), at);
                b->interpolate(b->t() - 0.8 * b->lastStep(), again);
                b->interpolate(b->t() - 0.3 * b->lastStep(), again);
                QVERIFY(at == again);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestHighOrder)
#include "test_high_order.moc"
