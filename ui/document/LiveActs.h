// What acts on the runs of the open bench while they play: commands at one t, and runs that come and go. No undo entries: the
// entries (RunCommands.h) and those who make them (RunControl) act through this.
#pragma once

#include <map>
#include <vector>

#include "ui/document/OpenBench.h"

namespace driftless::ui {

/// What was done: when, and where the runs stood before and behind it. After scrubbing back before is behind the cut.
struct Act {
    double t = 0; ///< [s]
    run::Checkpoint before{}, after{};
    std::vector<run::RunId> runs{}; ///< that it concerns; others go on

    /// Whether the laboratory stands as after it, as far as it concerns its runs.
    bool leftAs(const run::Checkpoint& now) const;
};

class LiveActs {
public:
    explicit LiveActs(OpenBench& open) : open_(open) {}

    std::vector<int> allKeys() const;
    /// One command to these runs at one t. After scrubbing back the recordings are cut at the displayed time first and go on as
    /// they are shown (a branch). In a pause runs stand a little ahead of the clock: it goes on to where the command acts, or
    /// they are cut where that is behind an event or far ahead. A refusal changes no run.
    Result<Act> issue(const std::vector<int>& keys, const run::CommandPayload& payload);
    /// Each run's own command at the displayed time: what is computed beyond it is cut first, since what is moved by hand is
    /// moved where it is seen.
    Result<Act> issueHere(const std::map<int, run::CommandPayload>& payloads);
    /// Whether nothing has been done nor computed since.
    bool standsBehind(const Act& act) const { return act.leftAs(open_.laboratory().checkpoint()); }
    /// Back to where the runs stood before it, as if it and all that came behind it had never been; t [s] is displayed then. A
    /// refusal changes no run.
    Result<void> takeBack(const Act& act, double t);
    /// The time that is displayed [s].
    double shownTime() const { return open_.laboratory().clock().t; }
    double latestTime() const { return open_.bench().furthest(); } ///< that was displayed [s]
    /// What an undo or redo has come to.
    void tell(const QString& what, const QString& more) { emit open_.told(what, more); }
    /// An earlier time is displayed; playing goes on.
    void showTime(double t);
    /// From a time looked back to, to the latest that was shown; without effect where nobody looks back.
    void goToNow();
    /// What brings every run back to where it stands at the displayed time.
    std::map<int, run::CommandPayload> statesHere() const;
    /// A run with the parameters of now.
    Result<void> insert(const RunEntry& entry, const run::RunSettings& settings, std::size_t place);
    /// Its settings and its place.
    run::RunSettings take(int key, std::size_t& place);

private:
    Result<void> checkAsShown(const std::vector<int>& keys, const run::CommandPayload& payload) const;
    bool standsAhead(const std::vector<int>& keys) const;
    /// taken: what a branch has taken back.
    void tellBranched(const QStringList& taken);

    Result<void> issueTo(const std::map<int, run::CommandPayload>& payloads);

    OpenBench& open_;
};

} // namespace driftless::ui
