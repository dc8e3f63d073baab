// label: release
// A run that has lost what it had, or has several times as much, says so, whatever its tolerance explains; one that keeps it is
// not accused. Drawn: undamped oscillators over up to hundreds of periods, and two bodies that pass each other closely.
#include <QtTest>

#include "core/run/EventWords.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"
#include "tests/support/Events.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::string number(double x) { return QByteArray::number(x, 'g', 17).toStdString(); }

bool accused(const run::Run& run)
{
    for (const run::Event& event : run.events())
        if (std::holds_alternative<run::EnergyDrifted>(event.detail))
            return true;
    return run.failed(); // stopped, which says it as well
}

struct Way {
    const char *form, *method;
};
constexpr Way kWays[] = {{"dummy-derivatives", "ida"},    {"index-1", "bdf"},           {"index-1", "radau"},
                         {"projection", "dop853"},        {"index-1", "adams"},         {"index-1", "odex"},
                         {"index-1", "bogacki-shampine"}, {"index-1", "dormand-prince"}};

} // namespace

class TestLastingLosses : public QObject {
    Q_OBJECT

private slots:
    void oscillators()
    {
        const std::uint64_t seed = seedOr(8);
        int lost = 0, kept = 0;
        for (int k = 0, count = countOr(48); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double stiffness = std::pow(10, draw.between(-2, 6)), mass = std::pow(10, draw.between(-2, 2)),
                         away = std::pow(10, draw.between(-1, 1)), tolerance = std::pow(10, -draw.between(1.5, 6)),
                         periods = std::pow(10, draw.between(0.5, 3));
            const std::string text =
                "format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = " + number(mass) + "\nx = " + number(1 + away)
                + "\n[[force]]\nname = \"spring\"\nkind = \"spring-damper\"\nfrom = \"ground\"\nto = \"bob\"\n"
                  "length = 1\nstiffness = "
                + number(stiffness) + '\n';
            const Way& way = kWays[static_cast<std::size_t>(k) % std::size(kWays)];
            const auto made = run::Run::create(compiledMechanism(text), {}, settings(way.form, way.method, 0.01, tolerance));
            QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
            run::Run& run = **made;
            const double energy = stiffness * away * away / 2;
            (void)run.advanceTo(periods * 2 * M_PI * std::sqrt(mass / stiffness));
            const double share = std::abs(run.status().energyError) / energy;
            const QByteArray told = QByteArray("seed ") + QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ", "
                                    + way.form + ' ' + way.method + ", tolerance " + QByteArray::number(tolerance) + ", "
                                    + QByteArray::number(periods) + " periods, share " + QByteArray::number(share) + '\n'
                                    + text.c_str();
            if (share > 0.8) {
                ++lost;
                QVERIFY2(accused(run), told);
            } else if (share < 0.01) {
                ++kept;
                QVERIFY2(!accused(run), told);
            }
        }
        qInfo("%d lost what they had, %d kept it", lost, kept);
        QVERIFY(countOr(48) != 48 || (lost >= 5 && kept >= 10));
    }

    /// A pendulum that rests for long and is pushed then has exchanged little so far, and a damping method may take all there
    /// is.
    void whatIsNoLossIsNotSaid_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<double>("step"); ///< of a fixed one, else 0
        QTest::addColumn<double>("tolerance");
        QTest::addColumn<bool>("rests");
        for (const char* method : {"heun2", "bdf2", "implicit-euler", "rk4"})
            QTest::addRow("%s from rest", method) << QByteArray(method) << 0.01 << 1e-6 << true;
        for (const char* method : {"dormand-prince", "ida", "bogacki-shampine", "radau", "dop853", "odex"})
            for (const double tolerance : {1e-2, 1e-3, 1e-6})
                QTest::addRow("%s from rest at %g", method, tolerance) << QByteArray(method) << 0.0 << tolerance << true;
        for (const double step : {0.01, 0.05, 0.1})
            QTest::addRow("implicit-euler to rest, %g", step) << QByteArray("implicit-euler") << step << 1e-6 << false;
    }
    void whatIsNoLossIsNotSaid()
    {
        QFETCH(QByteArray, method);
        QFETCH(double, step);
        QFETCH(double, tolerance);
        QFETCH(bool, rests);
        const auto system = compiledMechanism(
            std::string("format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = 1\n[[joint]]\nname = "
                        "\"rod\"\nkind = \"rod\"\nlength = 1\nfrom = \"ground\"\nto = \"bob\"\n[[force]]\nkind = "
                        "\"force\"\nbody = \"bob\"\ny = \"")
            + (rests ? "if t < 20 then 0 else 1" : "-9.81") + "\"\n");
        auto asked = settings(rests ? "index-1" : "dummy-derivatives", method.constData(), step > 0 ? step : 0.01, tolerance);
        asked.options.maxStep = step > 0 ? 0 : 0.5;
        const auto made = run::Run::create(system, {}, asked);
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        QVERIFY((*made)->advanceTo(23));
        QVERIFY(!accused(**made));
    }

    /// Two equal masses that fall towards each other with little momentum aside: E = -G m1 m2 / (2 a) is right at the end, or
    /// the orbit is another one.
    void closeEncounters()
    {
        const std::uint64_t seed = seedOr(9);
        int wrong = 0, right = 0;
        for (int k = 0, count = countOr(48); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double aside = std::pow(10, -draw.between(1, 4)), tolerance = std::pow(10, -draw.between(3, 10));
            const auto body = [&](const char* name, double x, double v) {
                return std::string("[[body]]\nname = \"") + name + "\"\nkind = \"point\"\nmass = 1\nx = " + number(x)
                       + "\ny = { start = 0, velocity = " + number(v) + " }\n";
            };
            const std::string text = "format = 1\n" + body("a", -0.5, -aside / 2) + body("b", 0.5, aside / 2)
                                     + "[[force]]\nkind = \"gravitation\"\nconstant = 1\n";
            const Way& way = kWays[static_cast<std::size_t>(k) % std::size(kWays)];
            const auto made = run::Run::create(compiledMechanism(text), {}, settings(way.form, way.method, 0.01, tolerance));
            QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
            run::Run& run = **made;
            (void)run.advanceTo(3);
            const double share = std::abs(run.status().energyError) / (1 - aside * aside / 4);
            const QByteArray told = QByteArray("seed ") + QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ", "
                                    + way.form + ' ' + way.method + ", tolerance " + QByteArray::number(tolerance) + ", share "
                                    + QByteArray::number(share) + '\n' + text.c_str();
            if (share > 12) { // a quarter of eight times the mean of what is exchanged, some 4 J
                ++wrong;
                QVERIFY2(accused(run), told);
            } else if (share < 0.01 && !run.failed()) {
                ++right;
                QVERIFY2(!accused(run), told);
            }
        }
        qInfo("%d went wrong, %d right", wrong, right);
        QVERIFY(countOr(48) != 48 || (wrong >= 3 && right >= 10));
    }

    /// A run of a dozen steps, and a sun of a million kilogrammes that does not move and says nothing of what is usual.
    void orbitsInFewSteps()
    {
        const std::uint64_t seed = seedOr(11);
        int wrong = 0, right = 0;
        for (int k = 0, count = countOr(64); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double eccentricity = draw.chance(0.3) ? 0 : 1 - std::pow(10, -draw.between(0.3, 3));
            const double tolerance = std::pow(10, -draw.between(1.5, 8)), periods = draw.between(1, 4);
            const std::string text =
                "format = 1\n[[body]]\nname = \"sun\"\nkind = \"point\"\nmass = 1e6\n[[body]]\nname = \"p\"\nkind = "
                "\"point\"\nmass = 1\nx = { start = "
                + number(1 + eccentricity)
                + ", velocity = 0 }\ny = { start = 0, velocity = " + number(std::sqrt((1 - eccentricity) / (1 + eccentricity)))
                + " }\n[[joint]]\nname = \"w\"\nkind = \"weld\"\nfrom = \"ground\"\nto = \"sun\"\n"
                  "[[force]]\nkind = \"gravitation\"\nconstant = 1e-6\n";
            const Way& way = kWays[static_cast<std::size_t>(k) % std::size(kWays)];
            const auto made = run::Run::create(compiledMechanism(text), {}, settings(way.form, way.method, 0.01, tolerance));
            QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
            run::Run& run = **made;
            const double end = periods * 2 * M_PI;
            (void)run.advanceTo(end / 2);
            const double half = std::abs(run.status().energyError) / 0.5; // of |E|
            (void)run.advanceTo(end);
            const double share = std::abs(run.status().energyError) / 0.5;
            const QByteArray told = QByteArray("seed ") + QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ", "
                                    + way.form + ' ' + way.method + ", tolerance " + QByteArray::number(tolerance) + ", shares "
                                    + QByteArray::number(half) + ' ' + QByteArray::number(share) + '\n' + text.c_str();
            if (std::min(half, share) > 3) { // free, or bound to a quarter of the orbit, for half of the time
                ++wrong;
                QVERIFY2(accused(run), told);
            } else if (std::max(half, share) < 0.01) {
                ++right;
                QVERIFY2(!accused(run), told);
            }
        }
        qInfo("%d went wrong, %d right", wrong, right);
        QVERIFY(countOr(64) != 64 || (wrong >= 1 && right >= 6));
    }

    /// Two bodies whose energy is gone before their steps become short.
    /// Wherever the zero of the potential is.
    void whatSticksWithItsEnergyGone_saysSo_data()
    {
        QTest::addColumn<double>("offset"); ///< [J]
        QTest::newRow("zero") << 0.0;
        test::Draw draw(seedOr(6));
        for (int k = 0, count = countOr(3); k < count; ++k) {
            const double offset = (draw.chance(0.5) ? 1 : -1) * std::pow(10, draw.between(0, 6));
            QTest::addRow("%g J", offset) << offset;
        }
    }
    void whatSticksWithItsEnergyGone_saysSo()
    {
        QFETCH(double, offset);
        const std::string pair =
            "format = 1\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\nx = { start = 1 }\ny = { start = 0, "
            "velocity = 0.02 }\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx = { start = -1 }\ny = { "
            "start = 0, velocity = -0.02 }\n[[force]]\nkind = \"gravitation\"\nconstant = 1\n[[potential]]\nenergy = \""
            + number(offset) + " + 0*a.x\"\n";
        for (const double tolerance : {1e-3, 1e-4}) {
            run::RunSettings loose = settings("index-1", "adams", 0.01, tolerance);
            loose.options.absoluteTolerance = 0; // of nominal sizes
            const auto made = run::Run::create(compiledMechanism(pair), {}, loose);
            QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
            (void)(*made)->advanceTo(8);
            QVERIFY((*made)->failed());
            const auto status = (*made)->status();
            QVERIFY2(status.diagnostic && status.diagnostic->why.find("too loose") != std::string::npos
                         && status.diagnostic->remedy.find("tighter") != std::string::npos,
                     status.diagnostic ? status.diagnostic->text().c_str() : "");
        }
    }

    /// A rod that turns fast and falls a little: the less it falls, the more of the spin may be lost, without a leap. What is
    /// said of it is no matter of tolerances.
    void aSpinThatFallsALittle()
    {
        const std::uint64_t seed = seedOr(60);
        double silentAt = 0, toldAt = HUGE_VAL; // the largest and the least g
        for (int k = 0, count = countOr(10); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double g = std::pow(10, draw.between(-2, 0.5));
            const std::string text =
                "format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx = 1\ny = { start = 0, velocity = 60 "
                "}\n[[joint]]\nname = \"r\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"b\"\nlength = 1\n[[force]]\nkind = "
                "\"gravity\"\nacceleration = "
                + number(g) + '\n';
            const auto made = run::Run::create(compiledMechanism(text), {}, settings("index-1", "dormand-prince", 0.01, 1e-4));
            QVERIFY2(made.ok(), text.c_str());
            QVERIFY2((*made)->advanceTo(20), text.c_str());
            const double error = std::abs((*made)->status().energyError);
            QVERIFY2(error > 40 && error < 60, text.c_str()); // of 1800 J
            const auto events = (*made)->events();
            const auto said = std::ranges::find_if(events, [](const auto& e) { return e.template as<run::EnergyDrifted>(); });
            if (said == events.end()) {
                silentAt = std::max(silentAt, g);
                continue;
            }
            toldAt = std::min(toldAt, g);
            const std::string words = run::words(*said);
            QVERIFY2(words.find("V and the work") != std::string::npos && words.find("tolerances") == std::string::npos,
                     words.c_str());
        }
        qInfo("silent up to g = %g, told from %g on", silentAt, toldAt);
        QVERIFY(silentAt < toldAt);
        QVERIFY(countOr(10) != 10 || (silentAt > 0 && toldAt < HUGE_VAL));
    }

    /// The energy of a spin that stays is no measure for what falls and rises beside it. In its first 64 steps a run may lose
    /// what a hundred of its tolerances are.
    void aSpinHidesNothing()
    {
        const std::uint64_t seed = seedOr(40);
        int wrong = 0, right = 0;
        for (int k = 0, count = countOr(32); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double tolerance = std::pow(10, -draw.between(2, 9));
            const char* const model = draw.chance(0.5) ? "heavy-top" : "gyroscope";
            const Way& way = kWays[static_cast<std::size_t>(k) % std::size(kWays)];
            const auto made = run::Run::create(compiled(model), {}, settings(way.form, way.method, 0.01, tolerance));
            QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
            run::Run& run = **made;
            (void)run.advanceTo(2);
            const run::RecordingView rows = run.recording();
            const int potential = rows.findColumn("potential_energy"), error = rows.findColumn("energy_error"),
                      kinetic = rows.findColumn("kinetic_energy");
            QVERIFY(potential >= 0 && error >= 0 && kinetic >= 0);
            double low = HUGE_VAL, high = -HUGE_VAL, most = 0, least = HUGE_VAL, spin = 0;
            for (std::uint64_t row = 0; row < rows.rowCount(); ++row) {
                low = std::min(low, rows.value(row, potential));
                high = std::max(high, rows.value(row, potential));
                spin = std::max(spin, rows.value(row, kinetic));
                most = std::max(most, std::abs(rows.value(row, error)));
                if (rows.time(row) > 1) // of the second half
                    least = std::min(least, std::abs(rows.value(row, error)));
            }
            const double turns = high - low;
            const QByteArray told = QByteArray("seed ") + QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ", "
                                    + model + ' ' + way.form + ' ' + way.method + ", tolerance " + QByteArray::number(tolerance)
                                    + ", error " + QByteArray::number(least) + " to " + QByteArray::number(most) + " of "
                                    + QByteArray::number(turns) + " and " + QByteArray::number(spin);
            if ((least > 3 * turns && least > 0.1 * spin && run.acceptedSteps() > 128) || run.failed()) {
                ++wrong;
                QVERIFY2(accused(run), told);
            } else if (most < 0.01 * turns) {
                ++right;
                QVERIFY2(!accused(run), told);
            }
        }
        qInfo("%d went wrong, %d right", wrong, right);
        QVERIFY(countOr(32) != 32 || (wrong >= 1 && right >= 6));
    }
};

QTEST_GUILESS_MAIN(TestLastingLosses)
#include "test_lasting_losses.moc"
