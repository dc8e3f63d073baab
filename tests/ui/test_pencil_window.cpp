// The linear DAE laboratory: a system is typed and the verdict read, the tolerance moves and the decision changes, a run is
// linearised.
#include <QtTest>

#include <QAction>
#include <QPlainTextEdit>
#include <QSlider>
#include <QTextBrowser>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/PencilWindow.h"
#include "ui/views/StyleSheet.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

constexpr int kPatience = 10000; // [ms] an analysis takes milliseconds; a busy machine makes it wait

bool settled(PencilWindow& window)
{
    return QTest::qWaitFor([&] { return window.isUpToDate(); }, kPatience);
}

QString verdict(PencilWindow& window) { return window.findChild<QLabel*>("pencilVerdict")->text(); }
QString problem(PencilWindow& window) { return window.findChild<QLabel*>("pencilProblem")->text(); }

void type(PencilWindow& window, const QString& text)
{
    auto* editor = window.findChild<QPlainTextEdit*>("pencilText");
    editor->setFocus();
    editor->selectAll();
    QTest::keyClick(editor, Qt::Key_Delete);
    for (const QString& line : text.split('\n')) {
        if (!editor->toPlainText().isEmpty())
            QTest::keyClick(editor, Qt::Key_Return);
        QTest::keyClicks(editor, line);
    }
}

PencilWindow* opened(Fixture& f, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(&f.window, Qt::Key_L, modifiers);
    PencilWindow* window = nullptr;
    (void)QTest::qWaitFor([&] { return (window = f.window.findChild<PencilWindow*>("pencilWindow")) != nullptr; }, kPatience);
    return window;
}

void keep(PencilWindow& window, const char* name)
{
    const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
    QTest::qWait(30); // the layout follows
    if (!folder.isEmpty())
        window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

} // namespace

class TestPencilWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(*qApp, Theme::light(), 1); }

    void whatIsTypedIsDecided()
    {
        PencilWindow window(Theme::light());
        window.show();
        QVERIFY(settled(window));
        QCOMPARE(verdict(window), QString("Regular, Kronecker index 3")); // the first example
        keep(window, "pencil-light");
        type(window, "E = [[1, 0], [0, 0]]\nA = [[0, 1], [1, 0]]");
        QVERIFY(settled(window));
        QCOMPARE(verdict(window), QString("Regular, Kronecker index 2"));
        QVERIFY(window.analysis() && window.analysis()->exact);
        type(window, "E = [[1, 0], [0, 0]]\nA = [[0, 1], [0, 0]]");
        QVERIFY(settled(window));
        QCOMPARE(verdict(window), QString("Singular"));
    }

    void aMistakeIsShownWithItsLineAndTheVerdictGoes()
    {
        PencilWindow window(Theme::light());
        window.show();
        QVERIFY(settled(window));
        type(window, "E = [[1, 0], [0, 0]]\nA = [[0, 1], [1]]");
        QVERIFY(settled(window));
        QVERIFY2(problem(window).contains(":2:"), qPrintable(problem(window)));
        QVERIFY(!window.analysis());
        auto* editor = window.findChild<QPlainTextEdit*>("pencilText");
        QCOMPARE(editor->extraSelections().size(), 1);
        QCOMPARE(editor->extraSelections()[0].cursor.blockNumber(), 1);
        type(window, "E = [[1]]\nA = [[1]]");
        QVERIFY(settled(window));
        QVERIFY(problem(window).isEmpty() && editor->extraSelections().isEmpty());
        QCOMPARE(verdict(window), QString("Regular, Kronecker index 0"));
    }

    void theToleranceChangesTheDecision()
    {
        PencilWindow window(Theme::light());
        window.show();
        window.setText("E = [[1.0, 0.0], [0.0, 0.0000001]]\nA = [[0.0, 1.0], [1.0, 0.0]]\nend = 0.001\n");
        QVERIFY(settled(window));
        QCOMPARE(verdict(window).left(31), QString("Regular, Kronecker index 0").left(31));
        auto* slider = window.findChild<QSlider*>("pencilTolerance");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_End); // 0.1: what is 1e-7 counts as zero
        QVERIFY(settled(window));
        QVERIFY2(verdict(window).startsWith("Regular, Kronecker index 2"), qPrintable(verdict(window)));
        QVERIFY(window.analysis()->tolerance > 0.05);
        // No decision is near, but the form is not that of E and A: it says so, and nothing speaks of a form that is not given.
        QVERIFY(verdict(window).endsWith("uncertain"));
        const QString said = window.findChild<QTextBrowser*>("pencilPage")->toPlainText();
        QVERIFY2(said.contains("up to 1e-07 only") && said.contains("the verdict is uncertain"), qPrintable(said));
        QVERIFY2(said.contains("No form is given") && !said.contains("They hold") && !said.contains("must satisfy")
                     && !said.contains("given x(0)"),
                 qPrintable(said));
        keep(window, "pencil-tolerance");
        QTest::keyClick(slider, Qt::Key_Home);
        QVERIFY(settled(window));
        QVERIFY(verdict(window).startsWith("Regular, Kronecker index 0"));
    }

    void theReductionGoesStepByStep()
    {
        applyTheme(*qApp, Theme::darkTheme(), 1);
        PencilWindow window(Theme::darkTheme());
        window.show();
        QVERIFY(settled(window));
        auto* label = window.findChild<QLabel*>("pencilStepText");
        auto* page = window.findChild<QTextBrowser*>("pencilPage");
        auto* forward = window.findChild<QPushButton*>("pencilForward");
        QStringList pages;
        for (int i = 0; i < 10; ++i) {
            pages << page->toPlainText();
            if (!forward->isEnabled())
                break;
            QTest::mouseClick(forward, Qt::LeftButton);
        }
        QCOMPARE(pages.size(), static_cast<qsizetype>(window.analysis()->steps.size() + 1)); // and the Weierstrass form
        QCOMPARE(QSet<QString>(pages.begin(), pages.end()).size(), pages.size());
        QCOMPARE(label->text(), QString("Weierstrass form"));
        keep(window, "pencil-form");
        QTest::mouseClick(window.findChild<QPushButton*>("pencilBack"), Qt::LeftButton);
        QVERIFY(label->text().startsWith("Reduction, step"));
        keep(window, "pencil-step");
    }

    void aRunIsLinearisedWhereItIs()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.document.playback().play();
        QVERIFY(f.playUntil(1));
        f.document.playback().pause();
        auto* window = opened(f, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window && settled(*window));
        QVERIFY2(window->text().contains("dummy-derivatives") && window->text().contains("bob.x"), qPrintable(window->text()));
        QVERIFY2(verdict(*window).startsWith("Regular, Kronecker index 1"), qPrintable(verdict(*window)));
        QVERIFY(f.document.control().setFormulation(f.key(0), "index-3"));
        f.window.findChild<QAction*>("lineariseHere")->trigger();    // the laboratory has the keys now
        QVERIFY(f.window.findChildren<PencilWindow*>().size() == 1); // the same window again
        QVERIFY(settled(*window));
        QVERIFY2(verdict(*window).startsWith("Regular, Kronecker index 3"), qPrintable(verdict(*window)));
        keep(*window, "pencil-linearised");
    }

    void typingNeverWaitsForTheAnalysis()
    {
        PencilWindow window(Theme::light());
        window.show();
        QString row, E, A;
        const int n = PencilWindow::kMostUnknowns;
        for (int i = 0; i < n; ++i) { // dense rational matrices are the slowest
            QString e, a;
            for (int j = 0; j < n; ++j) {
                e += QStringLiteral("%1\"%2/%3\"").arg(j ? ", " : "").arg((i * 7 + j * 3) % 11 - 5).arg(1 + (i + j) % 7);
                a += QStringLiteral("%1\"%2/%3\"").arg(j ? ", " : "").arg((i * 5 + j * j) % 13 - 6).arg(1 + (i * j) % 5);
            }
            E += (i ? ", [" : "[") + e + "]";
            A += (i ? ", [" : "[") + a + "]";
        }
        window.setText("E = [" + E + "]\nA = [" + A + "]\n");
        QElapsedTimer timer;
        qint64 longest = 0;
        for (int i = 0; i < 20; ++i) {
            timer.start();
            QTest::keyClick(window.findChild<QPlainTextEdit*>("pencilText"), Qt::Key_Space);
            QTest::qWait(20);
            longest = std::max(longest, timer.elapsed());
        }
        QVERIFY2(longest < 1000,
                 qPrintable(QString::number(longest))); // far above a key stroke, far below an analysis that blocks
        QElapsedTimer whole;
        whole.start();
        QVERIFY(QTest::qWaitFor([&] { return window.isUpToDate(); }, 60000));
        qInfo() << "analysed in" << whole.elapsed() << "ms";
    }
};

QTEST_MAIN(TestPencilWindow)
#include "test_pencil_window.moc"
