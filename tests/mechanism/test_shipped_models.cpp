// label: release
// What the shipped models promise: names, sizes, equations, charts and known multipliers.
#include "tests/mechanism/Evaluate.h"

#include <algorithm>
#include <cmath>

#include "core/expr/Print.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/ShippedModels.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kSamples = 25;

struct Expected {
    const char* id;
    int n, m;
    bool library = false; ///< in the library: its own form, end and start, which may be a guess that is made consistent
};
const Expected kShipped[] = {{"andrews", 21, 20, true},
                             {"ball-in-box", 2, 0, true},
                             {"bennett", 21, 20, true},
                             {"billiard", 2, 0, true},
                             {"block-on-belt", 2, 1, true},
                             {"block-on-incline", 2, 0, true},
                             {"bouncing-ball", 2, 0, true},
                             {"box-pendulum", 6, 4, true},
                             {"breaking-pendulum", 2, 1, true},
                             {"car-axis", 4, 2, true},
                             {"cart-pendulum", 4, 2},
                             {"chaplygin-sleigh", 3, 1},
                             {"chebyshev", 9, 8, true},
                             {"circle", 2, 1},
                             {"closed-chain", 16, 8, true},
                             {"clutch-flywheels", 6, 4, true},
                             {"crank-rocker", 9, 8, true},
                             {"damped-pendulum", 3, 2, true},
                             {"dome", 2, 0, true},
                             {"double-pendulum", 4, 2},
                             {"double-rocker", 9, 8, true},
                             {"elastic-pendulum", 2, 0},
                             {"falling-chain", 22, 11, true},
                             {"flat-fourbar", 3, 2},
                             {"foucault-pendulum", 3, 1, true},
                             {"four-bar-chain", 15, 14, true},
                             {"free-body", 7, 1, true},
                             {"free-particle", 2, 0},
                             {"furuta", 14, 12, true},
                             {"gyroscope", 7, 4, true},
                             {"heavy-top", 7, 4, true},
                             {"jansen-leg", 13, 12, true},
                             {"kapitza-pendulum", 2, 1, true},
                             {"knife-edge", 3, 1},
                             {"lagrangian-bead-on-wire", 1, 0},
                             {"lagrangian-cart-pendulum", 2, 0},
                             {"lagrangian-double-pendulum", 2, 0},
                             {"lagrangian-pendulum", 1, 0},
                             {"lagrangian-pendulum-redundant", 2, 1},
                             {"lagrangian-polar-particle", 2, 0},
                             {"lagrangian-spherical-pendulum", 2, 0},
                             {"motor-pendulum", 3, 2},
                             {"moving-support", 2, 1},
                             {"newtons-cradle", 10, 5, true},
                             {"newtons-cradle-impacts", 6, 0, true},
                             {"painleve-rod", 3, 0, true},
                             {"parallelogram", 3, 3},
                             {"peaucellier", 8, 7, true},
                             {"pendulum", 2, 1},
                             {"pendulum-chain", 16, 8, true},
                             {"polar-pendulum", 2, 1},
                             {"ratchet-winch", 6, 5, true},
                             {"rocking-block", 3, 0, true},
                             {"rolling-coin", 7, 4, true},
                             {"rolling-disc", 3, 2},
                             {"rotating-hoop", 3, 2},
                             {"sarrus", 35, 34, true},
                             {"scotch-yoke", 6, 5, true},
                             {"slack-pendulum", 2, 0, true},
                             {"slider-crank", 8, 7},
                             {"slider-stops", 2, 1, true},
                             {"space-four-bar", 21, 20, true},
                             {"spherical-pendulum", 3, 1, true},
                             {"spinning-ball", 3, 0, true},
                             {"spring-slider-crank", 6, 5, true},
                             {"stephenson-six-bar", 15, 14, true},
                             {"stewart", 7, 7, true},
                             {"stick-slip", 2, 1, true},
                             {"swinging-atwood", 4, 2, true},
                             {"triple-pendulum", 6, 3},
                             {"universal-joint", 14, 13, true},
                             {"watt-linkage", 9, 8, true},
                             {"watt-six-bar", 15, 14, true}};

Evaluated shipped(const QString& id) { return Evaluated(openModel(id.toStdString())); }

bool inLibrary(const QString& id)
{
    return std::any_of(std::begin(kShipped), std::end(kShipped), [&](const Expected& e) { return e.library && id == e.id; });
}

void eachModel()
{
    QTest::addColumn<QString>("id");
    for (const Expected& e : kShipped)
        QTest::newRow(e.id) << QString(e.id);
}

/// Copied digits are right to half a unit of the last one given; here 16 are given, so the double itself limits.
double reference(double scale)
{
    constexpr double kOperations = 2000; // elimination of a 15 x 15 system
    return roundoff(kOperations, scale);
}

} // namespace

class TestShippedModels : public QObject {
    Q_OBJECT
private slots:
    void folderHoldsExactlyThePromisedModels();
    void sizesAreAsPromised();
    void metadataIsComplete_data() { eachModel(); }
    void metadataIsComplete();
    void parametersCarryUnitRangeAndDescription_data() { eachModel(); }
    void parametersCarryUnitRangeAndDescription();
    void startsSatisfyPositionAndVelocityConstraints_data() { eachModel(); }
    void startsSatisfyPositionAndVelocityConstraints();
    void chartStaysOnTheManifoldAndInverts_data() { eachModel(); }
    void chartStaysOnTheManifoldAndInverts();
    void everyVisualAndArrowIsFinite_data() { eachModel(); }
    void everyVisualAndArrowIsFinite();
    void pendulumReadsAsInTheSource();
    void pendulumStartsInCaseTwo();
    void circleCarriesItsExactMotion();
    void doublePendulumHasTheReferenceMultipliers();
    void sliderCrankHasTheReferenceStartAndMultipliers();
    void namesResolve();
};

void TestShippedModels::folderHoldsExactlyThePromisedModels()
{
    const auto models = shippedModels();
    QCOMPARE(models.size(), std::size(kShipped));
    for (std::size_t i = 0; i < models.size(); ++i) {
        QCOMPARE(models[i].id, std::string(kShipped[i].id));
        QVERIFY(!models[i].title.empty());
        QVERIFY(!models[i].source.empty());
        QVERIFY(openModel(models[i].path).ok());
    }
}

void TestShippedModels::sizesAreAsPromised()
{
    for (const Expected& e : kShipped) {
        const Evaluated s = shipped(e.id);
        QCOMPARE(s.n(), e.n);
        QCOMPARE(s.m(), e.m);
    }
}

void TestShippedModels::metadataIsComplete()
{
    QFETCH(QString, id);
    const Evaluated s = shipped(id);
    const Model& model = s.model();
    QCOMPARE(model.name, id.toStdString());
    QVERIFY(!model.title.empty() && !model.description.empty() && !model.source.empty() && !model.path.empty());
    QVERIFY(model.text.starts_with("format = 1"));
    QVERIFY(model.view.extent > 0 || !model.structure.empty()); // a chain of any length is fitted
    if (inLibrary(id)) {
        QVERIFY(model.run.end > 0 && model.run.relativeTolerance.has_value() && model.description.size() > 80);
        return;
    }
    const bool special = id == "parallelogram" || id == "flat-fourbar"; // dummy derivatives are refused there, or stop
    QCOMPARE(model.run.formulation == "dummy-derivatives" && model.run.integrator == "ida", !special);
    const double tolerance = id == "pendulum" ? 1e-8 : 1e-6;
    QCOMPARE(model.run.relativeTolerance.value(), tolerance);
    QCOMPARE(model.run.absoluteTolerance.value(), tolerance);
    QCOMPARE(model.run.end, id == "circle" ? 5.0 : 10.0);
}

void TestShippedModels::parametersCarryUnitRangeAndDescription()
{
    QFETCH(QString, id);
    const Evaluated s = shipped(id);
    QVERIFY(!s.system().parameters.empty());
    for (const Parameter& p : s.system().parameters) {
        const Quantity& q = p.quantity;
        QVERIFY2(!q.unit.empty() && !q.description.empty(), q.name.c_str());
        QVERIFY2(std::isfinite(q.minimum) && std::isfinite(q.maximum) && q.minimum < q.maximum, q.name.c_str());
        QVERIFY2(q.minimum <= q.value && q.value <= q.maximum, q.name.c_str());
        QVERIFY(q.position.line > 0 && q.position.column > 0);
    }
}

void TestShippedModels::startsSatisfyPositionAndVelocityConstraints()
{
    QFETCH(QString, id);
    Evaluated s = shipped(id);
    Vector q, v;
    s.starts(q, v);
    for (int i = 0; i < s.n(); ++i) {
        QCOMPARE(s.system().coordinates[static_cast<std::size_t>(i)].position.value, q[i]);
        QCOMPARE(s.system().coordinates[static_cast<std::size_t>(i)].velocity.value, v[i]);
    }
    if (s.m() == 0)
        return;
    VERIFY_CLOSE(s.constraints(q), Vector::Zero(s.holonomic()), roundoff(20, 4));
    if (!inLibrary(id)) // there a rate or two are given, and the rest follow
        VERIFY_CLOSE(s.rates(q, v), Vector::Zero(s.m()), roundoff(40, 10));
}

void TestShippedModels::chartStaysOnTheManifoldAndInverts()
{
    QFETCH(QString, id);
    Evaluated s = shipped(id);
    if (!s.system().chart) {
        QVERIFY(s.m() == 0 || s.holonomic() < s.m() || id == "parallelogram"
                || inLibrary(id)); // nothing to reduce, or nothing that can be
        return;
    }
    const auto& coordinates = s.system().chart->coordinates;
    const int k = static_cast<int>(coordinates.size());
    QCOMPARE(k, s.n() - s.m());
    std::mt19937 generator(7);
    for (int sample = 0; sample < kSamples; ++sample) {
        const Vector chart = 3 * randomVector(generator, k), chartRate = randomVector(generator, k);
        Vector q(s.n()), v(s.n()), back(k), backRate(k);
        QVERIFY(s.evaluator().fromChart(0, chart.data(), chartRate.data(), q.data(), v.data()));
        if (s.m() > 0) {
            VERIFY_CLOSE(s.constraints(q), Vector::Zero(s.holonomic()), roundoff(20, 10));
            VERIFY_CLOSE(s.rates(q, v), Vector::Zero(s.m()), roundoff(40, 10));
        }
        QVERIFY(s.evaluator().toChart(0, q.data(), v.data(), back.data(), backRate.data()));
        VERIFY_CLOSE(back, chart, roundoff(20, 10)); // angles stay within (-pi, pi), so no turn is lost
        VERIFY_CLOSE(backRate, chartRate, roundoff(50, 10));
    }
}

void TestShippedModels::everyVisualAndArrowIsFinite()
{
    QFETCH(QString, id);
    Evaluated s = shipped(id);
    Vector q, v;
    s.starts(q, v);
    std::size_t points = 0;
    for (const Visual& visual : s.system().visuals)
        points += visual.points.size();
    QVERIFY(points > 0);
    std::vector<double> xyz(3 * points), arrows(6 * s.system().arrows.size() + 1);
    QVERIFY(s.evaluator().scene(0, q.data(), xyz.data()));
    QVERIFY(std::all_of(xyz.begin(), xyz.end(), [](double x) { return std::isfinite(x) && std::abs(x) < 10; }));
    const Vector lambda = Vector::Ones(s.system().w());
    if (!s.system().arrows.empty())
        QVERIFY(s.evaluator().arrows(0, q.data(), lambda.data(), arrows.data()));
    const bool joined =
        std::any_of(s.system().arrows.begin(), s.system().arrows.end(), [](const ForceArrow& a) { return !a.owner.empty(); });
    const bool general = id == "knife-edge" || id == "chaplygin-sleigh" || id == "rolling-disc" || id == "rotating-hoop"
                         || id == "lagrangian-pendulum-redundant" || id == "free-body"; // equations, no joints
    QCOMPARE(joined, (s.m() > 0 || !s.system().oneSided.empty()) && !general);
}

void TestShippedModels::pendulumReadsAsInTheSource()
{
    const Evaluated s = shipped("pendulum");
    const ConstrainedSystem& system = s.system();
    using expr::variable;
    const expr::Expr x = variable("bob.x"), y = variable("bob.y"), length = expr::parameter("L");
    const expr::Expr two(2);
    QVERIFY(system.constraints[0].g.sameAs(expr::pow(x, two) + expr::pow(y, two) - expr::pow(length, two)));
    QCOMPARE(system.constraints[0].multiplier.name, std::string("rod.lambda"));
    QCOMPARE(system.constraints[0].bodies, (std::vector<std::string>{"ground", "bob"}));
    QVERIFY(system.force[0].isZero());
    QVERIFY(system.force[1].sameAs(-(expr::parameter("m") * expr::parameter("g"))));
    QVERIFY(system.power.isZero());
    std::vector<std::string> names;
    for (const Parameter& p : system.parameters)
        names.push_back(p.quantity.name);
    std::sort(names.begin(), names.end());
    QCOMPARE(names, (std::vector<std::string>{"L", "g", "m"}));
}

void TestShippedModels::pendulumStartsInCaseTwo()
{
    Evaluated s = shipped("pendulum");
    Vector q, v, a, lambda;
    s.starts(q, v);
    QCOMPARE(q[0], 1.0);
    QCOMPARE(q[1], 0.0);
    QCOMPARE(v[0], 0.0);
    QCOMPARE(v[1], -1.0);
    const auto energy = s.energy(q, v);
    // [MS91] counts from rest, where V = -1 here: E = 1.5.
    QCOMPARE(energy.kinetic + energy.potential + 1.0, 1.5);
    s.accelerations(q, v, a, lambda);
    QVERIFY(std::abs(lambda[0] - 0.5) <= reference(1)); // lambda/L = 1 in [MS91], 2 lambda here
}

void TestShippedModels::circleCarriesItsExactMotion()
{
    Evaluated s = shipped("circle");
    for (int sample = 0; sample < kSamples; ++sample) {
        const double t = 0.2 * sample;
        const Vector q{{std::sin(t), std::cos(t)}}, v{{std::cos(t), -std::sin(t)}}, a{{-std::sin(t), -std::cos(t)}};
        const Vector lambda{{std::sin(t) * std::cos(t)}};
        const Vector residual = s.mass(q) * a - s.force(q, v) + s.jacobian(q).transpose() * lambda;
        VERIFY_CLOSE(residual, Vector::Zero(2), roundoff(20, 3)); // [St02] (36)
    }
}

void TestShippedModels::doublePendulumHasTheReferenceMultipliers()
{
    Evaluated s = shipped("double-pendulum");
    Vector q, v, a, lambda;
    s.starts(q, v);
    VERIFY_CLOSE(q, (Vector{{0.84147098480789650665, -0.54030230586813971740, 1.3208965234120995069, -1.4178848677585124335}}),
                 roundoff(8, 2));
    s.accelerations(q, v, a, lambda);
    // The reference halves its constraints, so its multipliers are twice ours.
    VERIFY_CLOSE(2 * lambda, (Vector{{8.6195399267342759643, 3.7821789656099107217}}), reference(10));
}

void TestShippedModels::sliderCrankHasTheReferenceStartAndMultipliers()
{
    Evaluated s = shipped("slider-crank");
    Vector q, v, a, lambda;
    s.starts(q, v);
    const struct {
        const char* name;
        double position, velocity;
    } start[] = {{"crank.angle", 0.8, 3.0},
                 {"rod.x", 0.92092432401108302668, -1.2396994814392899255},
                 {"rod.y", 0.17933902272488069041, 0.52253003201037406569},
                 {"rod.angle", -0.30353804262522026466, -0.91260308327363037594},
                 {"slider.x", 1.4934952933485833429, -1.4033648265292957086},
                 {"slider.y", 0, 0}};
    for (const auto& e : start) {
        const int i = s.coordinate(e.name);
        QVERIFY2(std::abs(q[i] - e.position) <= roundoff(10, 2), e.name);
        QVERIFY2(std::abs(v[i] - e.velocity) <= roundoff(40, 3), e.name);
    }
    s.accelerations(q, v, a, lambda);
    const struct {
        const char* name;
        double value;
    } multipliers[] = {{"crankpin.lambda_x", -1.2143368133161724488},
                       {"crankpin.lambda_y", -5.4904973410511946733},
                       {"wristpin.lambda_x", 1.4171176391140595824},
                       {"wristpin.lambda_y", -8.3286762388361918123}};
    for (const auto& e : multipliers) {
        const auto target = resolveName(s.system(), e.name);
        QVERIFY(target.ok() && target->kind == TargetKind::Multiplier);
        QVERIFY2(std::abs(lambda[target->index] - e.value) <= reference(10), e.name);
    }
}

void TestShippedModels::namesResolve()
{
    for (const char* id : {"pendulum", "circle"}) {
        const Evaluated s = shipped(id);
        const struct {
            const char* name;
            TargetKind kind;
            int index;
        } expected[] = {{"x", TargetKind::Position, 0},         {"y", TargetKind::Position, 1},
                        {"x'", TargetKind::Velocity, 0},        {"y'", TargetKind::Velocity, 1},
                        {"lambda", TargetKind::Multiplier, 0},  {"phi", TargetKind::ChartPosition, 0},
                        {"phi'", TargetKind::ChartVelocity, 0}, {"rod.lambda", TargetKind::Multiplier, 0}};
        for (const auto& e : expected) {
            const auto target = resolveName(s.system(), e.name);
            QVERIFY2(target.ok(), e.name);
            QVERIFY2(target->kind == e.kind && target->index == e.index, e.name);
        }
    }
    const Evaluated twice = shipped("double-pendulum");
    const auto ambiguous = resolveName(twice.system(), "x");
    QVERIFY(!ambiguous.ok());
    QVERIFY(ambiguous.error().why.find("upper.x, lower.x") != std::string::npos);
    QVERIFY(resolveName(twice.system(), "upper.x'").ok());
    const auto wrong = resolveName(twice.system(), "uper.x");
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().remedy.find("upper.x") != std::string::npos);
    QVERIFY(!resolveName(twice.system(), "").ok());
}

QTEST_APPLESS_MAIN(TestShippedModels)
#include "test_shipped_models.moc"
