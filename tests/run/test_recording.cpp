// Recordings against brute force: envelope and range through the pyramid, thinning, truncation, jumps, late columns.
#include <QDeadlineTimer>
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "core/run/Recording.h"

using namespace driftless::run;

namespace {

std::vector<Column> columns(int count)
{
    std::vector<Column> out;
    for (int i = 0; i < count; ++i)
        out.push_back({"c" + std::to_string(i), "", ColumnKind::Other});
    return out;
}

struct Rows {
    std::vector<double> t;
    std::vector<std::vector<double>> values;
};

/// Uneven steps, some jumps, some gaps.
Rows fill(Recording& r, int rows, int width, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    Rows out;
    double t = 0;
    std::vector<double> row(static_cast<std::size_t>(width));
    for (int i = 0; i < rows; ++i) {
        for (double& x : row)
            x = unit(random) < 0.01 ? std::nan("") : std::sin(7 * t) + unit(random);
        r.append(t, row);
        out.t.push_back(t);
        out.values.push_back(row);
        if (unit(random) > 0.02)
            t += 0.01 * unit(random) * unit(random) + 1e-6;
    }
    return out;
}

MinMax brute(const Rows& rows, std::size_t column, double t0, double t1, bool open)
{
    MinMax out{INFINITY, -INFINITY};
    for (std::size_t i = 0; i < rows.t.size(); ++i) {
        const double x = rows.values[i][column];
        if (rows.t[i] < t0 || rows.t[i] > t1 || (open && rows.t[i] == t1) || std::isnan(x))
            continue;
        out.minimum = std::min(out.minimum, x);
        out.maximum = std::max(out.maximum, x);
    }
    return out;
}

} // namespace

class TestRecording : public QObject {
    Q_OBJECT
private slots:
    void rangeEqualsBruteForce()
    {
        Recording r(1, 0, columns(3));
        const Rows rows = fill(r, 20'011, 3, 1);
        const RecordingView view = r.view();
        QCOMPARE(view.rowCount(), std::uint64_t(20'011));
        std::mt19937 random(2);
        std::uniform_real_distribution<double> at(-1, rows.t.back() + 1);
        for (int k = 0; k < 300; ++k) {
            double t0 = at(random), t1 = at(random);
            if (t0 > t1)
                std::swap(t0, t1);
            const MinMax found = view.range(k % 3, t0, t1),
                         expected = brute(rows, static_cast<std::size_t>(k % 3), t0, t1, false);
            if (expected.minimum > expected.maximum) {
                QVERIFY(std::isnan(found.minimum));
            } else {
                QCOMPARE(found.minimum, expected.minimum);
                QCOMPARE(found.maximum, expected.maximum);
            }
        }
    }

    void envelopeEqualsBruteForceInEveryBucket()
    {
        Recording r(1, 0, columns(2));
        const Rows rows = fill(r, 30'000, 2, 3);
        const RecordingView view = r.view();
        const double end = rows.t.back();
        for (const auto& [t0, t1] : {std::pair{0.0, end}, std::pair{0.21 * end, 0.87 * end}, std::pair{-1.0, end + 1}}) {
            const int buckets = 333;
            std::vector<double> t;
            std::vector<MinMax> values;
            view.envelope(1, t0, t1, buckets, t, values);
            const double width = (t1 - t0) / buckets;
            std::size_t k = 0;
            for (int b = 0; b < buckets; ++b) {
                const MinMax expected =
                    brute(rows, 1, t0 + b * width, b + 1 == buckets ? t1 : t0 + (b + 1) * width, b + 1 < buckets);
                if (expected.minimum > expected.maximum)
                    continue;
                QVERIFY(k < t.size());
                QCOMPARE(t[k], t0 + b * width);
                QCOMPARE(values[k].minimum, expected.minimum);
                QCOMPARE(values[k].maximum, expected.maximum);
                ++k;
            }
            QCOMPARE(k, t.size());
        }
    }

    void fewRowsComeAsTheyAre()
    {
        Recording r(1, 0, columns(1));
        for (int i = 0; i < 10; ++i)
            r.append(i, std::vector<double>{double(i * i)});
        std::vector<double> t;
        std::vector<MinMax> values;
        r.view().envelope(0, 2.5, 5.5, 100, t, values);
        QCOMPARE(t, (std::vector<double>{2, 3, 4, 5, 6}));
        QCOMPARE(values[1].minimum, 9.0);
        QCOMPARE(values[1].maximum, 9.0);
    }

    void hermiteIsExactOnCubicsAndJumpsCountFromTheirTime()
    {
        Recording r(1, 1, columns(3));
        const auto row = [](double t, double shift) { return std::vector<double>{t * t * t + shift, 3 * t * t, 2 * t}; };
        for (const double t : {0.0, 0.4, 1.0})
            r.append(t, row(t, 0));
        r.append(1.0, row(1.0, 5));
        r.append(2.0, row(2.0, 5));
        double q, v, l;
        const auto view = r.view();
        QVERIFY(view.stateAt(0.7, &q, &v, &l));
        QVERIFY(std::abs(q - 0.343) <= 16 * 2.2e-16); // a dozen operations on numbers of size one
        QVERIFY(std::abs(l - 1.4) <= 8 * 2.2e-16);
        QVERIFY(view.stateAt(1.0, &q, &v, &l));
        QCOMPARE(q, 6.0);
        QVERIFY(view.stateAt(std::nextafter(1.0, 0.0), &q, &v, &l));
        QVERIFY(std::abs(q - 1) < 1e-12); // the derivative times one unit in the last place
        QVERIFY(view.stateAt(99, &q, &v, &l));
        QCOMPARE(q, 13.0);
    }

    /// A velocity has no rate of its own: the error of the polynomial is that of the first derivative which it does not have.
    void velocitiesFollowTheRowsBefore_butNotBeyondAJump()
    {
        Recording r(1, 1, columns(3));
        const double h = 0.1, jump = 1;
        const auto row = [](double t, double v, double l) { return std::vector<double>{std::sin(t), v, l}; };
        for (int k = 0; k <= 10; ++k)
            r.append(k * h, row(k * h, std::cos(k * h), 7));
        r.append(jump, row(jump, 2, 3)); // two rows at one time
        for (int k = 11; k <= 20; ++k)
            r.append(k * h, row(k * h, 2, 3));
        const auto view = r.view();
        double q, v, l;
        for (double t = 0.013; t < 2; t += 0.029) {
            QVERIFY(view.stateAt(t, &q, &v, &l));
            QCOMPARE(l, t < jump ? 7.0 : 3.0);
            if (t > jump)
                QCOMPARE(v, 2.0);
            else if (t > 2 * h) // the product of the four distances is at most h^4
                QVERIFY(std::abs(v - std::cos(t)) <= std::pow(h, 4) / 24);
            else if (t > h) // of three: 2/3 sqrt(1/3) h^3
                QVERIFY(std::abs(v - std::cos(t)) <= 2.0 / 3 * std::sqrt(1.0 / 3) * std::pow(h, 3) / 6);
            else // of two: h^2/4
                QVERIFY(std::abs(v - std::cos(t)) <= h * h / 8);
        }
    }

    void truncationKeepsOlderViewsAndGoesOn()
    {
        Recording r(1, 0, columns(1));
        for (int i = 0; i < 9000; ++i)
            r.append(i, std::vector<double>{double(i)});
        const RecordingView before = r.view();
        r.truncateAfter(5000.5);
        QCOMPARE(r.view().rowCount(), std::uint64_t(5001));
        for (int i = 0; i < 2000; ++i)
            r.append(5001 + i, std::vector<double>{-1.0});
        QCOMPARE(before.rowCount(), std::uint64_t(9000));
        QCOMPARE(before.value(5500, 0), 5500.0);
        const RecordingView after = r.view();
        QCOMPARE(after.rowCount(), std::uint64_t(7001));
        QCOMPARE(after.value(5500, 0), -1.0);
        QCOMPARE(after.range(0, 0, 1e9).maximum, 5000.0);
        r.truncateAfter(-1);
        QVERIFY(r.view().empty());
        r.append(0, std::vector<double>{3.0});
        QCOMPARE(r.view().range(0, 0, 1).maximum, 3.0);
        r.clear();
        QVERIFY(r.view().empty());
    }

    void pastHoldsUntilSomethingIsTakenBack()
    {
        Recording r(1, 0, columns(1)), other(1, 0, columns(1));
        const auto grow = [&r] {
            for (int i = 0; i < 9000; ++i) // several chunks
                r.append(i, std::vector<double>{1.0});
        };
        grow();
        const auto first = r.view().past();
        QVERIFY(first && other.view().past() != first);
        grow();
        QCOMPARE(r.view().past(), first);
        r.truncateAfter(8000);
        const auto second = r.view().past();
        QVERIFY(second != first);
        r.clear();
        QVERIFY(r.view().past() != second && r.view().past() != first);
    }

    void lateColumnsReadNaNBefore()
    {
        Recording r(1, 0, columns(1));
        for (int i = 0; i < 100; ++i)
            r.append(i, std::vector<double>{1.0});
        const int late = r.addColumn({"late", "m", ColumnKind::Auxiliary});
        for (int i = 100; i < 200; ++i)
            r.append(i, std::vector<double>{1.0, 2.0});
        const auto view = r.view();
        QCOMPARE(view.findColumn("late"), late);
        QVERIFY(std::isnan(view.value(99, late)));
        QCOMPARE(view.value(100, late), 2.0);
        QCOMPARE(view.range(late, 0, 1000).minimum, 2.0);
        QVERIFY(std::isnan(view.range(late, 0, 50).minimum));
    }

    /// Rows stand for so many steps; thinned, cut short or begun anew they still say how many there were up to each time.
    void stepsAreCountedWhereRowsStandForSeveral()
    {
        std::mt19937 random(7);
        const auto upTo = [&random](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
        Recording r(1, 0, columns(3), 1u << 18);
        std::vector<std::pair<double, std::uint64_t>> told; // time, steps up to it
        double t = 0;
        std::uint64_t steps = 0;
        for (int i = 0; i < 60'000; ++i) {
            const auto more = static_cast<std::uint64_t>(i == 0 ? 0 : upTo(15));
            t += static_cast<double>(more);
            r.append(t, std::vector<double>{t, 0, 0}, more);
            steps += more;
            told.emplace_back(t, steps);
            if (upTo(20'000) == 0) {
                const auto& kept =
                    told[static_cast<std::size_t>(upTo(i < 100 ? i : 100)) + told.size() - (i < 100 ? told.size() : 101)];
                t = kept.first;
                r.truncateAfter(t);
                while (told.back().first > t)
                    told.pop_back();
                steps = told.back().second;
            }
        }
        const auto view = r.view();
        QVERIFY(view.rowCount() < 50'000); // it was thinned
        for (std::uint64_t row = 0; row < view.rowCount(); ++row) {
            const double at = view.time(row);
            const auto last = std::ranges::upper_bound(told, at, {}, &std::pair<double, std::uint64_t>::first) - 1;
            QCOMPARE(view.stepsAt(at), last->second);
        }
        r.clear();
        r.append(0, std::vector<double>{0, 0, 0}, 0);
        QCOMPARE(r.view().stepsAt(1), std::uint64_t(0));
    }

    void thinningKeepsTheBudgetTheNewestRowsAndTheJumps()
    {
        const std::uint64_t budget = 2u << 20;
        Recording r(1, 0, columns(3), budget);
        const int rows = 400'000;
        const double jump = 1000;
        for (int i = 0; i < rows; ++i) {
            const std::vector<double> row{double(i), 0, 0};
            r.append(i, row);
            if (i == 1000)
                r.append(jump, row);
        }
        const auto view = r.view();
        QCOMPARE(view.stepCount(), std::uint64_t(rows + 1));
        // The open chunk comes on top of the budget; a row is 32 bytes and the pyramid adds half of that per 64 rows.
        QVERIFY(view.rowCount() * 32 <= budget + 4096 * 32);
        QVERIFY(view.rowCount() * 32 >= budget / 3);
        QCOMPARE(view.firstTime(), 0.0);
        QCOMPARE(view.lastTime(), double(rows - 1));
        const std::uint64_t last = view.rowCount() - 1;
        for (std::uint64_t k = 0; k < 4096; ++k)
            QCOMPARE(view.time(last - k), double(rows - 1 - static_cast<int>(k)));
        const std::uint64_t r2 = view.rowAt(jump);
        QCOMPARE(view.time(r2), jump);
        QCOMPARE(view.time(r2 - 1), jump);
        for (std::uint64_t k = 1; k <= last; ++k)
            QVERIFY(view.time(k) >= view.time(k - 1));
    }

    void readersSeeCompleteRowsWhileOneWrites()
    {
        Recording r(1, 0, columns(2), 1u << 20);
        std::atomic<bool> done{false};
        std::atomic<int> wrong{0}, looks{0};
        std::thread reader([&] {
            std::vector<double> t;
            std::vector<MinMax> values;
            while (!done) {
                const auto view = r.view();
                if (view.empty())
                    continue;
                const std::uint64_t last = view.rowCount() - 1;
                if (view.value(last, 0) != 2 * view.time(last) || view.value(last, 1) != -view.time(last))
                    ++wrong;
                view.envelope(0, 0, view.lastTime(), 50, t, values);
                if (!values.empty() && values.back().maximum > 2 * view.lastTime())
                    ++wrong;
                ++looks;
            }
        });
        // A machine with one core may start the reader late: rows are written until it has looked a hundred times.
        const QDeadlineTimer patience(60'000); // [ms]
        for (int i = 0; i < 200'000 || (looks < 100 && !patience.hasExpired()); ++i) {
            r.append(i, std::array<double, 2>{2.0 * i, -1.0 * i});
            if (i % 1000 == 0)
                std::this_thread::yield();
        }
        done = true;
        reader.join();
        QCOMPARE(wrong.load(), 0);
        QVERIFY2(looks >= 100, QByteArray::number(looks.load()).constData());
    }
};

QTEST_APPLESS_MAIN(TestRecording)
#include "test_recording.moc"
