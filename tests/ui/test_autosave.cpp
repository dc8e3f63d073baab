// Sessions survive the death of the program (acceptance 5): a child process edits and plays, is killed, and the next start
// finds what it did. Windows at the same time keep out of each other's files.
#include <QDir>
#include <QLockFile>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>

#include <csignal>
#include <cstdio>

#include "tests/ui/WindowFixture.h"
#include "ui/document/Autosave.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

constexpr const char* kChild = "--edit-and-wait";
constexpr int kOften = 40; ///< [ms]

/// The process that is going to be killed: a window with edits, saved automatically while it plays.
int child(QApplication& application, const QString& folder)
{
    Document document;
    MainWindow window(document);
    Autosave autosave(document, folder);
    QObject::connect(&autosave, &Autosave::saved, [&document] {
        std::printf("saved %.17g\n", document.laboratory().clock().t);
        std::fflush(stdout);
    });
    if (!window.openFirstStart())
        return 3;
    window.show();
    window.startFrames();
    document.setSpeed(20);
    document.play();
    QTimer::singleShot(300, &document, [&] {
        document.setFormulation(document.runs()[1].key, QStringLiteral("projection"));
        document.setParameter(QStringLiteral("L"), 1.25);
        autosave.start(kOften);
    });
    return application.exec();
}

QStringList files(const QString& folder)
{
    return QDir(folder).entryList({QStringLiteral("session-*")}, QDir::Files);
}

} // namespace

class TestAutosave : public QObject {
    Q_OBJECT

    QTemporaryDir settings_;

    /// Runs the child until it has saved a few times, then kills it; returns the last time it said it had saved.
    static double killedAt(const QString& folder, bool& good)
    {
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(kChild), folder});
        double last = -1;
        int saves = 0;
        while (saves < 3 && process.waitForReadyRead(60000))
            while (process.canReadLine()) {
                last = process.readLine().mid(6).toDouble();
                ++saves;
            }
        good = saves >= 3 && ::kill(static_cast<pid_t>(process.processId()), SIGKILL) == 0;
        process.waitForFinished();
        while (process.canReadLine())
            last = process.readLine().mid(6).toDouble();
        good = good && process.exitStatus() == QProcess::CrashExit;
        return last;
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void aKilledSessionIsFoundAndRestored()
    {
        QTemporaryDir folder;
        bool good = false;
        const double saved = killedAt(folder.path(), good);
        QVERIFY(good && saved > 0);
        QVERIFY(!files(folder.path()).isEmpty());

        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        Autosave autosave(f.document, folder.path());
        const auto left = autosave.find();
        QVERIFY(left.has_value());
        QVERIFY(left->saved.secsTo(QDateTime::currentDateTime()) < 120);
        QCOMPARE(left->model, QStringLiteral("pendulum"));

        // Offered as a card that does not block; its button restores.
        bool restored = false;
        f.window.offerRestore("Restore?", "Left behind.", [&](bool yes) { restored = yes && autosave.restore(*left).ok(); });
        QVERIFY(f.click("messageAction"));
        QVERIFY(restored);
        QCOMPARE(f.document.runs().size(), std::size_t(2));
        QCOMPARE(f.status(1).settings.formulation, std::string("projection"));
        QCOMPARE(f.document.parameters()[2], 1.25);
        // The clock of the file was read a moment before the child said so, in one and the same call.
        QVERIFY2(f.time() >= saved - 1e-12, qPrintable(QStringLiteral("%1 %2").arg(f.time()).arg(saved)));
        QVERIFY(f.document.hasEdits()); // closing asks
        QVERIFY(f.document.sessionPath().isEmpty());

        // It is this process's own now, under another name, and nobody else finds it.
        QCOMPARE(QDir(folder.path()).entryList({"session-*.driftless"}, QDir::Files).size(), 1);
        QVERIFY(QFile::exists(autosave.path()));
        Document other;
        Autosave second(other, folder.path());
        QVERIFY(!second.find().has_value());
    }

    void aCleanEndLeavesNothing()
    {
        QTemporaryDir folder;
        {
            Fixture f;
            Autosave autosave(f.document, folder.path());
            QVERIFY(f.window.openFirstStart().ok());
            QVERIFY(autosave.save().ok());
            QVERIFY2(files(folder.path()).isEmpty(), "who only watches leaves no file");
            QVERIFY(f.document.setParameter("L", 1.5));
            QVERIFY(autosave.save().ok());
            QVERIFY(QFile::exists(autosave.path()));
        }
        QVERIFY2(files(folder.path()).isEmpty(), qPrintable(files(folder.path()).join(' ')));
    }

    void windowsAtTheSameTimeHaveFilesOfTheirOwn()
    {
        QTemporaryDir folder;
        Document one, two;
        Autosave first(one, folder.path()), second(two, folder.path());
        for (Document* document : {&one, &two}) {
            QVERIFY(document->openModel("pendulum").ok());
            QVERIFY(document->setParameter("L", 1.5));
        }
        QVERIFY(first.save().ok() && second.save().ok());
        QVERIFY(first.path() != second.path());
        QVERIFY(!first.find() && !second.find()); // both live
    }

    void savedUnderANameThereIsNothingToRestore()
    {
        QTemporaryDir folder;
        Document document;
        Autosave autosave(document, folder.path());
        QVERIFY(document.openModel("pendulum").ok());
        QVERIFY(document.setParameter("L", 1.5));
        QVERIFY(autosave.save().ok());
        QVERIFY(QFile::exists(autosave.path()));
        QVERIFY(document.saveSession(folder.filePath("kept.driftless")).ok());
        QVERIFY(autosave.save().ok());
        QVERIFY(!QFile::exists(autosave.path()));
    }

    void aBrokenLeftoverIsSaidAndKept()
    {
        QTemporaryDir folder;
        QFile broken(folder.filePath("session-20260101-000000-1-0.driftless"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{ \"driftless_session\": 1");
        broken.close();
        Document document;
        QVERIFY(document.openModel("pendulum").ok());
        Autosave autosave(document, folder.path());
        const auto left = autosave.find();
        QVERIFY(left.has_value());
        QVERIFY(!autosave.restore(*left).ok());
        QVERIFY(broken.exists());
        QVERIFY(document.hasModel());
        Autosave::discard(*left);
        QVERIFY(!broken.exists());
    }
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() == 3 && arguments[1] == QLatin1String(kChild))
        return child(application, arguments[2]);
    TestAutosave test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_autosave.moc"
