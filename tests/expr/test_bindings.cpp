// Names that are computed from each other: what is needed comes first, and a circle is left out.
#include <QtTest>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/expr/Bindings.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

class TestBindings : public QObject {
    Q_OBJECT

private slots:
    void whatIsNeededComesFirst()
    {
        const std::uint64_t seed = seedOr(5);
        for (int k = 0, count = countOr(100); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const int n = draw.upTo(1, 30);
            std::vector<std::string> names;
            for (int i = 0; i < n; ++i)
                names.push_back("p" + std::to_string(i));
            std::ranges::shuffle(names, std::mt19937(static_cast<unsigned>(k)));
            const bool circles = draw.chance(0.4);
            std::vector<expr::Expr> bindings;
            for (int i = 0; i < n; ++i) { // those before it in rank, or any where there may be circles
                expr::Expr e = expr::parameter("known");
                for (int terms = draw.upTo(0, 3); terms-- > 0;)
                    if (const int most = circles ? n - 1 : i - 1; most >= 0)
                        e = e + expr::parameter(names[static_cast<std::size_t>(draw.upTo(0, most))]);
                bindings.push_back(e);
            }
            const auto order = expr::orderOf(names, bindings);
            std::vector<char> have(names.size(), false);
            const auto ready = [&](std::size_t i) {
                return std::ranges::all_of(expr::symbolsOf(bindings[i]), [&](const expr::Symbol& s) {
                    const auto found = std::ranges::find(names, s.name);
                    return found == names.end() || have[static_cast<std::size_t>(found - names.begin())];
                });
            };
            for (const std::size_t i : order) {
                QVERIFY(!have[i] && ready(i));
                have[i] = true;
            }
            for (std::size_t i = 0; i < names.size(); ++i)
                QVERIFY(have[i] || !ready(i)); // what is left waits for what is left
            if (!circles)
                QCOMPARE(order.size(), names.size());
        }
    }
};

QTEST_APPLESS_MAIN(TestBindings)
#include "test_bindings.moc"
