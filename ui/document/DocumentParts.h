// What a document tells of its runs, of what it said, and of where it came from.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/Result.h"
#include "core/formulation/Formulation.h"
#include "core/run/Laboratory.h"

namespace driftless::ui {

/// A run as people know it. The key stays the same over undo and redo; the id is the laboratory's and may not.
struct RunEntry {
    int key = -1;
    run::RunId id;
    QString name;
    int colour = 0; ///< index into Theme::runs, dashes and markers
    bool visible = true;
};

/// Whether a formulation holds numeric bases that can be renewed: it has the option "basis".
bool hasBasis(const formulation::FormulationInfo& info);

/// One thing the document said, for the list of messages.
struct Message {
    Diagnostic diagnostic;
    double t = 0;    ///< displayed time when it came [s]
    int runKey = -1; ///< the run that failed, -1 for a refused request
};

/// Where a document came from and what became of it.
struct DocumentOrigin {
    QString sessionPath{}; ///< where Save writes; empty: it asks
    bool restored = false; ///< from an automatic save, and not saved since
    quint64 saved = 0;     ///< the entry that it was saved after; 0: as it was opened
    QString name{};        ///< as the title had it when another document took its place
    bool exercise = false; ///< the bench of a lesson's step, which nobody keeps once the step is left
    quint64 fallen = 0;    ///< its last entry that fell off the full undo stack: what it did stays
    QByteArray digest{};   ///< of the file at sessionPath as this window read or wrote it
};

} // namespace driftless::ui
