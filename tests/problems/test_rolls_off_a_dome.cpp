// A disc that rolls down a dome slides for a moment and leaves it: index-3 forms, whose velocities and multipliers no row
// holds, against a form that holds all of them.
#include <QtTest>

#include <cmath>
#include <string>

#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;

class TestRollsOffADome : public QObject {
    Q_OBJECT

private slots:
    void theMomentOfSlidingIsOne()
    {
        const std::uint64_t seed = test::seedOr(40);
        for (int k = 0, count = test::countOr(30); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            test::Draw draw(own);
            const double R = draw.decimal(0.5, 2), r = draw.decimal(0.1, 0.4), mu = draw.decimal(0.8, 2.5),
                         share = draw.decimal(0.2, 0.8), v = share * std::sqrt(9.81 * (R + r)), end = 0.9 * std::sqrt(R + r);
            const std::string text =
                "format = 1\nbody = [{name = \"b\", kind = \"rigid\", mass = 1, inertia = " + text::exact(0.5 * r * r)
                + ", x = {velocity = " + text::exact(v) + "}, y = " + text::exact(R + r)
                + ", angle = {velocity = " + text::exact(-v / r) + "}}]\njoint = [{name = \"dome\", kind = "
                + "\"curved-wall\", from = \"ground\", to = \"b\", curve = \"sqrt(x^2 + y^2) - " + text::exact(R)
                + "\", radius = " + text::exact(r) + ", friction = " + text::exact(mu)
                + "}]\nforce = [{kind = \"gravity\", acceleration = 9.81}]\n";
            constexpr const char* kMethods[] = {"bdf", "ida", "radau"};
            const char* method = draw.among(kMethods);
            const auto ran = [&](const char* form, const char* with, double tolerance) {
                auto run = test::startedMechanism(text, test::relativeSettings(form, with, tolerance));
                run->advanceTo(end);
                return run;
            };
            const auto exact = ran("ggl", "radau", 1e-10), found = ran("index-3", method, 1e-8);
            const QString name = QString("seed %1, %2\n%3\n").arg(own).arg(method, QString::fromStdString(text));
            QVERIFY2(!exact->failed() && !found->failed(), qPrintable(name));
            for (const char* of : {"b.x", "b.y", "b.angle"}) {
                const double right = test::valueOf(*exact, of), is = test::valueOf(*found, of);
                // Behind an event the multiplier of the first steps of several errs by a part of the centrifugal force, and
                // friction by mu times that.
                const double allowed = std::string(method) == "radau" ? 1e-5 : 0.02;
                QVERIFY2(std::abs(is - right) <= allowed * (1 + std::abs(right)),
                         qPrintable(name + QString("%1 is %2 and not %3").arg(of).arg(is, 0, 'g', 12).arg(right, 0, 'g', 12)));
            }
            QVERIFY2(found->events().size() <= 200, qPrintable(name + QString::number(found->events().size())));
        }
    }
};

QTEST_GUILESS_MAIN(TestRollsOffADome)
#include "test_rolls_off_a_dome.moc"
