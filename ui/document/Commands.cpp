#include "ui/document/Commands.h"

namespace driftless::ui {

ChangeCommand::ChangeCommand(Document& document, int key, run::CommandPayload before, run::CommandPayload after,
                             QString gesture, const QString& text)
    : DocumentCommand(text), document_(document), key_(key), before_(std::move(before)), after_(std::move(after)),
      gesture_(std::move(gesture))
{
}

bool ChangeCommand::issue(const run::CommandPayload& payload)
{
    std::vector<int> keys;
    if (key_ >= 0)
        keys.push_back(key_);
    else
        for (const RunEntry& run : document_.runs())
            keys.push_back(run.key);
    if (auto done = document_.issue(keys, payload); !done) {
        document_.say(done.error());
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

StateCommand::StateCommand(Document& document, States before, States after, QString gesture, const QString& text)
    : DocumentCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)),
      gesture_(std::move(gesture))
{
}

void StateCommand::issue(const States& states)
{
    if (auto done = document_.issueHere(states); !done) {
        document_.say(done.error());
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

RunCommand::RunCommand(Document& document, RunEntry entry, run::RunSettings settings, std::size_t place, bool added,
                       const QString& text)
    : DocumentCommand(text), document_(document), entry_(std::move(entry)), settings_(std::move(settings)), place_(place),
      added_(added)
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
        if (const RunEntry* now = document_.find(entry_.key))
            entry_ = *now;
        settings_ = document_.takeRun(entry_.key, place_);
        return;
    }
    if (auto inserted = document_.insertRun(entry_, settings_, place_); !inserted) {
        document_.say(inserted.error());
        setObsolete(true);
    }
}

BenchCommand::BenchCommand(Document& document, Document::BenchHandle other, const QString& text)
    : DocumentCommand(text), document_(document), other_(std::move(other)), parked_(Document::park(*other_))
{
    if (parked_)
        other_.reset();
}

void BenchCommand::swap()
{
    if (parked_) {
        auto revived = document_.revive(*parked_);
        if (!revived) {
            document_.say(revived.error());
            setObsolete(true);
            return;
        }
        other_ = std::move(revived).value();
    }
    document_.exchange(other_);
    parked_ = Document::park(*other_);
    if (parked_)
        other_.reset();
}

void BenchCommand::undo() { swap(); }

void BenchCommand::redo()
{
    if (!done_)
        swap();
    done_ = false;
}

} // namespace driftless::ui
