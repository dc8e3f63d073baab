// What the dialogs for files offer: what opens, and a name to save under.
#include <QAbstractFileIconProvider>
#include <QAction>
#include <QFileDialog>
#include <QSettings>
#include <QTemporaryDir>

#include "core/text/WholeFile.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/MessageCard.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

QFileDialog* dialogOf(Fixture& f, const char* action)
{
    f.window.actionRegistry().at(action).trigger();
    QFileDialog* dialog = nullptr;
    (void)QTest::qWaitFor([&] { return (dialog = f.window.findChild<QFileDialog*>()) != nullptr; }, 5000);
    return dialog;
}

void closeDialog(QFileDialog* dialog)
{
    dialog->close();
    delete dialog;
}

} // namespace

class TestFileDialogs : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void aFileThatCannotBeWrittenIsNamed()
    {
        const QString path = QStringLiteral("/proc/driftless-%1.svg").arg(QCoreApplication::applicationPid());
        const auto refused = writeWholeFile(path.toStdString(), "text");
        QVERIFY(!refused.ok());
        const QString said = explained(refused.error());
        QVERIFY2(said.startsWith(path + '\n'), qPrintable(said));
        const Diagnostic told{.what = "The body cannot be moved", .where = "bob", .why = "it is held"};
        QCOMPARE(explained(told), QStringLiteral("It is held."));
    }

    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    /// A model that the window itself has saved as equations is among the files that it offers to open.
    void openShowsEverythingThatOpens()
    {
        Fixture f;
        QFileDialog* dialog = dialogOf(f, "open");
        QVERIFY(dialog);
        const QString filter = dialog->selectedNameFilter();
        for (const char* ending : {"*.toml", "*.mo", "*.driftless", "*.csv"})
            QVERIFY2(filter.contains(QLatin1String(ending)), qPrintable(filter));
        closeDialog(dialog);
    }

    /// Qt's own icons read files, and as root reading /proc/kmsg waits for ever: the dialog could not even be closed.
    void listingAFolder_readsNoFile()
    {
        Fixture f;
        const QString picture = folder_.filePath("picture");
        QVERIFY(writeWholeFile(picture.toStdString(), "\x89PNG\r\n\x1a\n").ok());
        QFileDialog* dialog = dialogOf(f, "open");
        QVERIFY(dialog);
        QVERIFY(dialog->testOption(QFileDialog::DontUseCustomDirectoryIcons));
        QVERIFY(dialog->iconProvider());
        QCOMPARE(dialog->iconProvider()->type(QFileInfo(picture)), QStringLiteral("File"));
        QCOMPARE(dialog->iconProvider()->type(QFileInfo(picture + ".toml")), QStringLiteral("toml File"));
        QVERIFY(!dialog->iconProvider()->icon(QFileInfo(picture)).isNull());
        dialog->setDirectory(QStringLiteral("/proc"));
        QTest::qWait(500);
        closeDialog(dialog);
        // The next one begins there, before it could have been told of other icons.
        dialog = dialogOf(f, "open");
        QVERIFY(dialog);
        QCOMPARE(dialog->directory().path(), QStringLiteral("/proc"));
        QTest::qWait(500);
        dialog->setDirectory(folder_.path());
        closeDialog(dialog);
    }

    void savingProposesAName()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const std::pair<const char*, const char*> proposals[] = {{"saveAs", "pendulum.driftless"},
                                                                 {"saveModel", "pendulum.toml"},
                                                                 {"exportCsv", "pendulum.csv"},
                                                                 {"exportScene", "pendulum.png"},
                                                                 {"sharePage", "pendulum.html"}};
        for (const auto& [action, name] : proposals) {
            QFileDialog* dialog = dialogOf(f, action);
            QVERIFY2(dialog, action);
            QCOMPARE(dialog->findChild<QLineEdit*>("fileNameEdit")->text(), QLatin1String(name));
            closeDialog(dialog);
        }
        // The name that it was saved under is that of what follows, and another kind of file has another ending.
        QVERIFY(f.document.files().saveSession(folder_.filePath("of-mine.driftless")).ok());
        QFileDialog* dialog = dialogOf(f, "saveAs");
        QVERIFY(dialog);
        auto* field = dialog->findChild<QLineEdit*>("fileNameEdit");
        QCOMPARE(field->text(), QStringLiteral("of-mine.driftless"));
        auto* kinds = dialog->findChild<QComboBox*>("fileTypeCombo");
        QVERIFY(kinds);
        kinds->setCurrentIndex(1);
        emit kinds->activated(1);
        QCOMPARE(field->text(), QStringLiteral("of-mine.toml"));
        closeDialog(dialog);
    }

    void whatIsWritten_isSaid()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(dialogOf(f, "exportScene"));
        const QString path = folder_.filePath("scene.png");
        QVERIFY(f.acceptPath(path));
        QTRY_VERIFY(f.find<QLabel>("messageText")->isVisible());
        QCOMPARE(f.value("messageText"), path);
    }
};

QTEST_MAIN(TestFileDialogs)
#include "test_file_dialogs.moc"
