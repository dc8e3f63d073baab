#include "ui/document/RunCommands.h"

#include <QObject>

#include "core/run/EventWords.h"
#include "ui/document/TakenBack.h"

namespace driftless::ui {

namespace {

QString timeText(double t) { return QString::number(t, 'f', 2); }

/// "Undone: c = 0.75 from t = 5.30 s on", where time has passed since the change, or where the runs would take long to be
/// computed anew without it.
void tellUndone(LiveActs& acts, const QStringList& values, double t)
{
    acts.tell(QObject::tr("Undone: %1 from t = %2 s on").arg(listed(values), timeText(t)),
              QObject::tr("What was computed since the change stays, and the session has both."));
}

QString valueText(const run::CommandPayload& payload)
{
    return QString::fromStdString(run::label(run::CommandDone{.payload = payload}));
}

} // namespace

LiveCommand::LiveCommand(ActsAndMessages at, const QString& text, const Act& act) : DocumentCommand(text), at_(at)
{
    acted(act);
}

void LiveCommand::acted(const Act& act)
{
    act_ = act;
    time_ = act.t;
    actedAt(act.t);
}

bool LiveCommand::cutAt(double t)
{
    forgetBeyond(t);
    return true;
}

bool LiveCommand::rewound()
{
    forgetActs();
    act_.reset();
    return true;
}

bool LiveCommand::takeBack(double shown)
{
    if (!act_ || !at_.acts.takeBack(*act_, shown))
        return false;
    forgetLastAct();
    act_.reset();
    return true;
}

void LiveCommand::goOnWith(const LiveCommand& next)
{
    if (act_ && next.act_ && act_->leftAs(next.act_->before))
        act_->after = next.act_->after;
    else
        act_.reset();
}

void LiveCommand::refuse(const Diagnostic& why)
{
    at_.messages.say(why);
    setObsolete(true);
}

ChangeCommand::ChangeCommand(ActsAndMessages at, int key, run::CommandPayload before, run::CommandPayload after,
                             QString gesture, const QString& text, const Act& act)
    : LiveCommand(at, text, act), key_(key), before_(std::move(before)), after_(std::move(after)), gesture_(std::move(gesture))
{
}

std::optional<Act> ChangeCommand::issue(const run::CommandPayload& payload)
{
    const auto done = at().acts.issue(key_ >= 0 ? std::vector{key_} : at().acts.allKeys(), payload);
    if (done)
        return *done;
    refuse(done.error());
    return {};
}

void ChangeCommand::undo()
{
    if (stands() && takeBack(at().acts.latestTime()))
        return;
    if (!inForceAt(at().acts.shownTime()))
        at().acts.goToNow(); // what is undone was done later than the time looked back to
    const auto done = issue(before_);
    if (!done)
        return;
    undoneAt(done->t);
    for (const auto& [name, value] : left_.choices)
        issue(run::SetChoice{name, value});
    for (const auto& [name, value] : left_.gains)
        issue(run::SetGain{name, value});
    tellUndone(at().acts, {valueText(before_)}, done->t);
}

void ChangeCommand::redo()
{
    if (wasDone())
        return;
    if (inForceAt(at().acts.shownTime()))
        at().acts.goToNow();
    if (const auto done = issue(after_))
        acted(*done);
}

bool ChangeCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const ChangeCommand*>(other); // same id(), so same class
    if (isObsolete() || next->gesture_ != gesture_ || next->key_ != key_ || next->after_.index() != after_.index())
        return false;
    after_ = next->after_;
    goOnWith(*next);
    takeOver(*next);
    setText(next->text());
    return true;
}

ParametersCommand::ParametersCommand(ActsAndMessages at, std::vector<Change> changes, const QString& text, const Act& act)
    : LiveCommand(at, text, act), changes_(std::move(changes))
{
}

std::optional<Act> ParametersCommand::issue(const run::SetParameter& payload)
{
    const auto done = at().acts.issue(at().acts.allKeys(), payload);
    if (done)
        return *done;
    refuse(done.error());
    return {};
}

void ParametersCommand::undo()
{
    if (stands() && takeBack(at().acts.latestTime()))
        return;
    if (!inForceAt(at().acts.shownTime()))
        at().acts.goToNow(); // what is undone was done later than the time looked back to
    std::optional<Act> done;
    QStringList values;
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
        done = issue(change->before);
        values << valueText(change->before);
    }
    if (!done)
        return;
    undoneAt(done->t);
    tellUndone(at().acts, values, done->t);
}

void ParametersCommand::redo()
{
    if (wasDone())
        return;
    if (inForceAt(at().acts.shownTime()))
        at().acts.goToNow();
    std::optional<Act> all;
    for (const Change& change : changes_)
        if (const auto done = issue(change.after))
            all = Act{.t = all ? all->t : done->t,
                      .before = all ? all->before : done->before,
                      .after = done->after,
                      .runs = done->runs};
    if (all)
        acted(*all);
}

StateCommand::StateCommand(ActsAndMessages at, States before, States after, QString gesture, const QString& text,
                           const Act& act)
    : LiveCommand(at, text, act), before_(std::move(before)), after_(std::move(after)), gesture_(std::move(gesture))
{
}

void StateCommand::undo()
{
    const bool stood = stands();
    if (takeBack(time())) {
        if (!stood)
            at().acts.tell(QObject::tr("Undone: the runs are back at t = %1 s").arg(timeText(time())),
                           QObject::tr("That is where the state was set. What had been computed beyond it is given up."));
        return;
    }
    // Computing the runs anew would take too long: they are cut there, and get back the state that they had.
    if (at().acts.shownTime() != time())
        at().acts.showTime(time());
    if (const auto done = at().acts.issueHere(before_))
        undoneAt(done->t);
    else
        refuse(done.error());
}

void StateCommand::redo()
{
    if (wasDone())
        return;
    if (at().acts.shownTime() != time())
        at().acts.showTime(time());
    actedAt(time()); // before the cut that this may take, which leaves alone what is in force there
    const auto done = at().acts.issueHere(after_);
    forgetLastAct();
    if (done)
        acted(*done);
    else
        refuse(done.error());
}

bool StateCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const StateCommand*>(other); // same id(), so same class
    if (isObsolete() || next->gesture_ != gesture_)
        return false;
    after_ = next->after_;
    goOnWith(*next);
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
