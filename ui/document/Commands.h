// The undo entries of the document. Each was already carried out once when it is pushed.
#pragma once

#include <QUndoCommand>

#include "ui/document/Document.h"

namespace driftless::ui {

/// What an entry did to which document, and its number, by which a document knows the entry that it was saved after.
struct EntryMark {
    int document = 0;   ///< that is open after the entry
    bool opens = false; ///< the entry opened it; else it edited it
    quint64 serial = 0;
};

/// What all entries share.
class DocumentCommand : public QUndoCommand {
public:
    using QUndoCommand::QUndoCommand;
    const EntryMark& mark() const { return mark_; }
    void setMark(const EntryMark& mark) { mark_ = mark; }

protected:
    /// A later entry was merged into this one.
    void takeOver(const DocumentCommand& later) { mark_.serial = later.mark_.serial; }

private:
    EntryMark mark_;
};

/// A live command to one run, or to all runs (key -1: parameters).
class ChangeCommand final : public DocumentCommand {
public:
    ChangeCommand(Document& document, int key, run::CommandPayload before, run::CommandPayload after, QString gesture,
                  const QString& text);
    /// A formulation forgets its options and gains when it is left; undo brings them back.
    void keep(run::RunSettings left) { left_ = std::move(left); }
    void undo() override;
    void redo() override;
    int id() const override { return gesture_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    bool issue(const run::CommandPayload& payload);
    Document& document_;
    int key_;
    run::CommandPayload before_, after_;
    QString gesture_;
    run::RunSettings left_;
    bool done_ = true;
};

/// The state of all runs set by hand; undo gives each run its own back.
class StateCommand final : public DocumentCommand {
public:
    using States = std::map<int, run::CommandPayload>; ///< by run key
    StateCommand(Document& document, States before, States after, QString gesture, const QString& text);
    void undo() override { issue(before_); }
    void redo() override;
    int id() const override { return gesture_.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    void issue(const States& states);
    Document& document_;
    States before_, after_;
    QString gesture_;
    bool done_ = true;
};

/// A run added (or removed, the other way round).
class RunCommand final : public DocumentCommand {
public:
    RunCommand(Document& document, RunEntry entry, run::RunSettings settings, std::size_t place, bool added,
               const QString& text);
    void undo() override { act(!added_); }
    void redo() override;

private:
    void act(bool add);
    Document& document_;
    RunEntry entry_;
    run::RunSettings settings_;
    std::size_t place_;
    bool added_;
    bool done_ = true;
};

/// Another model, other start values, or a reset: the whole laboratory is exchanged, so that undo brings the old
/// recordings back as they were.
class BenchCommand final : public DocumentCommand {
public:
    BenchCommand(Document& document, Document::BenchHandle other, const QString& text);
    void undo() override;
    void redo() override;

private:
    void swap();
    Document& document_;
    Document::BenchHandle other_; ///< or, where nothing would be lost:
    std::shared_ptr<const Document::Parked> parked_;
    bool done_ = true;
};

} // namespace driftless::ui
