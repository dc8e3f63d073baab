// The dialog that arranges a figure: what is clicked is what the preview shows and what is written.
#include <QtTest>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/Exports.h"
#include "ui/panels/FigureDialog.h"

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
