// What a run came to, as data: what `driftless run` prints as JSON, what a study keeps of each of its runs, and what measures
// are taken from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/run/Run.h"

namespace driftless::run {

/// Names and their values, in the order of the model.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

struct RunReport {
    struct Happened {
        double t = 0;     ///< [s]
        std::string kind; ///< eventKindName
        std::string text; ///< for people
        /// Of impacts, changes of the mode and crossings: what happened, for programs.
        struct Data {
            std::vector<std::string> bodies{}, contacts{};
            double impulse = 0, energy = 0; ///< [N s], [J]
            bool angular = false;           ///< the impulse is one about a pin [N m s]
            std::string from{}, to{};       ///< modes
            int index = -1;
            std::vector<std::pair<std::string, double>> set{}, reinit{}; ///< of models of equations
            std::string law{};                                           ///< of an impact with friction
            double gain = 0;                                             ///< [J] that the law of impact has brought
        };
        std::optional<Data> data{};
    };
    struct Reason {
        std::string what, where, why, remedy; ///< of a Diagnostic; where with its place in a file
    };
    /// What the error test of the integrator takes besides differential unknowns.
    struct Tested {
        bool dependent = false, multipliers = false;
        double multiplierTolerance = 0; ///< 0: none of their own
        std::string text;
    };

    std::string model, formulation, integrator;
    std::string status;   ///< "completed", "failed", "refused"
    bool began = false;   ///< false: refused before its first state; only the names above and the diagnostic are there
    double t = 0;         ///< [s]
    NamedNumbers state;   ///< positions, velocities, multipliers and auxiliaries at the end; NaN where there is none
    NamedNumbers outputs; ///< of the model, at the end; NaN for one that leaves its domain there
    std::vector<std::string> setAside; ///< constraints that follow from others
    ResidualNorms residual, maxResidual;
    double energy = 0, energyError = 0; ///< [J]; NaN where the model has no energy
    DriftClass drift;
    integrate::Statistics statistics;
    std::uint64_t pivots = 0;
    std::optional<double> wallSeconds; ///< [s]; none in what has to be the same on every machine
    std::optional<Tested> errorTest;   ///< none: a method of fixed steps
    std::vector<Happened> events;
    std::optional<Reason> diagnostic; ///< why it failed or was refused

    // What a study adds.
    std::optional<double> tolerance;          ///< askedTolerance
    NamedNumbers parameters;                  ///< at the end
    std::optional<std::uint64_t> recordEvery; ///< each so manyth row is kept
};

RunReport reportOf(const Run& run);
/// The formulation of measured data, which stands in place of a run.
inline constexpr std::string_view kMeasured = "measured";
/// A run that was refused before its first state.
RunReport refusalOf(const std::string& model, const RunSettings& settings, const Diagnostic& diagnostic);
RunReport::Reason reasonOf(const Diagnostic& diagnostic);

/// The larger tolerance that a run was asked for, 0 for fixed steps: what classifyDrift takes.
double askedTolerance(const RunSettings& settings);

} // namespace driftless::run
