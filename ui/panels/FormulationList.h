// The formulations as lists and words: grouped for a combo box, described for a tool tip and for the page of equations.
#pragma once

#include <QString>

#include "core/formulation/Formulation.h"
#include "core/run/Run.h"

class QComboBox;

namespace driftless::ui {

/// A line that cannot be chosen: what follows belongs to it.
void addHeading(QComboBox& combo, const QString& words);
/// All of the registry as people call them, family by family under headings; those of no known family at the end. The data of
/// an entry is the form's id.
void listFormulations(QComboBox& combo);
/// What people call a form: "Index 1: accelerations"; of one that the list does not know, its title.
QString formulationWords(const formulation::FormulationInfo& info);
/// What a form keeps and what it loses; equations: of a model that states no constraints of mechanics, but equations.
QString formulationKeeps(const formulation::FormulationInfo& info, bool equations);
/// Title, index, source, what it needs and what it keeps, as rich text.
QString formulationTip(const formulation::FormulationInfo& info, bool equations = false);
/// The tips of a list, for models of the one or the other kind.
void tellTips(QComboBox& combo, bool equations);
/// "Index 2 · 7 equations in 7 unknowns · needs full rank of G · [PP92] (3.32)" on this model, then the sentence that says what
/// the form keeps; plain text, two lines.
QString formulationDetails(const run::RunStatus& status, bool equations);

} // namespace driftless::ui
