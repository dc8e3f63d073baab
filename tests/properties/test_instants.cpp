// When things happen at instants: random samplers, conditions of the time and of a state, corners of an input and places at
// which the run is stopped, all on one grid of decimals, so that many fall together and round-off puts them on either side of
// each other. How often each happens is counted here in whole numbers.
//
// DRIFTLESS_SEED and DRIFTLESS_COUNT draw others, or more.
#include <QtTest>

#include <cmath>
#include <random>
#include <set>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"

using namespace driftless;

namespace {

constexpr int kEnd = 41; ///< of the grid; no instant that is drawn stands there

int fromEnvironment(const char* name, int otherwise)
{
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariableIntValue(name) : otherwise;
}

struct Sampler {
    int start = 0, interval = 1; ///< of the grid
    bool at(int k) const { return k >= start && (k - start) % interval == 0; }
};

/// x' = 1, so that x is the time with the round-off of a method.
struct Instants {
    double grid = 0.05; ///< [s]
    std::vector<Sampler> samplers;
    std::vector<int> times, places, corners, stops;
    std::string method;

    explicit Instants(std::mt19937& random)
    {
        const auto any = [&random](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
        grid = std::vector<double>{0.05, 0.1, 1e-3, 7, 1.0 / 3}[static_cast<std::size_t>(any(0, 4))];
        method = std::vector<std::string>{
            "ida", "bdf", "radau", "dormand-prince", "dop853", "adams"}[static_cast<std::size_t>(any(0, 5))];
        for (int k = any(1, 3); k > 0; --k)
            samplers.push_back({.start = any(0, 6), .interval = any(1, 9)});
        std::set<int> corner, stop;
        for (int k = any(0, 2); k > 0; --k)
            times.push_back(any(1, kEnd - 1));
        for (int k = any(0, 2); k > 0; --k)
            places.push_back(any(1, kEnd - 1));
        for (int k = any(0, 3); k > 0; --k)
            corner.insert(any(1, kEnd - 1));
        for (int k = any(0, 3); k > 0; --k)
            stop.insert(any(1, kEnd - 1));
        corners.assign(corner.begin(), corner.end());
        stops.assign(stop.begin(), stop.end());
    }

    static std::string number(double x) { return QString::number(x, 'g', 17).toStdString(); }
    static std::string name(char of, std::size_t i) { return of + std::to_string(i); }
    /// A short decimal where it is one, as a person writes it; else what the machine has of the product.
    std::string at(int k) const
    {
        const std::string all = number(grid * k), decimal = QString::number(grid * k, 'g', 12).toStdString();
        return decimal.size() < 8 ? decimal : all;
    }

    std::string text() const
    {
        std::string declared = "  Real x(start = 0, fixed = true);\n", equations = "  der(x) = 1;\n";
        if (!corners.empty()) {
            std::string table = "{0, 0}";
            for (std::size_t i = 0; i < corners.size(); ++i)
                table += ", {" + at(corners[i]) + ", " + std::to_string(i + 1) + "}";
            declared += "  input Real u annotation(__Driftless(table = {" + table + "}, between = \"held\"));\n  Integer c;\n";
            equations +=
                "  when u > " + number(static_cast<double>(corners.size()) - 0.5) + " then c = pre(c) + 1; end when;\n";
        }
        std::string together;
        for (std::size_t i = 0; i < samplers.size(); ++i) {
            const std::string condition = "sample(" + at(samplers[i].start) + ", " + at(samplers[i].interval) + ")";
            together += (i ? ", " : "") + condition;
            declared += "  Integer " + name('n', i) + ";\n";
            equations += "  when " + condition + " then " + name('n', i) + " = pre(" + name('n', i) + ") + 1; end when;\n";
        }
        declared += "  Integer all;\n";
        equations += "  when {" + together + "} then all = pre(all) + 1; end when;\n";
        const auto watch = [&](char kind, const std::vector<int>& list, const char* what) {
            for (std::size_t i = 0; i < list.size(); ++i) {
                declared += "  Integer " + name(kind, i) + "(start = -1);\n";
                equations +=
                    std::string("  when ") + what + " >= " + at(list[i]) + " then " + name(kind, i) + " = n0; end when;\n";
            }
        };
        watch('t', times, "time");
        watch('p', places, "x");
        return "model m\n" + declared + "equation\n" + equations + "end m;\n";
    }

    /// Of every counter at the end.
    std::map<std::string, int> expected() const
    {
        std::map<std::string, int> out;
        const auto count = [this](std::size_t i, int until) {
            int n = 0;
            for (int k = 0; k <= until; ++k)
                n += samplers[i].at(k);
            return n;
        };
        for (std::size_t i = 0; i < samplers.size(); ++i)
            out[name('n', i)] = count(i, kEnd);
        for (int k = 0; k <= kEnd; ++k)
            out["all"] += std::ranges::any_of(samplers, [k](const Sampler& s) { return s.at(k); });
        for (std::size_t i = 0; i < times.size(); ++i)
            out[name('t', i)] = count(0, times[i]);
        for (std::size_t i = 0; i < places.size(); ++i)
            out[name('p', i)] = count(0, places[i]);
        if (!corners.empty())
            out["c"] = 1;
        return out;
    }
};

QString fault(const Instants& one)
{
    const auto model = reduction::readModel(one.text(), "m.mo");
    if (!model)
        return QString::fromStdString(model.error().text());
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return QString::fromStdString(system.error().text());
    run::RunSettings s;
    s.formulation = "dummy-derivatives";
    s.integrator = one.method;
    const auto run = run::Run::create(*system, {}, s);
    if (!run)
        return QString::fromStdString(run.error().text());
    for (const int stop : one.stops)
        (*run)->advanceTo(one.grid * stop);
    (*run)->advanceTo(one.grid * (kEnd + 0.5));
    if ((*run)->failed())
        return QString::fromStdString((*run)->status().diagnostic->text());
    std::map<std::string, double> found;
    for (const auto& [name, value] : (*run)->namedState())
        found[name] = value;
    // Newton's iteration leaves an error in x, so that it may be there just before or behind an instant; and where the run is
    // stopped by round-off before an instant, x is there first.
    const bool apart = one.method == "ida" || one.method == "bdf" || one.method == "radau" || !one.stops.empty();
    for (const auto& [name, value] : one.expected())
        if (found.at(name) != value && !(apart && name[0] == 'p' && found.at(name) == value - 1))
            return QString("%1 = %2, %3 is right").arg(QString::fromStdString(name)).arg(found.at(name)).arg(value);
    return {};
}

} // namespace

class TestInstants : public QObject {
    Q_OBJECT

private slots:
    void eachHappensOnce_andThoseThatAreOneTogether()
    {
        const int seed = fromEnvironment("DRIFTLESS_SEED", 2024), count = fromEnvironment("DRIFTLESS_COUNT", 200);
        qInfo("DRIFTLESS_SEED=%d, %d models", seed, count);
        for (int i = 0; i < count; ++i) {
            std::mt19937 random(static_cast<unsigned>(seed + i));
            const Instants one(random);
            const QString wrong = fault(one);
            QString stops;
            for (const int stop : one.stops)
                stops += QString(" %1").arg(one.grid * stop, 0, 'g', 17);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("DRIFTLESS_SEED=%1 DRIFTLESS_COUNT=1, %2, stopped at%3: %4\n%5")
                                                     .arg(seed + i)
                                                     .arg(QString::fromStdString(one.method), stops, wrong,
                                                          QString::fromStdString(one.text()))));
        }
    }
};

QTEST_GUILESS_MAIN(TestInstants)
#include "test_instants.moc"
