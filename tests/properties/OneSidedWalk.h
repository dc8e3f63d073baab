// Points in a box with walls, struts, strings and rods, drawn at random: without friction no impact brings energy, the balance
// holds, nothing passes a contact, and a run repeats itself to the last bit.
#pragma once

#include <QtTest>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "tests/support/Draw.h"

namespace driftless::test {

/// Walls of the box -2 <= x <= 2, 0 <= y <= 3 for one point.
inline std::string boxOf(const std::string& body, Draw& draw)
{
    const struct {
        const char *name, *at, *angle;
    } walls[] = {{"floor", "[0, 0]", "0"}, {"right", "[2, 0]", "pi/2"}, {"roof", "[0, 3]", "pi"}, {"left", "[-2, 0]", "-pi/2"}};
    static constexpr const char* kRestitutions[] = {"0", "0.3", "0.6", "0.9", "1"};
    std::string out;
    for (const auto& wall : walls)
        out += "[[joint]]\nname = \"" + std::string(wall.name) + "_" + body
               + "\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = " + wall.at + " }\nto = \"" + body + "\"\nangle = \""
               + wall.angle + "\"\nrestitution = " + draw.among(kRestitutions) + "\n";
    return out;
}

inline std::string drawnOneSided(Draw& draw)
{
    const int count = draw.upTo(1, 3);
    std::string out = "format = 1\n";
    out += draw.chance(0.4) ? "impacts = \"simultaneous\"\n" : "";
    std::vector<std::pair<double, double>> at;
    for (int i = 0; i < count; ++i) {
        const double x = -1.2 + i + draw.decimal(-0.1, 0.1), y = draw.decimal(0.4, 1.6);
        at.emplace_back(x, y);
        out +=
            "[[body]]\nname = \"b" + std::to_string(i) + "\"\nkind = \"point\"\nmass = " + std::to_string(draw.decimal(0.2, 5));
        out += "\nx = { start = " + std::to_string(at[i].first) + ", velocity = " + std::to_string(draw.decimal(-3, 3)) + " }";
        out +=
            "\ny = { start = " + std::to_string(at[i].second) + ", velocity = " + std::to_string(draw.decimal(-3, 3)) + " }\n";
    }
    for (int i = 0; i < count; ++i)
        out += boxOf("b" + std::to_string(i), draw);
    for (int i = 1; i < count; ++i) {
        const double distance = std::hypot(at[i].first - at[i - 1].first, at[i].second - at[i - 1].second);
        const std::string ends = "\nfrom = \"b" + std::to_string(i - 1) + "\"\nto = \"b" + std::to_string(i) + "\"\n";
        out += "[[joint]]\nname = \"strut" + std::to_string(i) + "\"\nkind = \"strut\"" + ends
               + "length = " + std::to_string(0.4 * distance) + "\nrestitution = 0.7\n";
        if (draw.chance(0.5))
            out += "[[joint]]\nname = \"string" + std::to_string(i) + "\"\nkind = \"string\"" + ends
                   + "length = " + std::to_string(distance * draw.between(1.01, 1.8)) + "\nrestitution = 0.4\n";
    }
    if (draw.chance(0.7))
        out += "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
    return out;
}

struct OneSidedRun {
    std::unique_ptr<run::Run> run;
    std::string failure; ///< empty: all holds
};

inline OneSidedRun walkOneSided(const std::string& text, const std::string& formulation, const std::string& method, double end)
{
    OneSidedRun out;
    const auto model = model::readModel(text, "drawn.toml");
    if (!model)
        return {nullptr, model.error().text()};
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return {nullptr, system.error().text()};
    run::RunSettings settings;
    settings.formulation = formulation;
    settings.integrator = method;
    settings.options.step = 0;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-8;
    auto made = run::Run::create(*system, {}, settings);
    if (!made)
        return {nullptr, made.error().text()};
    out.run = std::move(*made);
    const double begin = out.run->status().energy;
    if (!out.run->advanceTo(end))
        out.failure = out.run->status().diagnostic ? out.run->status().diagnostic->text() : "it did not get on";
    for (const run::Event& e : out.run->events())
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && impact->energy > 1e-12 * (1 + std::abs(begin)))
            out.failure = "an impact brings " + std::to_string(impact->energy) + " J"; // beyond round-off of the energies
    // A thousand steps that each may err by 1e-8 of what moves.
    if (std::abs(out.run->status().energyError) > 1e-5 * (1 + std::abs(begin)))
        out.failure = "the balance misses " + std::to_string(out.run->status().energyError) + " J";
    const run::RecordingView view = out.run->recording();
    for (std::uint64_t r = 0; r < view.rowCount(); ++r)
        for (int k = 0; k < view.n(); ++k) { // x and y of each point in turn
            const double low = k % 2 ? 0 : -2, high = k % 2 ? 3 : 2, q = view.value(r, k);
            if (q < low - 1e-5 || q > high + 1e-5) // a thousand tolerances: index 2 drifts
                out.failure = view.columns()[static_cast<std::size_t>(k)].name + " = " + std::to_string(q)
                              + " at t = " + std::to_string(view.time(r));
        }
    return out;
}

inline void judgeOneSided(std::uint64_t first, int usual)
{
    struct Way {
        const char *formulation, *method;
    };
    static constexpr Way kWays[] = {
        {"index-1", "dop853"}, {"dummy-derivatives", "ida"}, {"projection", "dop853"}, {"index-2", "ida"}};
    const std::uint64_t seed = seedOr(first);
    int impacts = 0;
    std::string missed; ///< a line for each case
    for (int k = 0; k < countOr(usual); ++k) {
        Draw draw(seed + static_cast<std::uint64_t>(k));
        const std::string text = drawnOneSided(draw);
        const Way way = draw.among(kWays);
        const auto label = "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + way.formulation + " with "
                           + way.method + ": ";
        const OneSidedRun one = walkOneSided(text, way.formulation, way.method, 3);
        if (!one.failure.empty()) {
            missed += label + one.failure + "\n";
            std::fprintf(stderr, "%s%s\n%s\n", label.c_str(), one.failure.c_str(), text.c_str()); // Qt Test cuts long messages
        }
        if (!one.run)
            continue;
        const OneSidedRun again = walkOneSided(text, way.formulation, way.method, 3);
        if (one.run->namedState() != again.run->namedState() || one.run->acceptedSteps() != again.run->acceptedSteps())
            missed += label + "does not repeat itself\n";
        for (const run::Event& e : one.run->events())
            impacts += e.kind() == run::EventKind::Impact;
    }
    QVERIFY2(missed.empty(), missed.c_str());
    QVERIFY(impacts > 0);
}

} // namespace driftless::test
