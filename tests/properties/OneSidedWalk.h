// Points in a box or between a floor and a roof, with struts, strings and sliders with stops, drawn at random: without friction
// energy never grows, momentum along the floor is kept where no wall stands in its way, the balance holds, nothing passes a
// contact, and a run repeats itself to the last bit.
#pragma once

#include <QtTest>

#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "tests/support/Draw.h"

namespace driftless::test {

/// Walls of the box -2 <= x <= 2, 0 <= y <= 3 for one point; open: without those at the sides.
inline std::string boxOf(const std::string& body, bool open, Draw& draw)
{
    const struct {
        const char *name, *at, *angle;
    } walls[] = {{"floor", "[0, 0]", "0"}, {"roof", "[0, 3]", "pi"}, {"right", "[2, 0]", "pi/2"}, {"left", "[-2, 0]", "-pi/2"}};
    static constexpr const char* kRestitutions[] = {"0", "0.3", "0.6", "0.9", "1"};
    std::string out;
    for (const auto& wall : std::span(walls, open ? 2 : 4))
        out += "[[joint]]\nname = \"" + std::string(wall.name) + "_" + body
               + "\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = " + wall.at + " }\nto = \"" + body + "\"\nangle = \""
               + wall.angle + "\"\nrestitution = " + draw.among(kRestitutions) + "\n";
    return out;
}

/// A block on a rail between two stops, above the box.
inline std::string sliderWithStops(Draw& draw)
{
    return "[[body]]\nname = \"block\"\nkind = \"point\"\nmass = " + std::to_string(draw.decimal(0.2, 5))
           + "\nx = { start = 0, velocity = " + std::to_string(draw.decimal(-3, 3))
           + " }\ny = { start = 4, velocity = 0 }\n[[joint]]\nname = \"rail\"\nkind = \"slider\"\nfrom = { body = \"ground\", "
             "at = "
             "[0, 4] }\nto = \"block\"\nangle = 0\n[[joint]]\nname = \"ends\"\nkind = \"stop\"\njoint = \"rail\"\nlower = "
           + std::to_string(draw.decimal(-2, -0.1)) + "\nupper = " + std::to_string(draw.decimal(0.1, 2))
           + "\nrestitution = " + std::to_string(draw.decimal(0, 1)) + "\n";
}

struct OneSidedCase {
    std::string text;
    int points = 0;
    bool open = false; ///< no wall holds the points along the floor
};

inline OneSidedCase drawnOneSided(Draw& draw)
{
    const int count = draw.upTo(1, 3);
    const bool open = draw.chance(0.3), slider = draw.chance(0.25);
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
        out += boxOf("b" + std::to_string(i), open, draw);
    for (int i = 1; i < count; ++i) {
        const double distance = std::hypot(at[i].first - at[i - 1].first, at[i].second - at[i - 1].second);
        const std::string ends = "\nfrom = \"b" + std::to_string(i - 1) + "\"\nto = \"b" + std::to_string(i) + "\"\n";
        out += "[[joint]]\nname = \"strut" + std::to_string(i) + "\"\nkind = \"strut\"" + ends
               + "length = " + std::to_string(0.4 * distance) + "\nrestitution = 0.7\n";
        if (draw.chance(0.5))
            out += "[[joint]]\nname = \"string" + std::to_string(i) + "\"\nkind = \"string\"" + ends
                   + "length = " + std::to_string(distance * draw.between(1.01, 1.8)) + "\nrestitution = 0.4\n";
    }
    if (slider)
        out += sliderWithStops(draw);
    if (draw.chance(0.7))
        out += "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
    return {.text = out, .points = count, .open = open};
}

struct OneSidedRun {
    std::unique_ptr<run::Run> run;
    std::string failure; ///< empty: all holds
};

inline std::unique_ptr<run::Run> begunOneSided(const OneSidedCase& drawn, const std::string& formulation,
                                               const std::string& method, std::string& failure)
{
    const auto model = model::readModel(drawn.text, "drawn.toml");
    const auto system = model ? model::CompiledSystem::compile(*model) : model.error();
    if (!system) {
        failure = system.error().text();
        return nullptr;
    }
    run::RunSettings settings;
    settings.formulation = formulation;
    settings.integrator = method;
    settings.options.step = 0;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-8;
    auto made = run::Run::create(*system, {}, settings);
    if (!made)
        failure = made.error().text();
    return made ? std::move(*made) : nullptr;
}

/// Of the points, along the floor.
inline double momentumAlong(const run::Run& run, const OneSidedCase& drawn, const std::vector<double>& masses,
                            std::uint64_t row)
{
    const run::RecordingView view = run.recording();
    double out = 0;
    for (int i = 0; i < drawn.points; ++i)
        out += masses[static_cast<std::size_t>(i)] * view.value(row, view.n() + 2 * i);
    return out;
}

inline std::string judgeOneSidedRun(const run::Run& run, const OneSidedCase& drawn)
{
    const run::RecordingView view = run.recording();
    const int energy = view.findColumn("energy");
    const double begin = view.value(0, energy), asked = 1e-5 * (1 + std::abs(begin)); // a thousand steps, each errs by 1e-8
    std::string out;
    for (const run::Event& e : run.events())
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && impact->energy > 1e-12 * (1 + std::abs(begin)))
            out = "an impact brings " + std::to_string(impact->energy) + " J"; // beyond round-off of the energies
    if (std::abs(run.status().energyError) > asked)
        out = "the balance misses " + std::to_string(run.status().energyError) + " J";
    std::vector<double> masses;
    for (const model::MassEntry& entry : run.system().system().mass)
        if (entry.row == entry.column && entry.row % 2 == 0)
            masses.push_back(entry.value.constantValue().value_or(0));
    const double momentum = momentumAlong(run, drawn, masses, 0);
    for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
        const std::string at = " at t = " + std::to_string(view.time(r));
        if (view.value(r, energy) > begin + asked)
            out = "the energy has grown to " + std::to_string(view.value(r, energy)) + " J" + at;
        if (drawn.open && std::abs(momentumAlong(run, drawn, masses, r) - momentum) > 1e-5 * (1 + std::abs(momentum)))
            out = "the momentum along the floor has become " + std::to_string(momentumAlong(run, drawn, masses, r)) + at;
        for (int k = 0; k < 2 * drawn.points; ++k) { // x and y of each point in turn
            const double low = k % 2 ? 0 : -2, high = k % 2 ? 3 : 2, q = view.value(r, k);
            const bool bounded = k % 2 || !drawn.open;
            if (bounded && (q < low - 1e-5 || q > high + 1e-5)) // a thousand tolerances: index 2 drifts
                out = view.columns()[static_cast<std::size_t>(k)].name + " = " + std::to_string(q) + at;
        }
    }
    return out;
}

inline OneSidedRun walkOneSided(const OneSidedCase& drawn, const std::string& formulation, const std::string& method,
                                double end)
{
    OneSidedRun out;
    out.run = begunOneSided(drawn, formulation, method, out.failure);
    if (!out.run)
        return out;
    if (out.run->advanceTo(end))
        out.failure = judgeOneSidedRun(*out.run, drawn);
    else
        out.failure = out.run->status().diagnostic ? out.run->status().diagnostic->text() : "it did not get on";
    return out;
}

inline void judgeOneSided(std::uint64_t first, int usual, double end)
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
        const OneSidedCase drawn = drawnOneSided(draw);
        const Way way = draw.among(kWays);
        const auto label = "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + way.formulation + " with "
                           + way.method + ": ";
        const OneSidedRun one = walkOneSided(drawn, way.formulation, way.method, end);
        if (!one.failure.empty()) {
            missed += label + one.failure + "\n";
            std::fprintf(stderr, "%s%s\n%s\n", label.c_str(), one.failure.c_str(),
                         drawn.text.c_str()); // Qt Test cuts long messages
        }
        if (!one.run)
            continue;
        const OneSidedRun again = walkOneSided(drawn, way.formulation, way.method, end);
        if (one.run->namedState() != again.run->namedState() || one.run->acceptedSteps() != again.run->acceptedSteps())
            missed += label + "does not repeat itself\n";
        for (const run::Event& e : one.run->events())
            impacts += e.kind() == run::EventKind::Impact;
    }
    QVERIFY2(missed.empty(), missed.c_str());
    QVERIFY(impacts > 0);
}

} // namespace driftless::test
