// What a command without pictures loads and reads: no library of the window, and no model that it was not asked for. Both
// would be paid at every start.
#include <QtTest>

#include <sys/inotify.h>
#include <unistd.h>

#include <array>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

/// The command with variables of its own in the environment.
Answer askWith(const QStringList& arguments, const QByteArray& name, const QByteArray& value)
{
    const QByteArray before = qgetenv(name.constData());
    qputenv(name.constData(), value);
    const Answer answer = ask(arguments);
    if (before.isNull())
        qunsetenv(name.constData());
    else
        qputenv(name.constData(), before);
    return answer;
}

/// Files of a folder that were opened since it began to watch.
class Opened {
public:
    explicit Opened(const QString& folder)
        : watch_(inotify_init1(IN_NONBLOCK)), added_(inotify_add_watch(watch_, QFile::encodeName(folder).constData(), IN_OPEN))
    {
    }
    ~Opened() { close(watch_); }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    bool watches() const { return watch_ >= 0 && added_ >= 0; }
    QStringList files()
    {
        QStringList out;
        alignas(inotify_event) std::array<char, 4096> buffer;
        for (ssize_t read; (read = ::read(watch_, buffer.data(), buffer.size())) > 0;)
            for (ssize_t at = 0; at < read;) {
                const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
                if (event->len > 0 && !out.contains(QString::fromLocal8Bit(event->name)))
                    out << QString::fromLocal8Bit(event->name);
                at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
            }
        return out;
    }

private:
    int watch_;
    int added_;
};

} // namespace

class TestHeadless : public QObject {
    Q_OBJECT

private slots:
    void noLibraryOfTheWindowIsLoaded_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("list") << QStringList{"list", "formulations"};
        QTest::newRow("run") << QStringList{"run", "pendulum", "--end", "1"};
        QTest::newRow("analyze") << QStringList{"analyze", "pendulum"};
        QTest::newRow("pencil") << QStringList{"pencil", "pendulum"};
    }
    void noLibraryOfTheWindowIsLoaded()
    {
        QFETCH(QStringList, arguments);
        const Answer answer = askWith(arguments, "LD_DEBUG", "files");
        QVERIFY2(answer.code == 0, answer.described().constData());
        const QByteArray loaded = answer.err.toLower();
        QVERIFY2(loaded.contains("libc.so"), "the loader tells what it loads");
        for (const char* library : {"libqt", "libvtk", "libgl", "libx11", "libxcb"})
            QVERIFY2(!loaded.contains(library), library);
    }

    void onlyTheModelThatIsMeantIsRead_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("files");
        QTest::newRow("list formulations") << QStringList{"list", "formulations"} << QStringList();
        QTest::newRow("list integrators") << QStringList{"list", "integrators"} << QStringList();
        QTest::newRow("run") << QStringList{"run", "pendulum", "--end", "0.1"} << QStringList{"pendulum.toml"};
        QTest::newRow("equations") << QStringList{"equations", "pendulum"} << QStringList{"pendulum.toml"};
        QTest::newRow("of equations") << QStringList{"run", "bouncing-ball-equations", "--end", "0.1"}
                                      << QStringList{"bouncing-ball-equations.mo"};
    }
    void onlyTheModelThatIsMeantIsRead()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, files);
        QTemporaryDir resources;
        const QString models = resources.filePath("models");
        QVERIFY(QDir().mkpath(models));
        const QString shipped = qEnvironmentVariable("DRIFTLESS_RESOURCES") + "/models/";
        for (const char* file : {"pendulum.toml", "double-pendulum.toml", "bouncing-ball-equations.mo", "backlash.mo"})
            QVERIFY2(QFile::copy(shipped + file, models + "/" + file), file);
        Opened opened(models);
        QVERIFY(opened.watches());
        const Answer answer = askWith(arguments, "DRIFTLESS_RESOURCES", QFile::encodeName(resources.path()));
        QVERIFY2(answer.code == 0, answer.described().constData());
        QCOMPARE(opened.files(), files);
    }
};

QTEST_GUILESS_MAIN(TestHeadless)
#include "test_headless.moc"
