// Equations derived from T and U: against closed forms, against d/dt dL/dq' - dL/dq, and the structure that [DN] 3.2 promises.
#include "tests/mechanism/Evaluate.h"

#include <cmath>

#include "core/expr/Print.h"
#include "core/mechanism/Lagrangian.h"
#include "core/mechanism/ReadModel.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;
using expr::Expr;

namespace {

const char* const kShipped[] = {"lagrangian-polar-particle",  "lagrangian-pendulum",           "lagrangian-pendulum-redundant",
                                "lagrangian-double-pendulum", "lagrangian-spherical-pendulum", "lagrangian-bead-on-wire",
                                "lagrangian-cart-pendulum"};

void eachModel()
{
    QTest::addColumn<QString>("id");
    for (const char* id : kShipped)
        QTest::newRow(id) << QString(id);
}

std::shared_ptr<const Model> modelOf(const std::string& text)
{
    const auto model = readModel("format = 1\n" + text, "test.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    return *model;
}

/// A bead on a rod that is turned and swung: T depends on t, has terms linear in r' and one without velocities.
const char* const kMoving = R"toml(
[parameters]
w = 1.5
e = 0.3
m = 2.0
g = 9.81
k = 20.0

[[coordinate]]
name = "r"
start = 0.7

[[coordinate]]
name = "z"
start = 0.1
velocity = 0.2

[lagrangian]
kinetic = "m/2*(x'^2 + y'^2 + z'^2 + r^2*z'^2)"
potential = "m*g*y + k/2*(r - 0.5)^2 + k/2*(z - e*sin(2*t))^2"

[lagrangian.functions]
angle = "w*t + e*sin(t)"
x = "e*cos(t) + r*cos(angle)"
y = "r*sin(angle)"
)toml";

LagrangianEquations derivedFrom(const Model& model)
{
    auto out = deriveLagrangian(model.system);
    if (!out)
        qFatal("%s", out.error().text().c_str());
    return *std::move(out);
}

std::string entry(const std::vector<MassEntry>& matrix, int i, int j)
{
    for (const MassEntry& e : matrix)
        if (e.row == i && e.column == j)
            return expr::print(e.value);
    return "0";
}

std::string symbolText(const LagrangianEquations& e, int i, int j, int k)
{
    for (const Christoffel& c : e.christoffel)
        if (c.i == i && c.j == std::min(j, k) && c.k == std::max(j, k))
            return expr::print(c.value);
    return "0";
}

/// Values of every symbol: parameters as stated, the rest drawn once.
class Point {
public:
    Point(const ConstrainedSystem& system, unsigned seed) : generator_(seed)
    {
        for (const Parameter& p : system.parameters)
            values_[p.symbol.text()] = p.quantity.value;
    }
    double operator()(const Expr& e)
    {
        return expr::evaluate(e,
                              [this](const expr::Symbol& s) -> std::optional<double> {
                                  const auto [at, isNew] = values_.try_emplace(s.text(), 0.0);
                                  if (isNew)
                                      at->second =
                                          0.2
                                          + 1.6 * static_cast<double>(generator_()) / static_cast<double>(std::mt19937::max());
                                  return at->second;
                              })
            .value();
    }

private:
    std::map<std::string, double> values_;
    std::mt19937 generator_;
};

/// Products of a few dozen factors of at most `scale`, summed.
double roundoffOf(double scale)
{
    constexpr double kOperations = 500;
    return kOperations * (1 + scale) * std::numeric_limits<double>::epsilon();
}

} // namespace

class TestLagrangian : public QObject {
    Q_OBJECT
private slots:
    void polarCoordinatesGiveTheTermsThatTheNotesLack()
    {
        const auto e = derivedFrom(**openModel("lagrangian-polar-particle"));
        QCOMPARE(entry(e.mass, 0, 0), std::string("m"));
        QCOMPARE(entry(e.mass, 1, 1), std::string("m*r^2"));
        QCOMPARE(entry(e.mass, 0, 1), std::string("0"));
        QCOMPARE(symbolText(e, 0, 1, 1), std::string("-m*r")); // (3.13a) with its missing term
        QCOMPARE(symbolText(e, 1, 0, 1), std::string("m*r"));
        QCOMPARE(e.christoffel.size(), std::size_t(2));
        QCOMPARE(expr::print(e.coriolisForce(1)), std::string("2*m*r*r'*theta'")); // (3.13b)
        QCOMPARE(expr::print(e.conservative[0]), std::string("g*m*sin(theta)"));
        QVERIFY(e.scleronomic());
    }

    void thePendulumIsThatOfExampleEleven()
    {
        const auto e = derivedFrom(**openModel("lagrangian-pendulum"));
        QCOMPARE(entry(e.mass, 0, 0), std::string("L^2*m"));
        QVERIFY(e.christoffel.empty() && e.coriolis.empty());
        QCOMPARE(expr::print(e.conservative[0]), std::string("L*g*m*sin(phi)"));
    }

    void theDoublePendulumHasItsTwoChristoffelSymbols()
    {
        const auto model = *openModel("lagrangian-double-pendulum");
        const auto e = derivedFrom(*model);
        QCOMPARE(e.christoffel.size(), std::size_t(2));
        Point at(model->system, 3);
        const auto p = [&](const char* name) { return at(expr::parameter(name)); };
        const double phi1 = at(expr::variable("phi1")), phi2 = at(expr::variable("phi2"));
        const double coupling = p("m2") * p("L1") * p("L2");
        const double expected[2][2] = {{(p("m1") + p("m2")) * p("L1") * p("L1"), coupling * std::cos(phi1 - phi2)},
                                       {coupling * std::cos(phi1 - phi2), p("m2") * p("L2") * p("L2")}};
        for (const MassEntry& m : e.mass)
            QVERIFY(std::abs(at(m.value) - expected[m.row][m.column]) <= roundoffOf(4));
        QCOMPARE(e.mass.size(), std::size_t(4));
        for (const Christoffel& c : e.christoffel) { // c_122 = -c_211 = m2 L1 L2 sin(phi1 - phi2)
            QCOMPARE(c.j, c.k);
            QVERIFY(std::abs(at(c.value) - (c.i == 0 ? 1 : -1) * coupling * std::sin(phi1 - phi2)) <= roundoffOf(4));
        }
        QVERIFY(symbolText(e, 0, 1, 1).find("phi1 - phi2") != std::string::npos); // sums of angles are found
    }

    void theSphericalPendulumKeepsItsAngularMomentum()
    {
        const auto e = derivedFrom(**openModel("lagrangian-spherical-pendulum"));
        QCOMPARE(entry(e.mass, 0, 0), std::string("L^2*m"));
        QCOMPARE(entry(e.mass, 1, 1), std::string("L^2*m*sin(theta)^2"));
        QCOMPARE(symbolText(e, 0, 1, 1), std::string("-L^2*m*sin(theta)*cos(theta)"));
        QVERIFY(e.conservative[1].isZero());
    }

    void theDerivationIsTheEulerLagrangeEquation_data()
    {
        eachModel();
        QTest::newRow("moving") << QString();
        QTest::newRow("slider-crank") << QString("slider-crank");
    }
    /// M q'' + C q' + r + g against d/dt dL/dq' - dL/dq, which knows nothing of M and C.
    void theDerivationIsTheEulerLagrangeEquation()
    {
        QFETCH(QString, id);
        const auto model = id.isEmpty() ? modelOf(kMoving) : *openModel(id.toStdString());
        const auto e = derivedFrom(*model);
        QCOMPARE(e.scleronomic(), !id.isEmpty());
        for (unsigned seed = 1; seed <= 5; ++seed) {
            Point at(model->system, seed);
            for (int i = 0; i < e.n(); ++i) {
                const auto k = static_cast<std::size_t>(i);
                const Expr L = e.kinetic - e.potential;
                const Expr direct = expr::timeDerivative(expr::derivative(L, e.v[k])) - expr::derivative(L, e.q[k]);
                double derived = at(e.coriolisForce(i)) + at(e.rheonomic[k]) + at(e.conservative[k]), size = std::abs(derived);
                for (const MassEntry& m : e.mass)
                    if (m.row == i) {
                        const double term = at(m.value) * at(expr::symbol(e.a[static_cast<std::size_t>(m.column)]));
                        derived += term;
                        size += std::abs(term);
                    }
                QVERIFY2(std::abs(at(direct) - derived) <= 100 * roundoffOf(size),
                         qPrintable(QString::number(at(direct) - derived)));
            }
        }
    }

    void theSystemCarriesTheDerivedForces_data() { theDerivationIsTheEulerLagrangeEquation_data(); }
    void theSystemCarriesTheDerivedForces()
    {
        QFETCH(QString, id);
        const auto model = id.isEmpty() ? modelOf(kMoving) : *openModel(id.toStdString());
        const auto e = derivedFrom(*model);
        Point at(model->system, 11);
        for (int i = 0; i < e.n(); ++i) {
            const auto k = static_cast<std::size_t>(i);
            const double expected = at(e.applied[k]) - at(e.coriolisForce(i)) - at(e.rheonomic[k]) - at(e.conservative[k]);
            QVERIFY(std::abs(at(model->system.force[k]) - expected) <= roundoffOf(std::abs(expected) * 10));
            if (id != "lagrangian-cart-pendulum")
                QVERIFY2(e.applied[k].isZero(), expr::print(e.applied[k]).c_str());
        }
    }

    void theRateOfTheMassMatrixLessTwiceCIsSkewSymmetric_data() { theDerivationIsTheEulerLagrangeEquation_data(); }
    void theRateOfTheMassMatrixLessTwiceCIsSkewSymmetric()
    {
        QFETCH(QString, id);
        const auto model = id.isEmpty() ? modelOf(kMoving) : *openModel(id.toStdString());
        auto e = derivedFrom(*model);
        const SkewCheck check = checkSkewSymmetry(e, model->system.parameters);
        QVERIFY(check.points >= 10);
        QVERIFY2(check.largest <= roundoffOf(1), qPrintable(QString::number(check.largest)));
        QVERIFY(check.symbolic);
        if (e.coriolis.empty())
            return;
        e.coriolis[0].value = Expr(2) * e.coriolis[0].value + Expr(1); // a wrong C is found out
        QVERIFY(!checkSkewSymmetry(e, model->system.parameters).symbolic);
        QVERIFY(checkSkewSymmetry(e, model->system.parameters).largest > 0.01);
    }

    /// [DN] A.1 for [M -G^T; -G 0]: X11 = M^-1 - M^-1 G^T S^-1 G M^-1, X12 = X21^T = -M^-1 G^T S^-1, X22 = -S^-1, S = G M^-1
    /// G^T.
    void theBlockInverseIsThatOfTheAppendix_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"lagrangian-pendulum-redundant", "pendulum", "double-pendulum", "slider-crank",
                               "triple-pendulum", "polar-pendulum"})
            QTest::newRow(id) << QString(id);
    }
    void theBlockInverseIsThatOfTheAppendix()
    {
        QFETCH(QString, id);
        Evaluated s(openModel(id.toStdString()));
        std::mt19937 generator(5);
        for (int k = 0; k < 20; ++k) {
            const Vector q = randomVector(generator, s.n());
            const Matrix M = s.mass(q), G = s.jacobian(q), inverse = M.inverse(), S = G * inverse * G.transpose(),
                         schur = S.inverse();
            Matrix K = Matrix::Zero(s.n() + s.m(), s.n() + s.m()), X = K;
            K.topLeftCorner(s.n(), s.n()) = M;
            K.topRightCorner(s.n(), s.m()) = -G.transpose();
            K.bottomLeftCorner(s.m(), s.n()) = -G;
            X.topLeftCorner(s.n(), s.n()) = inverse - inverse * G.transpose() * schur * G * inverse;
            X.topRightCorner(s.n(), s.m()) = -inverse * G.transpose() * schur;
            X.bottomLeftCorner(s.m(), s.n()) = X.topRightCorner(s.n(), s.m()).transpose();
            X.bottomRightCorner(s.m(), s.m()) = -schur;
            const double scale = K.norm() * X.norm(); // forming the inverse loses the condition number
            VERIFY_CLOSE(K * X, Matrix::Identity(K.rows(), K.cols()),
                         100 * K.rows() * scale * std::numeric_limits<double>::epsilon());
        }
    }

    void jacobisEnergyChangesByThePowerAlone()
    {
        const auto model = modelOf(kMoving);
        const auto& s = model->system;
        const auto e = derivedFrom(*model);
        for (unsigned seed = 1; seed <= 5; ++seed) { // dh/dt = power for accelerations that satisfy M a = f
            Point at(s, seed);
            Matrix M = Matrix::Zero(2, 2);
            for (const MassEntry& m : e.mass)
                M(m.row, m.column) = at(m.value);
            const Vector a = M.inverse() * Eigen::Vector2d(at(s.force[0]), at(s.force[1]));
            expr::Substitution accelerations;
            for (int i = 0; i < 2; ++i)
                accelerations.emplace(e.a[static_cast<std::size_t>(i)], Expr(a[i]));
            const double rate = at(expr::substitute(expr::timeDerivative(s.kinetic + s.potential + s.carried), accelerations)),
                         power = at(s.power);
            QVERIFY2(std::abs(rate - power) <= roundoffOf(1e4), qPrintable(QString("%1 %2").arg(rate).arg(power)));
        }
    }

    void theDescriptionIsCompleteInEveryFormat()
    {
        for (const char* id : {"lagrangian-double-pendulum", "slider-crank"})
            for (const auto format : {expr::Format::Text, expr::Format::Latex, expr::Format::Html}) {
                const auto model = *openModel(id);
                const auto e = derivedFrom(*model);
                const auto sections =
                    describeDerivation(model->system, e, checkSkewSymmetry(e, model->system.parameters), format);
                QVERIFY(sections.size() >= 7);
                QCOMPARE(sections.back().lines.size(), static_cast<std::size_t>(e.n()));
                for (const auto& section : sections) {
                    QVERIFY(!section.title.empty() && section.source.starts_with("[DN]"));
                    QVERIFY(!section.lines.empty() || !section.note.empty());
                    for (const auto& line : section.lines)
                        QVERIFY(!line.left.empty() && !line.right.empty());
                }
            }
    }

    void coordinatesThatAreNoVelocitiesAreRefused()
    {
        const auto derived = deriveLagrangian((*openModel("polar-pendulum"))->system);
        QVERIFY(!derived && derived.error().text().find("velocities") != std::string::npos);
    }

    void anEnergyTooLargeIsRefusedAtOnce()
    {
        std::string text = "[lagrangian]\nkinetic = \"0";
        for (int i = 0; i < 90; ++i)
            for (int k = 0; k < 25; ++k)
                text += " + q" + std::to_string(i) + "'^2*exp(q" + std::to_string((i * 7 + k) % 90) + "*"
                        + std::to_string(k + 2) + ")";
        text += "\"\n";
        for (int i = 0; i < 90; ++i)
            text += "[[coordinate]]\nname = \"q" + std::to_string(i) + "\"\n";
        QElapsedTimer timer;
        timer.start();
        const auto model = readModel("format = 1\n" + text, "large.toml");
        QVERIFY(!model && model.error().text().find("too large") != std::string::npos);
        QVERIFY(timer.elapsed() < 5000); // an order of magnitude above what it takes
    }
};

QTEST_APPLESS_MAIN(TestLagrangian)
#include "test_lagrangian.moc"
