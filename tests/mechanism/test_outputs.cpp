// Outputs and sensors against formulas written by hand, and how inputs enter the equations.
#include "tests/mechanism/Evaluate.h"

#include <cmath>
#include <map>

#include "core/mechanism/ReadModel.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;

namespace {

const char* const kArm = R"(format = 1
[parameters]
L = 2.0
half = "L/2"

[[input]]
name = "u"
value = "3*t"

[[body]]
name = "arm"
kind = "rigid"
mass = 2.0
inertia = 0.4

[[body]]
name = "bob"
kind = "point"
mass = 0.5

[[joint]]
name = "hinge"
kind = "pin"
from = "ground"
to = { body = "arm", at = ["-half", 0] }

[[joint]]
name = "rail"
kind = "slider"
from = "ground"
to = "bob"
angle = 0.3

[[force]]
kind = "gravity"
acceleration = 9.81
)";

std::map<std::string, double> outputsAt(Evaluated& e, double t, const Vector& q, const Vector& v, const Vector& a,
                                        const Vector& lambda)
{
    std::vector<double> values(e.system().outputs.size());
    e.evaluator().outputs(t, q.data(), v.data(), a.data(), lambda.data(), values.data());
    std::map<std::string, double> out;
    for (std::size_t i = 0; i < values.size(); ++i)
        out[e.system().outputs[i].name] = values[i];
    return out;
}

Result<std::shared_ptr<const Model>> withOutputs(const std::string& outputs) { return readModel(kArm + outputs, "arm.toml"); }

std::string sensor(const std::string& name, const std::string& rest)
{
    return "[[output]]\nname = \"" + name + "\"\n" + rest + "\n";
}

} // namespace

class TestOutputs : public QObject {
    Q_OBJECT
private slots:
    void sensorsAreTheFormulas()
    {
        const std::string tip = "point = { body = \"arm\", at = [\"half\", 0.1] }\n";
        Evaluated e(withOutputs(sensor("tip", "kind = \"position\"\n" + tip)
                                + sensor("seen", "kind = \"position\"\npoint = \"bob\"\nframe = \"arm\"")
                                + sensor("speed", "kind = \"velocity\"\n" + tip)
                                + sensor("felt", "kind = \"acceleration\"\nframe = \"arm\"\n" + tip)
                                + sensor("far", "kind = \"distance\"\nfrom = \"arm\"\nto = \"bob\"")
                                + sensor("turn", "kind = \"angle\"\njoint = \"hinge\"")
                                + sensor("along", "kind = \"displacement\"\njoint = \"rail\"")
                                + sensor("rolls", "kind = \"rate\"\njoint = \"hinge\"")
                                + sensor("slides", "kind = \"rate\"\njoint = \"rail\"")
                                + sensor("spin", "kind = \"angular-velocity\"\nbody = \"arm\"")
                                + sensor("pull", "kind = \"reaction\"\njoint = \"hinge\"")
                                + sensor("pullThere", "kind = \"reaction\"\njoint = \"hinge\"\nframe = \"arm\"")
                                + sensor("T", "kind = \"kinetic-energy\"") + sensor("V", "kind = \"potential-energy\"")
                                + sensor("mixed", "value = \"tip.x + 2*hinge.lambda_y + u + bob.y'' + half\"")
                                + sensor("twice", "value = \"2*mixed\"")));
        Vector q(5), v(5), a(5), lambda(3);
        q << 0.3, -0.8, 0.7, 1.1, 0.4;
        v << 0.2, 0.5, -1.3, 0.9, -0.1;
        a << 0.6, -0.4, 2.1, 0.3, -0.7;
        lambda << 1.7, -2.3, 0.8;
        const double t = 0.25, c = std::cos(0.7), s = std::sin(0.7), w = v(2), dw = a(2);
        const auto out = outputsAt(e, t, q, v, a, lambda);
        const double rx = c - 0.1 * s, ry = s + 0.1 * c; // of the tip, from the centre
        const auto is = [&](const char* name, double wanted) {
            const double difference = std::abs(out.at(name) - wanted);
            if (!(difference < roundoff(100, 10))) // some forty operations on numbers up to 10
                qWarning("%s: %.17g instead of %.17g", name, out.at(name), wanted);
            return difference < roundoff(100, 10);
        };
        QVERIFY(is("tip.x", q(0) + rx));
        QVERIFY(is("tip.y", q(1) + ry));
        const double dx = q(3) - q(0), dy = q(4) - q(1);
        QVERIFY(is("seen.x", c * dx + s * dy));
        QVERIFY(is("seen.y", -s * dx + c * dy));
        QVERIFY(is("speed.x", v(0) - w * ry));
        QVERIFY(is("speed.y", v(1) + w * rx));
        const double ax = a(0) - dw * ry - w * w * rx, ay = a(1) + dw * rx - w * w * ry;
        QVERIFY(is("felt.x", c * ax + s * ay));
        QVERIFY(is("felt.y", -s * ax + c * ay));
        QVERIFY(is("far", std::hypot(dx, dy)));
        QVERIFY(is("turn", 0.7));
        QVERIFY(is("along", std::cos(0.3) * q(3) + std::sin(0.3) * q(4)));
        QVERIFY(is("rolls", w));
        QVERIFY(is("slides", std::cos(0.3) * v(3) + std::sin(0.3) * v(4)));
        QVERIFY(is("spin", w));
        QVERIFY(is("pull.x", -lambda(0)));
        QVERIFY(is("pull.y", -lambda(1)));
        QVERIFY(is("pullThere.x", -c * lambda(0) - s * lambda(1)));
        QVERIFY(is("pullThere.y", s * lambda(0) - c * lambda(1)));
        QVERIFY(is("T", v(0) * v(0) + v(1) * v(1) + 0.2 * w * w + 0.25 * (v(3) * v(3) + v(4) * v(4))));
        QVERIFY(is("V", 9.81 * (2 * q(1) + 0.5 * q(4))));
        QVERIFY(is("mixed", q(0) + rx + 2 * lambda(1) + 3 * t + a(4) + 1));
        QVERIFY(is("twice", 2 * out.at("mixed")));
        QCOMPARE(e.system().outputs.front().unit, std::string("m"));
    }

    void whatLeavesItsDomainIsNoNumberAndTheRestIs()
    {
        Evaluated e(withOutputs(sensor("root", "value = \"sqrt(-1 - t)\"") + sensor("one", "value = 1")));
        const Vector zero = Vector::Zero(8);
        const auto out = outputsAt(e, 0, zero, zero, zero, zero);
        QVERIFY(std::isnan(out.at("root")));
        QCOMPARE(out.at("one"), 1.0);
    }

    void outputsKnowSpaceAndVelocityBases()
    {
        Evaluated top(readModel("format = 1\ndimensions = 3\n[[body]]\nname = \"top\"\nkind = \"rigid\"\nmass = 1\n"
                                "inertia = [0.1, 0.2, 0.3]\n"
                                    + sensor("spin", "kind = \"angular-velocity\"\nbody = \"top\"\nframe = \"top\"")
                                    + sensor("lift", "kind = \"position\"\npoint = \"top\""),
                                "top.toml"));
        Vector q(7), v = Vector::Zero(7), none = Vector::Zero(8);
        q << 1, 2, 3, 1, 0, 0, 0;
        v(4) = 0.5; // e1' = w1 / 2 where the body stands upright
        const auto out = outputsAt(top, 0, q, v, none, none);
        QCOMPARE(out.at("spin.x"), 1.0);
        QCOMPARE(out.at("spin.y"), 0.0);
        QCOMPARE(out.at("lift.z"), 3.0);

        // q' = 2 w: the rate of the coordinate is written in the velocity of the basis, and its rate as well.
        Evaluated basis(readModel("format = 1\n[[coordinate]]\nname = \"s\"\nmass = 1\n[velocity]\nnames = [\"w\"]\n"
                                  "[velocity.rates]\ns = \"2*w\"\n"
                                      + sensor("rate", "value = \"s' + 10*w\"") + sensor("bend", "value = \"s''\""),
                                  "basis.toml"));
        const Vector one = Vector::Constant(1, 3.0);
        const auto seen = outputsAt(basis, 0, one, one, one, none);
        QCOMPARE(seen.at("rate"), 36.0);
        QCOMPARE(seen.at("bend"), 6.0);
    }

    void copiesHaveOutputsOfTheirOwn()
    {
        Evaluated e(readModel("format = 1\n[[body]]\ncount = 2\nname = \"bob[i]\"\nkind = \"point\"\nmass = 1\n"
                              "[[output]]\ncount = 2\nname = \"high[i]\"\nvalue = \"bob[i].y + i\"\n",
                              "copies.toml"));
        Vector q(4), none = Vector::Zero(4);
        q << 0, 5, 0, 7;
        const auto out = outputsAt(e, 0, q, none, none, none);
        QCOMPARE(out.at("high1"), 6.0);
        QCOMPARE(out.at("high2"), 9.0);
    }

    void slipsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& text, const char* said) {
            QTest::newRow(name) << QString::fromStdString(text) << said;
        };
        row("unknown name", sensor("a", "value = \"bob.z\""), "did you mean 'bob.");
        row("unknown kind", sensor("a", "kind = \"distanse\"\nfrom = \"arm\"\nto = \"bob\""), "did you mean \"distance\"?");
        row("a later output", sensor("a", "value = \"b\"") + sensor("b", "value = 1"), "Unknown name");
        row("its own name", sensor("a", "value = \"a + 1\""), "Unknown name");
        row("no value", sensor("a", ""), "\"value\" is missing");
        row("a key of another kind", sensor("a", "kind = \"angle\"\njoint = \"hinge\"\npoint = \"bob\""), "Unknown key");
        row("taken by a body", sensor("arm", "value = 1"), "used twice");
        row("taken by a parameter", sensor("L", "value = 1"), "used twice");
        row("a column", sensor("energy", "value = 1"), "cannot name an output");
        row("twice", sensor("a", "value = 1") + sensor("a", "value = 2"), "used twice");
        row("a pin slides", sensor("a", "kind = \"displacement\"\njoint = \"hinge\""), "no displacement");
        row("a rail turns", sensor("a", "kind = \"angle\"\njoint = \"rail\""), "no angle");
        row("a point turns", sensor("a", "kind = \"angular-velocity\"\nbody = \"bob\""), "does not turn");
        row("unknown joint", sensor("a", "kind = \"reaction\"\njoint = \"hings\""), "did you mean \"hinge\"?");
        row("unknown frame", sensor("a", "kind = \"position\"\npoint = \"bob\"\nframe = \"am\""), "did you mean \"arm\"?");
        row("frame of the plane", sensor("a", "kind = \"angular-velocity\"\nbody = \"arm\"\nframe = \"arm\""),
            "same in every frame");
        const auto input = [](const std::string& rest) { return "[[input]]\nname = \"w\"\n" + rest + "\n"; };
        row("input without value", input(""), "has no value");
        row("input stated twice", input("value = 1\ntable = [[0, 1], [1, 2]]"), "stated twice");
        row("input of the motion", input("value = \"bob.x\""), "Unknown name");
        row("slider of a function", input("value = \"t\"\nmax = 3"), "\"max\" has no meaning here");
        row("between of a number", input("value = 1\nbetween = \"held\""), "\"between\" has no meaning here");
        row("between", input("table = [[0, 1], [1, 2]]\nbetween = \"liner\""), "did you mean \"linear\"?");
        row("row of three", input("table = [[0, 1, 2], [1, 2]]"), "rows of two numbers");
        row("one row", input("table = [[0, 1]]"), "one row");
        row("backwards", input("table = [[1, 1], [0, 2]]"), "do not increase");
        row("no file", input("file = \"there-is-none.csv\""), "there-is-none.csv");
        row("out of the folder", input("file = \"../drive.csv\""), "beside the model");
        row("column of a table", input("table = [[0, 1], [1, 2]]\ncolumn = \"u\""), "only a file has columns");
        row("input called sin", "[[input]]\nname = \"sin\"\nvalue = 1\n", "cannot name an input");
        row("input called as a parameter", "[[input]]\nname = \"L\"\nvalue = 1\n", "used twice");
        row("out of range", input("value = 3\nmax = 2"), "out of its range");
    }

    void slipsAreRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto model = withOutputs(text.toStdString());
        QVERIFY(!model);
        QVERIFY2(QString::fromStdString(model.error().text()).contains(said), model.error().text().c_str());
        QVERIFY(model.error().position.line > 0);
    }

    /// u and its rates are differentiated as any function of t: 0 = x - u gives x'' = u''.
    void inputsAreDifferentiated()
    {
        Evaluated e(
            readModel("format = 1\n[[input]]\nname = \"u\"\nvalue = \"sin(2*t)\"\n[[body]]\nname = \"bob\"\nkind = \"point\"\n"
                      "mass = 1\n[[constraint]]\nname = \"drive\"\nholonomic = \"x - u\"\n",
                      "drive.toml"));
        Vector q(2), v(2);
        q << 0.3, 0;
        v << 0.2, 0;
        double g = 0, rate = 0, gamma = 0;
        const double t = 0.4;
        QVERIFY(e.evaluator().constraints(t, q.data(), &g));
        QVERIFY(e.evaluator().constraintRates(t, q.data(), v.data(), &rate));
        QVERIFY(e.evaluator().gamma(t, q.data(), v.data(), &gamma));
        QVERIFY(std::abs(g - (0.3 - std::sin(0.8))) < roundoff(10, 1));
        QVERIFY(std::abs(rate - (0.2 - 2 * std::cos(0.8))) < roundoff(10, 2));
        QVERIFY(std::abs(gamma - 4 * std::sin(0.8)) < roundoff(10, 4));
    }
};

QTEST_APPLESS_MAIN(TestOutputs)
#include "test_outputs.moc"
