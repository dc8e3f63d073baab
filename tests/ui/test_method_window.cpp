// The method laboratory: a tableau is changed and the verdict follows, the eigenvalues of a running pendulum stand where they
// belong.
#include <QtTest>

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBrowser>

#include <cmath>

#include "tests/support/Draw.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/MethodWindow.h"
#include "ui/views/StabilityView.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

MethodWindow* opened(Fixture& f)
{
    QTest::keyClick(&f.window, Qt::Key_M, Qt::ControlModifier);
    MethodWindow* window = nullptr;
    (void)QTest::qWaitFor([&] { return (window = f.window.findChild<MethodWindow*>("methodWindow")) != nullptr; }, 10000);
    return window;
}

QString verdict(MethodWindow& window) { return window.findChild<QLabel*>("methodVerdict")->text(); }
QString page(MethodWindow& window) { return window.findChild<QTextBrowser*>("methodPage")->toPlainText(); }

void keep(QWidget& window, const char* name)
{
    const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
    QTest::qWait(30);
    if (!folder.isEmpty())
        window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

} // namespace

class TestMethodWindow : public QObject {
    Q_OBJECT

private slots:
    void aTableauIsChanged_andTheVerdictFollows()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        MethodWindow* window = opened(f);
        QVERIFY(window);
        window->showMethod("rk4");
        QVERIFY2(verdict(*window).contains("Order 4") && verdict(*window).contains("explicit"), qPrintable(verdict(*window)));
        QVERIFY(page(*window).contains("2.785294")); // where |R| = 1 on the negative real axis
        keep(*window, "method-rk4");

        // A weight that is no longer right breaks the conditions from the second order on, and the choice says so.
        auto* text = window->findChild<QPlainTextEdit*>("methodText");
        const QString before = text->toPlainText();
        QString wrong = before;
        wrong.replace("b = [\"1/6\", \"2/6\"", "b = [\"1/6\", \"3/6\"").replace("\"2/6\", \"1/6\"]\n", "\"1/6\", \"1/6\"]\n");
        QVERIFY2(wrong != before, qPrintable(before));
        window->setText(wrong);
        QVERIFY2(verdict(*window).startsWith("Order 2"), qPrintable(verdict(*window)));
        QVERIFY(page(*window).contains("fails"));
        QCOMPARE(window->findChild<QComboBox*>("methodChoice")->currentIndex(), 0);

        // A text that cannot be read is answered with its place, and nothing of another text stays on display.
        window->setText("A = [[0, 1]\nb = [1");
        const QString problem = window->findChild<QLabel*>("methodProblem")->text();
        QVERIFY2(problem.contains("tableau:"), qPrintable(problem));
        QVERIFY(!window->tableau());
        QCOMPARE(verdict(*window), QStringLiteral("–"));
        QVERIFY(page(*window).isEmpty());
        QVERIFY(!window->findChild<QPushButton*>("methodUse")->isEnabled());

        window->showMethod("radau-iia-5");
        QVERIFY2(verdict(*window).contains("Order 5") && verdict(*window).contains("L-stable"), qPrintable(verdict(*window)));
        keep(*window, "method-radau");
        window->setTheme(Theme::darkTheme());
        window->showMethod("bdf4");
        QVERIFY(verdict(*window).contains("not A-stable"));
        QVERIFY(!window->tableau());
        keep(*window, "method-bdf4");
    }

    /// The line of the entry that is wrong is marked, wherever it stands.
    void theFaultyLineIsMarked()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        MethodWindow* window = opened(f);
        QVERIFY(window);
        auto* text = window->findChild<QPlainTextEdit*>("methodText");
        auto* use = window->findChild<QPushButton*>("methodUse");
        driftless::test::Draw draw(driftless::test::seedOr(46));
        for (int i = 0, count = driftless::test::countOr(6); i < count; ++i) {
            const int comments = draw.upTo(0, 5);
            const QString lead = QStringLiteral("# mine\n").repeated(comments);
            window->setText(lead + "A = [[0, 0], [1, 0]]\nb = [\"1/2\", \"1/2\"]\n");
            QVERIFY(use->isEnabled() && text->extraSelections().isEmpty() && window->tableau());
            const QString wrong = draw.chance(0.5) ? "\"1/(\"" : "\"x\"";
            window->setText(lead + "A = [[0, 0], [1, 0]]\nb = [\"1/2\", " + wrong + "]\n");
            QCOMPARE(text->extraSelections().size(), 1);
            QCOMPARE(text->extraSelections()[0].cursor.blockNumber(), comments + 1);
            QVERIFY(!use->isEnabled() && !window->tableau());
        }
        window->showMethod("rk4");
        QVERIFY(use->isEnabled() && text->extraSelections().isEmpty());
    }

    void theParameterOfAFamilyMovesTheTableau()
    {
        Fixture f;
        MethodWindow* window = opened(f);
        QVERIFY(window);
        window->showMethod("rk2-alpha", 0.5);
        QVERIFY(window->tableau());
        QCOMPARE(window->tableau()->c.at(1), 0.5); // the midpoint rule
        window->showMethod("rk2-alpha", 1);
        QCOMPARE(window->tableau()->c.at(1), 1.0); // Heun's
        QVERIFY(verdict(*window).contains("Order 2"));

        // Outside of the family: said, and what was there stays. A tableau of one's own has no parameter.
        auto* problem = window->findChild<QLabel*>("methodProblem");
        window->showMethod("rk2-alpha", 7);
        QVERIFY2(problem->text().contains("alpha"), qPrintable(problem->text()));
        QCOMPARE(window->tableau()->c.at(1), 1.0);
        QVERIFY(window->findChild<QWidget*>("methodFamilyParameter")->isVisible());
        window->setText("A = [[0, 0], [1, 0]]\nb = [1, 1]\n");
        QVERIFY2(problem->text().contains("weights"), qPrintable(problem->text()));
        QVERIFY(!window->findChild<QWidget*>("methodFamilyParameter")->isVisible());
        window->setText("A = [[0, 0], [1, 0]]\nb = [\"1/2\", \"1/2\"]\n");
        QVERIFY(problem->text().isEmpty());
    }

    /// Changed in the text, taken for the selected run, listed on its card, undone, and found again by the laboratory.
    void aTableauOfOnesOwn_integratesTheSelectedRun()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.choose("formulation_1", "index-1"));
        QVERIFY(f.choose("integrator_1", "rk4"));
        MethodWindow* window = opened(f);
        QVERIFY(window);
        auto* use = window->findChild<QPushButton*>("methodUse");
        window->setText("name = \"third\"\nA = [[0, 0], [\"2/3\", 0]]\nb = [\"1/4\", \"3/4\"]\n");
        QTest::mouseClick(use, Qt::LeftButton);
        const QString id = QString::fromStdString(f.status(0).settings.integrator);
        QVERIFY2(id.startsWith("own-third-"), qPrintable(id));
        auto* card = f.window.findChild<QComboBox*>("integrator_1");
        QCOMPARE(card->currentData().toString(), id);
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(0.5));
        f.document.playback().pause();
        QVERIFY(f.status(0).state != run::RunState::Failed);
        QVERIFY(f.status(0).settings.options.step > 0 && f.status(0).statistics.steps > 0);
        keep(*window, "method-own");
        // A text that is none is complained of, and the run keeps its method.
        window->setText("A = [[0]]\nb = [2]\n");
        QTest::mouseClick(use, Qt::LeftButton);
        QVERIFY(!window->findChild<QLabel*>("methodProblem")->text().isEmpty());
        QCOMPARE(QString::fromStdString(f.status(0).settings.integrator), id);
        // Of the catalogue, with the parameter of its family.
        window->showMethod("rk2-alpha", 0.75);
        QTest::mouseClick(use, Qt::LeftButton);
        QCOMPARE(f.status(0).settings.integrator, std::string("rk2-alpha"));
        QCOMPARE(f.status(0).settings.options.parameter, 0.75);
        QVERIFY(f.choose("integrator_1", id));
        window->showMethod(id);
        QVERIFY(window->tableau() && window->tableau()->stages == 2);
    }

    void eigenvaluesOfTheMotion_standInTheRegion()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("formulation_1", "state-space"));
        QVERIFY(f.choose("integrator_1", "rk4"));
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(1.0));
        f.document.playback().pause();
        MethodWindow* window = opened(f);
        QVERIFY(window);
        QCOMPARE(window->findChild<QComboBox*>("methodChoice")->currentText(), QStringLiteral("rk4"));
        auto* view = window->findChild<StabilityView*>("stabilityView");
        QTRY_COMPARE(view->points().size(), std::size_t(2));
        QTest::qWait(400); // the clock stands; a look at the run comes every 0.3 s
        // phi'' = -(g/L) sin phi: lambda^2 = -cos phi, and x = sin phi, y = -cos phi are recorded.
        const double t = f.document.laboratory().clock().t, h = f.status(0).settings.options.step;
        const auto recording = f.document.laboratory().recording(f.document.find(f.document.bench().selected())->id);
        double q[2], v[2], lambda[1];
        QVERIFY(recording.stateAt(t, q, v, lambda));
        const std::complex<double> expected = std::sqrt(std::complex<double>(q[1]));
        double nearest = HUGE_VAL;
        for (const auto& z : view->points())
            nearest = std::min(nearest, std::abs(z - h * expected));
        QVERIFY2(nearest < 1e-6 * h, qPrintable(QStringLiteral("%1: h %2, %3 + %4 i, %5")
                                                    .arg(nearest)
                                                    .arg(h)
                                                    .arg(view->points()[0].real())
                                                    .arg(view->points()[0].imag())
                                                    .arg(q[1])));
        keep(*window, "method-eigenvalues");
    }
};

QTEST_MAIN(TestMethodWindow)
#include "test_method_window.moc"
