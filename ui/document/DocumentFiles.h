// The open document as files: opening and saving sessions, models and studies, its title, and whether closing loses edits.
#pragma once

#include <QObject>
#include <QStringList>

#include <vector>

#include "ui/document/ModelOpener.h"
#include "ui/document/ShownPlot.h"

namespace driftless::ui {

class SessionReplay;

class DocumentFiles : public QObject {
    Q_OBJECT
public:
    /// What the files are made of and opened into.
    struct Parts {
        OpenBench& open;
        History& history;
        MessageLog& messages;
        Playback& playback;
        ModelOpener& opener;
    };
    explicit DocumentFiles(const Parts& parts, QObject* parent = nullptr);

    /// A session, a study or a model, by looking at the file; else a shipped one's name. What of a study cannot be shown is
    /// said.
    Result<void> open(const QString& pathOrName);
    /// A CSV file whose columns the model records: dots beside the runs, as an entry of the undo stack. open() does it for
    /// every file that ends so.
    Result<void> showMeasured(const QString& path);
    /// Takes all of it away.
    void hideMeasured();
    /// Nothing can be undone afterwards.
    Result<void> openSession(const QString& path);
    /// A session that was never saved under a name of its own: it stays dirty and is not remembered among the files.
    Result<void> restoreSession(const QString& path);
    /// True while a session is repeated, which takes a while and handles events: nothing else can be opened then.
    bool isReplaying() const { return parts_.open.isReserved(); }

    /// Where the session was read or saved before, another's file is never overwritten: what somebody wrote there since stays,
    /// and the saving fails.
    Result<void> saveSession(const QString& path);
    /// What the window's plots show: sessions keep it.
    void notePlots(std::vector<ShownPlot> plots) { plots_ = std::move(plots); }
    /// What saveSession writes.
    QByteArray sessionBytes() const;
    /// Writes the model text, as it is being typed where it is; whole or not at all. Refuses what is no model yet.
    Result<void> saveModel(const QString& path) const;
    /// Everything that was done, with its time, as a study that computes the same numbers.
    Result<void> saveStudy(const QString& path) const;

    QString title() const;       ///< of the window; an asterisk where it is dirty
    QString sessionPath() const; ///< where Save writes; empty: it asks
    /// Whether closing would lose edits of this document: one only watched has none.
    bool isDirty() const;
    /// The same of any document that undo can bring back, this one included.
    bool hasEdits() const { return isDirty() || !editsElsewhere().isEmpty(); }
    /// The names of the others among them, and their numbers.
    QStringList editsElsewhere() const;
    std::vector<int> editedElsewhere() const;

signals:
    /// A session was opened that says what its plots show; unknown: what it says that no plot has.
    void plotsOpened(const std::vector<driftless::ui::ShownPlot>& plots, const QStringList& unknown);
    void replaying(
        driftless::ui::SessionReplay* replay); ///< a session is being opened, which takes a while; events are handled meanwhile

private:
    Result<std::unique_ptr<run::Laboratory>> repeated(const std::string& json, const QString& path);
    /// Its digest is kept in the origin.
    Result<void> readSession(const QString& path, DocumentOrigin origin);
    void putMeasured(std::vector<MeasuredCurves> after, const QString& words);
    const DocumentOrigin& origin() const;
    Parts parts_;
    std::vector<ShownPlot> plots_;
};

} // namespace driftless::ui
