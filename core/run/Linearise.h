// The equations of a run linearised where it is: E d' = A d for a small deviation d = y - y*(t) from the motion,
//   E = dF/dy',  A = -dF/dy   at (t, y*, y*')
// with the coefficients frozen at t. What the pencil lambda E - A says (index, blocks) is a statement about this instant; its
// eigenvalues describe the motion nearby only as far as the coefficients change slowly.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/Recording.h"
#include "core/run/RunStatus.h"

namespace driftless::run {

struct LinearisedDae {
    std::string formulation;
    int index = 0;                     ///< that the formulation claims
    double t = 0;                      ///< [s]
    std::vector<std::string> unknowns; ///< n names: columns of E and A
    std::vector<std::string> rows;     ///< n names
    std::vector<double> y;             ///< n values of the unknowns
    std::vector<double> E, A;          ///< n x n, by rows
    double residual = 0;               ///< max norm of F at the point: the motion satisfies its equations up to this
    std::string note;                  ///< what the matrices leave out, in words; may be empty

    int n() const { return static_cast<int>(unknowns.size()); }
};

/// In the formulation of the settings, with its gains and options. at: t, q, v and the dynamic variables and efforts behind the
/// multipliers; accelerations and multipliers follow from them. Of a general DAE its values. dummies: for formulations that
/// pivot.
Result<LinearisedDae> linearise(const std::shared_ptr<const model::CompiledSystem>& system, const RunSettings& settings,
                                std::span<const double> parameters, const formulation::Dummies& dummies, model::ModelState at);
/// Of a run where its recording is at t, in the formulation and the mode it has now.
Result<LinearisedDae> linearise(const std::shared_ptr<const model::CompiledSystem>& system, const RunStatus& status,
                                const RecordingView& recording, double t);

} // namespace driftless::run
