// Equations of mechanisms against formulas written by hand, and against laws that hold for any mechanism.
#include "tests/mechanism/Evaluate.h"

#include <cmath>

#include "core/mechanism/ReadModel.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;

namespace {

constexpr int kSamples = 40;

/// Every joint and force there is, between ground, points and rigid bodies.
const char* const kZoo = R"(format = 1
[parameters]
half = 0.5
width = "2*half"
c1 = 0.3
k = 7.0

[[body]]
name = "arm"
kind = "rigid"
mass = 2.0
inertia = 0.4

[[body]]
name = "plate"
kind = "rigid"
mass = 1.5
inertia = 0.3

[[body]]
name = "bead"
kind = "point"
mass = 0.7

[[body]]
name = "bob"
kind = "point"
mass = 1.1

[[body]]
name = "block"
kind = "rigid"
mass = 3.0
inertia = 0.8

[[joint]]
name = "hinge"
kind = "pin"
from = { body = "ground", at = [0.1, -0.2] }
to = { body = "arm", at = ["-half", 0.05] }

[[joint]]
name = "glue"
kind = "weld"
from = { body = "arm", at = ["half", 0] }
to = { body = "plate", at = [-0.2, 0.1] }
turn = 0.3

[[joint]]
name = "groove"
kind = "slider"
from = { body = "plate", at = [0.1, 0.2] }
to = "bead"
angle = 0.7

[[joint]]
name = "link"
kind = "rod"
from = { body = "plate", at = [0.4, -0.1] }
to = "bob"
length = "width"

[[joint]]
name = "rail"
kind = "slider"
from = { body = "ground", at = [0, 1] }
to = { body = "block", at = [0.1, 0.3] }
angle = 0.2
turn = -0.1

[[force]]
kind = "gravity"
acceleration = 9.81
direction = [0.6, -0.8]

[[force]]
name = "spring"
kind = "spring-damper"
from = { body = "plate", at = [0.3, 0.3] }
to = { body = "block", at = [-0.4, 0.2] }
stiffness = "k"
damping = 0.9
length = 0.8

[[force]]
name = "band"
kind = "spring-damper"
from = { body = "ground", at = [2, 0] }
to = "bob"
stiffness = 3

[[force]]
name = "hingeFriction"
kind = "joint-friction"
joint = "hinge"
coefficient = "c1"

[[force]]
name = "grooveFriction"
kind = "joint-friction"
joint = "groove"
coefficient = 0.6

[[force]]
name = "linkFriction"
kind = "joint-friction"
joint = "link"
coefficient = 0.25

[[force]]
name = "push"
kind = "force"
body = "block"
at = [0.2, -0.3]
x = "sin(t) + block.x*arm.angle'"
y = "2 - bob.y'"
torque = "0.5*block.angle"
)";

struct Point {
    double x, y;
};

Point placed(const Vector& q, int body, double u, double v)
{
    const double a = q[body + 2];
    return {q[body] + u * std::cos(a) - v * std::sin(a), q[body + 1] + u * std::sin(a) + v * std::cos(a)};
}

enum { kArm = 0, kPlate = 3, kBead = 6, kBob = 8, kBlock = 10, kZooSize = 13 };

/// The nine constraints of the zoo by hand.
Vector zooConstraints(const Vector& q)
{
    const Point hinge = placed(q, kArm, -0.5, 0.05), end = placed(q, kArm, 0.5, 0), glue = placed(q, kPlate, -0.2, 0.1);
    const Point groove = placed(q, kPlate, 0.1, 0.2), hook = placed(q, kPlate, 0.4, -0.1), foot = placed(q, kBlock, 0.1, 0.3);
    const double slope = q[kPlate + 2] + 0.7;
    const double dx = q[kBob] - hook.x, dy = q[kBob + 1] - hook.y;
    return Vector{{hinge.x - 0.1, hinge.y + 0.2, glue.x - end.x, glue.y - end.y, q[kPlate + 2] - q[kArm + 2] - 0.3,
                   -std::sin(slope) * (q[kBead] - groove.x) + std::cos(slope) * (q[kBead + 1] - groove.y),
                   dx * dx + dy * dy - 1.0, -std::sin(0.2) * foot.x + std::cos(0.2) * (foot.y - 1.0), q[kBlock + 2] + 0.1}};
}

/// The potential of the zoo by hand.
double zooPotential(const Vector& q)
{
    const double masses[] = {2.0, 1.5, 0.7, 1.1, 3.0};
    const int first[] = {kArm, kPlate, kBead, kBob, kBlock};
    double out = 0;
    for (int b = 0; b < 5; ++b)
        out -= masses[b] * 9.81 * (0.6 * q[first[b]] - 0.8 * q[first[b] + 1]);
    const Point a = placed(q, kPlate, 0.3, 0.3), b = placed(q, kBlock, -0.4, 0.2);
    const double stretch = std::hypot(b.x - a.x, b.y - a.y) - 0.8;
    return out + 3.5 * stretch * stretch + 1.5 * (std::pow(q[kBob] - 2, 2) + std::pow(q[kBob + 1], 2));
}

/// Central difference of a function along a direction; its error is C h^2 with C from the third derivative.
template <typename Function>
auto along(Function f, const Vector& q, const Vector& direction, double h) -> decltype(f(q))
{
    return (f(q + h * direction) - f(q - h * direction)) / (2 * h);
}

constexpr double kStep = 1e-5;
/// Truncation C h^2 and round-off scale eps / h of a first central difference.
double differenceError(double scale)
{
    constexpr double kThirdDerivative = 100; // of smooth functions of q in [-2, 2] with |direction| up to 4
    return kThirdDerivative * scale * kStep * kStep + 10 * roundoff(1, scale) / kStep;
}

double pendulumParameter(const std::string& name)
{
    if (name == "m")
        return 2.5;
    if (name == "g")
        return 9.81;
    return 1.7; // L
}

} // namespace

class TestAssembly : public QObject {
    Q_OBJECT
private slots:
    void pendulumMatchesItsFormulas();
    void zooHasTheRowsOfItsJoints();
    void zooConstraintsMatchFormulasByHand();
    void zooJacobianMatchesDifferencesOfTheFormulas();
    void zooGammaMatchesSecondDifferences();
    void zooConservativeForcesAreTheGradientOfThePotential();
    void zooDissipationMatchesFormulasByHand();
    void energyBalanceHoldsForRandomStates();
    void constraintArrowsAreTheGeneralisedForces();
    void derivedParametersFollowTheirSources();
    void derOfACoordinateIsItsDerivative();
};

void TestAssembly::pendulumMatchesItsFormulas()
{
    Evaluated s(openModel("pendulum"));
    const std::vector<double> values = [&] {
        std::vector<double> out;
        for (const Parameter& p : s.system().parameters)
            out.push_back(pendulumParameter(p.quantity.name));
        return out;
    }();
    s.evaluator().setParameters(values);
    std::mt19937 generator(1);
    for (int i = 0; i < kSamples; ++i) {
        const Vector q = 2 * randomVector(generator, 2), v = 2 * randomVector(generator, 2);
        VERIFY_CLOSE(s.mass(q), Matrix(2.5 * Matrix::Identity(2, 2)), 0.0);
        VERIFY_CLOSE(s.force(q, v), (Vector{{0, -2.5 * 9.81}}), roundoff(2, 25));
        VERIFY_CLOSE(s.constraints(q), (Vector{{q.squaredNorm() - 1.7 * 1.7}}), roundoff(6, 10));
        VERIFY_CLOSE(s.jacobian(q), (Matrix{{2 * q[0], 2 * q[1]}}), roundoff(2, 4));
        VERIFY_CLOSE(s.rates(q, v), (Vector{{2 * q.dot(v)}}), roundoff(6, 16));
        VERIFY_CLOSE(s.gamma(q, v), (Vector{{2 * v.squaredNorm()}}), roundoff(6, 16));
        const auto e = s.energy(q, v);
        QVERIFY(std::abs(e.kinetic - 1.25 * v.squaredNorm()) <= roundoff(6, 10));
        QVERIFY(std::abs(e.potential - 2.5 * 9.81 * q[1]) <= roundoff(6, 50));
        QCOMPARE(e.power, 0.0);
    }
}

void TestAssembly::zooHasTheRowsOfItsJoints()
{
    const Evaluated s(readModel(kZoo, "zoo"));
    QCOMPARE(s.n(), static_cast<int>(kZooSize));
    std::vector<std::string> names, multipliers;
    for (const Constraint& c : s.system().constraints) {
        names.push_back(c.name);
        multipliers.push_back(c.multiplier.name);
    }
    QCOMPARE(names, (std::vector<std::string>{"hinge.x", "hinge.y", "glue.x", "glue.y", "glue.angle", "groove", "link",
                                              "rail.normal", "rail.angle"}));
    QCOMPARE(multipliers, (std::vector<std::string>{"hinge.lambda_x", "hinge.lambda_y", "glue.lambda_x", "glue.lambda_y",
                                                    "glue.lambda_angle", "groove.lambda", "link.lambda", "rail.lambda_normal",
                                                    "rail.lambda_angle"}));
}

void TestAssembly::zooConstraintsMatchFormulasByHand()
{
    Evaluated s(readModel(kZoo, "zoo"));
    std::mt19937 generator(2);
    for (int i = 0; i < kSamples; ++i) {
        const Vector q = 2 * randomVector(generator, s.n());
        VERIFY_CLOSE(s.constraints(q), zooConstraints(q), roundoff(30, 20));
    }
}

void TestAssembly::zooJacobianMatchesDifferencesOfTheFormulas()
{
    Evaluated s(readModel(kZoo, "zoo"));
    std::mt19937 generator(3);
    for (int i = 0; i < kSamples; ++i) {
        const Vector q = 2 * randomVector(generator, s.n()), v = randomVector(generator, s.n());
        const Vector rates = along(zooConstraints, q, v, kStep);
        VERIFY_CLOSE(Vector(s.jacobian(q) * v), rates, differenceError(20));
        VERIFY_CLOSE(s.rates(q, v), rates, differenceError(20));
    }
}

void TestAssembly::zooGammaMatchesSecondDifferences()
{
    Evaluated s(readModel(kZoo, "zoo"));
    std::mt19937 generator(4);
    constexpr double h = 1e-4; // balances h^2 against eps / h^2
    for (int i = 0; i < kSamples; ++i) {
        const Vector q = randomVector(generator, s.n()), v = randomVector(generator, s.n());
        const Vector second = (zooConstraints(q + h * v) - 2 * zooConstraints(q) + zooConstraints(q - h * v)) / (h * h);
        VERIFY_CLOSE(s.gamma(q, v), second, 100 * h * h + 4 * roundoff(30, 10) / (h * h));
    }
}

void TestAssembly::zooConservativeForcesAreTheGradientOfThePotential()
{
    Evaluated s(readModel(kZoo, "zoo"));
    std::mt19937 generator(5);
    for (int i = 0; i < kSamples; ++i) {
        const Vector q = 2 * randomVector(generator, s.n());
        const Vector rest = Vector::Zero(s.n());
        QVERIFY(std::abs(s.energy(q, rest).potential - zooPotential(q)) <= roundoff(60, 300));
        Vector expected(s.n());
        for (int k = 0; k < s.n(); ++k)
            expected[k] = -along(zooPotential, q, Vector::Unit(s.n(), k), kStep);
        // At rest and t = 0 what is left of the applied force is (0, 2) at (0.2, -0.3) and the torque.
        const double a = q[kBlock + 2];
        expected[kBlock + 1] += 2;
        expected[kBlock + 2] += 2 * (0.2 * std::cos(a) + 0.3 * std::sin(a)) + 0.5 * a;
        VERIFY_CLOSE(s.force(q, rest), expected, differenceError(300));
    }
}

void TestAssembly::zooDissipationMatchesFormulasByHand()
{
    Evaluated s(readModel(kZoo, "zoo"));
    std::mt19937 generator(6);
    for (int i = 0; i < kSamples; ++i) {
        const Vector q = 2 * randomVector(generator, s.n()), v = randomVector(generator, s.n());
        const double t = 0.4;
        const auto springLength = [](const Vector& p) {
            const Point a = placed(p, kPlate, 0.3, 0.3), b = placed(p, kBlock, -0.4, 0.2);
            return std::hypot(b.x - a.x, b.y - a.y);
        };
        const auto grooveWay = [](const Vector& p) {
            const Point a = placed(p, kPlate, 0.1, 0.2);
            const double slope = p[kPlate + 2] + 0.7;
            return std::cos(slope) * (p[kBead] - a.x) + std::sin(slope) * (p[kBead + 1] - a.y);
        };
        const auto hook = [](const Vector& p) { return placed(p, kPlate, 0.4, -0.1); };
        const auto hookX = [&](const Vector& p) { return p[kBob] - hook(p).x; };
        const auto hookY = [&](const Vector& p) { return p[kBob + 1] - hook(p).y; };
        const double turning = hookX(q) * along(hookY, q, v, kStep) - hookY(q) * along(hookX, q, v, kStep);
        const auto pushX = [](const Vector& p) { return placed(p, kBlock, 0.2, -0.3).x; };
        const auto pushY = [](const Vector& p) { return placed(p, kBlock, 0.2, -0.3).y; };
        const double power = -0.9 * std::pow(along(springLength, q, v, kStep), 2) - 0.3 * v[kArm + 2] * v[kArm + 2]
                             - 0.6 * std::pow(along(grooveWay, q, v, kStep), 2) - 0.25 * turning * turning
                             + (std::sin(t) + q[kBlock] * v[kArm + 2]) * along(pushX, q, v, kStep)
                             + (2 - v[kBob + 1]) * along(pushY, q, v, kStep) + 0.5 * q[kBlock + 2] * v[kBlock + 2];
        QVERIFY(std::abs(s.energy(q, v, t).power - power) <= differenceError(100));
    }
}

void TestAssembly::energyBalanceHoldsForRandomStates()
{
    // With M v' = f - G^T lambda:  dT/dt + dV/dt = power - lambda . G v  for any q, v, lambda.
    for (const char* id : {"zoo", "pendulum", "circle", "double-pendulum", "slider-crank", "cart-pendulum", "free-particle"}) {
        Evaluated s(std::string(id) == "zoo" ? readModel(kZoo, "zoo") : openModel(id));
        std::mt19937 generator(8);
        for (int i = 0; i < kSamples; ++i) {
            const Vector q = 2 * randomVector(generator, s.n()), v = randomVector(generator, s.n());
            const Vector lambda = randomVector(generator, s.m());
            const Matrix mass = s.mass(q);
            Vector right = s.force(q, v, 0.3);
            double leak = 0;
            if (s.m() > 0) {
                right -= s.jacobian(q).transpose() * lambda;
                leak = lambda.dot(s.jacobian(q) * v);
            }
            const Vector a = solve::solution(Eigen::FullPivLU<Matrix>(mass), right);
            const double kinetic = v.dot(mass * a); // M is constant for plane bodies in these coordinates
            const double potential = along([&](const Vector& p) { return s.energy(p, v, 0.3).potential; }, q, v, kStep);
            QVERIFY2(std::abs(kinetic + potential - (s.energy(q, v, 0.3).power - leak)) <= differenceError(300), id);
            QVERIFY2(std::abs(s.energy(q, v).kinetic - 0.5 * v.dot(mass * v)) <= roundoff(60, 20), id);
        }
    }
}

void TestAssembly::constraintArrowsAreTheGeneralisedForces()
{
    Evaluated s(openModel("double-pendulum"));
    Vector q, v;
    s.starts(q, v);
    const Vector lambda{{0.7, -1.3}};
    std::vector<double> arrows(12);
    QVERIFY(s.evaluator().arrows(0, q.data(), lambda.data(), arrows.data()));
    // Force of rod 2 on the lower bob is all that -G^T lambda gives it.
    const Vector total = -s.jacobian(q).transpose() * lambda;
    QVERIFY(std::abs(arrows[9] - total[2]) <= roundoff(10, 5));
    QVERIFY(std::abs(arrows[10] - total[3]) <= roundoff(10, 5));
    // The upper bob feels rod 1 and the opposite of rod 2.
    QVERIFY(std::abs(arrows[3] - arrows[9] - total[0]) <= roundoff(10, 5));
    QVERIFY(std::abs(arrows[4] - arrows[10] - total[1]) <= roundoff(10, 5));
}

void TestAssembly::derivedParametersFollowTheirSources()
{
    Evaluated s(readModel(kZoo, "zoo"));
    for (const Parameter& p : s.system().parameters)
        QVERIFY(p.quantity.name != "width");
    std::vector<double> values(s.evaluator().parameters().begin(), s.evaluator().parameters().end());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (s.system().parameters[i].quantity.name == "half")
            values[i] = 0.75;
    const Vector q = Vector::Zero(s.n());
    const double before = s.constraints(q)[6];
    s.evaluator().setParameters(values);
    // link: dx^2 + dy^2 - (2 half)^2
    QVERIFY(std::abs(s.constraints(q)[6] - before - (1.0 - 2.25)) <= roundoff(10, 3));
}

void TestAssembly::derOfACoordinateIsItsDerivative()
{
    const auto sleigh = [](const std::string& row) {
        const auto model = readModel("format = 1\n[[body]]\nname = \"sleigh\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.1\n"
                                     "x = { start = 0.2, velocity = 0 }\n[[constraint]]\nname = \"blade\"\nnonholonomic = \""
                                         + row + "\"\nbodies = [\"ground\", \"sleigh\"]\n",
                                     "sleigh");
        if (!model)
            qFatal("%s", model.error().text().c_str());
        return constraintAtLevel((*model)->system, 0, 1);
    };
    QVERIFY(sleigh("der(x)*sin(angle) - 2*der(angle)").sameAs(sleigh("x'*sin(angle) - 2*angle'")));
}

QTEST_APPLESS_MAIN(TestAssembly)
#include "test_assembly.moc"
