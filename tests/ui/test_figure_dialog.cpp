// The dialog that arranges a figure: what is clicked is what the preview shows and what is written.
#include <QtTest>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"
#include "ui/figures/MathText.h"
#include "ui/panels/Actions.h"
#include "ui/panels/Exports.h"
#include "ui/panels/FigureDialog.h"
#include "ui/panels/MessageCard.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

constexpr int kPreviewWait = 200; // [ms] the preview follows changes after 80

FigureDialog* dialogOf(Fixture& f)
{
    QTest::keyClick(&f.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::qWait(kPreviewWait);
    return f.window.findChild<FigureDialog*>("figureDialog");
}

QImage preview(FigureDialog& dialog)
{
    QTest::qWait(kPreviewWait);
    return dialog.findChild<QWidget*>("figurePreview")->grab().toImage();
}

/// The box whose text starts so, clicked where its mark is.
bool toggle(FigureDialog& dialog, const QString& text)
{
    for (auto* box : dialog.findChildren<QCheckBox*>())
        if (box->text().startsWith(text)) {
            const bool before = box->isChecked();
            QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(10, box->height() / 2));
            return box->isChecked() != before;
        }
    return false;
}

} // namespace

class TestFigureDialog : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void clicksChangePreviewAndFiles()
    {
        Fixture f({1600, 900}); // several plots on screen
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(2));
        f.document.playback().pause();
        auto* dialog = dialogOf(f);
        QVERIFY(dialog);
        const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
        if (!kept.isEmpty())
            dialog->grab().save(kept + "/figure-dialog.png");
        const QImage before = preview(*dialog);
        const std::size_t shown = dialog->arranged().plots.size();
        QVERIFY(shown >= 2);
        QVERIFY(toggle(*dialog, "Step size"));
        QCOMPARE(dialog->arranged().plots.size(), shown + 1);
        const QImage withSteps = preview(*dialog);
        QVERIFY(withSteps != before);
        QVERIFY(toggle(*dialog, "Scene"));
        QVERIFY(dialog->arranged().scene.isNull());
        QVERIFY(toggle(*dialog, f.document.runs()[0].name));
        QCOMPARE(dialog->arranged().runs.size(), std::size_t{1});
        QCOMPARE(dialog->arranged().runs[0].plot.name, f.document.runs()[1].name);
        auto* size = dialog->findChild<QComboBox*>("figureSize");
        size->setCurrentIndex(size->findData("column"));
        QCOMPARE(dialog->arranged().style.millimetres, QSizeF(85, 0));
        auto* font = dialog->findChild<QComboBox*>("figureFont");
        font->setCurrentIndex(font->findData("serif"));
        auto* from = dialog->findChild<QDoubleSpinBox*>("figureFrom");
        from->setValue(0.5);
        QCOMPARE(dialog->arranged().t0, 0.5);
        QVERIFY(preview(*dialog) != withSteps);

        QSignalSpy spy(dialog, &FigureDialog::written);
        QTest::mouseClick(dialog->findChild<QPushButton*>("figureWrite"), Qt::LeftButton);
        QVERIFY(f.acceptPath(folder_.filePath("arranged.pdf")));
        QTRY_COMPARE(spy.count(), 1);
        for (const char* ending : {".pdf", ".png", ".tex"})
            QVERIFY2(QFile::exists(folder_.filePath("arranged") + ending), ending);
        QVERIFY(!QFile::exists(folder_.filePath("arranged.svg"))); // not checked
        QFile tex(folder_.filePath("arranged.tex"));
        QVERIFY(tex.open(QIODevice::ReadOnly));
        QVERIFY(tex.readAll().contains("\\includegraphics[width=85mm]{arranged}"));
    }

    void oneKeyExportsWhatIsOnScreen()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(0.5));
        f.document.playback().pause();
        const auto first = f.window.exports().now(folder_.path()), second = f.window.exports().now(folder_.path());
        QVERIFY(first.ok() && second.ok());
        QVERIFY(*first != *second);
        for (const char* ending : {".pdf", ".svg", ".png", ".txt", ".tex"})
            QVERIFY2(QFile::exists(*first + ending) && QFile::exists(*second + ending), ending);
        QVERIFY(!f.window.exports().now(folder_.filePath("absent")).ok());
        // The key itself writes into the folder of pictures, which is somebody's: only that it is bound is looked at.
        auto* action = f.window.findChild<QAction*>("exportNow");
        QVERIFY(action);
        QCOMPARE(action->shortcut(), QKeySequence(Qt::Key_F8));
    }

    void existingFilesAreReplacedWhenAskedTo()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(0.3));
        f.document.playback().pause();
        const QString own = folder_.filePath("kept.tex");
        const auto content = [&] {
            QFile file(own);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        {
            QFile file(own);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("my own caption");
        }
        auto* dialog = dialogOf(f);
        QVERIFY(dialog);
        QSignalSpy spy(dialog, &FigureDialog::written);
        const auto asked = [&]() -> QMessageBox* {
            QTest::mouseClick(dialog->findChild<QPushButton*>("figureWrite"), Qt::LeftButton);
            if (!f.acceptPath(folder_.filePath("kept.pdf")))
                return nullptr;
            const auto found = [&] { return f.window.findChild<QMessageBox*>("figureReplace"); };
            return QTest::qWaitFor([&] { return found() != nullptr; }, 2000) ? found() : nullptr;
        };
        auto* question = asked();
        QVERIFY(question);
        QVERIFY2(question->text().contains("kept.tex exists"), qPrintable(question->text()));
        question->button(QMessageBox::Cancel)->click();
        QTest::qWait(50);
        QCOMPARE(spy.count(), 0);
        QCOMPARE(content(), QByteArray("my own caption"));
        QVERIFY(!QFile::exists(folder_.filePath("kept.pdf")));
        QVERIFY(dialog->isVisible());
        question = asked();
        QVERIFY(question);
        for (auto* button : question->buttons())
            if (question->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        QTRY_COMPARE(spy.count(), 1);
        QVERIFY(content().contains("\\includegraphics"));
        QVERIFY(QFile::exists(folder_.filePath("kept.pdf")));
    }

    void anEmptyRangeOfTimeIsRefusedAtItsFields()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(0.5));
        f.document.playback().pause();
        auto* dialog = dialogOf(f);
        QVERIFY(dialog);
        auto* from = dialog->findChild<QDoubleSpinBox*>("figureFrom");
        auto* to = dialog->findChild<QDoubleSpinBox*>("figureTo");
        auto* write = dialog->findChild<QPushButton*>("figureWrite");
        auto* said = dialog->findChild<QLabel*>("figureTimes");
        QVERIFY(write->isEnabled() && said && !said->isVisible());
        from->setValue(30);
        to->setValue(20);
        QVERIFY(said->isVisible() && said->text().contains("later than From"));
        QVERIFY(!write->isEnabled() && !dialog->findChild<QPushButton*>("figureCopy")->isEnabled());
        QCOMPARE(write->toolTip(), said->text());
        QTest::qWait(kPreviewWait);
        if (const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !kept.isEmpty())
            dialog->grab().save(kept + "/figure-dialog-times.png");
        QVERIFY(!dialog->writeFiles(folder_.filePath("backwards.pdf")).ok());
        QVERIFY(!QFile::exists(folder_.filePath("backwards.pdf")));
        from->setValue(0.1);
        QVERIFY(!said->isVisible() && write->isEnabled() && write->toolTip().isEmpty());
    }

    void theCaptionIsOfTheTimesChosen()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(1));
        f.document.playback().pause();
        QVERIFY(f.document.control().setParameter("L", 1.25));
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(1.3));
        f.document.playback().pause();
        auto* dialog = dialogOf(f);
        QVERIFY(dialog);
        const auto caption = [&] { return figures::toPlainText(composeFigure(dialog->arranged()).caption); };
        QVERIFY2(caption().contains("L = 1.25 m (1 m until 1"), qPrintable(caption()));
        dialog->findChild<QDoubleSpinBox*>("figureTo")->setValue(0.8);
        QVERIFY2(caption().contains("L = 1 m") && !caption().contains("until"), qPrintable(caption()));
    }

    void theSceneSaysWhereItIsWritten()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.window.actionRegistry().at("exportScene").trigger();
        const QString path = folder_.filePath("scene.png");
        QVERIFY(f.acceptPath(path));
        QTRY_VERIFY(QFile::exists(path));
        auto* card = f.window.findChild<MessageCard*>("messageCard");
        QTRY_VERIFY(card && card->isVisible());
        QVERIFY(card->title().contains("written"));
        bool named = false;
        for (const auto* label : card->findChildren<QLabel*>())
            named = named || label->text().contains("scene.png");
        QVERIFY(named);
    }

    void aPageThatIsTooSmallSaysSo()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(0.5));
        f.document.playback().pause();
        auto* dialog = dialogOf(f);
        QVERIFY(dialog);
        auto* size = dialog->findChild<QComboBox*>("figureSize");
        size->setCurrentIndex(size->findData("own"));
        dialog->findChild<QDoubleSpinBox*>("figureHeight")->setValue(25);
        QTest::qWait(kPreviewWait);
        QVERIFY(dialog->findChild<QLabel*>("figureMessage")->text().contains("do not fit"));
        QVERIFY(!dialog->writeFiles(folder_.filePath("tiny.pdf")).ok());
        QVERIFY(!QFile::exists(folder_.filePath("tiny.pdf")));
    }
};

QTEST_MAIN(TestFigureDialog)
#include "test_figure_dialog.moc"
