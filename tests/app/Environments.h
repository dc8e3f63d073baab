// The program on machines that differ from a developer's: what must not matter does not, and what is missing is said in one
// line.
#pragma once

#include <QRegularExpression>
#include <QStandardPaths>

#include "tests/app/FaultyWrites.h"

namespace driftless::testing {

/// What is set for the program; a null value is unset.
using Surroundings = QMap<QString, QString>;

struct Environment {
    const char* name;
    Surroundings set;
    bool fonts = true, scenes = true; ///< whether texts and scenes can be drawn
};

/// A locale with a decimal comma, made for the test where the machine has none; empty where it cannot be made.
inline QString commaLocale(const QString& folder)
{
    static const QString name = QStringLiteral("de_DE.UTF-8");
    const QString localedef = QStandardPaths::findExecutable("localedef");
    if (localedef.isEmpty() || QProcess::execute(localedef, {"-c", "-i", "de_DE", "-f", "UTF-8", folder + '/' + name}) > 1)
        return {};
    return QFileInfo::exists(folder + '/' + name) ? name : QString();
}

inline std::vector<Environment> environments(const QString& folder)
{
    putContent(folder + "/fonts.conf",
               "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig></fontconfig>\n");
    const QString none = QStringLiteral("/proc/none");
    const Surroundings closed{
        {"HOME", none}, {"XDG_CONFIG_HOME", none}, {"XDG_DATA_HOME", none}, {"XDG_CACHE_HOME", none}, {"XDG_STATE_HOME", none}};
    std::vector<Environment> all{{"no home", {{"HOME", {}}, {"XDG_CONFIG_HOME", {}}, {"XDG_DATA_HOME", {}}}},
                                 {"a home that cannot be written", closed},
                                 {"a time zone that is none", {{"TZ", "Nowhere/At-All"}}},
                                 {"a time zone far away", {{"TZ", "XYZ-13:59:59"}}},
                                 {"no fonts", {{"FONTCONFIG_FILE", folder + "/fonts.conf"}}, false, true},
                                 {"no EGL", {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null"}}, true, false},
                                 {"no OpenGL driver", {{"LIBGL_DRIVERS_PATH", none}}, true, false}};
    if (const QString name = commaLocale(folder); !name.isEmpty())
        all.push_back({"a decimal comma", {{"LOCPATH", folder}, {"LC_ALL", name}}});
    return all;
}

/// A command with what it needs of the machine; "@" stands for its folder.
struct Portable {
    const char* name;
    QStringList arguments, files;
    bool writesText = false, drawsScenes = false, draws = false;
};

inline std::vector<Portable> portables()
{
    std::vector<Portable> all;
    for (const Writing& w : writings()) {
        const bool scene = w.arguments.first() == "render";
        const bool text = w.draws && !scene;
        all.push_back({w.name, w.arguments, w.files, text, scene, w.draws});
    }
    all.push_back({"screenshot",
                   {"screenshot", "pendulum", "--time", "0.1", "--size", "1000x600", "--png", "@/w.png"},
                   {"w.png"},
                   true,
                   true,
                   true});
    return all;
}

class Machine {
public:
    /// Files and what was said, without what the clock made.
    struct Outcome {
        Answer answer;
        QMap<QString, QByteArray> files;
    };
    Outcome run(const Portable& portable, const Surroundings& surroundings)
    {
        QDir(folder_.path()).removeRecursively();
        putContent(folder_.filePath("in/two.toml"), kTwoRuns);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("MESA_SHADER_CACHE_DISABLE", "true");
        for (auto value = surroundings.cbegin(); value != surroundings.cend(); ++value)
            if (value.value().isNull())
                environment.remove(value.key());
            else
                environment.insert(value.key(), value.value());
        process.setProcessEnvironment(environment);
        process.setStandardInputFile(QProcess::nullDevice());
        QStringList arguments = portable.arguments;
        process.start(DRIFTLESS_EXECUTABLE, arguments.replaceInStrings("@", folder_.path()));
        Outcome out;
        out.answer.finished = process.waitForFinished(300'000) && process.exitStatus() == QProcess::NormalExit;
        out.answer.code = process.exitCode();
        out.answer.out = process.readAllStandardOutput();
        out.answer.err = process.readAllStandardError();
        for (const QString& file : portable.files)
            if (QFileInfo::exists(folder_.filePath(file)))
                out.files[file] = timeless(file, contentOf(folder_.filePath(file)));
        return out;
    }

    /// Empty where all is well. plain: what the command does here.
    static QByteArray judged(const Portable& portable, const Environment& environment, const Outcome& plain,
                             const Outcome& there)
    {
        const QByteArray where = QByteArray(portable.name) + " with " + environment.name + "\n" + there.answer.described();
        if (!there.answer.finished || !there.answer.sane())
            return "does not end: " + where;
        if ((portable.writesText && !environment.fonts) || (portable.drawsScenes && !environment.scenes)) {
            if (there.answer.code != 2 || there.answer.messages() != 1)
                return "not one message and code 2: " + where;
            return there.files.isEmpty() ? QByteArray() : "a file all the same: " + where;
        }
        if (there.answer.code != 0 || !there.answer.err.trimmed().isEmpty())
            return "fails: " + where;
        for (auto file = plain.files.cbegin(); file != plain.files.cend(); ++file)
            if (there.files.value(file.key()) != file.value())
                return file.key().toUtf8() + " is another: " + where;
        return timeless("out", there.answer.out) == timeless("out", plain.answer.out) ? QByteArray()
                                                                                      : "says something else: " + where;
    }

private:
    /// A PDF has the date, a film a serial number from the clock: only their sizes are compared. Reports say how long they
    /// took.
    static QByteArray timeless(const QString& file, const QByteArray& content)
    {
        if (file.endsWith(".pdf") || file.endsWith(".ogv"))
            return QByteArray::number((content.size() + 32) / 64);
        static const QRegularExpression clock("\"(wall_seconds|run_seconds)\": [^,\n]*");
        return QString::fromUtf8(content).replace(clock, "").toUtf8();
    }

    QTemporaryDir folder_;
};

} // namespace driftless::testing
