// A run as a page for a browser plays it: what was recorded, as plain data.
//
// Numbers that a page shows are the recording's own rows, thinned as a whole and exact to the last bit (little-endian float64
// in base64). Only the points of the scene are rounded, to 1/65535 of what the scene may ever show.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/formulation/Describe.h"
#include "core/run/Laboratory.h"
#include "core/run/OutputsAtTimes.h"
#include "core/run/Recording.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/system/CompiledSystem.h"

namespace driftless::page {

struct PageRun {
    std::string name;   ///< unique on its page
    std::string detail; ///< what the method was asked for: "h = 0.2 s"
    /// What is not as the model's file has it: "L = 2 m", "bob.y' = -0.2 m/s at the start".
    std::vector<std::string> set{};
    std::shared_ptr<const model::CompiledSystem> system;
    run::RecordingView recording;
    run::RunReport report;
    std::vector<run::ParametersSince> parameters;           ///< by time, the first at the start
    std::vector<formulation::DescribedRow> equations{};     ///< as rich text; empty where they are not known
    double until = std::numeric_limits<double>::infinity(); ///< later rows are left out [s]
    bool moves = true;                                      ///< false: curves alone, nothing in the scene
    bool measured = false;                                  ///< dots in place of curves, no run
    int colour = -1;                                        ///< of those of the window; -1: the next one
    int bench = 0;                                          ///< runs of one bench are shown together
    std::vector<std::string> wanted{};                      ///< columns that a plot asks for, beside the usual ones
    /// The run that this one is compared with, in a column "difference".
    std::optional<run::RecordingView> reference{};
};

/// A finished run of the system with everything that it can tell.
PageRun pageRunOf(const run::Run& run, std::shared_ptr<const model::CompiledSystem> system, const std::string& name);

/// A run of a laboratory up to this time [s], whether or not it is further by now.
PageRun pageRunOf(const run::Laboratory& laboratory, run::RunId id, const std::string& name, double until);

/// Measured data beside the runs of this system.
PageRun pageRunOfData(const std::string& name, const run::RecordingView& rows,
                      std::shared_ptr<const model::CompiledSystem> system);

/// "h = 0.2 s", "rtol 1e-8"
std::string askedOf(const run::RunSettings& settings);

/// What the page's script reads: {"scenes":[...],"runs":[...]}. Runs of one model share a scene. Names and texts are UTF-8.
Result<nlohmann::ordered_json> runsJson(const std::vector<PageRun>& runs);

} // namespace driftless::page
