// A shipped model, compiled, and settings in one line.
#pragma once

#include <cstdlib>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/system/Model.h"

namespace driftless::test {

inline std::shared_ptr<const model::CompiledSystem> compiled(const std::string& name)
{
    auto model = model::openModel(name);
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

/// A mechanism of which the text is stated.
inline std::shared_ptr<const model::CompiledSystem> compiledMechanism(const std::string& text)
{
    const auto model = model::readModel(text, "stated.toml");
    if (!model)
        qFatal("%s\n%s", model.error().text().c_str(), text.c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

inline run::RunSettings settings(const std::string& formulation, const std::string& integrator, double step,
                                 double tolerance = 1e-9)
{
    run::RunSettings s;
    s.formulation = formulation;
    s.integrator = integrator;
    s.options.step = step;
    s.options.relativeTolerance = s.options.absoluteTolerance = tolerance;
    return s;
}

/// Case 1 and case 2 of [MS91] section 4.
inline run::StartSettings smallSwing() { return {{}, {{"phi", 0.1}, {"phi'", 0.0}}, false}; }
inline run::StartSettings largeSwing() { return {{}, {{"phi", 1.5707963267948966}, {"phi'", -1.0}}, false}; }

inline std::unique_ptr<run::Run> started(const std::string& model, const run::StartSettings& start, const run::RunSettings& s)
{
    auto made = run::Run::create(compiled(model), start, s);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

/// Of a mechanism of which the text is stated.
inline std::unique_ptr<run::Run> startedMechanism(const std::string& text, const run::RunSettings& s)
{
    auto made = run::Run::create(compiledMechanism(text), {}, s);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

/// With a relative tolerance, of the nominal sizes where the file states no absolute one.
inline run::RunSettings relativeSettings(const std::string& formulation, const std::string& integrator, double tolerance)
{
    run::RunSettings s = settings(formulation, integrator, 0, 0);
    s.options.relativeTolerance = tolerance;
    return s;
}

/// A quantity of the state as `driftless run` names it.
inline double valueOf(const run::Run& run, const std::string& name)
{
    for (const auto& [key, value] : run.namedState())
        if (key == name)
            return value;
    qFatal("no quantity %s", name.c_str());
}

} // namespace driftless::test
