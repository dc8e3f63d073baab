#include "ui/document/RunCommands.h"

namespace driftless::ui {

ChangeCommand::ChangeCommand(ActsAndMessages at, int key, run::CommandPayload before, run::CommandPayload after,
                             QString gesture, const QString& text, double t)
    : DocumentCommand(text), at_(at), key_(key), before_(std::move(before)), after_(std::move(after)),
      gesture_(std::move(gesture))
{
    actedAt(t);
}

bool ChangeCommand::cutAt(double t)
{
    forgetBeyond(t);
    return true;
}

std::optional<double> ChangeCommand::issue(const run::CommandPayload& payload)
{
    const auto done = at_.acts.issue(key_ >= 0 ? std::vector{key_} : at_.acts.allKeys(), payload);
    if (done)
        return *done;
    at_.messages.say(done.error());
    setObsolete(true);
    return {};
}

void ChangeCommand::undo()
{
    if (!inForceAt(at_.acts.shownTime()))
        at_.acts.goToNow(); // what is undone was done later than the time looked back to
    const auto t = issue(before_);
    if (!t)
        return;
    actedAt(*t);
    for (const auto& [name, value] : left_.choices)
        issue(run::SetChoice{name, value});
    for (const auto& [name, value] : left_.gains)
        issue(run::SetGain{name, value});
}

void ChangeCommand::redo()
{
    if (wasDone())
        return;
    if (inForceAt(at_.acts.shownTime()))
        at_.acts.goToNow();
    if (const auto t = issue(after_))
        actedAt(*t);
}

bool ChangeCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const ChangeCommand*>(other); // same id(), so same class
    if (isObsolete() || next->gesture_ != gesture_ || next->key_ != key_ || next->after_.index() != after_.index())
        return false;
    after_ = next->after_;
    takeOver(*next);
    setText(next->text());
    return true;
}

ParametersCommand::ParametersCommand(ActsAndMessages at, std::vector<Change> changes, const QString& text, double t)
    : DocumentCommand(text), at_(at), changes_(std::move(changes))
{
    actedAt(t);
}

bool ParametersCommand::cutAt(double t)
{
    forgetBeyond(t);
    return true;
}

std::optional<double> ParametersCommand::issue(const run::SetParameter& payload)
{
    const auto done = at_.acts.issue(at_.acts.allKeys(), payload);
    if (done)
        return *done;
    at_.messages.say(done.error());
    setObsolete(true);
    return {};
}

void ParametersCommand::undo()
{
    if (!inForceAt(at_.acts.shownTime()))
        at_.acts.goToNow(); // what is undone was done later than the time looked back to
    std::optional<double> t;
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
        t = issue(change->before);
    if (t)
        actedAt(*t);
}

void ParametersCommand::redo()
{
    if (wasDone())
        return;
    if (inForceAt(at_.acts.shownTime()))
        at_.acts.goToNow();
    std::optional<double> t;
    for (const Change& change : changes_)
        t = issue(change.after);
    if (t)
        actedAt(*t);
}

StateCommand::StateCommand(ActsAndMessages at, States before, States after, QString gesture, const QString& text, double t)
    : DocumentCommand(text), at_(at), before_(std::move(before)), after_(std::move(after)), gesture_(std::move(gesture))
{
    actedAt(t);
}

bool StateCommand::cutAt(double t)
{
    forgetBeyond(t);
    return true;
}

void StateCommand::issue(const States& states)
{
    const double t = at_.acts.shownTime();
    if (auto done = at_.acts.issueHere(states); !done) {
        at_.messages.say(done.error());
        setObsolete(true);
        return;
    }
    actedAt(t);
}

void StateCommand::undo()
{
    if (!inForceAt(at_.acts.shownTime()))
        at_.acts.goToNow(); // what is undone was done later than the time looked back to
    issue(before_);
}

void StateCommand::redo()
{
    if (wasDone())
        return;
    if (inForceAt(at_.acts.shownTime()))
        at_.acts.goToNow();
    issue(after_);
}

bool StateCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const StateCommand*>(other); // same id(), so same class
    if (isObsolete() || next->gesture_ != gesture_)
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
    if (!wasDone())
        act(added_);
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
