// The undo entries of what is done to runs. Each was already carried out once when it is pushed.
#pragma once

#include <optional>

#include "ui/document/LiveActs.h"

namespace driftless::ui {

/// What these entries act through, and where they say why an act was refused.
struct ActsAndMessages {
    LiveActs& acts;
    MessageLog& messages;
};

/// What was done to runs at a time of the bench. Where they still stand there undo takes it back as if it had never been.
class LiveCommand : public DocumentCommand {
public:
    bool cutAt(double t) override;
    bool rewound() override;

protected:
    LiveCommand(ActsAndMessages at, const QString& text, const Act& act);
    ActsAndMessages& at() { return at_; }
    /// The time that it was done at [s], done again included.
    double time() const { return time_; }
    void acted(const Act& act);
    void undoneAt(double t) ///< [s] by another act
    {
        actedAt(t);
        act_.reset();
    }
    /// Whether nothing was done nor computed since.
    bool stands() const { return act_ && at_.acts.standsBehind(*act_); }
    /// False where the runs cannot go back to where they stood: nothing has changed then. shown: the time that is displayed
    /// then [s].
    bool takeBack(double shown);
    /// An act of the same gesture behind this one.
    void goOnWith(const LiveCommand& next);
    void refuse(const Diagnostic& why);

private:
    ActsAndMessages at_;
    std::optional<Act> act_; ///< none: it is undone, or time has passed within its gesture
    double time_;
};

/// A live command to one run, or to all runs (key -1: parameters). Where time has passed undo issues the inverse.
class ChangeCommand final : public LiveCommand {
public:
    ChangeCommand(ActsAndMessages at, int key, run::CommandPayload before, run::CommandPayload after, QString gesture,
                  const QString& text, const Act& act);
    /// A formulation forgets its options and gains when it is left; undo brings them back.
    void keep(run::RunSettings left) { left_ = std::move(left); }
    void undo() override;
    void redo() override;
    int id() const override { return gesture_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    /// None where it was refused.
    std::optional<Act> issue(const run::CommandPayload& payload);
    int key_;
    run::CommandPayload before_, after_;
    QString gesture_;
    run::RunSettings left_;
};

/// Several parameters of all runs at once.
class ParametersCommand final : public LiveCommand {
public:
    struct Change {
        run::SetParameter before, after;
    };
    ParametersCommand(ActsAndMessages at, std::vector<Change> changes, const QString& text, const Act& act);
    void undo() override;
    void redo() override;

private:
    /// None where it was refused.
    std::optional<Act> issue(const run::SetParameter& payload);
    std::vector<Change> changes_;
};

/// The state of all runs set by hand. It belongs to its time: undo and redo lead back there, whatever was computed since.
class StateCommand final : public LiveCommand {
public:
    using States = std::map<int, run::CommandPayload>; ///< by run key
    StateCommand(ActsAndMessages at, States before, States after, QString gesture, const QString& text, const Act& act);
    void undo() override;
    void redo() override;
    int id() const override { return gesture_.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    States before_, after_;
    QString gesture_;
};

/// A run added (or removed, the other way round). The entry knows the run as it was when it was last taken.
class RunCommand final : public DocumentCommand {
public:
    RunCommand(ActsAndMessages at, const OpenBench& open, WaitingRun run, std::size_t place, bool added, const QString& text);
    void undo() override { act(!added_); }
    void redo() override;
    /// A run that comes starts with the others: its entry acts at no time.
    bool cutAt(double) override { return true; }
    bool rewound() override { return true; }

private:
    void act(bool add);
    ActsAndMessages at_;
    const OpenBench& open_;
    WaitingRun run_;
    std::size_t place_;
    bool added_;
};

} // namespace driftless::ui
