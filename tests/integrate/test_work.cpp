// What the methods do, to the last iteration: counters and end values of short runs against those that are written in work.txt.
//
// A wrong predictor, weight, first step, or a matrix that is kept too long shows in no answer: Newton's iteration and the step
// control make up for it, at a price. The price is compared here. The other tests say that the answers are right; this one,
// that nobody changed how they are come by without knowing. DRIFTLESS_WRITE=1 writes the table anew, for a change that is
// meant.
#include <QtTest>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "core/integrate/Scaled.h"
#include "tests/problems/Generic.h"
#include "tests/problems/Pendulum.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::IntegratorInfo;
using integrate::IntegratorOptions;
using integrate::StepStatus;

namespace {

/// Towards y = cos t within a thousandth of a second, from far off; then a slope that jumps at 0.3 s.
struct StiffThenJump {
    static constexpr std::size_t kSize = 2;
    static constexpr int kIndex = 1;
    std::vector<solve::UnknownRole> roles() const { return {{true, 0, false}, {false, 0, false}}; }
    template <class S>
    void residual(S t, const S* y, const S* yp, S* F) const
    {
        using std::cos;
        F[0] = yp[0] + S(1000) * (y[0] - cos(t)) - y[1];
        F[1] = y[1] - S(now(t) < 0.3 ? 0 : 50);
    }
    static double now(double t) { return t; }
    static double now(const Dual& t) { return t.value; }
};

/// y y' = -1/2, y = sqrt(1 - t): ends at t = 1.
struct DeadEnd {
    static constexpr std::size_t kSize = 1;
    static constexpr int kIndex = 0;
    std::vector<solve::UnknownRole> roles() const { return {{}}; }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] + S(0.5) / y[0];
    }
};

/// Thirty-five masses in a row, more unknowns than the dense limit, each with a friction of its own size.
struct LongChain {
    static constexpr std::size_t kSize = 70;
    static constexpr int kIndex = 0;
    std::vector<solve::UnknownRole> roles() const { return std::vector<solve::UnknownRole>(kSize); }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        constexpr std::size_t n = kSize / 2;
        for (std::size_t i = 0; i < n; ++i) {
            F[i] = yp[i] - y[n + i];
            const S left = i > 0 ? y[i - 1] : S(0), right = i + 1 < n ? y[i + 1] : S(0);
            F[n + i] = yp[n + i] + S(0.05 * static_cast<double>(i)) * y[n + i] - left + S(2) * y[i] - right;
        }
    }
};

struct Work {
    std::vector<std::uint64_t> counts; ///< steps, rejected, residuals, Jacobians, factorizations, iterations
    std::string end;                   ///< how it ended
    std::vector<double> values;        ///< t, the next step, unknowns, interpolated ones
};

std::string written(const Work& w)
{
    std::ostringstream out;
    out.precision(13);
    for (const auto c : w.counts)
        out << c << ' ';
    out << w.end;
    for (const double v : w.values)
        out << ' ' << v;
    return out.str();
}

std::vector<std::uint64_t> countsOf(const integrate::Statistics& s)
{
    return {s.steps, s.rejected, s.residualEvaluations, s.jacobianEvaluations, s.factorizations, s.newtonIterations};
}

Work workOf(const integrate::Integrator& method, const integrate::StepOutcome& last)
{
    Work w;
    w.counts = countsOf(method.statistics());
    w.end = last.status == StepStatus::Accepted ? "ran" : "failed-" + std::to_string(static_cast<int>(last.failure));
    w.values = {method.t(), last.status == StepStatus::Accepted ? method.nextStep() : last.h};
    std::vector<double> between(method.y().size());
    method.interpolate(method.t() - 0.3 * method.lastStep(), between);
    const std::size_t shown = std::min<std::size_t>(between.size(), 8);
    for (std::size_t i = 0; i < shown; ++i) {
        w.values.push_back(method.y()[i]);
        w.values.push_back(between[i]);
    }
    return w;
}

struct Drive {
    std::vector<double> y, yp;
    double end = 0.5, step = 0.025, tolerance = 1e-6;
    double stop = 0;       ///< a time in between that has to be met [s]
    bool tightens = false; ///< other options from there on
    double largest = 0, smallest = 0, multipliers = 0;
};

/// By the method, as it is or in units of its own; after each step `follow` may change the system.
template <class System, class Follow>
Work worked(System& system, std::unique_ptr<integrate::Integrator> method, const Drive& drive, const Follow& follow)
{
    IntegratorOptions o;
    o.step = method->info().adaptive ? 0 : drive.step;
    o.relativeTolerance = o.absoluteTolerance = drive.tolerance;
    o.maxStep = drive.largest;
    o.minStep = drive.smallest;
    o.multiplierTolerance = drive.multipliers;
    if (const auto ready = method->prepare(system, o); !ready)
        return {{}, "refused", {}};
    if (!method->restart(0, drive.y, drive.yp))
        return {{}, "no-start", {}};
    integrate::StepOutcome last;
    for (const double goal : {drive.stop, drive.end}) {
        while (method->t() < goal) {
            last = method->step(goal);
            if (last.status != StepStatus::Accepted || method->statistics().steps > 5000)
                return workOf(*method, last);
            follow(method->y());
        }
        if (drive.tightens) {
            o.step /= 2;
            o.relativeTolerance = o.absoluteTolerance = drive.tolerance / 100;
            if (!method->setOptions(o))
                return {{}, "no-options", {}};
        }
    }
    return workOf(*method, last);
}

std::unique_ptr<integrate::Integrator> make(const std::string& id) { return std::move(integrate::makeIntegrator(id)).value(); }

const char* tableFile() { return DRIFTLESS_SOURCE_DIR "/tests/integrate/work.txt"; }

} // namespace

class TestWork : public QObject {
    Q_OBJECT

    std::map<std::string, std::string> expected_, found_;
    const bool writes_ = std::getenv("DRIFTLESS_WRITE") != nullptr;

    void take(const std::string& key, const Work& work) { found_[key] = written(work); }

    template <class System>
    void take(const std::string& key, const std::string& id, System system, const Drive& drive)
    {
        take(id + "/" + key, worked(system, make(id), drive, [](std::span<const double>) {}));
    }

    /// Counts below a hundred are the same, larger ones within a hundredth: a threshold may be missed by the last bit of
    /// another machine's sine. Values within 1e-7: such bits, through a hundred steps and 1 / h^2 in the multipliers of
    /// index 3.
    static bool alike(const std::string& a, const std::string& b)
    {
        std::istringstream left(a), right(b);
        std::string x, y;
        for (int place = 0;; ++place) {
            const bool more = static_cast<bool>(left >> x), also = static_cast<bool>(right >> y);
            if (!more || !also)
                return more == also;
            if (x == y)
                continue;
            char *endX = nullptr, *endY = nullptr;
            const double p = std::strtod(x.c_str(), &endX), q = std::strtod(y.c_str(), &endY);
            if (*endX || *endY)
                return false;
            const double allowed = place < 6 ? std::floor(p / 100) : 1e-7 * (1 + std::abs(p));
            if (!(std::abs(p - q) <= allowed))
                return false;
        }
    }

    void compare(const std::string& group)
    {
        QStringList wrong;
        for (const auto& [key, text] : found_) {
            const auto known = expected_.find(key);
            if (known == expected_.end())
                wrong << QString::fromStdString(key + " is not in the table");
            else if (!alike(known->second, text))
                wrong << QString::fromStdString(key + "\n  was " + known->second + "\n  is  " + text);
        }
        for (const auto& [key, text] : expected_)
            if (key.find(group) != std::string::npos && !found_.count(key))
                wrong << QString::fromStdString(key + " is in the table only");
        if (writes_)
            for (const auto& [key, text] : found_)
                expected_[key] = text;
        else
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1 differ\n").arg(wrong.size()) + wrong.mid(0, 10).join('\n')));
        found_.clear();
    }

private slots:
    void initTestCase()
    {
        std::ifstream file(tableFile());
        for (std::string line; std::getline(file, line);)
            if (const auto colon = line.find(": "); colon != std::string::npos)
                expected_[line.substr(0, colon)] = line.substr(colon + 2);
        if (writes_)
            expected_.clear();
    }

    void cleanupTestCase()
    {
        if (!writes_)
            return;
        std::ofstream file(tableFile());
        for (const auto& [key, text] : expected_)
            file << key << ": " << text << '\n';
    }

    void everyMethod_onSystemsWrittenByHand()
    {
        const auto one = PendulumLambda<1>::start(kCase2Start), ggl = PendulumGgl::start(kCase2Start),
                   dummy = PendulumDummy::start(kCase2Start);
        std::vector<double> chain(LongChain::kSize, 0.0), chainRates(LongChain::kSize, 0.0);
        chain[3] = 1;
        for (std::size_t i = 2; i <= 4; ++i)
            chainRates[LongChain::kSize / 2 + i] = i == 3 ? -2 : 1;
        for (const IntegratorInfo& info : integrate::integratorCatalogue()) {
            if (info.mechanics != solve::Mechanics::None)
                continue;
            const std::string& id = info.id;
            take("hand ode", id, HandCoded<GenericOde>(), {GenericOde::at(0), GenericOde::ratesAt(0)});
            take("hand cut", id, HandCoded<PendulumAngle>(),
                 {.y = {1, 0},
                  .yp = {0, -std::sin(1.0)},
                  .end = 1,
                  .step = 0.04,
                  .stop = 0.37,
                  .tightens = true,
                  .largest = 0.06});
            take("hand index 1", id, HandCoded<GenericHessenberg<1>>(),
                 {GenericHessenberg<1>::at(0), GenericHessenberg<1>::ratesAt(0)});
            take("hand lambda", id, HandCoded<PendulumLambda<1>>(),
                 {.y = one.y, .yp = one.yp, .end = 0.6, .step = 0.03, .smallest = 1e-5, .multipliers = 1e-4});
            take("hand chain", id, HandCoded<LongChain>(),
                 {.y = chain, .yp = chainRates, .end = 0.3, .step = 0.05, .tolerance = 1e-5});
            take("hand dead end", id, HandCoded<DeadEnd>(),
                 {.y = {1}, .yp = {-0.5}, .end = 1.5, .step = 0.11, .tolerance = 1e-4, .smallest = 1e-7});
            if (info.implicitMethod)
                take("hand stiff", id, HandCoded<StiffThenJump>(),
                     {.y = {2, 0}, .yp = {-1000, 0}, .end = 0.5, .step = 0.02, .tolerance = 1e-5});
            if (info.maxIndex >= 2) {
                take("hand index 2", id, HandCoded<GenericHessenberg<2>>(),
                     {GenericHessenberg<2>::at(0), GenericHessenberg<2>::ratesAt(0)});
                take("hand ggl", id, HandCoded<PendulumGgl>(),
                     {.y = ggl.y, .yp = ggl.yp, .end = 0.6, .step = 0.03, .tolerance = 1e-7});
            }
            if (info.maxIndex >= 3)
                take("hand index 3", id, HandCoded<GenericIndex3>(), {GenericIndex3::at(0), GenericIndex3::ratesAt(0)});
            HandCoded<PendulumDummy> swapping;
            take(id + "/hand roles",
                 worked(swapping, make(id), {.y = dummy.y, .yp = dummy.yp, .end = 2, .step = 0.05, .tolerance = 1e-5},
                        [&](std::span<const double> y) { repivot(swapping, y); }));
            // Millimetres, and a clock that runs eight times as fast.
            HandCoded<PendulumDummy> scaled;
            const auto scaling = [](const solve::DaeSystem& system) {
                integrate::Scaling s;
                s.time = 0.15;
                s.unknowns.resize(static_cast<std::size_t>(system.size()));
                s.unknowns[0] = s.unknowns[1] = {1e-3, 0x1p-10};
                s.unknowns[2] = {3, 4};
                return s;
            };
            take(id + "/hand scaled", worked(scaled, integrate::makeScaled(make(id), scaling),
                                             {.y = dummy.y, .yp = dummy.yp, .end = 1.2, .step = 0.05, .tolerance = 1e-5},
                                             [&](std::span<const double> y) { repivot(scaled, y); }));
        }
        compare("/hand ");
    }

    void everyKindOfMethod_onCompiledForms()
    {
        const auto pendulum = test::compiled("pendulum"), top = test::compiled("heavy-top"),
                   support = test::compiled("moving-support");
        const auto go = [&](const std::string& name, const std::shared_ptr<const model::CompiledSystem>& system,
                            const run::StartSettings& start, const std::string& form, const std::string& id, double step,
                            double end) {
            const std::string key = id + "/run " + name + " " + form;
            auto made = run::Run::create(system, start,
                                         test::settings(form, id, integrate::findIntegrator(id)->adaptive ? 0 : step, 1e-6));
            if (!made)
                return take(key, {{}, "refused", {}});
            const bool ran = (*made)->advanceTo(end);
            const auto status = (*made)->status();
            Work w;
            w.counts = countsOf(status.statistics);
            w.end = ran ? "ran" : "failed";
            w.values = {status.t, status.stepSize};
            for (const auto& [quantity, value] : (*made)->namedState())
                w.values.push_back(value);
            take(key, w);
        };
        for (const char* id :
             {"generalized-alpha", "rattle", "shake", "lobatto-iiia-iiib", "variational-midpoint", "half-explicit-5"}) {
            const std::string level = id == std::string("half-explicit-5") ? "index-2" : "index-3";
            go("pendulum", pendulum, test::largeSwing(), level, id, 0.03, 0.3);
            go("top", top, {}, level, id, 0.002, 0.02);
            go("support", support, {}, level, id, 0.02, 0.2);
        }
        for (const char* id : {"rk4", "dormand-prince", "implicit-trapezoidal", "gauss-4", "radau-iia-5", "radau", "bdf3",
                               "bdf", "ida", "generalized-alpha", "esdirk-43"})
            for (const char* form :
                 {"index-3", "index-2", "ggl", "dummy-derivatives", "projection", "tangent-plane", "state-space"})
                go("pendulum", pendulum, test::largeSwing(), form, id, 0.03, 0.45);
        compare("/run ");
    }
};

QTEST_GUILESS_MAIN(TestWork)
#include "test_work.moc"
