// label: long
// The comparison picture: Ctrl+E and Enter write one figure of scene, plots, runs and settings; Copy puts it on the clipboard.
#include <QtTest>

#include <QClipboard>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"
#include "ui/figures/MathText.h"
#include "ui/panels/ComparisonDialog.h"
#include "ui/panels/MessageCard.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

/// The first start, played for a second, with L changed.
bool playSome(Fixture& f)
{
    if (!f.window.openFirstStart())
        return false;
    f.document.playback().play();
    if (!f.playUntil(1))
        return false;
    f.document.playback().pause();
    f.document.control().setParameter("L", 1.25, "test");
    f.document.playback().stepOnce();
    QTest::qWait(50);
    return true;
}

ComparisonDialog* opened(Fixture& f)
{
    QTest::keyClick(&f.window, Qt::Key_E, Qt::ControlModifier);
    QTest::qWait(50);
    return f.window.findChild<ComparisonDialog*>();
}

QByteArray comparisonBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void initTestCase() { qputenv("HOME", folder_.path().toLocal8Bit()); }

    /// Two steps: Ctrl+E, Enter. The file is there, under a name that was free.
    void twoKeysWriteEachFormat_data()
    {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {"png", "svg", "pdf"})
            QTest::newRow(ending) << ending;
    }
    void twoKeysWriteEachFormat()
    {
        QFETCH(QString, ending);
        Fixture f;
        QVERIFY(playSome(f));
        auto* dialog = opened(f);
        QVERIFY(dialog);
        auto* format = dialog->findChild<QComboBox*>("comparisonFormat");
        format->setCurrentIndex(format->findData(ending));
        const QString path = dialog->findChild<QLineEdit*>("comparisonPath")->text();
        QVERIFY2(path.startsWith(folder_.path()) && path.endsWith('.' + ending), qPrintable(path));
        QVERIFY(!QFile::exists(path));
        const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
        if (!kept.isEmpty())
            dialog->grab().save(kept + "/comparison-dialog.png");
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(QFile::exists(path));
        if (!kept.isEmpty())
            QFile::copy(path, kept + "/comparison." + ending);
        const QByteArray bytes = comparisonBytes(path);
        if (ending == "png") {
            const QImage picture = QImage::fromData(bytes);
            QVERIFY(picture.width() > 1900); // 170 mm at 300 dots per inch
        } else if (ending == "svg") {
            for (const auto& run : f.document.runs())
                QVERIFY2(bytes.contains(run.name.toUtf8()), qPrintable(run.name));
            for (const char* word : {"dummy-derivatives", "rk4", "L = 1.25", "model: 1 m)", "Constraint residuals", "<image"})
                QVERIFY2(bytes.contains(word), word);
            QVERIFY(bytes.trimmed().endsWith("</svg>"));
        } else {
            QVERIFY(bytes.startsWith("%PDF-") && bytes.trimmed().endsWith("%%EOF"));
            const QString reader = QStandardPaths::findExecutable("pdftotext");
            if (reader.isEmpty())
                return;
            QProcess process;
            process.start(reader, {path, "-"});
            QVERIFY(process.waitForFinished());
            const QString text = QString::fromUtf8(process.readAllStandardOutput());
            for (const auto& run : f.document.runs())
                QVERIFY2(text.contains(run.name), qPrintable(text));
        }
    }

    void copyPutsThePictureOnTheClipboard()
    {
        Fixture f;
        QVERIFY(playSome(f));
        QGuiApplication::clipboard()->clear();
        auto* dialog = opened(f);
        QVERIFY(dialog);
        const QImage expected = figures::figureImage(dialog->figure());
        QTest::mouseClick(dialog->findChild<QPushButton*>("comparisonCopy"), Qt::LeftButton);
        const QImage held = QGuiApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(held, expected.convertToFormat(QImage::Format_RGB32));
        QVERIFY(f.window.findChild<MessageCard*>("messageCard")->isVisible());
    }

    /// Refused: the dialog stays with the reason, and nothing is left behind.
    void aRefusedFileIsToldAndLeavesNothing()
    {
        Fixture f;
        QVERIFY(playSome(f));
        auto* dialog = opened(f);
        QVERIFY(dialog);
        const auto before = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        auto* path = dialog->findChild<QLineEdit*>("comparisonPath");
        path->setText(folder_.filePath("absent/figure.svg"));
        QTest::keyClick(path, Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        const auto* message = dialog->findChild<QLabel*>("comparisonMessage");
        QCOMPARE(message->property("role").toString(), QStringLiteral("error"));
        QVERIFY2(message->text().contains("absent"), qPrintable(message->text()));
        QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), before);
    }

    /// Before anything was played the axes are those of the window.
    void atTheStartTheAxesAreThoseOfTheModel()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        f.window.showAt(0);
        QTest::qWait(50);
        auto* dialog = opened(f);
        QVERIFY(dialog);
        auto* format = dialog->findChild<QComboBox*>("comparisonFormat");
        format->setCurrentIndex(format->findData("svg"));
        auto* path = dialog->findChild<QLineEdit*>("comparisonPath");
        path->setText(folder_.filePath("start.svg"));
        QTest::mouseClick(dialog->findChild<QPushButton*>("comparisonSave"), Qt::LeftButton);
        QTRY_VERIFY(QFile::exists(folder_.filePath("start.svg")));
        const QByteArray written = comparisonBytes(folder_.filePath("start.svg"));
        QVERIFY(written.contains("plots from 0 s to 10 s"));
        QVERIFY(!written.contains("1e-09"));
    }

    void aFolderGetsThePictureInside()
    {
        QVERIFY(QDir(folder_.path()).mkpath("pictures"));
        const QString folder = folder_.filePath("pictures");
        QString name;
        for (const QString& typed : {folder, folder + "/"}) {
            Fixture f;
            QVERIFY(playSome(f));
            auto* dialog = opened(f);
            QVERIFY(dialog);
            auto* path = dialog->findChild<QLineEdit*>("comparisonPath");
            name = QFileInfo(path->text()).fileName();
            path->setText(typed);
            QTest::mouseClick(dialog->findChild<QPushButton*>("comparisonSave"), Qt::LeftButton);
            QTRY_VERIFY(QFile::exists(folder + "/" + name));
            QVERIFY(!QFile::exists(folder + ".png"));
            QVERIFY(QFile::remove(folder + "/" + name));
        }
    }

    void aFileThatIsThereIsReplacedWhenAskedTwice()
    {
        Fixture f;
        QVERIFY(playSome(f));
        const QString old = folder_.filePath("old.svg");
        {
            QFile file(old);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("older");
        }
        auto* dialog = opened(f);
        auto* path = dialog->findChild<QLineEdit*>("comparisonPath");
        path->setText(old);
        auto* save = dialog->findChild<QPushButton*>("comparisonSave");
        QTest::mouseClick(save, Qt::LeftButton);
        QCOMPARE(comparisonBytes(old), QByteArray("older"));
        QVERIFY(dialog->findChild<QLabel*>("comparisonMessage")->text().contains("exists"));
        QTest::mouseClick(save, Qt::LeftButton);
        QVERIFY(comparisonBytes(old).contains("</svg>"));
    }

    void themeAndSizeChangeTheFigure()
    {
        Fixture f;
        QVERIFY(playSome(f));
        auto* dialog = opened(f);
        const QColor corner = dialog->figure().panels.front().picture.pixelColor(2, 2);
        QVERIFY(corner.lightness() > 200); // the window is light
        auto* theme = dialog->findChild<QComboBox*>("comparisonTheme");
        theme->setCurrentIndex(theme->findData(true));
        QVERIFY(dialog->figure().panels.front().picture.pixelColor(2, 2).lightness() < 60);
        QCOMPARE(dialog->figure().style.theme, figures::Theme::Dark);
        auto* size = dialog->findChild<QComboBox*>("comparisonSize");
        size->setCurrentIndex(1);
        QCOMPARE(dialog->figure().style.millimetres.width(), 254.0);
        QVERIFY(dialog->findChild<QPushButton*>("comparisonSave")->isEnabled());
        // The window's own scene kept its theme.
        QVERIFY(f.window.scene().grab().toImage().pixelColor(3, 3).lightness() > 200);
    }

    /// A model without a run is a picture of its scene.
    void withoutRunsTheSceneAlone()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        while (!f.document.runs().empty())
            f.document.control().removeRun(f.document.runs().back().key);
        auto* dialog = opened(f);
        QVERIFY(dialog);
        QCOMPARE(dialog->figure().panels.size(), std::size_t{1});
        QVERIFY(!dialog->figure().panels.front().picture.isNull());
        QVERIFY(dialog->figure().legend.empty());
    }
};

QTEST_MAIN(TestComparison)
#include "test_comparison.moc"
