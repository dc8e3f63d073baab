// A shipped mechanism carried to a list of times, with what the state was there, for tests of its expected behaviour.
#pragma once

#include <QtTest>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/system/CompiledSystem.h"

namespace driftless::problems {

struct Sampled {
    double t = 0;
    std::map<std::string, double> at; ///< positions, velocities (NAME'), multipliers

    double operator[](const std::string& name) const
    {
        const auto found = at.find(name);
        if (found == at.end())
            qFatal("no quantity %s", name.c_str());
        return found->second;
    }
};

struct Motion {
    std::vector<Sampled> samples; ///< the start and the times asked for
    run::RunStatus status;
    std::string why; ///< empty when it got to the end

    const Sampled& start() const { return samples.front(); }
    const Sampled& end() const { return samples.back(); }
};

struct Drive {
    std::string formulation = "ggl", integrator = "radau";
    double tolerance = 1e-9; ///< relative and absolute; multipliers follow at the square root of it
    run::StartSettings start = {};
};

/// Adaptive methods commit about their tolerance a step, some hundred steps a second on mechanisms of this size, and errors
/// grow with the motion: in t seconds up to 1000 tol (1 + t) of the quantity's own size. A wrong equation shows in the second
/// digit.
inline double promised(double tolerance, double t, double size = 1) { return 1000 * tolerance * (1 + t) * size; }

inline std::shared_ptr<const model::CompiledSystem> compiledModel(const Result<std::shared_ptr<const model::Model>>& opened)
{
    if (!opened)
        qFatal("%s", opened.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*opened);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

inline Motion moved(std::shared_ptr<const model::CompiledSystem> system, const std::vector<double>& times,
                    const Drive& drive = {})
{
    run::RunSettings settings;
    settings.formulation = drive.formulation;
    settings.integrator = drive.integrator;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = drive.tolerance;
    auto made = run::Run::create(std::move(system), drive.start, settings);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    Motion motion;
    const auto take = [&] {
        Sampled s;
        s.t = (*made)->t();
        for (const auto& [name, value] : (*made)->namedState())
            s.at[name] = value;
        motion.samples.push_back(std::move(s));
    };
    take();
    for (const double t : times) {
        if (!(*made)->advanceTo(t)) {
            motion.status = (*made)->status();
            motion.why = motion.status.diagnostic ? motion.status.diagnostic->text() : "it stopped without a reason";
            return motion;
        }
        take();
    }
    motion.status = (*made)->status();
    return motion;
}

inline Motion moved(const std::string& name, const std::vector<double>& times, const Drive& drive = {})
{
    return moved(compiledModel(model::openModel(name)), times, drive);
}

/// count equal intervals up to end.
inline std::vector<double> evenly(double end, int count)
{
    std::vector<double> out;
    for (int k = 1; k <= count; ++k)
        out.push_back(end * k / count);
    return out;
}

struct Place {
    double x = 0, y = 0;
};

/// Where circles about a and b of radii r and s meet, left of the way from a to b (side = 1) or right of it (side = -1).
inline Place meet(Place a, double r, Place b, double s, int side)
{
    const double dx = b.x - a.x, dy = b.y - a.y, d = std::hypot(dx, dy), along = (r * r - s * s + d * d) / (2 * d),
                 across = side * std::sqrt(r * r - along * along);
    return {a.x + (along * dx - across * dy) / d, a.y + (along * dy + across * dx) / d};
}

} // namespace driftless::problems

#define VERIFY_NEAR(actual, expected, allowed)                                                                                 \
    do {                                                                                                                       \
        const double actual_ = (actual), expected_ = (expected), allowed_ = (allowed);                                         \
        QVERIFY2(std::abs(actual_ - expected_) <= allowed_, qPrintable(QString("%1: %2 instead of %3, off by %4, allowed %5")  \
                                                                           .arg(#actual)                                       \
                                                                           .arg(actual_, 0, 'g', 14)                           \
                                                                           .arg(expected_, 0, 'g', 14)                         \
                                                                           .arg(actual_ - expected_)                           \
                                                                           .arg(allowed_)));                                   \
    } while (false)
