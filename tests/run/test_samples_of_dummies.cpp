// Samples between the ends of steps, of forms with dummies: as near as the ends, though a step is long and its dummies are
// about to be exchanged.
#include <QtTest>

#include <cmath>
#include <string>

#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

/// Two bobs on rods of 1 m and of the length l, at the angles p and q to the vertical, at rest.
std::string doublePendulum(double l, double p, double q)
{
    const double x = std::sin(p), y = -std::cos(p);
    const auto bob = [](const char* name, double at, double height) {
        return std::string("{name = \"") + name + "\", kind = \"point\", mass = 1, x = " + text::exact(at)
               + ", y = " + text::exact(height) + "}";
    };
    return "format = 1\nbody = [" + bob("u", x, y) + ", " + bob("l", x + l * std::sin(q), y - l * std::cos(q))
           + "]\njoint = [{name = \"a\", kind = \"rod\", from = \"ground\", to = \"u\", length = 1}, "
             "{name = \"b\", kind = \"rod\", from = \"u\", to = \"l\", length = "
           + text::exact(l)
           + "}]\n"
             "force = [{kind = \"gravity\", acceleration = 9.81}]\n";
}

std::unique_ptr<run::Run> ran(const std::string& text, const char* form, const char* method, double tolerance,
                              const std::vector<double>& samples)
{
    auto run = test::startedMechanism(text, test::settings(form, method, 0, tolerance));
    run->sampleAt(samples);
    run->advanceTo(samples.back());
    return run;
}

} // namespace

class TestSamplesOfDummies : public QObject {
    Q_OBJECT

private slots:
    void theyAreOfTheMotion()
    {
        std::vector<double> times;
        for (int k = 0; k <= 300; ++k)
            times.push_back(0.005 * k);
        const std::uint64_t seed = test::seedOr(70);
        for (int k = 0, count = test::countOr(30); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            test::Draw draw(own);
            const std::string text = doublePendulum(draw.decimal(0.5, 1.5), draw.decimal(-2, 2), draw.decimal(-2, 2));
            constexpr const char *kForms[] = {"dummy-derivatives", "coordinate-partitioning"},
                                 *kMethods[] = {"dop853", "dop853", "dormand-prince", "esdirk-43", "radau"};
            const char *form = draw.among(kForms), *method = draw.among(kMethods);
            const double tolerance = std::pow(10, -draw.upTo(4, 7));
            const auto exact = ran(text, "projection", "dop853", 1e-11, times),
                       found = ran(text, form, method, tolerance, times);
            const QString name = QString("seed %1, %2 with %3 at %4\n%5\n")
                                     .arg(own)
                                     .arg(form, method)
                                     .arg(tolerance)
                                     .arg(QString::fromStdString(text));
            double most = 0, at = 0;
            for (const double t : times) {
                const model::ModelState *a = exact->sampled(t), *b = found->sampled(t);
                for (std::size_t i = 0; a && b && i < a->v.size(); ++i)
                    if (const double off = std::abs(a->v[i] - b->v[i]); off > most) {
                        most = off;
                        at = t;
                    }
            }
            // The motion amplifies the errors of steps; dummies of methods of order five are drawn by cubic polynomials.
            QVERIFY2(most > 0 && most <= 1e4 * tolerance, qPrintable(name + QString("%1 at %2").arg(most).arg(at)));
        }
    }
};

QTEST_GUILESS_MAIN(TestSamplesOfDummies)
#include "test_samples_of_dummies.moc"
