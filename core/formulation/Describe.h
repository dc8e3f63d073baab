// The rows being integrated, for people: as text, LaTeX or rich text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/expr/Print.h"
#include "core/formulation/Dae.h"

namespace driftless::formulation {

struct DescribedRow {
    std::string equation;   ///< "2*x*x' + 2*y*y' = 0" in the chosen format
    Provenance provenance;
    std::string name;
    std::string origin;
    std::string note;       ///< "the constraint rod, differentiated once"
};
/// All rows; dummies (may be empty) decides which link rows are integrated. Dummy derivatives print as x'.
std::vector<DescribedRow> describeRows(const Dae& dae, std::span<const int> dummies, expr::Format format);

} // namespace driftless::formulation
