// The open laboratory: a model, its runs with their presentation, and everything a person did to them.
//
// Every edit is a command on the undo stack that acts now, also while the runs play, and whose inverse acts when it is
// undone (time does not go back). A refused edit changes nothing, leaves no entry and says why through refused().
// Parameters belong to the model and act on all runs at one t. An edit after scrubbing back first cuts the recordings
// there (a branch). Used from one thread, the one that owns the event loop.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/consistency/Doctor.h"
#include "core/formulation/Formulation.h"
#include "core/lesson/Lesson.h"
#include "core/run/Laboratory.h"
#include "ui/document/DocumentParts.h"

namespace driftless::ui {

class SessionReplay;
class Document : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostRuns = 8; ///< as many as there are colours

    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // --- opening and saving ---
    /// A model file or a shipped model's name, with one run as the file's [run] table says. Undoable when a model is
    /// already open.
    Result<void> openModel(const QString& pathOrName);
    /// The first start: the pendulum of [MS91] case 2 in two forms, one of which drifts.
    Result<void> openFirstStart();
    /// The model text as edited; the runs keep their settings and start again.
    Result<void> applyText(const QString& text);
    /// The model text after an edit in the picture or in a table (EditDocument.cpp): one undo entry called what. Parameters
    /// that were set live keep their values. Runs that cannot start from it wait (startProblem) and start with the next edit
    /// that lets them.
    Result<void> editText(const QString& text, const QString& what);
    /// The text of a file that could not be opened as it stands, mended by hand: a document of its own, as openModel() makes.
    Result<void> openText(const QString& text, const QString& path);
    /// An empty mechanism with gravity, to be built by hand; its run waits for the first body.
    Result<void> newMechanism();
    /// Writes the model text, whole or not at all.
    Result<void> saveModel(const QString& path) const;
    /// Why runs wait; nothing when all of them run.
    const Diagnostic* startProblem() const;
    /// The bench of a lesson's step: model, start and runs at once, paused at t = 0; one undo entry.
    Result<void> setUp(const lesson::Setup& setup, const QString& text);
    Result<void> openSession(const QString& path);
    /// True while a session is repeated, which takes a while and handles events: nothing else can be opened then.
    bool isReplaying() const;
    Result<void> saveSession(const QString& path);
    /// What saveSession writes.
    QByteArray sessionBytes() const;
    /// A session that was never saved under a name of its own: it stays dirty and is not remembered among the files.
    Result<void> restoreSession(const QString& path);
    /// The runs of a study that share the start of the first one, at most kMostRuns of them, as ghosts. left says what of the
    /// study is not on the table: live events, other starts, runs that are refused; empty when nothing.
    Result<void> openStudy(const QString& pathOrName, QString* left = nullptr);
    /// Everything that was done, with its time, as a study that computes the same numbers.
    Result<void> saveStudy(const QString& path);
    /// Any of them, by looking at the file.
    Result<void> open(const QString& pathOrName);
    static QStringList recentFiles();
    static void rememberFile(const QString& path);

    bool hasModel() const { return bench_ != nullptr; }
    QString name() const; ///< of the model, or of the file it is saved in
    QString title() const;
    QString modelText() const;
    QString modelPath() const;
    QString sessionPath() const { return bench_ ? origin().sessionPath : QString(); }
    /// Whether closing would lose edits of this document: one only watched has none.
    bool isDirty() const;
    /// The same of any document that undo can bring back, this one included.
    bool hasEdits() const;
    /// The names of the others among them.
    QStringList editsElsewhere() const;

    // --- what is there ---
    run::Laboratory& laboratory();
    const run::Laboratory& laboratory() const;
    const model::CompiledSystem& system() const { return *bench_->system; }
    std::shared_ptr<const model::CompiledSystem> systemHandle() const;
    const std::vector<RunEntry>& runs() const;
    const RunEntry* find(int key) const;
    run::RunStatus status(int key) const;
    int selected() const;
    int reference() const;
    /// Present values, one per parameter of the model.
    std::vector<double> parameters() const;
    /// The start that a reset goes back to: present parameters, values set by hand, what is fixed.
    run::StartSettings startSettings() const;
    /// What the initial-condition doctor says of a start at the present parameters. Fails where the values cannot be computed.
    Result<consistency::Diagnosis> diagnoseStart(const run::StartSettings& start) const;
    /// Max norm of q - q(reference) at t; NaN for the reference itself and where one of them has no state.
    double deviation(int key, double t) const;
    /// A metric ("residual.position", "energy_error", ...) at t from the recording; NaN when there is none.
    double metricAt(int key, const char* column, double t) const;
    /// True while an earlier time than the furthest shown so far is on display.
    bool scrubbedBack() const;
    const std::vector<Message>& messages() const { return messages_; }
    QUndoStack& undoStack() { return undo_; }

    /// As the model's [run] table says.
    run::RunSettings defaultSettings() const { return bench_ ? settingsAsFile(system().model()) : run::RunSettings{}; }

    // --- edits: true when done, false when refused ---
    bool addRun(const run::RunSettings& settings);
    bool duplicateRun(int key);
    bool removeRun(int key);
    bool setFormulation(int key, const QString& id);
    bool setIntegrator(int key, const QString& id);
    /// Calls of one gesture (a slider drag) are one undo entry; an empty gesture is an entry of its own.
    bool setOptions(int key, const integrate::IntegratorOptions& options, const QString& gesture = {});
    bool setPivot(int key, const run::PivotChoice& pivot);
    bool setGain(int key, const QString& name, double value, const QString& gesture = {});
    /// An option of the formulation, such as the basis of tangent-plane. A formulation forgets them when it is left; undo
    /// brings them back.
    bool setChoice(int key, const QString& name, const QString& value);
    /// New bases at the present position, for the formulations that hold bases between steps. An act without a state to go back
    /// to: it stands on the time line, and the undo stack is left alone.
    bool renewBasis(int key);
    bool setParameter(const QString& name, double value, const QString& gesture = {});
    /// Positions and velocities (full names) of all runs at the displayed time, as when a body is dragged: what follows after
    /// that time is cut, and the rest of each state is made consistent. Undo brings every run's own state of before back.
    bool setState(const std::map<std::string, double>& values, const QString& text, const QString& gesture = {});
    /// Another value of a number of the model's table [structure]: the text with it, opened in place with all runs. One undo
    /// entry.
    bool setStructure(const QString& name, int value);
    /// A start value (coordinate, velocity, multiplier or chart coordinate); all runs start again from it.
    bool setInitialValue(const QString& name, double value);
    /// Start values, what is fixed, and the metric: all runs start again from there.
    bool setStart(const run::SetStart& start);
    /// Back to t = 0 with the present settings and parameters.
    bool reset();

    // --- presentation: no undo entry ---
    void select(int key);
    void setReference(int key);
    void setVisible(int key, bool visible);

    // --- time ---
    run::ClockStatus tick(double wallSeconds);
    void play();
    void pause();
    void stepOnce();
    void scrub(double t);
    void setSpeed(double simulatedSecondsPerSecond);
    /// Looks for runs that failed since the last call; a few times a second.
    void poll();

signals:
    void benchChanged(); ///< another model, or the same from its start: everything is new
    void runsChanged();  ///< runs added, removed, selected, shown or hidden
    void settingsChanged(int key);
    void parametersChanged();
    void playingChanged(bool playing);
    void refused(const driftless::Diagnostic& diagnostic);
    void replaying(SessionReplay* replay); ///< a session is being opened, which takes a while; events are handled meanwhile
    void runFailed(int key);
    void messagesChanged();
    void titleChanged();

private:
    friend class ChangeCommand;
    friend class StateCommand; // the undo commands
    friend class RunCommand;
    friend class BenchCommand;
    /// What is opened is saved under a name of its own; what is edited keeps the name, also over undo and redo.
    enum class Opens { NewDocument, SameDocument };
    void push(class DocumentCommand* command, Opens opens = Opens::SameDocument);

    /// A run that has no start yet, with the place it will have.
    struct WaitingRun {
        RunEntry entry;
        run::RunSettings settings;
    };
    /// A laboratory with what the window knows about it; swapped as a whole when another model is opened.
    struct Bench {
        std::shared_ptr<const model::CompiledSystem> system;
        std::unique_ptr<run::Laboratory> laboratory;
        std::vector<RunEntry> runs;
        std::vector<double> parameters;
        int selected = -1, reference = -1, document = 0; ///< keys of runs, and of origins_
        double furthest = 0;                             ///< latest time that was on display [s]
        std::set<int> failed;                            ///< keys of runs whose failure was reported
        std::vector<WaitingRun> waiting;
        std::optional<Diagnostic> problem; ///< why they wait
    };
    using BenchHandle = std::unique_ptr<Bench>;
    /// A bench on which no time has passed, as what it is made from: hundreds of edits need no laboratories (and threads) to be
    /// undone.
    struct Parked;
    static std::shared_ptr<const Parked> park(const Bench& bench); ///< null where something was computed or done
    Result<BenchHandle> revive(const Parked& parked) const;
    static BenchHandle makeBench(std::shared_ptr<const model::CompiledSystem> system, const run::StartSettings& start);
    static Result<BenchHandle> compileBench(Result<std::shared_ptr<const model::Model>> model, const run::StartSettings& start);
    /// The present runs with their settings from t = 0 on another bench.
    Result<void> repeatRuns(Bench& target) const;
    static run::RunSettings settingsAsFile(const model::Model& model);
    /// As the model's [run] table says.
    WaitingRun firstRun(const model::Model& model);
    /// The same for all that can start; the others wait.
    void startRuns(Bench& target, std::vector<WaitingRun> wanted) const;
    Result<void> addTo(Bench& bench, RunEntry& entry, const run::RunSettings& settings, std::size_t place) const;
    Result<void> adopt(BenchHandle bench, const QString& text, Opens opens);
    Result<void> openBench(Result<std::shared_ptr<const model::Model>> model, const QString& name);
    /// The last entry below the undo stack's index that edits the document, or that fell off; 0: none does.
    quint64 lastEdit(int document) const;
    bool isUnsaved(int document, const DocumentOrigin& origin) const
    {
        return origin.restored || lastEdit(document) != origin.saved;
    }
    const DocumentOrigin& origin() const { return origins_.at(bench_->document); }
    Result<void> readSession(const QString& path);
    Diagnostic replayUnderWay() const;
    void exchange(BenchHandle& other);
    Result<BenchHandle> freshBench(const run::StartSettings& start) const;
    run::StartSettings presentStart() const;
    Result<double> issue(const std::vector<int>& keys, const run::CommandPayload& payload);
    bool change(int key, const run::CommandPayload& before, const run::CommandPayload& after, const QString& text,
                const QString& gesture);
    Result<void> branchIfScrubbed();
    Result<void> branchHere();
    /// The same command to all runs, or each run's own, at the displayed time.
    Result<void> issueHere(const std::map<int, run::CommandPayload>& payloads);
    std::map<int, run::CommandPayload> statesHere() const;
    Result<void> insertRun(RunEntry entry, const run::RunSettings& settings, std::size_t place);
    run::RunSettings takeRun(int key, std::size_t& place);
    RunEntry freshEntry() const;
    bool say(const Result<void>& result);
    void say(const Diagnostic& diagnostic, int key = -1);
    BenchHandle bench_;
    QUndoStack undo_;
    std::vector<Message> messages_;
    std::map<int, DocumentOrigin> origins_; ///< of every document that undo can bring back
    int documents_ = 0, nextKey_ = 1;
    quint64 serials_ = 0; ///< entries of the undo stack so far
};

} // namespace driftless::ui
