// A model and one of its formulations as a LaTeX document: scene, notation, derivation, and the rows that are integrated.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/formulation/Dae.h"
#include "core/formulation/Describe.h"
#include "core/formulation/Formulation.h"
#include "core/run/RunStatus.h"
#include "core/run/Settings.h"
#include "core/system/Model.h"

namespace driftless::app {

struct LatexSheet {
    const model::Model& model;
    const formulation::FormulationInfo& form;
    const run::RunStatus& status;                       ///< at the start: parameters, dummies, size of the form
    const formulation::Dae& dae;                        ///< of the mode in force
    const std::vector<formulation::DescribedRow>& rows; ///< as LaTeX
    const run::StartSettings& start;                    ///< what was set
    std::map<std::string, double> values;               ///< with which the run begins, by name
    std::vector<double> points;                         ///< of the scene at the start, as tikzScene takes them
    std::string command;                                ///< that makes the document, for its first line
    bool fragment = false;                              ///< without preamble, to be read into another document
};

/// The packages that a fragment needs are named in its first lines.
std::string latexDocument(const LatexSheet& sheet);

} // namespace driftless::app
