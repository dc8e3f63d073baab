// A window with a folder of its own for all that it writes, in a process of its own (tests/ui/FaultyWindow.h), and the acts
// that it is asked for.
#pragma once

#include <QMap>
#include <QProcess>

#include <csignal>
#include <vector>

#include "tests/ui/FaultyWindow.h"

namespace driftless::ui::test {

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
        {"shared", {"out/shared.html"}},
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
    /// Until it is about to do so many of the acts that it was told to.
    bool waitForActs(int count)
    {
        Told told;
        while (begun < count && (process_.canReadLine() || process_.waitForReadyRead(120'000)))
            while (begun < count && process_.canReadLine())
                hear(process_.readLine().trimmed(), told);
        return begun >= count;
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
    int begun = 0;                  ///< acts

private:
    void hear(const QByteArray& line, Told& told)
    {
        const auto words = line.split(' ');
        if (words[0] == "edit") {
            edited = words[1].toInt();
            sessions[words[2]] = edited;
        } else if (words[0] == "saved") {
            saved = words[1].toInt();
        } else if (words[0] == "armed") {
            ++begun;
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

} // namespace driftless::ui::test
