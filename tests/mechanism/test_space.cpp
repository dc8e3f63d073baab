// Mechanisms in space: rotation against Euler's equations, joints against the motions they leave free, rolling without slip.
#include "tests/mechanism/Evaluate.h"

#include <cmath>

#include <Eigen/Geometry>

#include "core/mechanism/ReadModel.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr int kSamples = 20;
constexpr const char* kBody = "kind = \"rigid\"\nmass = 1.7\ninertia = [0.9, 1.3, 1.1, 0.1, -0.2, 0.15]\n";

Eigen::Matrix3d inertia()
{
    Eigen::Matrix3d J;
    J << 0.9, 0.1, -0.2, 0.1, 1.3, 0.15, -0.2, 0.15, 1.1;
    return J;
}

std::string freeBody(const std::string& extra)
{
    return std::string("format = 1\ndimensions = 3\n[[body]]\nname = \"a\"\n") + kBody + extra;
}

Evaluated open(const std::string& text) { return Evaluated(readModel(text, "test.toml")); }

Quaterniond quaternion(const Vector& q, int first) { return {q[first], q[first + 1], q[first + 2], q[first + 3]}; }

void setPose(Vector& q, int first, const Vector3d& r, const Quaterniond& e)
{
    q.segment(first, 3) = r;
    q.segment(first + 3, 4) << e.w(), e.x(), e.y(), e.z();
}

Quaterniond randomTurn(std::mt19937& generator)
{
    const Vector x = randomVector(generator, 4);
    return Quaterniond(x[0], x[1], x[2], x[3]).normalized();
}

/// e' of a body that turns with w' in its own frame.
Eigen::Vector4d rate(const Quaterniond& e, const Vector3d& w)
{
    const Quaterniond r = e * Quaterniond(0, w.x(), w.y(), w.z());
    return 0.5 * Eigen::Vector4d(r.w(), r.x(), r.y(), r.z());
}

} // namespace

class TestSpace : public QObject {
    Q_OBJECT
private slots:
    void freeRotationObeysEuler();
    void anglesKeepAngularMomentum_data();
    void anglesKeepAngularMomentum();
    void torquesAndForcesTurn();
    void jointsLeaveTheirMotionsFree_data();
    void jointsLeaveTheirMotionsFree();
    void motionPrescribesTheAngle();
    void sphereAndDiscRoll();
    void startsComeFromTurns();
    void energyBalances_data();
    void energyBalances();
};

/// J w' + w x J w = 0, from M, f and the norm of the quaternion alone.
void TestSpace::freeRotationObeysEuler()
{
    Evaluated a = open(freeBody(""));
    QCOMPARE(a.n(), 7);
    QCOMPARE(a.m(), 1);
    std::mt19937 generator(7);
    for (int i = 0; i < kSamples; ++i) {
        const Quaterniond e = randomTurn(generator);
        const Vector3d w = 3 * randomVector(generator, 3);
        Vector q(7), v(7), acceleration, lambda;
        setPose(q, 0, randomVector(generator, 3), e);
        v << randomVector(generator, 3), rate(e, w);
        a.accelerations(q, v, acceleration, lambda);
        const Quaterniond bend(acceleration[3], acceleration[4], acceleration[5], acceleration[6]);
        const Vector3d spin = 2 * (e.conjugate() * bend).vec(); // w' = 2 G e'' since G(e') e' = 0
        VERIFY_CLOSE(inertia() * spin, -w.cross(inertia() * w), roundoff(500, 30.0));
        VERIFY_CLOSE(acceleration.head(3), Vector3d::Zero(), roundoff(100, 10.0));
        QVERIFY(std::abs(a.energy(q, v).kinetic - 0.5 * (1.7 * v.head(3).squaredNorm() + w.dot(inertia() * w)))
                <= roundoff(200, 30.0));
    }
}

void TestSpace::anglesKeepAngularMomentum_data()
{
    QTest::addColumn<QString>("axes");
    for (const char* axes : {"xyz", "zxz", "yzx", "zyx"})
        QTest::newRow(axes) << axes;
}

/// The angular momentum R J w' of a free body does not change: d/dt by central differences along the motion that M and f give.
void TestSpace::anglesKeepAngularMomentum()
{
    QFETCH(QString, axes);
    Evaluated a = open(freeBody("orientation = \"" + axes.toStdString() + "\"\n"));
    QCOMPARE(a.n(), 6);
    QCOMPARE(a.m(), 0);
    const auto axisOf = [&](int k) { return Vector3d::Unit(axes[k].toLatin1() - 'x'); };
    const auto momentum = [&](const Vector& q, const Vector& v) {
        Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
        Vector3d w = Vector3d::Zero();
        for (int k = 0; k < 3; ++k) {
            const Eigen::Matrix3d turn = Eigen::AngleAxisd(q[3 + k], axisOf(k)).toRotationMatrix();
            R = R * turn;
            w = turn.transpose() * w + v[3 + k] * axisOf(k);
        }
        return Vector3d(R * inertia() * w);
    };
    std::mt19937 generator(11);
    for (int i = 0; i < kSamples; ++i) {
        Vector q = randomVector(generator, 6), v = randomVector(generator, 6);
        q[4] += 1.2; // away from both singularities, 0 of zxz and pi/2 of the others
        if (axes[0] != axes[2])
            q[4] -= 1.2 - 0.2;
        Vector acceleration, lambda;
        a.accelerations(q, v, acceleration, lambda);
        const double h = 1e-4;
        const Vector next = q + h * v + 0.5 * h * h * acceleration, before = q - h * v + 0.5 * h * h * acceleration;
        const Vector3d change = (momentum(next, v + h * acceleration) - momentum(before, v - h * acceleration)) / (2 * h);
        // h^2 times third derivatives of sums of products of sines with accelerations that grow like 1/sin^2 near a
        // singularity.
        VERIFY_CLOSE(change, Vector3d::Zero(), h * h * 100 * std::pow(1 + acceleration.norm(), 3));
    }
}

/// A force at a point and a torque in either frame: d/dt (J_c w) = R^T (r x F) + torque.
void TestSpace::torquesAndForcesTurn()
{
    Evaluated a = open(freeBody("[[force]]\nkind = \"force\"\nbody = \"a\"\nat = [0.3, -0.2, 0.5]\nx = 1.5\ny = -2.0\nz = "
                                "0.7\ntorque = [0.2, 0.4, -0.3]\n"
                                "[[force]]\nname = \"jet\"\nkind = \"force\"\nbody = \"a\"\nat = [0, 0.4, 0]\nx = 1.1\nz = "
                                "-0.6\ntorque = [0, 0, 0.9]\nframe = \"body\"\n"));
    std::mt19937 generator(3);
    for (int i = 0; i < kSamples; ++i) {
        const Quaterniond e = randomTurn(generator);
        const Vector3d w = randomVector(generator, 3);
        Vector q(7), v(7), acceleration, lambda;
        setPose(q, 0, randomVector(generator, 3), e);
        v << randomVector(generator, 3), rate(e, w);
        a.accelerations(q, v, acceleration, lambda);
        const Vector3d F(1.5, -2.0, 0.7), jet(1.1, 0, -0.6);
        const Vector3d total = e.conjugate() * F + jet;
        const Vector3d moment = Vector3d(0.3, -0.2, 0.5).cross(e.conjugate() * F) + e.conjugate() * Vector3d(0.2, 0.4, -0.3)
                                + Vector3d(0, 0.4, 0).cross(jet) + Vector3d(0, 0, 0.9);
        const Quaterniond bend(acceleration[3], acceleration[4], acceleration[5], acceleration[6]);
        const Vector3d spin = 2 * (e.conjugate() * bend).vec();
        VERIFY_CLOSE(inertia() * spin, moment - w.cross(inertia() * w), roundoff(500, 30.0));
        VERIFY_CLOSE(1.7 * acceleration.head(3), e * total, roundoff(200, 10.0));
    }
}

void TestSpace::jointsLeaveTheirMotionsFree_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("free"); // x y z: displacements along n1, n2, axis; a b c: turns about them
    QTest::newRow("spherical") << "spherical"
                               << "" << 3 << "abc";
    QTest::newRow("revolute") << "revolute"
                              << "axis = [1, 2, 2]\n"
                              << 5 << "c";
    QTest::newRow("revolute along x") << "revolute"
                                      << "axis = [1, 0, 0]\n"
                                      << 5 << "c";
    QTest::newRow("universal") << "universal"
                               << "axis = [0, 0, 1]\naxis_to = [1, 0, 0]\n"
                               << 4 << "ca";
    QTest::newRow("prismatic") << "prismatic"
                               << "axis = [0, 1, 1]\n"
                               << 5 << "z";
    QTest::newRow("cylindrical") << "cylindrical"
                                 << "axis = [2, 1, -2]\n"
                                 << 4 << "zc";
    QTest::newRow("planar") << "planar"
                            << "axis = [0, 0, -1]\n"
                            << 3 << "xyc";
    QTest::newRow("fixed") << "fixed"
                           << "" << 6 << "";
    QTest::newRow("turned") << "prismatic"
                            << "axis = [0, 1, 0]\nturn = { axis = [1, 0, 0], angle = 0.7 }\n"
                            << 5 << "z";
}

/// Whatever moves only as the joint allows meets its rows, and the rows are independent of each other and of the norms.
void TestSpace::jointsLeaveTheirMotionsFree()
{
    QFETCH(QString, kind);
    QFETCH(QString, keys);
    QFETCH(int, rows);
    QFETCH(QString, free);
    Evaluated a = open(
        freeBody(std::string("[[body]]\nname = \"b\"\n") + kBody + "[[joint]]\nname = \"j\"\nkind = \"" + kind.toStdString()
                 + "\"\nfrom = { body = \"a\", at = [0.2, -0.1, 0.4] }\nto = { body = \"b\", at = [-0.3, 0.5, 0.1] }\n"
                 + keys.toStdString()));
    QCOMPARE(a.m(), rows + 2);
    Vector3d axis = Vector3d::UnitZ();
    if (const auto at = keys.indexOf("axis = ["); at >= 0) {
        const QStringList numbers = keys.mid(at + 8, keys.indexOf(']', at) - at - 8).split(',');
        axis = Vector3d(numbers[0].toDouble(), numbers[1].toDouble(), numbers[2].toDouble()).normalized();
        if (keys.startsWith("axis = [0, 1, 0]\nturn"))
            axis = Vector3d::UnitY();
    }
    const Quaterniond reference =
        keys.contains("turn") ? Quaterniond(Eigen::AngleAxisd(0.7, Vector3d::UnitX())) : Quaterniond::Identity();
    const Vector3d n1 = axis.unitOrthogonal(), n2 = axis.cross(n1);
    std::mt19937 generator(23);
    for (int i = 0; i < kSamples; ++i) {
        const Quaterniond ea = randomTurn(generator);
        const Vector3d ra = randomVector(generator, 3), step = randomVector(generator, 3), turns = randomVector(generator, 3);
        Vector3d shift = Vector3d::Zero();
        Quaterniond turn = Quaterniond::Identity();
        for (const QChar& c : free) {
            switch (c.toLatin1()) {
            case 'x':
                shift += step[0] * n1;
                break;
            case 'y':
                shift += step[1] * n2;
                break;
            case 'z':
                shift += step[2] * axis;
                break;
            case 'a':
                turn = turn * Quaterniond(Eigen::AngleAxisd(turns[0], Vector3d::UnitX()));
                break;
            case 'b':
                turn = turn * Quaterniond(Eigen::AngleAxisd(turns[1], Vector3d::UnitY()));
                break;
            case 'c':
                turn = turn * Quaterniond(Eigen::AngleAxisd(turns[2], axis));
                break;
            }
        }
        const Quaterniond eb = ea * turn * reference;
        const Vector3d point = ra + ea * (Vector3d(0.2, -0.1, 0.4) + shift);
        Vector q(14);
        setPose(q, 0, ra, ea);
        setPose(q, 7, point - eb * Vector3d(-0.3, 0.5, 0.1), eb);
        VERIFY_CLOSE(a.constraints(q), Vector::Zero(a.m()), roundoff(200, 5.0));
        const Eigen::JacobiSVD<Matrix> svd(a.jacobian(q));
        QVERIFY2(svd.singularValues().minCoeff() > 1e-3, "the rows of the joint depend on each other");
        if (kind == "spherical" || kind == "universal")
            continue;
        const Quaterniond bent = eb * Quaterniond(Eigen::AngleAxisd(0.01, reference.conjugate() * n1)); // across the axis
        setPose(q, 7, point - bent * Vector3d(-0.3, 0.5, 0.1), bent);
        QVERIFY(a.constraints(q).lpNorm<Eigen::Infinity>() > 1e-3);
    }
}

void TestSpace::motionPrescribesTheAngle()
{
    Evaluated a =
        open(freeBody("[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nfrom = \"ground\"\nto = \"a\"\naxis = [0, 3, 4]\n"
                      "[[joint]]\nname = \"drive\"\nkind = \"motion\"\njoint = \"hinge\"\nvalue = \"2*t + 0.3\"\n"));
    QCOMPARE(a.m(), 7);
    for (const double t : {0.0, 0.7, 1.9, 40.0}) {
        Vector q(7);
        setPose(q, 0, Vector3d::Zero(), Quaterniond(Eigen::AngleAxisd(2 * t + 0.3, Vector3d(0, 0.6, 0.8))));
        VERIFY_CLOSE(a.constraints(q, t), Vector::Zero(7), roundoff(100, 100.0));
        Vector v(7);
        v << Vector3d::Zero(), rate(quaternion(q, 3), 2 * Vector3d(0, 0.6, 0.8));
        VERIFY_CLOSE(a.rates(q, v, t), Vector::Zero(7), roundoff(100, 10.0));
    }
}

/// The point of contact rests: of a ball v = w x r n, of a disc by the lowest point of its rim.
void TestSpace::sphereAndDiscRoll()
{
    Evaluated ball =
        open(freeBody("[[joint]]\nname = \"floor\"\nkind = \"rolling\"\nfrom = \"ground\"\nto = \"a\"\nradius = 0.4\n"));
    Evaluated disc = open(freeBody(
        "[[joint]]\nname = \"floor\"\nkind = \"rolling\"\nfrom = \"ground\"\nto = \"a\"\nradius = 0.4\naxis = [0, 1, 0]\n"));
    QCOMPARE(ball.m(), 4);
    QCOMPARE(ball.holonomic(), 2);
    std::mt19937 generator(5);
    for (int i = 0; i < kSamples; ++i) {
        const Quaterniond e = randomTurn(generator);
        const Vector3d w = randomVector(generator, 3), n = Vector3d::UnitZ();
        const Vector3d axis = e * Vector3d::UnitY();
        const Vector3d down = -(n - axis.dot(n) * axis).normalized();
        for (Evaluated* body : {&ball, &disc}) {
            const Vector3d contact = body == &ball ? Vector3d(-0.4 * n) : Vector3d(0.4 * down);
            Vector3d r = randomVector(generator, 3);
            r.z() = -contact.z();
            Vector q(7), v(7);
            setPose(q, 0, r, e);
            v << -(e * w).cross(contact), rate(e, w);
            VERIFY_CLOSE(body->constraints(q), Vector::Zero(2), roundoff(100, 5.0));
            VERIFY_CLOSE(body->rates(q, v), Vector::Zero(4), roundoff(300, 5.0));
        }
    }
}

void TestSpace::startsComeFromTurns()
{
    Evaluated a = open(freeBody("turn = [{ axis = [0, 0, 2], angle = 0.5 }, { axis = [1, 0, 0], angle = -0.8 "
                                "}]\nangular_velocity = [0.1, 0.2, 0.3]\n"));
    Vector q, v;
    a.starts(q, v);
    const Quaterniond e =
        Quaterniond(Eigen::AngleAxisd(0.5, Vector3d::UnitZ())) * Quaterniond(Eigen::AngleAxisd(-0.8, Vector3d::UnitX()));
    VERIFY_CLOSE(q.tail(4), Eigen::Vector4d(e.w(), e.x(), e.y(), e.z()), roundoff(20, 1.0));
    VERIFY_CLOSE(v.tail(4), rate(e, Vector3d(0.1, 0.2, 0.3)), roundoff(40, 1.0));
}

void TestSpace::energyBalances_data()
{
    QTest::addColumn<QString>("model");
    const std::string a = std::string("[[body]]\nname = \"a\"\n") + kBody, b = std::string("[[body]]\nname = \"b\"\n") + kBody;
    const auto row = [](const char* name, const std::string& text) { QTest::newRow(name) << QString::fromStdString(text); };
    const std::string space = "format = 1\ndimensions = 3\n" + a + b,
                      gravity = "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
    row("revolute with dry friction", space + gravity + R"~([[joint]]
name = "hinge"
kind = "revolute"
axis = [1, 2, 2]
from = { body = "a", at = [0.1, 0.2, 0.3] }
to = { body = "b", at = [0.3, -0.2, 0.1] }
[[force]]
kind = "joint-friction"
joint = "hinge"
coefficient = 0.4
coulomb = 0.7
speed = 0.5
[[force]]
kind = "torsional-spring"
joint = "hinge"
stiffness = 3.0
damping = 0.2
angle = 0.1
[[force]]
kind = "actuator"
joint = "hinge"
effort = "0.8*sin(a.x) - 0.3*b.y'"
)~");
    row("spherical, springs, attraction", space + gravity + R"~([[joint]]
name = "ball"
kind = "spherical"
from = { body = "ground", at = [0.1, 0.2, 0.3] }
to = { body = "a", at = [0.3, -0.2, 0.1] }
[[force]]
kind = "joint-friction"
joint = "ball"
coefficient = 0.4
[[force]]
kind = "spring-damper"
from = { body = "a", at = [0.2, 0.1, 0] }
to = { body = "b", at = [0, 0.1, 0.5] }
stiffness = 5.0
damping = 0.3
length = 0.4
[[force]]
name = "rubber"
kind = "spring-damper"
from = "ground"
to = "b"
force = "2*l + l^3 + 0.4*rate"
[[force]]
kind = "gravitation"
constant = 0.7
[[force]]
name = "push"
kind = "force"
body = "b"
at = [0.1, 0, 0.2]
x = "a.x'"
torque = [0.1, "0.2*b.z", 0]
frame = "body"
)~");
    row("screw and cylinder", space + R"~([[joint]]
name = "nut"
kind = "screw"
lead = 0.3
axis = [0, 1, 2]
from = "a"
to = "b"
[[joint]]
name = "sleeve"
kind = "cylindrical"
from = "ground"
to = "a"
[[force]]
kind = "joint-friction"
joint = "sleeve"
coefficient = 0.2
)~");
    row("rolling in space", space + gravity + R"~([[joint]]
name = "ball"
kind = "rolling"
radius = 0.3
from = "ground"
to = "a"
[[joint]]
name = "coin"
kind = "rolling"
radius = 0.5
axis = [1, 0, 0]
from = "ground"
to = "b"
)~");
    row("surface and curve", space + gravity + R"~([[joint]]
name = "bowl"
kind = "surface"
surface = "z - x^2 - 2*y^2"
from = "ground"
to = { body = "a", at = [0, 0, -0.2] }
[[joint]]
name = "helix"
kind = "curve"
curve = ["x - cos(3*z)", "y - sin(3*z)"]
from = "a"
to = "b"
)~");
    const std::string plane = R"~(format = 1
[[body]]
name = "a"
kind = "rigid"
mass = 1.3
inertia = 0.4
[[body]]
name = "b"
kind = "rigid"
mass = 0.8
inertia = 0.6
[[body]]
name = "c"
kind = "rigid"
mass = 1.1
inertia = 0.2
)~" + gravity;
    row("gears, rack, torsion", plane + R"~([[joint]]
name = "hub"
kind = "pin"
from = "ground"
to = "a"
[[joint]]
name = "planet"
kind = "gear"
from = "a"
to = "b"
carrier = "c"
ratio = -0.7
[[joint]]
name = "rack"
kind = "rack"
radius = 0.3
angle = 0.4
from = "b"
to = { body = "c", at = [0.1, 0.2] }
[[force]]
kind = "torsional-spring"
joint = "hub"
stiffness = 2.0
damping = 0.1
angle = -0.2
[[force]]
kind = "actuator"
joint = "hub"
effort = "-0.5*a.angle'*a.angle^2"
)~");
    row("edge, disc, curve", plane + R"~([[joint]]
name = "blade"
kind = "knife-edge"
to = { body = "a", at = [0.2, 0.1] }
angle = 0.3
[[joint]]
name = "ramp"
kind = "rolling"
angle = -0.2
radius = 0.4
from = "ground"
to = "b"
[[joint]]
name = "wire"
kind = "curve"
curve = "x^2/4 + y^2 - 1"
from = "b"
to = { body = "c", at = [0.1, 0] }
[[force]]
name = "rubber"
kind = "spring-damper"
from = "a"
to = "c"
force = "3*(l - 0.2) + 0.1*rate*l"
)~");
}

/// Along any motion that the constraints on velocities allow, d(T + V)/dt is the power that the model states.
void TestSpace::energyBalances()
{
    QFETCH(QString, model);
    Evaluated a = open(model.toStdString());
    std::mt19937 generator(31);
    for (int i = 0; i < kSamples; ++i) {
        Vector q = randomVector(generator, a.n()), v = randomVector(generator, a.n());
        for (int k = 0; k + 3 < a.n(); ++k)
            if (a.system().coordinates[static_cast<std::size_t>(k)].name.ends_with(".e0"))
                q.segment(k, 4).normalize();
        Matrix W(a.m(), a.n()); // rates are linear in v
        for (int k = 0; k < a.n(); ++k)
            W.col(k) = a.rates(q, Vector::Unit(a.n(), k));
        v -= solve::leastSquares(W, W * v);
        Matrix K = Matrix::Zero(a.n() + a.m(), a.n() + a.m());
        K.topLeftCorner(a.n(), a.n()) = a.mass(q);
        K.topRightCorner(a.n(), a.m()) = W.transpose();
        K.bottomLeftCorner(a.m(), a.n()) = W;
        Vector right(a.n() + a.m());
        right << a.force(q, v), -a.gamma(q, v);
        const Vector acceleration = solve::solution(Eigen::FullPivLU<Matrix>(K), right).head(a.n());
        const double h = 1e-5;
        const auto total = [&](double s) {
            const auto e = a.energy(q + s * v + 0.5 * s * s * acceleration, v + s * acceleration);
            return e.kinetic + e.potential;
        };
        const double change = (total(h) - total(-h)) / (2 * h), size = 1 + acceleration.norm() + std::abs(total(0));
        const double allowed =
            h * h * 10 * size * size * size + roundoff(100, size) / h; // third derivatives of E along the motion
        const double power = a.energy(q, v).power;
        QVERIFY2(std::abs(change - power) <= allowed,
                 qPrintable(QString("%1 against %2, allowed %3").arg(change).arg(power).arg(allowed)));
    }
}

QTEST_GUILESS_MAIN(TestSpace)
#include "test_space.moc"
