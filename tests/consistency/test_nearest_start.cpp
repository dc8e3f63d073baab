// The corrected start is the nearest one: drawn chains of rods, whose places are all known by two angles.
#include <QtTest>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/consistency/Consistency.h"
#include "core/mechanism/ReadModel.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

struct Chain {
    std::array<double, 2> length{}, mass{};
    std::array<double, 4> start{}; ///< x and y of both bobs, as stated

    std::array<double, 4> at(double a, double b) const
    {
        const double x = length[0] * std::cos(a), y = length[0] * std::sin(a);
        return {x, y, x + length[1] * std::cos(b), y + length[1] * std::sin(b)};
    }
    double distance(const std::array<double, 4>& q, bool byMass) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i)
            sum += (byMass ? mass[i / 2] : 1) * (q[i] - start[i]) * (q[i] - start[i]);
        return std::sqrt(sum);
    }
    /// Steps of a compass search from angles until they are below round-off of a square.
    double nearest(double a, double b, bool byMass) const
    {
        double best = distance(at(a, b), byMass);
        for (double step = 0.05; step > 1e-9;) {
            bool better = false;
            for (const auto& [da, db] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1), std::pair(1, 1),
                                         std::pair(-1, -1), std::pair(1, -1), std::pair(-1, 1)})
                if (const double d = distance(at(a + da * step, b + db * step), byMass); d < best) {
                    best = d;
                    a += da * step;
                    b += db * step;
                    better = true;
                    break;
                }
            if (!better)
                step /= 2;
        }
        return best;
    }
};

} // namespace

class TestNearestStart : public QObject {
    Q_OBJECT
private slots:
    /// To 1e-6: where rods bend the way most, passes end before their changes are round-off, and the distance is flat there.
    void correctionsAreTheSmallest()
    {
        const std::uint64_t seed = seedOr(41);
        for (int i = 0, count = countOr(60); i < count; ++i) {
            Draw draw(seed + static_cast<std::uint64_t>(i));
            Chain chain;
            chain.length = {draw.decimal(0.5, 2), draw.decimal(0.5, 2)};
            const bool wide = i % 2 == 1; // masses that differ by up to 1e8, and starts far away
            chain.mass = {wide ? std::pow(10, draw.between(-3, 5)) : 1,
                          wide ? std::pow(10, draw.between(-3, 5)) : draw.decimal(0.2, 8)};
            const double a = draw.between(0, 2 * std::numbers::pi), b = draw.between(0, 2 * std::numbers::pi),
                         off = wide ? draw.decimal(0.1, 0.7) : draw.decimal(0.01, 0.2);
            const auto true_ = chain.at(a, b);
            std::string text = "format = 1\n";
            for (std::size_t k = 0; k < 2; ++k) {
                for (std::size_t j = 2 * k; j < 2 * k + 2; ++j)
                    chain.start[j] = true_[j] + off * draw.between(-1, 1);
                const std::string name = "b" + std::to_string(k);
                text += "[[body]]\nname = \"" + name + "\"\nkind = \"point\"\nmass = " + text::exact(chain.mass[k])
                        + "\nx = " + text::exact(chain.start[2 * k]) + "\ny = " + text::exact(chain.start[2 * k + 1])
                        + "\n[[joint]]\nname = \"r" + std::to_string(k) + "\"\nkind = \"rod\"\nfrom = \""
                        + (k == 0 ? "ground" : "b0") + "\"\nto = \"" + name + "\"\nlength = " + text::exact(chain.length[k])
                        + "\n";
            }
            const auto model = model::readModel(text, "c.toml");
            QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
            consistency::ConsistencySolver solver(*model::CompiledSystem::compile(*model));
            for (const bool byMass : {false, true}) {
                consistency::Request request;
                request.q.assign(chain.start.begin(), chain.start.end());
                request.v.assign(4, 0);
                request.qFixed.assign(4, false);
                request.vFixed.assign(4, false);
                request.metric = byMass ? consistency::Metric::Mass : consistency::Metric::Identity;
                const auto found = solver.solve(request);
                const std::string told =
                    "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + (byMass ? ", mass" : ", identity");
                QVERIFY2(found.ok(), told.c_str());
                const auto& q = found->state.q;
                const double mine = chain.distance({q[0], q[1], q[2], q[3]}, byMass);
                const double least = chain.nearest(std::atan2(q[1], q[0]), std::atan2(q[3] - q[1], q[2] - q[0]), byMass);
                QVERIFY2(mine <= least * (1 + (wide ? 1e-3 : 1e-6)),
                         (told + ": " + text::exact(mine) + " for " + text::exact(least)).c_str());
                QVERIFY2(found->report.positionAfter < 1e-13, (told + ": " + text::exact(found->report.positionAfter)).c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestNearestStart)
#include "test_nearest_start.moc"
