// The editor of model texts by real keys: a mistake is underlined where it is, names are completed, the equation at the cursor
// is typeset; both languages.
#include <QAbstractItemView>
#include <QCompleter>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>

#include "core/mechanism/ReadModel.h"
#include "core/system/ShippedModels.h"
#include "tests/ui/WindowFixture.h"
#include "ui/document/TextCheck.h"
#include "ui/figures/Formula.h"
#include "ui/views/CodeEditor.h"
#include "ui/views/CodeHighlighter.h"
#include "ui/views/FormulaView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

const char* const kEquations = R"(model pend "by hand"
  parameter Real length = 1;
  Real x(start = 1); Real y; Real lambda;
equation
  der(x, 2) + lambda*x = 0;   // force
  der(y, 2) + lambda*y + 1 = 0;
  x^2 + y^2 = length^2;
end pend;
)";

void keep(QWidget& widget, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        widget.grab().save(folder + "/" + name + ".png");
}

void putCursor(CodeEditor& editor, const QString& behind)
{
    const auto place = editor.toPlainText().indexOf(behind);
    QVERIFY2(place >= 0, qPrintable(behind));
    QTextCursor cursor = editor.textCursor();
    cursor.setPosition(static_cast<int>(place + behind.size()));
    editor.setTextCursor(cursor);
    editor.setFocus();
}

/// Types as a person does; leaves the list of completions alone.
void type(CodeEditor& editor, const QString& text)
{
    for (const QChar c : text) {
        editor.completer().popup()->hide();
        QTest::keyClicks(&editor, QString(c));
    }
    editor.completer().popup()->hide();
}

} // namespace

class TestCodeEditor : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void aMistakeIsUnderlinedAtItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("behind");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("underlined");
        QTest::addColumn<QString>("said");
        QTest::newRow("unknown name in an equation") << QString(kEquations) << "lambda*y + 1"
                                                     << " + lamda" << 6 << 30 << "lamda"
                                                     << "lambda";
        QTest::newRow("unknown attribute") << QString(kEquations) << "Real x("
                                           << "strat = 1, " << 3 << 10 << "strat"
                                           << "attribute";
        QTest::newRow("key of a mechanism") << QString() << "[[body]]\n"
                                            << "colour = 1\n"
                                            << 15 << 1 << "colour"
                                            << "colour";
    }
    void aMistakeIsUnderlinedAtItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, behind);
        QFETCH(QString, typed);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QString, underlined);
        QFETCH(QString, said);
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("model"));
        auto& editor = *f.find<CodeEditor>("modelText");
        QVERIFY(editor.isVisible());
        QCOMPARE(editor.kind(), TextKind::Mechanism);
        if (!text.isEmpty()) {
            editor.selectAll();
            QTest::keyClick(&editor, Qt::Key_Delete);
            editor.insertPlainText(text);
        }
        QTest::qWait(400); // longer than the pause before the text is read
        auto* problem = f.find<QPushButton>("modelProblem");
        QTRY_VERIFY(!problem->isVisible());
        putCursor(editor, behind);
        const QString lineBreak = typed.endsWith('\n') ? "\n" : QString();
        type(editor, typed.left(typed.size() - lineBreak.size()));
        if (!lineBreak.isEmpty())
            QTest::keyClick(&editor, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), 5000);
        QCOMPARE(editor.underlined(), underlined);
        QVERIFY2(problem->text().startsWith(QStringLiteral("Line %1, column %2:").arg(line).arg(column)),
                 qPrintable(problem->text()));
        QVERIFY2(problem->text().contains(said), qPrintable(problem->text()));
        keep(f.window, QStringLiteral("editor-%1").arg(QTest::currentDataTag()).replace(' ', '-'));
        // A click on the message goes to the place.
        editor.moveCursor(QTextCursor::End);
        QTest::mouseClick(problem, Qt::LeftButton);
        QCOMPARE(editor.textCursor().blockNumber() + 1, line);
        // Undone, the mark goes away.
        for (qsizetype k = 0; k < typed.size(); ++k)
            editor.undo();
        QTRY_VERIFY_WITH_TIMEOUT(!problem->isVisible(), 5000);
        QVERIFY(editor.underlined().isEmpty());
    }

    void namesAreCompleted()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("model"));
        auto& editor = *f.find<CodeEditor>("modelText");
        editor.selectAll();
        editor.insertPlainText(kEquations);
        QTest::qWait(50);
        QTRY_COMPARE(editor.kind(), TextKind::Equations);
        putCursor(editor, "lambda*y + 1");
        type(editor, " + ");
        QTest::keyClicks(&editor, "lam");
        auto* popup = editor.completer().popup();
        QVERIFY(popup->isVisible());
        QCOMPARE(editor.completer().currentCompletion(), QString("lambda"));
        QTest::keyClick(popup, Qt::Key_Return);
        QVERIFY(editor.toPlainText().contains("lambda*y + 1 + lambda = 0"));
        // Ctrl+Space asks for all; functions are among them.
        type(editor, " + ");
        QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(popup->isVisible());
        QVERIFY(editor.completer().completionCount() > 10);
        QTest::keyClick(popup, Qt::Key_Escape);
        QVERIFY(!popup->isVisible());
    }

    /// What shipped models write, and the tolerances that any quantity may have, is completed; the text check takes them.
    void theKeysOfModelsAreWordsOfTheLanguage()
    {
        const auto& words = languageWords(TextKind::Mechanism);
        QVERIFY(std::ranges::is_sorted(words)); // they are searched by halves
        const auto known = [&](const std::string& key) {
            return std::ranges::binary_search(words, key) || std::ranges::binary_search(functionWords(), key);
        };
        for (const char* key : {"nominal", "atol", "atol_turn", "velocity_atol", "atol_multipliers"})
            QVERIFY2(known(key), key);
        // A key is a word of three letters or more before an equals sign. Parameters, functions and minimal coordinates have
        // names of their own.
        static const QRegularExpression section(QStringLiteral("^\\s*\\[+([\\w.]+)\\]+\\s*$")),
            pair(QStringLiteral("(?<![\\w.\"'])([a-z_]{3,})\\s*=(?!=)")), quoted(QStringLiteral("\"[^\"]*\""));
        QStringList unknown;
        int keys = 0;
        for (const auto& shipped : model::shippedModels()) {
            const auto opened = model::openModel(shipped.id);
            if (!opened || kindOfText((*opened)->text) != TextKind::Mechanism)
                continue;
            QString where;
            for (QString line : QString::fromStdString((*opened)->text).split('\n')) {
                line = line.replace(quoted, QStringLiteral("0")).section('#', 0, 0);
                if (const auto found = section.match(line); found.hasMatch()) {
                    where = found.captured(1);
                    continue;
                }
                const bool ownNames = where == "parameters" || where == "structure" || where.endsWith(".functions")
                                      || where == "chart.map" || where == "velocity.chart";
                bool first = true;
                for (auto found = pair.globalMatch(line); found.hasNext(); first = false) {
                    const QString key = found.next().captured(1);
                    keys += 1;
                    if (!(ownNames && first) && key != "lambda" && !known(key.toStdString()))
                        unknown << QStringLiteral("%1: %2").arg(QString::fromStdString(shipped.id), key);
                }
            }
        }
        QVERIFY(keys > 1000);
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join('\n')));
        const std::string text = "format = 1\nname = \"one\"\n[[body]]\nname = \"bob\"\nkind = \"rigid\"\nmass = 1\ninertia = "
                                 "1\natol = 1e-9\natol_turn = 1e-8\n"
                                 "x = { start = 1, nominal = 2, velocity_atol = 1e-7 }\n[run]\natol_multipliers = 1e-4\n";
        const auto problem = checkText(text, "one.toml");
        QVERIFY2(!problem, problem ? problem->text().c_str() : "");
        QVERIFY(checkText(text + "natol = 1\n", "one.toml").has_value());
    }

    void theEquationAtTheCursorIsTypeset()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("model"));
        auto& editor = *f.find<CodeEditor>("modelText");
        auto& preview = *f.find<FormulaView>("formulaPreview");
        putCursor(editor, "bob.x = \"L*sin");
        QVERIFY2(preview.latex().contains("\\sin"), qPrintable(preview.latex()));
        editor.selectAll();
        editor.insertPlainText(kEquations);
        QTRY_COMPARE(editor.kind(), TextKind::Equations);
        putCursor(editor, "der(x, 2) + lam");
        QVERIFY2(preview.latex().contains("\\ddot{x}"), qPrintable(preview.latex()));
        int inked = 0;
        const QImage image = preview.grab().toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                inked += qGray(image.pixel(x, y)) < 100 ? 1 : 0;
        QVERIFY(inked > 30);
        keep(f.window, "editor-preview");
        // An unfinished equation shows the hint, not the last formula.
        type(editor, "*(");
        QVERIFY(preview.latex().isEmpty());
    }

    void appliedTextIsTheModel()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("model"));
        auto& editor = *f.find<CodeEditor>("modelText");
        putCursor(editor, "L = { value = ");
        QTest::keyClick(&editor, Qt::Key_Delete);
        type(editor, "2");
        QVERIFY(f.click("modelApply"));
        QCOMPARE(f.document.bench().parameters()[2], 2.0);
        // What is being edited outlives a reset; Revert gives it up.
        type(editor, "9");
        QVERIFY(f.document.edits().reset());
        QVERIFY(editor.toPlainText().contains("L = { value = 29"));
        QVERIFY(f.click("modelRevert"));
        QVERIFY(!editor.toPlainText().contains("L = { value = 29"));
    }

    void aMechanismShowsItsEquations()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("model"));
        auto& editor = *f.find<CodeEditor>("modelText");
        const QString before = editor.toPlainText();
        QVERIFY(f.click("modelEquations"));
        QVERIFY(editor.isReadOnly());
        QCOMPARE(editor.kind(), TextKind::Equations);
        QVERIFY(!checkText(editor.toPlainText().toStdString(), "shown"));
        QVERIFY(editor.toPlainText().contains("der(bob_x_v)") && editor.toPlainText().contains("bob_y_v(start = -1"));
        keep(f.window, "editor-equations");
        QVERIFY(f.click("modelSaveEquations"));
        const QString path = folder_.filePath("pendulum.mo");
        QVERIFY(f.acceptPath(path));
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), editor.toPlainText());
        QVERIFY(f.click("modelEquations"));
        QCOMPARE(editor.toPlainText(), before);
        QVERIFY(!editor.isReadOnly());
    }

    void coloursTellWordsNumbersAndComments()
    {
        CodeEditor editor;
        editor.resize(500, 200);
        editor.setLook(Theme::light(), 1);
        editor.setKind(TextKind::Equations);
        editor.setPlainText(kEquations);
        const auto colourAt = [&](const QString& text) {
            const int place = static_cast<int>(editor.toPlainText().indexOf(text));
            const QTextBlock block = editor.document()->findBlock(place);
            for (const auto& range : block.layout()->formats())
                if (place - block.position() >= range.start && place - block.position() < range.start + range.length)
                    return range.format.foreground().color();
            return QColor();
        };
        const Theme& theme = Theme::light();
        QCOMPARE(colourAt("model"), CodeHighlighter::wordColour(theme));
        QCOMPARE(colourAt("equation"), CodeHighlighter::wordColour(theme));
        QCOMPARE(colourAt("// force"), theme.secondary);
        QCOMPARE(colourAt("\"by hand\""), CodeHighlighter::textColour(theme));
        QCOMPARE(colourAt("1;"), CodeHighlighter::numberColour(theme));
    }

    void formulasHaveFractionsRootsAndScripts()
    {
        using figures::Font;
        const auto flat = figures::Formula(QStringLiteral("a"), Font::Serif, 20);
        const auto fraction = figures::Formula(QStringLiteral("\\frac{a}{b + 1}"), Font::Serif, 20);
        QCOMPARE(fraction.strokes().size(), std::size_t(1));
        QVERIFY(fraction.ascent() > flat.ascent() + 5 && fraction.descent() > 5);
        const auto root = figures::Formula(QStringLiteral("\\sqrt{x^{2} + y^{2}}"), Font::Serif, 20);
        QCOMPARE(root.strokes().size(), std::size_t(1));
        const auto dotted = figures::Formula(QStringLiteral("\\ddot{x}_{bob}"), Font::Serif, 20);
        QCOMPARE(dotted.glyphs().size(), std::size_t(6)); // x, two dots, three letters
        QVERIFY(dotted.glyphs()[3].y > 0 && dotted.glyphs()[3].scale < 1);
        const auto cases = figures::Formula(
            QStringLiteral("\\begin{cases} 1 & \\text{if } x < 0 \\\\ 2 & \\text{otherwise} \\end{cases}"), Font::Serif, 20);
        QVERIFY(cases.ascent() + cases.descent() > 1.8 * (flat.ascent() + flat.descent()));
        // Nonsense is set as far as it goes and does not go round for ever.
        QVERIFY(
            figures::Formula(QStringLiteral("\\frac{a}{\\sqrt{\\left( }} }}} ^ _ \\unknown{"), Font::Serif, 20).glyphs().size()
            < 40);
        QVERIFY(figures::Formula(QString(5000, '{') + "x", Font::Serif, 20).glyphs().size() <= 5001);
        QImage image(620, 140, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        figures::Formula(QStringLiteral("m \\ddot{x}_{bob} = -\\frac{\\lambda}{\\sqrt{x^{2} + y^{2}}} x + "
                                        "\\left(\\frac{a}{b}\\right)^{2} \\sin\\left(\\theta\\right) - 3 \\cdot 10^{-2}"),
                         Font::Serif, 24)
            .draw(painter, QPointF(10, 80), Qt::black);
        painter.end();
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            image.save(folder + "/formula.png");
    }

    void bothKeysOfRedoRedoWhatWasTyped()
    {
        CodeEditor editor;
        editor.show();
        type(editor, "mass");
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QString());
        QTest::keyClick(&editor, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(editor.toPlainText(), QStringLiteral("mass"));
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(editor.toPlainText(), QStringLiteral("mass"));
    }

    void aUnitAndANameAreNoFormulas()
    {
        const std::string text = "[parameters]\nk = { value = 12, unit = \"N/m\" }\nlength = \"2*L\"\n"
                                 "integrator = \"generalized-alpha\"\nforce = { value = \"k*x\", unit = \"kg*m/s^2\" }\n";
        const auto at = [&](const char* words) { return latexAt(text, text.find(words) + 2, TextKind::Mechanism); };
        QCOMPARE(at("N/m"), std::string());
        QCOMPARE(at("generalized-alpha"), std::string());
        QVERIFY(at("2*L").find("2") != std::string::npos);
        QVERIFY2(at("kg*m").find("kg") == std::string::npos && at("kg*m").find("k") != std::string::npos, at("kg*m").c_str());
    }

    void statementsAreFoundBySigns()
    {
        const std::string text = kEquations;
        QCOMPARE(kindOfText(text), TextKind::Equations);
        QCOMPARE(kindOfText("// comment\n model a"), TextKind::Equations);
        QCOMPARE(kindOfText("format = 1\nname = \"model\""), TextKind::Mechanism);
        QVERIFY(latexAt(text, text.find("parameter Real") + 3, TextKind::Equations).empty());
        const std::string last = latexAt(text, text.find("y^2 = length") + 2, TextKind::Equations);
        QVERIFY2(last.find("y^{2}") != std::string::npos && last.find(" = ") != std::string::npos, last.c_str());
        const auto names = namesInText(text, TextKind::Equations);
        QVERIFY(std::find(names.begin(), names.end(), "lambda") != names.end());
        QVERIFY(std::find(names.begin(), names.end(), "hand") == names.end()); // in a string
        QVERIFY(std::find(names.begin(), names.end(), "der") == names.end());
    }
};

QTEST_MAIN(TestCodeEditor)
#include "test_code_editor.moc"
