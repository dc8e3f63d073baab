// What a fault of the machine leaves of a window's files: every one whole or as it was, a message where it is not new, and what
// was open offered again by the next window. Drives tests/ui/FaultyWindow.h in a process of its own.
#pragma once

#include <QDirIterator>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <csignal>

#include "tests/ui/FaultyWindow.h"

namespace driftless::ui::test {

inline const char* const kPassingFaults[] = {"refuse", "full", "short"}; ///< after which the window goes on

inline QByteArray contentAt(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct WindowAct {
    const char* name;
    QStringList files; ///< below the folder; of an automatic save: none, its name has the time
    bool session = false;
};
inline const std::vector<WindowAct>& windowActs()
{
    static const std::vector<WindowAct> all{
        {"save", {"out/kept.driftless"}, true},
        {"save-as", {"out/as.driftless"}, true},
        {"autosave", {}, true},
        {"autosave-first", {}, true},
        {"leave", {}, true},
        {"study", {"out/as.toml"}},
        {"model", {"out/model.toml"}},
        {"equations", {"out/equations.mo"}},
        {"numbers", {"out/numbers.csv"}},
        {"scene", {"out/scene.png"}},
        {"figure-svg", {"out/figure.svg"}},
        {"figure-pdf", {"out/figure.pdf"}},
        {"figure-png", {"out/figure.png"}},
        {"now",
         {"home/pendulum-1.png", "home/pendulum-1.svg", "home/pendulum-1.pdf", "home/pendulum-1.txt", "home/pendulum-1.tex"}},
        {"arranged", {"out/arranged.pdf", "out/arranged.png", "out/arranged.tex"}},
        {"hand-out", {"out/handout.pdf"}},
        {"work", {"out/work.csv"}}};
    return all;
}

/// A window with a folder of its own for all that it writes.
class DrivenWindow {
public:
    struct Told {
        bool alive = false; ///< it said that it was done
        long calls = 0;
        QString said;
    };

    explicit DrivenWindow(const QString& folder) : folder_(folder)
    {
        for (const char* name : {"/out", "/home", "/config", "/data"})
            QDir().mkpath(folder + name);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("MESA_SHADER_CACHE_DISABLE", "true");
        environment.insert("LD_PRELOAD", DRIFTLESS_FAULTY_WRITES);
        environment.insert("FAULT_UNDER", folder);
        environment.insert("FAULT_MODE", "refuse");
        environment.insert("FAULT_AT", "0");
        environment.insert("HOME", folder + "/home");
        environment.insert("XDG_CONFIG_HOME", folder + "/config");
        environment.insert("XDG_DATA_HOME", folder + "/data");
        process_.setProcessEnvironment(environment);
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(kServe), folder});
    }
    ~DrivenWindow()
    {
        if (process_.state() != QProcess::NotRunning) {
            process_.write("leave\n");
            if (!process_.waitForFinished(60'000))
                process_.kill();
            process_.waitForFinished();
        }
    }

    Told act(const char* name, const char* mode = "refuse", long k = 0)
    {
        process_.write(QByteArray("act ") + name + ' ' + mode + ' ' + QByteArray::number(static_cast<qlonglong>(k)) + '\n');
        Told told;
        while (!told.alive && (process_.canReadLine() || process_.waitForReadyRead(120'000)))
            while (!told.alive && process_.canReadLine())
                hear(process_.readLine().trimmed(), told);
        if (!told.alive) {
            process_.waitForFinished(60'000);
            while (process_.canReadLine())
                hear(process_.readLine().trimmed(), told);
        }
        return told;
    }
    void write(const QByteArray& line) { process_.write(line + '\n'); }
    qint64 processId() const { return process_.processId(); }
    /// Waits for its death, and hears what it said before.
    void bury()
    {
        Told told;
        process_.waitForFinished(60'000);
        while (process_.canReadLine())
            hear(process_.readLine().trimmed(), told);
    }
    bool killed() const
    {
        const bool so = process_.state() == QProcess::NotRunning && process_.exitStatus() == QProcess::CrashExit
                        && process_.exitCode() == SIGKILL;
        if (!so)
            qWarning("not killed: state %d, status %d, code %d", process_.state(), process_.exitStatus(), process_.exitCode());
        return so;
    }

    QString path(const QString& file) const { return folder_ + '/' + file; }
    QByteArray offered;             ///< what it found of another window
    QMap<QByteArray, int> sessions; ///< what it announced, and the edits that each has
    int saved = 0, edited = 0;      ///< edits that it said are saved, and all

private:
    void hear(const QByteArray& line, Told& told)
    {
        const auto words = line.split(' ');
        if (words[0] == "edit") {
            edited = words[1].toInt();
            sessions[words[2]] = edited;
        } else if (words[0] == "saved") {
            saved = words[1].toInt();
        } else if (words[0] == "offered") {
            offered = line.mid(8);
        } else if (words[0] == "done") {
            const auto detail = QJsonDocument::fromJson(line.mid(5)).object();
            told = {true, static_cast<long>(detail["calls"].toInteger()), detail["said"].toString()};
        }
    }

    QString folder_;
    QProcess process_;
};

/// Files below the folder that people or later windows see; not settings, which Qt writes.
inline QMap<QString, QByteArray> filesBelow(const QString& folder)
{
    QMap<QString, QByteArray> out;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext())
        if (const QString file = QDir(folder).relativeFilePath(files.next()); !file.startsWith("config/"))
            out[file] = contentAt(folder + '/' + file);
    return out;
}

/// Whole: the bytes of the untouched act; a PDF has the time in it: about the same size, its beginning and its end.
inline bool isWhole(const QString& file, const QByteArray& now, const QByteArray& good)
{
    if (!file.endsWith(".pdf"))
        return now == good;
    return std::abs(now.size() - good.size()) < 64 && now.startsWith("%PDF") && now.trimmed().endsWith("%%EOF");
}

inline bool isAutosave(const QString& file) { return file.startsWith("data/") && file.endsWith(".driftless"); }
inline bool isLock(const QString& file) { return file.startsWith("data/") && file.endsWith(".lock"); }

/// A fault after which the window goes on. Empty where all is well.
inline QByteArray triedFault(DrivenWindow& window, const QString& folder, const WindowAct& act, const char* mode, long k,
                             const QMap<QString, QByteArray>& good, bool older)
{
    for (const QString& file : act.files)
        if (!act.session) {
            QFile::remove(window.path(file));
            if (QFile put(window.path(file)); older && !file.startsWith("home/") && put.open(QIODevice::WriteOnly))
                put.write("a good older file");
        }
    const auto before = filesBelow(folder);
    const auto told = window.act(act.name, mode, k);
    const QByteArray where = QByteArray(act.name) + ", " + mode + " at call " + QByteArray::number(static_cast<qlonglong>(k))
                             + ": " + told.said.toUtf8();
    if (!told.alive)
        return "the window died: " + where;
    const auto now = filesBelow(folder);
    bool complete = true;
    for (auto file = now.cbegin(); file != now.cend(); ++file) {
        const bool expected = act.files.contains(file.key()), itself = isAutosave(file.key());
        const bool session = itself || file.key().endsWith(".driftless");
        if (file.value() == before.value(file.key()) && before.contains(file.key()))
            continue;
        if (session    ? !window.sessions.contains(digest(file.value()))
            : expected ? !isWhole(file.key(), file.value(), good.value(file.key()))
                       : !isLock(file.key()))
            return (expected || itself ? "half a file, " : "left beside: ") + file.key().toUtf8() + ", " + where;
    }
    for (const QString& file : act.files) {
        const bool isNew = act.session ? window.sessions.value(digest(now.value(file))) == window.edited
                                       : isWhole(file, now.value(file), good.value(file));
        if (!isNew && before.contains(file) && now.value(file) != before.value(file))
            return "a good older file is gone, " + file.toUtf8() + ", " + where;
        complete = complete && isNew;
    }
    if (act.files.isEmpty()) {
        complete = false;
        for (auto file = now.cbegin(); file != now.cend(); ++file)
            complete = complete || (isAutosave(file.key()) && window.sessions.value(digest(file.value())) == window.edited);
    }
    const bool complains = !told.said.isEmpty() && !told.said.startsWith("The figure is written.");
    if (complete == complains)
        return (complete ? "a message though all is written: " : "no message: ") + where;
    if (QByteArray(mode) == "short" && !complete)
        return "a short write is no failure: " + where;
    return {};
}

/// Locks as they are a minute later.
inline void age(const QString& folder)
{
    QDirIterator files(folder, {"*.lock", "*.rmlock"}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext())
        if (QFile file(files.next()); file.open(QIODevice::ReadWrite))
            file.setFileTime(QDateTime::currentDateTime().addSecs(-60), QFileDevice::FileModificationTime);
}

/// The edits of the session that the next window offers; -1: none, -2: it cannot be opened.
inline int offeredEdits(const QString& folder)
{
    age(folder);
    Document document;
    Autosave autosave(document, folder + "/data/Driftless/Driftless/state");
    const auto left = autosave.find();
    if (!left)
        return -1;
    if (!document.files().restoreSession(left->path))
        return -2;
    const auto& parameters = document.system().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].quantity.name == "L")
            return qRound((document.bench().parameters()[i] - 1) / kEditStep);
    return -2;
}

/// After the death of the window. Empty where all is well.
inline QByteArray afterDeath(const DrivenWindow& window, const QString& folder, const WindowAct& act,
                             const QMap<QString, QByteArray>& before, const QMap<QString, QByteArray>& good)
{
    const auto now = filesBelow(folder);
    for (auto file = now.cbegin(); file != now.cend(); ++file) {
        if ((before.contains(file.key()) && file.value() == before[file.key()]) || file.key().contains("/.")
            || file.key().contains(".lock"))
            continue; // what was under way has a hidden name
        const bool session = file.key().endsWith(".driftless");
        if (session ? !window.sessions.contains(digest(file.value()))
                    : !act.files.contains(file.key()) || !isWhole(file.key(), file.value(), good.value(file.key())))
            return "half a file, " + file.key().toUtf8();
    }
    for (auto file = before.cbegin(); file != before.cend(); ++file)
        if (!now.contains(file.key()) && !isAutosave(file.key()) && !isLock(file.key()))
            return "gone: " + file.key().toUtf8();
    return {};
}

} // namespace driftless::ui::test
