// Right-hand sides that jump, at times and at states that are drawn: a method with a past has to give it up there and go on.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "core/integrate/Integrator.h"
#include "tests/problems/HandCoded.h"

using namespace driftless;
using namespace driftless::problems;

namespace {

double plain(double x) { return x; }
double plain(const Dual& x) { return x.value; }

struct Jump {
    double at = 0, size = 0; ///< [s] or a speed; of the force
};
using Jumps = std::vector<Jump>;

template <class S>
S jumped(const Jumps& jumps, S x)
{
    double sum = 0;
    for (const Jump& j : jumps)
        sum += plain(x) >= j.at ? j.size : 0;
    return S(sum);
}

/// x' = v, v' = -x - z with z = sum of c_k from T_k on: the force, an unknown of its own, jumps in time.
struct PushedOscillator {
    static constexpr std::size_t kSize = 3;
    static constexpr int kIndex = 1;
    Jumps jumps{};
    std::vector<solve::UnknownRole> roles() const { return {{true, 0, false}, {true, 0, false}, {false, 0, false}}; }
    template <class S>
    void residual(S t, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[1];
        F[1] = yp[1] + y[0] + y[2];
        F[2] = y[2] - jumped(jumps, t);
    }
    std::vector<double> start() const { return {1, 0, jumped(jumps, 0.0)}; }
    std::vector<double> startRates() const { return {0, -1 - jumped(jumps, 0.0), 0}; }
    double exact(double t) const
    {
        double x = std::cos(t);
        for (const Jump& j : jumps)
            x -= t >= j.at ? j.size * (1 - std::cos(t - j.at)) : 0;
        return x;
    }
};

/// v' = p - z, z = r v + sum of c_k from v >= v_k on: flow in a pipe, whose friction jumps where it turns turbulent. p is
/// larger than all friction, so that the flow passes every jump and never rests on one.
struct PipeFlow {
    static constexpr std::size_t kSize = 3;
    static constexpr int kIndex = 1;
    static constexpr double kPush = 10, kFriction = 1;
    Jumps jumps{};
    std::vector<solve::UnknownRole> roles() const { return {{true, 0, false}, {true, 0, false}, {false, 0, false}}; }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[1];
        F[1] = yp[1] - S(kPush) + y[2];
        F[2] = y[2] - S(kFriction) * y[1] - jumped(jumps, y[1]);
    }
    std::vector<double> start() const { return {0, 0, 0}; }
    std::vector<double> startRates() const { return {0, kPush, 0}; }
    /// The way x: from one jump to the next v tends to p_k / r, p_k what is left of the push.
    double exact(double t) const
    {
        double x = 0, v = 0, since = 0, push = kPush;
        for (std::size_t k = 0; k <= jumps.size(); ++k) {
            const double goal = push / kFriction;
            const double last = t - since;
            const double tillNext = k < jumps.size() ? -std::log((goal - jumps[k].at) / (goal - v)) / kFriction : last;
            const double dt = std::min(last, tillNext);
            x += goal * dt - (goal - v) * (1 - std::exp(-kFriction * dt)) / kFriction;
            v = goal - (goal - v) * std::exp(-kFriction * dt);
            if (dt >= last)
                break;
            since += dt;
            push -= jumps[k].size;
        }
        return x;
    }
};

struct Outcome {
    bool ran = false;
    double error = 0;
    std::uint64_t steps = 0;
    std::string why;
};

template <class Form>
Outcome driven(const std::string& id, const Form& form, double tolerance, double end)
{
    HandCoded<Form> system(form);
    auto made = integrate::makeIntegrator(id);
    if (!made)
        return {};
    const std::unique_ptr<integrate::Integrator> method = std::move(*made);
    integrate::IntegratorOptions options;
    options.step = 0;
    options.relativeTolerance = options.absoluteTolerance = tolerance;
    if (!method->prepare(system, options) || !method->restart(0, form.start(), form.startRates()))
        return {};
    Outcome out;
    while (method->t() < end) {
        const auto step = method->step(end);
        if (step.status != integrate::StepStatus::Accepted) {
            out.why = step.reason;
            return out;
        }
    }
    out.ran = true;
    out.error = std::abs(method->y()[0] - form.exact(end));
    out.steps = method->statistics().steps;
    return out;
}

Jumps drawn(std::mt19937& random, double from, double to, double least, double most, bool bothSigns)
{
    std::uniform_real_distribution<double> place(from, to), size(std::log(least), std::log(most));
    Jumps out(1 + random() % 4);
    for (Jump& j : out)
        j = {place(random), std::exp(size(random)) * (bothSigns && random() % 2 ? -1 : 1)};
    std::sort(out.begin(), out.end(), [](const Jump& a, const Jump& b) { return a.at < b.at; });
    return out;
}

/// The error across a jump is that of one step, of the size of the tolerance; those of some hundred steps add. Jumps of up to
/// ten times the motion's size make it as much larger.
double allowed(double tolerance, std::size_t jumps) { return 3e3 * tolerance * (1.0 + static_cast<double>(jumps)); }

} // namespace

class TestJumps : public QObject {
    Q_OBJECT
private slots:
    void theRightHandSideJumps_theRunGoesOn_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"ida", "bdf", "radau", "radau-9", "dormand-prince", "dop853", "odex", "adams"})
            QTest::newRow(id) << id;
    }
    void theRightHandSideJumps_theRunGoesOn()
    {
        QFETCH(QString, id);
        constexpr unsigned kSeed = 20240611;
        std::mt19937 random(kSeed);
        for (int k = 0; k < 40; ++k) {
            const double tolerance = std::pow(10.0, -6 - static_cast<int>(random() % 4));
            const PushedOscillator pushed{drawn(random, 0.2, 9.8, 0.1, 10, true)};
            const PipeFlow flow{drawn(random, 0.2, 4.8, 0.05, 1, false)};
            const Outcome inTime = driven(id.toStdString(), pushed, tolerance, 10),
                          inState = driven(id.toStdString(), flow, tolerance, 2);
            const auto told = [&](const Outcome& o) {
                return QString("seed %1, draw %2, tolerance %3: error %4 after %5 steps; %6")
                    .arg(kSeed)
                    .arg(k)
                    .arg(tolerance)
                    .arg(o.error)
                    .arg(o.steps)
                    .arg(QString::fromStdString(o.why));
            };
            QVERIFY2(inTime.ran && inTime.error < allowed(tolerance, pushed.jumps.size()) * 10, qPrintable(told(inTime)));
            QVERIFY2(inState.ran && inState.error < allowed(tolerance, flow.jumps.size()), qPrintable(told(inState)));
            // A restart costs some fifty steps of low order, a smooth motion to t = 10 at 1e-9 some thousand.
            QVERIFY2(std::max(inTime.steps, inState.steps) < 20'000, qPrintable(told(inTime)));
        }
    }
};

QTEST_APPLESS_MAIN(TestJumps)
#include "test_jumps.moc"
