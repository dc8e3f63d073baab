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

/// A live command to one run, or to all runs (key -1: parameters), done at t [s].
class ChangeCommand final : public DocumentCommand {
public:
    ChangeCommand(ActsAndMessages at, int key, run::CommandPayload before, run::CommandPayload after, QString gesture,
                  const QString& text, double t);
    /// A formulation forgets its options and gains when it is left; undo brings them back.
    void keep(run::RunSettings left) { left_ = std::move(left); }
    void undo() override;
    void redo() override;
    int id() const override { return gesture_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;
    bool cutAt(double t) override;

private:
    /// The t of it [s]; none where it was refused.
    std::optional<double> issue(const run::CommandPayload& payload);
    ActsAndMessages at_;
    int key_;
    run::CommandPayload before_, after_;
    QString gesture_;
    run::RunSettings left_;
};

/// Several parameters of all runs at once, done at t [s].
class ParametersCommand final : public DocumentCommand {
public:
    struct Change {
        run::SetParameter before, after;
    };
    ParametersCommand(ActsAndMessages at, std::vector<Change> changes, const QString& text, double t);
    void undo() override;
    void redo() override;
    bool cutAt(double t) override;

private:
    /// The t of it [s]; none where it was refused.
    std::optional<double> issue(const run::SetParameter& payload);
    ActsAndMessages at_;
    std::vector<Change> changes_;
};

/// The state of all runs set by hand at t [s]; undo gives each run its own back.
class StateCommand final : public DocumentCommand {
public:
    using States = std::map<int, run::CommandPayload>; ///< by run key
    StateCommand(ActsAndMessages at, States before, States after, QString gesture, const QString& text, double t);
    void undo() override;
    void redo() override;
    int id() const override { return gesture_.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* other) override;
    bool cutAt(double t) override;

private:
    void issue(const States& states);
    ActsAndMessages at_;
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

private:
    void act(bool add);
    ActsAndMessages at_;
    const OpenBench& open_;
    WaitingRun run_;
    std::size_t place_;
    bool added_;
};

} // namespace driftless::ui
