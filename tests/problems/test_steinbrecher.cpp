// The experiment of [St02] section 6 on the shipped model `circle`, through whole runs: implicit trapezoidal rule, h = 0.005,
// inconsistent start (37). What section 3 there proves of the exact solutions of each form (Table 1), and what the rule makes
// of it.
//
//   gamma(t) = g(p(t)); g0, g0', g0'' the residuals of (37) at the three levels
//   uODE (19)  gamma''' = 0: g0 + g0' t + g0'' t^2 / 2
//   EoM1 (20)  gamma'' = 0; the printed lambda acts on the first half step: gamma' = g0' + (h/2) g0''
//   EoM2 (21)  gamma' = 0; the inconsistent velocity acts on the first half step: gamma = g0 + (h/2) g0'
//   EoM (1)    gamma = 0
//   (29)       all three zero
// Levels are evaluated by hand-written formulas (Circle.h), not by the model. Corrections to the paper: g0'' is -0.00219578,
// lambda(0) enters EoM1's first step, the run of EoM ends after t = 3.515.
#include <QtTest>

#include <cmath>
#include <limits>

#include "tests/problems/Circle.h"
#include "tests/problems/FormDrive.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;
using problems::circleLevels;

namespace {

constexpr double kStep = 0.005;
constexpr double kEnd = 5;
/// Error of the rule to t = 5 and of the laws it follows: C h^2 with C of order one, C < 2 (forces and their derivatives are of
/// order one).
constexpr double kTruncation = 2 * kStep * kStep;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// A row of the form holds to Newton's 4 epsilon times the condition of its matrix: 1 / h for rows without rates beside rows
/// with them.
constexpr double kRow = 4 * kEpsilon / kStep * 10;

/// Start (37).
run::StartSettings inconsistent()
{
    run::StartSettings s;
    s.allowInconsistent = true;
    s.values = {{"bead.x", 0.0001}, {"bead.y", 1.0001}, {"bead.x'", 0.999}, {"bead.y'", 0.001}, {"rod.lambda", 0.0001}};
    return s;
}

struct Trace {
    std::vector<double> t, x, y, v, w, lambda, g, g1, g2;
    run::RunStatus status;
    double end = 0;

    std::size_t size() const { return t.size(); }
};

Trace walk(const std::string& form, double h = kStep, const run::StartSettings& start = inconsistent())
{
    auto run = started("circle", start, settings(form, "implicit-trapezoidal", h));
    run->advanceTo(kEnd);
    Trace out;
    out.status = run->status();
    const run::RecordingView view = run->recording();
    constexpr const char* kColumns[] = {"bead.x", "bead.y", "bead.x'", "bead.y'", "rod.lambda"};
    for (std::uint64_t row = 0; row < view.rowCount(); ++row) {
        double u[5];
        for (int c = 0; c < 5; ++c)
            u[c] = view.value(row, view.findColumn(kColumns[c]));
        const auto level = circleLevels(u);
        out.t.push_back(view.time(row));
        out.x.push_back(u[0]);
        out.y.push_back(u[1]);
        out.v.push_back(u[2]);
        out.w.push_back(u[3]);
        out.lambda.push_back(u[4]);
        out.g.push_back(level.g);
        out.g1.push_back(level.g1);
        out.g2.push_back(level.g2);
    }
    out.end = out.t.back();
    return out;
}

/// Largest deviation from a law from the given step on.
template <class Law>
double deviation(const Trace& trace, const std::vector<double>& values, Law law, std::size_t first = 1)
{
    double most = 0;
    for (std::size_t i = first; i < trace.size(); ++i)
        most = std::max(most, std::abs(values[i] - law(trace.t[i])));
    return most;
}

const auto kZero = [](double) { return 0.0; };

/// How often the values of a range change the sign of their difference from the exact motion's.
template <class Exact>
std::size_t signChanges(const Trace& trace, const std::vector<double>& values, Exact exact, std::size_t first, std::size_t last)
{
    std::size_t changes = 0;
    for (std::size_t i = first + 1; i < last; ++i)
        changes += (values[i] - exact(trace.t[i])) * (values[i - 1] - exact(trace.t[i - 1])) < 0;
    return changes;
}

QString shown(double value) { return QString::number(value, 'g', 10); }

} // namespace

class Steinbrecher : public QObject {
    Q_OBJECT
private slots:
    void start37_isTakenAsItStands();
    void underlyingOde_deviatesQuadratically_linearly_constantly();
    void index1_velocityResidualJumpsOnce_positionGrowsLinearly();
    void index2_positionResidualIsConstant_multiplierOscillates();
    void index3_multiplierAndVelocityOscillate_untilTheRunStopsWithTheReason();
    void strangenessFree_isOnTheManifoldAfterOneStep_andStays();
    void consistentStart_deviatesInNoForm();
    void linearForm25_isRefusedBecauseTheForceIsNotLinear();
};

void Steinbrecher::start37_isTakenAsItStands()
{
    for (const char* form : {"underlying-ode", "index-1", "index-2", "index-3", "strangeness-free"}) {
        auto run = started("circle", inconsistent(), settings(form, "implicit-trapezoidal", kStep));
        const run::RecordingView view = run->recording();
        double u[5];
        for (int c = 0; c < 5; ++c)
            u[c] = view.value(0, c);
        QVERIFY(u[0] == 0.0001 && u[1] == 1.0001 && u[2] == 0.999 && u[3] == 0.001 && u[4] == 0.0001);
        const auto level = circleLevels(u);
        QVERIFY(std::abs(level.g - 0.00020002) < 8 * kEpsilon);
        QVERIFY(std::abs(level.g1 - 0.0022) < 8 * kEpsilon);
        QVERIFY(std::abs(level.g2 - -0.00219578) < 0.5e-8); // as printed with the sign of lambda right
        // The run's own residuals are those: of g itself, of g', of W a + gamma.
        QVERIFY(std::abs(run->status().residual.position - level.g) < 8 * kEpsilon);
        QVERIFY(std::abs(run->status().residual.velocity - level.g1) < 8 * kEpsilon);
        QVERIFY(std::abs(run->status().residual.acceleration - std::abs(level.g2)) < 16 * kEpsilon);
    }
    run::StartSettings refused = inconsistent();
    refused.allowInconsistent = false;
    QVERIFY(!run::Run::create(compiled("circle"), refused, settings("index-1", "implicit-trapezoidal", kStep)).ok());
}

void Steinbrecher::underlyingOde_deviatesQuadratically_linearly_constantly()
{
    double position[2], velocity[2], acceleration[2];
    for (const int k : {0, 1}) {
        const Trace trace = walk("underlying-ode", kStep / (1 << k));
        QVERIFY(trace.status.state != run::RunState::Failed && trace.end == kEnd);
        const double g = trace.g[0], g1 = trace.g1[0], g2 = trace.g2[0];
        position[k] = deviation(trace, trace.g, [&](double t) { return g + g1 * t + g2 * t * t / 2; });
        velocity[k] = deviation(trace, trace.g1, [&](double t) { return g1 + g2 * t; });
        acceleration[k] = deviation(trace, trace.g2, [&](double) { return g2; });
    }
    // Laws of the exact solution, which the rule follows with its own order.
    for (const double* d : {position, velocity, acceleration}) {
        QVERIFY2(d[0] < kTruncation, qPrintable(shown(d[0])));
        QVERIFY2(d[0] / d[1] > 3 && d[0] / d[1] < 5, qPrintable(shown(d[0] / d[1])));
    }
}

void Steinbrecher::index1_velocityResidualJumpsOnce_positionGrowsLinearly()
{
    const Trace trace = walk("index-1");
    QVERIFY(trace.status.state != run::RunState::Failed && trace.end == kEnd);
    const double jump = kStep / 2 * trace.g2[0], level = trace.g1[0] + jump;
    // gamma' moves by (h/2)(gamma_0'' + 0) up to h^2 times the inconsistency; then gamma'' = 0 leaves it, but for the rule's
    // own error, h^2 times the third derivatives of g', a tenth of which is seen.
    QVERIFY(std::abs(trace.g1[1] - level) < kStep * kStep * std::abs(trace.g2[0]));
    QVERIFY(std::abs(jump) > 50 * kStep * kStep * std::abs(trace.g2[0]));
    QVERIFY(deviation(trace, trace.g1, [&](double) { return level; }) < kStep * kStep / 10);
    QVERIFY(deviation(trace, trace.g, [&](double t) { return trace.g[0] + level * t; }) < kStep * kStep);
    QVERIFY2(deviation(trace, trace.g2, kZero) < kRow, qPrintable(shown(deviation(trace, trace.g2, kZero))));
    // No oscillation: the multiplier's error keeps its sign for long.
    const auto lambda = [](double t) { return std::sin(t) * std::cos(t); };
    QVERIFY(signChanges(trace, trace.lambda, lambda, 1, trace.size()) < 20);
}

void Steinbrecher::index2_positionResidualIsConstant_multiplierOscillates()
{
    const Trace trace = walk("index-2");
    QVERIFY(trace.status.state != run::RunState::Failed && trace.end == kEnd);
    const double level = trace.g[0] + kStep / 2 * 0.0022;
    QVERIFY(deviation(trace, trace.g, [&](double) { return level; }) < kStep * kStep / 10);
    QVERIFY(kStep / 2 * 0.0022 > kStep * kStep / 10);
    QVERIFY2(deviation(trace, trace.g1, kZero) < kRow, qPrintable(shown(deviation(trace, trace.g1, kZero))));
    // (g'_1 - g'_0) = (h/2)(g''_1 + g''_0): g''_1 = -(2/h) 0.0022 - g''_0, and from then on g''_i = -g''_{i-1}.
    for (std::size_t i = 1; i < trace.size(); ++i)
        QVERIFY(std::abs(trace.g2[i] - (i % 2 ? -0.8778 : 0.8778)) < 0.5e-4); // four printed digits
    const auto lambda = [](double t) { return std::sin(t) * std::cos(t); };
    QCOMPARE(signChanges(trace, trace.lambda, lambda, 1, trace.size()), trace.size() - 2);
    // g'' = ... - 4 lambda p.p: the multiplier swings by a quarter of 0.8778.
    for (std::size_t i = 1; i < trace.size(); ++i)
        QVERIFY(std::abs(std::abs(trace.lambda[i] - lambda(trace.t[i])) - 0.8778 / 4) < 0.02);
}

void Steinbrecher::index3_multiplierAndVelocityOscillate_untilTheRunStopsWithTheReason()
{
    const Trace trace = walk("index-3");
    QVERIFY2(std::abs(trace.end - 3.515) < 1.5 * kStep, qPrintable(shown(trace.end))); // one step either way
    QVERIFY(trace.status.state == run::RunState::Failed && trace.status.diagnostic.has_value());
    const std::string words = trace.status.diagnostic->text();
    QVERIFY2(words.find("velocities have left their constraints") != std::string::npos, words.c_str());
    QVERIFY2(words.find("holds the positions only") != std::string::npos
                 && words.find("could not be solved") != std::string::npos,
             words.c_str());
    QVERIFY2(deviation(trace, trace.g, kZero) < kRow, qPrintable(shown(deviation(trace, trace.g, kZero))));
    // The residual of the velocities alternates and grows until the circle cannot be reached any more in one step.
    for (std::size_t i = 2; i < 600; ++i)
        QVERIFY(trace.g1[i] * trace.g1[i - 1] < 0);
    QVERIFY(std::abs(trace.g1.back()) > 100 * std::abs(trace.g1[1]));
    const auto lambda = [](double t) { return std::sin(t) * std::cos(t); };
    QCOMPARE(signChanges(trace, trace.lambda, lambda, 1, 600), std::size_t(598));
    // and the multiplier's by 4 / h times that: g'_i - g'_{i-1} = (h/2)(g''_i + g''_{i-1}), g'' = ... - 4 lambda.
    for (std::size_t i = 2; i < 100; ++i)
        QVERIFY(std::abs(trace.g2[i]) > std::abs(trace.g1[i]) / kStep);
}

void Steinbrecher::strangenessFree_isOnTheManifoldAfterOneStep_andStays()
{
    const Trace trace = walk("strangeness-free");
    QVERIFY(trace.status.state != run::RunState::Failed && trace.end == kEnd);
    for (const std::vector<double>* level : {&trace.g, &trace.g1, &trace.g2})
        QVERIFY2(deviation(trace, *level, kZero) < kRow, qPrintable(shown(deviation(trace, *level, kZero))));
    QVERIFY(trace.status.pivots > 0); // the selectors must follow: x = 1 at pi/2, y = -1 at pi, x = -1 at 3 pi/2
    // What the first step leaves is a consistent start: from there the exact motion, in minimal coordinates, is followed within
    // h^2.
    problems::ModelUnderTest subject("circle");
    const auto start = subject.complete(trace.t[1], {trace.x[1], trace.y[1]}, {trace.v[1], trace.w[1]});
    const auto exact =
        problems::drive(subject, {"state-space"}, "radau-iia-5", kStep, static_cast<int>(trace.size()) - 2, {start}).states;
    double error = 0;
    for (std::size_t i = 1; i < trace.size(); ++i)
        error = std::max({error, std::abs(trace.x[i] - exact[i - 1].q[0]), std::abs(trace.y[i] - exact[i - 1].q[1])});
    QVERIFY2(error < kTruncation, qPrintable(shown(error)));
    const auto lambda = [](double t) { return std::sin(t) * std::cos(t); };
    QVERIFY(signChanges(trace, trace.lambda, lambda, 1, trace.size()) < 20);
}

void Steinbrecher::consistentStart_deviatesInNoForm()
{
    // From (35) every form has the same solution, which satisfies all levels.
    for (const char* form : {"underlying-ode", "index-1", "index-2", "index-3", "strangeness-free"}) {
        const Trace trace = walk(form, kStep, {});
        QVERIFY2(trace.end == kEnd, form);
        QVERIFY2(deviation(trace, trace.g, kZero) < kTruncation, form);
        QVERIFY2(deviation(trace, trace.g1, kZero) < kTruncation, form);
        QVERIFY2(deviation(trace, trace.x, [](double t) { return std::sin(t); }) < 2 * kTruncation, form);
    }
}

void Steinbrecher::linearForm25_isRefusedBecauseTheForceIsNotLinear()
{
    run::RunSettings s = settings("strangeness-free", "implicit-trapezoidal", kStep);
    s.choices["equations"] = "linear (25)";
    const auto refused = run::Run::create(compiled("circle"), {}, s);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().why.find("not linear") != std::string::npos, refused.error().text().c_str());
}

QTEST_APPLESS_MAIN(Steinbrecher)
#include "test_steinbrecher.moc"
