// The integrators as lists and words: grouped for a combo box, described for a tool tip.
#pragma once

#include <QString>

#include "core/integrate/Integrator.h"

class QComboBox;

namespace driftless::ui {

/// All of the registry by title, family by family under headings, then the methods of one's own; to a list that is there, what
/// it lacks. The data of an entry is the method's id.
void listIntegrators(QComboBox& combo);
/// Title, family, order, step, index, source and the sentence that says what the method is for, as rich text.
QString integratorTip(const integrate::IntegratorInfo& info);

} // namespace driftless::ui
