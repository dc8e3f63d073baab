// Lagrangian models whose coordinates are moved by tables: where a table has a kink its rate jumps, and with it the velocities,
// as momenta do not. Compared with the same motion stated with bodies and joints, and with one in closed form.
//
// DRIFTLESS_SEED and DRIFTLESS_COUNT draw others, or more.
#include <QtTest>

#include <cmath>
#include <random>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

/// The runs are at 1e-11, over a few hundred steps and four kinks each; a support that is pulled to and fro exchanges some ten
/// times the energy of the pendulum.
constexpr double kTolerance = 1e-11, kSame = 1e-7;
constexpr double kEnd = 2;

std::string number(double x) { return QString::number(x, 'g', 17).toStdString(); }

struct Ends {
    std::vector<std::pair<std::string, double>> state;
    double energyError = 0;
    std::string failed;

    double operator()(const std::string& name) const
    {
        for (const auto& [known, value] : state)
            if (known == name)
                return value;
        return NAN;
    }
};

Ends ended(const std::string& text, const std::string& form, const std::string& method)
{
    Ends out;
    const auto model = reduction::readModel(text, "moved.toml");
    if (!model) {
        out.failed = model.error().text();
        return out;
    }
    const auto system = model::CompiledSystem::compile(*model);
    run::RunSettings s;
    s.formulation = form;
    s.integrator = method;
    s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
    auto run = run::Run::create(*system, {}, s);
    if (!run) {
        out.failed = run.error().text();
        return out;
    }
    (*run)->advanceTo(kEnd);
    if ((*run)->failed())
        out.failed = (*run)->status().diagnostic->text();
    out.state = (*run)->namedState();
    out.energyError = (*run)->status().energyError;
    return out;
}

struct Drawn {
    std::mt19937 random;
    double length, mass, angle, speed;
    double lastU = 0, lastW = 0; ///< what the tables end with
    std::string u, w;

    explicit Drawn(unsigned seed)
        : random(seed), length(0.5 + any(1)), mass(0.5 + any(2)), angle(any(2) - 1), speed(any(4) - 2), u(table(lastU)),
          w(table(lastW))
    {
    }
    double any(double most) { return std::uniform_real_distribution<double>(0, most)(random); }
    /// From rest at zero, so that nothing jumps at the start.
    std::string table(double& last)
    {
        std::string out = "[[0.1, 0]";
        double t = 0.1;
        for (int k = 0; k < 4; ++k)
            out += ", [" + number(t += 0.1 + any(0.35)) + ", " + number(last = any(1) - 0.5) + "]";
        return out + "]";
    }
    std::string inputs() const
    {
        return "format = 1\n[[input]]\nname = \"u\"\ntable = " + u + "\n[[input]]\nname = \"w\"\ntable = " + w + "\n";
    }
    /// One angle.
    std::string asLagrangian() const
    {
        return inputs() + "[[coordinate]]\nname = \"phi\"\nstart = " + number(angle) + "\nvelocity = " + number(speed)
               + "\n[lagrangian]\nkinetic = \"" + number(mass) + "*(x'^2 + y'^2)/2\"\npotential = \"" + number(9.81 * mass)
               + "*y\"\n[lagrangian.functions]\nx = \"u + " + number(length) + "*sin(phi)\"\ny = \"w - " + number(length)
               + "*cos(phi)\"\n";
    }
    /// Two coordinates beside the support, and their constraint.
    std::string asConstrainedLagrangian() const
    {
        const double s = std::sin(angle), c = std::cos(angle);
        return inputs() + "[[coordinate]]\nname = \"x\"\nstart = " + number(length * s)
               + "\nvelocity = " + number(length * speed * c) + "\n[[coordinate]]\nname = \"y\"\nstart = " + number(-length * c)
               + "\nvelocity = " + number(length * speed * s) + "\n[lagrangian]\nkinetic = \"" + number(mass)
               + "*((x' + u')^2 + (y' + w')^2)/2\"\npotential = \"" + number(9.81 * mass)
               + "*(y + w)\"\n[[constraint]]\nname = \"rod\"\nholonomic = \"x^2 + y^2 - " + number(length * length) + "\"\n";
    }
    std::string asMechanism() const
    {
        const double s = std::sin(angle), c = std::cos(angle);
        return inputs() + "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = " + number(mass)
               + "\nx = { start = " + number(length * s) + ", velocity = " + number(length * speed * c)
               + " }\ny = { start = " + number(-length * c) + ", velocity = " + number(length * speed * s)
               + " }\n[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = { body = \"ground\", at = [\"u\", \"w\"] }\nto = "
                 "\"bob\"\n"
               + "length = " + number(length) + "\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
    }
};

} // namespace

class TestMovedLagrangians : public QObject {
    Q_OBJECT

private slots:
    void momentaDoNotJump()
    {
        // p = q' + u' and q: p' = -2 q, q' = p - u', whose solution between the kinks is a rotation.
        const double times[] = {0, 0.2, 0.5, 0.7, kEnd}, rates[] = {0, 1 / 0.3, -2 / 0.2, 0}, w = std::sqrt(2.0);
        double q = 0.5, p = 1;
        for (int k = 0; k < 4; ++k) {
            const double c = std::cos(w * (times[k + 1] - times[k])), s = std::sin(w * (times[k + 1] - times[k])),
                         d = p - rates[k];
            const double next = q * c + d / w * s;
            p = rates[k] + d * c - w * q * s;
            q = next;
        }
        const std::string inputs = "format = 1\n[[input]]\nname = \"u\"\ntable = [[0.2, 0], [0.5, 1], [0.7, "
                                   "-1]]\n[[coordinate]]\nname = \"q\"\nstart = 0.5\n";
        const std::string energies = "[lagrangian]\nkinetic = \"(q' + u')^2/2\"\npotential = \"q^2\"\n";
        const std::string basis = // q' = Z v
            "[velocity]\nnames = [\"w\"]\n[velocity.rates]\nq = \"2*w\"\n[velocity.start]\nw = 0.5\n";
        for (const bool own : {false, true}) {
            const Ends found = ended(inputs + (own ? basis : "velocity = 1\n") + energies, "dummy-derivatives", "dop853");
            QVERIFY2(found.failed.empty(), found.failed.c_str());
            const double rate = own ? 2 * found("w") : found("q'"); // u' = 0 at the end
            QVERIFY2(std::abs(found("q") - q) < kSame && std::abs(rate - p) < kSame,
                     (number(found("q")) + " for " + number(q)).c_str());
        }
    }

    void theSameMotionAsWithBodiesAndJoints()
    {
        const auto seed = static_cast<unsigned>(test::seedOr(41));
        const int count = test::countOr(12);
        qInfo("DRIFTLESS_SEED=%u", seed);
        const std::pair<const char*, const char*> pairs[] = {
            {"state-space", "dop853"}, {"dummy-derivatives", "radau-9"}, {"index-1", "dormand-prince"}, {"ggl", "radau-9"}};
        double worst = 0;
        for (int k = 0; k < count; ++k) {
            const Drawn drawn(seed + static_cast<unsigned>(k));
            const auto& [form, method] = pairs[k % 4];
            const Ends angle = ended(drawn.asLagrangian(), form, method),
                       apart = ended(drawn.asConstrainedLagrangian(), form == std::string("state-space") ? "projection" : form,
                                     method),
                       body = ended(drawn.asMechanism(), "dummy-derivatives", "radau-9");
            for (const Ends* e : {&angle, &apart, &body})
                QVERIFY2(e->failed.empty(), (e->failed + "\n" + drawn.asConstrainedLagrangian()).c_str());
            const double x = drawn.lastU + drawn.length * std::sin(angle("phi")),
                         y = drawn.lastW - drawn.length * std::cos(angle("phi"));
            const double error = std::max({std::abs(x - body("bob.x")), std::abs(y - body("bob.y")),
                                           std::abs(apart("x") - drawn.length * std::sin(angle("phi"))),
                                           std::abs(apart("x'") - drawn.length * std::cos(angle("phi")) * angle("phi'")),
                                           std::abs(body("bob.x'") - apart("x'")), std::abs(body("bob.y'") - apart("y'"))});
            worst = std::max(worst, error);
            QVERIFY2(error < kSame, (number(error) + " at " + std::to_string(k) + "\n" + drawn.asLagrangian()).c_str());
            QVERIFY2(std::abs(angle.energyError) < kSame * 100 * drawn.mass, number(angle.energyError).c_str());
        }
        qInfo("largest difference %.1e", worst);
    }
};

QTEST_GUILESS_MAIN(TestMovedLagrangians)
#include "test_moved_lagrangians.moc"
