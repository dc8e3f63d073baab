// Observed orders of the adaptive Radau IIA methods, held at a constant step, on a linear system of index 1, 2 and 3 with a
// solution in sines: there Newton's iteration ends with its first correction, so a tolerance that lets every step pass leaves
// no other error than that of the method.
//
// s stages: 2 s - 1 in all components up to index 1; index 2: 2 s - 1 in y, s in z; index 3: s in the velocities, s - 1 in the
// multiplier (Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods, 1989,
// tables of sections 4 and 6).
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/integrate/Integrator.h"
#include "tests/problems/HandCoded.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::StepStatus;

namespace {

/// Two masses on springs, q'' = -k q + (1, 2)^T lambda + f(t), with q1 + 2 q2 = r(t), its first or its second derivative; f and
/// r belong to q1 = 30 + cos 5t, q2 = sin 7t, lambda = cos 3t.
template <int Index>
struct ForcedPair {
    static constexpr std::size_t kSize = 5;
    static constexpr int kIndex = Index;
    static constexpr double k1 = 20, k2 = 45;
    std::vector<solve::UnknownRole> roles() const
    {
        constexpr int velocity = std::max(0, Index - 1), position = std::max(0, Index - 2);
        return {{true, position, false, 2, 0},
                {true, position, false, 3, 1},
                {true, velocity, false},
                {true, velocity, false},
                {false, Index, true}};
    }
    template <class S>
    void residual(S t, const S* y, const S* yp, S* F) const
    {
        using std::cos, std::sin;
        const S c5 = cos(S(5) * t), s7 = sin(S(7) * t), lambda = cos(S(3) * t);
        const S f1 = S(-25) * c5 + S(k1) * (S(30) + c5) - lambda, f2 = S(-49) * s7 + S(k2) * s7 - S(2) * lambda;
        const S a1 = f1 - S(k1) * y[0] + y[4], a2 = f2 - S(k2) * y[1] + S(2) * y[4];
        F[0] = yp[0] - y[2];
        F[1] = yp[1] - y[3];
        F[2] = yp[2] - a1;
        F[3] = yp[3] - a2;
        if constexpr (Index == 3)
            F[4] = y[0] + S(2) * y[1] - S(30) - c5 - S(2) * s7;
        else if constexpr (Index == 2)
            F[4] = y[2] + S(2) * y[3] + S(5) * sin(S(5) * t) - S(14) * cos(S(7) * t);
        else
            F[4] = a1 + S(2) * a2 + S(25) * c5 + S(98) * s7;
    }
    static std::array<double, 5> at(double t)
    {
        return {30 + std::cos(5 * t), std::sin(7 * t), -5 * std::sin(5 * t), 7 * std::cos(7 * t), std::cos(3 * t)};
    }
    static std::array<double, 5> ratesAt(double t)
    {
        return {-5 * std::sin(5 * t), 7 * std::cos(7 * t), -25 * std::cos(5 * t), -49 * std::sin(7 * t), -3 * std::sin(3 * t)};
    }
};

struct Errors {
    double position = 0, velocity = 0, multiplier = 0;
};

/// At t = 1 after that many steps of one length; nothing where a step had another one.
template <int Index>
std::optional<Errors> errors(const char* id, int steps)
{
    using Form = ForcedPair<Index>;
    HandCoded<Form> dae;
    auto method = std::move(integrate::makeIntegrator(id)).value();
    integrate::IntegratorOptions options;
    options.step = options.maxStep = 1.0 / steps;
    options.relativeTolerance = 1e-12;
    options.absoluteTolerance = 1e3; // every error passes
    if (!method->prepare(dae, options) || !method->restart(0, Form::at(0), Form::ratesAt(0)))
        return {};
    for (int k = 1; k <= steps; ++k)
        if (const double end = static_cast<double>(k) / steps;
            method->step(end).status != StepStatus::Accepted || method->t() != end)
            return {};
    const auto exact = Form::at(1);
    const auto off = [&](std::size_t i) { return std::abs(method->y()[i] - exact[i]); };
    return Errors{std::max(off(0), off(1)), std::max(off(2), off(3)), off(4)};
}

struct Row {
    const char* id;
    int index;
    double Errors::*component;
    int coarse,
        fine; ///< steps: above round-off (the positions are near 30), and where the first term of the error series leads
    double order;
};

constexpr Row kRows[] = {{"radau", 1, &Errors::position, 16, 32, 5},      {"radau", 1, &Errors::velocity, 16, 32, 5},
                         {"radau", 1, &Errors::multiplier, 16, 32, 5},    {"radau", 2, &Errors::position, 16, 32, 5},
                         {"radau", 2, &Errors::velocity, 16, 32, 5},      {"radau", 2, &Errors::multiplier, 16, 32, 3},
                         {"radau", 3, &Errors::position, 16, 32, 5},      {"radau", 3, &Errors::velocity, 16, 32, 3},
                         {"radau", 3, &Errors::multiplier, 16, 32, 2},    {"radau-9", 1, &Errors::position, 8, 16, 9},
                         {"radau-9", 1, &Errors::velocity, 8, 16, 9},     {"radau-9", 1, &Errors::multiplier, 8, 16, 9},
                         {"radau-9", 2, &Errors::position, 8, 16, 9},     {"radau-9", 2, &Errors::velocity, 8, 16, 9},
                         {"radau-9", 2, &Errors::multiplier, 8, 16, 5},   {"radau-9", 3, &Errors::position, 8, 16, 9},
                         {"radau-9", 3, &Errors::velocity, 16, 32, 5},    {"radau-9", 3, &Errors::multiplier, 16, 32, 4},
                         {"radau-13", 1, &Errors::velocity, 3, 5, 13},    {"radau-13", 2, &Errors::velocity, 3, 5, 13},
                         {"radau-13", 2, &Errors::multiplier, 16, 32, 7}, {"radau-13", 3, &Errors::velocity, 16, 32, 7},
                         {"radau-13", 3, &Errors::multiplier, 16, 32, 6}};

std::optional<Errors> errorsOf(const Row& row, int steps)
{
    switch (row.index) {
    case 1:
        return errors<1>(row.id, steps);
    case 2:
        return errors<2>(row.id, steps);
    default:
        return errors<3>(row.id, steps);
    }
}

/// Orders are whole numbers: a third of one is the next term of the error series at these steps.
constexpr double kSlack = 0.34;

} // namespace

class TestRadauOrders : public QObject {
    Q_OBJECT
private slots:
    void order_isThatOfTheory()
    {
        for (const Row& row : kRows) {
            const auto coarse = errorsOf(row, row.coarse), fine = errorsOf(row, row.fine);
            QVERIFY2(coarse && fine, row.id);
            const double found = std::log(*coarse.*row.component / (*fine.*row.component))
                                 / std::log(static_cast<double>(row.fine) / row.coarse);
            QVERIFY2(
                std::abs(found - row.order) < kSlack,
                qPrintable(QString("%1 on index %2: %3 instead of %4").arg(row.id).arg(row.index).arg(found).arg(row.order)));
        }
    }
};

QTEST_APPLESS_MAIN(TestRadauOrders)
#include "test_radau_orders.moc"
