// The open laboratory: a model, its runs with their presentation, and everything a person did to them.
//
// It composes the parts that own it, each with a header of its own, and passes on what they tell. Every edit is an entry of the
// undo stack that acts now, also while the runs play; what undo does is said in RunControl.h. A refused edit changes nothing,
// leaves no entry and says why through refused(). An edit after scrubbing back first cuts the recordings there (a branch). Used
// from one thread, the one that owns the event loop.
#pragma once

#include "ui/document/BenchReadings.h"
#include "ui/document/DocumentFiles.h"
#include "ui/document/LookBack.h"
#include "ui/document/ModelEdits.h"
#include "ui/document/RunControl.h"

namespace driftless::ui {

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);

    OpenBench& bench() { return bench_; } ///< what is open: model, runs, which of them are shown
    const OpenBench& bench() const { return bench_; }
    Playback& playback() { return playback_; }
    RunControl& control() { return control_; } ///< edits of the runs
    ModelEdits& edits() { return edits_; }     ///< edits of the model and its start
    ModelOpener& opener() { return opener_; }  ///< models, studies, lessons
    DocumentFiles& files() { return files_; }  ///< opening and saving
    const DocumentFiles& files() const { return files_; }
    const MessageLog& messages() const { return messages_; }
    QUndoStack& undoStack() { return history_.stack(); }

    // --- what nearly every panel asks of the bench ---
    bool hasModel() const { return bench_.hasModel(); }
    run::Laboratory& laboratory() { return bench_.laboratory(); }
    const run::Laboratory& laboratory() const { return bench_.laboratory(); }
    const model::CompiledSystem& compiled() const { return bench_.compiled(); }
    /// What the model states: its coordinates, constraints, parameters.
    const model::ConstrainedSystem& system() const { return bench_.bench().system(); }
    const std::vector<RunEntry>& runs() const { return bench_.runs(); }
    const RunEntry* find(int key) const { return bench_.find(key); }
    run::RunStatus status(int key) const { return bench_.status(key); }
    /// What the run was integrated with at the displayed time: what panels show.
    run::RunStatus shown(int key) const { return lookBack_.status(key); }
    const LookBack& lookBack() const { return lookBack_; }

signals:
    void benchChanged(); ///< another model, or the same from its start: everything is new
    void runsChanged();  ///< runs added, removed, selected, shown or hidden
    void settingsChanged(int key);
    void parametersChanged();
    void playingChanged(bool playing);
    /// What had been computed beyond this time [s] was cut by a change; taken: what the runs go on with that did not hold any
    /// more.
    void branched(double t, const QStringList& taken);
    void refused(const driftless::Diagnostic& diagnostic);
    void replaying(
        driftless::ui::SessionReplay* replay); ///< a session is being opened, which takes a while; events are handled meanwhile
    void messagesChanged();
    void titleChanged();

private:
    MessageLog messages_;
    History history_;
    OpenBench bench_{history_, messages_};
    LookBack lookBack_{bench_};
    Playback playback_{bench_, messages_};
    RunControl control_{bench_, lookBack_, history_, messages_};
    ModelEdits edits_{bench_, messages_};
    ModelOpener opener_{bench_, history_, playback_};
    DocumentFiles files_{{bench_, history_, messages_, playback_, opener_}};
};

} // namespace driftless::ui
