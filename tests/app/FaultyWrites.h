// The program with one of its writing system calls refused, cut short, or as the moment of its death
// (tests/support/FaultyWrites.cpp).
#pragma once

#include <QtTest>

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <csignal>
#include <random>

#include "tests/app/Driver.h"

namespace driftless::testing {

inline const QByteArray kGoodOlder = "a good older file";
inline const char* const kWriteFaults[] = {"refuse", "full", "short", "kill"};

struct FaultyAnswer : Answer {
    bool killed = false; ///< by the fault
    long calls = 0;      ///< writing system calls
};

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void putContent(const QString& path, const QByteArray& content)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// killAfter: [ms] from the start; -1: never.
inline FaultyAnswer askWithFault(const QStringList& arguments, const QString& under, const QString& mode, long at,
                                 int killAfter = -1)
{
    QTemporaryDir own;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("DISPLAY");
    environment.remove("WAYLAND_DISPLAY");
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("MESA_SHADER_CACHE_DISABLE", "true");
    environment.insert("LD_PRELOAD", DRIFTLESS_FAULTY_WRITES);
    environment.insert("FAULT_UNDER", under);
    environment.insert("FAULT_MODE", mode);
    environment.insert("FAULT_AT", QString::number(at));
    environment.insert("FAULT_COUNT", own.filePath("calls"));
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(DRIFTLESS_EXECUTABLE, arguments);
    FaultyAnswer answer;
    if (killAfter >= 0 && process.waitForStarted() && !process.waitForFinished(killAfter))
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(300'000)) {
        process.kill();
        process.waitForFinished();
        answer.err = "did not end in time";
        return answer;
    }
    answer.killed = process.exitStatus() == QProcess::CrashExit && process.exitCode() == SIGKILL;
    answer.finished = process.exitStatus() == QProcess::NormalExit;
    answer.code = process.exitCode();
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    answer.calls = static_cast<long>(QFileInfo(own.filePath("calls")).size());
    return answer;
}

/// A command and the files that it writes below a folder.
struct Writing {
    const char* name;
    QStringList arguments; ///< "@" stands for the folder
    QStringList files;     ///< that it is asked for, and that may have been there before
    bool draws = false;
};

inline const std::vector<Writing>& writings()
{
    const QStringList figure{"figure", "pendulum", "--end", "0.5", "--run", "index-1:rk4:step=0.05"};
    static const std::vector<Writing> all{
        {"table of a run", {"run", "pendulum", "--end", "0.2", "--csv", "@/steps.csv"}, {"steps.csv"}},
        {"study",
         {"study", "@/in/two.toml", "--no-figures", "--out", "@/out"},
         {"out/tables/t.csv", "out/runs/a-step=0.1.csv"}},
        {"figure and table",
         figure + QStringList{"--out", "@/f.svg", "--table", "@/t.md", "--caption", "@/c.txt"},
         {"f.svg", "t.md", "c.txt"},
         true},
        {"figure pdf", figure + QStringList{"--out", "@/f.pdf"}, {"f.pdf"}, true},
        {"picture", {"render", "pendulum", "--size", "160x120", "--png", "@/p.png"}, {"p.png"}, true},
        {"film",
         {"render", "pendulum", "--size", "160x128", "--from", "0", "--to", "1", "--fps", "10", "--video", "@/v.ogv"},
         {"v.ogv"},
         true},
        {"hand-out", {"lesson", "what-is-a-dae", "--pdf", "@/h.pdf"}, {"h.pdf"}, true}};
    return all;
}

inline const char kTwoRuns[] = "title = \"T\"\nsummary = \"S\"\n[default]\nmodel = \"pendulum\"\nformulation = "
                               "\"index-1\"\nintegrator = \"rk4\"\nend = 1\n"
                               "[[run]]\nname = \"a\"\nvary = { step = [0.1, 0.05] }\n[[table]]\nname = \"t\"\ncolumn = [{ "
                               "title = \"n\", measure = \"steps\" }]\n";

/// What a fault leaves: every file as it was or as it should be, nothing half-written under its name; a program that is not
/// killed says so in one line, ends with code 2 where a file is not new, and leaves nothing beside; and the command goes
/// through afterwards.
class FaultyWriting {
public:
    explicit FaultyWriting(const Writing& writing) : writing_(writing)
    {
        for (const bool first : {true, false}) {
            reset(false);
            QElapsedTimer clock;
            clock.start();
            const FaultyAnswer counted = askWithFault(arguments(), folder_.path(), "refuse", 0);
            duration_ = static_cast<int>(clock.elapsed());
            if (!counted.finished || counted.code != 0)
                qFatal("%s", counted.described().constData());
            calls_ = counted.calls;
            for (const QString& file : written()) {
                const QByteArray content = contentOf(at(file));
                Good& good = good_[file];
                good.dated = hasTheClockInIt(file);
                if (!first && !good.dated && content != good.content)
                    qFatal("two runs write different bytes to %s", qPrintable(file));
                good.content = content;
            }
        }
    }

    long calls() const { return calls_; }

    /// Empty where all is well.
    QByteArray tried(const char* mode, long k, bool older)
    {
        reset(older);
        const FaultyAnswer answer = askWithFault(arguments(), folder_.path(), mode, k);
        return judged(mode, answer, older,
                      QByteArray(" at call ") + QByteArray::number(static_cast<qlonglong>(k)) + " of "
                          + QByteArray::number(static_cast<qlonglong>(calls_)));
    }
    /// Killed after so many milliseconds, wherever it is then; killed: whether it was still running.
    QByteArray killedAfter(int milliseconds, bool older, bool& killed)
    {
        reset(older);
        const FaultyAnswer answer = askWithFault(arguments(), folder_.path(), "kill", 0, milliseconds);
        killed = answer.killed;
        return judged("kill", answer, older, " after " + QByteArray::number(milliseconds) + " ms");
    }
    /// How long the untouched command takes [ms].
    int duration() const { return duration_; }

private:
    QByteArray judged(const char* mode, const FaultyAnswer& answer, bool older, const QByteArray& moment)
    {
        const QByteArray where =
            QByteArray(writing_.name) + ", " + mode + moment + (older ? ", older files there" : "") + "\n" + answer.described();
        if (!answer.finished && !(answer.killed && QByteArray(mode) == "kill"))
            return "crashed: " + where;
        if (!answer.sane())
            return "sanitizer: " + where;
        if (QByteArray(mode) == "short" && answer.code != 0)
            return "a short write is no failure: " + where;
        bool complete = true;
        for (auto good = good_.cbegin(); good != good_.cend(); ++good) {
            const bool there = QFileInfo::exists(at(good.key())), before = older && writing_.files.contains(good.key());
            const QByteArray now = contentOf(at(good.key()));
            const bool isNew = there && good->isWhole(now);
            complete = complete && isNew;
            if (!isNew && !(before ? now == kGoodOlder : !there))
                return "half a file, " + good.key().toUtf8() + " has " + QByteArray::number(now.size()) + " bytes: " + where;
        }
        if (answer.finished && complete != (answer.code == 0))
            return "the exit code does not tell whether the files are written: " + where;
        if (answer.finished && answer.code != 0 && (answer.code != 2 || answer.messages() != 1))
            return "not one message and code 2: " + where;
        if (answer.finished)
            if (const QString left = leftover(); !left.isEmpty())
                return "left beside: " + left.toUtf8() + ", " + where;
        const FaultyAnswer again = askWithFault(arguments(), folder_.path(), mode, 0);
        for (auto good = good_.cbegin(); good != good_.cend(); ++good)
            if (again.code != 0 || !good->isWhole(contentOf(at(good.key()))))
                return "does not go through afterwards: " + where + "\nthen " + good.key().toUtf8() + ": " + again.described();
        return {};
    }

    QString at(const QString& file) const { return folder_.filePath(file); }
    QStringList arguments() const
    {
        QStringList out = writing_.arguments;
        return out.replaceInStrings("@", folder_.path());
    }
    /// A PDF has its date, a study's list of runs how long they took, and VTK draws the serial number of a film's stream from
    /// the clock: two runs write the same bytes within one second, and others in the next.
    static bool hasTheClockInIt(const QString& file)
    {
        return file.endsWith(".pdf") || file.endsWith(".json") || file.endsWith(".ogv");
    }
    /// What the untouched command writes.
    struct Good {
        QByteArray content;
        bool dated = false; ///< else whole means the same bytes; with a time in it, JSON that can be read, or about the same
                            ///< size, the same beginning, and of a PDF the end
        bool isWhole(const QByteArray& now) const
        {
            if (!dated)
                return now == content;
            if (content.startsWith('{'))
                return !QJsonDocument::fromJson(now).isNull();
            return std::abs(now.size() - content.size()) < 64 && now.left(4) == content.left(4)
                   && (!content.startsWith("%PDF") || now.trimmed().endsWith("%%EOF"));
        }
    };
    QStringList written() const
    {
        QStringList out;
        QDirIterator files(folder_.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext())
            if (const QString file = QDir(folder_.path()).relativeFilePath(files.next()); !file.startsWith("in/"))
                out << file;
        return out;
    }
    void reset(bool older)
    {
        QDir(folder_.path()).removeRecursively();
        QDir().mkpath(folder_.path());
        putContent(at("in/two.toml"), kTwoRuns);
        for (const QString& file : writing_.files)
            if (older)
                putContent(at(file), kGoodOlder);
    }
    /// A file that the untouched command does not leave.
    QString leftover() const
    {
        for (const QString& file : written())
            if (!good_.contains(file))
                return file;
        return {};
    }

    const Writing& writing_;
    QTemporaryDir folder_;
    long calls_ = 0;
    int duration_ = 0;
    QMap<QString, Good> good_;
};

inline bool drawsFiles() { return ask({"--help"}).out.contains("screenshot"); }

} // namespace driftless::testing
