// Runs the real executable as a person or a script would, and keeps what it said.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

namespace driftless::testing {

struct Answer {
    bool finished = false; ///< ended by itself in time, and not by a signal
    int code = -1;
    QByteArray out, err;

    bool isJson() const
    {
        QJsonParseError error;
        QJsonDocument::fromJson(out, &error);
        return error.error == QJsonParseError::NoError;
    }
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonArray array() const { return QJsonDocument::fromJson(out).array(); }
    /// Lines on standard error that are not empty.
    int messages() const
    {
        int count = 0;
        for (const QByteArray& line : err.split('\n'))
            count += line.trimmed().isEmpty() ? 0 : 1;
        return count;
    }
    /// Whether a sanitizer had something to say.
    bool sane() const { return !err.contains("Sanitizer") && !err.contains("runtime error:"); }
    QByteArray described() const
    {
        return "exit code " + QByteArray::number(code) + "\nout: " + out.left(2000) + "\nerr: " + err.left(4000);
    }
};

/// Without any display, whatever the machine that tests has. The limit is for hangs, not a measure of speed.
inline Answer ask(const QStringList& arguments, int limitMilliseconds = 300'000)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("DISPLAY");
    environment.remove("WAYLAND_DISPLAY");
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(DRIFTLESS_EXECUTABLE, arguments);
    Answer answer;
    if (!process.waitForFinished(limitMilliseconds)) {
        process.kill();
        process.waitForFinished();
        answer.err = "did not end in time";
        return answer;
    }
    answer.finished = process.exitStatus() == QProcess::NormalExit;
    answer.code = process.exitCode();
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    return answer;
}

inline QString scratch(const QString& name) { return QStringLiteral(DRIFTLESS_SCRATCH_DIR) + "/" + name; }

inline double number(const QJsonObject& object, const char* key)
{
    return object.value(QLatin1String(key)).toDouble(std::nan(""));
}

/// Value of the last part of a name in "state": "x", "y'".
inline double stateValue(const QJsonObject& report, const QString& lastPart)
{
    const QJsonObject state = report.value("state").toObject();
    for (auto it = state.begin(); it != state.end(); ++it)
        if (it.key() == lastPart || it.key().endsWith('.' + lastPart))
            return it.value().toDouble(std::nan(""));
    return std::nan("");
}

// Case 1 and case 2 of [MS91], section 5: phi(0) = 0.1 at rest, and phi(0) = pi/2 with phi'(0) = -1.
inline QStringList case1() { return {"--set", "phi=0.1", "--set", "phi'=0"}; }
inline QStringList case2() { return {"--set", "phi=pi/2", "--set", "phi'=-1"}; }

} // namespace driftless::testing

#define VERIFY_SANE(answer)                                                                                                    \
    QVERIFY2((answer).finished, (answer).described().constData());                                                             \
    QVERIFY2((answer).sane(), (answer).described().constData())
