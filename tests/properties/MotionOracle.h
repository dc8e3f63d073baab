// What every run of a system with a known motion must say; an empty text where all is right.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "core/formulation/Formulation.h"
#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "tests/properties/KnownMotion.h"

namespace driftless::test {

/// How many forms carried a case, and how many refused it.
struct Tally {
    std::map<std::string, int> ran, refused, stopped;
    double worst = 0; ///< error of a position
};

inline constexpr double kMotionEnd = 0.4; ///< [s] a good part of a swing
inline constexpr double kTolerance = 1e-9;

/// Forms that approximate the constraints by stiff springs and dampers move as those do: by lambda over the stiffness, which a
/// nonholonomic row adds up over the time. They are asked to stay near.
inline constexpr double kNear = 0.1;
inline bool approximates(const std::string& form) { return form == "penalty" || form == "augmented-lagrangian"; }

/// Forms whose rows are combined by one multiplier lose rank at single points of a motion, where nothing is singular in the
/// system itself; a run stops there and says so. What it has computed until then is right.
inline bool mayStop(const std::string& form) { return form == "odae-ssf" || form == "extended-3.16"; }

/// Errors of single steps add up over the motion and grow with its derivatives: a thousand tolerances. Index 3 tells
/// multipliers from the third difference of positions, hence the larger share for them.
inline std::string judgeRun(const KnownMotion& known, const run::Run& run, const std::string& form, Tally& tally)
{
    const auto status = run.status();
    if (run.failed() && (!mayStop(form) || !status.diagnostic || status.diagnostic->why.empty()))
        return form + " failed: " + (status.diagnostic ? status.diagnostic->text() : "");
    tally.stopped[form] += run.failed();
    std::map<std::string, double> state;
    for (const auto& [name, value] : run.namedState())
        state[name] = value;
    const double t = run.t();
    for (int i = 0; i < known.n(); ++i) {
        const auto found = state.find(KnownMotion::name(i));
        if (found == state.end())
            return form + " has no " + KnownMotion::name(i);
        const double error = std::abs(found->second - known.position(i, t));
        if (!approximates(form))
            tally.worst = std::max(tally.worst, error);
        if (!(error <= (approximates(form) ? kNear : 1e3 * kTolerance)))
            return form + ": " + KnownMotion::name(i) + " is wrong by " + std::to_string(error * 1e9)
                   + "e-9 at t = " + std::to_string(t);
    }
    if (run.failed())
        return {}; // its multipliers have begun to go
    // Multipliers of index 3 are second differences of positions: their errors grow with 1/h^2, to 0.05 in one of 1,000
    // systems.
    for (const auto& [name, value] : known.multipliers(t))
        if (const auto found = state.find(name); found != state.end() && !approximates(form))
            if (!(std::abs(found->second - value) <= (form == "index-3" ? 1e-1 : 1e-3) * (1 + std::abs(value))))
                return form + ": " + name + " is " + std::to_string(found->second) + " and not " + std::to_string(value);
    return {};
}

/// Every form that does not refuse meets the motion; those that need nothing special do not refuse. What is wrong, by form.
inline std::map<std::string, std::string> judgeMotion(const MotionShape& shape, Tally& tally)
{
    const KnownMotion known(shape);
    const auto model = model::readModel(known.text(), "drawn.toml");
    if (!model)
        return {{"reading", model.error().text()}};
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return {{"compiling", system.error().text()}};
    std::map<std::string, std::string> faults;
    for (const auto& form : formulation::formulations()) {
        run::RunSettings settings;
        settings.formulation = form->info().id;
        settings.integrator = "radau";
        settings.options.relativeTolerance = settings.options.absoluteTolerance = kTolerance;
        settings.options.step = 0;
        auto run = run::Run::create(*system, {}, settings);
        if (!run) {
            ++tally.refused[settings.formulation];
            for (const char* plain : {"index-1", "index-2", "index-3", "ggl", "dummy-derivatives"})
                if (settings.formulation == plain)
                    faults[plain] = "refuses: " + run.error().text();
            if (run.error().what.empty())
                faults[settings.formulation] = "refuses without a reason";
            continue;
        }
        ++tally.ran[settings.formulation];
        (*run)->advanceTo(kMotionEnd);
        if (const std::string fault = judgeRun(known, **run, settings.formulation, tally); !fault.empty())
            faults[settings.formulation] = fault;
    }
    return faults;
}

/// count systems from a seed; how often each form is wrong, and the first case of each made smaller.
inline std::string walkMotions(std::uint64_t seed, int count, Tally& tally)
{
    std::map<std::string, std::pair<int, MotionShape>> wrong;
    for (int k = 0; k < count; ++k) {
        const MotionShape shape = drawShape(seed + static_cast<std::uint64_t>(k));
        for (const auto& [form, fault] : judgeMotion(shape, tally))
            ++wrong.try_emplace(form, 0, shape).first->second.first;
    }
    std::string out;
    Tally apart;
    for (const auto& [form, cases] : wrong) {
        const std::string& name = form;
        const auto fails = [&](const MotionShape& s) { return judgeMotion(s, apart).count(name) > 0; };
        const MotionShape least = shrunk(cases.second, smallerShapes, fails, 20);
        out += "\n" + name + " is wrong in " + std::to_string(cases.first) + " of " + std::to_string(count) + ": "
               + cases.second.told() + "\nsmallest: " + least.told() + "\n" + judgeMotion(least, apart)[name] + "\n"
               + KnownMotion(least).text() + "\n";
    }
    return out;
}

} // namespace driftless::test
