// The rows being integrated, for people: as text, LaTeX or rich text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/expr/Print.h"
#include "core/formulation/Dae.h"
#include "core/formulation/Dummies.h"

namespace driftless::formulation {

struct DescribedRow {
    std::string equation; ///< "2*x*x' + 2*y*[y'] = 0" in the chosen format; dummies are marked (expr::printDummy)
    Provenance provenance;
    std::string name;
    std::string origin;
    std::string note; ///< "the constraint rod, differentiated once"
};
/// All rows in force: of the choices those of the coordinates that are no dummies.
std::vector<DescribedRow> describeRows(const Dae& dae, const Dummies& dummies, expr::Format format);

} // namespace driftless::formulation
