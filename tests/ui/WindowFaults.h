// What a fault of the machine leaves of a window's files: every one whole or as it was, a message where it is not new, and what
// was open offered again by the next window. Drives tests/ui/FaultyWindow.h in a process of its own.
#pragma once

#include <QDirIterator>
#include <QImage>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "core/text/PartFile.h"
#include "core/text/WholeFile.h"
#include "tests/ui/DrivenWindow.h"

namespace driftless::ui::test {

inline const char* const kPassingFaults[] = {"refuse", "full", "short"}; ///< after which the window goes on

inline QByteArray contentAt(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

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

/// Takes the files of an act away, or puts older ones there; where their names are the window's choice, none.
inline void putOlder(const DrivenWindow& window, const WindowAct& act, bool older)
{
    for (const QString& file : act.files) {
        QFile::remove(window.path(file));
        if (QFile put(window.path(file)); older && !file.startsWith("home/") && put.open(QIODevice::WriteOnly))
            put.write("a good older file");
    }
}

/// A fault after which the window goes on. Empty where all is well.
inline QByteArray triedFault(DrivenWindow& window, const QString& folder, const WindowAct& act, const char* mode, long k,
                             const QMap<QString, QByteArray>& good, bool older)
{
    if (!act.session)
        putOlder(window, act, older);
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
        bool allowed = false;
        if (session)
            allowed = window.sessions.contains(digest(file.value()));
        else if (expected)
            allowed = isWhole(file.key(), file.value(), good.value(file.key()));
        else
            allowed = isLock(file.key());
        if (!allowed)
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
    const bool complains =
        !told.said.isEmpty() && !told.said.startsWith("The figure is written.") && !told.said.startsWith("The file is written");
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

/// Files that a killed window had under way, as they are an hour later, are gone when the next one starts or writes there.
/// Empty where that is so.
inline QByteArray staysUnderWay(const QString& folder)
{
    const auto underWay = [&folder] {
        QStringList out;
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext())
            if (const QString file = files.next(); isPartName(QFileInfo(file).fileName().toStdString()))
                out << file;
        return out;
    };
    for (const QString& name : underWay())
        if (QFile file(name); file.open(QIODevice::ReadWrite))
            file.setFileTime(QDateTime::currentDateTime().addSecs(-3600), QFileDevice::FileModificationTime);
    for (const char* next : {"/out/next", "/home/next"})
        if (!writeWholeFile((folder + next).toStdString(), "next"))
            return "nothing can be written afterwards";
    {
        Document document;
        Autosave(document, folder + "/data/Driftless/Driftless/state").find();
    }
    const QStringList left = underWay();
    return left.isEmpty() ? QByteArray() : "left under way: " + left.join(' ').toUtf8();
}

} // namespace driftless::ui::test
