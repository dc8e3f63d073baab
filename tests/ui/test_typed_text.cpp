// Text that is typed on the page Model and is not applied belongs to the document: it is asked about, saved with the session,
// restored, kept over undo and redo, and no gesture in the picture takes its place.
#include <QtTest>

#include <QLockFile>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <map>
#include <memory>

#include "tests/support/Draw.h"
#include "tests/ui/EditorFixture.h"
#include "ui/document/Autosave.h"
#include "ui/panels/Laboratories.h"
#include "ui/panels/MethodWindow.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/PencilWindow.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

constexpr const char* kBars = R"toml(format = 1
[[body]]
name = "bar"
kind = "rigid"
mass = 1
inertia = 0.1
x = 0.5
y = 0
shape = { kind = "bar", from = [-0.5, 0], to = [0.5, 0] }
[[joint]]
name = "pin"
kind = "pin"
from = "ground"
to = { body = "bar", at = [-0.5, 0] }
[[force]]
name = "spring"
kind = "spring-damper"
from = { body = "ground", at = [-1, -1] }
to = { body = "bar", at = [-0.5, 0] }
stiffness = 10
damping = 0
length = 1
)toml";

void typeAtStart(QPlainTextEdit& text, const QString& what)
{
    QTextCursor cursor = text.textCursor();
    cursor.movePosition(QTextCursor::Start);
    text.setTextCursor(cursor);
    QTest::keyClicks(&text, what);
    QTest::keyClick(&text, Qt::Key_Return);
}

} // namespace

class TestTypedText : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

private slots:
    void whatIsTypedIsAskedAboutSavedAndRestored()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("model"));
        auto& text = *f.find<QPlainTextEdit>("modelText");
        const QString before = text.toPlainText();
        QVERIFY(!f.document.files().isDirty());
        typeAtStart(text, "# of mine");
        QVERIFY(f.document.files().isDirty());
        QVERIFY2(f.window.windowTitle().contains('*'), qPrintable(f.window.windowTitle()));
        const QString typed = text.toPlainText();
        QVERIFY(typed != before);

        const QString session = folder_.filePath("typed.driftless"), model = folder_.filePath("typed.toml");
        QVERIFY(f.document.files().saveModel(model).ok()); // what is on the page
        QFile written(model);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(written.readAll()), typed);
        QVERIFY(f.document.files().saveSession(session).ok());
        QVERIFY(!f.document.files().isDirty());
        {
            Fixture again;
            QVERIFY(again.document.files().openSession(session).ok());
            QVERIFY(!again.document.files().isDirty());
            QCOMPARE(again.find<QPlainTextEdit>("modelText")->toPlainText(), typed);
            QCOMPARE(again.document.bench().modelText(), before);
        }
        QVERIFY(f.click("modelRevert"));
        QVERIFY(f.document.files().isDirty()); // the file has the text
        typeAtStart(text, "# of mine");
        QVERIFY(!f.document.files().isDirty());
    }

    /// Apply answers at once and keeps its answer, however fast it comes after the last key.
    void applyAlwaysAnswers()
    {
        Fixture f({1280, 720});
        QVERIFY(f.window.openPath("pendulum-equations").ok());
        f.window.setWorkspace(Workspace::Equations);
        QVERIFY(f.window.openPage("model"));
        auto& text = *f.find<QPlainTextEdit>("modelText");
        const QString before = f.document.bench().modelText();
        const QStringList lines = before.split('\n');
        const auto section = static_cast<int>(lines.indexOf(QRegularExpression("^\\s*equation\\s*$")));
        QVERIFY(section > 0);
        driftless::test::Draw draw(driftless::test::seedOr(46));
        for (int i = 0, count = driftless::test::countOr(3); i < count; ++i) {
            QStringList changed = lines;
            changed.insert(section + 1, QStringLiteral("  x = %1;").arg(draw.decimal(0.1, 3)));
            text.selectAll();
            text.insertPlainText(changed.join('\n'));
            QTest::qWait(draw.upTo(0, 1) * draw.upTo(0, 100));
            QVERIFY(f.click("modelApply"));
            const auto* problem = f.find<QPushButton>("modelProblem");
            QVERIFY(problem->isVisible());
            const QString said = problem->text();
            QVERIFY2(said.contains("structurally singular") && said.startsWith("Line "), qPrintable(said));
            QTest::qWait(3 * ModelPage::kPause); // what reads it while one types has nothing to say
            QVERIFY(problem->isVisible());
            QCOMPARE(problem->text(), said);
            QCOMPARE(f.document.bench().modelText(), before);
            // All of it is there to be read.
            QCOMPARE(problem->toolTip(), said);
            QCOMPARE(problem->accessibleName(), said);
            QVERIFY(problem->height() >= problem->heightForWidth(problem->width()));
            text.insertPlainText(" ");
            QTRY_VERIFY(!problem->isVisible()); // it is another text now
        }
    }

    /// What was typed in the laboratories belongs to no document, and is there again after a crash all the same.
    void textsOfTheLaboratoriesAreRestoredAfterACrash()
    {
        driftless::test::Draw draw(driftless::test::seedOr(46));
        for (int i = 0, count = driftless::test::countOr(3); i < count; ++i) {
            QTemporaryDir state;
            const bool linear = draw.chance(0.7), methods = !linear || draw.chance(0.5), edits = draw.chance(0.5);
            const QString pencil = QStringLiteral("E = [[%1]]\nA = [[1]] # \"mine\"\n").arg(draw.decimal(1, 9)),
                          tableau = QStringLiteral("A = [[0]]\nb = [%1").arg(draw.decimal(1, 9)); // of which the end lacks
            const QString left = state.filePath("left.driftless");
            {
                Fixture first;
                auto& laboratories = *first.window.findChild<Laboratories*>();
                QVERIFY(first.document.opener().openModel("pendulum").ok());
                Autosave autosave(first.document, state.path());
                autosave.keepTexts([&laboratories] { return laboratories.typedTexts(); });
                QVERIFY(autosave.save().ok());
                QVERIFY(autosave.path().isEmpty()); // nothing was typed
                if (linear)
                    laboratories.pencil().typeText(pencil);
                if (methods)
                    laboratories.methods().typeText(tableau);
                if (edits)
                    QVERIFY(first.document.control().setParameter("L", 1.5));
                QVERIFY(autosave.save().ok());
                QVERIFY(QFile::copy(autosave.path(), left));
            }
            Fixture f;
            auto& laboratories = *f.window.findChild<Laboratories*>();
            Autosave autosave(f.document, state.path());
            autosave.keepTexts([&laboratories] { return laboratories.typedTexts(); });
            connect(&autosave, &Autosave::textsFound, &laboratories, &Laboratories::typeTexts);
            QVERIFY(autosave.restore({.path = left, .saved = {}, .model = {}, .lock = std::make_shared<QLockFile>(left + "x")})
                        .ok());
            QCOMPARE(laboratories.typed().size(), (linear ? 1 : 0) + (methods ? 1 : 0));
            if (linear)
                QCOMPARE(laboratories.pencil().text(), pencil);
            if (methods)
                QCOMPARE(laboratories.methods().text(), tableau);
            QCOMPARE(f.document.bench().parameters()[2], edits ? 1.5 : 1.0);
            QVERIFY(!QFile::exists(left) && QFile::exists(autosave.path())); // its own now, with the texts
        }
    }

    void textThatIsNoModelIsRestoredAfterACrash()
    {
        QTemporaryDir state;
        QString typed;
        const QString left = state.filePath("left.driftless");
        {
            Fixture first;
            QVERIFY(first.document.opener().openModel("pendulum").ok());
            Autosave autosave(first.document, state.path());
            auto& text = *first.find<QPlainTextEdit>("modelText");
            typeAtStart(text, "[[body");
            typed = text.toPlainText();
            QVERIFY(autosave.save().ok());
            const auto refused = first.document.files().saveModel(folder_.filePath("half.toml"));
            QVERIFY(!refused.ok() && !QFile::exists(folder_.filePath("half.toml")));
            QVERIFY2(refused.error().remedy.find("Revert") != std::string::npos, refused.error().text().c_str());
            QVERIFY(QFile::copy(autosave.path(), left));
        }
        Fixture f;
        QVERIFY(f.document.files().restoreSession(left).ok());
        QCOMPARE(f.find<QPlainTextEdit>("modelText")->toPlainText(), typed);
        QVERIFY(f.document.files().isDirty());
    }

    /// Random typing, applying, reverting, and other models in between: text that was typed and neither applied nor given up is
    /// there whenever its document is.
    void itStaysWithItsDocument()
    {
        const std::uint64_t seed = driftless::test::seedOr(1);
        for (int i = 0, count = driftless::test::countOr(3); i < count; ++i) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(i));
            Fixture f;
            QVERIFY(f.document.opener().openModel("pendulum").ok());
            QVERIFY(f.window.openPage("model"));
            auto& text = *f.find<QPlainTextEdit>("modelText");
            std::map<int, QString> expected; // by document
            for (int act = 0; act < 24; ++act) {
                const int number = f.document.bench().bench().document(), what = draw.upTo(0, 9);
                const QString open = f.document.bench().modelText();
                if (what <= 2) {
                    typeAtStart(text, draw.chance(0.5) ? QStringLiteral("# %1").arg(act) : QStringLiteral("[[b%1").arg(act));
                    expected[number] = text.toPlainText();
                } else if (what == 3) {
                    QVERIFY(f.click("modelApply"));
                    if (f.document.bench().modelText() != open)
                        expected.erase(number);
                } else if (what == 4) {
                    QVERIFY(f.click("modelRevert"));
                    expected.erase(number);
                } else if (what == 5) {
                    QVERIFY(f.document.opener().openModel(draw.chance(0.5) ? "cart-pendulum" : "pendulum").ok());
                } else if (what == 6) {
                    QVERIFY(f.document.edits().reset());
                } else if (what == 7) {
                    f.window.setDark(draw.chance(0.5));
                } else if (what == 8) {
                    f.document.undoStack().undo();
                } else {
                    f.document.undoStack().redo();
                }
                const int now = f.document.bench().bench().document();
                const auto kept = expected.find(now);
                const QString wanted = kept == expected.end() ? f.document.bench().modelText() : kept->second;
                QVERIFY2(text.toPlainText() == wanted, qPrintable(QStringLiteral("seed %1, act %2 of kind %3")
                                                                      .arg(seed + static_cast<std::uint64_t>(i))
                                                                      .arg(act)
                                                                      .arg(what)));
                QVERIFY(kept == expected.end() || f.document.files().isDirty());
            }
            while (f.document.undoStack().canUndo()) { // back to the first one
                f.document.undoStack().undo();
                const auto kept = expected.find(f.document.bench().bench().document());
                const QString wanted = kept == expected.end() ? f.document.bench().modelText() : kept->second;
                QVERIFY2(text.toPlainText() == wanted, qPrintable(QStringLiteral("seed %1, undone").arg(seed)));
            }
        }
    }

    /// A document that nothing leads back to any more is not asked about.
    void whatIsGoneIsNotAskedAbout()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.document.opener().openModel("cart-pendulum").ok());
        auto& text = *f.find<QPlainTextEdit>("modelText");
        typeAtStart(text, "[[body");
        f.document.undoStack().undo();
        QCOMPARE(f.document.files().editsElsewhere().size(), 1); // redo leads there
        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        QVERIFY(f.document.files().editsElsewhere().isEmpty());
    }

    /// Text that mends a file is in no file, before it is opened and afterwards.
    void whatMendsAFileIsAskedAbout()
    {
        Fixture f;
        QFile file(folder_.filePath("broken.toml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(kBars).replace("mass = 1", "mass = "));
        file.close();
        QVERIFY(!f.window.openPath(file.fileName()).ok());
        auto& text = *f.find<QPlainTextEdit>("modelText");
        const auto asked = [&] {
            bool seen = false;
            QTimer::singleShot(50, &f.window, [&] {
                if (auto* question = f.window.findChild<QMessageBox*>("closeQuestion")) {
                    seen = true;
                    question->button(QMessageBox::Cancel)->click();
                }
            });
            f.window.close();
            return seen;
        };
        QString mended = text.toPlainText();
        text.selectAll();
        text.insertPlainText(mended.replace("mass = ", "mass = 1"));
        QVERIFY(asked());
        QVERIFY(f.window.openPath("pendulum").ok());
        QVERIFY(!f.window.openPath(file.fileName()).ok());
        QCOMPARE(text.toPlainText(), mended); // still there
        QVERIFY(f.click("modelApply"));
        QVERIFY(f.document.bench().modelText().contains("mass = 1"));
        QVERIFY(f.document.files().isDirty());
        QVERIFY(asked());
    }

    void aGestureDoesNotTakeItsPlace()
    {
        Builder f;
        open(f, kBars);
        f.window.setEditing(true);
        QVERIFY(f.window.openPage("model"));
        auto& text = *f.find<QPlainTextEdit>("modelText");
        typeAtStart(text, "[[body");
        const QString typed = text.toPlainText(), before = f.text();
        QTest::qWait(600); // it was read, and is no model
        QVERIFY(f.tool("toolDisc"));
        f.pull(1, 1, 1.2, 1);
        QCOMPARE(f.text(), before);
        QCOMPARE(text.toPlainText(), typed);
        QVERIFY(f.find<QWidget>("messageCard")->isVisible());
        QVERIFY(f.click("modelRevert"));
        QVERIFY(f.tool("toolDisc"));
        f.pull(1, 1, 1.2, 1);
        QVERIFY(f.text() != before);
    }

    /// A pin is found by what drives it though a spring ends there.
    void aPinUnderASpringIsDriven()
    {
        Builder f;
        open(f, kBars);
        f.window.setEditing(true);
        QVERIFY(f.tool("toolMotor"));
        f.tap(0, 0);
        QVERIFY2(f.text().contains("motion"), qPrintable(f.live()));
    }
};

QTEST_MAIN(TestTypedText)
#include "test_typed_text.moc"
