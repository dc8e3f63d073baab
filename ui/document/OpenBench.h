// The bench that is open, or none: what the window shows. Reads answer without a bench, too (no runs, no numbers); what needs
// one says so.
//
// A bench is put here by adopt(), which makes an undo entry, so that undo brings the old laboratory back with its recordings.
#pragma once

#include <QObject>
#include <QString>

#include "ui/document/Bench.h"
#include "ui/document/History.h"
#include "ui/document/MessageLog.h"

namespace driftless::ui {

class OpenBench : public QObject {
    Q_OBJECT
public:
    /// What fails while it is undone or done again is said there.
    OpenBench(History& history, MessageLog& messages, QObject* parent = nullptr);

    bool hasModel() const { return bench_ != nullptr; }
    // These five need a model.
    Bench& bench() { return *bench_; }
    const Bench& bench() const { return *bench_; }
    run::Laboratory& laboratory() { return bench_->laboratory(); }
    const run::Laboratory& laboratory() const { return bench_->laboratory(); }
    const model::CompiledSystem& compiled() const { return bench_->compiled(); }

    std::shared_ptr<const model::CompiledSystem> compiledHandle() const;
    const std::vector<RunEntry>& runs() const;
    const RunEntry* find(int key) const;
    run::RunStatus status(int key) const;
    int selected() const;
    int reference() const;
    std::vector<double> parameters() const;
    run::StartSettings startSettings() const;
    /// Why runs wait; nothing when all of them run.
    const Diagnostic* startProblem() const;
    /// As the model's [run] table says.
    run::RunSettings defaultSettings() const;
    bool scrubbedBack() const { return bench_ && bench_->scrubbedBack(); }
    QString name() const; ///< of the file it is saved in, of the study that it shows, or of the model
    QString modelText() const;
    QString modelPath() const;

    // --- presentation: no undo entry ---
    void select(int key);
    void setReference(int key);
    void setVisible(int key, bool visible);
    const std::vector<MeasuredCurves>& measured() const;
    /// Its caller makes the undo entry.
    void setMeasured(std::vector<MeasuredCurves> measured);
    /// The model's text as a person is typing it; none where it is the open one.
    void setTyped(std::optional<std::string> text);

    // --- another bench ---
    /// Takes the place of the open one, as an entry of the undo stack where there is one. Playing goes on, and the speed
    /// where the document stays. Refused while the place is reserved.
    Result<void> adopt(BenchHandle bench, const QString& text, Opens opens);
    /// The open document has a title of its own, in place of the model's.
    void entitle(const QString& title);
    /// Undo and redo of that.
    void exchange(BenchHandle& other);
    /// A document of its own, in place of all that undo leads back to.
    void replace(BenchHandle bench, const DocumentOrigin& origin);
    /// A session is being repeated; it takes this place when that is done, and would forget what is opened now.
    void reserve(bool on) { reserved_ = on; }
    bool isReserved() const { return reserved_; }
    Diagnostic reservedAlready() const;
    /// For a new run; never given twice.
    int freshKey() { return nextKey_++; }

signals:
    /// Another document is about to take the place of the open one.
    void leaving();
    void benchChanged(); ///< another model, or the same from its start: everything is new
    void runsChanged();  ///< runs added, removed, selected, shown or hidden
    void settingsChanged(int key);
    void parametersChanged();
    /// A change made while looking back: the recordings were cut at t [s], and the runs go on with what was shown. taken: which
    /// of it did not hold any more.
    void branched(double t, const QStringList& taken);
    /// What was done last was taken back as if it had never been: the runs stand where they stood before, and t [s] is
    /// displayed.
    void rewound(double t);
    /// What an undo or redo has come to, where that is more than the entry says: a sentence, and what else is to be known.
    void told(const QString& what, const QString& more);

private:
    void noteLeft();
    History& history_;
    MessageLog& messages_;
    BenchHandle bench_;
    int nextKey_ = 1;
    bool reserved_ = false;
};

} // namespace driftless::ui
