// Equations whose index changes with a switch: a random linear system, one of whose values is free until a time and a given
// function from there on. What then pulls at it follows from that function's derivative, or from its second one. Compared with
// the rest integrated here by a method of Runge and Kutta with small steps.
//
// DRIFTLESS_SEED and DRIFTLESS_COUNT draw others, or more.
#include <QtTest>

#include <cmath>
#include <numeric>
#include <random>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"

using namespace driftless;

namespace {

constexpr double kEnd = 1;

int fromEnvironment(const char* name, int otherwise)
{
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariableIntValue(name) : otherwise;
}

std::string number(double x) { return QString::number(x, 'g', 17).toStdString(); }

/// x' = A x + b sin(w t) + e_k f, and, where chained, z' = x_k. Before `from` f = 0; then the tied value, z or x_k, is
/// p(t) = p0 + p1 t + p2 sin(3 t).
struct Tied {
    int n = 1, k = 0;
    bool chained = false;
    std::vector<double> A, b, start;
    double w = 1, z0 = 0, from = 0.5, p[3] = {};
    std::string method;

    explicit Tied(std::mt19937& random)
    {
        std::uniform_real_distribution<double> any(-1, 1);
        n = std::uniform_int_distribution<int>(1, 5)(random);
        k = std::uniform_int_distribution<int>(0, n - 1)(random);
        chained = random() % 2 == 0;
        for (int i = 0; i < n * n; ++i)
            A.push_back(any(random));
        for (int i = 0; i < n; ++i) {
            b.push_back(any(random));
            start.push_back(any(random));
        }
        w = 4 + 2 * any(random);
        z0 = any(random);
        from = 0.5 + 0.3 * any(random);
        for (double& x : p)
            x = any(random);
        const char* const methods[] = {"ida", "bdf", "radau", "dormand-prince", "dop853"};
        method = methods[random() % std::size(methods)];
    }

    double tied(double t, int order) const
    {
        if (order == 0)
            return p[0] + p[1] * t + p[2] * std::sin(3 * t);
        return order == 1 ? p[1] + 3 * p[2] * std::cos(3 * t) : -9 * p[2] * std::sin(3 * t);
    }

    std::string text() const
    {
        std::string out = "model m\n  Real f;\n", law = "  ";
        for (int i = 0; i < n; ++i)
            out += "  Real x" + std::to_string(i) + "(start = " + number(start[static_cast<std::size_t>(i)])
                   + ", fixed = true);\n";
        if (chained)
            out += "  Real z(start = " + number(z0) + ", fixed = true);\n";
        out += "equation\n";
        for (int i = 0; i < n; ++i) {
            out += "  der(x" + std::to_string(i) + ") = " + number(b[static_cast<std::size_t>(i)]) + "*sin(" + number(w)
                   + "*time)";
            for (int j = 0; j < n; ++j)
                out += " + (" + number(A[static_cast<std::size_t>(i * n + j)]) + ")*x" + std::to_string(j);
            out += i == k ? " + f;\n" : ";\n";
        }
        const std::string x = "x" + std::to_string(k), at = "time >= " + number(from),
                          place = "(" + number(p[0]) + ") + (" + number(p[1]) + ")*time + (" + number(p[2]) + ")*sin(3*time)",
                          rate = "(" + number(p[1]) + ") + 3*(" + number(p[2]) + ")*cos(3*time)";
        if (chained)
            out += "  der(z) = " + x + ";\n";
        out += "  if " + at + " then " + (chained ? "z" : x) + " = " + place + "; else f = 0; end if;\n  when " + at + " then "
               + (chained ? "reinit(z, " + place + "); reinit(" + x + ", " + rate + ");" : "reinit(" + x + ", " + place + ");")
               + " end when;\n";
        return out + "  annotation(experiment(StopTime = 1));\nend m;\n";
    }

    /// The values at the end and f there; `shown` is what x_k is while it is tied.
    std::vector<double> solved() const
    {
        std::vector<double> x = start;
        const auto held = [&](double t) { return tied(t, chained ? 1 : 0); };
        const auto rates = [&](double t, std::vector<double> y, bool after) {
            if (after)
                y[static_cast<std::size_t>(k)] = held(t);
            std::vector<double> out(y.size());
            for (int i = 0; i < n; ++i)
                out[static_cast<std::size_t>(i)] =
                    b[static_cast<std::size_t>(i)] * std::sin(w * t)
                    + std::inner_product(y.begin(), y.end(), A.begin() + static_cast<std::ptrdiff_t>(i) * n, 0.0);
            return out;
        };
        const auto along = [&](double t0, double t1, bool after) {
            constexpr int kSteps = 2000; // (1/2000)^4 times derivatives of some hundred: 1e-11
            const double h = (t1 - t0) / kSteps;
            for (int s = 0; s < kSteps; ++s) {
                const double t = t0 + s * h;
                const auto moved = [&](const std::vector<double>& by, double share) {
                    std::vector<double> y = x;
                    for (std::size_t i = 0; i < y.size(); ++i)
                        y[i] += share * by[i];
                    return y;
                };
                const auto k1 = rates(t, x, after), k2 = rates(t + h / 2, moved(k1, h / 2), after),
                           k3 = rates(t + h / 2, moved(k2, h / 2), after), k4 = rates(t + h, moved(k3, h), after);
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
            }
        };
        along(0, from, false);
        along(from, kEnd, true);
        x[static_cast<std::size_t>(k)] = held(kEnd);
        x.push_back(tied(kEnd, chained ? 2 : 1) - rates(kEnd, x, true)[static_cast<std::size_t>(k)]);
        return x;
    }
};

/// What is wrong with a case, nothing where all is right.
QString fault(const Tied& one)
{
    const auto model = reduction::readModel(one.text(), "m.mo");
    if (!model)
        return QString::fromStdString(model.error().text());
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return QString::fromStdString(system.error().text());
    run::RunSettings s;
    s.formulation = "dummy-derivatives";
    s.integrator = one.method;
    s.options.relativeTolerance = s.options.absoluteTolerance = 1e-9;
    s.options.maxStep = (*model)->run.maxStep.value_or(0);
    s.options.step = 1e-4;
    const auto run = run::Run::create(*system, {}, s);
    if (!run)
        return QString::fromStdString(run.error().text());
    (*run)->advanceTo(kEnd);
    if ((*run)->failed())
        return QString::fromStdString((*run)->status().diagnostic->text());
    const std::vector<double> expected = one.solved();
    double size = 1;
    for (const double x : expected)
        size = std::max(size, std::abs(x));
    for (const auto& [name, value] : (*run)->namedState()) {
        const bool pull = name == "f";
        if (!pull && (name.size() != 2 || name[0] != 'x'))
            continue;
        const double should = pull ? expected.back() : expected[static_cast<std::size_t>(name[1] - '0')];
        constexpr double kError = 1e-5; // ten thousand tolerances: f has the error of a rate of what a multistep method follows
        if (!(std::abs(value - should) < kError * size))
            return QString("%1 = %2, %3 is right")
                .arg(QString::fromStdString(name))
                .arg(value, 0, 'g', 12)
                .arg(should, 0, 'g', 12);
    }
    return {};
}

} // namespace

class TestTiedStates : public QObject {
    Q_OBJECT

private slots:
    void aSwitchTiesAValue()
    {
        const int seed = fromEnvironment("DRIFTLESS_SEED", 4711), count = fromEnvironment("DRIFTLESS_COUNT", 40);
        qInfo("DRIFTLESS_SEED=%d, %d systems", seed, count);
        for (int i = 0; i < count; ++i) {
            std::mt19937 random(static_cast<unsigned>(seed + i));
            const Tied one(random);
            const QString wrong = fault(one);
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QString("DRIFTLESS_SEED=%1 DRIFTLESS_COUNT=1, %2: %3\n%4")
                                    .arg(seed + i)
                                    .arg(QString::fromStdString(one.method), wrong, QString::fromStdString(one.text()))));
        }
    }
};

QTEST_GUILESS_MAIN(TestTiedStates)
#include "test_tied_states.moc"
