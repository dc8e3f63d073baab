// What acts on the runs of the open bench while they play: commands at one t, and runs that come and go. No undo entries: the
// entries (RunCommands.h) and those who make them (RunControl) act through this.
#pragma once

#include <map>
#include <vector>

#include "ui/document/OpenBench.h"

namespace driftless::ui {

class LiveActs {
public:
    explicit LiveActs(OpenBench& open) : open_(open) {}

    std::vector<int> allKeys() const;
    /// One command to these runs at one t, which is returned. After scrubbing back the recordings are cut at the displayed time
    /// first and go on as they are shown (a branch). A refusal changes no run.
    Result<double> issue(const std::vector<int>& keys, const run::CommandPayload& payload);
    /// Each run's own command at the displayed time: what is computed beyond it is cut first, since what is moved by hand is
    /// moved where it is seen.
    Result<void> issueHere(const std::map<int, run::CommandPayload>& payloads);
    /// The time that is displayed [s].
    double shownTime() const { return open_.laboratory().clock().t; }
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
    /// taken: what a branch has taken back.
    void tellBranched(const QStringList& taken);

    OpenBench& open_;
};

} // namespace driftless::ui
