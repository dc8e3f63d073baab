// Sessions survive the death of the program (acceptance 5): a child process edits and plays, is killed, and the next start
// finds what it did. Windows at the same time keep out of each other's files.
#include <QDir>
#include <QLockFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>

#include <csignal>
#include <cstdio>
#include <optional>

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
    document.playback().setSpeed(20);
    document.playback().play();
    QTimer::singleShot(300, &document, [&] {
        document.control().setFormulation(document.runs()[1].key, QStringLiteral("projection"));
        document.control().setParameter(QStringLiteral("L"), 1.25);
        autosave.start(kOften);
    });
    return application.exec();
}

QStringList files(const QString& folder) { return QDir(folder).entryList({QStringLiteral("session-*")}, QDir::Files); }

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
        f.window.offerRestore("Restore?", "Left behind.", [&](MainWindow::Offer answer) {
            restored = answer == MainWindow::Offer::Restore && autosave.restore(*left).ok();
        });
        QVERIFY(f.click("messageAction"));
        QVERIFY(restored);
        QCOMPARE(f.document.runs().size(), std::size_t(2));
        QCOMPARE(f.status(1).settings.formulation, std::string("projection"));
        QCOMPARE(f.document.bench().parameters()[2], 1.25);
        // The clock of the file was read a moment before the child said so, in one and the same call.
        QVERIFY2(f.time() >= saved - 1e-12, qPrintable(QStringLiteral("%1 %2").arg(f.time()).arg(saved)));
        QVERIFY(f.document.files().hasEdits()); // closing asks
        QVERIFY(f.document.files().sessionPath().isEmpty());

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
            QVERIFY(f.document.control().setParameter("L", 1.5));
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
            QVERIFY(document->opener().openModel("pendulum").ok());
            QVERIFY(document->control().setParameter("L", 1.5));
        }
        QVERIFY(first.save().ok() && second.save().ok());
        QVERIFY(first.path() != second.path());
        QVERIFY(!first.find() && !second.find()); // both live
    }

    /// A window that is killed while it takes a lock leaves it empty or half-written; the number in an older one may be another
    /// process's by now. Who lives holds the system's lock, however old the file is.
    void aLockIsJudgedByWhoHoldsIt_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half of it") << QByteArray("4194303\nui_test_autosave\nthe-first-half-of-a-na");
        QTest::newRow("a process of that number lives") << QByteArray::number(QCoreApplication::applicationPid())
                                                               + "\nui_test_autosave\n" + QSysInfo::machineHostName().toUtf8()
                                                               + "\n";
    }
    void aLockIsJudgedByWhoHoldsIt()
    {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        Document one, two;
        Autosave living(one, folder.path()), other(two, folder.path());
        QVERIFY(one.opener().openModel("pendulum").ok() && one.control().setParameter("L", 1.5));
        QVERIFY(living.save().ok());
        const auto old = QDateTime::currentDateTime().addSecs(-3600);
        const auto aged = [&old](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadWrite) && file.setFileTime(old, QFileDevice::FileModificationTime);
        };
        QVERIFY(aged(living.path() + ".lock"));
        QVERIFY(!other.find());
        const QString left = folder.filePath("session-20260101-000000-1-0.driftless");
        QVERIFY(QFile::copy(living.path(), left));
        QFile lock(left + ".lock");
        QVERIFY(lock.open(QIODevice::WriteOnly) && lock.write(content) == content.size());
        lock.close();
        QVERIFY(!other.find()); // it may just be taken
        QVERIFY(aged(lock.fileName()));
        const auto found = other.find();
        QVERIFY(found.has_value());
        QCOMPARE(found->path, left);
    }

    /// Windows that were killed before their first save leave a lock alone, or half a file under a hidden name. Those of one
    /// that lives stay, also where it has no file at the moment.
    void whatKilledWindowsLeaveBesideGoes()
    {
        QTemporaryDir folder;
        Document one, two;
        Autosave living(one, folder.path()), other(two, folder.path());
        QVERIFY(one.opener().openModel("pendulum").ok() && one.control().setParameter("L", 1.5));
        QVERIFY(living.save().ok());
        QVERIFY(one.files().saveSession(folder.filePath("kept.driftless")).ok() && living.save().ok());
        QVERIFY(!QFile::exists(living.path()) && QFile::exists(living.path() + ".lock"));
        const auto old = [&folder](const QString& name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly)
                   && file.setFileTime(QDateTime::currentDateTime().addSecs(-3600), QFileDevice::FileModificationTime);
        };
        QVERIFY(old("session-20260101-000000-1-0.driftless.lock"));
        QVERIFY(old(".session-20260101-000000-1-0.1-0.part.driftless"));
        QVERIFY(old("notes.lock"));
        QVERIFY(!other.find());
        const QStringList left = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(left, QStringList({"kept.driftless", "notes.lock", QFileInfo(living.path()).fileName() + ".lock"}));
    }

    /// Two windows that opened the same session: each saves its own work by itself, and the second to save by hand does not
    /// take the first one's.
    void twoWindowsOnOneSession()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("shared.driftless"), apart = folder.filePath("apart.driftless");
        Document one, two;
        Autosave first(one, folder.path()), second(two, folder.path());
        QVERIFY(one.opener().openModel("pendulum").ok() && one.files().saveSession(path).ok());
        QVERIFY(two.files().openSession(path).ok());
        QVERIFY(one.control().setParameter("L", 1.5) && two.control().setParameter("L", 2.5));
        QVERIFY(first.save().ok() && second.save().ok());
        QVERIFY(first.path() != second.path() && QFile::exists(first.path()) && QFile::exists(second.path()));
        QVERIFY(one.files().saveSession(path).ok());
        QVERIFY(one.control().setParameter("L", 1.75) && one.files().saveSession(path).ok()); // its own file, again
        const auto refused = two.files().saveSession(path);
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().remedy.find("ave as") != std::string::npos, refused.error().text().c_str());
        QVERIFY(two.files().isDirty());
        QVERIFY(two.files().saveSession(apart).ok());
        Document again;
        QVERIFY(again.files().openSession(path).ok());
        QCOMPARE(again.bench().parameters()[2], 1.75);
        QVERIFY(again.control().setParameter("L", 1) && again.files().saveSession(path).ok()); // as it read it
        QVERIFY(again.files().openSession(apart).ok());
        QCOMPARE(again.bench().parameters()[2], 2.5);
        QVERIFY(QFile::remove(apart));
        QVERIFY(again.files().saveSession(apart).ok()); // there is nothing to lose
    }

    void savedUnderANameThereIsNothingToRestore()
    {
        QTemporaryDir folder;
        Document document;
        Autosave autosave(document, folder.path());
        QVERIFY(document.opener().openModel("pendulum").ok());
        QVERIFY(document.control().setParameter("L", 1.5));
        QVERIFY(autosave.save().ok());
        QVERIFY(QFile::exists(autosave.path()));
        QVERIFY(document.files().saveSession(folder.filePath("kept.driftless")).ok());
        QVERIFY(autosave.save().ok());
        QVERIFY(!QFile::exists(autosave.path()));
    }

    /// Another document takes its place, and it is still one with edits: both would be lost.
    void everyDocumentWithEditsHasItsFile()
    {
        QTemporaryDir folder;
        Document document, other;
        Autosave autosave(document, folder.path()), second(other, folder.path());
        autosave.start();
        QVERIFY(document.opener().openModel("pendulum").ok());
        QVERIFY(document.control().setParameter("L", 1.5));
        QVERIFY(document.opener().openModel("slider-crank").ok()); // saved as it is left
        QCOMPARE(files(folder.path()).filter(QRegularExpression("driftless$")).size(), 1);
        QVERIFY(document.opener().openModel("cart-pendulum").ok());
        QVERIFY(document.edits().setInitialValue("cart.x", 0.25));
        QVERIFY(autosave.save().ok());
        QCOMPARE(files(folder.path()).filter(QRegularExpression("driftless$")).size(), 2);
        document.undoStack().undo(); // nothing of the cart is to be lost
        QVERIFY(autosave.save().ok());
        QCOMPARE(files(folder.path()).filter(QRegularExpression("driftless$")).size(), 1);
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QVERIFY(autosave.save().ok());
        QCOMPARE(files(folder.path()).filter(QRegularExpression("driftless$")).size(), 0);
    }

    /// Dismissing it by habit deletes nothing, and the next of several is offered.
    void aSessionThatIsPutOffStays()
    {
        QTemporaryDir folder;
        bool good = false;
        QVERIFY(killedAt(folder.path(), good) > 0 && good);
        QVERIFY(killedAt(folder.path(), good) > 0 && good);
        Fixture f;
        Autosave autosave(f.document, folder.path());
        const auto first = autosave.find();
        QVERIFY(first.has_value());
        std::optional<MainWindow::Offer> answer;
        f.window.offerRestore("Restore?", "Left behind.", [&](MainWindow::Offer given) { answer = given; });
        QVERIFY(f.click("messageDismiss"));
        QVERIFY(!answer); // asked whether it is to be deleted
        QVERIFY(f.click("messageDismiss"));
        QVERIFY(answer == MainWindow::Offer::Later);
        autosave.putOff(*first);
        QVERIFY(QFile::exists(first->path));
        const auto next = autosave.find();
        QVERIFY(next.has_value() && next->path != first->path);
        f.window.offerRestore("Restore?", "Left behind.", [&](MainWindow::Offer given) { answer = given; });
        QVERIFY(f.click("messageDismiss") && f.click("messageAction"));
        QVERIFY(answer == MainWindow::Offer::Delete);
        Document later;
        Autosave window(later, folder.path());
        QVERIFY(window.find().has_value()); // the one that was put off
    }

    void aBrokenLeftoverIsSaidAndKept()
    {
        QTemporaryDir folder;
        QFile broken(folder.filePath("session-20260101-000000-1-0.driftless"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{ \"driftless_session\": 1");
        broken.close();
        Document document;
        QVERIFY(document.opener().openModel("pendulum").ok());
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
