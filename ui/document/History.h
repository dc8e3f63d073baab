// What was done, and what of it is saved: the undo stack, and for every document that undo can bring back where it came from
// and which entry it was saved after.
//
// A document is what is saved under a name of its own: opening a model begins another one, editing keeps it. Documents are
// known by numbers. An entry is pushed after it was carried out. When the stack is full its oldest entry falls off and cannot
// be undone any more: what it did stays an unsaved edit.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoCommand>
#include <QUndoStack>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless::ui {

/// What is opened is saved under a name of its own; what is edited keeps the name, also over undo and redo.
enum class Opens { NewDocument, SameDocument };

/// What an entry did to which document, and its number, by which a document knows the entry that it was saved after.
struct EntryMark {
    int document = 0;   ///< that is open after the entry
    bool opens = false; ///< the entry opened it; else it edited it
    quint64 serial = 0;
};

/// What all entries share.
class DocumentCommand : public QUndoCommand {
public:
    using QUndoCommand::QUndoCommand;
    const EntryMark& mark() const { return mark_; }
    void setMark(const EntryMark& mark) { mark_ = mark; }
    /// The recordings of the open bench were cut at t [s]: an entry that is not in force there becomes obsolete. Returns
    /// whether the entries below it act on the same bench.
    virtual bool cutAt(double) { return false; }
    /// The runs of the open bench stand where they stood before anything that can be done again was done. Returns whether the
    /// entries above it act on the same bench.
    virtual bool rewound() { return false; }
    /// Whether it was done, and not undone again, at t [s] of the bench.
    bool inForceAt(double t) const;
    /// The next redo has nothing to do: what it did is in force.
    void setDone() { done_ = true; }

protected:
    /// Whether redo has nothing to do: every entry was carried out before it was pushed, and a stack redoes what is pushed.
    bool wasDone() { return std::exchange(done_, false); }
    /// A later entry was merged into this one.
    void takeOver(const DocumentCommand& later) { mark_.serial = later.mark_.serial; }
    /// Done at t [s] of the bench; then undone at a t; then done again, and so on.
    void actedAt(double t) { acts_.push_back(t); }
    /// The last act has never been; or none has.
    void forgetLastAct() { acts_.pop_back(); }
    void forgetActs() { acts_.clear(); }
    /// What cutAt does where the entry acts at times of the bench.
    void forgetBeyond(double t);

private:
    EntryMark mark_;
    std::vector<double> acts_; ///< [s]
    bool done_ = true;
};

/// Where a document came from and what became of it.
struct DocumentOrigin {
    QString sessionPath{};              ///< where Save writes; empty: it asks
    bool restored = false;              ///< from an automatic save, or from text that mends a file; not saved since
    quint64 saved = 0;                  ///< the entry that it was saved after; 0: as it was opened
    QString name{};                     ///< as the title had it when another document took its place
    bool exercise = false;              ///< the bench of a lesson's step, which nobody keeps once the step is left
    quint64 fallen = 0;                 ///< its last entry that fell off the full undo stack: what it did stays
    QByteArray digest{};                ///< of the file at sessionPath as this window read or wrote it
    QString title{};                    ///< of the study whose runs these are; empty: the model has the title
    std::optional<std::string> typed{}; ///< text of the model that was being typed when it was saved or opened
    bool leftTyped = false;             ///< it was left with another one
    bool leftLogged = false;            ///< it was left with a log that no file has
};

class History : public QObject {
    Q_OBJECT
public:
    static constexpr int kUndoLimit = 200; ///< entries; old laboratories are the only large ones

    explicit History(QObject* parent = nullptr);
    ~History() override;

    QUndoStack& stack() { return undo_; }
    /// A number for a document that is opened beside those that undo leads back to.
    int open();
    /// The same for one that is opened in place of all of them: there is nothing to undo.
    int openAlone(const DocumentOrigin& origin);
    /// Numbers the entry and takes it over. document is the one that is open after it.
    void push(DocumentCommand* command, int document, Opens opens);

    /// Of a document that was opened and that undo still leads back to.
    const DocumentOrigin& origin(int document) const { return origins_.at(document); }
    /// It is saved there as it stands, with what is being typed; digest is the file's.
    void noteSaved(int document, const QString& path, const QByteArray& digest, const std::optional<std::string>& typed);
    /// What no file has of a document: text that is being typed, or a log that goes on behind that of the file.
    struct Unkept {
        bool typed = false, logged = false;
    };
    /// Another bench takes its place.
    void noteLeft(int document, const QString& name, const Unkept& unkept)
    {
        origins_[document].name = name;
        origins_[document].leftTyped = unkept.typed;
        origins_[document].leftLogged = unkept.logged;
    }
    void noteTitle(int document, const QString& title) { origins_[document].title = title; }
    /// No file has it as it was opened.
    void noteNowhere(int document)
    {
        origins_[document].restored = true;
        emit changed();
    }
    void noteExercise(int document) { origins_[document].exercise = true; }
    /// The recordings of the open bench were cut at t [s]: what was done beyond it is neither undone nor done again.
    void cutAt(double t);
    /// They stand where they stood before the entry that is being undone.
    void rewound();

    /// Whether closing it would lose edits: one only watched has none.
    bool isUnsaved(int document) const;
    /// Names of the other documents with unsaved edits that were not undone again; exercises are not among them.
    QStringList unsavedBeside(int document) const;
    /// Their numbers.
    std::vector<int> unsavedNumbers(int document) const;

signals:
    void changed(); ///< an entry was added, undone or redone, or a document was saved

private:
    /// The last entry below the undo stack's index that edits the document, or that fell off; 0: none does.
    quint64 lastEdit(int document) const;
    DocumentCommand* entryAt(int place);
    /// What was undone beyond a cut is in force again, without doing anything.
    void restoreCut();
    /// Takes obsolete entries off where undo and redo would meet them next.
    void dropObsolete();

    QUndoStack undo_;
    std::map<int, DocumentOrigin> origins_; ///< of every document that undo can bring back
    int documents_ = 0;                     ///< numbers given so far
    std::optional<double> cut_;             ///< [s], until the next entry is pushed or the program idles
    quint64 serials_ = 0;                   ///< entries of the undo stack so far
};

} // namespace driftless::ui
