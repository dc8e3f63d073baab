// Orders of pivots chosen from sample matrices.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "core/solve/PivotOrder.h"
#include "tests/support/Draw.h"

using namespace driftless::solve;

class TestPivotOrder : public QObject {
    Q_OBJECT
private slots:
    void rowsAndColumns_areTakenOnce()
    {
        const std::vector<MatrixPlace> places{{0, 0}, {2, 0}, {1, 1}, {2, 1}, {0, 2}, {1, 2}};
        const std::vector<std::vector<double>> samples{{1, 0.3, 1, 0.7, 0.3, 0.7}, {1, -0.9, 1, 0.2, -0.9, 0.2}};
        const auto order = pivotOrder(3, places, samples);
        QCOMPARE(order.size(), std::size_t(3));
        std::set<int> rows, columns;
        for (const MatrixPlace& p : order) {
            rows.insert(p.row);
            columns.insert(p.column);
        }
        QVERIFY(rows.size() == 3 && columns.size() == 3);
        // The masses: what changes its sign is no pivot as long as there is another one.
        QVERIFY(order[0] == (MatrixPlace{0, 0}) || order[0] == (MatrixPlace{1, 1}));
        QVERIFY(order[1] == (MatrixPlace{0, 0}) || order[1] == (MatrixPlace{1, 1}));
    }

    void littleWork_comesFirst()
    {
        // An arrow: from its tip on everything would fill.
        std::vector<MatrixPlace> places;
        std::vector<double> values;
        for (int i = 0; i < 6; ++i) {
            places.push_back({i, i});
            values.push_back(4);
            if (i > 0) {
                places.push_back({0, i});
                places.push_back({i, 0});
                values.insert(values.end(), {1, 1});
            }
        }
        const auto order = pivotOrder(6, places, std::vector<std::vector<double>>{values});
        QCOMPARE(order.size(), std::size_t(6));
        for (std::size_t k = 0; k < 4; ++k)
            QVERIFY(order[k].row != 0 && order[k].column != 0);
    }

    void chains_areEliminatedFromBothEnds()
    {
        constexpr int kLinks = 9;
        std::vector<MatrixPlace> places;
        std::vector<double> values;
        for (int i = 0; i < kLinks; ++i)
            for (int j = std::max(0, i - 1); j <= std::min(kLinks - 1, i + 1); ++j) {
                places.push_back({i, j});
                values.push_back(i == j ? 4 : -1);
            }
        const auto order = pivotOrder(kLinks, places, std::vector<std::vector<double>>{values});
        QCOMPARE(order.size(), std::size_t(kLinks));
        for (std::size_t k = 0; k + 2 < order.size(); ++k)
            QCOMPARE(std::abs(order[k].row - order[k + 2].row), 1); // in turns from either end
        QVERIFY(order[0].row + order[1].row == kLinks - 1);
    }

    void work_isCounted_andBounded()
    {
        // A full matrix of n takes (n-1)^2 + ... + 1 multiplications.
        std::vector<MatrixPlace> places;
        std::vector<double> values;
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 5; ++j) {
                places.push_back({i, j});
                values.push_back(i == j ? 7 : 1 + 0.1 * i - 0.2 * j);
            }
        const std::vector<std::vector<double>> samples{values};
        QCOMPARE(pivotOrder(5, places, samples, 1, 16 + 9 + 4 + 1).size(), std::size_t(5));
        QVERIFY(pivotOrder(5, places, samples, 1, 16 + 9 + 4).empty());
    }

    void whereNoPivotSuitsAll_theUsualSamplesDecide()
    {
        // Neither entry of the first column suits all three samples; the second one does the two usual ones.
        const std::vector<MatrixPlace> places{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
        const std::vector<std::vector<double>> samples{{0.01, 1, 1, 1}, {-0.01, 1, 1, 1}, {1, 0.001, 1, 3}};
        const auto order = pivotOrder(2, places, samples, 2);
        QCOMPARE(order.size(), std::size_t(2));
        for (const MatrixPlace& pivot : order)
            QVERIFY(pivot == (MatrixPlace{1, 0}) || pivot == (MatrixPlace{0, 1}));
    }

    /// Entries that would be zero with exact numbers are round-off of 1e-17 in every sample. Elimination in the order leaves
    /// all digits but four: it has taken none of them for a pivot.
    void roundoffIsNoPivot()
    {
        constexpr int n = 8;
        const std::uint64_t seed = driftless::test::seedOr(1);
        for (int i = 0, count = driftless::test::countOr(300); i < count; ++i) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(i));
            std::vector<MatrixPlace> places;
            std::vector<double> values;
            for (int r = 0; r < n; ++r)
                for (int c = 0; c < n; ++c)
                    if (const bool noise = draw.chance(0.4); r == c || noise || draw.chance(0.2)) {
                        places.push_back({r, (c + 3) % n});
                        const double size = r == c ? draw.between(1, 3) : noise ? 1e-17 : 0.4;
                        values.push_back(size * (draw.chance(0.5) ? 1 : -1) * (r == c ? 1 : draw.between(0.2, 1)));
                    }
            const std::vector<std::vector<double>> samples{values};
            const auto order = pivotOrder(n, places, samples);
            QCOMPARE(order.size(), std::size_t(n));
            std::array<std::array<double, n>, n> rest{};
            for (std::size_t k = 0; k < places.size(); ++k)
                rest[static_cast<std::size_t>(places[k].row)][static_cast<std::size_t>(places[k].column)] = values[k];
            std::array<bool, n> done{};
            for (const MatrixPlace& pivot : order) {
                const auto row = static_cast<std::size_t>(pivot.row), column = static_cast<std::size_t>(pivot.column);
                double largest = 0;
                for (std::size_t r = 0; r < n; ++r)
                    largest = std::max(largest, done[r] ? 0 : std::abs(rest[r][column]));
                const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i));
                QVERIFY2(std::abs(rest[row][column]) > 1e-4 * largest, told.c_str());
                done[row] = true;
                for (std::size_t r = 0; r < n; ++r) {
                    const double factor = done[r] ? 0 : rest[r][column] / rest[row][column];
                    for (std::size_t c = 0; c < n; ++c)
                        rest[r][c] -= factor * rest[row][c];
                }
            }
        }
    }

    void singularSamples_haveNone()
    {
        QVERIFY(pivotOrder(2, std::vector<MatrixPlace>{{0, 0}, {1, 0}}, std::vector<std::vector<double>>{{1, 2}}).empty());
        const std::vector<MatrixPlace> full{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
        QVERIFY(pivotOrder(2, full, std::vector<std::vector<double>>{{1, 2, 2, 4}}).empty());
        QVERIFY(pivotOrder(2, full, {}).empty());
    }
};

QTEST_APPLESS_MAIN(TestPivotOrder)
#include "test_pivot_order.moc"
