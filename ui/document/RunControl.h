// What a person changes in the runs of the open bench: methods, options, parameters, states, and which runs there are.
//
// Each call acts now, also while the runs play, and leaves one undo entry. As long as no time was computed since, undo takes
// the change back as if it had never been; later its inverse acts when it is undone, and a state that was set by hand is undone
// at the time at which it was set, to which the runs go back. A refused one changes nothing, leaves no entry, and says why in
// the MessageLog. Calls of one gesture (a slider's drag) are one entry; an empty gesture is an entry of its own. True when
// done.
//
// What is changed is what is shown: after scrubbing back the settings of the displayed time. The runs go on with them from
// there, and undo takes the change back, not the cut.
#pragma once

#include <QCoreApplication>

#include "core/formulation/Formulation.h"
#include "ui/document/LiveActs.h"
#include "ui/document/LookBack.h"

namespace driftless::ui {

/// Whether a formulation holds numeric bases that can be renewed: it has the option "basis".
bool hasBasis(const formulation::FormulationInfo& info);

class RunControl {
    Q_DECLARE_TR_FUNCTIONS(RunControl)
public:
    RunControl(OpenBench& open, const LookBack& lookBack, History& history, MessageLog& messages);

    bool addRun(const run::RunSettings& settings);
    bool duplicateRun(int key);
    bool removeRun(int key);
    bool setFormulation(int key, const QString& id);
    bool setIntegrator(int key, const QString& id);
    bool setOptions(int key, const integrate::IntegratorOptions& options, const QString& gesture = {});
    bool setPivot(int key, const run::PivotChoice& pivot);
    bool setGain(int key, const QString& name, double value, const QString& gesture = {});
    /// An option of the formulation, such as the basis of tangent-plane. A formulation forgets them when it is left; undo
    /// brings them back.
    bool setChoice(int key, const QString& name, const QString& value);
    /// New bases at the present position, for the formulations that hold bases between steps. An act without a state to go back
    /// to: it stands on the time line, and the undo stack is left alone.
    bool renewBasis(int key);
    /// Parameters belong to the model and act on all runs at one t.
    bool setParameter(const QString& name, double value, const QString& gesture = {});
    /// All that differ from the model's own values, as one entry.
    bool resetParameters();
    /// Positions and velocities (full names) of all runs at the displayed time, as when a body is dragged: what follows after
    /// that time is cut, and the rest of each state is made consistent. Undo brings every run's own state of before back.
    bool setState(const std::map<std::string, double>& values, const QString& text, const QString& gesture = {});

private:
    void push(DocumentCommand* command);
    bool change(int key, const run::CommandPayload& before, const run::CommandPayload& after, const QString& text,
                const QString& gesture);
    QString nameOf(int key) const;

    OpenBench& open_;
    const LookBack& lookBack_;
    History& history_;
    MessageLog& messages_;
    LiveActs acts_;
};

} // namespace driftless::ui
