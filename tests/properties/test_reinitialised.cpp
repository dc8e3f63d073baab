// What reinit() leaves alone: random equations in which functions of the states, stated with their derivatives, hide
// constraints. One state is reinitialised. The functions follow it, and no other state moves. Compared with the states alone,
// integrated here by a method of Runge and Kutta with small steps.
//
// DRIFTLESS_SEED and DRIFTLESS_COUNT draw others, or more.
#include <QtTest>

#include <array>
#include <cmath>
#include <random>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

constexpr double kEnd = 1, kTolerance = 1e-10;
/// Of some hundred steps, with growth below e^3; those of ida and bdf are of low order.
constexpr double kSame = 1e-7, kSameInManySteps = 2e-6;

std::string number(double x) { return QString::number(x, 'g', 17).toStdString(); }

/// x' = A x + b sin(3 t) + c s, s' = 0; or x'' where second. Of some x a function y, plus a multiple of another x, with its
/// derivatives up to the one that mu is.
struct Reinitialised {
    int n = 1, k = 0;
    bool second = false;
    double at = 0.5, to = 1;
    std::vector<double> A, b, c, x0, v0;
    std::vector<std::pair<int, int>> functions; ///< of which x, and which function
    int other = 0;                              ///< the x that is added
    double share = 0;
    std::string method;

    static constexpr std::array kFunctions{"sin(X)", "exp(X/2)", "X + X^3/5", "X*cos(X)"};

    explicit Reinitialised(std::mt19937& random)
    {
        std::uniform_real_distribution<double> any(-1, 1);
        n = std::uniform_int_distribution<int>(1, 4)(random);
        k = std::uniform_int_distribution<int>(0, n - 1)(random);
        second = random() % 2 == 0;
        at = 0.5 + 0.3 * any(random);
        to = 4 * any(random);
        for (int i = 0; i < n * n; ++i)
            A.push_back(any(random));
        for (auto* list : {&b, &c, &x0, &v0})
            for (int i = 0; i < n; ++i)
                list->push_back(any(random));
        functions.emplace_back(k, static_cast<int>(random() % kFunctions.size()));
        for (int i = 0; i < n; ++i)
            if (i != k && random() % 2 == 0)
                functions.emplace_back(i, static_cast<int>(random() % kFunctions.size()));
        other = std::uniform_int_distribution<int>(0, n - 1)(random);
        share = random() % 2 == 0 ? any(random) : 0;
        const char* const methods[] = {"ida", "bdf", "radau", "dormand-prince", "dop853"};
        method = methods[random() % std::size(methods)];
    }

    std::string text() const
    {
        std::string declared = "Real s(start=1,fixed=true);\n", equations = "der(s) = 0;\n";
        const auto name = [](const char* of, int i) { return of + std::to_string(i); };
        for (int i = 0; i < n; ++i) {
            std::string side = number(b[at_(i)]) + "*sin(3*time) + " + number(c[at_(i)]) + "*s";
            for (int j = 0; j < n; ++j)
                side += " + " + number(A[at_(i * n + j)]) + "*" + name("x", j);
            declared += "Real " + name("x", i) + "(start=" + number(x0[at_(i)]) + ",fixed=true);\n";
            if (second) {
                declared += "Real " + name("v", i) + "(start=" + number(v0[at_(i)]) + ",fixed=true);\n";
                equations += "der(" + name("x", i) + ") = " + name("v", i) + ";\n";
            }
            equations += "der(" + name(second ? "v" : "x", i) + ") = " + side + ";\n";
        }
        for (const auto& [i, function] : functions) {
            std::string value = kFunctions[at_(function)];
            for (std::size_t place = 0; (place = value.find('X', place)) != std::string::npos;)
                value.replace(place, 1, name("x", i));
            declared += "Real " + name("y", i) + ", " + name("mu", i) + (second ? ", " + name("w", i) : std::string()) + ";\n";
            equations += name("y", i) + " = " + value + " + " + number(share) + "*" + name("x", other) + ";\n";
            if (second)
                equations += "der(" + name("y", i) + ") = " + name("w", i) + ";\n";
            equations += "der(" + name(second ? "w" : "y", i) + ") = " + name("mu", i) + ";\n";
        }
        return "model m\n" + declared + "equation\n" + equations + "when time > " + number(at) + " then reinit("
               + name(second ? "v" : "x", k) + ", " + number(to) + "); end when;\nend m;\n";
    }

    /// x at the end, followed by v.
    std::vector<double> integrated() const
    {
        std::vector<double> z = x0;
        if (second)
            z.insert(z.end(), v0.begin(), v0.end());
        const auto rate = [&](double t, const std::vector<double>& y) {
            std::vector<double> out(y.size());
            for (int i = 0; i < n; ++i) {
                double sum = b[at_(i)] * std::sin(3 * t) + c[at_(i)];
                for (int j = 0; j < n; ++j)
                    sum += A[at_(i * n + j)] * y[at_(j)];
                out[at_(second ? n + i : i)] = sum;
                if (second)
                    out[at_(i)] = y[at_(n + i)];
            }
            return out;
        };
        const auto follow = [&](double from, double until) {
            constexpr int kSteps = 1000;
            const double h = (until - from) / kSteps;
            const auto moved = [](std::vector<double> y, const std::vector<double>& k, double by) {
                for (std::size_t i = 0; i < y.size(); ++i)
                    y[i] += by * k[i];
                return y;
            };
            for (int step = 0; step < kSteps; ++step) {
                const double t = from + step * h;
                const auto k1 = rate(t, z), k2 = rate(t + h / 2, moved(z, k1, h / 2)),
                           k3 = rate(t + h / 2, moved(z, k2, h / 2)), k4 = rate(t + h, moved(z, k3, h));
                for (std::size_t i = 0; i < z.size(); ++i)
                    z[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
            }
        };
        follow(0, at);
        z[at_(second ? n + k : k)] = to;
        follow(at, kEnd);
        return z;
    }

    /// The function of an x at the end, or its rate.
    double function(int i, bool rate, const std::vector<double>& z) const
    {
        int which = 0;
        for (const auto& [of, function] : functions)
            which = of == i ? function : which;
        const double x = z[at_(i)], v = rate ? z[at_(n + i)] : 1;
        const std::array values{std::sin(x), std::exp(x / 2), x + x * x * x / 5, x * std::cos(x)},
            slopes{std::cos(x), std::exp(x / 2) / 2, 1 + 0.6 * x * x, std::cos(x) - x * std::sin(x)};
        return rate ? slopes[at_(which)] * v + share * z[at_(n + other)] : values[at_(which)] + share * z[at_(other)];
    }

private:
    static std::size_t at_(int i) { return static_cast<std::size_t>(i); }
};

} // namespace

class TestReinitialised : public QObject {
    Q_OBJECT

private slots:
    void otherStatesStay()
    {
        const auto seed = static_cast<unsigned>(test::seedOr(17));
        const int count = test::countOr(40);
        qInfo("DRIFTLESS_SEED=%u", seed);
        std::mt19937 random(seed);
        double worst = 0;
        for (int draw = 0; draw < count; ++draw) {
            const Reinitialised drawn(random);
            const std::string text = drawn.text();
            const auto model = reduction::readModel(text, "m.mo");
            QVERIFY2(model.ok(), (model ? "" : model.error().text() + "\n" + text).c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY(system.ok());
            run::RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = drawn.method;
            s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
            auto run = run::Run::create(*system, {}, s);
            QVERIFY2(run.ok(), (run ? "" : run.error().text() + "\n" + text).c_str());
            (*run)->advanceTo(kEnd);
            QVERIFY2(!(*run)->failed(), ((*run)->failed() ? (*run)->status().diagnostic->text() + "\n" + text : "").c_str());
            const std::vector<double> wanted = drawn.integrated();
            for (const auto& [name, value] : (*run)->namedState()) {
                double right = value;
                if (name == "s")
                    right = 1;
                else if (name.size() == 2 && (name[0] == 'x' || name[0] == 'v'))
                    right = wanted[static_cast<std::size_t>(name[1] - '0' + (name[0] == 'v' ? drawn.n : 0))];
                else if (name.size() == 2 && (name[0] == 'y' || name[0] == 'w'))
                    right = drawn.function(name[1] - '0', name[0] == 'w', wanted);
                const bool function = name[0] == 'y' || name[0] == 'w'; // with a slope of some ten
                const double error = std::abs(value - right) / (1 + std::abs(right)) / (function ? 20 : 1);
                worst = std::max(worst, error);
                const double allowed = name == "s" ? 1e-15 // its rate is zero, and round-off of one is all there is
                                       : drawn.method == "ida" || drawn.method == "bdf" ? kSameInManySteps
                                                                                        : kSame;
                QVERIFY2(
                    error < allowed,
                    (name + " = " + number(value) + " for " + number(right) + " by " + drawn.method + "\n" + text).c_str());
            }
        }
        qInfo("largest error %.1e", worst);
    }
};

QTEST_GUILESS_MAIN(TestReinitialised)
#include "test_reinitialised.moc"
