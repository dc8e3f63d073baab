// What the window says and selects: of what is done last, of the model that is open, and without hiding what moves.
#include <QFile>
#include <QScrollArea>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/PlotColumn.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

class TestWhatIsSaid : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    static void write(const QString& file, const QByteArray& bytes)
    {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void whatWasRedoneIsNoLongerCalledUndone()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.document.playback().pause();
        f.document.laboratory().waitUntil(1);
        f.document.control().setParameter("L", 1.2);
        f.document.laboratory().waitUntil(2);
        const auto* card = f.find<MessageCard>("messageCard");
        f.find<MessageCard>("messageCard")->say("Undone: L = 1", "As after a change that has been computed with.");
        f.window.actionRegistry().at("undo").trigger();
        QVERIFY(card->title() != "Undone: L = 1");
        f.find<MessageCard>("messageCard")->say("Undone: L = 1", "As after a change that has been computed with.");
        f.window.actionRegistry().at("redo").trigger();
        QCOMPARE(card->title(), QString());
        QCOMPARE(f.document.bench().parameters().back(), 1.2);
    }

    void modelsOfEquationsAreToldNothingOfMechanisms()
    {
        Fixture f;
        QVERIFY(f.window.openPath("layer"));
        QTest::qWait(300);
        const auto* combo = f.find<QComboBox>("formulation_1");
        const QString tip = combo->itemData(combo->currentIndex(), Qt::ToolTipRole).toString();
        QVERIFY2(!tip.contains("energy") && !tip.contains("rank of G"), qPrintable(tip));
        for (const QLabel* label : f.window.findChildren<QLabel*>())
            QVERIFY2(!label->text().contains("energy drifts") && !label->text().contains("full rank of G"),
                     qPrintable(label->text()));
        const auto* form = formulation::findFormulation("dummy-derivatives");
        QVERIFY(formulationKeeps(form->info(), false).contains("energy"));
        QVERIFY(f.window.openPath("pendulum"));
        QTest::qWait(50); // the cards of before are gone
        const auto* other = f.find<QComboBox>("formulation_1");
        QVERIFY(other->itemData(other->currentIndex(), Qt::ToolTipRole).toString().contains("rank of G"));
    }

    void whatIsSaidOfOneFileLeavesWithTheNext()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        write(path("empty.toml"), "title = 1\n");
        write(path("bin.toml"), QByteArray("\0\1\2\xff", 4));
        QVERIFY(!f.window.openPath(path("empty.toml")));
        QVERIFY(f.window.showsBroken());
        QVERIFY(!f.window.openPath(path("bin.toml")));
        QVERIFY(!f.window.showsBroken());

        write(path("bad.driftless"), "no json");
        const auto session = f.document.files().openSession(path("bad.driftless"));
        QVERIFY(!session);
        QVERIFY2(explained(session.error()).count(path("bad.driftless")) == 1, qPrintable(explained(session.error())));
    }

    void whatWasRefused_isOverWithTheNextThingThatWorks()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.document.playback().pause();
        const int key = f.document.bench().selected();
        const auto* card = f.find<MessageCard>("messageCard");
        const auto refuse = [&] {
            QVERIFY(!f.document.control().setFormulation(key, "no such form"));
            QTest::qWait(50);
            QVERIFY(!card->title().isEmpty());
        };
        refuse();
        QVERIFY(f.document.control().setFormulation(key, "baumgarte"));
        QCOMPARE(card->title(), QString());
        refuse();
        f.window.actionRegistry().at("reset").trigger();
        QCOMPARE(card->title(), QString());
        refuse();
        QVERIFY(f.document.control().duplicateRun(key));
        QCOMPARE(card->title(), QString());
    }

    void aNewRunIsTheSelectedOne()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        const int before = f.document.bench().selected();
        f.window.actionRegistry().at("addRun").trigger();
        QCOMPARE(f.document.runs().size(), std::size_t{2});
        QVERIFY(f.document.bench().selected() != before);
        QCOMPARE(f.document.bench().selected(), f.document.runs().back().key);
    }

    void anOptionOfTheMethodIsNotCalledAStep()
    {
        integrate::IntegratorOptions options;
        options.parameter = 0.5;
        const std::string words = run::label(run::CommandDone{.payload = run::SetOptions{options}});
        QCOMPARE(QString::fromStdString(words), QString("options of the method"));
    }

    void afterAFewStepsTheAxisShowsThem_andWhileTimeRunsItIsStill()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.document.playback().pause();
        for (int i = 0; i < 3; ++i)
            f.document.playback().stepOnce();
        f.window.plots().refreshAll();
        const double reached = f.document.laboratory().recording(f.id(0)).lastTime();
        QVERIFY(reached > 0 && reached < 0.5);
        QVERIFY2(f.window.plots().timeEnd() <= 10 * reached, qPrintable(QString::number(f.window.plots().timeEnd())));
        QVERIFY(f.window.plots().timeEnd() >= 5 * reached * (1 - 1e-9));
        f.document.playback().play();
        f.window.plots().refreshAll();
        QCOMPARE(f.window.plots().timeEnd(), 10.0);
        f.document.playback().pause();
        f.document.laboratory().waitUntil(1);
        f.window.plots().refreshAll();
        QCOMPARE(f.window.plots().timeEnd(), 10.0); // a tenth is enough to be seen
    }

    void whyARunStopped_canBeReadWholeInLargeType()
    {
        Fixture f;
        f.window.resize(1280, 720);
        QVERIFY(f.window.openLesson("singular-configurations").ok());
        f.document.playback().pause();
        f.window.actionRegistry().at("presentation").trigger();
        f.document.laboratory().waitUntil(1);
        QCOMPARE(f.status(1).state, run::RunState::Failed);
        f.document.bench().select(f.key(1));
        auto* why = f.find<QLabel>("why_2");
        QTRY_VERIFY(why->isVisible());
        QTRY_VERIFY2(why->height() >= why->heightForWidth(why->width()), qPrintable(QString::number(why->height())));
        auto* scroll = f.find<QScrollArea>("runSheetScroll");
        QVERIFY(f.find<QWidget>("runSheetClose")->isVisible());
        for (const char* name : {"reason_2", "why_2", "remedy_2"}) {
            auto* part = f.find<QWidget>(name);
            scroll->ensureWidgetVisible(part, 0, 0);
            const QRect place(part->mapTo(scroll->viewport(), QPoint()), part->size());
            QVERIFY2(scroll->viewport()->rect().contains(place.center()), name);
            QVERIFY2(part->height() <= scroll->viewport()->height() && place.left() >= 0
                         && place.right() <= scroll->viewport()->width(),
                     name);
        }
        f.window.actionRegistry().at("presentation").trigger();
    }

    void aCardOverALowSceneLeavesMostOfItInSight()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.window.actionRegistry().at("drawer").trigger();
        QTest::qWait(50);
        auto* card = f.find<MessageCard>("messageCard");
        const auto* over = card->parentWidget();
        QVERIFY(over->height() < 360);
        card->say(Diagnostic{.what = "ida cannot be combined with a projection after each step",
                             .why = "a multistep method continues the polynomial through past steps, which a projection "
                                    "would break",
                             .remedy = "a one-step method (rk4, dormand-prince, radau-iia-5) with projection, or ida with ggl "
                                       "or dummy-derivatives"});
        QTest::qWait(50);
        QVERIFY2(card->height() < 0.42 * over->height(),
                 qPrintable(QString("%1 of %2").arg(card->height()).arg(over->height())));
        QVERIFY(card->rect().contains(f.find<QPushButton>("messageDismiss")->geometry()));
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            f.window.grab().save(folder + "/low-card.png");
        // Where there is room the buttons are below the words again.
        f.window.actionRegistry().at("drawer").trigger();
        QTest::qWait(50);
        QVERIFY(f.find<QPushButton>("messageDismiss")->y() > f.find<QLabel>("messageText")->geometry().bottom());
    }
};

QTEST_MAIN(TestWhatIsSaid)
#include "test_what_is_said.moc"
