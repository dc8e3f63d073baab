// The runs of a bench as people know them: names, colours, which of them is selected, and which one the others are compared
// with. Plain data; the runs themselves belong to the laboratory.
#pragma once

#include <QString>

#include <set>
#include <vector>

#include "core/run/Laboratory.h"
#include "ui/document/Measured.h"

namespace driftless::ui {

/// A run as people know it. The key stays the same over undo and redo; the id is the laboratory's and may not.
struct RunEntry {
    int key = -1;
    run::RunId id;
    QString name;
    int colour = 0; ///< index into Theme::runs, dashes and markers
    bool visible = true;
};

/// A run's name as it is kept: one of a file that is longer than this many characters ends in dots.
constexpr int kLongestRunName = 200;
QString keptRunName(const QString& name);

class RunList {
public:
    static constexpr int kMost = 8; ///< as many as there are colours

    const std::vector<RunEntry>& entries() const { return entries_; }
    /// Null: there is no such run.
    const RunEntry* find(int key) const;
    int selected() const { return selected_; } ///< key; -1: there is no run
    int reference() const { return reference_; }
    /// The least colour that no run has.
    int freeColour() const;

    /// The first run that comes is selected and is the reference. A place behind the end is the end.
    void insert(const RunEntry& entry, std::size_t place);
    /// The place it had. Where it was selected or the reference, the first of the others is.
    std::size_t remove(int key);

    // False where nothing changes: there is no such run, or it is so already.
    bool select(int key);
    bool setReference(int key);
    bool setVisible(int key, bool visible);

    const std::vector<MeasuredCurves>& measured() const { return measured_; } ///< data from elsewhere, beside the runs
    void setMeasured(std::vector<MeasuredCurves> measured) { measured_ = std::move(measured); }

    /// Whether the failure of this run is reported for the first time since it was forgotten.
    bool reportFailure(int key) { return failed_.insert(key).second; }
    void forgetFailure(int key) { failed_.erase(key); }
    void forgetFailures() { failed_.clear(); }

private:
    std::vector<RunEntry> entries_;
    std::vector<MeasuredCurves> measured_;
    int selected_ = -1, reference_ = -1; ///< keys
    std::set<int> failed_;               ///< keys of runs whose failure was reported
};

} // namespace driftless::ui
