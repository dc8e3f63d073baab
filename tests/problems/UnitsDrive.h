// One system in two sets of units, run by the same formulation and method, compared step by step.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"
#include "tests/problems/Rewritten.h"

namespace driftless::problems {

struct Outcome {
    bool refused = false, failed = false;
    std::string why;
    std::uint64_t steps = 0, rejected = 0;
    std::vector<double> state; ///< of the watched quantities, in metres, kilograms, seconds
};

constexpr double kUnitsRtol = 1e-7;

inline std::string fileOf(const Subject& subject, const Units& units)
{
    static int number = 0; // a path of its own for each: what was opened is compared with what is read again
    const std::string path = std::string(DRIFTLESS_SCRATCH_DIR) + "/units-" + std::to_string(getpid()) + '-'
                             + std::to_string(++number) + subject.file;
    std::ofstream(path) << rewritten(subject.text, units);
    return path;
}

/// Gains that a formulation brings, in these units.
inline std::vector<std::string> gainsIn(const std::string& formulation, const Subject& subject, const Units& u)
{
    const auto gain = [](const char* name, double value) { return name + ("=" + written(value)); };
    const double row = subject.row.in(u), energy = Dimension{2, 1, -2}.in(u), stiffness = energy / (row * row);
    if (formulation == "baumgarte")
        return {gain("omega", 5 / u.T)};
    if (formulation == "penalty")
        return {gain("k", 1e4 * stiffness), gain("c", 10 * stiffness * u.T)};
    if (formulation == "augmented-lagrangian")
        return {gain("alpha", 1e6 * stiffness * u.T * u.T), gain("omega", 10 / u.T)};
    return {};
}

inline Outcome driven(const Subject& subject, const Units& units, const std::string& formulation, const std::string& method)
{
    Outcome out;
    run::RunRequest request;
    request.model = fileOf(subject, units);
    if (formulation != "index-n")
        request.formulation = formulation;
    request.integrator = method;
    request.relativeTolerance = kUnitsRtol;
    request.gains = gainsIn(formulation, subject, units);
    if (!integrate::findIntegrator(method)->adaptive)
        request.step = subject.step * units.T;
    const auto prepared = run::prepareRun(request);
    std::remove(request.model.c_str());
    if (!prepared) {
        out.refused = true;
        out.why = prepared.error().text();
        return out;
    }
    auto made = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!made) {
        out.refused = true;
        out.why = made.error().text();
        return out;
    }
    const double end = subject.end * units.T;
    constexpr std::uint64_t kMost = 60'000; // a count that has gone astray need not be carried on
    while ((*made)->t() < end && (*made)->status().statistics.steps < kMost && (*made)->step(end))
        ;
    const run::RunStatus status = (*made)->status();
    out.failed = (*made)->t() < end;
    if (status.diagnostic)
        out.why = status.diagnostic->text();
    else if (out.failed)
        out.why = "too many steps";
    out.steps = status.statistics.steps;
    out.rejected = status.statistics.rejected;
    std::map<std::string, double> named;
    for (const auto& [name, value] : (*made)->namedState())
        named[name] = value;
    for (const auto& [name, dimension] : subject.watched)
        out.state.push_back(named.at(name) / dimension.in(units));
    return out;
}

/// What is wrong with the outcome in other units; empty where it is the same.
/// exact: bit for bit; share: by which the count of steps may differ.
inline std::string differs(const Subject& subject, const Outcome& a, const Outcome& b, bool exact, double share)
{
    if (a.refused != b.refused || a.failed != b.failed)
        return b.why.empty() ? "it ends well, other than in metres, kilograms and seconds: " + a.why : b.why;
    const double count = static_cast<double>(a.steps), other = static_cast<double>(b.steps);
    if (std::abs(other - count) > std::max(share * count, share > 0 ? 1.0 : 0.0)) // a share of few steps is less than one
        return std::to_string(b.steps) + " steps in place of " + std::to_string(a.steps);
    for (std::size_t i = 0; i < a.state.size() && !a.failed; ++i) {
        const double allowed =
            exact ? 0 : 10 * kUnitsRtol * std::max(1.0, std::abs(a.state[i])); // ten tolerances, of sizes about one
        if (!(std::abs(a.state[i] - b.state[i]) <= allowed))
            return subject.watched[i].first + " = " + written(b.state[i]) + " in place of " + written(a.state[i]);
    }
    return {};
}

enum class Kind { Explicit, OneStep, Multistep };
struct Tried {
    const char* method;
    Kind kind;
};
/// One of each, fixed step and own step.
inline const std::vector<Tried>& triedMethods()
{
    static const std::vector<Tried> methods{{"rk4", Kind::Explicit},  {"dormand-prince", Kind::Explicit},
                                            {"radau", Kind::OneStep}, {"radau-iia-5", Kind::OneStep},
                                            {"ida", Kind::Multistep}, {"bdf", Kind::Multistep}};
    return methods;
}

/// What was found of one system in one form.
struct Compared {
    std::string wrong;   ///< all that differs, a line each
    int runs = 0;        ///< that were compared with another one, refused ones not among them
    std::string refused; ///< why the form does not take the system
};

inline Compared unitsChange(const Subject& subject, const std::string& formulation, const std::vector<Tried>& methods,
                            const std::vector<Units>& list, bool binary)
{
    Compared out;
    for (const Tried& tried : methods) {
        const Outcome here = driven(subject, {"SI"}, formulation, tried.method);
        if (here.refused) {
            out.refused = here.why;
            continue;
        }
        for (const Units& units : list) {
            const Outcome there = driven(subject, units, formulation, tried.method);
            const double rounded = tried.kind == Kind::Multistep ? 0.1 : 0.02;
            const double share = binary ? 0 : rounded;
            const std::string wrong = differs(subject, here, there, binary && tried.kind == Kind::Explicit, share);
            ++out.runs;
            if (!wrong.empty())
                out.wrong += std::string("\n") + subject.name + ", " + formulation + ", " + tried.method + ", " + units.name
                             + ": " + wrong;
        }
    }
    return out;
}

} // namespace driftless::problems
