// The document without a window: every edit can be undone, refused edits leave no trace, sessions come back.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <random>

#include "ui/document/Document.h"
#include "ui/document/RecentFiles.h"
#include "ui/document/SessionReplay.h"

using namespace driftless;
using driftless::ui::Document;

class TestDocument : public QObject {
    Q_OBJECT

private:
    static std::vector<double> stateAt(const Document& d, int run, double t)
    {
        const auto recording = d.laboratory().recording(d.runs()[static_cast<std::size_t>(run)].id);
        std::vector<double> q(static_cast<std::size_t>(recording.n())), v = q, lambda(static_cast<std::size_t>(recording.m()));
        recording.stateAt(t, q.data(), v.data(), lambda.data());
        q.insert(q.end(), v.begin(), v.end());
        if (q.empty()) // a text of equations has values only
            return lambda;
        return q;
    }
    QTemporaryDir settings_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void firstStartHasTwoRuns()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        QCOMPARE(d.runs().size(), std::size_t(2));
        QCOMPARE(d.status(d.runs()[0].key).settings.formulation, std::string("dummy-derivatives"));
        QCOMPARE(d.status(d.runs()[1].key).settings.formulation, std::string("index-1"));
        QCOMPARE(d.status(d.runs()[1].key).settings.options.step, 0.2);
        QVERIFY(!d.files().isDirty());
    }

    void aNumberOfTheStructureOpensTheModelInPlace()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum-chain").ok());
        QCOMPARE(d.compiled().n(), 16);
        const QString before = d.bench().modelText();
        const int edits = d.undoStack().count();
        QVERIFY(d.edits().setStructure("N", 12));
        QCOMPARE(d.compiled().n(), 24);
        QCOMPARE(d.undoStack().count(), edits + 1);
        QVERIFY(d.bench().modelText().contains("value = 12"));
        QCOMPARE(d.runs().size(), std::size_t(1));
        d.laboratory().waitUntil(0.05);
        // Refused numbers leave everything as it was.
        QVERIFY(!d.edits().setStructure("N", 0));
        QVERIFY(!d.edits().setStructure("M", 3));
        QCOMPARE(d.compiled().n(), 24);
        QCOMPARE(d.undoStack().count(), edits + 1);
        d.undoStack().undo();
        QCOMPARE(d.compiled().n(), 16);
        QCOMPARE(d.bench().modelText(), before);
        d.undoStack().redo();
        QCOMPARE(d.compiled().n(), 24);
    }

    void everyEditIsUndone()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        d.laboratory().waitUntil(1);
        const int key = d.runs()[1].key;
        QVERIFY(d.control().setFormulation(key, "projection"));
        QVERIFY(d.control().setIntegrator(key, "dormand-prince"));
        QVERIFY(d.control().setParameter("L", 1.1));
        QVERIFY(d.control().setFormulation(key, "baumgarte"));
        QVERIFY(d.control().setGain(key, "xi", 0.5));
        QCOMPARE(d.undoStack().count(), 5);
        QCOMPARE(d.status(key).gains.at("xi"), 0.5);
        d.undoStack().undo();
        QVERIFY(d.status(key).gains.at("xi") != 0.5);
        d.undoStack().undo();
        QCOMPARE(d.status(key).settings.formulation, std::string("projection"));
        d.undoStack().undo();
        QCOMPARE(d.bench().parameters(), d.compiled().defaultParameters());
        QCOMPARE(d.status(d.runs()[0].key).parameters, d.compiled().defaultParameters());
        d.undoStack().undo();
        QCOMPARE(d.status(key).settings.integrator, std::string("rk4"));
        d.undoStack().undo();
        QCOMPARE(d.status(key).settings.formulation, std::string("index-1"));
        for (int i = 0; i < 5; ++i)
            d.undoStack().redo();
        QCOMPARE(d.status(key).gains.at("xi"), 0.5);
        QCOMPARE(d.status(key).settings.integrator, std::string("dormand-prince"));
    }

    void undoBringsTheGainsOfAFormulationBack()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        const int key = d.runs()[1].key;
        QVERIFY(d.control().setFormulation(key, "baumgarte"));
        QVERIFY(d.control().setGain(key, "omega", 7));
        QVERIFY(d.control().setFormulation(key, "index-1"));
        d.undoStack().undo();
        QCOMPARE(d.status(key).gains.at("omega"), 7.0);
    }

    void refusedEditLeavesNoEntry()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        QSignalSpy refused(&d, &Document::refused);
        const int key = d.runs()[1].key; // rk4: explicit
        QVERIFY(!d.control().setFormulation(key, "index-3"));
        QVERIFY(!d.control().setParameter("L", -1));
        QVERIFY(!d.control().setParameter("m", std::nan("")));
        QCOMPARE(refused.count(), 3);
        QCOMPARE(d.undoStack().count(), 0);
        QCOMPARE(d.status(key).settings.formulation, std::string("index-1"));
        QCOMPARE(d.messages().all().size(), std::size_t(3));
        QVERIFY(!d.messages().all().front().diagnostic.what.empty());
    }

    void oneGestureIsOneEntry()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        d.laboratory().waitUntil(0.5);
        for (int i = 1; i <= 5; ++i)
            QVERIFY(d.control().setParameter("L", 1 + 0.01 * i, "L#1"));
        QVERIFY(d.control().setParameter("L", 1.2, "L#2"));
        QCOMPARE(d.undoStack().count(), 2);
        d.undoStack().undo();
        QCOMPARE(d.bench().parameters(), d.status(d.runs()[0].key).parameters);
        QCOMPARE(d.status(d.runs()[0].key).parameters, d.status(d.runs()[1].key).parameters);
        d.undoStack().undo();
        QCOMPARE(d.bench().parameters(), d.compiled().defaultParameters());
    }

    void runsComeAndGo()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        QVERIFY(d.control().duplicateRun(d.runs()[0].key));
        QCOMPARE(d.runs().size(), std::size_t(3));
        QCOMPARE(d.runs()[2].colour, 2);
        QVERIFY(d.control().removeRun(d.runs()[0].key));
        QCOMPARE(d.runs().size(), std::size_t(2));
        d.undoStack().undo();
        QCOMPARE(d.runs().size(), std::size_t(3));
        QCOMPARE(d.runs()[0].colour, 0);
        d.undoStack().undo();
        QCOMPARE(d.runs().size(), std::size_t(2));
    }

    void newRunTakesTheChangedParameters()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        d.laboratory().waitUntil(1);
        QVERIFY(d.control().setParameter("L", 1.25));
        QVERIFY(d.control().duplicateRun(d.runs()[0].key));
        QCOMPARE(d.status(d.runs()[2].key).parameters, d.bench().parameters());
    }

    void resetAndModelsAreUndone()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        d.laboratory().waitUntil(2);
        const auto before = stateAt(d, 0, 2);
        QVERIFY(d.edits().reset());
        QCOMPARE(d.laboratory().clock().t, 0.0);
        QVERIFY(d.opener().openModel("slider-crank").ok());
        QCOMPARE(d.compiled().model().name, std::string("slider-crank"));
        QCOMPARE(d.runs().size(), std::size_t(1));
        d.undoStack().undo();
        d.undoStack().undo();
        QCOMPARE(stateAt(d, 0, 2), before); // the very same recording
    }

    void initialValueStartsAgain()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        QVERIFY(d.edits().setInitialValue("bob.x'", 0.5) || d.edits().setInitialValue("bob.y'", 0.5));
        QCOMPARE(d.laboratory().start().values.size(), std::size_t(1));
        QCOMPARE(d.runs().size(), std::size_t(2));
        d.undoStack().undo();
        QVERIFY(d.laboratory().start().values.empty());
    }

    void brokenTextIsRefusedWithItsPlace()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        const auto applied = d.edits().applyText(d.bench().modelText() + "\n[[joint]]\nkind = \"rope\"\n");
        QVERIFY(!applied.ok());
        QVERIFY(applied.error().position.line > 0);
        QCOMPARE(d.undoStack().count(), 0);
    }

    void editAfterScrubbingBackStartsABranch()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        d.laboratory().waitUntil(5);
        d.playback().tick(0);
        d.playback().scrub(2);
        QVERIFY(d.bench().scrubbedBack());
        QVERIFY(d.control().setFormulation(d.runs()[1].key, "projection"));
        const auto recording = d.laboratory().recording(d.runs()[0].id);
        QVERIFY2(recording.lastTime() < 5, "the future of the old branch is cut");
        bool branched = false;
        for (const auto& entry : d.laboratory().log())
            branched = branched || entry.kind == run::LogEntry::Kind::Branch;
        QVERIFY(branched);
    }

    void sessionComesBackToTheSameNumbers()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.driftless");
        std::vector<double> first, second;
        {
            Document d;
            QVERIFY(d.opener().openFirstStart().ok());
            d.laboratory().waitUntil(3);
            QVERIFY(d.control().setFormulation(d.runs()[1].key, "projection"));
            QVERIFY(d.control().setParameter("L", 1.1));
            d.laboratory().waitUntil(6);
            d.bench().setVisible(d.runs()[1].key, false);
            QVERIFY(d.files().saveSession(path).ok());
            QVERIFY(!d.files().isDirty());
            first = stateAt(d, 0, 6);
            second = stateAt(d, 1, 6);
        }
        Document again;
        const auto opened = again.files().openSession(path);
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
        QCOMPARE(again.runs().size(), std::size_t(2));
        QVERIFY(!again.runs()[1].visible);
        QCOMPARE(stateAt(again, 0, 6), first);
        QCOMPARE(stateAt(again, 1, 6), second);
        QVERIFY(ui::recentFiles().contains(path));
        // Saved again it is a whole session still.
        QVERIFY(again.files().saveSession(folder.filePath("b.driftless")).ok());
        Document third;
        QVERIFY(third.files().openSession(folder.filePath("b.driftless")).ok());
        QCOMPARE(stateAt(third, 1, 6), second);
    }

    void equationsAreAModelLikeAnyOther()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("equations.driftless");
        std::vector<double> last;
        {
            Document d;
            QVERIFY(d.opener().openModel("pendulum-equations").ok());
            const int key = d.runs()[0].key;
            d.laboratory().waitUntil(0.8);
            d.playback().tick(0);
            const auto before = d.status(key);
            QVERIFY(before.stages.size() == 1 && before.exchanges.size() == 1 && !before.exchanges[0].empty());
            const auto& values = d.system().values;
            run::PivotChoice other;
            other.automatic = false;
            other.dummies = {values[static_cast<std::size_t>(before.exchanges[0][0].enters)].name};
            QVERIFY(d.control().setPivot(key, other));
            QVERIFY(d.status(key).valueDummies != before.valueDummies);
            QVERIFY(!d.status(key).settings.pivot.automatic);
            d.undoStack().undo();
            QVERIFY(d.status(key).settings.pivot.automatic);
            QVERIFY(!d.control().setFormulation(key, "ggl")); // a form of mechanisms
            run::RunSettings second = d.status(key).settings;
            second.integrator = "radau-iia-5";
            second.options.step = 0.01;
            QVERIFY(d.control().addRun(second));
            d.laboratory().waitUntil(1);
            QVERIFY(d.control().setParameter("g", 2));
            d.laboratory().waitUntil(3);
            d.playback().tick(0);
            QVERIFY(!d.status(key).diagnostic);
            const auto a = stateAt(d, 0, 2), b = stateAt(d, 1, 2);
            for (std::size_t i = 0; i < 2; ++i) // x and its rate; rtol 1e-6 adds up over a few hundred steps
                QVERIFY2(std::abs(a[i] - b[i]) < 1e-3, QByteArray::number(a[i] - b[i]));
            QVERIFY(d.files().saveSession(path).ok());
            last = stateAt(d, 0, 3);
        }
        Document again;
        const auto opened = again.files().openSession(path);
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
        QCOMPARE(stateAt(again, 0, 3), last);
        // Edited text, and back to a mechanism.
        QVERIFY(!again.edits().applyText("model m\n Real x;\nequation\n x = y;\nend m;").ok());
        QVERIFY(again.edits().applyText("model m\n Real x(start = 1);\nequation\n der(x) = -x;\nend m;").ok());
        again.laboratory().waitUntil(1);
        QVERIFY(std::abs(stateAt(again, 0, 1)[0] - std::exp(-1.0)) < 1e-4);
        QVERIFY(again.opener().openModel("circle").ok());
    }

    void brokenSessionsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not JSON") << QByteArray("\0\1\2binary", 9);
        QTest::newRow("another file") << QByteArray("{\"a\": 1}");
        QTest::newRow("deep") << QByteArray(100000, '[');
    }
    void brokenSessionsAreRefused()
    {
        QFETCH(QByteArray, text);
        QTemporaryDir folder;
        QFile file(folder.filePath("x.driftless"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        const auto opened = d.files().openSession(file.fileName());
        QVERIFY(!opened.ok());
        QVERIFY(!opened.error().what.empty());
        QCOMPARE(d.runs().size(), std::size_t(2)); // what was open is still open
    }

    /// What an undo stack of the usual length forgets is no edit of what is opened next, and stays one of what was edited.
    void editsThatFallOffTheUndoStackStayWithTheirDocument()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum").ok());
        const int limit = d.undoStack().undoLimit();
        const auto edit = [&d](int times) {
            for (int k = 0; k < times; ++k)
                QVERIFY(d.control().setParameter("L", k % 2 ? 1.25 : 1.5));
        };
        edit(limit);
        while (d.undoStack().canUndo())
            d.undoStack().undo();
        QVERIFY(!d.files().isDirty()); // none fell off
        edit(limit + 5);
        QCOMPARE(d.undoStack().count(), limit);
        QVERIFY(d.opener().openModel("cart-pendulum").ok());
        QVERIFY2(!d.files().isDirty() && !d.files().title().contains('*'), qPrintable(d.files().title()));
        QCOMPARE(d.files().editsElsewhere().size(), qsizetype(1));
        while (d.undoStack().canUndo())
            d.undoStack().undo();
        QVERIFY(d.files().isDirty()); // five edits are left
    }

    void namesFollowTheirDocuments_data()
    {
        QTest::addColumn<int>("limit");
        QTest::newRow("all can be undone") << 200;
        QTest::newRow("few can be undone") << 4;
    }
    /// Random opening, editing, saving, undoing and redoing, beside a model of it: a line of states, each of a document, and
    /// the documents' names.
    void namesFollowTheirDocuments()
    {
        constexpr unsigned kSeed = 20261122;
        qInfo("seed %u", kSeed);
        std::mt19937 draw(kSeed);
        QFETCH(int, limit);
        QTemporaryDir folder;
        Document document;
        document.undoStack().setUndoLimit(limit);
        std::vector<int> states; // the document of every state that undo and redo lead to
        std::map<int, QString> names;
        std::vector<int> edits;   // of every state: a number of its own where an edit led there, else 0
        std::map<int, int> saved; // of every document: the edit that it was saved after
        int at = -1, bottom = 0, documents = 0, files = 0, editing = 0; // bottom: the first state that undo leads to
        QStringList done;
        const auto enter = [&](int of, bool edit = false) {
            states.resize(static_cast<std::size_t>(at + 1));
            states.push_back(of);
            edits.resize(static_cast<std::size_t>(at + 1));
            edits.push_back(edit ? ++editing : 0);
            ++at;
            bottom = std::max(bottom, at - limit);
        };
        const auto lastEdit = [&](int of) {
            int last = 0;
            for (std::size_t i = 0; i <= static_cast<std::size_t>(at); ++i)
                if (states[i] == of && edits[i] != 0)
                    last = edits[i];
            return last;
        };
        QVERIFY(document.opener().openModel("pendulum").ok());
        enter(documents);
        for (int k = 0; k < 120; ++k) {
            const int what = static_cast<int>(draw() % 7);
            const int of = states[static_cast<std::size_t>(at)];
            if (what == 0) {
                QVERIFY(document.opener().openModel(draw() % 2 ? "pendulum" : "cart-pendulum").ok());
                enter(++documents);
            } else if (what == 1) {
                QVERIFY(document.opener().newMechanism().ok());
                enter(++documents);
            } else if (what == 2) {
                QVERIFY(document.edits().reset());
                enter(of, true);
            } else if (what == 3) {
                saved[of] = lastEdit(of);
                names[of] = folder.filePath(QStringLiteral("walk-%1.driftless").arg(files++));
                QVERIFY(document.files().saveSession(names[of]).ok());
            } else if (what < 6 && document.undoStack().canUndo()) {
                document.undoStack().undo();
                --at;
            } else if (document.undoStack().canRedo()) {
                document.undoStack().redo();
                ++at;
            }
            done << QString::number(what);
            QCOMPARE(document.undoStack().canUndo(), at > bottom);
            QVERIFY2(document.files().sessionPath() == names[states[static_cast<std::size_t>(at)]],
                     qPrintable(QStringLiteral("after %1: %2").arg(done.join(' '), document.files().sessionPath())));
            const int now = states[static_cast<std::size_t>(at)];
            QVERIFY2(document.files().isDirty() == (lastEdit(now) != saved[now]), qPrintable(done.join(' ')));
            int elsewhere = 0; // closing asks for each of them that can be brought back, whatever stands before it on the stack
            for (int other = states[static_cast<std::size_t>(bottom)]; other <= documents; ++other)
                elsewhere += other != now && lastEdit(other) != 0 && lastEdit(other) != saved[other];
            QVERIFY2(document.files().editsElsewhere().size() == elsewhere
                         && document.files().hasEdits() == (document.files().isDirty() || elsewhere > 0),
                     qPrintable(done.join(' ')));
        }
        QVERIFY(files > 5 && documents > 5);
    }

    /// A session takes as long to open as it took: the window lives meanwhile, and the wait can be ended.
    void anEndlessSessionCanBeCancelled()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("long.driftless");
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        QVERIFY(d.files().saveSession(path).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject session = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        QJsonObject end = session["end"].toObject();
        QJsonArray runs = end["runs"].toArray();
        QJsonObject last = runs[1].toObject(); // the one with fixed steps
        last["steps"] = 1'000'000'000;
        runs[1] = last;
        end["runs"] = runs;
        session["end"] = end;
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(session).toJson()) > 0);
        file.close();
        bool told = false, twice = false;
        connect(&d, &Document::replaying, &d, [&](ui::SessionReplay* replay) {
            QTimer::singleShot(300, replay, [&, replay] {
                told = true; // an event of the window's, handled while the session is repeated
                twice = d.files().openSession(path).ok();
                replay->stop();
            });
        });
        const auto opened = d.files().openSession(path);
        QVERIFY(told && !twice);
        QVERIFY(!opened.ok());
        QVERIFY2(opened.error().text().find("stopped") != std::string::npos, opened.error().text().c_str());
        QCOMPARE(d.runs().size(), std::size_t(2));
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "test_document.moc"
