// What an edited session loses when the program is killed: a few seconds.
//
// Every process writes a file of its own in the state folder, whole or not at all, and holds a lock beside it while it
// lives; a file whose lock nobody holds was left behind by a process that did not end properly. A clean end removes both.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

#include "core/base/Result.h"

class QLockFile;

namespace driftless::ui {

class Document;

/// A session that was left behind; its lock is held, so that no other window offers the same.
struct LeftSession {
    QString path;
    QDateTime saved;
    QString model; ///< title, for people
    std::shared_ptr<QLockFile> lock;
};

class Autosave : public QObject {
    Q_OBJECT
public:
    static constexpr int kSeconds = 4;    ///< between two saves
    static constexpr int kMostFiles = 20; ///< older ones are not looked at
    static constexpr int kKeptDays = 30;  ///< nobody asked for it that long

    /// folder empty: stateFolder().
    explicit Autosave(Document& document, const QString& folder = {}, QObject* parent = nullptr);
    /// A clean end: the file goes.
    ~Autosave() override;

    static QString stateFolder();

    /// Begins to save; milliseconds for tests.
    void start(int milliseconds = 1000 * kSeconds);
    /// Saves now if something changed since the last time.
    Result<void> save();
    QString path() const { return path_; }

    /// The youngest session that was left behind, if any. What else killed windows left in the folder goes.
    std::optional<LeftSession> find();
    /// Opens it, saves it as this process's own, and removes it. The file stays where it was when it cannot be opened.
    Result<void> restore(const LeftSession& left);
    /// It is not wanted.
    static void discard(const LeftSession& left);

signals:
    void saved();
    /// Saving failed for the first time in a row.
    void failed(const driftless::Diagnostic& diagnostic);

private:
    bool makeLock();
    void removeIdleLocks() const;
    Document& document_;
    QString folder_, path_;
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
    QByteArray last_; ///< hash of what was written
    bool complained_ = false;
};

} // namespace driftless::ui
