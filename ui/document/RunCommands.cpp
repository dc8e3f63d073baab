#include "ui/document/RunCommands.h"

namespace driftless::ui {

ChangeCommand::ChangeCommand(ActsAndMessages at, int key, run::CommandPayload before, run::CommandPayload after,
                             QString gesture, const QString& text)
    : DocumentCommand(text), at_(at), key_(key), before_(std::move(before)), after_(std::move(after)),
      gesture_(std::move(gesture))
{
}

bool ChangeCommand::issue(const run::CommandPayload& payload)
{
    const auto done = at_.acts.issue(key_ >= 0 ? std::vector{key_} : at_.acts.allKeys(), payload);
    if (!done) {
        at_.messages.say(done.error());
        setObsolete(true);
        return false;
    }
    return true;
}

void ChangeCommand::undo()
{
    if (!issue(before_))
        return;
    for (const auto& [name, value] : left_.choices)
        issue(run::SetChoice{name, value});
    for (const auto& [name, value] : left_.gains)
        issue(run::SetGain{name, value});
}

void ChangeCommand::redo()
{
    if (!done_)
        issue(after_);
    done_ = false;
}

bool ChangeCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const ChangeCommand*>(other); // same id(), so same class
    if (next->gesture_ != gesture_ || next->key_ != key_ || next->after_.index() != after_.index())
        return false;
    after_ = next->after_;
    takeOver(*next);
    setText(next->text());
    return true;
}

ParametersCommand::ParametersCommand(ActsAndMessages at, std::vector<Change> changes, const QString& text)
    : DocumentCommand(text), at_(at), changes_(std::move(changes))
{
}

void ParametersCommand::issue(const run::SetParameter& payload)
{
    if (auto done = at_.acts.issue(at_.acts.allKeys(), payload); !done) {
        at_.messages.say(done.error());
        setObsolete(true);
    }
}

void ParametersCommand::undo()
{
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
        issue(change->before);
}

void ParametersCommand::redo()
{
    if (!done_)
        for (const Change& change : changes_)
            issue(change.after);
    done_ = false;
}

StateCommand::StateCommand(ActsAndMessages at, States before, States after, QString gesture, const QString& text)
    : DocumentCommand(text), at_(at), before_(std::move(before)), after_(std::move(after)), gesture_(std::move(gesture))
{
}

void StateCommand::issue(const States& states)
{
    if (auto done = at_.acts.issueHere(states); !done) {
        at_.messages.say(done.error());
        setObsolete(true);
    }
}

void StateCommand::redo()
{
    if (!done_)
        issue(after_);
    done_ = false;
}

bool StateCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const StateCommand*>(other); // same id(), so same class
    if (next->gesture_ != gesture_)
        return false;
    after_ = next->after_;
    takeOver(*next);
    setText(next->text());
    return true;
}

RunCommand::RunCommand(ActsAndMessages at, const OpenBench& open, WaitingRun run, std::size_t place, bool added,
                       const QString& text)
    : DocumentCommand(text), at_(at), open_(open), run_(std::move(run)), place_(place), added_(added)
{
}

void RunCommand::redo()
{
    if (!done_)
        act(added_);
    done_ = false;
}

void RunCommand::act(bool add)
{
    if (!add) {
        if (const RunEntry* now = open_.find(run_.entry.key))
            run_.entry = *now;
        run_.settings = at_.acts.take(run_.entry.key, place_);
        return;
    }
    if (auto inserted = at_.acts.insert(run_.entry, run_.settings, place_); !inserted) {
        at_.messages.say(inserted.error());
        setObsolete(true);
    }
}

} // namespace driftless::ui
