// The fields of every shipped model beside its scene, at the smallest size the window is made for: no number is cut, no label
// either.
#include <QFontMetricsF>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>
#include <limits>

#include "core/system/ShippedModels.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Controls.h"
#include "ui/panels/LessonQuestion.h"
#include "ui/panels/MethodWindow.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

class TestFields : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void anEnteredNumberIsUndoneInOneStep()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        auto* field = f.find<NumberField>("value_L");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "1.5");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(f.document.bench().parameters(), (std::vector<double>{1, 1, 1.5}));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.document.bench().parameters(), (std::vector<double>{1, 1, 1}));
        QTest::qWait(150);
        QCOMPARE(field->value(), 1.0);
        QTest::keyClicks(field, "2"); // typing that is not entered is undone in the field
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field->text().toDouble(), 1.0);
        QCOMPARE(f.document.bench().parameters(), (std::vector<double>{1, 1, 1}));
    }

    /// As hints of lessons say it: a number, Return, Home. While a number is typed Home is the field's own.
    void homeLeadsBackToTheStartOnceTheNumberIsEntered()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const auto play = [&f] {
            f.document.playback().play();
            const bool played = f.playUntil(0.5);
            f.document.playback().pause();
            return played && f.document.laboratory().clock().t > 0.4;
        };
        QVERIFY(play());
        auto* field = f.find<NumberField>("value_L");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "1.5");
        QTest::keyClick(field, Qt::Key_Home);
        QCOMPARE(field->cursorPosition(), 0);
        QVERIFY(f.document.laboratory().clock().t > 0.4);
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClick(field, Qt::Key_Home);
        QCOMPARE(f.document.laboratory().clock().t, 0.0);
        QCOMPARE(f.document.bench().parameters(), (std::vector<double>{1, 1, 1.5}));
        QVERIFY(play());
        field = f.find<NumberField>("value_L");   // the column was made anew
        QTest::mouseClick(field, Qt::LeftButton); // somebody looks at the number, and may change it
        QTest::keyClick(field, Qt::Key_Home);
        QVERIFY(f.document.laboratory().clock().t > 0.4);
    }

    void aNumberIsReadAsPeopleWriteIt()
    {
        const std::pair<const char*, double> written[] = {{"0.25", 0.25},          {"0,25", 0.25},
                                                          {"−3e-4", -3e-4},        {"4.6·10⁻⁸", 4.6e-8},
                                                          {"4.6*10^-8", 4.6e-8},   {"4.6 × 10^(-8)", 4.6e-8},
                                                          {"11/10", 1.1},          {"2²", 4},
                                                          {"pi/2", std::acos(0.0)}};
        for (const auto& [text, value] : written) {
            const auto read = typedNumber(QString::fromUtf8(text));
            QVERIFY2(read && std::abs(*read - value) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(value), text);
        }
        for (const char* text : {"", "x", "1.1 A", "10⁻", "⁸", "1/0"})
            QVERIFY2(!typedNumber(QString::fromUtf8(text)), text);
    }

    /// The unit stands beside the field; who writes it again is not wrong.
    void anAnswerMayHaveItsUnit()
    {
        lesson::Step step;
        step.question = lesson::Question{};
        step.question->kind = lesson::Question::Kind::Number;
        step.question->unit = "m²";
        LessonQuestion question;
        question.show(step, {});
        for (const char* text : {"4.6·10⁻⁸ m²", "4,6e-8m²", "4.6*10^-8", "46/10^9"}) {
            question.setAnswer(QString::fromUtf8(text));
            QVERIFY2(question.number() && std::abs(*question.number() / 4.6e-8 - 1) < 1e-12, text);
        }
        for (const char* text : {"4.6 A", "m²", "much"}) {
            question.setAnswer(QString::fromUtf8(text));
            QVERIFY2(!question.number(), text);
        }
    }

    /// A field that only shows its old number again hides why.
    void whatIsNoNumber_isSaid_andTheValueStays()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("formulation_1", "index-3"));
        QVERIFY(f.choose("integrator_1", "generalized-alpha"));
        QVERIFY(f.openDetails(1));
        const auto said = [&](const char* typed) {
            return f.value("messageTitle") == QStringLiteral("'%1' is no number").arg(typed);
        };
        const QString step = f.find<QLineEdit>("step_1")->text();
        QVERIFY(f.enter("step_1", "small"));
        QVERIFY2(said("small"), qPrintable(f.value("messageTitle")));
        QCOMPARE(f.find<QLineEdit>("step_1")->text(), step);
        QVERIFY(f.enter("methodParameter_1", "1/0"));
        QVERIFY2(said("1/0"), qPrintable(f.value("messageTitle")));
        QCOMPARE(f.find<QLineEdit>("methodParameter_1")->text(), QStringLiteral("0.8"));

        f.window.setWorkspace(Workspace::Methods);
        f.find<MethodWindow>("methodWindow")->showMethod("rk2-alpha", 0.5);
        QVERIFY(f.enter("methodFamilyParameter", "half"));
        QVERIFY2(f.value("methodProblem").contains("'half' is no number"), qPrintable(f.value("methodProblem")));
        QCOMPARE(f.find<MethodWindow>("methodWindow")->tableau()->c.at(1), 0.5);

        f.window.actionRegistry().at("precision").trigger();
        QVERIFY(f.enter("workSpan", "ten"));
        QVERIFY(f.find<QLabel>("workRefusals")->isVisible());
        QVERIFY2(f.value("workRefusals").contains("'ten' is no number"), qPrintable(f.value("workRefusals")));
        QVERIFY(f.enter("workSpan", "-1"));
        QVERIFY2(f.value("workRefusals").contains("above zero"), qPrintable(f.value("workRefusals")));
        QVERIFY(f.enter("workSpan", "1"));
        QVERIFY(!f.find<QLabel>("workRefusals")->isVisible());
    }

    void spacePlaysOnceTheNumberIsEntered_andCtrlYRedoes()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        QApplication::setActiveWindow(&f.window);
        QVERIFY(f.enter("value_L", "1.5"));
        QVERIFY(f.find<NumberField>("value_L")->hasFocus());
        QTest::keyClick(f.find<NumberField>("value_L"), Qt::Key_Space);
        QVERIFY(f.document.laboratory().clock().playing);
        QTest::keyClick(f.find<NumberField>("value_L"), Qt::Key_Space);
        QVERIFY(!f.document.laboratory().clock().playing);
        QCOMPARE(f.find<NumberField>("value_L")->value(), 1.5);
        // Undo and redo, by the keys of either habit.
        for (const auto& [key, modifiers] : {std::pair{Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier)},
                                             {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier}}) {
            QTest::keyClick(f.find<NumberField>("value_L"), Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(f.document.bench().parameters().back(), 1.0);
            QTest::qWait(50);
            QTest::keyClick(f.find<NumberField>("value_L"), key, modifiers);
            QCOMPARE(f.document.bench().parameters().back(), 1.5);
            QTest::qWait(50);
        }
        // While a number is typed, Space is a letter of it.
        auto* field = f.find<NumberField>("value_L");
        field->selectAll();
        QTest::keyClicks(field, "2 ");
        QVERIFY(!f.document.laboratory().clock().playing);
    }

    void shippedModels_showTheirNumbersWhole()
    {
        Fixture f;
        int fields = 0;
        QStringList cut;
        for (const auto& shipped : model::shippedModels()) {
            QVERIFY2(f.document.opener().openModel(QString::fromStdString(shipped.id)).ok(), shipped.id.c_str());
            QTest::qWait(10);
            for (const NumberField* field : f.window.findChildren<NumberField*>()) {
                if (!field->isVisible())
                    continue;
                const QString all = QString::number(field->value(), 'g', 6),
                              what = QString::fromStdString(shipped.id) + ": " + field->objectName() + " = ";
                if (field->text() != all || QFontMetricsF(field->font()).horizontalAdvance(all) > field->room())
                    cut << what + field->text() + " for " + all;
                ++fields;
            }
            for (const QLabel* label : f.window.findChildren<QLabel*>())
                if (label->isVisible() && !label->wordWrap() && !qobject_cast<const ElidedLabel*>(label)
                    && label->width() < label->sizeHint().width())
                    cut << QStringLiteral("%1: %2 (%3 of %4)")
                               .arg(QString::fromStdString(shipped.id), label->text())
                               .arg(label->width())
                               .arg(label->sizeHint().width());
        }
        QVERIFY(fields > 100);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
    }

    void aListWithTheFocusIsWalkedAndSearched_andTheSceneKeepsTheKeys()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        f.document.laboratory().waitUntil(1);
        f.window.showAt(1);
        f.window.actionRegistry().at("lessons").trigger();
        QApplication::setActiveWindow(&f.window);
        auto* list = f.find<QListWidget>("lessonList");
        QVERIFY(list->isVisible() && list->count() > 20);
        list->setFocus();
        const auto time = [&] { return f.document.laboratory().clock().t; };
        const double before = time();
        QVERIFY(before > 0);
        QTest::keyClick(list, Qt::Key_End);
        QCOMPARE(list->currentRow(), list->count() - 1);
        QTest::keyClick(list, Qt::Key_PageUp);
        QVERIFY(list->currentRow() < list->count() - 1);
        QTest::keyClick(list, Qt::Key_Home);
        QCOMPARE(list->currentRow(), 0);
        QCOMPARE(time(), before);
        // Titles are found though a mark stands before them, over words as well; E is a letter, and so is Space among letters.
        QTest::keyClicks(list, "Where s");
        QVERIFY2(list->currentItem()->text().contains("Where solutions exist"), qPrintable(list->currentItem()->text()));
        QVERIFY(!f.document.laboratory().clock().playing);
        QTest::qWait(QApplication::keyboardInputInterval() + 50);
        QTest::keyClick(list, Qt::Key_E);
        QVERIFY(!f.window.isEditing());
        // What no list takes is the window's.
        QTest::qWait(QApplication::keyboardInputInterval() + 50);
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(f.document.laboratory().clock().playing);
        f.document.playback().pause();
        f.find<QWidget>("scene")->setFocus();
        QTest::keyClick(f.find<QWidget>("scene"), Qt::Key_Home);
        QTest::qWait(50);
        QCOMPARE(time(), 0.0);
        QTest::keyClick(f.find<QWidget>("scene"), Qt::Key_E);
        QVERIFY(f.window.isEditing());
    }

    void aNumberThatDoesNotFit_keepsTheDigitsThereIsRoomFor_andAllOfThemWhileItIsEdited()
    {
        QWidget holder;
        NumberField field(&holder);
        field.setGeometry(0, 0, 80, 24);
        QLineEdit other(&holder);
        other.setGeometry(0, 40, 60, 24);
        holder.show();
        QVERIFY(QTest::qWaitForWindowActive(&holder));
        other.setFocus();
        field.setValue(-1.23456e-07);
        QVERIFY(field.text().size() < 12 && field.text().startsWith("-1.2") && field.text().endsWith("e-07"));
        QVERIFY(QFontMetricsF(field.font()).horizontalAdvance(field.text()) <= field.room());
        QSignalSpy entered(&field, &NumberField::entered);
        field.setFocus();
        QCOMPARE(field.text(), QStringLiteral("-1.23456e-07"));
        other.setFocus();
        QVERIFY(field.text().size() < 12);
        QVERIFY(entered.isEmpty()); // nobody entered anything
        QCOMPARE(field.value(), -1.23456e-07);
        field.resize(200, 24);
        QCOMPARE(field.text(), QStringLiteral("-1.23456e-07"));
    }
};

QTEST_MAIN(TestFields)
#include "test_fields.moc"
