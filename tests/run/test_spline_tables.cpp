// label: release
// Natural cubic splines with pieces that a long step would not see: a point mass that such a force pushes has the integral of
// the spline as its velocity, which is known exactly.
#include <QtTest>

#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

struct Table {
    std::vector<double> t, u;
};

/// Second derivatives at the rows by elimination, zero at both ends.
std::vector<double> bends(const Table& table)
{
    const std::size_t n = table.t.size();
    std::vector<double> diagonal(n, 1), right(n, 0), upper(n, 0), out(n, 0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double before = table.t[k] - table.t[k - 1], after = table.t[k + 1] - table.t[k];
        diagonal[k] = 2 * (before + after);
        upper[k] = after;
        right[k] = 6 * ((table.u[k + 1] - table.u[k]) / after - (table.u[k] - table.u[k - 1]) / before);
        if (k > 1) {
            const double factor = before / diagonal[k - 1];
            diagonal[k] -= factor * upper[k - 1];
            right[k] -= factor * right[k - 1];
        }
    }
    for (std::size_t k = n - 1; k-- > 1;)
        out[k] = (right[k] - upper[k] * out[k + 1]) / diagonal[k];
    return out;
}

/// Of the spline from 0 to `end`; constant before the first and behind the last row.
double integral(const Table& table, double end)
{
    const std::vector<double> bend = bends(table);
    double out = table.t.front() * table.u.front() + (end - table.t.back()) * table.u.back();
    for (std::size_t k = 0; k + 1 < table.t.size(); ++k) {
        const double h = table.t[k + 1] - table.t[k];
        out += h * (table.u[k] + table.u[k + 1]) / 2 - h * h * h * (bend[k] + bend[k + 1]) / 24;
    }
    return out;
}

Table drawn(Draw& draw)
{
    Table out;
    double t = draw.between(0.05, 0.3);
    if (draw.chance(0.4)) { // a pulse, or two, among rows that are as far apart as all others
        const double apart = std::pow(10, -draw.between(1.5, 3));
        for (int k = 0, rows = draw.upTo(20, 200); k < rows; ++k)
            out.t.push_back(t + k * apart);
        out.u.assign(out.t.size(), draw.chance(0.5) ? 0 : draw.between(-1, 1));
        for (int k = draw.upTo(1, 2); k > 0; --k)
            out.u[static_cast<std::size_t>(draw.upTo(3, static_cast<int>(out.u.size()) - 4))] += draw.between(1, 2);
        return out;
    }
    for (int k = 0, rows = draw.upTo(3, 9); k < rows; ++k) {
        out.t.push_back(t);
        out.u.push_back(draw.between(-2, 2));
        t += draw.chance(0.4) ? std::pow(10, -draw.between(1, 3)) : draw.between(0.1, 0.5);
    }
    return out;
}

} // namespace

class TestSplineTables : public QObject {
    Q_OBJECT

private slots:
    void noPieceIsPassedUnseen()
    {
        static const char* const methods[] = {"odex", "dop853", "radau-9", "radau-13", "dormand-prince", "bdf", "ida"};
        const std::uint64_t seed = seedOr(5);
        for (int k = 0, count = countOr(70); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const Table table = drawn(draw);
            const double end = table.t.back() + 0.2;
            std::string text =
                "format = 1\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\n[[force]]\nkind = \"force\"\nbody = "
                "\"a\"\nx = \"u\"\n[[input]]\nname = \"u\"\nbetween = \"spline\"\ntable = [";
            double largest = 1;
            for (std::size_t i = 0; i < table.t.size(); ++i) {
                text += "[" + QByteArray::number(table.t[i], 'g', 17).toStdString() + ", "
                        + QByteArray::number(table.u[i], 'g', 17).toStdString() + "], ";
                if (i > 0)
                    largest = std::max(largest, std::abs((table.u[i] - table.u[i - 1]) / (table.t[i] - table.t[i - 1])));
            }
            const auto model = model::readModel(text + "]\n", "table.toml");
            QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
            const char* method = methods[static_cast<std::size_t>(k) % std::size(methods)];
            auto run = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings("index-1", method, 0.01, 1e-9));
            QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
            QVERIFY((*run)->advanceTo(end));
            const double error = std::abs(valueOf(**run, "a.x'") - integral(table, end));
            // A hundred tolerances for the steps of a second, and as many for the height that a steep spline reaches beside its
            // rows.
            QVERIFY2(error <= 1e-7 * (1 + largest),
                     ("seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + method + ": "
                      + QByteArray::number(error).toStdString() + '\n' + text + "]")
                         .c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestSplineTables)
#include "test_spline_tables.moc"
