// Drift classes of signals whose growth is known.
#include <QtTest>

#include <cmath>
#include <functional>

#include "core/run/Drift.h"

using driftless::run::classifyDrift;

class TestDrift : public QObject {
    Q_OBJECT
private slots:
    void classes_data()
    {
        using Signal = std::function<double(double)>;
        QTest::addColumn<Signal>("signal");
        QTest::addColumn<double>("tolerance");
        QTest::addColumn<QString>("expected");
        // Amplitudes beside the trend are oscillations of a swing of period 8.6 over 1000 time units.
        const auto swing = [](double t) { return std::sin(2 * M_PI * t / 8.63); };
        QTest::newRow("zero") << Signal([](double) { return 0.0; }) << 1e-9 << "none";
        QTest::newRow("constant") << Signal([](double) { return 1.0; }) << 1e-9 << "none";
        QTest::newRow("small line") << Signal([](double t) { return 1e-12 * t; }) << 1e-9 << "none";
        QTest::newRow("swing") << Signal([swing](double t) { return 1e-3 * swing(t); }) << 1e-9 << "none";
        QTest::newRow("growing swing") << Signal([swing](double t) { return 1e-6 * t * swing(t); }) << 1e-9 << "none";
        QTest::newRow("line") << Signal([](double t) { return 1e-3 - 1e-5 * t; }) << 1e-9 << "linear";
        QTest::newRow("line and swing") << Signal([swing](double t) { return 1e-5 * t + 1e-3 * swing(t); }) << 1e-9 << "linear";
        QTest::newRow("parabola") << Signal([](double t) { return 1e-9 * t * t; }) << 1e-9 << "quadratic";
        QTest::newRow("parabola with line") << Signal([](double t) { return 1e-9 * t * t + 1e-6 * t; }) << 1e-9 << "quadratic";
        QTest::newRow("parabola and swing") << Signal([swing](double t) { return -1e-9 * t * t + 2e-4 * swing(t) + 1e-7 * t * swing(t); })
                                            << 1e-9 << "quadratic";
        QTest::newRow("cubic") << Signal([](double t) { return 1e-10 * t * t * t; }) << 1e-9 << "cubic";
    }
    void classes()
    {
        QFETCH(std::function<double(double)>, signal);
        QFETCH(double, tolerance);
        QFETCH(QString, expected);
        std::vector<double> t, x;
        for (double s = 0; s <= 1000; s += 0.25 + 0.2 * std::cos(s)) { // uneven, as adaptive steps are
            t.push_back(s);
            x.push_back(signal(s));
        }
        QCOMPARE(QString::fromStdString(classifyDrift(t, x, tolerance)), expected);
    }
    void emptyAndShortRunsHaveNoDrift()
    {
        QCOMPARE(classifyDrift({}, {}, 0), std::string("none"));
        const std::vector<double> two{0, 1};
        QCOMPARE(classifyDrift(two, two, 0), std::string("none"));
    }
};

QTEST_APPLESS_MAIN(TestDrift)
#include "test_drift.moc"
