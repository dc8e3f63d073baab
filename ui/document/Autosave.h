// What an edited session loses when the program is killed: a few seconds.
//
// Every document with edits has a file of its own in the state folder, whole or not at all, also one that another has taken the
// place of and that undo leads back to. Its process holds a lock beside it while it lives; a file whose lock nobody holds was
// left behind by a process that did not end properly. A clean end removes both.
#pragma once

#include <QDateTime>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <map>
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
    /// Texts that were typed in the window and belong to no document, by names: they are kept beside the open one.
    void keepTexts(std::function<QJsonObject()> typed) { texts_ = std::move(typed); }
    /// Saves now if something changed since the last time.
    Result<void> save();
    /// Of the open document; empty where it was never saved.
    QString path() const;

    /// The youngest session that was left behind and not put off, if any. What else killed windows left in the folder goes.
    std::optional<LeftSession> find();
    /// Opens it, saves it as this process's own, and removes it. The file stays where it was when it cannot be opened.
    Result<void> restore(const LeftSession& left);
    /// Nobody wants it just now: the next window offers it again.
    void putOff(const LeftSession& left);
    /// It is not wanted.
    static void discard(const LeftSession& left);

signals:
    void saved();
    /// Of a session that was restored.
    void textsFound(const QJsonObject& texts);
    /// Saving failed for the first time in a row.
    void failed(const driftless::Diagnostic& diagnostic);

private:
    struct Kept {
        QString path;
        std::unique_ptr<QLockFile> lock;
        QByteArray last{}; ///< hash of what was written; empty: there is no file
    };
    std::optional<Kept> freshFile() const;
    bool isOurs(const QString& path) const;
    void removeIdleLocks() const;
    void forgetClosed(bool texts);

    Document& document_;
    QString folder_;
    std::function<QJsonObject()> texts_;
    std::map<int, Kept> kept_; ///< by the document's number
    QStringList putOff_;
    QTimer timer_;
    bool complained_ = false;
};

} // namespace driftless::ui
